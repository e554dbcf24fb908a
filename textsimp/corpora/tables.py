"""Tables as columns: JSONL, JSON, CSV, TSV, parquet and Excel files."""

import contextlib
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.columns import bad_row
from textsimp.core.declarations import Column
from textsimp.core.tables import unescaped
from textsimp.corpora import row_ids, sheets
from textsimp.corpora.sheets import SHEET as SHEET
from textsimp.corpora.text_files import (
    DELIMITED,
    EXCEL,
    JSONL,
    PARQUET,
    STDIN,
    TABLES,
    Rows,
    check_encoding,
    is_table,
    is_url,
    opened,
    raw_lines,
    shown,
    without_empty,
    without_null,
)
from textsimp.support.errors import InputError, NoColumn, RowError, listed, rows_after
from textsimp.support.parsing import parse_json
from textsimp.support.progress import note

__all__ = [
    "DELIMITED",
    "SHEET",
    "Table",
    "is_table",
    "json_list",
    "of_objects",
    "parse_lines",
    "read_column",
    "read_json",
    "read_table",
]


_JSON_SPACE = " \t\n\r"
_BUFFER = 2**22  # bytes of parquet
_BLOCK = 10_000  # objects of JSON


ABSENT: Any = object()
"""The cell of a JSON object that lacks a key."""


@dataclass(frozen=True)
class Table:
    """Columns of a file or dataset."""

    where: str  # the name of the file or dataset in messages
    names: list[str]
    read: Callable[[str], Any]  # column name → its rows, a list or an Arrow array
    form: str = ""  # jsonl, json (an array), csv, tsv, parquet or text; "" of a dataset
    cells: Mapping[str, list[Any]] = field(default_factory=dict)  # as they were written
    delimiter: str = ""  # of the values of a line of CSV, which are texts
    arrow: Any = None  # all rows, where they were read from parquet or a dataset at once
    endings: tuple[str, ...] = ()  # of a pair of text files, after the name
    lists: dict[str, bool] = field(default_factory=dict)  # column → whether it is JSON lists
    first: int = 0  # the number of its first row in the file, of a batch
    system: str = ""  # the model of a log
    unordered: bool = False  # whether only ids say which rows belong together
    unit: str = ""  # what messages call a row whose object may lack keys: line, element or row

    def __len__(self) -> int:
        """Return the number of rows of a table that was read at once."""
        return len(next(iter(self.cells.values()), ()) if self.arrow is None else self.arrow)

    @property
    def every(self) -> list[str]:
        """The names of all columns, also those that JSON's first row lacks."""
        return [*dict.fromkeys([*self.names, *self.cells])]

    def column(self, name: str) -> list[Any]:
        """Return the rows of a column."""
        if name not in self.names and name not in self.cells:
            raise self.without(name)
        rows = self.read(name)
        if self.unit and ABSENT in rows:
            i = rows.index(ABSENT)
            keys = listed(key for key, cells in self.cells.items() if cells[i] is not ABSENT)
            row = f"{self.where}, {self.unit} {self.first + i + 1}"
            raise InputError(f"{row} has no {name!r}; it has {keys}")
        return rows if isinstance(rows, list) else columns.plain_list(rows)

    def rows(self, names: Iterable[str]) -> list[dict[str, Any]]:
        """Return some columns as rows: name → cell."""
        columns = {name: self.column(name) for name in names}
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]

    def sparse(self, name: str) -> list[Any] | None:
        """Return the rows of a column, None where a JSON object lacks it; None without it."""
        if self.form in ("jsonl", "json") and name in self.cells:
            return [None if cell is ABSENT else cell for cell in self.cells[name]]
        return self.column(name) if name in self.names else None

    def texts(self, name: str) -> list[str]:
        """Return a column of texts; messages count rows from 1."""
        return columns.texts(self.column(name), f"column {name!r} of {self.where}", first=1)

    def ids(self, names: Sequence[str]) -> list[tuple[str, ...]]:
        """Return the ids of each row, texts or whole numbers; messages count rows from 1."""
        where = f"of {self.where}"
        with rows_after(self.first):
            parts = [row_ids.as_texts(self.column(n), f"column {n!r} {where}", 1) for n in names]
        return [*zip(*parts, strict=True)]

    def without(self, name: str, advice: str = "", code: str = "") -> InputError:
        """Return the error for a missing column; the message lists all columns."""
        row = f" in row {self.first} (counted from 0)" if self.first else ""
        return NoColumn(self.where, name, self.names, f"{row}{advice}", code)


def read_table(path: str | Path, *, whole: bool = False) -> Table:
    """Read a table once; ``"-"`` is JSONL. Columns of parquet are read when needed, or ``whole``.

    A ``.json`` file holds JSONL or one array of objects. A ``.csv`` file without a comma in its
    first line may have semicolons or tabs.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".json":
        return _read_json(path)
    if str(path) == STDIN or suffix in JSONL:
        return of_objects(parse_lines(path, raw_lines(path)), shown(path), "line", "jsonl")
    if suffix in DELIMITED:
        return next(_read_delimited(path, suffix[1:]))
    if suffix in PARQUET:
        return arrow_table(str(path), read_parquet(path)) if whole else _read_parquet_columns(path)
    if suffix in EXCEL:
        texts = sheets.read_excel(path)
        return Table(str(path), [*texts], texts.__getitem__, "csv", texts, ",")
    check_encoding(path)
    raise InputError(f"{path}: expected a file whose name ends with {', '.join(TABLES)}")


def usual_names(table: Table, column: Column) -> list[str]:
    """Return the columns with the usual name of a declared column; texts may be in numbered ones.

    Beside labels without a number, numbered columns are ignored: a file of scores has shares.
    """
    for name in column.usual_names:
        alone = column.kind == "labels" and name in table.names
        numbers = r"([ _]?\d+)?" if column.kind in ("texts", "labels") and not alone else ""
        names = [n for n in table.every if re.fullmatch(re.escape(name) + numbers, n)]
        if names:
            return names
    return []


def read_column(
    table: Table, column: Column, names: Sequence[str] = (), *, say: Callable[[str], None] = note
) -> Rows | None:
    """Read and check a declared column, by its usual name unless others are given; None if none is.

    Several columns of texts or labels become one. In CSV, lists and structured values are JSON.
    Empty texts beside others of their row, as in rows that are padded, are left out.
    """
    names = names or usual_names(table, column)
    if not names:
        return None
    if len(names) > 1 and column.kind not in ("texts", "labels"):
        raise InputError(f"{column.name}: expected one column, got {', '.join(map(repr, names))}")
    where = f"column {names[0]!r} of {table.where}"
    with rows_after(table.first):
        parts = [read_part(table, column, name, several=len(names) > 1) for name in names]
    rows = parts[0]
    if len(parts) > 1:
        rows = [[value for part in row for value in part] for row in zip(*parts, strict=True)]
    if column.kind != "texts":
        return Rows(rows, where, "rows", table.first)
    if column.items:
        return Rows([[text for text in row if text] for row in rows], where, "rows", table.first)
    for i, row in enumerate(rows):
        if len(row) > 1 and not any(map(str.strip, row)):
            where = f"columns {listed(names)} of {table.where}"
            raise bad_row(table.first + i, where, "a text", row)
    return without_empty(Rows(rows, where, "rows", table.first), say)


def read_part(table: Table, column: Column, name: str, several: bool = False) -> list[Any]:
    """Read and check one of the columns that make up a declared column."""
    rows, where = table.column(name), f"column {name!r} of {table.where}"
    if column.kind == "texts":
        lists = json_lists(rows)
        if table.lists.setdefault(name, bool(lists)) != bool(lists):  # in batches before
            raise InputError(f"{where}: expected JSON lists in all rows or in none, got some")
        rows = without_null(lists or rows)
        if several and not columns.is_sequence(rows[0] if rows else None):
            rows = ["" if row is None else row for row in rows]
    elif column.kind in ("labels", "ratings"):
        parsed = map(json_list, rows)
        rows = [row if list_ is None else list_ for row, list_ in zip(rows, parsed, strict=True)]
    elif column.kind == "structured" and table.delimiter and column.read is None:
        rows = [_parse_cell(i, cell, where) for i, cell in enumerate(rows)]
    return columns.check_column(column, rows, where)


def json_lists(rows: Sequence[Any]) -> list[list[str | None]] | None:
    """Parse a column of which all texts are JSON lists of strings; otherwise return None."""
    lists: list[list[str | None]] = []
    for row in rows:
        parsed = json_list(row)
        if parsed is None or not all(isinstance(text, (str, type(None))) for text in parsed):
            return None
        lists.append(parsed)
    return lists


def json_list(cell: Any) -> list[Any] | None:
    """Parse a text that is a JSON list; otherwise return None."""
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        parsed = parse_json(cell)
    except ValueError:
        return None
    return parsed if isinstance(parsed, list) else None


def _parse_cell(i: int, cell: str, where: str) -> Any:
    try:
        return parse_json(cell)
    except ValueError as error:
        raise RowError(i, where, f"expected JSON, got bad JSON: {error}") from None


def parse_lines(path: str | Path, lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSONL."""
    for i, line in enumerate(lines, 1):
        try:
            row = parse_json(line)
            got = "" if isinstance(row, dict) else type(row).__name__
        except ValueError as error:
            got = f"bad JSON: {error}" if line.strip() else "an empty line"
        if got:
            raise InputError(f"{shown(path)}, line {i}: expected a JSON object, got {got}")
        yield row


def of_objects(
    rows: Iterable[Mapping[str, Any]], where: str, unit: str, form: str, first: int = 0
) -> Table:
    """Return a table of JSON objects, which has the keys of the first as columns.

    Messages call a row by its ``unit`` and number, of which ``first`` were before.
    """
    cells: dict[str, list[Any]] = {}
    names: list[str] = []
    rows, n = iter(rows), 0
    while block := [*islice(rows, _BLOCK)]:
        names = names or [*block[0]]
        for name in dict.fromkeys(chain.from_iterable(block)):
            cells.setdefault(name, [ABSENT] * n)
        for name, column in cells.items():
            column += [row.get(name, ABSENT) for row in block]
        n += len(block)
    return Table(where, names, cells.__getitem__, form, cells, first=first, unit=unit)


def _read_json(path: str | Path) -> Table:
    """Read a file with an array or JSONL."""
    rows = read_json(path)
    if isinstance(rows, dict) and not _is_row(rows):
        raise InputError(
            f"{path}: expected JSONL or an array of objects, a row each, got one object, with "
            f"{listed(islice(rows, 5))}: write its rows as an array, with pandas by "
            "to_json(path, orient='records')"
        )
    if not isinstance(rows, list):
        return of_objects(parse_lines(path, raw_lines(path)), str(path), "line", "jsonl")
    if not rows:
        raise InputError(f"{path}: expected a JSON array of at least one object, got an empty one")
    for i, row in enumerate(rows, 1):
        if not isinstance(row, dict):
            got = type(row).__name__
            raise InputError(f"{path}, element {i}: expected a JSON object, got {got}")
    return of_objects(rows, str(path), "element", "json")


def _is_row(value: Mapping[str, Any]) -> bool:
    """Return whether an object is a row, not a table with its rows or columns inside."""
    lists = [cell for cell in value.values() if isinstance(cell, list)]
    is_series = "0" in value  # of pandas
    has_objects = any(isinstance(cell, dict) for cell in chain(value.values(), *lists))
    return len(lists) < len(value) and not is_series and not has_objects


def read_json(path: str | Path) -> Any:
    """Return the value of a ``.json`` file, None for JSONL in it and for other files."""
    if Path(path).suffix.lower() != ".json":
        return None
    text = "".join(raw_lines(path))
    try:
        return parse_json(text)
    except json.JSONDecodeError as error:
        if not text.lstrip(_JSON_SPACE).startswith("["):
            return None
        raise InputError(f"{path}, line {error.lineno}: bad JSON: {error.msg}") from None
    except ValueError as error:
        raise InputError(f"{path}: bad JSON: {error}") from None


def read_json_texts(path: str | Path) -> list[Any] | None:
    """Read a ``.json`` file with a list of texts, or of lists of texts; None for another file."""
    rows = read_json(path)
    return rows if isinstance(rows, list) and rows and not isinstance(rows[0], dict) else None


def _read_delimited(path: str | Path, form: str, size: int | None = None) -> Iterator[Table]:
    """Yield the rows of CSV or TSV as tables of at most ``size`` rows each."""
    delimiter, rows = sheets.read(path, DELIMITED[f".{form}"])
    _, first = next(rows)
    header = [*map(unescaped, first)]
    sheets.check_distinct(header, path)
    number_of_rows = 0
    while True:
        cells: dict[str, list[str]] = {name: [] for name in header}
        columns = [*cells.values()]
        for number, row in islice(rows, size):
            if len(row) != len(header):
                raise InputError(
                    f"{path}, line {number}: expected {len(header)} fields as in the first line, "
                    f"got {len(row)}"
                )
            for column, value in zip(columns, row, strict=True):
                column.append(value)
        if not any(columns):
            break
        read = _unescaping(cells)
        yield Table(str(path), header, read, form, cells, delimiter, first=number_of_rows)
        number_of_rows += len(columns[0])
    if not number_of_rows and size is None:
        raise InputError(f"{path}: expected a line of column names and at least one more")


def _unescaping(cells: Mapping[str, list[str]]) -> Callable[[str], list[str]]:
    return lambda name: [*map(unescaped, cells[name])]


def read_table_batches(path: str, size: int) -> Iterator[Table]:
    """Yield the rows of a JSONL, CSV, TSV or parquet file as tables of at most ``size`` rows.

    A file of another ending is JSONL, such as those that ``split -l`` writes. TSV is read at once.
    A file without rows has no tables.
    """
    suffix = Path(path).suffix.lower()
    if suffix in DELIMITED:
        is_empty = next(raw_lines(path, may_be_empty=True), None) is None
        yield from () if is_empty else _read_delimited(path, suffix[1:], size)
    elif suffix in PARQUET:
        yield from _read_parquet_batches(path, size)
    else:
        rows, first = parse_lines(path, raw_lines(path, may_be_empty=True)), 0
        while block := [*islice(rows, size)]:
            yield of_objects(block, shown(path), "line", "jsonl", first)
            first += len(block)


def _read_parquet_batches(path: str, size: int) -> Iterator[Table]:
    import pyarrow as pa

    first = 0
    with _opened_parquet(path) as file:
        for batch in file.iter_batches(size):
            check_utf8(batch, path)
            yield replace(arrow_table(path, pa.Table.from_batches([batch])), first=first)
            first += len(batch)


def read_parquet(path: str | Path, names: list[str] | None = None) -> Any:
    """Read a parquet file, or some columns, as an Arrow table; texts in it must be UTF-8."""
    with _opened_parquet(path) as file:
        table = file.read(names)
    check_utf8(table, str(path))
    return table


def check_utf8(data: Any, where: str) -> None:
    """Check that texts of an Arrow table or batch are UTF-8, which reading parquet doesn't."""
    import pyarrow as pa

    for name in data.schema.names:
        try:
            data[name].validate(full=True)
        except pa.ArrowInvalid as error:
            raise InputError(f"column {name!r} of {where}: {str(error).splitlines()[0]}") from None


def arrow_table(where: str, rows: Any) -> Table:
    """Return an Arrow table as a table."""
    return Table(where, rows.column_names, rows.__getitem__, "parquet", arrow=rows)


def _read_parquet_columns(path: str | Path) -> Table:
    with _opened_parquet(path) as file:
        names = file.schema_arrow.names
    return Table(str(path), names, lambda name: read_parquet(path, [name])[name], "parquet")


@contextlib.contextmanager
def _opened_parquet(path: str | Path) -> Iterator[Any]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with opened(path) as remote:  # a missing file has the same message as a missing text file
        try:
            # By default a whole group of rows would be held in memory.
            place = remote if is_url(path) else path
            file = pq.ParquetFile(place, pre_buffer=False, buffer_size=_BUFFER)
            sheets.check_distinct(file.schema_arrow.names, path)
            yield file
        except (pa.ArrowException, OSError) as error:
            reason = str(error).splitlines()[0]
            raise InputError(f"{path}: not a parquet file: {reason}") from None
