"""Data that workers read themselves: parquet files, and partitions of Dask's collections."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from textsimp.core import columns
from textsimp.core.columns import Seen
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples
from textsimp.support.errors import InputError, nearest, shown
from textsimp.support.extras import require

Names = Mapping[str, tuple[Column, Sequence[str]]]  # name → declared, and the columns it is made of

ROWS = 25_000  # of a part of a file, at least
_PARTS = 4  # of a group of rows, at most: each reads those before it, too
_ROWS_AT_ONCE = 10_000
_BYTES_AT_ONCE = 2**25

_HIDDEN = re.compile(r"(^|/)[._][^/]*$")

AS_THEY_ARE = {"dataframe.convert-string": False}  # Dask would make texts of lists


class Part(Protocol):
    """Rows that a worker reads."""

    def tables(self, names: Sequence[str]) -> Iterator[tuple[Any, str, int]]:
        """Some rows after the other.

        They are a table of pandas or Arrow, or a list of mappings; with them comes what messages
        call what they are from, and the number of the first of them there.
        """


@dataclass(frozen=True)
class Columns:
    """Where examples are among columns.

    Attributes:
        shared: What all systems share.
        systems: System → its own.
    """

    shared: Names
    systems: Mapping[str, Names]

    @property
    def names(self) -> list[str]:
        """All columns that are read, once each."""
        parts = (self.shared, *self.systems.values())
        return list(dict.fromkeys(n for own in parts for _, names in own.values() for n in names))


@dataclass
class Reader:
    """Reads examples of a part, and remembers what only all parts can tell.

    Attributes:
        columns: Where they are.
        again: Whether they were checked before.
        seen: Declared column and the columns that it is made of → what was seen.
    """

    columns: Columns
    again: bool = False
    seen: dict[str, Seen] = field(default_factory=dict)

    def examples(self, part: Part) -> Iterator[Examples]:
        """The examples, checked.

        Raises:
            InputError: See `textsimp.core.columns.checked`; or a row that isn't a mapping with all
                columns.
        """
        for rows, where, first in part.tables(self.columns.names):
            read = {name: _column(rows, name, where, first) for name in self.columns.names}
            yield Examples(
                self._own(self.columns.shared, read, where, first),
                {s: self._own(o, read, where, first) for s, o in self.columns.systems.items()},
            )

    def _own(
        self, named: Names, read: Mapping[str, list[Any]], where: str, first: int
    ) -> dict[str, list[Any]]:
        found = {}
        for name, (column, names) in named.items():
            rows = read[names[0]]
            if len(names) > 1:
                rows = _merged([read[one] for one in names])
            called = f"column {', '.join(map(repr, names))}"
            seen = self.seen.setdefault(f"{name}: {called}", Seen(again=self.again))
            seen.rows = first
            found[name] = columns.checked(column, rows, f"{called} of {where}", seen)
        return found


def join_seen(seen: dict[str, Seen], more: Mapping[str, Seen]) -> None:
    """Add what was seen of another part.

    Raises:
        InputError: See `Seen.joined`.
    """
    for name, other in more.items():
        seen[name] = seen[name].joined(other, name) if name in seen else other


def _column(rows: Any, name: str, where: str, first: int) -> list[Any]:
    if not isinstance(rows, list):
        return columns.plain_list(rows[name])
    for i, row in enumerate(rows, first):
        if not isinstance(row, Mapping) or name not in row:
            got = list(row) if isinstance(row, Mapping) else shown(row)
            raise InputError(
                f"row {i} of {where} (counted from 0): expected a mapping with {name!r}, got {got}"
            )
    return [row[name] for row in rows]


def _merged(read: Sequence[list[Any]]) -> list[Any]:
    """Lists of the values of several columns, those left out that a row doesn't have."""
    return [
        [value for cell in row for value in _listed(cell) if not columns.is_missing(value)]
        for row in zip(*read, strict=True)
    ]


def _listed(cell: Any) -> list[Any]:
    return columns.plain_list(cell) if columns.is_sequence(cell) else [cell]


@dataclass(frozen=True)
class FilePart:
    """Consecutive rows of a parquet file.

    Attributes:
        path: The file, as fsspec opens it.
        groups: The row groups that they are in.
        skip: How many rows of these come before.
        first: The number of the first one in the file.
        rows: How many they are.
    """

    path: str
    groups: Sequence[int]
    skip: int
    first: int
    rows: int

    def tables(self, names: Sequence[str]) -> Iterator[tuple[Any, str, int]]:
        """See `Part`.

        Raises:
            InputError: The file can't be read, or isn't what it was.
        """
        import pyarrow as pa

        with _opened(self.path) as file:
            groups = [file.metadata.row_group(i) for i in self.groups]
            of_row = sum(g.total_byte_size for g in groups) // sum(g.num_rows for g in groups)
            step = max(1, min(_ROWS_AT_ONCE, _BYTES_AT_ONCE // (of_row + 1)))
            start, left = 0, self.rows
            for batch in file.iter_batches(step, row_groups=[*self.groups], columns=[*names]):
                taken = batch.slice(max(0, self.skip - start), left)
                start += batch.num_rows
                if taken.num_rows:
                    table = pa.Table.from_batches([taken])
                    yield table, self.path, self.first + self.rows - left
                    left -= taken.num_rows
                if not left:
                    return


@contextlib.contextmanager
def _opened(path: str) -> Iterator[Any]:
    """A parquet file.

    Raises:
        InputError: It can't be read.
    """
    import fsspec
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        system, inside = fsspec.core.url_to_fs(path)
        with (
            system.open(inside, "rb") as opened,
            pq.ParquetFile(opened, pre_buffer=False, buffer_size=2**20) as file,
        ):
            yield file
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None


def file_parts(data: Any, names: Sequence[str]) -> list[FilePart]:
    """The parts of parquet files.

    Args:
        data: A path, a folder or a pattern such as ``"*.parquet"``, as fsspec takes them, or
            several; files of one are taken by their names, 2 before 10.
        names: The columns that each file must have.

    Raises:
        InputError: No such files, or one without a column.
    """
    found = []
    for path in paths(data):
        with _opened(path) as file:
            check_names(path, file.schema_arrow.names, names)
            sizes = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        ends = np.cumsum(sizes, dtype=np.int64)
        most = max(ROWS, max(sizes, default=0) // _PARTS)
        for first in range(0, sum(sizes), most):
            rows = min(most, sum(sizes) - first)
            groups = np.flatnonzero((ends > first) & (ends - sizes < first + rows)).tolist()
            skip = first - int(ends[groups[0]]) + sizes[groups[0]]
            found.append(FilePart(path, groups, skip, first, rows))
    return found


def frame(data: Any) -> Any:
    """A Dask DataFrame of data of any kind, of files with all columns but an index.

    Raises:
        InputError: See `paths`.
    """
    if is_frame(data):
        return data
    dask = require("dask", extra="scale")
    if is_bag(data):
        with dask.config.set(AS_THEY_ARE):
            return data.to_dataframe()
    files = paths(data)
    with _opened(files[0]) as file:
        none = file.schema_arrow.empty_table()
    names = tuple(none.to_pandas().columns)  # without those of an index that pandas wrote
    parts = file_parts(files, names)
    if not parts:
        raise InputError("data: expected at least one row, got none")
    read = dask.delayed(_table_of)
    tasks = [read(part, names) for part in parts]
    return frame_of(tasks, none.select(names).to_pandas(ignore_metadata=True))


def frame_of(partitions: Sequence[Any], meta: Any) -> Any:
    """A Dask DataFrame of delayed partitions, and an empty one."""
    frames = require("dask.dataframe", extra="scale")
    with require("dask", extra="scale").config.set(AS_THEY_ARE):
        return frames.from_delayed([*partitions], meta=meta, verify_meta=False)


def _table_of(part: FilePart, names: Sequence[str]) -> Any:
    import pyarrow as pa

    tables = (table for table, *_ in part.tables(names))
    return pa.concat_tables(tables).select(names).to_pandas(ignore_metadata=True)


def paths(data: Any) -> list[str]:
    """Files of paths, folders and patterns.

    Raises:
        InputError: There are none.
    """
    fsspec = require("fsspec", extra="scale")
    several = isinstance(data, (list, tuple))
    found: list[str] = []
    for one in data if several else [data]:
        if not isinstance(one, (str, os.PathLike)):
            kinds = "parquet files, a Dask DataFrame or a Bag"
            expected = "paths of parquet files" if several else kinds
            raise InputError(f"data: expected {expected}, got {type(one).__name__}")
        path = os.fspath(one)
        try:
            system, inside = fsspec.core.url_to_fs(path)
        except ValueError as error:
            raise InputError(f"{path}: {error}") from None
        if system.exists(inside):
            of_one = _files(system, inside)
        elif not any(c in inside for c in "*?["):
            raise InputError(f"{path}: no such file")
        else:
            matched = (file for file in system.glob(inside) if not _HIDDEN.search(file))
            of_one = [*{file for one in matched for file in _files(system, one)}]
        if not of_one:
            raise InputError(f"{path}: no parquet files")
        of_one.sort(key=require("dask.utils", extra="scale").natural_sort_key)
        local = isinstance(system, fsspec.get_filesystem_class("file"))
        found += of_one if local else map(system.unstrip_protocol, of_one)
    if not found:
        raise InputError("data: expected parquet files, got none")
    return found


def _files(system: Any, path: str) -> list[str]:
    """A file, or those of a folder but for hidden ones and what is being written."""
    if not system.isdir(path):
        return [path]
    found = (file for file in system.find(path) if file.endswith(".parquet"))
    return [file for file in found if not re.search(r"/[._]", file[len(path) :])]


def check_names(where: str, there: Sequence[str], names: Sequence[str]) -> None:
    """Check that columns are there.

    Raises:
        InputError: One isn't.
    """
    for name in names:
        if name not in there:
            raise InputError(
                f"{where} has no column {name!r}{nearest(name, there)}; its columns are "
                f"{', '.join(map(repr, there))}"
            )


@dataclass(frozen=True)
class Partition:
    """A partition of a collection.

    Attributes:
        rows: Its rows: a pandas table, or mappings.
        number: Its number.
    """

    rows: Any
    number: int

    def tables(self, names: Sequence[str]) -> Iterator[tuple[Any, str, int]]:
        """See `Part`."""
        rows = self.rows if hasattr(self.rows, "iloc") else list(self.rows)
        for first in range(0, len(rows), _ROWS_AT_ONCE):
            at = slice(first, first + _ROWS_AT_ONCE)
            found = rows[at] if isinstance(rows, list) else rows.iloc[at]
            yield found, f"partition {self.number}", first


def is_frame(data: Any) -> bool:
    """Whether it is a Dask DataFrame."""
    return hasattr(data, "to_delayed") and hasattr(data, "columns")


def is_bag(data: Any) -> bool:
    """Whether it is a Dask Bag."""
    return hasattr(data, "to_delayed") and hasattr(data, "to_dataframe")
