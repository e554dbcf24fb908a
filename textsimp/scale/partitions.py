"""The partitions that workers read: row groups of parquet files, or parts of a DataFrame."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.core import columns, examples
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric
from textsimp.support.errors import InputError, nearest, shown
from textsimp.support.extras import require

Names = Mapping[str, Sequence[str]]  # column that metrics read → the columns that it is made of


@dataclass(frozen=True)
class Selection:
    """The columns of data that metrics read.

    Attributes:
        shared: Columns that all systems share.
        systems: System → its own columns.
    """

    shared: Names
    systems: Mapping[str, Names]

    @property
    def columns(self) -> list[str]:
        """All columns that are read, once each."""
        parts = (self.shared, *self.systems.values())
        return list(dict.fromkeys(n for own in parts for names in own.values() for n in names))

    def read(self, metrics: Mapping[str, Metric], partition: Any, number: int) -> Examples | None:
        """Read and check examples, if there are any.

        Raises:
            InputError: See `textsimp.core.examples.check`; the message names file or partition.
        """
        where, table = f"partition {number}", partition
        if hasattr(partition, "row_groups"):
            where = f"{partition.path}, row group {partition.row_groups[0].id}"
            table = partition.to_table(partition.physical_schema, columns=self.columns)
        if not len(table):
            return None
        rows = {name: columns.plain_list(table[name]) for name in self.columns}
        systems = {system: _merge(own, rows) for system, own in self.systems.items()}
        classes = [type(metric) for metric in metrics.values()]
        try:
            return examples.check(classes, systems, _merge(self.shared, rows))
        except InputError as error:
            raise InputError(f"{where}: {error}") from None


def select(
    declared: Mapping[str, Column], systems: Mapping[str, Any], shared: Mapping[str, Any]
) -> Selection:
    """The selection that a user's names make.

    Raises:
        InputError: The name of a column isn't a string.
    """
    own = {
        s: one if isinstance(one, Mapping) else {"predictions": one} for s, one in systems.items()
    }
    parts = {examples.ONE: shared, **own}
    selected: dict[str, dict[str, list[str]]] = {}
    for system, part in parts.items():
        selected[system] = {}
        for name, written in part.items():
            several = name in declared and declared[name].kind in ("texts", "labels")
            names = written if several and isinstance(written, (list, tuple)) else [written]
            if not names or not all(isinstance(one, str) for one in names):
                called = examples.called(name, system)
                got = shown(written)
                raise InputError(f"{called}: expected the name of a column, got {got}")
            selected[system][name] = [*names]
    return Selection(selected.pop(examples.ONE), selected)


def _merge(names: Names, rows: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    """Columns as metrics read them: several become lists of the values that are there."""
    merged = {}
    for name, parts in names.items():
        merged[name] = rows[parts[0]]
        if len(parts) > 1:
            cells = zip(*(rows[part] for part in parts), strict=True)
            merged[name] = [[v for cell in row for v in _values(cell)] for row in cells]
    return merged


def _values(cell: Any) -> list[Any]:
    values = columns.plain_list(cell) if columns.is_sequence(cell) else [cell]
    return [value for value in values if not columns.is_missing(value)]


def list_partitions(data: Any, names: Sequence[str]) -> list[Any]:
    """The partitions of a Dask DataFrame, or the row groups of parquet files.

    Args:
        data: A DataFrame; or a path, a folder or a pattern, as fsspec takes them, or several.
        names: The columns that are read.

    Raises:
        InputError: No such files, or one without a column.
    """
    if hasattr(data, "to_delayed") and hasattr(data, "columns"):
        _check_columns("data", [*data.columns], names)
        return list(data[names].to_delayed())
    groups: list[Any] = []
    for path in data if isinstance(data, (list, tuple)) else [data]:
        if not isinstance(path, (str, os.PathLike)):
            got = type(path).__name__
            raise InputError(f"data: expected parquet files or a Dask DataFrame, got {got}")
        try:
            for fragment in _list_files(os.fspath(path)):
                _check_columns(fragment.path, fragment.physical_schema.names, names)
                groups += fragment.split_by_row_group()
        except (OSError, ValueError) as error:  # Arrow's are among them
            if isinstance(error, InputError):
                raise
            raise InputError(f"{path}: {str(error).splitlines()[0]}") from None
    return groups


def _list_files(path: str) -> list[Any]:
    """Fragments of a dataset; files are in the order of their names, 2 before 10."""
    from pyarrow import dataset

    system, inside = require("fsspec", extra="scale").core.url_to_fs(path)
    files = [inside]
    if not system.exists(inside):
        files = [file for file in system.glob(inside) if os.path.basename(file)[0] not in "._"]
    fragments = [
        fragment
        for file in files
        for fragment in dataset.dataset(file, format="parquet", filesystem=system).get_fragments()
    ]
    if not fragments:
        raise InputError(f"{path}: no parquet files")
    natural_sort_key = require("dask.utils", extra="scale").natural_sort_key
    return sorted(fragments, key=lambda fragment: natural_sort_key(fragment.path))


def _check_columns(where: str, there: Sequence[str], names: Sequence[str]) -> None:
    for name in names:
        if name not in there:
            raise InputError(
                f"{where} has no column {name!r}{nearest(name, there)}; its columns are "
                f"{', '.join(map(repr, there))}"
            )
