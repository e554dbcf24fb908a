"""Subsets in the order in which they are merged: checks, groups of equal rows, cuts.

Rows are numbered over all subsets in this order.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

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

if TYPE_CHECKING:
    from datasets import Dataset

Rows = NDArray[np.int64]

_RANKS = {"test": 0, "validation": 1, "valid": 1, "val": 1, "dev": 1, "train": 3}
MOST_SEED = 2**32 - 1  # that every generator takes
CHANGE = "change_percentage"
"""The column of how much a pair's target differs from its source, 0–100."""


def in_merge_order(names: Mapping[str, Any]) -> list[str]:
    """Sort names of subsets as they are merged: test, validation, others as they stand, train."""
    return sorted(names, key=lambda name: _RANKS.get(name, 2))


def check_subsets(
    data: Any, *columns: str, at_least: int = 2, mergeable: bool = False
) -> dict[str, Any]:
    """Check a ``DatasetDict`` and the columns that are needed; return tables in merge order."""
    enough = f"at least {at_least} subset{'s' * (at_least > 1)}"
    refuse_stream(data)
    if not isinstance(data, Mapping):
        raise InputError(f"expected a DatasetDict of {enough}, got {type(data).__name__}")
    if len(data) < at_least:
        raise InputError(f"expected {enough}, got {len(data)}: {listed(data)}")
    for name, subset in data.items():
        refuse_stream(subset, f"subset {name!r}: ")
        if not is_a(subset, "Dataset", "Table"):
            raise InputError(f"subset {name!r}: expected a Dataset, got {type(subset).__name__}")
        if not len(subset):
            raise InputError(f"subset {name!r} has no rows")
        for column in columns:
            check_column(subset, column, f"subset {name!r}")
    names = in_merge_order(data)
    if mergeable:
        check_types({repr(name): _types(data[name]) for name in names})
    return {name: as_table(data[name]) for name in names}


def equal_rows(rows: Iterable[Any]) -> Rows:
    """Return the number of each row's group: rows that are equal.

    >>> equal_rows(["a", "b", "a"])
    array([0, 1, 0])
    """
    numbers: dict[str, int] = {}
    keys = (row if isinstance(row, str) else repr(row) for row in rows)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys])


def equal_in(subsets: Mapping[str, Any], column: str) -> Rows:
    """Return the number of each row's group: rows that are equal in a column."""
    return equal_rows(row for table in subsets.values() for row in table[column].to_pylist())


def assign_groups(rows: Sequence[Rows], groups: Rows) -> Rows:
    """Return each group's subset: that of its first row, or else the one with most room."""
    position = np.argsort(np.concatenate(rows))
    _, first = np.unique(groups, return_index=True)  # row of each group
    sizes = np.bincount(groups)
    room = [len(part) for part in rows]
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


def shared_groups(rows: Mapping[str, Rows], groups: Rows) -> dict[str, dict[str, int]]:
    """Count each subset's ``sources``, those ``shared`` with another subset, and their ``rows``."""
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


def recut(
    data: Mapping[str, Dataset], rows: Mapping[str, Rows], names: Iterable[str] | None = None
) -> Any:
    """Return new subsets from numbers of merged rows; by default they have the same names."""
    parts = [data[name] for name in in_merge_order(data)]
    if is_a(parts[0], "Table"):
        import pyarrow as pa

        table = pa.concat_tables(parts)
        return {name: table.take(rows[name]) for name in names or data}
    from datasets import DatasetDict, concatenate_datasets

    merged = concatenate_datasets(parts)
    return DatasetDict({name: merged.select(rows[name]) for name in names or data})


def cut(merged: Rows, sizes: Mapping[str, int]) -> dict[str, Rows]:
    """Cut an array of rows into consecutive pieces of these sizes; the last takes what is left."""
    pieces = np.split(merged, np.cumsum(list(sizes.values()))[:-1])
    return dict(zip(sizes, pieces, strict=True))


def _types(data: Any) -> Any:
    if not is_a(data, "Table"):
        return data.features
    return {field.name: str(field.type).replace("large_", "") for field in data.schema}


# Of files ----------------------------------------------------------------------------------------


class Cut(NamedTuple):
    """A corpus of files, cut anew."""

    rows: Mapping[str, Rows]  # of each subset
    figures: Mapping[str, Mapping[str, Any]]  # subset → what the report says of it
    further: Mapping[str, Any]  # what else the report says
    removed: tuple[Rows, Mapping[str, Any]] | None = None  # and columns that are added to them


def corpus_tables(
    corpus: Mapping[str, Table],
    pair: Sequence[str] = (),
    numbers: Sequence[str] = (),
    equal: Sequence[str] = (),
) -> dict[str, Any]:
    """Return columns of a corpus as Arrow tables."""
    import pyarrow as pa

    data: dict[str, Any] = {}
    for name, subset in corpus.items():
        columns = {column: arrow_column(subset, column) for column in (*pair, *equal)}
        columns |= {column: arrow_column(subset, column, numbers=True) for column in numbers}
        data[name] = pa.table(columns)
        if pair:
            check_texts(data[name], pair[0], subset.where)
            check_texts(data[name], pair[1], subset.where, lists=True)
    return data


def source_groups(corpus: Mapping[str, Table], column: str) -> Rows | None:
    """Return the number of each row's group, rows of one source; None without such a column."""
    try:
        return equal_rows(chain.from_iterable(part.column(column) for part in corpus.values()))
    except InputError:
        return None
