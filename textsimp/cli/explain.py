"""``textsimp explain``."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

import click

from textsimp.cli import show
from textsimp.cli.data import DataCommand, data_options, file_arguments, one_system, read_data
from textsimp.cli.score import metrics_option
from textsimp.core.declarations import PREDICTIONS, Column, Score
from textsimp.corpora.files import text_files
from textsimp.metrics import catalogue
from textsimp.scoring import explanation
from textsimp.scoring.explanation import Configuration, Explanation, Match

_ALSO = 3  # other configurations of a score that are named
_HYPHEN = re.compile(r"-(?=[\d.]+$)", re.ASCII)  # of a negative number


class _Command(DataCommand):
    """A command whose argument may be a negative number."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse with the minus sign that papers print, which begins no option."""
        rest = super().parse_args(ctx, [_HYPHEN.sub(explanation.MINUS, arg) for arg in args])
        ctx.params["score"] = ctx.params["score"].replace(explanation.MINUS, "-")
        return rest


@click.command(cls=_Command)
@click.argument("score")
@metrics_option(
    "Metrics that it may be of. Default: all that rank systems, can do with what is given and "
    "aren't slow, as those that align words are."
)
@click.option(
    "--component", metavar="NAME", help="It is this score of the metric, such as keep, not SARI."
)
@data_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON, with all that match.")
@click.pass_context
def explain(
    context: click.Context,
    /,
    score: str,
    metrics: Sequence[str],
    component: str | None,
    as_json: bool,
    **files: Any,
) -> None:
    """Find the variant and options that give a printed SCORE.

    Give the score with the decimals that it was printed with: 40.1 is matched by whatever rounds to
    it. 0.401 is understood too. Tried are all variants, tokenizers and cases, what else papers
    leave unsaid, any two changes of a variant's options, and each reference alone.

    \b
    Examples:
      textsimp explain 41.48 -s source.txt -p systems/substituter.txt -r references
      textsimp explain 59.8 -m sari --component keep -t asset_test -p output.txt

    Exit codes: 0 if something matches, 1 if nothing does, 2 for bad input.
    """
    explanation.parse_score(score, Score("", "", ""))  # a bad one is told before files are read
    named = [
        catalogue.normalize_name(n.strip())
        for group in metrics
        for n in group.split(",")
        if n.strip()
    ]
    readers: dict[str, Sequence[Column]] = {}
    for metric in map(catalogue.metric_class, named or catalogue.names()):
        if named:
            readers[metric.name] = metric.columns
        elif metric.ranks():  # what is there decides which metrics are tried
            readers[metric.name] = [column.optional for column in metric.columns]
    data = read_data({"explain": [PREDICTIONS], **readers}, **files)
    given = [*data.shared, *data.systems[one_system(data, "explain")]]
    classes = explanation.choose_metrics(named or None, given, component)
    result = explanation.explain_examples(score, classes, data, component)
    commands = _Commands(context, files, data.references)
    if as_json:
        show.as_json(_report(result, commands))
    else:
        _print(result, commands)
    context.exit(0 if result.matches else 1)


class _Commands:
    """How to compute what was found, from the files that were given."""

    def __init__(
        self,
        context: click.Context,
        files: Mapping[str, Any],
        references: Sequence[Sequence[str]] | None,
    ) -> None:
        self._all = file_arguments(context, files)
        self._alone: list[list[str]] = []
        if references and len({len(row) for row in references}) == 1:
            found = [file_arguments(context, one) for one in _with_one_each(files)]
            self._alone = found if len(found) == len(references[0]) else []

    def of(self, configuration: Configuration) -> str:
        """A line for the shell."""
        options = [("-O", f"{name}={value}") for name, value in configuration.options.items()]
        begin = ["textsimp", "score", "-m", configuration.metric.name, *chain(*options)]
        if configuration.reference is not None and self._alone:
            return shlex.join([*begin, *self._alone[configuration.reference]])
        by_hand = (
            configuration.reference is not None
            and f"  # with reference {configuration.reference + 1} only"
        )
        return shlex.join([*begin, *self._all]) + (by_hand or "")


def _with_one_each(files: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The files with each of the references alone, where these are files or columns."""
    if files["references"]:
        with contextlib.redirect_stderr(io.StringIO()):  # what it notes was said already
            parts = [text_files(f) if Path(f).is_dir() else [f] for f in files["references"]]
        return [{**files, "references": [str(file)]} for file in chain(*parts)]
    if files["test_set"] is not None:
        folder = Path(files["data_dir"] or "", files["test_set"])
        if not (folder / "source.txt").is_file():
            return []
        rest = {**files, "test_set": None, "data_dir": None, "sources": str(folder / "source.txt")}
        alone = text_files(folder / "references")
        return [{**rest, "references": [str(file)]} for file in alone]
    return [{**files, "reference_column": [name]} for name in files["reference_column"]]


def _report(result: Explanation, commands: _Commands) -> dict[str, Any]:
    report = result.to_dict()
    for kind in ("matches", "nearest"):
        for plain, found in zip(report[kind], getattr(result, kind), strict=True):
            plain["command"] = commands.of(found.configuration)
    return report


def _print(result: Explanation, commands: _Commands) -> None:
    show.line(f"{result}:")
    click.echo()
    shown = result.head()
    header, rows = result.grid().header, result.grid().rows
    numbered = [[str(i), *row] for i, row in enumerate(rows, 1)]
    show.table(["", *header], numbered, left=2)
    for i, found in enumerate(shown, 1):
        click.echo()
        show.line(f"{i}. {found.signature}")
        show.line(f"   {commands.of(found.configuration)}")
        if found.also:
            show.line(f"   also: {_others(found)}")
    more = len(result.matches) - len(shown)
    if more > 0:
        click.echo(f"\nand {more:,} more, less simple: --json has them")
    if result.notes:
        click.echo()
    for note in result.notes:
        show.line(note)


def _others(found: Match) -> str:
    named = "; ".join(map(str, found.also[:_ALSO]))
    more = len(found.also) - _ALSO
    return f"{named}; and {more:,} more" if more > 0 else named
