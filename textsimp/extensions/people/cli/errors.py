"""``textsimp errors merge`` and ``textsimp errors table``."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Literal

import click

from textsimp.cli import printing
from textsimp.cli.options import FILE, FORCE, documented_options, form_options, sampling_options
from textsimp.core import tables
from textsimp.extensions.people.cli.answer_options import READING
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files


@click.group()
def errors() -> None:
    """Read files of information-error labels; merge them, or print tables of them."""


@errors.command()
@click.argument("files", type=FILE, nargs=-1, required=True)
@documented_options(READING, output="-o --output FILE")
@sampling_options
@FORCE
def merge(
    files: Sequence[str],
    force: bool,
    sampling: dict[str, Any],
    output: str | Path,
    plan: str | Path | None = None,
) -> None:
    """Merge raters' answers, and show how far they agree.

    FILES are answers by the scheme information_errors, or folders of them. A row of the output has
    a list of labels for each category, which the metric information_errors reads, and their
    majority. Alpha is Krippendorff's, ordinal, with gibberish as 3. Its interval is over sources.

    \b
    Examples:
      textsimp errors merge answers -o merged.jsonl

    Args:
        output: JSONL: a row for each pair.
    """
    from textsimp.extensions import people
    from textsimp.extensions.people.judgements import error_labels, error_tables

    path = Path(output)
    check_new([path], overwrite=force)
    labels = people.read(files, error_labels.SCHEME, plan=plan)
    rows = error_labels.list_rows(labels)
    if not rows:
        raise InputError("expected answers with labels, got none")
    write_files({path: tables.json_lines(rows).encode()}, overwrite=force)
    printing.print_line(f"{len(rows):,} examples, {', '.join(rows[0]['raters'])}")
    click.echo()
    printing.print_table(error_tables.agreement(labels, **sampling)[1])
    printing.print_line(f"written: {output}")


@errors.command()
@click.argument("files", nargs=-1, required=True, type=FILE)
@documented_options("textsimp.extensions.people.judgements.error_tables:tabulate")
@sampling_options
@form_options
def table(
    files: Sequence[str],
    sampling: dict[str, Any],
    form: str,
    unit: Literal["characters", "tokens"] = "characters",
    plan: str | Path | None = None,
) -> None:
    """Print tables of information errors, from labels.

    FILES are JSONL, JSON, CSV, TSV or parquet tables with the columns insertion, deletion and
    substitution, whose labels are 0, 1, 2, -1 (gibberish) or empty, or lists of annotators' labels.
    Answers by the scheme information_errors, or folders of them, are merged.

    How often each system has each label, with intervals. Where there are several annotators, how
    far they agree. Where all files have the columns source and prediction, how outputs of each
    level differ from their sources.

    \b
    Examples:
      textsimp errors table labels.jsonl
      textsimp errors table annotations
      textsimp errors table labels.csv --unit tokens --latex
    """
    from textsimp.extensions.people.judgements import error_tables

    parts = error_tables.tabulate(files, unit=unit, plan=plan, **sampling)
    if form == "json":
        plain = {name: numbers for name, (_, numbers, _) in parts.items()}
        printing.print_json({**sampling, **dict.fromkeys(error_tables.NAMES), **plain})
    else:
        printing.print_tables(form, {title: grid for title, _, grid in parts.values()})
