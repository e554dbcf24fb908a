"""Print results: tables for people, JSON and CSV for programs."""

import json
import re
import shutil
import sys
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import click

from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.support.errors import one_line
from textsimp.support.progress import note
from textsimp.support.version import __version__

__all__ = [
    "print_json",
    "print_line",
    "print_list",
    "print_result",
    "print_sentence",
    "print_table",
    "print_tables",
]

_UNBROKEN = re.compile(r"\[[^\]]*\]|p [<=>≤]+ [\d.]+|[\d.]+ %")


def print_json(result: Mapping[str, Any] | Sequence[Any]) -> None:
    """Print a result as JSON, with ``format`` and ``version``; a list is under ``rows``.

    Infinite numbers, which JSON lacks, become null.
    """
    keys = result if isinstance(result, Mapping) else {"rows": result}
    whole = tables.finite({"format": 1, "version": __version__, **keys})
    text = json.dumps(whole, indent=1, ensure_ascii=False)
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        text = json.dumps(whole, indent=1)
    click.echo(text)


def print_csv(records: Sequence[Mapping[str, Any]]) -> None:
    """Print records as CSV, with the columns of the first; terminal codes become escapes."""
    click.echo(tables.without_codes(tables.format_csv(records)), nl=False)


def print_result(form: str, result: Tabular, *, intervals: bool = True, **more: Any) -> None:
    """Print a result in a form of `options.form_options`.

    JSON has what its `to_dict` returns, and ``more``. CSV has its `records`.
    """
    if form == "json":
        print_json({**result.to_dict(), **more})
    elif form == "csv":
        print_csv(result.records())
        for text in result.grid().notes:
            note(text)
    elif form == "text":
        print_table(result.grid())
    else:
        write = result.to_latex if form == "latex" else result.to_markdown
        click.echo(write(intervals=intervals), nl=False)


def print_tables(form: str, parts: Mapping[str, Tabular]) -> None:
    """Print tables below their titles; CSV has the title of each row in the column ``table``."""
    if form == "json":
        print_json({title: table.to_dict() for title, table in parts.items()})
        return
    if form == "csv":
        rows = [{"table": title} | row for title, table in parts.items() for row in table.records()]
        empty = dict.fromkeys(chain.from_iterable(rows))
        print_csv([empty | row for row in rows])
        return
    for i, (title, table) in enumerate(parts.items()):
        if i:
            click.echo()
        if form == "text":
            print_sentence(title)
        elif form == "markdown":
            click.echo(f"{title}:\n")
        print_result(form, replace(table.grid(), caption=title))


def print_list(form: str, records: Sequence[Mapping[str, Any]], grid: Grid) -> None:
    """Print what there is, such as test sets: a short table for readers, else all items."""
    if form == "json":
        print_json(records)
    elif form == "text":
        print_table(grid)
    elif form == "latex":
        print_result(form, replace(grid, notes=[]))
    else:
        rows = [[*map(_join, record.values())] for record in records]
        print_result(form, Grid([*records[0]], rows, named=len(records[0])))


def _join(value: Any) -> str:
    if isinstance(value, Mapping):
        value = [f"{name}: {item}" for name, item in value.items()]
    return "" if value is None else ", ".join(value) if isinstance(value, list) else str(value)


def print_table(grid: Grid) -> None:
    """Print a table with its notes below it; on a narrow terminal, in several parts."""
    click.echo(grid.to_text(terminal_width()), nl=False)
    print_sentence(*grid.text_notes)


def terminal_width() -> int:
    """The width of the terminal; piped output stays whole."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize


def print_sentence(*texts: str) -> None:
    """Print sentences, none for "". The end of a line breaks no interval, p-value or percentage."""
    for text in filter(None, texts):
        text = "\u00a0".join(map(one_line, text.split("\u00a0")))
        text = _UNBROKEN.sub(lambda found: found[0].replace(" ", "\u00a0"), text)
        width = terminal_width()
        text = " ".join(
            part if len(part) <= width else _cut(part, width) for part in text.split(" ")
        )
        lines = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
        click.echo("\n".join(lines).replace("\u00a0", " "))


def _cut(signature: str, width: int) -> str:
    """Cut a word into lines after its |, as signatures have them."""
    lines = [""]
    for part in re.findall(r"[^|]*\|?", signature):
        if lines[-1] and len(lines[-1] + part) > width:
            lines.append("")
        lines[-1] += part
    return " ".join(lines)


def print_line(*texts: Any) -> None:
    """Print a line of each text; names in it can't break it."""
    for text in texts:
        click.echo(one_line(str(text)))
