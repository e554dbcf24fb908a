"""Rows of CSV and TSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from textsimp.corpora.files import raw_lines
from textsimp.support.errors import InputError

_LONGEST_FIELD = 2**31 - 1  # documents are longer than Python's default
_QUOTED = re.compile(r'"[^"]*(""[^"]*)*"')
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
    lines = chain([first], file)
    rows = _tab_rows([*lines], path) if delimiter == "\t" else _csv_rows(lines, delimiter, path)
    return delimiter, rows


def _csv_rows(lines: Iterable[str], delimiter: str, path: str | Path) -> _Rows:
    # The limit is global. Restoring it would break other threads.
    csv.field_size_limit(_LONGEST_FIELD)
    reader = csv.reader(lines, delimiter=delimiter, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None


def _tab_rows(lines: Sequence[str], path: str | Path) -> _Rows:
    if _is_quoted(lines):
        return _csv_rows(lines, "\t", path)
    return enumerate(map(_split_tabs, lines), 1)


def _split_tabs(line: str) -> list[str]:
    return line.removesuffix("\n").removesuffix("\r").split("\t")


def _is_quoted(lines: Sequence[str]) -> bool:
    """Return whether quotation marks around fields of TSV belong to the format, not to the text.

    They do if each field that begins with one is quoted whole. Quoted fields with tabs or line
    breaks inside are such only if the file has no other quotation marks, and isn't a table without
    them, or has all its fields quoted.
    """
    cells = (cell for line in lines if '"' in line for cell in _split_tabs(line))
    if all(_QUOTED.fullmatch(cell) for cell in cells if cell.startswith('"')):
        return True
    text = "".join(lines)
    rest = _QUOTED_FIELD.sub(r"\1", text)
    if '"' in rest or len(_count_tabs(rest)) > 1:
        return False
    _, _, rows = rest.partition("\n")
    return len(_count_tabs(text)) > 1 or not rows.strip("\t\r\n")


def _count_tabs(text: str) -> set[int]:
    """Return the numbers of tabs that lines have."""
    return {line.count("\t") for line in text.removesuffix("\n").split("\n")}
