"""``textsimp ratings``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import click

from textsimp.cli import printing
from textsimp.cli.data_arguments import tables_in
from textsimp.cli.options import FILE, documented_options, form_options, sampling_options

READING = "textsimp.extensions.people.judgements.reading:read"


@click.command
@click.argument("files", type=FILE, nargs=-1, required=True)
@documented_options(READING, scheme="--scheme NAME|FILE", criteria="--rating COLUMN")
@sampling_options
@form_options
def ratings(
    files: Sequence[str],
    sampling: dict[str, Any],
    form: str,
    scheme: str | Path | None = None,
    criteria: Sequence[str] | None = None,
    level: Literal["nominal", "ordinal", "interval"] = "interval",
    plan: str | Path | None = None,
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

    answers = read(tables_in(files), scheme, criteria=criteria, level=level, plan=plan)
    analysis = analyse(answers, **sampling)
    if form in ("json", "csv"):
        printing.print_result(form, analysis)
        return
    if form == "text":
        printing.print_sentence(analysis.heading())
        click.echo()
    printing.print_tables(form, analysis.tables())
