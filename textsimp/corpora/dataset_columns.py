"""Columns of datasets and Arrow tables, read in batches and checked."""

import sys
from collections.abc import Iterator, Mapping
from typing import Any

from textsimp.core.columns import references, texts
from textsimp.support.errors import InputError, NoColumn

BATCH = 10_000


def is_a(data: Any, *kinds: str) -> bool:
    """Return whether data is an Arrow ``Table``, or ``Dataset``.

    Importing `datasets` takes a second. Without it nothing is a dataset.
    """
    modules = [sys.modules.get("pyarrow" if kind == "Table" else "datasets") for kind in kinds]
    types = [getattr(module, kind) for module, kind in zip(modules, kinds, strict=True) if module]
    return isinstance(data, tuple(types))


def as_table(data: Any) -> Any:
    """Return a Dataset as an Arrow table, which knows its features; a table as it is."""
    if is_a(data, "Table"):
        return data
    return data.with_format("arrow")[:].cast(data.features.arrow_schema)


def check_types(types: Mapping[str, Mapping[str, Any]]) -> None:
    """Check that tables have columns of the same types: the name of each → column → type."""
    (first, expected), *others = types.items()
    for name, types_there in others:
        for column in {**expected, **types_there}:
            if expected.get(column) != types_there.get(column):
                raise InputError(
                    f"column {column!r} is {expected.get(column, 'missing')} in {first} and "
                    f"{types_there.get(column, 'missing')} in {name}: expected the same columns"
                )


def check_column(table: Any, column: str, where: str) -> None:
    if not isinstance(column, str) or column not in table.column_names:
        raise NoColumn(where, column, table.column_names)


def check_texts(table: Any, column: str, where: str, *, lists: bool = False) -> None:
    """Check a column of texts, or with ``lists`` also of lists."""
    import pyarrow as pa

    check_column(table, column, where)
    kind = table.schema.field(column).type
    inner = getattr(kind, "value_type", None) if lists else None
    if not any(pa.types.is_string(t) or pa.types.is_large_string(t) for t in (kind, inner) if t):
        expected = "strings or lists of strings" if lists else "strings"
        raise InputError(f"column {column!r} of {where}: expected {expected}, got {kind}")
    check = references if inner is not None else texts
    if inner is None and not table[column].null_count and not _may_be_lists(table[column]):
        return
    check(table[column].to_pylist(), f"column {column!r} of {where}")


def _may_be_lists(column: Any) -> bool:
    """Return whether a text of an Arrow column begins with a bracket."""
    import pyarrow.compute as pc

    return bool(pc.any(pc.match_substring_regex(column, r"^[\s\p{Z}]*[\[(]")).as_py())


def batches(table: Any, *columns: str) -> Iterator[dict[str, list[Any]]]:
    """Iterate over columns in batches of plain Python lists."""
    return (part.to_pydict() for part in table.select(columns).to_batches(BATCH))
