"""Systems in tables brought into one order: by ids, or by the sources of long tables."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from textsimp.corpora import row_ids
from textsimp.corpora.files import Rows, note, shown
from textsimp.corpora.request import Request
from textsimp.corpora.row_ids import Key
from textsimp.support.errors import InputError, listed

Columns = dict[str, Rows]
"""Declared column → its rows."""

ID = "id"
"""The usual column of ids."""


@dataclass(frozen=True)
class Part:
    """A system's columns."""

    name: str
    columns: Columns
    shared: Columns = field(default_factory=dict)  # its rows of those that systems share
    table: str = ""  # the name of its long table in messages
    rows: Sequence[int] = ()  # its rows there
    ids: list[Key] = field(default_factory=list)  # of its rows, if its table has ids


def select_rows(columns: Columns, rows: Sequence[int]) -> Columns:
    return {
        name: replace(column, rows=[column.rows[i] for i in rows])
        for name, column in columns.items()
    }


def join(shared: Columns, gold: list[Key], parts: Sequence[Part], request: Request) -> Columns:
    """Bring systems in tables into one order, that of gold or the first; return what is shared.

    Rows are joined by ids that are named or that all tables have; those of long tables else by
    their sources. Without gold, rows with the same source are distinguished by the other columns
    that systems share.
    """
    long = [part for part in parts if part.table]
    elsewhere = [request.sources, request.test_set, *request.references, *request.files.values()]
    elsewhere.append(request.data if request.ids is None and not gold else None)
    files = {part.name: part for part in parts if part.table or part.ids is not gold}
    lacking = [*filter(None, elsewhere), *(name for name, part in files.items() if not part.ids)]
    if request.ids and lacking:
        raise InputError(
            f"{shown(lacking[0])}: expected a table with the columns {listed(request.ids)}, by "
            f"which rows are joined{request.advised('give ids')}"
        )
    by_ids = bool(request.ids) or (request.ids is None and not lacking and not long)
    by_ids = by_ids and len(files) + bool(gold) > 1
    by_source = [part for part in long if "sources" in part.shared and not by_ids]
    if request.missing and not by_ids:
        raise InputError(f"missing: expected tables with ids{request.advised('give ids')}")
    sources = shared.get("sources")
    where, advice = shown(request.data or parts[0].name), request.advised("missing rows")
    keys: dict[str, list[Key]] = {}
    how = "in the order of their rows"
    if by_ids:
        keys, how = {part.name: part.ids for part in parts}, "joined by ids"
    elif by_source:
        advice, how = request.advised("pool systems"), "aligned by source"
        keys = _source_keys(by_source, sources, advice)
        gold = [(str(source),) for source in sources.rows] if sources else []
        where = sources.where if sources else by_source[0].table
    if by_ids and not request.ids:
        note(f"rows are joined by the column {ID!r} of all files{request.advised('keep order')}")
    for table in dict.fromkeys(part.table for part in long):
        names = [part.name for part in long if part.table == table]
        note(
            f"{table}: the column {request.system_column or 'system'!r} has {len(names)} systems, "
            f"{how}: {', '.join(names)}"
        )
    if not keys:
        return shared
    order = gold or [*dict.fromkeys(chain.from_iterable(keys.values()))]
    kept, places, notes = row_ids.align(order, where, keys, request.missing or "error", advice)
    for text in notes:
        note(text)
    for part in parts if by_ids else by_source:
        for own in (part.columns, part.shared):
            for name, column in own.items():
                rows = row_ids.take(name, column.rows, places[part.name], part.name)
                own[name] = replace(column, rows=rows)
    _check_alike(by_source)
    return select_rows(shared, kept)


def check_sources(shared: Columns, parts: Sequence[Part]) -> None:
    """Check that tables of outputs that have sources, and no ids, have them in the shared order.

    Case, spaces, quotation marks and Unicode forms don't matter. Other sources are noted.
    """
    checked = [part for part in parts if "sources" in part.shared and not part.table]
    if not checked or "sources" not in shared:
        return
    gold = shared["sources"]
    expected = [_bare(text) for text in gold.rows]
    known = {*expected}
    for own in (part.shared["sources"] for part in checked):
        bare = [*map(_bare, own.rows)]
        pairs = enumerate(zip(bare, expected, strict=False))
        differ = [i for i, (text, other) in pairs if text != other]
        for i in differ:
            if bare[i] in known:
                raise InputError(
                    f"{own.where}: the source in row {i} (counted from 0) stands elsewhere in "
                    f"{gold.where}: expected the same order, or a column {ID!r} in all tables, by "
                    "which rows are joined"
                )
        if differ:
            note(
                f"{own.where}: {len(differ):,} of {len(bare):,} sources are others than in "
                f"{gold.where}, the first in row {differ[0]} (counted from 0)"
            )


def _bare(text: str) -> str:
    return "".join(str(row_ids.fold(text)).split())


def _source_keys(parts: Sequence[Part], sources: Rows | None, advice: str) -> dict[str, list[Key]]:
    """Return the sources of each system's rows, which differ unless their order is given."""
    names = ["sources"] if sources else [*parts[0].shared]
    order = [(str(source),) for source in sources.rows] if sources else None
    keys: dict[str, list[Key]] = {}
    for part in parts:
        columns = (map(str, part.shared[name].rows) for name in names)
        own = keys[part.name] = [*zip(*columns, strict=True)]
        first: dict[Key, int] = {}
        for key, row in zip(own, part.rows, strict=True):
            if own != order and first.setdefault(key, row) != row:
                raise InputError(
                    f"{part.table}: rows {first[key]} and {row} (counted from 0) of system "
                    f"{part.name!r} have the same source: expected each source once{advice}"
                )
    return keys


def _check_alike(parts: Sequence[Part]) -> None:
    """Check that systems that are aligned by source share what they have beside it."""
    for part in parts[1:]:
        for name, column in part.shared.items():
            first = parts[0].shared[name].rows
            for i, (row, other) in enumerate(zip(column.rows, first, strict=True)):
                if row != other:
                    raise InputError(
                        f"{part.table}: systems {parts[0].name!r} and {part.name!r} have the same "
                        f"source {i} (counted from 0), but other {name}"
                    )
