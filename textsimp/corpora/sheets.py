"""Rows of CSV, TSV and Excel files, whose cells are texts."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.corpora.text_files import opened, raw_lines
from textsimp.support.errors import InputError
from textsimp.support.progress import note

SHEET = "ratings"
"""The sheet that is read if an Excel file has it; otherwise the first one is."""

_LONGEST_FIELD = 2**31 - 1  # documents are longer than Python's default
_QUOTED = re.compile(r'"[^"]*(""[^"]*)*"')
_EXCEL_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")  # of a character that XML can't hold
_QUOTED_FIELD = re.compile(rf"(^|\t){_QUOTED.pattern}(?=\t|\r?$)", re.MULTILINE)

_Rows = Iterator[tuple[int, list[str]]]
"""The fields of each row, and the number of its last line."""


def read(path: str | Path, delimiter: str) -> tuple[str, _Rows]:
    """Return the delimiter of a file, and its rows.

    If the first line has no comma, it may be a semicolon or tab instead.
    """
    file = raw_lines(path)
    first = next(file)
    if delimiter == "," and "," not in first:
        delimiter = next((other for other in ";\t" if other in first), ",")
    lines: Iterable[str] = chain([first], file)
    if delimiter == "\t":
        lines = [*lines]
        if not _is_quoted(lines):
            return delimiter, enumerate(map(_split_tabs, lines), 1)
    return delimiter, _csv_rows(lines, delimiter, path)


def _csv_rows(lines: Iterable[str], delimiter: str, path: str | Path) -> _Rows:
    # The limit is global. Restoring it would break other threads.
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None


def _split_tabs(line: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split("\t")


def _is_quoted(lines: Sequence[str]) -> bool:
    """Return whether quotation marks around fields of TSV belong to the format, not to the text.

    They do if each field that begins with one is quoted whole. Quoted fields with tabs or line
    breaks inside count as quoted if the rest is a table without other marks. Besides, all fields
    below the first line must be quoted, or the file must be no table otherwise.
    """
    cells = (cell for line in lines if '"' in line for cell in _split_tabs(line))
    if all(_QUOTED.fullmatch(cell) for cell in cells if cell.startswith('"')):
        return True
    text = "".join(lines)
    rest = _QUOTED_FIELD.sub(r"\1", text)
    _, _, unquoted = rest.partition("\n")
    is_better = not unquoted.strip("\t\r\n") or not _is_table(text)
    return is_better and _is_table(rest) and '"' not in rest


def _is_table(text: str) -> bool:
    """Return whether all lines have the same number of tabs."""
    return len({line.count("\t") for line in text.removesuffix("\n").split("\n")}) == 1


def read_excel(path: str | Path) -> dict[str, list[str]]:
    """Return name → cells of the columns of a sheet."""
    with opened(path) as file:
        try:
            import openpyxl  # type: ignore[import-untyped, unused-ignore]

            book = openpyxl.load_workbook(file, data_only=True)
            first, *others = (sheet.title for sheet in book.worksheets)
            title = SHEET if SHEET in others else first
            cells = [*book[title].rows]
            written = [*openpyxl.load_workbook(file)[title].rows]
        except ImportError:
            raise InputError(f"{path}: Excel files need openpyxl: pip install openpyxl") from None
        except Exception as error:  # of any kind: archives, XML, types
            raise InputError(f"{path}: not an Excel file: {error}") from None
    if others and title != SHEET:
        note(f"{path}: only the sheet {first!r} is read; not {', '.join(map(repr, others))}")
    rows = [
        [_cell_text(*pair, path) for pair in zip(*both, strict=True)]
        for both in zip(cells, written, strict=True)
    ]
    rows = [row for row in rows if any(map(str.strip, row))]
    if len(rows) < 2:
        raise InputError(f"{path}: expected a row of column names and at least one more")
    by_column = [column for column in zip(*rows, strict=True) if any(column)]
    names = [name for name, *_ in by_column]
    check_distinct(names, path)
    return {name: cells for name, *cells in by_column}


def check_distinct(names: Sequence[str], path: str | Path) -> None:
    """Check that no two columns have the same name."""
    if len(set(names)) < len(names):
        raise InputError(f"{path}: a column name stands twice in {', '.join(map(repr, names))}")


def _cell_text(cell: Any, written: Any, path: str | Path) -> str:
    """Return the text of a cell, given its value and what is written in it, such as a formula."""
    got = ""
    if cell.data_type == "e":
        got = f"the error {cell.value}"
    elif written.data_type == "f" and cell.value is None and cell.data_type == "n":
        got = "a formula without its value: open and save the file in Excel or LibreOffice"
    if got:
        raise InputError(f"{path}, cell {cell.coordinate}: expected a text or number, got {got}")
    if isinstance(cell.value, str):
        return _EXCEL_ESCAPE.sub(lambda code: chr(int(code[1], 16)), cell.value)
    whole = isinstance(cell.value, float) and cell.value.is_integer()
    return "" if cell.value is None else str(int(cell.value) if whole else cell.value)
