"""Subsets in the order in which they are merged: checks, cuts, groups of equal rows.

Rows are numbered over all subsets in this order. A subset is a ``Dataset``, an Arrow table, or the
`Table` of a file.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.corpora.datasets import (
    as_table,
    check_column,
    check_texts,
    check_types,
    is_a,
    refuse_stream,
)
from textsimp.corpora.subsets import arrow_column
from textsimp.corpora.tables import Table
from textsimp.support.errors import InputError, listed

Rows = NDArray[np.int64]
Subset = TypeVar("Subset")

_RANKS = {"test": 0, "validation": 1, "valid": 1, "val": 1, "dev": 1, "train": 3}
MOST_SEED = 2**32 - 1  # that every generator takes
CHANGE = "change_percentage"
"""The column of how much a pair's target differs from its source, 0–100."""


def in_merge_order(subsets: Mapping[str, Subset]) -> dict[str, Subset]:
    """Sort subsets as they are merged: test, validation, others as they stand, train."""
    return {name: subsets[name] for name in sorted(subsets, key=lambda n: _RANKS.get(n, 2))}


def check_subsets(
    data: Any,
    *,
    texts: Sequence[str] = (),
    numbers: Sequence[str] = (),
    equal: Sequence[str] = (),
    at_least: int = 2,
    mergeable: bool = False,
) -> dict[str, Any]:
    """Check subsets and the columns that are needed; return Arrow tables in merge order.

    Args:
        data: Name → subset.
        texts: The columns of sources and of targets, which may be lists; or none.
        numbers: Columns that are texts in CSV, and then become numbers if all can.
        equal: Columns of any kind.
        at_least: Number of subsets.
        mergeable: Whether all subsets must have the same columns.
    """
    enough = f"at least {at_least} subset{'s' * (at_least > 1)}"
    if not isinstance(data, Mapping):
        refuse_stream(data)
        raise InputError(f"expected a DatasetDict of {enough}, got {type(data).__name__}")
    if len(data) < at_least:
        raise InputError(f"expected {enough}, got {len(data)}: {listed(data)}")
    columns = [*texts, *numbers, *equal]
    tables = {}
    for name, subset in data.items():
        if not isinstance(subset, Table):
            tables[name] = _check_dataset(subset, columns, f"subset {name!r}")
        elif columns:
            tables[name] = _read_columns(subset, [*texts, *equal], numbers)
    tables = in_merge_order(tables)
    for name, table in tables.items():
        where = data[name].where if isinstance(data[name], Table) else f"subset {name!r}"
        for column, may_be_lists in zip(texts, (False, True), strict=False):
            check_texts(table, column, where, lists=may_be_lists)
    if mergeable and tables:
        check_types({repr(name): _types(data[name], table) for name, table in tables.items()})
    return tables


def _check_dataset(subset: Any, columns: Sequence[str], where: str) -> Any:
    """Return a ``Dataset`` that has rows and the columns as an Arrow table."""
    if not is_a(subset, "Dataset", "Table"):
        refuse_stream(subset, f"{where}: ")
        raise InputError(f"{where}: expected a Dataset, got {type(subset).__name__}")
    if not len(subset):
        raise InputError(f"{where} has no rows")
    for column in columns:
        check_column(subset, column, where)
    return as_table(subset)


def _read_columns(subset: Table, columns: Sequence[str], numbers: Sequence[str]) -> Any:
    """Return some columns of a file as an Arrow table."""
    import pyarrow as pa

    cells = {column: arrow_column(subset, column) for column in columns}
    return pa.table(cells | {name: arrow_column(subset, name, numbers=True) for name in numbers})


def _types(subset: Any, table: Any) -> Any:
    """Return the type of each column: features of a ``Dataset``, or Arrow types."""
    if is_a(subset, "Dataset"):
        return subset.features
    return {field.name: str(field.type).replace("large_", "") for field in table.schema}


def recut(data: Mapping[str, Any], rows: Mapping[str, Rows], names: Iterable[str]) -> Any:
    """Return the new subsets of these names from numbers of merged rows; of files the numbers."""
    parts = [*in_merge_order(data).values()]
    if isinstance(parts[0], Table):
        return {name: rows[name] for name in names}
    if is_a(parts[0], "Table"):
        import pyarrow as pa

        table = pa.concat_tables(parts)
        return {name: table.take(rows[name]) for name in names}
    from datasets import DatasetDict, concatenate_datasets

    merged = concatenate_datasets(parts)
    return DatasetDict({name: merged.select(rows[name]) for name in names})


def cut(merged: Rows, sizes: Mapping[str, int]) -> dict[str, Rows]:
    """Cut an array of rows into consecutive pieces of these sizes; the last takes what is left."""
    pieces = np.split(merged, np.cumsum(list(sizes.values()))[:-1])
    return dict(zip(sizes, pieces, strict=True))


# Equal rows --------------------------------------------------------------------------------------


def equal_in(subsets: Mapping[str, Any], column: str) -> Rows:
    """Return the number of each row's group: rows of Arrow or files that are equal in a column."""
    numbers: dict[str, int] = {}
    groups = []
    for subset in subsets.values():
        cells = subset.column(column)
        for cell in cells if isinstance(cells, list) else cells.to_pylist():
            key = cell if isinstance(cell, str) else repr(cell)
            groups.append(numbers.setdefault(key, len(numbers)))
    return np.array(groups)


def assign_groups(shuffled: Rows, lengths: Sequence[int], groups: Rows) -> Rows:
    """Return each group's subset: that of its first row, or else the one with most room.

    Subsets of these lengths take the shuffled rows one after the other.
    """
    position = np.argsort(shuffled)
    _, first = np.unique(groups, return_index=True)  # row of each group
    sizes = np.bincount(groups)
    room = [*lengths]
    drawn = np.searchsorted(np.cumsum(room), position[first], side="right")
    for group in np.lexsort((position[first], -sizes)).tolist():
        if room[drawn[group]] < sizes[group]:
            drawn[group] = room.index(max(room))
        room[drawn[group]] -= int(sizes[group])
    return drawn


def check_none_empty(rows: Mapping[str, Rows], groups: Rows, column: str) -> None:
    """Check that no subset is empty after equal rows were kept together."""
    for name, part in rows.items():
        if not len(part):
            sizes = np.bincount(groups)
            raise InputError(
                f"rows with equal {column!r} stay together, which leaves {name!r} without any: "
                f"the largest of {len(sizes):,} groups has {sizes.max():,} rows"
            )


def shared_sources(
    corpus: Mapping[str, Table], rows: Mapping[str, Rows], column: str
) -> dict[str, dict[str, int]] | None:
    """Count the sources of new subsets, given their rows; None if files lack the column.

    Of each subset these are its ``sources``, those ``shared`` with another, and their ``rows``.
    """
    try:
        groups = equal_in(corpus, column)
    except InputError:
        return None
    size = int(groups.max()) + 1
    has = {name: np.bincount(groups[part], minlength=size) > 0 for name, part in rows.items()}
    in_several = np.sum([*has.values()], axis=0) > 1
    return {
        name: {
            "sources": int(has[name].sum()),
            "shared": int((has[name] & in_several).sum()),
            "rows": int(in_several[groups[part]].sum()),
        }
        for name, part in rows.items()
    }
