"""``textsimp meta``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import click
from click.core import ParameterSource

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, column_options, read_columns
from textsimp.cli.options import documented_options, form_options, sampling_options
from textsimp.support.errors import InputError

_OF_RATINGS = (
    *("rating", "item", "system", "system_score", "standardise", "baseline", "over"),
    "score_columns",
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
@documented_options(
    "textsimp.extensions.people.judgements.correlation:evaluate",
    "textsimp.extensions.people.judgements.correlation:correlate",
    rating="--rating COLUMN[,COLUMN…]",
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
    rating: str = "rating",
    item: str | None = None,
    system: str | None = None,
    references: Literal["without_output", "as_given"] = "without_output",
    system_score: Literal["corpus", "mean"] = "corpus",
    standardise: bool = False,
    baseline: str | None = None,
    over: Literal["items", "systems", "both"] = "items",
    score_columns: Sequence[str] = (),
    **files: Any,
) -> None:
    """Read a table of outputs and people's ratings; print how well metrics agree with them.

    A table with an output a row, its source, references and ratings: correlations and pairwise
    accuracies over outputs, within items and systems, and by system. Of pairs of which one text is
    better: how often it scores higher, with a sign test.

    \b
    Metrics computed here, and how far they are from one of them:
      textsimp meta -d ratings.jsonl -m sari,sari:delete=precision,bleu --baseline sari
    Columns of other names:
      textsimp meta -d ratings.csv --rating rater1,rater2 --system who
    Scores that are there already, such as a model's:
      textsimp meta -d ratings.jsonl --score lens -m sari
    Pairs:
      textsimp meta -d pairs.jsonl -m sari,d_sari --pairs better,worse
    """
    if pairs is not None:
        context = click.get_current_context()
        for option in context.command.params:
            name = str(option.name)
            typed = context.get_parameter_source(name) is ParameterSource.COMMANDLINE
            if typed and name in _OF_RATINGS:
                raise InputError(f"--pairs: expected no {option.opts[0]}, which is of ratings")
    from textsimp.core import examples
    from textsimp.core.columns import bad_row
    from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
    from textsimp.extensions import people
    from textsimp.extensions.people.judgements.correlation_arguments import read_metrics
    from textsimp.extensions.people.judgements.numbers import read_column

    named = [*metrics] or ([] if score_columns else ["sari"])
    chosen = read_metrics(named, "-m") if named else {}
    declared = {**examples.columns_of([metric for metric, _ in chosen.values()])}
    declared.setdefault(SOURCES.name, SOURCES.optional)
    if REFERENCES.name in declared:  # rows without any are left out
        declared[REFERENCES.name] = replace(declared[REFERENCES.name], items=True)
    if pairs is not None:
        declared.pop(PREDICTIONS.name, None)
    table, columns = read_columns(list(declared.values()), **files)
    if pairs is not None:
        names = pairs.split(",")
        if len(names) != 2 or names[0] == names[1]:
            raise InputError(f"--pairs: expected two columns, BETTER,WORSE, got {pairs!r}")
        columns |= {"better": table.column(names[0]), "worse": table.column(names[1])}
        preferences = people.evaluate_pairs(columns, chosen, references=references, **sampling)
        printing.print_result(form, preferences)
        return
    if rating == "rating" and rating not in table.names:
        raise table.without(rating, ": choose with --rating, or --pairs")
    if "rater" in table.names:
        own = {"item": item, "system": system}
        own |= {name: files[f"{name}_column"] for name in ("source", "prediction")}
        own |= {"references": ", ".join(files["reference_column"])}
        own |= {one.partition("=")[0]: one.partition("=")[2] for one in files["columns"]}
        for name, column in own.items():
            if column and column != name:
                raise InputError(
                    f"column {column!r} of {table.where}: call it {name!r}, as answers with a "
                    "column 'rater' are read by the usual names"
                )
        numbers = [name for name, column in declared.items() if column.kind == "ratings"]
        criteria = dict.fromkeys([rating, *numbers, *score_columns])
        answers = people.read(str(files["data"]), criteria=[*criteria]).by_output()
        table = replace(table, names=[*answers], read=answers.__getitem__)
        columns = dict(answers)
        for name in score_columns:
            for i, row in enumerate(answers[name]):
                one = {score for score in row if score is not None}
                if len(one) != 1:
                    raise bad_row(
                        i, f"outputs of {table.where}", f"one score {name!r}", sorted(one)
                    )
                answers[name][i] = one.pop()
    keys = {}
    for name, column in {"rating": rating, "item": item, "system": system}.items():
        if column is not None or name in table.names:
            keys[name] = f"column {column or name!r} of {table.where}"
            read = read_column if name == "rating" else type(table).column
            columns[keys[name]] = read(table, column or name)
    columns |= {name: table.column(name) for name in score_columns}
    agreement = people.evaluate(
        columns,
        chosen,
        rating=keys["rating"],
        item=keys.get("item"),
        system=keys.get("system"),
        references=references,
        system_score=system_score,
        standardise=standardise,
        baseline=baseline,
        over=over,
        score_columns=score_columns,
        **sampling,
    )
    printing.print_result(form, agreement)
