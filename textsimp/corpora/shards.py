"""Data larger than memory: examples read in batches, from files in shards or from a stream.

    >>> from textsimp.core.declarations import PREDICTIONS, SOURCES
    >>> rows = ({"source": f"It rained {i} times.", "prediction": "It rained."} for i in range(5))
    >>> for batch in read_batches({"check": [SOURCES, PREDICTIONS]}, data=rows, size=2):
    ...     print(batch.first, batch.examples.sources)
    0 ['It rained 0 times.', 'It rained 1 times.']
    2 ['It rained 2 times.', 'It rained 3 times.']
    4 ['It rained 4 times.']

Only one batch is in memory at a time. Rows aren't joined by ids, so all files have them in the same
order; if gold and a system have ids, these must agree.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from textsimp.core import columns, examples
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora.datasets import is_saved
from textsimp.corpora.joins import ID, SystemColumns, check_sources
from textsimp.corpora.logs import find_logs
from textsimp.corpora.reading import (
    Names,
    Readers,
    System,
    Tables,
    check_examples,
    check_needs,
    declare,
)
from textsimp.corpora.tables import Table, of_objects, read_table_batches
from textsimp.corpora.text_files import (
    DELIMITED,
    JSONL,
    PARQUET,
    Rows,
    check_no_objects,
    default_name,
    ends_within_line,
    is_pattern,
    is_url,
    shards,
    stream_lines,
    without_empty,
)
from textsimp.support.errors import InputError, check_integer, listed, rows_after, shown
from textsimp.support.progress import note

__all__ = ["Batch", "read_batches"]

BATCH = 10_000
"""Rows that are in memory at a time."""

_ENDINGS = (*PARQUET, *JSONL, *DELIMITED)
_IS_SPLIT = re.compile(  # by which `datasets` knows the splits of a folder
    r"(^|[^a-z])(train|training|validation|valid|val|dev|test|testing|eval|evaluation)([^a-z]|$)"
)


@dataclass(frozen=True)
class Batch:
    """Consecutive examples."""

    first: int  # the number of the first, counted from 0 over all shards
    examples: Examples


def read_batches(
    readers: Readers,
    *,
    data: Any = None,
    sources: str | Path | None = None,
    references: Sequence[str | Path] = (),
    systems: Sequence[System] = (),
    every: bool = False,
    names: Names | None = None,
    size: int = BATCH,
) -> Iterator[Batch]:
    """Read and check the columns of examples in batches. Errors name the shard and its row or line.

    Args:
        readers: What reads the examples, and which columns.
        data: All columns that aren't given otherwise: files as those of `shards`, or a list of
            them; an ``IterableDataset``; or an iterable of rows, which map columns to cells.
        sources: Text files, as those of `shards`; one text per line.
        references: The same of each reference.
        systems: The places of predictions: files as those of `shards`, text files or tables, or
            columns of the data.
        every: Without systems, whether all further columns of texts of the data are systems.
        names: Declared column → its names in tables.
        size: Most rows of a batch. Batches end where shards do.
    """
    size = check_integer("size", size, 1)
    declared = declare(readers)
    examples.check_names(names or {}, [*declared])
    if data is None:
        check_needs(readers, {"sources": sources, "references": references, "predictions": systems})
    own = [column for column in declared.values() if column.own]
    tables = Tables(own, names or {}, None, None, True, _only_first(note))
    named = {SOURCES.name: sources, REFERENCES.name: references}
    shared = [c for c in declared.values() if not c.own and not named.get(c.name)]
    beside = [system for system in systems or [System()] if not system.file]
    streams: list[Stream] = []
    if data is not None:
        where = str(data) if isinstance(data, (str, Path)) else "the data"
        streams.append((where, _read_table(data, size, tables, shared, beside, every)))
    if sources is not None:
        streams.append((str(sources), _read_texts(sources, (None, SOURCES.name), size)))
    for number, path in enumerate(references, 1):
        streams.append((str(path), _read_texts(path, (None, f"reference {number}"), size)))
    for system in systems:
        if system.file:
            streams.append((system.file, _read_system(system, tables, size)))
    return _read_together(streams, len(references), tables.say)


def is_sharded(data: str | Path, config: str | None = None, split: str | None = None) -> bool:
    """Return whether a name stands for shards: a pattern, a URL, or a folder of tables alone.

    Folders of which ``datasets`` knows the splits, such as ``test.parquet``, are datasets, and so
    is what has a configuration or split.
    """
    name = str(data)
    if config or split or find_logs(name):
        return False
    if is_url(name) or is_pattern(name):
        return True
    if not os.path.isdir(name) or is_saved(name):
        return False
    names = [path.name.lower() for path in Path(name).iterdir() if path.name[0] not in "._"]
    tables = all(name.endswith(_ENDINGS) for name in names)
    return bool(names) and tables and not any(map(_IS_SPLIT.search, names))


Cells = dict[tuple[str | None, str], Rows]
"""(System, or None, and column) → rows."""
Stream = tuple[str, Iterator[Cells]]
"""The name of some columns of all examples in messages, and their rows, part by part."""


def cut(batches: Iterable[Batch], size: int) -> Iterator[Batch]:
    """Yield the same examples in batches of another size; the last has 0.5 to 1.5 times as many."""
    first, waiting = 0, list[Examples]()
    for batch in batches:
        waiting.append(batch.examples)
        while sum(map(len, waiting)) >= 1.5 * size:
            whole = examples.concatenate(waiting)
            yield Batch(first, whole.take(range(size)))
            first += size
            waiting = [whole.take(range(size, len(whole)))]
    if waiting:
        yield Batch(first, examples.concatenate(waiting))


def _read_together(
    streams: Sequence[Stream], number: int, say: Callable[[str], None]
) -> Iterator[Batch]:
    """Yield the columns of all streams as batches, which end where a part of any stream does.

    A ``number`` of the columns are references.
    """
    first = 0
    readers = [_check_alike(where, stream) for where, stream in streams]
    parts: list[Cells] = [{} for _ in readers]  # what is left of those that were read
    while True:
        parts = [part or next(reader, {}) for part, reader in zip(parts, readers, strict=True)]
        lengths = [*map(_length, parts)]
        if 0 in lengths:
            break
        n = min(lengths)
        cells: Cells = {}
        for i, part in enumerate(parts):
            _add(cells, {key: column.cut(0, n) for key, column in part.items()})
            rest = {key: column.cut(n, lengths[i]) for key, column in part.items()}
            parts[i] = rest if lengths[i] > n else {}
        yield Batch(first, _as_examples(cells, first, number, say))
        first += n
    if any(lengths):
        short, long = lengths.index(0), lengths.index(max(lengths))
        where = next(iter(parts[long].values())).where
        raise InputError(
            f"{streams[long][0]} has more rows than {streams[short][0]}, which has {first:,}: the "
            f"first that is too many is row {first} (counted from 0), in {where}",
            "" if long else "lost lines",
        )
    if not first:
        raise InputError(f"{streams[0][0]}: expected at least one row, got none")


def _check_alike(where: str, parts: Iterable[Cells]) -> Iterator[Cells]:
    """Check that all parts of a stream have the same columns."""
    columns, rows = set[tuple[str | None, str]](), 0
    for part in parts:
        columns = columns or {*part}
        if {*part} != columns:
            some = sorted({name for _, name in {*part} ^ columns})
            raise InputError(
                f"{where}: expected the same columns in all rows; only some of the rows before and "
                f"after row {rows} (counted from 0) have {listed(some)}"
            )
        rows += _length(part)
        yield part


def _length(cells: Cells) -> int:
    return len(next(iter(cells.values())).rows) if cells else 0


def _add(cells: Cells, part: Cells) -> None:
    """Add columns, of systems that have other names."""
    for key in part:
        if key in cells:
            raise InputError(
                f"two systems are called {key[0]!r}, in {cells[key].where} and {part[key].where}",
                "names",
            )
    cells |= part


def _as_examples(cells: Cells, first: int, number: int, say: Callable[[str], None]) -> Examples:
    """Return the columns of a batch as examples; a ``number`` of them are references."""
    ids = {system: cells.pop((system, ID)) for system, name in [*cells] if name == ID}
    for system, rows in ids.items():
        _check_same(ids.get(None, rows), rows, system)
    sources = cells.get((None, SOURCES.name))
    for key in [key for key in cells if key[0] is not None and key[1] == SOURCES.name]:
        own_sources = cells.pop(key)
        if sources:
            check_sources(sources, own_sources, "the same order in all shards", say=say)
    if number:
        lists = [cells.pop((None, f"reference {i + 1}")) for i in range(number)]
        texts = [[*row] for row in zip(*(column.rows for column in lists), strict=True)]
        rows = Rows(texts, REFERENCES.name, first=first)
        cells[None, REFERENCES.name] = without_empty(rows, say)
    own: dict[str, dict[str, Rows]] = {}
    for (system, name), column in cells.items():
        if system is not None:
            own.setdefault(system, {})[name] = column
    shared = {name: column for (system, name), column in cells.items() if system is None}
    return check_examples(shared, [SystemColumns(*one) for one in own.items()], ())


def _check_same(gold: Rows, ids: Rows, system: str | None) -> None:
    for i, (expected, got) in enumerate(zip(gold.rows, ids.rows, strict=True)):
        if expected != got:
            raise InputError(
                f"{ids.where}: {system} has the id {', '.join(got)!r} where row {gold.first + i} "
                f"of {gold.where} (counted from 0) has {', '.join(expected)!r}: shards are read in "
                "their order"
            )


# What streams are read from ----------------------------------------------------------------------


def _read_texts(data: str | Path, key: tuple[str | None, str], size: int) -> Iterator[Cells]:
    """Yield a column of texts, one per line."""
    paths = shards(data)
    if len(paths) > 1 and ends_within_line(paths[0]):
        note(
            f"{paths[0]} ends without a line feed: if it was cut within a line, texts are wrong; "
            "cut files as `split -l` does"
        )
    for path in paths:
        lines, first = stream_lines(path, may_be_empty=True), 0
        while block := [*islice(lines, size)]:
            if not first:
                check_no_objects(block, path)
            with rows_after(first):
                texts = columns.texts(block, path, first=1)
            yield {key: Rows(texts, path, first=first)}
            first += len(block)


def _read_system(system: System, tables: Tables, size: int) -> Iterator[Cells]:
    """Yield the columns of a system in files of its own, text files or tables."""
    file = str(system.file)
    name = system.name or default_name(file)
    if Path(shards(file)[0]).suffix.lower() not in _ENDINGS:
        return _read_texts(file, (name, PREDICTIONS.name), size)
    return _read_table(file, size, tables, [], [System(None, system.column, name)], owner=name)


def _read_table(
    data: Any,
    size: int,
    tables: Tables,
    shared: Sequence[Column],
    systems: Sequence[System],
    every: bool = False,
    owner: str | None = None,
) -> Iterator[Cells]:
    """Yield shared columns and systems; ``owner`` is the system that ids are of."""
    usual = default_name(str(data)) if isinstance(data, (str, Path)) else "predictions"
    names, number = set[str](), 0
    for table in _batches(data, size):
        names_of_rows = tables.systems_of_rows(table, systems)
        names.update(names_of_rows)
        number += len(names_of_rows)
        if 1 < len(names) < number:
            raise InputError(
                f"{table.where}: a table with a row for each source and system can't be read in "
                f"batches: write a column for each system ({listed(sorted(names)[:3])})"
            )
        if every and systems == [System()]:
            systems = tables.find_outputs(table, shared)
        gold, ids, parts = tables.read_data(table, systems, shared, False)
        cells: Cells = {(None, column): rows for column, rows in gold.items()}
        for system, part in zip(systems, parts, strict=True):
            name = part.name if system.name or system.column else usual
            _add(cells, {(name, column): rows for column, rows in part.own.items()})
        own_sources = tables.read_sources(table) if owner else None
        if own_sources:
            cells[owner, SOURCES.name] = own_sources
        if ids:
            cells[owner, ID] = Rows([*ids], table.where, first=table.first)
        yield cells


def _batches(data: Any, size: int) -> Iterator[Table]:
    """Yield tables, whose rows are counted in their shard, or in the stream."""
    if isinstance(data, (str, Path)):
        data = shards(data)
    if isinstance(data, (list, tuple)) and all(isinstance(path, (str, Path)) for path in data):
        streams = [read_table_batches(str(path), size) for path in data]
    elif hasattr(data, "iter"):
        streams = [_dataset_batches(data, size)]
    else:
        streams = [_row_batches(data, size)]
    lists: dict[str, bool] = {}
    for table in chain.from_iterable(streams):
        yield replace(table, lists=lists)


def _dataset_batches(dataset: Any, size: int) -> Iterator[Table]:
    first = 0
    for cells in dataset.with_format(None).iter(batch_size=size):
        table = Table("the data", [*cells], cells.__getitem__, cells=cells, first=first)
        yield table
        first += len(table)


def _row_batches(data: Iterable[Any], size: int) -> Iterator[Table]:
    if not isinstance(data, Iterable):
        raise InputError(f"data: expected files or rows, got {shown(data)}")
    rows, first = iter(data), 0
    while block := [*islice(rows, size)]:
        for i, row in enumerate(block, first):
            if not isinstance(row, Mapping):
                raise columns.bad_row(i, "the data", "a mapping of columns to cells", row)
        yield of_objects(block, "the data", "row", "jsonl", first)
        first += len(block)


def _only_first(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that says what it gets once, and not for each batch."""
    texts: list[str] = []

    def say_first(text: str) -> None:
        if not texts:
            say(f"{text}; other batches aren't listed")
        texts.append(text)

    return say_first
