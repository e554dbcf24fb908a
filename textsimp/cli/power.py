"""``textsimp power``."""

from collections.abc import Sequence
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import DataCommand, Files, data_options
from textsimp.cli.options import documented_options, form_options, sampling_options
from textsimp.cli.score import LANGUAGE, METRICS, OPTION, choose_metrics
from textsimp.core.declarations import SOURCES
from textsimp.metrics import catalogue


@click.command(cls=DataCommand)
@METRICS
@OPTION
@LANGUAGE
@data_options
@documented_options("textsimp.scoring.power:power")
@sampling_options
@form_options
def power(
    files: Files,
    metrics: Sequence[str],
    options: Sequence[str],
    language: str | None,
    sampling: dict[str, Any],
    form: str,
    examples: int | None = None,
    difference: float | None = None,
    baseline: str | None = None,
) -> None:
    """Say which difference between systems a test set can detect.

    The paired test finds it in 80 % of tries. A single system is compared with its sources,
    unchanged; several are compared with the baseline.

    \b
    Before there is a second system:
      textsimp power -s source.txt -p systems/splitter.txt -r references
    What 500 sentences would detect, and how many it takes for 1 SARI:
      textsimp power -s source.txt -p systems -r references --examples 500 --difference 1
    """
    from textsimp.cli.data_reading import read_data
    from textsimp.scoring.power import power as measure

    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    readers = {name: metric.columns for name, metric in scorers.items()}
    data = read_data({**readers, "power": (SOURCES.optional,)}, files)
    detectable = measure(
        data,
        metrics=[*scorers.values()],
        examples=examples,
        difference=difference,
        baseline=baseline,
        **sampling,
    )
    printing.print_result(form, detectable)
