"""Rows of CSV and TSV."""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from textsimp.corpora.text_files import raw_lines
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
