"""Examples from files: the one reader of the command line, the pages and the report."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, cast

from textsimp.core import columns, examples
from textsimp.core.columns import Seen
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora import tables, testsets
from textsimp.corpora.datasets import dataset_pieces
from textsimp.corpora.files import (
    STDIN,
    File,
    Rows,
    changed,
    check_lengths,
    lines_of,
    read_lines,
    shown,
    text_files,
)
from textsimp.corpora.tables import FILES, ROWS, TABLES, Found, Table, is_table, usual_names
from textsimp.support.errors import InputError

Readers = Mapping[str, Sequence[Column]]  # who reads which columns: a metric's name, or a report
Progress = Callable[[int, int], object]
Key = tuple[int, str]  # a system of a file, and its column
Columns = dict[Key, list[Any]]  # of one length
Chosen = dict[str, Found]  # column → where it is in a table

KEPT = 2**26

_ROWS = (".xml", ".json", ".mrp")  # files of a folder that are a row each
_ONE = (".xml", ".json")  # those that are the only row, where they are given alone


@dataclass(frozen=True)
class System:
    """Where a system's predictions are; what else there is of its own is in the same table.

    Attributes:
        file: A text file; a table; or a folder of text files, each a system. None for the table
            of the request.
        column: The table's column of predictions, unless it is called as usual. In the table of
            the request it may be NAME=COLUMN.
        name: The system's, unless it is called as its file or column.
    """

    file: str | None = None
    column: str | None = None
    name: str = ""


@dataclass(frozen=True)
class Request:
    """Where the columns of examples are. ``"-"`` is standard input.

    Attributes:
        sources: A text file.
        references: Text files, or folders of them.
        test_set: Instead of sources and references, see `textsimp.corpora.testsets.load`.
        data_dir: For the test set.
        data: A table, or a dataset, with all columns that nothing else gives.
        config: Configuration of the dataset.
        split: Split of the dataset.
        systems: In their order; if there are none, the data's usual column of predictions is one.
        every: Then, instead, all its columns of texts are systems that are nothing else.
        columns: Declared column → its names in tables, unless the usual ones.
        files: Declared column that reads files → a file, or folder of files, see `read_rows`.
        advice: What to end messages with, for who asks: ``"give sources"``, ``"choose sources"``
            (in a table), and so for every column; ``"name systems"``, ``"part systems"``,
            ``"give tables"``, ``"give texts"``; and what they call ``"data_dir"`` and ``"config and
            split"``.
    """

    sources: str | None = None
    references: Sequence[str] = ()
    test_set: str | None = None
    data_dir: str | None = None
    data: str | None = None
    config: str | None = None
    split: str | None = None
    systems: Sequence[System] = ()
    every: bool = False
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    advice: Mapping[str, str] = field(default_factory=dict)

    def advised(self, topic: str) -> str:
        """How a message ends."""
        return self.advice.get(topic, "")


def read(request: Request, readers: Readers) -> Examples:
    """Read what is asked for, and check each column once.

    Args and errors are those of `stream`.
    """
    return stream(request, readers, keep=math.inf).whole()


def stream(
    request: Request,
    readers: Readers,
    *,
    rows: int = ROWS,
    keep: float = KEPT,
    progress: Progress | None = None,
) -> Stream:
    """Read all that is asked for once, to check and to count it; then it is there to be read.

    Files are read before anything is loaded from the Hub. No more than a piece is held in memory,
    but for test sets, JSON arrays, and the files and folders of `read_rows`.

    Args:
        request: Where the columns are.
        readers: Who reads which columns: a metric's name → its columns.
        rows: The most rows of a piece, which has fewer of long texts.
        keep: About how many bytes of columns are kept in memory, and not read twice.
        progress: Called with the bytes that were read, and the bytes of all files.

    Raises:
        InputError: Nothing that gives a required column, an unknown column, two systems of one
            name, or files that can't be read or don't fit together.
    """
    declared = _declared(readers)
    _check_request(request, readers, declared)
    request = _without_folders(request)
    files = {path: File(path) for path in _files(request)}
    through = _Through(rows, keep, sum(files[path].size for path in _files(request)), progress)
    shared = _shared_files(request, files, through)
    for name, path in request.files.items():
        shared |= through.held({name: read_rows(path, declared[name])})
    of_files = [
        _of_file(system, files[system.file], request, declared, through) if system.file else None
        for system in request.systems
    ]
    if request.test_set is not None:
        sources, references = testsets.load(
            request.test_set, request.data_dir, request.advice.get("data_dir", "data_dir")
        )
        where = f"test set {request.test_set}"
        of_set = {
            "sources": Rows(sources, where, "sources"),
            "references": Rows(references, where, "sources"),
        }
        shared |= through.held(of_set)
    of_table: list[tuple[str, Own]] = []
    if request.data is not None:
        found, of_table = _of_data(request, request.data, files, declared, {*shared}, through)
        shared |= found
    rest = iter(of_table)
    placed = [found or next(rest) for found in of_files]  # in the order of the request
    systems: dict[str, Own] = {}
    for name, own in (*placed, *rest):
        if name in systems:
            raise InputError(f"two systems are called {name!r}{request.advised('name systems')}")
        systems[name] = own
    _check_fit(shared, systems)
    return Stream(shared, systems)


class Stream:
    """Examples in files, which are read a piece at a time, as often as they are asked for.

    Attributes:
        shared: The columns that all systems share.
        systems: System → its own columns.
    """

    def __init__(self, shared: Own, systems: Mapping[str, Own]) -> None:
        self.shared = tuple(shared)
        self.systems = {name: tuple(own) for name, own in systems.items()}
        self._all = (shared, *systems.values())

    def __len__(self) -> int:
        return next(place.part.count for own in self._all for place in own.values())

    def pieces(self) -> Iterator[Examples]:
        """Examples in order, some at a time.

        Raises:
            InputError: A file isn't what it was when it was checked.
        """
        parts = list(dict.fromkeys(place.part for own in self._all for place in own.values()))
        for found in _aligned([part.again() for part in parts]):
            of_part = dict(zip(parts, found, strict=True))
            shared, *systems = (
                {name: of_part[place.part][place.key] for name, place in own.items()}
                for own in self._all
            )
            yield Examples(shared, dict(zip(self.systems, systems, strict=True)))

    def whole(self) -> Examples:
        """All examples, in memory.

        Raises:
            InputError: See `pieces`.
        """
        return examples.whole(self.pieces())


@dataclass(frozen=True, eq=False)
class _Part:
    """Columns that are read together.

    Attributes:
        count: How many rows they have.
        again: Reads them, a piece at a time.
    """

    count: int
    again: Callable[[], Iterator[Columns]]


@dataclass(frozen=True)
class _Place:
    """Where a column is, and what messages say of it."""

    part: _Part
    key: Key
    where: str
    unit: str = "lines"

    @property
    def rows(self) -> Rows:
        """Something of as many rows, for messages on their number."""
        return Rows(cast("list[Any]", range(self.part.count)), self.where, self.unit)


Own = dict[str, _Place]  # column → where a system's rows are


@dataclass
class _Through:
    """Reads everything once.

    Attributes:
        rows: Of a piece at most.
        keep: Bytes of columns that may yet be kept.
        total: Bytes of all files.
        progress: Told of them.
        done: Bytes of the files that were read.
    """

    rows: int
    keep: float
    total: int
    progress: Progress | None
    done: int = 0

    def part(
        self, read: Callable[[bool], Iterator[Columns]], where: str, file: File | None
    ) -> _Part:
        """Read columns through.

        Args:
            read: Reads them in pieces, for the first time or again.
            where: What the user calls them.
            file: That they are in, if it is one.
        """
        kept: list[Columns] | None = []
        count = 0
        for piece in read(False):
            count += _length(piece)
            if self.keep < math.inf and kept is not None:
                self.keep -= sum(map(_size, piece.values()))
            if self.keep < 0:
                kept = None
            if kept is not None:
                kept.append(piece)
            if self.progress and file:
                self.progress(self.done + file.done, self.total)
        self.done += file.size if file else 0
        return _Part(
            count, lambda: _counted(read(True), count, where) if kept is None else iter(kept)
        )

    def texts(self, name: str, file: File) -> Own:
        """A text file as a column."""
        key, where = (0, name), shown(file.path)

        def read(again: bool) -> Iterator[Columns]:
            seen = Seen()
            for lines in lines_of(file, self.rows):
                if not again:
                    seen.add(lines)
                yield {key: lines}
            seen.check_not_lists(where)

        return {name: _Place(self.part(read, where, file), key, where)}

    def tables(
        self,
        pieces: Callable[[int | None], Iterator[Table]],
        choose: Callable[[Table], Sequence[Chosen]],
        where: str,
        file: File | None,
    ) -> list[Own]:
        """Columns of a table.

        Args:
            pieces: Gives it in tables of so many rows.
            choose: From the first of them to the columns that are read, those of each system apart.
            where: What the user calls it.
            file: That it is in, if it is one.
        """
        chosen: list[Chosen] = []

        def read(again: bool) -> Iterator[Columns]:
            for table in pieces(self.rows):
                if not chosen:
                    chosen.extend(choose(table))
                yield {
                    (i, name): found.rows(table, again)
                    for i, own in enumerate(chosen)
                    for name, found in own.items()
                }
            if not again:
                for found in chain.from_iterable(own.values() for own in chosen):
                    found.finish()

        part = self.part(read, where, file)
        if any(found.turned for own in chosen for found in own.values()):
            count = part.count
            part = _Part(count, lambda: _counted(read(True), count, where))
        return [
            {name: _Place(part, (i, name), found.where, "rows") for name, found in own.items()}
            for i, own in enumerate(chosen)
        ]

    def held(self, rows: Mapping[str, Rows]) -> Own:
        """Columns of one length in memory."""
        count = len(next(iter(rows.values())).rows)

        def again() -> Iterator[Columns]:
            for first in range(0, count, self.rows):
                yield {(0, name): of.rows[first : first + self.rows] for name, of in rows.items()}

        part = _Part(count, again)
        return {name: _Place(part, (0, name), of.where, of.unit) for name, of in rows.items()}


def _length(columns: Columns) -> int:
    return len(next(iter(columns.values()), ()))


def _size(rows: Any) -> int:
    """About how many bytes values are in memory."""
    if isinstance(rows, str):
        return 50 + len(rows)
    if isinstance(rows, list):
        plain = set(map(type, rows)) == {str}
        return 50 * len(rows) + sum(map(len, rows)) if plain else 50 + sum(map(_size, rows))
    return _size([*rows, *rows.values()]) if isinstance(rows, dict) else 50


def _counted(pieces: Iterator[Columns], count: int, where: str) -> Iterator[Columns]:
    """As many rows as there were the first time."""
    for piece in pieces:
        count -= _length(piece)
        if count < 0:
            break
        yield piece
    if count:
        raise changed(where)


def _aligned(parts: Sequence[Iterator[Columns]]) -> Iterator[list[Columns]]:
    """Pieces side by side, all as long as the shortest; a piece that is longer is continued."""
    rest: list[Columns] = [{} for _ in parts]
    while True:
        found = [columns or next(part, {}) for columns, part in zip(rest, parts, strict=True)]
        least = min(map(_length, found))
        if not least:
            return
        yield [_cut(columns, 0, least) for columns in found]
        rest = [_cut(columns, least, None) for columns in found]


def _cut(columns: Columns, start: int, end: int | None) -> Columns:
    """Some of the rows; nothing if there are none."""
    n = _length(columns)
    if (start, end) == (0, n):
        return columns
    return {} if start == n else {key: rows[start:end] for key, rows in columns.items()}


def read_columns(request: Request, columns: Sequence[Column]) -> tuple[Table, dict[str, list[Any]]]:
    """The table or dataset of a request, and declared columns of it, as far as they are there.

    Raises:
        InputError: No data, an unknown column, one that is required but missing, or see
            `textsimp.corpora.tables`.
    """
    examples.check_known(request.columns, [column.name for column in columns])
    if request.data is None:
        raise InputError(f"expected a table or dataset{request.advised('give data')}")
    (table,) = _tables(request, request.data)(None)
    chosen: Chosen = {}
    for column in columns:
        chosen |= _found(table, column, request)
    rows = {name: found.rows(table) for name, found in chosen.items()}
    for found in chosen.values():
        found.finish()
    return table, rows


def read_rows(path: str, column: Column) -> Rows:
    """What is structured, from a folder whose files are a row each, or a file with a row per line.

    A folder's files are those that end with ``.xml``, ``.json`` or ``.mrp``, in the order of the
    numbers in their names. A line is the path of such a file, or what it would hold. An ``.xml`` or
    ``.json`` file is a row by itself.

    Raises:
        InputError: No such files, or see `textsimp.core.columns.checked`.
    """
    if Path(path).is_dir():
        rows, unit = [str(file) for file in text_files(path, _ROWS)], "files"
    elif Path(path).suffix.lower() in _ONE:
        rows, unit = [path], "files"
    else:
        rows, unit = read_lines(path), "lines"
    return Rows(columns.checked(column, rows, f"{column.name} in {shown(path)}"), path, unit)


def _declared(readers: Readers) -> dict[str, Column]:
    """Name → column, of all readers: required if one of them needs it."""
    found = {PREDICTIONS.name: PREDICTIONS}
    for column in chain.from_iterable(readers.values()):
        if column.required or column.name not in found:
            found[column.name] = column
    return found


def _check_request(request: Request, readers: Readers, declared: Mapping[str, Column]) -> None:
    """Check what can be checked before anything is read."""
    examples.check_known({**request.columns, **request.files}, list(declared))
    given: dict[str, object] = {
        name: request.files.get(name) or request.data for name, c in declared.items() if not c.own
    }
    given["sources"] = request.sources or request.test_set or request.data
    given["references"] = request.references or request.test_set or request.data
    given["predictions"] = request.systems or request.data
    for reader, needed in readers.items():
        for name in (column.name for column in needed if column.required):
            if not given.get(name, True):
                raise InputError(f"{reader} needs {name}{request.advised(f'give {name}')}")
    of_systems = [system.file for system in request.systems]
    if [request.sources, request.data, *request.references, *of_systems].count(STDIN) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    if request.data is None and None in of_systems:
        raise InputError("data: expected a table with the systems' columns, got none")
    for file in (*filter(None, [request.sources]), *request.references):
        if is_table(file):
            advice = request.advised("give tables")
            raise InputError(f"{file}: expected a text file, one text per line{advice}")
    lacking = [c for c in declared.values() if c.own and c.required and c.name != PREDICTIONS.name]
    for file in filter(None, of_systems):
        if lacking and not is_table(file):
            raise InputError(
                f"{shown(file)}: expected a table, with a column {lacking[0].usual[0]!r} "
                "beside the predictions, got a text file"
            )
    _check_data(request)


def _check_data(request: Request) -> None:
    """Check what is called a table."""
    data = request.data
    if data is None:
        return
    if _is_file(data):
        if request.config is not None or request.split is not None:
            part = request.advice.get("config and split", "config and split")
            raise InputError(f"{shown(data)} is a file: {part} are of a dataset")
    elif Path(data).is_file() or Path(data).suffix.lower() in FILES:
        raise InputError(
            f"{data}: expected a table ({', '.join(TABLES)}) or a dataset"
            f"{request.advised('give texts')}"
        )


def _is_file(data: str) -> bool:
    return data == STDIN or is_table(data)


def _without_folders(request: Request) -> Request:
    """The same with the text files of its folders."""
    references: list[str] = []
    for path in request.references:
        references += map(str, text_files(path)) if Path(path).is_dir() else [path]
    systems: list[System] = []
    for system in request.systems:
        if system.file and not system.name and Path(system.file).is_dir():
            systems += [System(str(path)) for path in text_files(system.file)]
        else:
            systems.append(system)
    return replace(request, references=references, systems=systems)


def _files(request: Request) -> list[str]:
    """Text files and tables, in the order in which they are read."""
    data = request.data if request.data and _is_file(request.data) else None
    systems = (system.file for system in request.systems)
    return list(filter(None, [request.sources, *request.references, *systems, data]))


def _shared_files(request: Request, files: Mapping[str, File], through: _Through) -> Own:
    """Sources and references from text files."""
    shared: Own = {}
    if request.sources:
        shared |= through.texts("sources", files[request.sources])
    if not request.references:
        return shared
    of_files = [
        through.texts("references", files[path])["references"] for path in request.references
    ]
    check_lengths([place.rows for place in (*shared.values(), *of_files)])

    def again() -> Iterator[Columns]:
        for pieces in _aligned([place.part.again() for place in of_files]):
            texts = (piece[place.key] for piece, place in zip(pieces, of_files, strict=True))
            yield {of_files[0].key: list(map(list, zip(*texts, strict=True)))}

    part = _Part(of_files[0].part.count, again)
    return shared | {"references": replace(of_files[0], part=part)}


def _of_file(
    system: System, file: File, request: Request, declared: Mapping[str, Column], through: _Through
) -> tuple[str, Own]:
    """The system of a file."""
    path = str(file.path)
    if is_table(path):
        (own,) = through.tables(
            functools.partial(tables.pieces, file),
            lambda table: [_own(table, system.column, request, declared)],
            path,
            file,
        )
    else:
        own = through.texts("predictions", file)
    return system.name or (shown(path) if path == STDIN else Path(path).stem), own


def _tables(
    request: Request, data: str, file: File | None = None
) -> Callable[[int | None], Iterator[Table]]:
    """The table or dataset of a request, in tables of so many rows."""
    _check_data(request)
    if _is_file(data):
        return functools.partial(tables.pieces, file or data)
    return dataset_pieces(data, request.config, request.split)


def _of_data(
    request: Request,
    data: str,
    files: Mapping[str, File],
    declared: Mapping[str, Column],
    given: Collection[str],
    through: _Through,
) -> tuple[Own, list[tuple[str, Own]]]:
    """What nothing else gives, and systems, from the table that has all columns."""
    pieces = _tables(request, data, files.get(data))
    if request.every and not request.systems:
        names = _others(next(pieces(1)), request, declared)
        request = replace(request, systems=[System(column=name) for name in names])
    systems: list[str] = []

    def choose(table: Table) -> list[Chosen]:
        shared: Chosen = {}
        for name, column in declared.items():
            if not column.own and name not in given:
                shared |= _found(table, column, request)
        of_table = _of_table(table, request, declared)
        systems.extend(name for name, _ in of_table)
        return [shared, *(own for _, own in of_table)]

    shared, *owns = through.tables(pieces, choose, shown(data), files.get(data))
    return shared, list(zip(systems, owns, strict=True))


def _of_table(
    table: Table, request: Request, declared: Mapping[str, Column]
) -> list[tuple[str, Chosen]]:
    """The systems of the table that has all columns."""
    systems = [system for system in request.systems if system.file is None]
    if not request.systems:
        systems = [System(name=Path(table.where).stem)]
    if len(systems) > 1:  # whose would a further column be?
        for name, column in declared.items():
            further = column.own and name != PREDICTIONS.name
            if further and (column.required or name in request.columns):
                raise InputError(
                    f"{table.where} has {len(systems)} systems, but {name} is of one: give each "
                    f"system a table of its own{request.advised('part systems')}"
                )
        declared = {PREDICTIONS.name: PREDICTIONS}
    found = []
    for system in systems:
        asked = system.column or ""
        name, equals, chosen = asked.partition("=")
        if not equals or asked in table.names:
            name = chosen = asked
        found.append((system.name or name, _own(table, chosen, request, declared)))
    return found


def _others(table: Table, request: Request, declared: Mapping[str, Column]) -> list[str]:
    """The columns of texts that are nothing else."""
    known = {SOURCES.name: SOURCES, REFERENCES.name: REFERENCES, **declared}
    taken = {
        used
        for name, column in known.items()
        if name != "predictions"
        for used in request.columns.get(name) or usual_names(table, column)
    }
    found = [
        name
        for name in table.names
        if name not in taken and isinstance(next(iter(table.column(name)), None), str)
    ]
    if not found:
        raise InputError(
            f"{table.where}: expected a column of texts for each system; its columns are "
            f"{', '.join(map(repr, table.names))}"
        )
    return found


def _own(
    table: Table, predictions: str | None, request: Request, declared: Mapping[str, Column]
) -> Chosen:
    """A system's own columns."""
    own: Chosen = {}
    for name, column in declared.items():
        if column.own:
            chosen = [predictions] if name == "predictions" and predictions else None
            own |= _found(table, column, request, chosen)
    return own


def _found(
    table: Table, column: Column, request: Request, names: Sequence[str] | None = None
) -> Chosen:
    """A column, by its name, if the table has it."""
    found = tables.find_column(table, column, names or request.columns.get(column.name, ()))
    if found is None and column.required:
        raise InputError(
            f"{table.where} has no column {column.usual[0]!r}; its columns are "
            f"{', '.join(map(repr, table.names))}{request.advised(f'choose {column.name}')}"
        )
    return {} if found is None else {column.name: found}


def _check_fit(shared: Own, systems: Mapping[str, Own]) -> None:
    """Check that columns fit together."""
    examples.check_complete([], shared, systems)
    order = sorted(shared, key=lambda name: name != SOURCES.name)  # these are named first
    places = [
        *(shared[name] for name in order),
        *chain(*(own.values() for own in systems.values())),
    ]
    check_lengths([place.rows for place in places])
