"""Tables as columns: JSONL, JSON, CSV, TSV and parquet files."""

from __future__ import annotations

import contextlib
import csv
import functools
import io
import json
import re
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from textsimp.core import columns
from textsimp.core.columns import Seen
from textsimp.core.declarations import Column
from textsimp.corpora.files import (
    BLOCK,
    STDIN,
    File,
    Rows,
    as_file,
    decoded,
    lines_of,
    note,
    read_lines,
    shown,
)
from textsimp.support.errors import InputError, nearest

JSONL = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet",)
TABLES = (*JSONL, *DELIMITED, *PARQUET)
FILES = (".txt", *TABLES)

ROWS = 10_000  # of a piece of a file
SIZE = 2**22  # about its characters, if rows are long

Result = TypeVar("Result")

_JSON_SPACE = re.compile(r"[ \t\n\r]*")


@dataclass(frozen=True)
class Table:
    """Columns of a file or dataset, read when they are asked for.

    Attributes:
        where: What the user calls it, for messages.
        names: The columns' names.
        read: Column name → its rows.
        lines: The rows as they stand in a file of text; they may contain line breaks.
        frame: What stands before, between and after them.
        plain: Whether all values are texts, as in CSV.
        first: The number of the first row, if these are some of the rows of a file.
    """

    where: str
    names: list[str]
    read: Callable[[str], list[Any]]
    lines: Sequence[str] = ()
    frame: tuple[str, str, str] = ("", "\n", "\n")
    plain: bool = False
    first: int = 0

    def column(self, name: str) -> list[Any]:
        """The rows of a column.

        Raises:
            InputError: See `check`, and `pieces`.
        """
        self.check(name)
        return self.read(name)

    def check(self, name: str) -> None:
        """Check that there is a column.

        Raises:
            InputError: There is none of this name; the message lists those there are.
        """
        if name not in self.names:
            raise InputError(
                f"{self.where} has no column {name!r}{nearest(name, self.names)}; its columns are "
                f"{', '.join(map(repr, self.names))}"
            )


def is_table(path: str | Path) -> bool:
    """Whether a file's name says that it holds columns rather than lines."""
    return Path(path).suffix.lower() in TABLES


def read_table(path: str | Path | File) -> Table:
    """A JSONL, CSV, TSV or parquet file; ``"-"`` is JSONL from standard input.

    A ``.json`` file holds JSONL or one array of objects.

    Raises:
        InputError: No such file, a folder, another kind of file, or contents that can't be read;
            the message names the file and the line (counted from 1).
    """
    (table,) = pieces(path, None)
    return table


def pieces(path: str | Path | File, rows: int | None = ROWS) -> Iterator[Table]:
    """The rows of such a file in order, as tables of some of them, of the same columns.

    Of an array the text is held in memory while it is read, and so is a file that can't be read
    twice, as a pipe, if it is parquet. Of others no more than a piece is.

    Args:
        path: The file.
        rows: At most so many rows in a table, and few if they are long; all of the file if None.

    Raises:
        InputError: See `read_table`; at the piece in which it is found.
    """
    file = as_file(path)
    suffix = Path(file.path).suffix.lower()
    if str(file.path) == STDIN or suffix in JSONL:
        return _json_array(file, rows) if _is_array(file) else _json_lines(file, rows)
    if suffix in DELIMITED:
        return _delimited(file, DELIMITED[suffix], rows)
    if suffix in PARQUET:
        return _parquet(file, rows)
    raise InputError(f"{file.path}: expected a file whose name ends with {', '.join(TABLES)}")


def read_json_lines(path: str | Path) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of a JSONL file, as they are and parsed.

    Raises:
        InputError: See `read_lines`; also a line that isn't a JSON object.
    """
    lines = read_lines(path)
    return lines, _parsed_lines(lines, path)


def _parsed_lines(lines: Sequence[str], path: str | Path, first: int = 0) -> list[dict[str, Any]]:
    rows = []
    read = json.JSONDecoder().raw_decode  # a third faster than json.loads
    for i, line in enumerate(lines, first + 1):
        try:
            row, end = read(line)
        except (ValueError, RecursionError):
            end = -1
        try:
            if end != len(line):
                row = json.loads(line)
        except (ValueError, RecursionError) as error:
            got = "an empty line" if not line.strip() else f"bad JSON: {error}"
            raise InputError(
                f"{shown(path)}, line {i}: expected a JSON object, got {got}"
            ) from None
        if not isinstance(row, dict):
            raise InputError(
                f"{shown(path)}, line {i}: expected a JSON object, got {type(row).__name__}"
            )
        rows.append(row)
    return rows


def json_column(
    path: str | Path,
    rows: Sequence[Mapping[str, Any]],
    name: str,
    unit: str = "line",
    first: int = 0,
) -> list[Any]:
    """One value of every row.

    Args:
        path: Where they are from.
        rows: As they were parsed.
        name: The key.
        unit: What a row is called.
        first: How many rows come before these.

    Raises:
        InputError: A row that lacks it.
    """
    try:
        return [row[name] for row in rows]
    except KeyError:
        i, row = next((i, row) for i, row in enumerate(rows, first + 1) if name not in row)
        raise InputError(
            f"{shown(path)}, {unit} {i} has no {name!r}; it has {', '.join(map(repr, row))}"
        ) from None


def usual_names(table: Table, column: Column) -> list[str]:
    """The columns of a table that are called as a declared column usually is.

    One, or of texts and labels also several that are numbered: ``reference 1``, ``reference_2``.
    Where there are labels without a number, numbered ones beside them are something else: the share
    of a label, as in a file of scores, or what the majority was made of.
    """
    for name in column.usual:
        if column.kind == "labels" and name in table.names:
            found = [name]
        elif column.kind in ("texts", "labels"):
            found = [n for n in table.names if re.fullmatch(rf"{re.escape(name)}([ _]?\d+)?", n)]
        else:
            found = [name] if name in table.names else []
        if found:
            return found
    return []


def read_column(table: Table, column: Column, names: Sequence[str] = ()) -> Rows | None:
    """A declared column of a table, checked.

    In CSV, lists and structured values are JSON in a cell, unless the column reads texts itself.

    Args:
        table: Where it is.
        column: What is expected.
        names: What it is called there, unless as usual. Several columns of texts or labels become
            one, in which empty cells are none.

    Returns:
        The rows; None if no names were given and there is no column of a usual name.

    Raises:
        InputError: No column of such a name, several where there can be but one, or see
            `textsimp.core.columns.checked`.
    """
    found = find_column(table, column, names)
    if found is None:
        return None
    rows = found.rows(table)
    found.finish()
    return Rows(rows, found.where, "rows")


def find_column(table: Table, column: Column, names: Sequence[str] = ()) -> Found | None:
    """Where a declared column is in a table, which may be the first piece of a longer one.

    Args and errors are those of `read_column`, but for what is wrong with its rows.
    """
    names = names or usual_names(table, column)
    if len(names) > 1 and column.kind not in ("texts", "labels"):
        raise InputError(f"{column.name}: expected one column, got {', '.join(map(repr, names))}")
    for name in names:
        table.check(name)
    return Found(column, {name: _Part() for name in names}, table.where) if names else None


@dataclass
class _Part:
    """What is known of one of the columns that a declared column is made of.

    Attributes:
        seen: Of its rows as they are.
        lists: Whether all were JSON lists of texts so far.
        parsed: Of these lists, and the least and most texts in them.
        sizes: The least and most texts in a list.
        error: What is wrong with the lists.
    """

    seen: Seen = field(default_factory=Seen)
    lists: bool = True
    parsed: Seen = field(default_factory=Seen)
    sizes: tuple[int, ...] = ()
    error: InputError | None = None


@dataclass
class Found:
    """A declared column in a table that may come in pieces.

    Pieces are read in order first, then it is finished. From then on any piece may be read again,
    with what was decided by all rows: whether texts are JSON lists.

    Attributes:
        column: What is declared.
        parts: The table's columns that it is made of: name → what is known of it.
        table: What the user calls the table.
        error: What is wrong with a row, unless it turns out that its lists are texts.
    """

    column: Column
    parts: Mapping[str, _Part]
    table: str
    error: InputError | None = None

    @property
    def where(self) -> str:
        """What the user calls it; of several columns the first."""
        return self._called(next(iter(self.parts)))

    @property
    def turned(self) -> bool:
        """Whether rows that were read first as lists are texts, as later ones tell."""
        return any(part.sizes and not part.lists for part in self.parts.values())

    def rows(self, table: Table, again: bool = False) -> list[Any]:
        """The rows of a piece.

        Raises:
            InputError: See `read_column`.
        """
        found = [self._rows(table, name, part, again) for name, part in self.parts.items()]
        if len(found) == 1:
            return found[0]
        merged = [[value for of_one in row for value in of_one] for row in zip(*found, strict=True)]
        if self.column.kind == "texts":  # one that is shorter than others has empty cells
            merged = [row if all(row) else list(filter(None, row)) for row in merged]
            if [] in merged:
                error = InputError(
                    f"row {table.first + merged.index([])} of {self.table} (counted from 0): "
                    f"expected a text in one of {', '.join(map(repr, self.parts))}, got none"
                )
                if again or not any(part.sizes and part.lists for part in self.parts.values()):
                    raise error
                self.error = self.error or error
        return merged

    def finish(self) -> None:
        """Check what only all rows can tell, and say how they were read.

        Raises:
            InputError: See `read_column`.
        """
        for name, part in self.parts.items():
            where = self._called(name)
            if not (part.sizes and part.lists):
                part.seen.check_not_lists(where)
                continue
            if part.error:
                raise part.error
            part.parsed.check_not_lists(where)
            note_lists(part.sizes, where)
        if self.error and not self.turned:
            raise self.error

    def _rows(self, table: Table, name: str, part: _Part, again: bool) -> list[Any]:
        rows, where = table.column(name), self._called(name)
        seen = Seen(table.first, part.seen.single, again) if again else part.seen
        if self.column.kind == "texts":
            of_lists = seen.single is False or columns.is_sequence(rows[0] if rows else None)
            if len(self.parts) > 1 and not of_lists:
                rows = ["" if row is None else row for row in rows]
            if part.lists and (lists := json_lists(rows)) is not None:
                return self._lists(rows, lists, where, part, seen, again)
            part.lists = False
        elif self.column.kind == "labels":
            found = map(json_list, rows)
            rows = [row if one is None else one for row, one in zip(rows, found, strict=True)]
        elif self.column.kind == "structured" and table.plain and self.column.read is None:
            rows = [_parsed(cell, f"row {i} of {where}") for i, cell in enumerate(rows, seen.rows)]
        return columns.checked(self.column, rows, where, seen)

    def _lists(
        self, rows: list[Any], lists: list[Any], where: str, part: _Part, seen: Seen, again: bool
    ) -> list[Any]:
        """Texts that are JSON lists, as long as no row of the column is anything else."""
        if again:
            return columns.references(lists, where, Seen(seen.rows, again=True))
        columns.references(rows, where, seen)  # what they are if one is
        sizes = [*part.sizes, *map(len, lists)]
        part.sizes = (min(sizes), max(sizes))
        try:
            return columns.references(lists, where, part.parsed)
        except InputError as error:
            part.error = part.error or error
            return lists

    def _called(self, name: str) -> str:
        return f"column {name!r} of {self.table}"


def json_lists(rows: Sequence[Any]) -> list[list[str]] | None:
    """JSON lists of strings, if all texts are."""
    lists: list[list[str]] = []
    for row in rows:
        parsed = json_list(row)
        if parsed is None or not all(isinstance(text, str) for text in parsed):
            return None
        lists.append(parsed)
    return lists


def note_lists(sizes: Sequence[int], where: str) -> None:
    """Say that texts were read as lists of so many texts."""
    least, most = min(sizes), max(sizes)
    count = f"{least}" if least == most else f"{least} to {most}"
    note(f"{where}: read as JSON lists of {count} text{'s' * (most != 1)}")


def json_list(cell: Any) -> list[Any] | None:
    """The list that a text is in JSON, if it is one."""
    if not isinstance(cell, str) or not cell.lstrip().startswith("["):
        return None
    try:
        parsed = json.loads(cell)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed, list) else None


def _parsed(cell: str, where: str) -> Any:
    try:
        return json.loads(cell)
    except (ValueError, RecursionError) as error:
        raise InputError(
            f"{where} (counted from 0): expected JSON, got bad JSON: {error}"
        ) from None


def _is_array(file: File) -> bool:
    """Whether a ``.json`` file holds an array."""
    if Path(file.path).suffix.lower() != ".json":
        return False
    with contextlib.closing(decoded(file)) as blocks:
        for text in blocks:
            at = _skip(text, 0)
            if at < len(text):
                return text[at] == "["
    return False


def _json_lines(file: File, rows: int | None) -> Iterator[Table]:
    where = shown(file.path)
    names: list[str] | None = None
    first = 0
    for lines in lines_of(file, rows):
        found = _parsed_lines(lines, file.path, first)
        names = list(found[0]) if names is None else names
        read = functools.partial(json_column, file.path, found, first=first)
        yield Table(where, names, read, lines, first=first)
        first += len(lines)


def _json_array(file: File, most: int | None) -> Iterator[Table]:
    """The elements of an array, each also as it stands there."""
    path = file.path
    elements, rows = _elements("".join(decoded(file)), path)
    for first in range(0, len(rows), most or len(rows)):
        some = slice(first, first + (most or len(rows)))
        read = functools.partial(json_column, path, rows[some], unit="element", first=first)
        frame = ("[\n", ",\n", "\n]\n")
        yield Table(str(path), list(rows[0]), read, elements[some], frame, first=first)


def _elements(text: str, path: str | Path) -> tuple[list[str], list[dict[str, Any]]]:
    decode = json.JSONDecoder().raw_decode
    elements: list[str] = []
    rows: list[dict[str, Any]] = []
    at = _skip(text, text.index("[") + 1)
    after = text[at : at + 1]
    if after == "]":
        raise InputError(f"{path}: expected a JSON array of at least one object, got an empty one")
    while after != "]":
        try:
            row, end = decode(text, at)
        except (ValueError, RecursionError) as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else error
            at = error.pos if isinstance(error, json.JSONDecodeError) else at
            raise InputError(f"{path}, line {_line(text, at)}: bad JSON: {message}") from None
        if not isinstance(row, dict):
            raise InputError(
                f"{path}, line {_line(text, at)}: expected a JSON object, got {type(row).__name__}"
            )
        elements.append(text[at:end])
        rows.append(row)
        at = _skip(text, end)
        after = text[at : at + 1]
        if after not in (",", "]"):
            raise InputError(f"{path}, line {_line(text, at)}: bad JSON: expected ',' or ']'")
        at = _skip(text, at + 1)
    if at < len(text):
        raise InputError(f"{path}, line {_line(text, at)}: expected nothing after the JSON array")
    return elements, rows


def _skip(text: str, at: int) -> int:
    """Where the next character is that isn't white space."""
    found = _JSON_SPACE.match(text, at)
    return found.end() if found else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _delimited(file: File, delimiter: str, most: int | None) -> Iterator[Table]:
    path = file.path
    taken: list[str] = []  # the lines of a row, which may have several

    def kept() -> Generator[str, None, None]:
        for block in decoded(file):
            for line in io.StringIO(block, newline=""):
                taken.append(line)
                yield line

    def text() -> str:
        """What the reader has taken since the last call, without its line break."""
        row = "".join(taken)
        taken.clear()
        return row.removesuffix("\n").removesuffix("\r")

    def piece() -> tuple[list[list[str]], list[str]]:
        """The next rows, and how they stand there."""
        rows: list[list[str]] = []
        lines: list[str] = []
        size = 0
        for row in reader:
            if len(row) != len(header):
                raise InputError(
                    f"{path}, line {reader.line_num}: expected {len(header)} fields as in the "
                    f"first line, got {len(row)}"
                )
            rows.append(row)
            lines.append(text())
            size += len(lines[-1])
            if most is not None and (len(rows) == most or size > SIZE):
                break
        return rows, lines

    def told(read: Callable[[], Result]) -> Result:
        with _long_fields():  # for no longer than it takes: it is of the process
            try:
                return read()
            except csv.Error as error:
                raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None

    with contextlib.closing(kept()) as given:
        reader = csv.reader(given, delimiter=delimiter, strict=True)
        header: list[str] = told(lambda: next(reader, []))
        ending = "\r\n" if taken and taken[-1].endswith("\r\n") else "\n"
        frame = (text() + ending, ending, ending)
        rows, lines = told(piece)
        if not rows:
            raise InputError(f"{path}: expected a line of column names and at least one more")
        _check_distinct(header, path)
        first = 0
        while rows:
            read = functools.partial(_field, header, rows)
            yield Table(str(path), header, read, lines, frame, plain=True, first=first)
            first += len(rows)
            rows, lines = told(piece)


def _field(header: Sequence[str], rows: Sequence[Sequence[str]], name: str) -> list[str]:
    i = header.index(name)
    return [row[i] for row in rows]


def _check_distinct(names: Sequence[str], path: str | Path) -> None:
    if len(set(names)) < len(names):
        raise InputError(f"{path}: a column name stands twice in {', '.join(map(repr, names))}")


def _parquet(file: File, most: int | None) -> Iterator[Table]:
    where = str(file.path)
    first = 0
    for table in parquet_pieces(file, most):
        yield Table(
            where, list(table.column_names), functools.partial(_values_of, table), first=first
        )
        first += table.num_rows


def _values_of(table: Any, name: str) -> list[Any]:
    return list(table[name].to_pylist())


def read_parquet(path: str | Path | File) -> Any:
    """A parquet file as an Arrow table.

    Raises:
        InputError: No such file, a folder, no parquet, a column name that stands twice, or texts
            that aren't UTF-8.
    """
    (table,) = parquet_pieces(path, None)
    return table


def parquet_pieces(path: str | Path | File, rows: int | None = ROWS) -> Iterator[Any]:
    """The rows of a parquet file in order, as Arrow tables; at least one, which may be empty.

    Args:
        path: The file.
        rows: At most so many rows in a table, and few if they are long; all of the file if None.

    Raises:
        InputError: See `read_parquet`; at the piece in which it is found.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    file = as_file(path)
    source = file.seekable()
    first = 0
    try:
        # By default all of a group of rows would be held.
        with pq.ParquetFile(
            source, pre_buffer=False, buffer_size=0 if rows is None else BLOCK
        ) as found:
            for table in _tables(found, rows):
                _check_distinct(table.column_names, file.path)
                for name in table.column_names:
                    check_utf8(table[name], f"column {name!r} of {file.path}", first)
                yield table
                first += table.num_rows
                file.done = file.size * first // max(1, found.metadata.num_rows)
    except (pa.ArrowException, OSError) as error:
        reason = str(error).splitlines()[0]
        raise InputError(f"{file.path}: not a parquet file: {reason}") from None


def _tables(file: Any, rows: int | None) -> Iterator[Any]:
    import pyarrow as pa

    if rows is None or not file.metadata.num_rows:
        yield file.read()
        return
    groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
    of_row = max(group.total_byte_size // max(1, group.num_rows) for group in groups)
    for batch in file.iter_batches(min(rows, SIZE // max(1, of_row) or 1)):
        # A text that is in many rows may be stored once.
        step = max(1, batch.num_rows * SIZE // max(SIZE, batch.nbytes))
        for start in range(0, batch.num_rows, step):
            yield pa.Table.from_batches([batch.slice(start, step)])


def check_utf8(column: Any, where: str, first: int = 0) -> None:
    """Parquet doesn't check that texts are UTF-8, and would write on what it read."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        for i, value in enumerate(column, first):
            try:
                value.as_py()
            except UnicodeDecodeError as bad:
                got = f"the byte 0x{bad.object[bad.start]:02x}"
                raise InputError(
                    f"row {i} of {where} (counted from 0): expected UTF-8, got {got}"
                ) from None
        raise InputError(f"{where} can't be read: {str(error).splitlines()[0]}") from None


@contextlib.contextmanager
def _long_fields() -> Iterator[None]:
    """Documents are longer than what csv takes for a field by default."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)
