"""Examples from files: the one reader of the command line, the pages and the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp import columns, examples
from textsimp.columns import InputError
from textsimp.corpora import testsets
from textsimp.corpora.datasets import load_dataset
from textsimp.corpora.files import (
    STDIN,
    Rows,
    check_lengths,
    read_lines,
    read_references,
    read_texts,
    shown,
    text_files,
)
from textsimp.corpora.tables import (
    FILES,
    TABLES,
    Table,
    is_table,
    read_column,
    read_table,
    usual_names,
)
from textsimp.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.examples import Examples

Readers = Mapping[str, Sequence[Column]]  # who reads which columns: a metric's name, or a report
Own = dict[str, Rows]  # column → a system's rows

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

    Files are read before anything is loaded from the Hub.

    Args:
        request: Where the columns are.
        readers: Who reads which columns: a metric's name → its columns.

    Raises:
        InputError: Nothing that gives a required column, an unknown column, two systems of one
            name, or files that can't be read or don't fit together.
    """
    declared = _declared(readers)
    _check_request(request, readers, declared)
    shared = _shared_files(request)
    shared |= {name: read_rows(path, declared[name]) for name, path in request.files.items()}
    of_files = [list(_of_file(system, request, declared)) for system in request.systems]
    if request.test_set is not None:
        of_set = testsets.load(
            request.test_set, request.data_dir, request.advice.get("data_dir", "data_dir")
        )
        where = f"test set {request.test_set}"
        shared["sources"] = Rows(of_set[0], where, "sources")
        shared["references"] = Rows(of_set[1], where, "sources")
    of_table: list[tuple[str, Own]] = []
    if request.data is not None:
        table = _table(request.data, request)
        for column in declared.values():
            if not column.own and column.name not in shared:
                shared |= _found(table, column, request)
        of_table = _of_table(table, request, declared)
    rest = iter(of_table)
    placed = [found or [next(rest)] for found in of_files]  # in the order of the request
    systems: dict[str, Own] = {}
    for name, own in (*chain(*placed), *rest):
        if name in systems:
            raise InputError(f"two systems are called {name!r}{request.advised('name systems')}")
        systems[name] = own
    return _examples(shared, systems)


def read_columns(request: Request, columns: Sequence[Column]) -> tuple[Table, dict[str, list[Any]]]:
    """The table or dataset of a request, and declared columns of it, as far as they are there.

    Raises:
        InputError: No data, an unknown column, one that is required but missing, or see
            `textsimp.corpora.tables`.
    """
    examples.check_known(request.columns, [column.name for column in columns])
    if request.data is None:
        raise InputError(f"expected a table or dataset{request.advised('give data')}")
    table = _table(request.data, request)
    found: Own = {}
    for column in columns:
        found |= _found(table, column, request)
    return table, {name: rows.rows for name, rows in found.items()}


def read_rows(path: str, column: Column) -> Rows:
    """What is structured, from a folder whose files are a row each, or a file with a row per line.

    A folder's files are those that end with ``.xml``, ``.json`` or ``.mrp``, in the order of the
    numbers in their names. A line is the path of such a file, or what it would hold. An ``.xml`` or
    ``.json`` file is a row by itself.

    Raises:
        InputError: No such files, or see `textsimp.columns.checked`.
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


def _shared_files(request: Request) -> dict[str, Rows]:
    """Sources and references from text files."""
    shared = {}
    for file in (*filter(None, [request.sources]), *request.references):
        if is_table(file):
            advice = request.advised("give tables")
            raise InputError(f"{file}: expected a text file, one text per line{advice}")
    if request.sources:
        shared["sources"] = read_texts(request.sources)
    if request.references:
        shared["references"] = read_references(request.references, shared.get("sources"))
    return shared


def _of_file(
    system: System, request: Request, declared: Mapping[str, Column]
) -> Iterator[tuple[str, Own]]:
    """The system, or the folder of systems, of a file."""
    if system.file is None:
        return
    if not system.name and Path(system.file).is_dir():
        for path in text_files(system.file):
            yield from _of_file(System(str(path)), request, declared)
        return
    usual = shown(STDIN) if system.file == STDIN else Path(system.file).stem
    if is_table(system.file):
        own = _own(read_table(system.file), system.column, request, declared)
    else:
        own = {"predictions": read_texts(system.file)}
        for name, column in declared.items():
            if column.own and column.required and name not in own:
                raise InputError(
                    f"{shown(system.file)}: expected a table, with a column {column.usual[0]!r} "
                    "beside the predictions, got a text file"
                )
    yield system.name or usual, own


def _table(data: str, request: Request) -> Table:
    if data == STDIN or is_table(data):
        if request.config is not None or request.split is not None:
            part = request.advice.get("config and split", "config and split")
            raise InputError(f"{shown(data)} is a file: {part} are of a dataset")
        return read_table(data)
    if Path(data).is_file() or Path(data).suffix.lower() in FILES:
        raise InputError(
            f"{data}: expected a table ({', '.join(TABLES)}) or a dataset"
            f"{request.advised('give texts')}"
        )
    return load_dataset(data, request.config, request.split)


def _of_table(
    table: Table, request: Request, declared: Mapping[str, Column]
) -> list[tuple[str, Own]]:
    """The systems of the table that has all columns."""
    systems = [system for system in request.systems if system.file is None]
    if not request.systems and request.every:
        systems = [System(column=name) for name in _others(table, request, declared)]
    elif not request.systems:
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
        name for name in table.names if name not in taken and isinstance(table.column(name)[0], str)
    ]
    if not found:
        raise InputError(
            f"{table.where}: expected a column of texts for each system; its columns are "
            f"{', '.join(map(repr, table.names))}"
        )
    return found


def _own(
    table: Table, predictions: str | None, request: Request, declared: Mapping[str, Column]
) -> Own:
    """A system's own columns."""
    own: Own = {}
    for name, column in declared.items():
        if column.own:
            chosen = [predictions] if name == "predictions" and predictions else None
            own |= _found(table, column, request, chosen)
    return own


def _found(
    table: Table, column: Column, request: Request, names: Sequence[str] | None = None
) -> Own:
    """A column, by its name, if the table has it."""
    rows = read_column(table, column, names or request.columns.get(column.name, ()))
    if rows is None and column.required:
        raise InputError(
            f"{table.where} has no column {column.usual[0]!r}; its columns are "
            f"{', '.join(map(repr, table.names))}{request.advised(f'choose {column.name}')}"
        )
    return {} if rows is None else {column.name: rows}


def _examples(shared: Mapping[str, Rows], systems: Mapping[str, Own]) -> Examples:
    """Columns that fit together."""
    examples.check_complete([], shared, systems)
    order = sorted(shared, key=lambda name: name != SOURCES.name)  # these are named first
    check_lengths(
        [*(shared[name] for name in order), *chain(*(s.values() for s in systems.values()))]
    )
    return Examples(
        {name: rows.rows for name, rows in shared.items()},
        {name: {key: rows.rows for key, rows in own.items()} for name, own in systems.items()},
    )
