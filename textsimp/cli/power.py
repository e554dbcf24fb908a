"""``textsimp power``."""

from __future__ import annotations

import math
from typing import Any

import click

from textsimp.cli.data_arguments import DataCommand, data_options, read_scored, scores_option
from textsimp.cli.options import sampling_options
from textsimp.cli.score import BASELINE, LANGUAGE, METRICS, OPTION, choose_metrics
from textsimp.core import significance, statistics
from textsimp.core.declarations import PREDICTIONS, SOURCES
from textsimp.core.examples import Examples
from textsimp.metrics import catalogue
from textsimp.scoring import comparison, headlines
from textsimp.scoring.comparison import UNCHANGED
from textsimp.support.errors import InputError, check_integer, check_number


@click.command(cls=DataCommand)
@METRICS
@OPTION
@LANGUAGE
@data_options
@scores_option
@click.option("--examples", "planned", type=int, metavar="N", help="What N examples can detect.")
@click.option(
    "--difference",
    "wanted",
    type=float,
    metavar="NUMBER",
    help="How many examples can detect this difference. Choose the smallest that would matter, not "
    "the one that these systems have.",
)
@BASELINE
@sampling_options
def power(
    metrics: Any,
    options: Any,
    language: str | None,
    planned: int | None,
    wanted: float | None,
    baseline: str | None,
    sampling: dict[str, Any],
    **arguments: Any,
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
    if planned is not None:
        check_integer("--examples", planned, significance.FEWEST)
    if wanted is not None:
        check_number("--difference", wanted, 1e-6)
    scorers = catalogue.make_metrics(choose_metrics(metrics, options), "-m", language=language)
    readers = {name: metric.columns for name, metric in scorers.items()}
    examples = read_scored({**readers, "power": (SOURCES.optional,)}, **arguments)
    n, own = len(examples), PREDICTIONS.name
    if len(examples.systems) == 1:
        if examples.sources is None or {*next(iter(examples.systems.values()))} != {own}:
            raise InputError("power needs two systems, or one with sources: -p FILE -p FILE")
        copy, baseline = {UNCHANGED: {own: examples.sources}}, baseline or UNCHANGED
        examples = Examples(examples.shared, {**copy, **examples.systems})
    comparison.check_baseline(baseline, examples.systems, "--baseline")
    if n < significance.FEWEST:
        raise InputError(f"power needs at least {significance.FEWEST} examples, got {n}")
    measured = statistics.measure(scorers, examples)
    tests = {k: comparison.make_comparison(m, baseline, **sampling) for k, m in measured.items()}
    judgements = [one for one in headlines.judge(tests).values() if one.detectable]
    if not judgements:
        raise InputError("power needs outputs that differ, and a metric that says what is better")
    confidence = sampling["confidence"]
    lines = [headlines.describe_detection(judgements, n, confidence)]
    if planned is not None:
        times = (n / planned) ** 0.5
        lines.append(headlines.describe_detection(judgements, planned, confidence, "", times))
    if wanted is not None:
        for judgement in judgements:
            count = math.ceil(n * (judgement.detectable / wanted) ** 2)
            what = f"{wanted:g} {judgement.unit}"
            lines.append(f"It takes {count:,} examples to detect {what} or more.")
    click.echo("\n".join(lines).replace("\u00a0", " "))
