"""``textsimp figure``: figures for papers."""

import functools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import ExtensibleGroup, printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options
from textsimp.cli.options import FILE, FORCE, Callback, sampling_options
from textsimp.cli.score import LANGUAGE, OPTION, choose_metrics, metrics_option
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.report import figures
from textsimp.report.figures import KINDS, WIDTHS

__all__ = ["draw", "figure_options", "output_options", "save"]


@click.group(cls=ExtensibleGroup, path="figure")
def figure() -> None:
    """Draw figures for papers, with their numbers.

    Files are .pdf, .svg, .png or .html, and beside them .csv.

    \b
    Examples:
      textsimp figure scores -s source.txt -p systems -r references -o scores.pdf
      textsimp figure scores -t asset_test -p systems -m sari,bleu --published -o scores.pdf
      textsimp figure two -s source.txt -p systems -r references -m sari,bleu -o two.svg
      textsimp figure lengths -s source.txt -p systems -r references --width page -o lengths.pdf

    In LaTeX \\includegraphics{scores} needs no width: a figure is as wide as a column or page.
    """


_OUTPUT = click.option(
    "-o",
    "--output",
    type=FILE,
    metavar="FILE",
    required=True,
    help="The file: .pdf, .svg, .png or .html. The numbers are written beside it, as .csv.",
)
_WIDTH = click.option(
    "--width",
    type=click.Choice([*WIDTHS]),
    default="column",
    help="Width of a paper's column, 219 pt, or page, 455 pt.",
)
_METRICS = metrics_option(
    "Metrics or their scores, a panel each, such as sari,sari.keep,bleu; see textsimp metrics.",
    default=[],
)


def output_options(command: Callback) -> Callback:
    """Give a command ``-o``, ``--width`` and ``--force``."""
    return _OUTPUT(_WIDTH(FORCE(command)))


def figure_options(command: Callback) -> Callback:
    """Give a command the options of data, metrics, intervals and output."""
    return _METRICS(OPTION(LANGUAGE(data_options(output_options(sampling_options(command))))))


def draw(
    kind: str,
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    output: str | Path,
    sampling: dict[str, Any],
    *,
    force: bool,
    language: str | None = None,
    **arguments: Any,
) -> None:
    """Read texts, and write a figure and its numbers."""
    from textsimp.cli.data_reading import read_data

    figures.check_paths(output, overwrite=force)
    chosen = choose_metrics(metrics, options) if metrics or options else None
    readers = {"figure": [SOURCES.optional, PREDICTIONS, REFERENCES.optional]}
    if chosen is not None:
        made = [choice.make() for choice in chosen]
        readers |= {str(metric): [*metric.columns] for metric in made}
    if language is not None:
        arguments["language"] = language
    data = read_data(readers, files, with_runs=True)
    chart = figures.figure(kind, data, metrics=chosen, **sampling, **arguments)
    save(chart, output, force=force)


def save(chart: Any, output: str | Path, *, force: bool) -> None:
    """Write a figure and its numbers, and name the files."""
    figures.write(chart, output, overwrite=force)
    printing.print_line(f"written: {output}", f"written: {Path(output).with_suffix('.csv')}")


def _add(kind: str, about: str) -> None:
    """Add the command of a kind of the core."""
    lines = {"short_help": about, "help": f"{about}\n\n{_ABOUT[kind]}"}
    make = figure.command(kind, cls=DataCommand, **lines)
    command = make(figure_options(functools.partial(draw, kind)))
    if kind == "scores":
        command.params.append(
            click.Option(
                ["--published"],
                is_flag=True,
                help="Also the published systems with the nearest scores, on ASSET, TurkCorpus or "
                "WikiSmall.",
            )
        )


_ABOUT = {
    "scores": "The sources, unchanged and truncated, stand below the systems. With several metrics "
    "there is a panel for each; the first one orders the systems.",
    "two": "It needs two metrics, such as -m sari,bleu. Names that have no room are left out; the "
    "numbers have all.",
    "operations": "Words are counted by the metric edit_ops; references are all of them together.",
    "lengths": "Sources are divided by their words into at most five groups of about as many "
    "examples. The four best systems and the sources have names, other systems a thin line.",
    "distributions": "By default compression and similarity to the source. A line marks the "
    "median; the first and the last bar also hold what is beyond. Bars far higher than those of "
    "most systems are cut.",
}
"""Kind → what else its help says."""

for _kind, _line in KINDS.items():
    _add(_kind, _line)
