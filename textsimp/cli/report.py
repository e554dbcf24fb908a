"""``textsimp report``."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import NO_CHECK, DataCommand, Files, check_command, data_options
from textsimp.cli.options import FORCE, documented_options, sampling_options
from textsimp.cli.score import LANGUAGE, OPTION, choose_metrics, metrics_option
from textsimp.metrics import catalogue
from textsimp.metrics.notation import Choice
from textsimp.support.errors import InputError
from textsimp.support.extensions import load_each
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from textsimp.core.examples import Examples


@click.command(cls=DataCommand)
@data_options
@metrics_option(
    "Metrics that need texts only, or column:COLUMN. The first one with a direction chooses "
    "examples of high and low score. Profiles, as of word_difficulty, are drawn. Default: sari and "
    "bleu, of documents at level aligned; with -O alone sari; without references none."
)
@OPTION
@documented_options(
    "textsimp.report.__init__:html",
    output="-o --output FILE",
    description="--description TEXT",
)
@LANGUAGE
@FORCE
@NO_CHECK
@sampling_options
def report(
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    force: bool,
    no_check: bool,
    sampling: dict[str, Any],
    output: str | Path = "report.html",
    description: str | None = None,
    title: str = "Simplification report",
    examples: int = 10,
    published: bool = False,
    before: str | Path | None = None,
    **extra: Any,
) -> None:
    """Write a report on systems: one HTML file for the browser.

    It has scores with intervals and paired tests, the references and two baselines beside the
    systems, plots of what the systems do, and examples with every edit marked. Without references
    it has the metrics that need none. The file needs no network.

    \b
    Examples:
      textsimp report -s source.txt -p systems -r references
      textsimp report -s source.txt -p systems -r references -o new.html --before report.html
      textsimp report -s source.txt -p systems -o - > report.html
      textsimp report -t asset_test -p ours=output.txt -p theirs=baseline.txt \\
          -o asset.html --title "ASSET, June"

    Args:
        output: The HTML file to write; - is standard output.
        description: What the test set is, for the page's head. Default: its files.
    """
    from textsimp import report as reports
    from textsimp.scoring import soundness

    ratings = _read_ratings(extra)
    path = None if output == "-" else Path(output)
    if path is not None:
        check_new([path], overwrite=force)
    chosen = choose_metrics(metrics or ["sari"], options) if metrics or options else None
    data = _read(files, chosen)
    findings = [] if no_check else soundness.check(data)
    page = reports.html(
        data,
        metrics=chosen,
        ratings=ratings,
        language=language,
        description=_name_files(files) if description is None else description,
        check=False if no_check else findings,
        title=title,
        examples=examples,
        published=published,
        before=before,
        **sampling,
    ).encode()
    problems = soundness.summarize(findings, len(data), check_command(files))
    if problems:
        click.echo(f"Warning: {problems}", err=True)
    if path is None:
        sys.stdout.buffer.write(page)
    else:
        write_files({path: page}, overwrite=force)
        printing.print_line(f"written: {output}")


_OPTIONS = [*load_each("report")]
"""Commands of extensions, whose options `report` has, too."""
report.params += [option for command in _OPTIONS for option in command.params]


def _read_ratings(arguments: Mapping[str, Any]) -> Any:
    """Return the ratings that an extension reads, if its options ask for any."""
    answers = [
        command.callback(**{option.name: arguments[option.name] for option in command.params})
        for command in _OPTIONS
    ]
    ratings = [answer for answer in answers if answer is not None]
    if len(ratings) > 1:
        raise InputError("expected ratings for one extension, got some for several")
    return ratings[0] if ratings else None


def _read(files: Files, chosen: Sequence[Choice] | None) -> "Examples":
    """Read texts, and other columns that the chosen metrics read."""
    from textsimp.cli.data_reading import read_data
    from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
    from textsimp.core.metric import check_columns

    metrics = {} if chosen is None else catalogue.make_metrics(chosen, "-m")
    texts_only = [x for x in metrics.values() if x.name not in catalogue.OF_COLUMNS]
    check_columns(texts_only, "a report")
    readers = {"report": [SOURCES, PREDICTIONS, REFERENCES.optional]}
    readers |= {name: [*metric.columns] for name, metric in metrics.items()}
    return read_data(readers, files, with_runs=True)


def _name_files(files: Files) -> str:
    """Name the test set, or the files of sources and references."""
    names = {"Test set": files.test_set, "Data": files.data, "Sources": files.sources}
    parts = [f"{label}: {Path(name).name}" for label, name in names.items() if name]
    if files.references:
        parts.append(f"References: {', '.join(Path(name).name for name in files.references)}")
    return " · ".join(parts)
