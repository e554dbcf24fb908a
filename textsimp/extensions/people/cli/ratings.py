"""``textsimp ratings``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import click

from textsimp.cli import printing
from textsimp.cli.options import FILE, form_options, sampling_options
from textsimp.extensions.people.cli.answer_options import answer_options


@click.command
@click.argument("files", type=FILE, nargs=-1, required=True)
@answer_options()
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

    FILES are answers, after their plan if there is one; or tables from elsewhere, with a row per
    answer and a column rater; or tables with a row per output, and a list of all raters' ratings. A
    folder stands for the tables in it, or for the files of Potato's raters.

    Raters who fail controls, or answer nearly always the same, are named. Leave one out by giving
    the files of the others. With a plan, the table of raters has how far each one is.

    \b
    Examples:
      textsimp ratings plan.jsonl answers
      textsimp ratings answers --latex
      textsimp ratings ratings.csv --rating fluency --rating meaning
    """
    from textsimp.extensions.people import analyse, read, read_plan
    from textsimp.extensions.people.judgements.progress import add_progress
    from textsimp.extensions.people.judgements.studies import is_plan

    if plan is None and len(files) > 1 and files[0].endswith(".jsonl") and is_plan(files[0]):
        plan, *files = files
    study = None if plan is None else read_plan(plan, scheme)
    answers = read(files, scheme, criteria=criteria, level=level, plan=study)
    analysis = analyse(answers, **sampling)
    if form in ("json", "csv"):
        printing.print_result(form, analysis)
        return
    if form == "text":
        printing.print_sentence(analysis.heading())
        click.echo()
    tables = analysis.tables()
    if study is not None:
        tables["Raters"] = add_progress(tables["Raters"], study, answers)
    printing.print_tables(form, tables)
