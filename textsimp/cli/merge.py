"""``textsimp merge``."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import click

from textsimp.cli.data_arguments import DataCommand
from textsimp.cli.functions import FILE
from textsimp.cli.options import form_options, sampling_options
from textsimp.cli.score import BASELINE, SHOWN


@click.command(cls=DataCommand)
@click.argument("files", nargs=-1, type=FILE)
@BASELINE
@sampling_options
@form_options
@SHOWN
def merge(
    files: Sequence[str],
    form: str,
    everything: bool,
    no_intervals: bool,
    baseline: Sequence[str],
    sampling: dict[str, Any],
) -> None:
    """Merge statistics of a corpus that was scored in pieces, and print its scores.

    `textsimp score --save-statistics` writes FILES, each of different examples, or of different
    systems or metrics of the same examples. Scores, intervals and tests are those of one run on
    everything, to the last bit.

    \b
    Two pieces of a corpus:
      textsimp score -s 0/source.txt -p ours=0/output.txt -r 0/reference.txt \\
          --save-statistics 0.parquet
      textsimp score -s 1/source.txt -p ours=1/output.txt -r 1/reference.txt \\
          --save-statistics 1.parquet --first-row 50000
      textsimp merge 0.parquet 1.parquet
    """
    from textsimp.cli import score_report, score_tables
    from textsimp.core import provenance, statistics
    from textsimp.metrics import catalogue
    from textsimp.scoring.baselines import check_baselines
    from textsimp.scoring.comparison import check_alike

    merged = statistics.merge(files, catalogue.metric)
    check_alike(merged)
    check_baselines(baseline or None, score_report.first_of(merged).groups, "--baseline")
    warnings = [statistics.missing(merged)]
    report = score_report.make_report(
        merged, baseline, sampling, shorten=form == "text", warnings=warnings
    )
    given = {"statistics": files}
    report = replace(report, provenance=provenance.describe(None, given, sampling))
    score_tables.print_scores(form, report, no_intervals=no_intervals, everything=everything)
