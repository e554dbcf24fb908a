"""``textsimp explain``."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options, file_arguments
from textsimp.cli.options import documented_options
from textsimp.cli.score import metrics_option
from textsimp.core.declarations import PREDICTIONS, Column, Score
from textsimp.metrics import catalogue
from textsimp.scoring import published
from textsimp.support.errors import InputError

if TYPE_CHECKING:
    from textsimp.core.examples import Examples
    from textsimp.core.metric import Metric
    from textsimp.scoring.configurations import Configuration
    from textsimp.scoring.explanation import Explanation, Match

_WITHOUT_TEXTS: dict[str, Any] = {"matches": [], "nearest": [], "tried": 0, "notes": []}
_UNKNOWN = (
    "{} is none of the {} published numbers that textsimp has. With the texts (-s, -p and -r) "
    "explain finds what gives it."
)
_MAX_KNOWN = 5  # published numbers that are described
_MAX_OTHERS = 3  # configurations with the same score that are named


@click.command(cls=DataCommand)
@click.argument("score")
@metrics_option(
    "Metrics to try. Default: all metrics that rank systems, have all columns that they need, and "
    "don't align words, which is slow."
)
@documented_options(as_json="--json")
@data_options
@click.pass_context
def explain(
    context: click.Context,
    /,
    files: Files,
    score: str,
    metrics: Sequence[str],
    every: bool = False,
    as_json: bool = False,
) -> None:
    """Find the variant and options that give a printed SCORE.

    The command looks it up among numbers that papers printed, and searches with texts. Files of
    one NAME, as in -p NAME=FILE, are runs of a system: their mean is tried, and each.

    Give the score with all its printed decimals: scores that round to 40.1 match 40.1 and 0.401.
    The search tries all variants, tokenizers and cases, other options that papers don't report,
    any two changes of a variant's options, and each reference alone; likelier ones first.

    \b
    Examples:
      textsimp explain 27.37
      textsimp explain 41.48 -s source.txt -p systems/substituter.txt -r references
      textsimp explain 59.8 -m sari.keep -t asset_test -p output.txt

    Exit codes: 0 if something matches (of the search, with texts), 1 if nothing does, 2 for bad
    input.

    Args:
        every: Vary options too that only tell variants apart.
        as_json: Print JSON, with all matches.
    """
    from textsimp.scoring import explanation

    published.parse_score(score, Score("", "", ""))  # before files are read
    named = explanation.choose_metrics([*metrics], ()) if metrics else {}
    usual = all(main is cls.scores[0] for cls, main in named.items())
    printed = published.look_up(score, [metric.name for metric in named]) if usual else []
    if usual and not any(value for name, value in vars(files).items() if name != "data_dir"):
        if as_json:
            printing.print_json({"score": score, "published": printed, **_WITHOUT_TEXTS})
        else:
            unknown = _UNKNOWN.format(score, len(published.table("published")))
            printing.print_sentence(*(_describe_published(printed) or [unknown]))
        context.exit(0 if printed else 1)
    data = _read(files, named)
    columns = [*data.shared, *next(iter(data.systems.values()))]
    chosen = named or explanation.suitable(explanation.choose_metrics(None, columns), data)
    shown: list[Match] = []
    if printed and not as_json:
        printing.print_sentence(*_describe_published(printed))
        click.echo()

    def show(match: Match) -> None:
        shown.append(match)
        if not as_json and len(shown) <= explanation.MAX_MATCHES:
            header, *rows = explanation.match_grid(shown).to_text().splitlines()
            click.echo(rows[-1] if shown[1:] else f"{header}\n{rows[0]}")

    result = explanation.explain_examples(score, chosen, data, every=every, found=show)
    commands = [_command(context, files, match.configuration, data) for match in result.matches]
    if as_json:
        report = result.to_dict()
        for record, command in zip(report["matches"], commands, strict=True):
            record["command"] = command
        printing.print_json({"score": score, "published": printed, **report})
    else:
        _print_rest(result, commands)
        for note in filter(None, [*result.notes, _doubt(result.matches, printed)]):
            click.echo()
            printing.print_sentence(note)
    context.exit(0 if result.matches else 1)


def _read(files: Files, named: Mapping[type[Metric], Score]) -> Examples:
    """Read the runs of one system, with the columns of the named metrics, or of any that rank."""
    from textsimp.cli.data_reading import read_data
    from textsimp.core.metric import group

    readers: dict[str, Sequence[Column]] = {metric.name: metric.columns for metric in named}
    if not named:  # those that have all their columns are tried
        classes = [catalogue.metric_class(name) for name in catalogue.names()]
        ranking = [cls for cls in classes if cls.scores[0].better]
        readers = {cls.name: [column.optional for column in cls.columns] for cls in ranking}
    data = read_data({"explain": [PREDICTIONS], **readers}, files, with_runs=True)
    if len(systems := group(data.systems, data.runs)) > 1:
        raise InputError(
            f"explain takes one system, got {', '.join(systems)}; its runs have one name: -p "
            "NAME=FILE"
        )
    return data


def _command(context: click.Context, files: Files, one: Configuration, data: Examples) -> str:
    """Return a line for the shell that computes the score of a configuration."""
    if one.run is not None and len(files.predictions) == len(data.systems):  # a file for each
        files = replace(files, predictions=[files.predictions[one.run]])
        one = replace(one, run=None)
    line = ["textsimp", "score", "-m", str(one.metric), *file_arguments(context, files)]
    notes = [f"with {one.prepared}"] if one.prepared else []
    notes += [f"with {one.alone}"] if one.alone else []
    return "  # ".join([shlex.join(line), *notes])


def _describe_published(rows: Sequence[published.Row]) -> list[str]:
    """Describe published numbers, of many the first."""
    lines = [published.describe(row) for row in rows[:_MAX_KNOWN]]
    if rows and (family := published.family(rows[0])):
        lines.insert(1, f"It is {family['compares']}.")
    more = len(rows) - _MAX_KNOWN
    return [*lines, f"and {more:,} more: --json has them"] if more > 0 else lines


def _doubt(matches: Sequence[Match], printed: Sequence[published.Row]) -> str:
    """Say if a published number was computed differently from all that match; else ""."""
    formulas = {published.read_formula(row) for row in printed}
    explained = [str(replace(x, run=None)) for m in matches for x in (m.configuration, *m.also)]
    if not printed or not explained or not formulas.isdisjoint(explained):
        return ""
    return (
        "The published number above was computed differently: if yours is the same, it is of other "
        "outputs, such as all runs of a system."
    )


def _print_rest(result: Explanation, commands: Sequence[str]) -> None:
    """Print what stands below the matches, which are printed already."""
    from textsimp.scoring import explanation

    more = len(result.matches) - explanation.MAX_MATCHES
    if more > 0:
        click.echo(f"and {more:,} more, less likely: --json has them")
    if not result.matches:
        printing.print_sentence(f"{result}{':' if result.nearest else '.'}")
        if result.nearest:
            click.echo()
            printing.print_table(replace(result.grid(), notes=[]))
        return
    click.echo()
    printing.print_sentence(f"{result}.")
    click.echo()
    first = result.matches[0]
    printing.print_line(first.signature, commands[0])
    if first.also:
        labels = "; ".join(map(str, first.also[:_MAX_OTHERS]))
        others = len(first.also) - _MAX_OTHERS
        labels += f"; and {others:,} more" if others > 0 else ""
        printing.print_sentence(f"The same score: {labels}")
