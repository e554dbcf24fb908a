"""What the commands print: tables for people, JSON for programs."""

from __future__ import annotations

import json
import shutil
import sys
import unicodedata
from collections.abc import Mapping, Sequence
from itertools import chain
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
    """Print a table, and its notes below it."""
    table(found.header, found.rows, left=found.named)
    for text in found.notes:
        line(text)


def line(text: str) -> None:
    """Print a line, whatever names it quotes."""
    click.echo(one_line(text))


def table(header: Sequence[str], *rows: Sequence[Sequence[str]], left: int = 1) -> None:
    """Print a table; on a narrow terminal, in several parts.

    Args:
        header: Titles of the columns.
        rows: Their cells. Where the table is too wide, each group of rows makes one of its own,
            without the columns in which it has nothing.
        left: Columns that are aligned to the left and repeated in every part.
    """
    lines = [[one_line(cell) for cell in line] for line in chain([header], *rows)]
    widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
    parts = _fitting(widths, left)
    if len(parts) > 1 and len(rows) > 1:
        for i, group in enumerate(rows):
            click.echo("\n" * (i > 0), nl=False)
            full = [j for j in range(len(header)) if j < left or any(line[j] for line in group)]
            table([header[j] for j in full], [[line[j] for j in full] for line in group], left=left)
        return
    for columns in parts:
        for line in lines:
            cells = []
            for i in columns:
                space = " " * (widths[i] - _width(line[i]))
                cells.append(line[i] + space if i < left else space + line[i])
            click.echo("  ".join(cells).rstrip())
        if columns[-1] < len(widths) - 1:
            click.echo()


def _width(text: str) -> int:
    """Columns of a terminal that a text takes: two for a Chinese sign, none for an accent."""
    shown = [c for c in text if unicodedata.category(c) not in ("Mn", "Me")]
    return len(shown) + sum(unicodedata.east_asian_width(c) in "WF" for c in shown)


def _fitting(widths: Sequence[int], left: int) -> list[list[int]]:
    """Columns of each part of a table."""
    # Piped output isn't read on a terminal: there a table stays whole.
    room = shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    fixed = list(range(left))
    used = at_first = sum(widths[i] + 2 for i in fixed) - 2
    parts = [list(fixed)]
    for i in range(left, len(widths)):
        if used + 2 + widths[i] > room and len(parts[-1]) > left:
            parts.append(list(fixed))
            used = at_first
        parts[-1].append(i)
        used += 2 + widths[i]
    return parts
