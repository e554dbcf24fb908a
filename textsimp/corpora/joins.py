"""Systems in tables brought into one order: by ids, or by the sources of long tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

from textsimp.corpora import row_ids
from textsimp.corpora.row_ids import Key, Missing, Place
from textsimp.corpora.text_files import Rows
from textsimp.support.errors import InputError, listed
from textsimp.support.progress import note

ID = "id"
"""The usual column of ids."""
_ORDER = f"the same order, or a column {ID!r} in all tables, by which rows are joined"


@dataclass(frozen=True)
class SystemColumns:
    """The columns of a system in a file, and the ids or sources that join them with others."""

    name: str
    own: Mapping[str, Rows]
    sources: Rows | None = None  # beside them
    shared: Mapping[str, Rows] = field(default_factory=dict)  # of a long table that has the gold
    ids: Sequence[Key] | None = ()  # of the rows; None in the table of the gold, whose ids they are
    table: str = ""  # the name of its long table in messages
    name_column: str = ""  # the column there that names the system of each row
    rows: Sequence[int] = ()  # the system's rows there
    unordered: bool = False  # whether only ids say which rows belong together

    def select(self, name: str, rows: Sequence[int]) -> SystemColumns:
        """Return one system of a long table."""
        sources = self.sources and take_rows({"sources": self.sources}, rows)["sources"]
        ids = [self.ids[i] for i in rows] if self.ids else ()
        return replace(self.take(rows), name=name, sources=sources, ids=ids, rows=rows)

    def take(self, rows: Sequence[Place]) -> SystemColumns:
        """Return some rows; None is a missing output."""
        own, shared = (take_rows(part, rows, self.name) for part in (self.own, self.shared))
        return replace(self, own=own, shared=shared)


def take_rows(
    columns: Mapping[str, Rows], numbers: Sequence[Place], system: str = ""
) -> dict[str, Rows]:
    """Return some rows of columns by their numbers; None is a system's missing output."""
    return {
        name: replace(rows, rows=row_ids.take(name, rows.rows, numbers, system))
        for name, rows in columns.items()
    }


def join(
    shared: Mapping[str, Rows],
    gold: Sequence[Key],
    systems: Sequence[SystemColumns],
    where: str,
    without_ids: Sequence[str],
    ids: Sequence[str] | None,
    missing: Missing | None,
) -> tuple[dict[str, Rows], list[SystemColumns], Sequence[int]]:
    """Bring systems in tables into one order, that of gold or of the first.

    Rows are joined by named ids, or by those that all tables have. Rows of long tables without
    ids are joined by their sources. The numbers of the rows that are kept come last, if by ids.

    Args:
        shared: The columns that all systems share.
        gold: The ids of their rows, if they are in a table that has ids.
        systems: The systems.
        where: The name of gold in messages.
        without_ids: Files and test sets of shared columns whose rows have no ids.
        ids: Columns of ids that were named.
        missing: What becomes of rows that a system lacks.
    """
    names = [system.name for system in systems]
    apart = [system for system in systems if system.ids is not None]
    without_ids = [*without_ids, *(system.name for system in apart if not system.ids)]
    if ids and without_ids:
        raise InputError(
            f"{without_ids[0]}: expected a table with the columns {listed(ids)}, by which rows are "
            "joined",
            "give ids",
        )
    long = [system for system in systems if system.table]
    by_ids = bool(ids) or (ids is None and not without_ids and not long)
    by_ids = by_ids and len(apart) + bool(gold) > 1
    for system in systems:
        if names.count(system.name) > 1:
            raise InputError(f"two systems are called {system.name!r}", "names")
        if system.sources and "sources" in shared and (by_ids or not system.table):
            pairs = row_ids.join(gold, system.ids or gold) if by_ids else None
            expected = "ids that belong to the same sources in all tables" if by_ids else _ORDER
            check_sources(shared["sources"], system.sources, expected, pairs)
        if system.unordered and not by_ids:
            raise InputError(
                f"{system.name}: batch outputs are in any order: expected sources in a table whose "
                f"column {ID!r} has their custom_id",
                "give ids",
            )
    by_sources = [system for system in long if system.sources and not by_ids]
    if missing and not by_ids:
        raise InputError("missing: expected tables with ids", "give ids")
    if by_ids and not ids:
        note(
            f"rows are joined by the column {ID!r} of all files; --id '' takes rows in their order"
        )
    if long and not by_sources:
        _note_systems(long, "joined by ids" if by_ids else "in the order of their rows")
    if by_ids:
        keys = {system.name: gold if system.ids is None else system.ids for system in systems}
        return _align(shared, gold, systems, keys, where, missing or "error", "missing rows")
    if by_sources:
        shared, aligned = _join_by_sources(shared, by_sources)
        by_name = {system.name: system for system in aligned}
        systems = [by_name.get(system.name, system) for system in systems]
    return {**shared}, [*systems], ()


def _note_systems(systems: Sequence[SystemColumns], how: str) -> None:
    """Note the systems of each long table."""
    for table, column in dict.fromkeys((system.table, system.name_column) for system in systems):
        names = [system.name for system in systems if system.table == table]
        note(f"{table}: the column {column!r} has {len(names)} systems, {how}: {', '.join(names)}")


def _join_by_sources(
    shared: Mapping[str, Rows], systems: Sequence[SystemColumns]
) -> tuple[dict[str, Rows], list[SystemColumns]]:
    """Return shared columns and systems of long tables in the order of the sources.

    Without shared sources, rows with the same source are distinguished by the other columns that
    systems share.
    """
    sources = shared.get("sources")
    gold = [(str(source),) for source in sources.rows] if sources else []
    keys: dict[str, Sequence[Key]] = {}
    for system in systems:
        columns = {"sources": system.sources, **({} if sources else system.shared)}
        texts = (map(str, column.rows) for column in columns.values() if column)
        keys[system.name] = [*zip(*texts, strict=True)]
        if keys[system.name] != gold:
            _check_distinct(system, keys[system.name])
    _note_systems(systems, "aligned by source")
    where = sources.where if sources else systems[0].table
    joined, systems, _ = _align(shared, gold, systems, keys, where, "error", "pool systems")
    for system in systems[1:]:
        _check_alike(systems[0], system)
    return joined, systems


def _align(
    shared: Mapping[str, Rows],
    gold: Sequence[Key],
    systems: Sequence[SystemColumns],
    keys: Mapping[str, Sequence[Key]],
    where: str,
    missing: Missing,
    code: str,
) -> tuple[dict[str, Rows], list[SystemColumns], Sequence[int]]:
    """Return shared columns and systems in the order of keys, and the rows of gold that are kept.

    The keys are those of gold, or of all systems.
    """
    order = gold or [*dict.fromkeys(chain.from_iterable(keys.values()))]
    kept, places, notes = row_ids.align(order, where, keys, missing, code)
    for text in notes:
        note(text)
    aligned = [system.take(places[system.name]) for system in systems]
    return take_rows(shared, kept), aligned, kept


def _check_distinct(system: SystemColumns, keys: Sequence[Key]) -> None:
    """Check that a system of a long table has each source once."""
    first: dict[Key, int] = {}
    for key, row in zip(keys, system.rows, strict=True):
        if first.setdefault(key, row) != row:
            raise InputError(
                f"{system.table}: rows {first[key]} and {row} (counted from 0) of system "
                f"{system.name!r} have the same source: expected each source once",
                "pool systems",
            )


def _check_alike(first: SystemColumns, other: SystemColumns) -> None:
    """Check that two systems with the same sources have the same shared columns."""
    for name, column in other.shared.items():
        pairs = zip(first.shared[name].rows, column.rows, strict=True)
        for i, (expected, row) in enumerate(pairs):
            if row != expected:
                raise InputError(
                    f"{other.table}: systems {first.name!r} and {other.name!r} have the same "
                    f"source {i} (counted from 0), but other {name}"
                )


def check_sources(
    sources: Rows,
    own_sources: Rows,
    expected: str,
    pairs: Iterable[tuple[int, int]] | None = None,
    say: Callable[[str], None] = note,
) -> None:
    """Check that a table of outputs has the shared sources in their order, or in ``pairs`` of rows.

    Case, spaces, quotation marks and Unicode forms don't matter. Other sources are noted.
    """
    shared, own, where = sources.rows, own_sources.rows, own_sources.where
    pairs = [(i, i) for i in range(min(len(shared), len(own)))] if pairs is None else [*pairs]
    differ = [(i, j) for i, j in pairs if shared[i] != own[j]]
    rows = sorted(j for i, j in differ if _fold(shared[i]) != _fold(own[j]))
    elsewhere = {*map(_fold, shared)} if rows else {}
    for row in rows:
        if _fold(own[row]) in elsewhere:
            raise InputError(
                f"{where}: the source in row {own_sources.first + row} (counted from 0) stands "
                f"elsewhere in {sources.where}: expected {expected}"
            )
    if rows:
        say(
            f"{where}: {len(rows):,} of {len(pairs):,} sources are others than in {sources.where}, "
            f"the first in row {own_sources.first + rows[0]} (counted from 0)"
        )


def _fold(text: Any) -> str:
    return "".join(str(row_ids.fold(text)).split())
