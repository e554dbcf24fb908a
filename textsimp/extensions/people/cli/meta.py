"""``textsimp meta``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import click
from click.core import ParameterSource

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, column_options
from textsimp.cli.options import form_options, sampling_options
from textsimp.extensions.people.cli.answer_options import answer_options
from textsimp.support.errors import InputError

_OF_RATINGS = (
    *("criteria", "scheme", "plan", "item", "system", "system_score", "standardise", "baseline"),
    *("over", "levels", "clusters", "score_columns"),
)


@click.command(cls=DataCommand)
@click.option(
    "-m",
    "--metric",
    "--metrics",
    "metrics",
    multiple=True,
    metavar="NAME[:VARIANT][:OPTION=VALUE…][.SCORE]",
    help="Metrics, separated by commas, also several configurations of one: "
    "sari,sari:xu,sari:delete=precision. "
    "SCORE is one of a metric's scores other than its main one: sari.keep. "
    "Default: sari, unless --score is given.",
)
@column_options
@answer_options(
    "textsimp.extensions.people.judgements.correlation:evaluate",
    "textsimp.extensions.people.judgements.correlation:correlate",
    item="--item --id COLUMN",
    system="--system COLUMN",
    score_columns="--score COLUMN",
    baseline="--baseline NAME",
)
@click.option(
    "--pairs",
    metavar="BETTER,WORSE",
    help="Instead of ratings: the columns of two texts, of which people prefer the first.",
)
@sampling_options
@form_options
def meta(
    metrics: Sequence[str],
    pairs: str | None,
    form: str,
    sampling: dict[str, Any],
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
    plan: str | Path | None = None,
    item: str | None = None,
    system: str | None = None,
    references: Literal["without_output", "as_given"] = "without_output",
    system_score: Literal["corpus", "mean"] = "corpus",
    standardise: bool = False,
    baseline: str | None = None,
    over: Literal["items", "systems", "both"] = "items",
    levels: Sequence[Literal["outputs", "within_items", "within_systems", "systems"]] = (),
    clusters: bool = False,
    score_columns: Sequence[str] = (),
    **files: Any,
) -> None:
    """Read a table of outputs and people's ratings; print how well metrics agree with them.

    A table with an output a row, its source, references and ratings, or answers as `textsimp
    ratings` reads them, also a folder: correlations and pairwise accuracies over outputs, within
    items and systems, and by system. Of pairs of which one text is better: how often it scores
    higher, with a sign test.

    \b
    Metrics computed here, and how far they are from one of them:
      textsimp meta -d ratings.jsonl -m sari,sari:delete=precision,bleu --baseline sari
    Answers of a study:
      textsimp meta -d answers --plan plan.jsonl --rating simplicity -m sari
    Columns of other names:
      textsimp meta -d ratings.csv --rating rater1,rater2 --system who
    Scores that are there already, such as a model's:
      textsimp meta -d ratings.jsonl --score lens -m sari
    Pairs:
      textsimp meta -d pairs.jsonl -m sari,d_sari --pairs better,worse
    """
    from textsimp.extensions import people
    from textsimp.extensions.people.cli import rated_tables
    from textsimp.extensions.people.judgements.correlation_arguments import read_metrics

    named = [*metrics] or ([] if score_columns else ["sari"])
    chosen = read_metrics(named, "-m") if named else {}
    scorers = [metric for metric, _ in chosen.values()]
    result: Any
    if pairs is not None:
        _refuse_options_of_ratings()
        columns = rated_tables.read_pairs(pairs, scorers, files)
        result = people.evaluate_pairs(columns, chosen, references=references, **sampling)
    else:
        names = {"item": item, "system": system}
        reading = {"scheme": scheme, "criteria": criteria, "plan": plan}
        columns, keys = rated_tables.read_ratings(names, scorers, score_columns, files, reading)
        result = people.evaluate(
            columns,
            chosen,
            **keys,
            references=references,
            system_score=system_score,
            standardise=standardise,
            baseline=baseline,
            over=over,
            levels=levels,
            clusters=clusters,
            score_columns=score_columns,
            **sampling,
        )
    printing.print_result(form, result)


def _refuse_options_of_ratings() -> None:
    context = click.get_current_context()
    for option in context.command.params:
        name = str(option.name)
        typed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if typed and name in _OF_RATINGS:
            raise InputError(f"--pairs: expected no {option.opts[0]}, which is of ratings")
