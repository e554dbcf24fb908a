"""Format numbers and tables for terminals, pages, notebooks and papers."""

from __future__ import annotations

import csv
import functools
import html
import io
import json
import math
import re
import sys
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, zip_longest
from pathlib import Path
from typing import Any

from textsimp.core import latex
from textsimp.core.cells import (
    Cell,
    attributes,
    count_decimals,
    draw_cell,
    fit_columns,
    number,
    p_value,
)
from textsimp.support.errors import InputError, one_line

__all__ = [
    "Cell",
    "Grid",
    "Tabular",
    "count_decimals",
    "format_csv",
    "json_lines",
    "number",
    "p_value",
    "without_codes",
]

_CODES = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_NARROW = 8  # columns of a terminal that a wrapped column has, at least
_FORMULA = re.compile(r"'*[=+\-@]")  # the beginning of a cell
# Characters that Markdown reads as emphasis, code, a link, a tag, an entity or the end of a cell.
# Inside a word, _ is an ordinary character.
_MARKDOWN = re.compile(
    r"[\\*`~|$]|\](?=[(\[])|(?<!\w)_|_(?!\w)|<(?=[a-z/!?])|&(?=#?\w+;)", re.IGNORECASE
)


def finite(value: Any) -> Any:
    """Replace numbers that JSON lacks, such as NaN, by None."""
    if isinstance(value, dict):
        return {str(name): finite(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [finite(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


class Tabular(ABC):
    """Base class of results that print as a table."""

    @abstractmethod
    def grid(self) -> Grid:
        """Return the table: names in the first columns, numbers in the others."""

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per row, heading → number or text; intervals as ``low`` and ``high``."""
        return self.grid().records()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data that JSON can hold: by default ``rows`` and ``notes``."""
        return {"rows": self.records(), "notes": [*self.grid().notes]}

    def to_pandas(self) -> Any:
        """Return `records` as a ``pandas.DataFrame``, with NaN for what is missing."""
        import pandas as pd  # type: ignore[import-untyped]

        return pd.DataFrame(self.records())

    def __str__(self) -> str:
        """Return the table as text, with its notes below it."""
        grid = self.grid()
        return "\n".join([grid.to_text(), *map(one_line, grid.text_notes)])

    def __repr__(self) -> str:
        return str(self)

    def to_markdown(self, *, intervals: bool = True) -> str:
        """Return the table in Markdown with signatures below it, with or without ``intervals``."""
        grid = self.grid() if intervals else self.grid().bare()
        lines = [
            _piped(escape_markdown(str(text)) for text in grid.header),
            _piped(["---"] * grid.named + ["---:"] * (len(grid.header) - grid.named)),
            *(_piped(map(_markdown_cell, row)) for row in grid.cells[1:]),
            "",
            *([grid.meaning, ""] if len(grid.below) > len(grid.notes) else []),
            *(f"`{note}`" for note in grid.notes),
        ]
        return "\n".join(lines) + "\n"

    def to_latex(self, *, intervals: bool = True) -> str:
        """Return the table in LaTeX, which needs booktabs, likewise with or without ``intervals``.

        Its float is as wide as a column of a paper, or else a page. The caption has all notes.
        """
        return latex.write_table(self.grid() if intervals else self.grid().bare())

    _repr_markdown_ = to_markdown  # for notebooks


@dataclass(frozen=True)
class Grid(Tabular):
    """A table's cells and the notes below it."""

    header: Sequence[Any]  # of texts or `Cell`
    rows: list[list[Any]]  # of names and numbers, as text or `Cell`
    notes: list[str] = field(default_factory=list)  # signatures and remarks, one line each
    meaning: str = ""  # of bold numbers
    legend: str = ""  # of the marks that stand for bold in text
    named: int = 1  # number of columns with names
    joined: Collection[int] = ()  # columns that stay beside the one before them
    id: str = ""  # in a page
    caption: str = ""  # what it is called
    about: str = ""  # the beginning of its caption in a paper
    brackets: str = ""  # what they mean there
    baselines: Collection[str] = ()  # rows that stand behind a rule there

    def grid(self) -> Grid:
        """Return the table itself."""
        return self

    @property
    def cells(self) -> list[list[Cell]]:
        """The header and the rows, with texts as cells, too."""
        lines = (self.header, *self.rows)
        return [[x if isinstance(x, Cell) else Cell(x) for x in line] for line in lines]

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per row, heading → number or text.

        An interval is in ``HEADING low`` and ``HEADING high``, if any row has one.

        >>> Grid(["", "SARI"], [["ours", Cell.of(41.234, [40, 42], 2)]]).records()
        [{'': 'ours', 'SARI': 41.234, 'SARI low': 40, 'SARI high': 42}]
        """
        _, *rows = self.cells
        bounded = [any(cell.bounds for cell in column) for column in zip(*rows, strict=True)]
        records: list[dict[str, Any]] = [{} for _ in rows]
        for record, row in zip(records, rows, strict=True):
            for head, cell, has_bounds in zip(self.header, row, bounded, strict=True):
                record[str(head)] = cell.text if cell.value is None else cell.value
                if has_bounds:
                    record[f"{head} low"], record[f"{head} high"] = cell.bounds or (None, None)
        return records

    def to_text(self, width: int = sys.maxsize) -> str:
        """Return the table as text for a terminal of ``width`` columns, in parts that fit it.

        A part has no empty rows. If a part is too wide, its widest columns are wrapped.
        """
        lines = [[one_line(cell.marked) for cell in row] for row in self.cells]
        widths = [max(map(_width, column)) for column in zip(*lines, strict=True)]
        parts = []
        for columns in fit_columns(widths, self.named, self.joined, width):
            full = [line for line in lines if any(line[j] for j in columns if j >= self.named)]
            shown = full if len(columns) < len(widths) else lines
            cells = [[line[j] for j in columns] for line in shown]
            parts.append(_set_text(cells, sum(j < self.named for j in columns), width))
        return "\n".join(parts)

    def to_html(self, kind: str = "") -> str:
        """Return the table as HTML, for reports and pages.

        ``kind`` are classes of the style sheets: ``sortable`` headings are buttons, ``stacked``
        rows are lists on a phone.
        """
        kinds = kind.split()
        heads, *rows = self.cells
        draw = functools.partial(draw_cell, named=self.named)
        top = [draw(cell, j, "col", sortable="sortable" in kinds) for j, cell in enumerate(heads)]
        body = []
        for cells in rows:
            names = [cell.text for cell in heads] if "stacked" in kinds else [""] * len(cells)
            drawn = [
                draw(cell, j, "row", head=head)
                for j, (cell, head) in enumerate(zip(cells, names, strict=False))
            ]
            body.append(f"<tr{attributes({'class': cells[0].kind})}>{''.join(drawn)}</tr>")
        caption = f"{self.id}-caption"
        label = {"aria-labelledby": caption} if self.id else {"aria-label": kind or "table"}
        title = f'<caption id="{caption}">{html.escape(self.caption)}</caption>'
        table = (
            f"<table{attributes({'id': self.id, 'class': kind})}>"
            f"{title if self.id else ''}<thead><tr>{''.join(top)}</tr></thead>"
            f"<tbody>{''.join(body)}</tbody></table>"
        )
        scroll = {"class": "scroll", "role": "group", **label, "tabindex": "0"}
        return f"<div{attributes(scroll)}>{table}</div>"

    def bare(self) -> Grid:
        """Return the table without intervals."""
        rows = [
            [replace(c, small=[line for line in c.small if line.startswith("±")]) for c in cells]
            for cells in self.cells[1:]
        ]
        return replace(self, rows=rows, brackets="")

    @property
    def text_notes(self) -> list[str]:
        """All notes below the table in terminals."""
        return [*filter(None, [self.legend]), *self.notes]

    @property
    def below(self) -> list[str]:
        """All notes below the table."""
        bold = any(cell.bold for row in self.cells for cell in row)
        return [*([self.meaning] if bold else []), *self.notes]


def format_csv(
    records: Sequence[Mapping[str, Any]], delimiter: str = ",", header: bool = True
) -> str:
    """Format records as CSV or TSV; texts are quoted, lists and mappings JSON, and None is empty.

    Before a text that a spreadsheet would take for a formula stands an apostrophe, see `unescaped`.

    >>> print(format_csv([{"system": "ours", "sari": 41.5, "p": None}]), end="")
    "system","sari","p"
    "ours",41.5,""
    """
    file = io.StringIO()
    writer = csv.writer(
        file, delimiter=delimiter, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC
    )
    if header:
        writer.writerow(map(_csv_cell, records[0]))
    writer.writerows(map(_csv_cell, record.values()) for record in records)
    return file.getvalue()


def _csv_cell(value: Any) -> Any:
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def unescaped(cell: str) -> str:
    """Return the text of a cell of CSV, without the apostrophe of `format_csv`.

    >>> unescaped("'=1"), unescaped("''=1"), unescaped("'tis")
    ('=1', "'=1", "'tis")
    """
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


def json_lines(records: Iterable[Mapping[str, Any]]) -> str:
    """Format records as JSON lines; dates become texts.

    >>> json_lines([{"system": "é"}, {"system": None}])
    '{"system": "é"}\\n{"system": null}\\n'
    """
    return "".join(json.dumps(record, ensure_ascii=False, default=str) + "\n" for record in records)


_FILES: Mapping[str, Callable[..., str]] = {
    ".tsv": functools.partial(format_csv, delimiter="\t"),
    ".csv": format_csv,
    ".jsonl": lambda records, header: json_lines(map(finite, records)),
}


def check_ending(option: str, path: str | Path, endings: Sequence[str] = (*_FILES,)) -> None:
    """Check the ending of a file, by default that `format_records` knows it."""
    if Path(path).suffix.lower() not in endings:
        expected = f"expected a file that ends with {', '.join(endings)}"
        raise InputError(f"{option}: {expected}, got {path}")


def format_records(
    path: str | Path, records: Sequence[Mapping[str, Any]], *, header: bool = True
) -> str:
    """Format records for a file, by its ending; tables with their header."""
    return _FILES[Path(path).suffix.lower()](records, header=header)


def without_codes(text: str) -> str:
    r"""Escape terminal codes in a text, but not tabs and line breaks.

    >>> print(without_codes("\x1b[31mred"))
    \x1b[31mred
    """
    return _CODES.sub(lambda code: one_line(code[0]), text)


def _set_text(lines: Sequence[Sequence[str]], named: int, width: int) -> str:
    """Align cells, wrapped ones and names on the left, numbers on the right.

    >>> print(_set_text([["a", "1", "one two three"], ["b", "20", "four"]], 1, 15))
    a   1  one two
           three
    b  20  four
    <BLANKLINE>
    """
    columns = [*zip(*lines, strict=True)]
    widths = [max(map(_width, column)) for column in columns]
    left = {*range(named)}
    excess = sum(widths) + 2 * len(widths) - 2 - width
    for j in sorted(range(len(widths)), key=widths.__getitem__, reverse=True):
        if excess > 0:
            words = chain.from_iterable(map(_words, columns[j]))
            narrow = max(*map(_width, words), min(widths[j], _NARROW), widths[j] - excess)
            excess -= widths[j] - narrow
            widths[j] = narrow
            left.add(j)
    text = []
    for line in lines:
        wrapped = [_wrap(cell, room) for cell, room in zip(line, widths, strict=True)]
        for cells in zip_longest(*wrapped, fillvalue=""):
            spaces = [" " * (room - _width(x)) for x, room in zip(cells, widths, strict=True)]
            aligned = [
                cell + space if j in left else space + cell
                for j, (cell, space) in enumerate(zip(cells, spaces, strict=True))
            ]
            text.append("  ".join(aligned).rstrip() + "\n")
    return "".join(text)


def _words(text: str) -> list[str]:
    """Split a cell where lines may break, which is in no interval."""
    return re.findall(r"\[[-+−\d.,]+ [-+−\d.,]+\]|\S+", text) or [""]


def _wrap(text: str, room: int) -> list[str]:
    if _width(text) <= room:
        return [text]
    lines = [""]
    for word in _words(text):
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if _width(longer) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _width(text: str) -> int:
    """The columns of a terminal that a text takes: two for a Chinese sign, none for an accent."""
    shown = [c for c in text if unicodedata.category(c) not in ("Mn", "Me")]
    return len(shown) + sum(unicodedata.east_asian_width(c) in "WF" for c in shown)


def _piped(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _markdown_cell(cell: Cell) -> str:
    if not cell.bold:
        return escape_markdown(str(cell))
    rest = escape_markdown(str(cell).removeprefix(cell.text))
    return f"**{escape_markdown(cell.text)}**{rest}"


def escape_markdown(text: str) -> str:
    text = re.sub(r"\s+", " ", text).replace("−", "-")
    return _MARKDOWN.sub(r"\\\g<0>", without_codes(text))
