"""Columns of datasets and Arrow tables, read in batches and checked."""

import copy
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from textsimp.core.columns import references, texts
from textsimp.support.errors import InputError, NoColumn

BATCH = 10_000


def is_a(data: Any, *kinds: str) -> bool:
    """Return whether data is an Arrow ``Table``, ``Dataset`` or ``IterableDataset``.

    Importing `datasets` takes a second. Without it nothing is a dataset.
    """
    modules = [sys.modules.get("pyarrow" if kind == "Table" else "datasets") for kind in kinds]
    found = [getattr(module, kind) for module, kind in zip(modules, kinds, strict=True) if module]
    return isinstance(data, tuple(found))


def schema(data: Any) -> Any:
    """Return the Arrow schema of a table or dataset."""
    return data.schema if is_a(data, "Table") else data.features.arrow_schema


def check_types(types: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that tables have columns of the same types: the name of each → column → type."""
    (first, expected), *others = types.items()
    for name, got in others:
        for column in {**expected, **got}:
            if expected.get(column) != got.get(column):
                raise InputError(
                    f"column {column!r} is {expected.get(column, 'missing')} in {first} and "
                    f"{got.get(column, 'missing')} in {name}: expected the same columns"
                )


def column_names(dataset: Any) -> list[str]:
    """Return the names of the columns; a stream that doesn't know them is asked for a row."""
    if dataset.column_names is None:
        # A copy: datasets 2 goes on from where another iteration stood.
        return list(next(iter(copy.deepcopy(dataset)), {}))
    return list(dataset.column_names)


def check_column(dataset: Any, column: str, where: str) -> None:
    names = column_names(dataset)
    if not isinstance(column, str) or column not in names:
        raise NoColumn(where, column, names)


def check_texts(dataset: Any, column: str, where: str, *, lists: bool = False) -> None:
    """Check a column of texts, or with ``lists`` also of lists; a stream is checked as it flows."""
    import pyarrow as pa

    check_column(dataset, column, where)
    if is_a(dataset, "IterableDataset"):
        return
    kind = schema(dataset).field(column).type
    inner = getattr(kind, "value_type", None) if lists else None
    if not any(pa.types.is_string(t) or pa.types.is_large_string(t) for t in (kind, inner) if t):
        expected = "strings or lists of strings" if lists else "strings"
        raise InputError(f"column {column!r} of {where}: expected {expected}, got {kind}")
    check = references if inner is not None else texts
    data = dataset if is_a(dataset, "Table") else dataset.data
    if inner is None and not data[column].null_count and not _may_be_lists(data[column]):
        return
    check(rows(dataset, column), f"column {column!r} of {where}")


def _may_be_lists(column: Any) -> bool:
    """Return whether a text of an Arrow column begins with a bracket."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(column, r"^[\s\p{Z}]*[\[(]")).as_py())


def batches(dataset: Any, *columns: str) -> Iterator[dict[str, list[Any]]]:
    """Iterate over columns of a dataset, streamed or not, in batches of plain Python lists."""
    if is_a(dataset, "Table"):
        yield from (part.to_pydict() for part in dataset.select(columns).to_batches(BATCH))
    else:
        yield from dataset.with_format(None).select_columns(list(columns)).iter(batch_size=BATCH)


def rows(dataset: Any, column: str) -> list[Any]:
    """Return one column of a dataset, streamed or not, as a list."""
    return [value for batch in batches(dataset, column) for value in batch[column]]


def check_batch(batch: Any, *columns: Any) -> None:
    """Check that a batch of ``Dataset.map`` has columns."""
    for column in columns:
        if not isinstance(batch, Mapping) or not isinstance(column, str) or column not in batch:
            got = list(batch) if isinstance(batch, Mapping) else type(batch).__name__
            raise InputError(f"batch: expected lists by column, {column!r} among them, got {got}")
