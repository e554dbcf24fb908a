"""``textsimp merge``."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import click

from textsimp.cli.data_arguments import DataCommand
from textsimp.cli.options import FILE, documented_options, form_options, sampling_options


@click.command(cls=DataCommand)
@click.argument("files", nargs=-1, type=FILE)
@documented_options(
    "textsimp.scoring.comparison:merge", "textsimp.cli.score:score", everything="--all"
)
@sampling_options
@form_options
def merge(
    files: Sequence[str],
    form: str,
    sampling: dict[str, Any],
    baseline: Sequence[str] = (),
    no_intervals: bool = False,
    everything: bool = False,
    rows: int | None = None,
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

    Args:
        baseline: The system of the files that the others are compared with; up to four, as in
            `textsimp score`. Default: the best of each metric.
    """
    from textsimp.cli import score_report
    from textsimp.core import joined_statistics
    from textsimp.corpora.text_files import is_pattern, shards
    from textsimp.metrics import catalogue
    from textsimp.scoring.systems import check_baselines, check_names

    files = [*chain.from_iterable(shards(f) if is_pattern(f) else [f] for f in files)]
    merged = joined_statistics.merge(files, catalogue.metric)
    systems = [*next(iter(merged.values())).groups]
    check_names(systems)
    check_baselines(baseline, systems, "--baseline")
    options = score_report.ScoreOptions(form, sampling, baseline)
    report = score_report.report_statistics(merged, options, {"statistics": files}, rows)
    score_report.print_scores(form, report, no_intervals=no_intervals, everything=everything)
