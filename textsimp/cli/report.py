"""``textsimp report``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from textsimp.cli import show
from textsimp.cli.data import FILE, DataCommand, check_outputs, data_options, read_data
from textsimp.cli.score import OPTION, metrics_option, parse_options
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.core.significance import RESAMPLES
from textsimp.support.files import check_new, write_files


@click.command(cls=DataCommand)
@data_options
@metrics_option(
    "Metrics that texts suffice for. The first one that judges chooses best and worst examples; "
    "profiles, as of word_difficulty, are drawn. Default: sari, or without references none."
)
@OPTION
@click.option(
    "-o",
    "--output",
    type=FILE,
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="The HTML file to write; - is standard output.",
)
@click.option("--force", is_flag=True, help="Overwrite a file that is there already.")
@click.option("--title", default="Simplification report", show_default=True, help="Of the page.")
@click.option("--description", default="", help="What the test set is, for the page's head.")
@click.option("--date", default="", help="For the page's head. Without it none is written.")
@click.option("--examples", type=int, default=10, show_default=True, help="How many of each group.")
@click.option(
    "--confidence",
    type=float,
    default=0.95,
    show_default=True,
    help="Coverage of the bootstrap intervals; tests claim a difference if p < 1 − confidence.",
)
@click.option(
    "--resamples",
    type=int,
    default=RESAMPLES,
    show_default=True,
    help="Resamples of the intervals and of the tests.",
)
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Of them and of sampled examples."
)
def report(
    metrics: Sequence[str],
    options: Sequence[str],
    output: str,
    force: bool,
    title: str,
    description: str,
    date: str,
    examples: int,
    confidence: float,
    resamples: int,
    seed: int,
    **files: Any,
) -> None:
    """Write a report on systems: one HTML file for the browser.

    It has scores with intervals and paired tests, the references and two baselines beside the
    systems, plots of what the systems do, and examples with every edit marked. Without references
    it has what can be said of sources and outputs alone. Labels of information errors, in tables of
    -p or in -d, are shown beside the scores. The file needs no network, and may be put on any web
    page or sent by mail.

    \b
    Examples:
      textsimp report -s source.txt -p systems -r references
      textsimp report -s source.txt -p systems -o - > report.html
      textsimp report -t asset_test -p ours=output.txt -p theirs=baseline.txt \\
          -o asset.html --title "ASSET, June"
    """
    from textsimp import report as reports
    from textsimp.core.metric import check_columns
    from textsimp.metrics.catalogue import make_metrics
    from textsimp.metrics.information_errors import InformationErrors

    labels = [column.optional for column in InformationErrors.columns if column.own]

    path = None if output == "-" else Path(output)
    if path is not None:
        check_new([path], overwrite=force)
        check_outputs([path], **files)
    chosen = parse_options(metrics or ["sari"], options) if metrics or options else None
    readers = {"report": [SOURCES, PREDICTIONS, REFERENCES.optional, *labels]}
    if chosen is not None:
        configuration = make_metrics(chosen, "metrics")
        check_columns(configuration.values(), "a report")
        readers |= {name: [*metric.columns] for name, metric in configuration.items()}
    data = read_data(readers, **files)
    page = reports.html(
        data,
        metrics=chosen,
        title=title,
        description=description,
        date=date,
        examples=examples,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
    ).encode()
    if path is None:
        sys.stdout.buffer.write(page)
    else:
        write_files({path: page}, overwrite=force)
        show.line(f"written: {output}")
