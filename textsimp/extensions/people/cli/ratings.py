"""``textsimp ratings``."""

from collections.abc import Sequence
from typing import Any

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import tables_in
from textsimp.cli.functions import FILE, function_options
from textsimp.cli.options import form_options, sampling_options

SCHEME = function_options("textsimp.extensions.people:read", scheme="--scheme NAME|FILE", into=None)


@click.command
@click.argument("files", type=FILE, nargs=-1, required=True)
@function_options(
    "textsimp.extensions.people:read",
    *("level", "plan"),
    into="reading",
    scheme="--scheme NAME|FILE",
    criteria="--rating COLUMN",
)
@sampling_options
@form_options
def ratings(
    files: Sequence[str],
    reading: dict[str, Any],
    sampling: dict[str, Any],
    form: str,
) -> None:
    """Read files of ratings; print systems' means with tests, and how far raters agree.

    FILES are answers, or tables from elsewhere, with a row per answer and a column rater; or tables
    with a row per output, and a list of all raters' ratings. A folder stands for its .jsonl files,
    or for those of Potato's raters in it.

    Raters who fail controls are named. Leave one out by giving the files of the others.

    \b
    Examples:
      textsimp ratings answers --plan plan.jsonl
      textsimp ratings answers --latex
      textsimp ratings ratings.jsonl --rating rating
    """
    from textsimp.extensions.people import analyse, read

    analysis = analyse(read(tables_in(files), **reading), **sampling)
    if form in ("json", "csv"):
        printing.print_result(form, analysis)
        return
    if form == "text":
        printing.print_sentence(analysis.heading())
        click.echo()
    printing.print_tables(form, analysis.tables())
