"""What the commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import click

from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.files import note
from textsimp.support.errors import one_line


def as_json(result: Any) -> None:
    """Print a result as JSON; infinite numbers, which JSON lacks, become null."""
    text = json.dumps(tables.finite(result), indent=1, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(tables.finite(result), indent=1)
    click.echo(text)


def as_csv(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as CSV, with the columns of the first; terminal codes become escapes."""
    click.echo(tables.without_codes(tables.delimited(records)), nl=False)


def for_paper(form: str, found: Tabular, *, intervals: bool = True) -> str:
    """A table in ``latex`` or ``markdown``."""
    write = found.to_latex if form == "latex" else found.to_markdown
    return write(intervals=intervals)


def in_form(form: str, found: Any, **more: Any) -> None:
    """Print all that was found as one of `options.form_options` other than text.

    Args:
        form: Which.
        found: A table with ``to_dict`` and ``records``.
        **more: What JSON is to hold beside it.
    """
    if form == "json":
        as_json({**found.to_dict(), **more})
    elif form == "csv":
        as_csv(found.records())
        for text in found.grid().notes:
            note(text)
    else:
        click.echo(for_paper(form, found), nl=False)


def grid(found: Grid) -> None:
    """Print a table, and its notes below it; on a narrow terminal, in several parts."""
    # Piped output isn't read on a terminal: there a table stays whole.
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    click.echo(found.to_text(room), nl=False)
    for text in found.notes:
        line(text)


def table(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int = 1) -> None:
    """Print a table without notes, of which some columns on the left are names."""
    grid(Grid(list(header), [list(row) for row in rows], named=left))


def line(text: str) -> None:
    """Print a line, whatever names it quotes."""
    click.echo(one_line(text))
