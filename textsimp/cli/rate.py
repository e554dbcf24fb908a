"""``textsimp rate``: studies in which people rate outputs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import FILE, DataCommand, data_options, read_data
from textsimp.cli.options import FORCE
from textsimp.cli.ratings import SCHEME
from textsimp.core import tables
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES
from textsimp.support.files import check_new, write_files


@click.group()
def rate() -> None:
    """Design a study in which people rate outputs."""


@rate.command(cls=DataCommand)
@data_options
@SCHEME
@click.option("--raters", type=int, default=3, show_default=True, help="How many raters there are.")
@click.option(
    "--per-rater",
    type=int,
    metavar="N",
    help="Ratings or comparisons of each rater at most, controls included. Default: all.",
)
@click.option(
    "--per-output",
    type=int,
    metavar="N",
    help="How many raters rate each output, or each comparison. Default: 3, or all if fewer.",
)
@click.option(
    "--controls",
    is_flag=True,
    help="Add a tenth of controls: the source unchanged, a reference, another sentence's output, a "
    "repeated item.",
)
@click.option("--seed", type=int, default=0, show_default=True, help="Of all random choices.")
@click.option(
    "-o",
    "--output",
    type=FILE,
    required=True,
    metavar="FILE",
    help="The plan: JSONL, a screen a row.",
)
@FORCE
def design(
    scheme: str | None,
    raters: int,
    per_rater: int | None,
    per_output: int | None,
    controls: bool,
    seed: int,
    output: str,
    force: bool,
    **files: Any,
) -> None:
    """Plan which rater sees what, in which order.

    Raters don't see systems. Each source's outputs are spread over raters by a Latin square. Equal
    outputs are shown once. What is printed: the number of ratings, the time, and the smallest
    difference that the study can detect.

    \b
    Examples:
      textsimp rate design -s source.txt -p systems --per-rater 40 -o plan.jsonl
      textsimp rate design -s source.txt -p systems -r references --scheme pairwise -o plan.jsonl
    """
    from textsimp import ratings

    path = Path(output)
    check_new([path], overwrite=force)
    data = read_data({"rate design": [SOURCES, PREDICTIONS, REFERENCES.optional]}, **files)
    plan = ratings.design(
        data.sources or [],
        {name: data.predictions(name) for name in data.systems},
        scheme or "likert",
        references=data.references,
        raters=raters,
        per_rater=per_rater,
        per_output=per_output,
        controls=controls,
        seed=seed,
    )
    write_files({path: tables.json_lines(plan.to_dicts()).encode()}, overwrite=force)
    for line in plan.describe():
        printing.print_line(line)
    printing.print_line(f"written: {output}")
