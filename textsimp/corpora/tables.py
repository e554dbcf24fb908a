"""Tables as columns: JSONL, JSON, CSV, TSV and parquet files."""

from __future__ import annotations

import contextlib
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp import columns
from textsimp.columns import InputError, nearest
from textsimp.corpora.files import STDIN, Rows, decode, note, read_bytes, read_lines, shown
from textsimp.declarations import Column

JSONL = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet",)
TABLES = (*JSONL, *DELIMITED, *PARQUET)
FILES = (".txt", *TABLES)

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
    """

    where: str
    names: list[str]
    read: Callable[[str], list[Any]]
    lines: Sequence[str] = ()
    frame: tuple[str, str, str] = ("", "\n", "\n")
    plain: bool = False

    def column(self, name: str) -> list[Any]:
        """The rows of a column.

        Raises:
            InputError: There is none of this name; the message lists those there are.
        """
        if name not in self.names:
            raise InputError(
                f"{self.where} has no column {name!r}{nearest(name, self.names)}; its columns are "
                f"{', '.join(map(repr, self.names))}"
            )
        return self.read(name)


def is_table(path: str | Path) -> bool:
    """Whether a file's name says that it holds columns rather than lines."""
    return Path(path).suffix.lower() in TABLES


def read_table(path: str | Path) -> Table:
    """A JSONL, CSV, TSV or parquet file; ``"-"`` is JSONL from standard input.

    A ``.json`` file holds JSONL or one array of objects.

    Raises:
        InputError: No such file, a folder, another kind of file, or contents that can't be read;
            the message names the file and the line (counted from 1).
    """
    suffix = Path(path).suffix.lower()
    if str(path) == STDIN or suffix in JSONL:
        return _json_table(path)
    if suffix in DELIMITED:
        return _delimited_table(path, DELIMITED[suffix])
    if suffix in PARQUET:
        return _parquet_table(path)
    raise InputError(f"{path}: expected a file whose name ends with {', '.join(TABLES)}")


def read_json_lines(path: str | Path) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of a JSONL file, as they are and parsed.

    Raises:
        InputError: See `read_lines`; also a line that isn't a JSON object.
    """
    lines = read_lines(path)
    rows = []
    for i, line in enumerate(lines, 1):
        where = f"{shown(path)}, line {i}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            got = "an empty line" if not line.strip() else f"bad JSON: {error}"
            raise InputError(f"{where}: expected a JSON object, got {got}") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object, got {type(row).__name__}")
        rows.append(row)
    return lines, rows


def json_column(
    path: str | Path, rows: Sequence[Mapping[str, Any]], name: str, unit: str = "line"
) -> list[Any]:
    """One value of every row.

    Raises:
        InputError: A row that lacks it.
    """
    for i, row in enumerate(rows, 1):
        if name not in row:
            raise InputError(
                f"{shown(path)}, {unit} {i} has no {name!r}; it has {', '.join(map(repr, row))}"
            )
    return [row[name] for row in rows]


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
            `textsimp.columns.checked`.
    """
    names = names or usual_names(table, column)
    if len(names) > 1 and column.kind not in ("texts", "labels"):
        raise InputError(f"{column.name}: expected one column, got {', '.join(map(repr, names))}")
    where = [f"column {name!r} of {table.where}" for name in names]
    parts = [
        columns.checked(column, _values(table, name, column, place, len(names) > 1), place)
        for name, place in zip(names, where, strict=True)
    ]
    if not parts:
        return None
    if len(parts) == 1:
        return Rows(parts[0], where[0], "rows")
    merged = [[value for part in row for value in part] for row in zip(*parts, strict=True)]
    if column.kind == "texts":  # one that is shorter than others has empty cells
        merged = [row if all(row) else list(filter(None, row)) for row in merged]
        if [] in merged:
            raise InputError(
                f"row {merged.index([])} of {table.where} (counted from 0): expected a text in one "
                f"of {', '.join(map(repr, names))}, got none"
            )
    return Rows(merged, where[0], "rows")


def _values(table: Table, name: str, column: Column, where: str, several: bool) -> Any:
    """A column as its kind has it, before it is checked."""
    rows = table.column(name)
    if column.kind == "texts":
        if several and any(isinstance(row, str) for row in rows):
            rows = ["" if row is None else row for row in rows]
        return parsed_lists(rows, where)
    if column.kind == "labels":
        lists = map(json_list, rows)
        return [row if found is None else found for row, found in zip(rows, lists, strict=True)]
    if column.kind == "structured" and table.plain and column.read is None:
        return [_parsed(cell, f"row {i} of {where}") for i, cell in enumerate(rows)]
    return rows


def parsed_lists(rows: Sequence[Any], where: str) -> Sequence[Any]:
    """A column of references; if all its texts are JSON lists of strings, parsed, with a note."""
    lists: list[list[str]] = []
    for row in rows:
        parsed = json_list(row)
        if parsed is None or not all(isinstance(text, str) for text in parsed):
            return rows
        lists.append(parsed)
    if lists:
        least, most = min(map(len, lists)), max(map(len, lists))
        count = f"{least}" if least == most else f"{least} to {most}"
        note(f"{where}: read as JSON lists of {count} text{'s' * (most != 1)}")
    return lists


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


def _json_table(path: str | Path) -> Table:
    if Path(path).suffix.lower() == ".json":
        text = decode(read_bytes(path), path)
        if text.startswith("[", _skip(text, 0)):
            return _json_array(text, path)
    lines, rows = read_json_lines(path)
    return Table(shown(path), list(rows[0]), lambda name: json_column(path, rows, name), lines)


def _json_array(text: str, path: str | Path) -> Table:
    """The elements of an array, each also as it stands there."""
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
    return Table(
        str(path),
        list(rows[0]),
        lambda name: json_column(path, rows, name, "element"),
        elements,
        ("[\n", ",\n", "\n]\n"),
    )


def _skip(text: str, at: int) -> int:
    """Where the next character is that isn't white space."""
    found = _JSON_SPACE.match(text, at)
    return found.end() if found else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _delimited_table(path: str | Path, delimiter: str) -> Table:
    read = io.StringIO(decode(read_bytes(path), path), newline="")
    taken: list[str] = []  # the lines of a row, which may have several

    def kept() -> Iterator[str]:
        for line in read:
            taken.append(line)
            yield line

    def text() -> str:
        """What the reader has taken since the last call, without its line break."""
        row = "".join(taken)
        taken.clear()
        return row.removesuffix("\n").removesuffix("\r")

    reader = csv.reader(kept(), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[str] = []
    header: list[str] = []
    ending = "\n"
    with _long_fields():
        try:
            header = next(reader, header)
            if taken and taken[-1].endswith("\r\n"):
                ending = "\r\n"
            first = text()
            for row in reader:
                if len(row) != len(header):
                    raise InputError(
                        f"{path}, line {reader.line_num}: expected {len(header)} fields as in the "
                        f"first line, got {len(row)}"
                    )
                rows.append(row)
                lines.append(text())
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None
    if not rows:
        raise InputError(f"{path}: expected a line of column names and at least one more")
    _check_distinct(header, path)
    place = {name: i for i, name in enumerate(header)}
    return Table(
        str(path),
        header,
        lambda name: [row[i] for i in [place[name]] for row in rows],
        lines,
        (first + ending, ending, ending),
        plain=True,
    )


def _check_distinct(names: Sequence[str], path: str | Path) -> None:
    if len(set(names)) < len(names):
        raise InputError(f"{path}: a column name stands twice in {', '.join(map(repr, names))}")


def _parquet_table(path: str | Path) -> Table:
    table = read_parquet(path)
    return Table(str(path), list(table.column_names), lambda name: list(table[name].to_pylist()))


def read_parquet(path: str | Path) -> Any:
    """A parquet file as an Arrow table.

    Raises:
        InputError: No such file, a folder, no parquet, a column name that stands twice, or texts
            that aren't UTF-8.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = read_bytes(path)
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None
    _check_distinct(table.column_names, path)
    for name in table.column_names:
        check_utf8(table[name], f"column {name!r} of {path}")
    return table


def check_utf8(column: Any, where: str) -> None:
    """Parquet doesn't check that texts are UTF-8, and would write on what it read."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        for i, value in enumerate(column):
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
