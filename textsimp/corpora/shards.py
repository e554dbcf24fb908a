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

import contextlib
import glob
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from textsimp.core import columns, examples
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora.datasets import is_saved
from textsimp.corpora.joins import SystemColumns
from textsimp.corpora.reading import (
    Names,
    Readers,
    System,
    Tables,
    check_examples,
    check_needs,
    declare,
    read_columns,
)
from textsimp.corpora.tables import DELIMITED, JSONL, PARQUET, Table, of_objects, read_table_batches
from textsimp.corpora.text_files import (
    Rows,
    check_encoding,
    is_url,
    natural_key,
    stream_lines,
    text_name,
    without_empty,
)
from textsimp.support.errors import InputError, NoColumn, listed, shown
from textsimp.support.progress import note

__all__ = ["Batch", "is_sharded", "read_batches", "shards"]

BATCH = 10_000
"""Rows that are in memory at a time."""
_ENDINGS = (*PARQUET, *JSONL, *DELIMITED)
_IS_SPLIT = re.compile(  # by which `datasets` knows the splits of a folder
    r"(^|[^a-z])(train|training|validation|valid|val|dev|test|testing|eval|evaluation)([^a-z]|$)"
)
_ROW = re.compile(r"\brow (\d+)\b")  # in messages


@dataclass(frozen=True)
class Batch:
    """Consecutive examples.

    Attributes:
        first: The number of the first, counted from 0 over all shards.
        examples: Their columns, checked.
    """

    first: int
    examples: Examples


def is_sharded(data: str | Path, config: str | None = None, split: str | None = None) -> bool:
    """Return whether a name stands for shards: a pattern, a URL, or a folder of tables alone.

    Folders of which ``datasets`` knows the splits, such as ``test.parquet``, are datasets, and so
    is what has a configuration or split.
    """
    name = str(data)
    if config or split:
        return False
    if is_url(name) or (glob.has_magic(name) and not os.path.exists(name)):
        return True
    if not os.path.isdir(name) or is_saved(name):
        return False
    names = [path.name.lower() for path in Path(name).iterdir() if path.name[0] not in "._"]
    tables = all(name.endswith(_ENDINGS) for name in names)
    return bool(names) and tables and not any(map(_IS_SPLIT.search, names))


def shards(data: str | Path) -> list[str]:
    """Return the files of a pattern or folder, or a file alone, in the order of their numbers.

    Patterns and folders may be URLs that ``fsspec`` opens, such as ``s3://bucket/shards/*.parquet``
    or ``hf://datasets/name``. Files that begin with a dot or an underscore are left out.
    """
    name = str(data)
    if is_url(name):
        paths = _remote(name)
    elif os.path.isdir(name):
        paths = [str(path) for path in Path(name).iterdir() if path.is_file()]
    else:
        paths = [name] if os.path.exists(name) else glob.glob(name)
    kept = [path for path in paths if path == name or os.path.basename(path)[0] not in "._"]
    if not kept:
        raise InputError(f"{name}: no file has such a name")
    endings = {Path(path).suffix.lower() for path in kept}
    if len(endings & {*_ENDINGS}) > 1 or (endings & {*_ENDINGS} and endings - {*_ENDINGS}):
        raise InputError(
            f"{name}: expected shards of one kind, got {', '.join(sorted(endings))}; name those "
            "meant, as in 'shards/*.parquet'"
        )
    return sorted(kept, key=natural_key)


def only_file(data: str | Path) -> str:
    """Return the file of a name for shards if it is one alone, which can be read whole."""
    files = shards(data)
    if len(files) > 1:
        raise InputError(
            f"{data} is {len(files):,} files, and all texts are needed at once: put their rows "
            "into one file"
        )
    return files[0]


def _remote(url: str) -> list[str]:
    """Return the files of a URL: a file, a folder or a pattern."""
    try:
        import fsspec  # type: ignore[import-untyped, unused-ignore]

        system, path = fsspec.url_to_fs(url)
        if not glob.has_magic(path) and system.isdir(path):
            path = f"{path.rstrip('/')}/*"
        return [system.unstrip_protocol(name) for name in system.glob(path)]
    except Exception as error:  # of any kind: a missing library, the network, permissions
        raise InputError(f"{url} can't be read: {error}") from None


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
    declared = declare(readers)
    examples.check_names(names or {}, [*declared])
    if data is None:
        check_needs(readers, {"sources": sources, "references": references, "predictions": systems})
    own = [column for column in declared.values() if column.own]
    tables = Tables(own, names or {}, None, None, True, _only_first(note))
    named = {SOURCES.name: sources, REFERENCES.name: references}
    shared = [c for c in declared.values() if not c.own and not named.get(c.name)]
    streams = [] if data is None else [_data_stream(data, size, tables, shared, systems, every)]
    streams += [] if sources is None else [_text_stream(sources, SOURCES.name, None, size)]
    for number, path in enumerate(references, 1):
        streams.append(_text_stream(path, f"reference {number}", None, size))
    streams += [_system_stream(system, tables, size) for system in systems if system.file]
    return _read_together(streams, len(references), tables.say)


Cells = dict[tuple[str | None, str], Rows]
"""(System, or None, and column) → rows."""


@dataclass
class _Stream:
    """Some columns of all examples, read on demand."""

    where: str  # its name in messages
    parts: Iterator[Cells]
    rest: list[Cells] = field(default_factory=list)  # which was read, but not yet taken

    def next(self) -> Cells | None:
        """Return the next part as it was read, None after the last."""
        return next(self.parts, None)

    def take(self, number: int) -> Cells | None:
        """Return the next rows, None if there are fewer."""
        while sum(map(_length, self.rest)) < number:
            part = self.next()
            if part is None:
                return None
            self.rest.append(part)
        first = self.rest[0]
        rows = {key: [*chain(*(part[key].rows for part in self.rest))] for key in first}
        left = {key: replace(first[key], rows=rows[key][number:]) for key in first}
        self.rest = [left] if _length(left) else []
        return {key: replace(first[key], rows=rows[key][:number]) for key in first}


def _length(cells: Cells) -> int:
    return len(next(iter(cells.values())).rows)


def cut(batches: Iterable[Batch], size: int) -> Iterator[Batch]:
    """Yield the same examples in batches of another size, of which only the last may be shorter."""
    first, waiting = 0, list[Examples]()
    for batch in batches:
        waiting.append(batch.examples)
        while sum(map(len, waiting)) >= size:
            whole = examples.concatenate(waiting)
            yield Batch(first, whole.take(range(size)))
            first += size
            waiting = [whole.take(range(size, len(whole)))] if len(whole) > size else []
    if waiting:
        yield Batch(first, examples.concatenate(waiting))


def _read_together(
    streams: Sequence[_Stream], number: int, say: Callable[[str], None]
) -> Iterator[Batch]:
    """Yield the columns of all streams as batches, which end where the first one's parts do."""
    leader, *others = streams
    first, expected = 0, set[tuple[str | None, str]]()
    while (cells := leader.next()) is not None:
        n = _length(cells)
        for stream in others:
            part = stream.take(n)
            if part is None:
                raise InputError(f"{stream.where} has fewer rows than {leader.where}")
            cells |= part
        expected = expected or {*cells}
        if {*cells} != expected:
            some = sorted({name for _, name in {*cells} ^ expected})
            raise InputError(
                f"{leader.where}: expected the same columns in all rows; only some of the rows "
                f"before and after row {first} (counted from 0) have {listed(some)}"
            )
        yield Batch(first, _as_examples(cells, number, say))
        first += n
    for stream in others:
        if stream.take(1):
            raise InputError(f"{stream.where} has more rows than {leader.where}, {first:,}")
    if not first:
        raise InputError(f"{leader.where}: expected at least one row, got none")


def _as_examples(cells: Cells, number: int, say: Callable[[str], None]) -> Examples:
    """Return the columns of a batch as examples; a ``number`` of them are references."""
    ids = {system: cells.pop((system, "id")) for system, name in [*cells] if name == "id"}
    for system, rows in ids.items():
        _check_same(ids.get(None, rows), rows, system)
    if number:
        lists = [cells.pop((None, f"reference {i + 1}")) for i in range(number)]
        texts = [[*row] for row in zip(*(column.rows for column in lists), strict=True)]
        cells[None, REFERENCES.name] = without_empty(replace(lists[0], rows=texts), say)
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
                f"{ids.where}: {system} has the id {', '.join(got)!r} where {gold.where} has "
                f"{', '.join(expected)!r}, in row {i} of a batch: shards are read in their order"
            )


# What streams are read from ----------------------------------------------------------------------


def _text_stream(data: str | Path, column: str, system: str | None, size: int) -> _Stream:
    """Return the stream of a column of texts, one per line."""

    def read() -> Iterator[Cells]:
        for path in shards(data):
            check_encoding(path)
            lines, first = stream_lines(path), 1
            while block := [*islice(lines, size)]:
                yield {(system, column): Rows(columns.texts(block, path, first), path)}
                first += len(block)

    return _Stream(str(data), read())


def _system_stream(system: System, tables: Tables, size: int) -> _Stream:
    """Return the stream of a system in files of its own, text files or tables."""
    paths = shards(str(system.file))
    name = system.name or _default_name(str(system.file))
    if Path(paths[0]).suffix.lower() not in _ENDINGS:
        return _text_stream(str(system.file), PREDICTIONS.name, name, size)

    def read() -> Iterator[Cells]:
        for table, first in _batches(str(system.file), size):
            with _counted_from(first):
                own = read_columns(table, tables.own, tables.names, system.column, tables.say)
                ids = tables.read_ids(table)
            yield {(name, column): rows for column, rows in own.items()} | _as_cells(
                ids, name, table
            )

    return _Stream(str(system.file), read())


def _data_stream(
    data: Any,
    size: int,
    tables: Tables,
    shared: Sequence[Column],
    systems: Sequence[System],
    every: bool,
) -> _Stream:
    """Return the stream of gold, and of the systems beside it."""
    where = str(data) if isinstance(data, (str, Path)) else "the data"
    name = _default_name(where) if isinstance(data, (str, Path)) else "predictions"
    outputs = [system for system in systems if not system.file]
    outputs = outputs or ([] if systems else [System()])

    def read() -> Iterator[Cells]:
        chosen = outputs
        for table, first in _batches(data, size):
            with _counted_from(first):
                if every and chosen == [System()]:
                    chosen = tables.find_outputs(table, shared)
                gold, ids, parts = tables.read_data(table, chosen, shared, False)
            if parts and parts[0].table:
                raise InputError(
                    f"{table.where}: a table with a row for each source and system can't be read "
                    "in batches: write a column for each system"
                )
            cells: Cells = {(None, column): rows for column, rows in gold.items()}
            for system, part in zip(chosen, parts, strict=True):
                named = part.name if system.name or system.column else name
                cells |= {(named, column): rows for column, rows in part.own.items()}
            yield cells | _as_cells(ids, None, table)

    return _Stream(where, read())


def _as_cells(ids: Sequence[Any], system: str | None, table: Table) -> Cells:
    return {(system, "id"): Rows([*ids], table.where)} if ids else {}


def _batches(data: Any, size: int) -> Iterator[tuple[Table, int]]:
    """Yield tables, each with the number of its first row in its shard, or in the stream."""
    if isinstance(data, (str, Path)):
        data = shards(data)
    if isinstance(data, (list, tuple)) and all(isinstance(path, (str, Path)) for path in data):
        streams = [read_table_batches(str(path), size) for path in data]
    elif hasattr(data, "iter"):
        streams = [_dataset_batches(data, size)]
    else:
        streams = [_row_batches(data, size)]
    for stream in streams:
        first = 0
        for table in stream:
            yield table, first
            first += len(table)


def _dataset_batches(dataset: Any, size: int) -> Iterator[Table]:
    for cells in dataset.iter(batch_size=size):
        yield Table("the data", [*cells], cells.__getitem__, cells=cells)


def _row_batches(data: Iterable[Any], size: int) -> Iterator[Table]:
    if not isinstance(data, Iterable):
        raise InputError(f"data: expected files or rows, got {shown(data)}")
    rows, first = iter(data), 0
    while block := [*islice(rows, size)]:
        for i, row in enumerate(block, first):
            if not isinstance(row, Mapping):
                raise columns.bad_row(i, "the data", "a mapping of columns to cells", row)
        yield of_objects(block, "the data", "row", "jsonl")
        first += len(block)


# Messages -----------------------------------------------------------------------------------------


@contextlib.contextmanager
def _counted_from(first: int) -> Iterator[None]:
    """Count the row of an error from the first one of the shard rather than of the batch."""
    try:
        yield
    except InputError as error:
        text = _ROW.sub(lambda match: f"row {int(match[1]) + first}", str(error), count=1)
        if isinstance(error, NoColumn) and first:
            text += f" in row {first} (counted from 0)"
        raise InputError(text, error.code) from None


def _only_first(say: Callable[[str], None]) -> Callable[[str], None]:
    """Return a function that says what it gets once, and not for each batch."""
    texts: list[str] = []

    def say_first(text: str) -> None:
        if not texts:
            say(f"{text}; other batches aren't listed")
        texts.append(text)

    return say_first


def _default_name(data: str) -> str:
    """Return the name of a system in shards: that of their folder; or of a file alone."""
    if not glob.has_magic(data) and not os.path.isdir(data):
        return text_name(data)
    folder = Path(data).parent if glob.has_magic(data) else Path(data)
    return folder.name or "predictions"
