"""Columns of a task's files: texts, and the ids of instances. Rows count from 1."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textsimp.corpora.tables import Table
from textsimp.support.errors import InputError, shown

Ids = tuple[str, ...]


def texts(table: Table, name: str) -> list[str]:
    """Return a column of texts."""
    return _check(table, name, "a text", str)


def ids(table: Table, names: Sequence[str]) -> list[Ids]:
    """Return each row's ids, which are texts or whole numbers."""
    columns = [map(str, _check(table, n, "a text or a whole number", str, int)) for n in names]
    return [*zip(*columns, strict=True)]


def _check(table: Table, name: str, expected: str, *kinds: type) -> list[Any]:
    column = table.column(name)
    for i, value in enumerate(column, 1):
        if type(value) not in kinds:
            where = f"{table.where}, row {i}, {name!r}"
            raise InputError(f"{where}: expected {expected}, got {shown(value)}")
    return column


def check_once(ids: Sequence[Ids], where: str) -> None:
    """Check that no two rows have the same ids."""
    first: dict[Ids, int] = {}
    for i, own in enumerate(ids, 1):
        if first.setdefault(own, i) != i:
            raise InputError(
                f"{where}: expected each id once, got {', '.join(own)} in rows {first[own]} and {i}"
            )
