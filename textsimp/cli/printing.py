"""Print results: tables for people, JSON and CSV for programs."""

from __future__ import annotations

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from typing import Any

import click

from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.corpora.files import note
from textsimp.support.errors import one_line

_UNBROKEN = re.compile(r"\[[^\]]*\]|p [<=>≤]+ [\d.]+|[\d.]+ %")


def print_json(result: Any) -> None:
    """Print a result as JSON; infinite numbers, which JSON lacks, become null."""
    text = json.dumps(tables.finite(result), indent=1, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(tables.finite(result), indent=1)
    click.echo(text)


def print_csv(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as CSV, with the columns of the first; terminal codes become escapes."""
    click.echo(tables.without_codes(tables.format_csv(records)), nl=False)


def format_table(form: str, table: Tabular, *, intervals: bool = True) -> str:
    """Return a table in ``latex`` or ``markdown``."""
    write = table.to_latex if form == "latex" else table.to_markdown
    return write(intervals=intervals)


def print_result(form: str, result: Any, **more: Any) -> None:
    """Print a whole result in a form of `options.form_options`; JSON has further items, too."""
    if form == "json":
        print_json({**result.to_dict(), **more})
    elif form == "csv":
        print_csv(result.records())
        for text in result.grid().notes:
            note(text)
    else:
        click.echo(format_table(form, result), nl=False)


def print_tables(form: str, parts: Mapping[str, Tabular]) -> None:
    """Print tables below their titles, in Markdown, LaTeX or as text."""
    for i, (title, table) in enumerate(parts.items()):
        click.echo("\n" * (i > 0), nl=False)
        if form == "text":
            print_line(title)
            print_table(table.grid())
        else:
            click.echo(f"% {title}" if form == "latex" else f"{title}:\n")
            click.echo(format_table(form, table), nl=False)


def print_table(grid: Grid) -> None:
    """Print a table with its notes below it; on a narrow terminal, in several parts."""
    click.echo(grid.to_text(_width()), nl=False)
    for text in grid.notes:
        print_sentence(text)


def _width() -> int:
    """The width of the terminal; piped output stays whole."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def print_sentence(text: str) -> None:
    """Print a sentence; a terminal's end breaks no interval, p-value or percentage."""
    text = "\u00a0".join(map(one_line, text.split("\u00a0")))
    text = _UNBROKEN.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
    lines = textwrap.wrap(text, _width(), break_long_words=False, break_on_hyphens=False)
    click.echo("\n".join(lines).replace("\u00a0", " "))


def print_line(text: str) -> None:
    """Print a line; names in it can't break it."""
    click.echo(one_line(text))
