"""Read examples from files, for the command line and the pages."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core import columns, examples
from textsimp.core.columns import bad_row, is_missing
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora import row_ids, testsets
from textsimp.corpora.datasets import load_dataset
from textsimp.corpora.files import (
    STDIN,
    Rows,
    check_lengths,
    note,
    read_lines,
    read_texts,
    shown,
    text_files,
    text_name,
)
from textsimp.corpora.row_ids import Key, Missing
from textsimp.corpora.tables import (
    FILES,
    TABLES,
    Table,
    is_table,
    read_column,
    read_json_texts,
    read_table,
    usual_names,
)
from textsimp.support.errors import InputError, listed

Readers = Mapping[str, Sequence[Column]]  # name of a metric, or "report" → its columns
Columns = dict[str, Rows]  # declared column → its rows

_ID = "id"  # the usual column of ids
_ROWS = (".json", ".mrp")  # files of a folder that are a row each


@dataclass(frozen=True)
class System:
    """The place of a system's predictions; a table may have its other columns, too."""

    file: str | None = None  # or a folder of systems; None for the table of the request
    column: str | None = None  # of predictions; in the table of the request it may be NAME=COLUMN
    name: str = ""  # of the system; by default that of its file or column


@dataclass(frozen=True)
class Request:
    """The places of the columns of examples. ``"-"`` is standard input.

    Systems in files come first. Without any, the data's usual column of predictions is one.
    """

    sources: str | None = None
    references: Sequence[str] = ()  # text files, or folders of them
    test_set: str | None = None  # instead of both
    data_dir: str | None = None  # of the test set
    data: str | None = None  # a table or dataset with all other columns
    config: str | None = None
    split: str | None = None
    systems: Sequence[System] = ()
    system_column: str | None = None  # of a long table, see `_part_systems`; "": none is one
    ids: Sequence[str] | None = None  # columns that join tables; None: "id", if all have it
    missing: Missing | None = None  # what becomes of ids that a system lacks; None: an error
    every: bool = False  # without systems, all further columns of texts of the data are systems
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)  # unusual names in tables
    files: Mapping[str, str] = field(default_factory=dict)  # column → its place for `read_rows`
    advice: Mapping[str, str] = field(default_factory=dict)  # topic → the end of messages

    def advised(self, topic: str) -> str:
        """Return the end of a message."""
        return self.advice.get(topic, "")


def read(request: Request, readers: Readers) -> Examples:
    """Read and check the columns of examples: files before anything is loaded from the Hub."""
    declared = _declared(readers)
    _check_request(request, readers, declared)
    request = _without_folders(request)
    shared: Columns = {}
    if request.sources:
        shared["sources"] = _read_file(request.sources, SOURCES, request)
    if request.references:
        lists = [_read_file(path, REFERENCES, request) for path in request.references]
        check_lengths([*shared.values(), *lists])
        rows = [list(chain(*row)) for row in zip(*(one.rows for one in lists), strict=True)]
        shared["references"] = replace(lists[0], rows=rows)
    for name, path in request.files.items():
        shared[name] = read_rows(path, declared[name])
    of_files = [
        part
        for system in request.systems
        if system.file
        for part in _file_systems(system, system.file, request, declared)
    ]
    if request.test_set is not None:
        data_dir = request.advice.get("data_dir", "data_dir")
        sources, references = testsets.load(request.test_set, request.data_dir, data_dir)
        where = f"test set {request.test_set}"
        shared["sources"] = Rows(sources, where, "sources")
        shared["references"] = Rows(references, where, "sources")
    of_table: list[_Part] = []
    common: list[Column] = []
    gold: list[Key] = []
    if request.data is not None:
        table = _read_data(request, request.data)
        common = [c for name, c in declared.items() if not c.own and name not in shared]
        of_table = _part_systems(table, None, request, declared, [*common, SOURCES.optional])
        if not of_table:
            for column in common:
                shared |= _column(table, column, request)
            gold = _read_ids(table, request)
            of_table = _table_systems(table, request, declared, gold)
    parts = [*of_files, *of_table]
    systems: dict[str, Columns] = {}
    for part in parts:
        if part.name in systems:
            advice = request.advised("name systems")
            raise InputError(f"two systems are called {part.name!r}{advice}")
        systems[part.name] = part.columns
    shared = _join(shared, gold, parts, request)
    for part in of_table[:1]:  # a long table's
        shared |= {c.name: part.shared[c.name] for c in common if c.name in part.shared}
    examples.check_complete([], shared, systems)
    order = sorted(shared, key=lambda name: name != SOURCES.name)  # these are named first
    own = [rows for columns in systems.values() for rows in columns.values()]
    check_lengths([*(shared[name] for name in order), *own])
    return Examples(_rows(shared), {name: _rows(own) for name, own in systems.items()})


def _rows(columns: Columns) -> dict[str, list[Any]]:
    return {name: column.rows for name, column in columns.items()}


def read_columns(request: Request, columns: Sequence[Column]) -> tuple[Table, dict[str, list[Any]]]:
    """Read the table or dataset of a request, and the declared columns that it has."""
    examples.check_names(request.columns, [column.name for column in columns])
    if request.data is None:
        raise InputError(f"expected a table or dataset{request.advised('give data')}")
    _check_data(request)
    table = _read_data(request, request.data)
    named: Columns = {}
    for column in columns:
        named |= _column(table, column, request)
    return table, _rows(named)


def read_rows(path: str, column: Column) -> Rows:
    """Read a structured column from a folder with a file per row, or a file with a line per row.

    A line is the path of a file, or its contents. A ``.json`` file is the only row.
    """
    if Path(path).is_dir():
        rows, unit = [str(file) for file in text_files(path, _ROWS)], "files"
    elif Path(path).suffix.lower() == ".json":
        rows, unit = [path], "files"
    else:
        rows, unit = read_lines(path), "lines"
    return Rows(columns.check_column(column, rows, f"{column.name} in {shown(path)}"), path, unit)


def _declared(readers: Readers) -> dict[str, Column]:
    """Return name → column of all readers: required if one of them needs it.

    Predictions are read for all readers, unless one needs another column of systems.
    """
    others = any(
        c.own and c.required and c.name != PREDICTIONS.name for c in chain(*readers.values())
    )
    declared = {} if others else {PREDICTIONS.name: PREDICTIONS}
    for column in chain.from_iterable(readers.values()):
        if column.required or column.name not in declared:
            declared[column.name] = column
    return declared


def _check_request(request: Request, readers: Readers, declared: Mapping[str, Column]) -> None:
    """Check a request before anything is read."""
    examples.check_names({**request.columns, **request.files}, list(declared))
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
    lacking = [c for c in declared.values() if c.own and c.required and c.name != PREDICTIONS.name]
    for file in filter(None, of_systems):
        if lacking and not is_table(file):
            raise InputError(
                f"{shown(file)}: expected a table, with a column {lacking[0].usual_names[0]!r} "
                "beside the predictions, got a text file"
            )
    _check_data(request)


def _check_data(request: Request) -> None:
    """Check the name of the table or dataset."""
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
    """Replace folders by their files."""
    references: list[str] = []
    for path in request.references:
        is_folder = Path(path).is_dir()
        references += map(str, text_files(path, numbered=True)) if is_folder else [path]
    systems = [one for system in request.systems for one in systems_in(system)]
    return replace(request, references=references, systems=systems)


def systems_in(system: System) -> list[System]:
    """Return the systems of a folder, its text files, or tables if it has none; or the system."""
    if not system.file or system.name or not Path(system.file).is_dir():
        return [system]
    files = text_files(system.file, otherwise=TABLES)
    return [replace(system, file=str(path)) for path in files]


def _read_file(path: str, column: Column, request: Request) -> Rows:
    """Read a column from a text file, or from a JSON list."""
    rows = read_json_texts(path)
    if rows is None:
        if is_table(path):
            advice = request.advised("give tables")
            raise InputError(f"{path}: expected a text file, one text per line{advice}")
        texts = read_texts(path)
        return texts if column.kind == "text" else replace(texts, rows=[[t] for t in texts.rows])
    return Rows(columns.check_column(column, rows, path), path, "elements")


@dataclass(frozen=True)
class _Part:
    """A system's columns."""

    name: str
    columns: Columns
    shared: Columns = field(default_factory=dict)  # its rows of those that systems share
    table: str = ""  # the name of its long table in messages
    rows: Sequence[int] = ()  # its rows there
    ids: list[Key] = field(default_factory=list)  # of its rows, if its table has ids


def _file_systems(
    system: System, file: str, request: Request, declared: Mapping[str, Column]
) -> list[_Part]:
    """Return the system in a file of its own, or the systems of a long table."""
    name = system.name or (shown(file) if file == STDIN else text_name(file))
    if not is_table(file) or read_json_texts(file) is not None:
        return [_Part(name, {"predictions": _read_file(file, PREDICTIONS, request)})]
    table = read_table(file)
    return _part_systems(table, system, request, declared, [SOURCES.optional]) or [
        _Part(
            name,
            _own_columns(table, system.column, request, declared),
            ids=_read_ids(table, request),
        )
    ]


def _part_systems(
    table: Table,
    system: System | None,
    request: Request,
    declared: Mapping[str, Column],
    common: Sequence[Column],
) -> list[_Part]:
    """Return the systems of a long table, which has a row for each source and system.

    A table is long if it has ``request.system_column``. Unless that is given, it is long if its
    column ``system`` has two or more names, and fewer than rows, beside one of predictions.
    """
    column = request.system_column
    inside = [system] if system else [one for one in request.systems if one.file is None]
    asked = inside[0] if inside else System()
    if column == "" or (request.systems and not inside):
        return []
    if column is None:
        chosen = [asked.column, asked.column.partition("=")[2]] if asked.column else None
        predictions = chosen or usual_names(table, PREDICTIONS)
        names = [*map(str, table.column("system"))] if "system" in table.names else []
        is_long = 1 < len({*names}) < len(names) and {*predictions} & {*table.names} - {"system"}
        if not is_long or len(inside) > 1:
            return []
        column = "system"
    if len(inside) > 1 or asked.name or (asked.column or "").partition("=")[1]:
        raise InputError(
            f"{table.where} has a system in each row, by the column {column!r}: expected one "
            "column of predictions, without a name"
        )
    columns = _own_columns(table, asked.column, request, declared)
    shared: Columns = {}
    for one in common:
        shared |= _column(table, one, request)
    rows: dict[str, list[int]] = {}
    for i, name in enumerate(table.column(column)):
        if is_missing(name):
            raise bad_row(i, f"column {column!r} of {table.where}", "the name of a system", name)
        rows.setdefault(str(name), []).append(i)
    ids = _read_ids(table, request)
    return [
        _Part(
            name,
            _select_rows(columns, own),
            _select_rows(shared, own),
            table.where,
            own,
            [ids[i] for i in own] if ids else [],
        )
        for name, own in rows.items()
    ]


def _select_rows(columns: Columns, rows: Sequence[int]) -> Columns:
    return {
        name: replace(column, rows=[column.rows[i] for i in rows])
        for name, column in columns.items()
    }


def _read_ids(table: Table, request: Request) -> list[Key]:
    """Return the ids of a table's rows; without named ones those of its column ``id``, if any."""
    if request.ids is not None:
        return table.ids(request.ids) if request.ids else []
    files = sum(system.file is not None for system in request.systems)
    try:
        joined = _ID in table.names and files + (request.data is not None) > 1
        return table.ids([_ID]) if joined else []
    except InputError:  # numbers or lists, which aren't ids
        return []


def _join(shared: Columns, gold: list[Key], parts: Sequence[_Part], request: Request) -> Columns:
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
        note(f"rows are joined by the column {_ID!r} of all files{request.advised('keep order')}")
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
    return _select_rows(shared, kept)


def _source_keys(parts: Sequence[_Part], sources: Rows | None, advice: str) -> dict[str, list[Key]]:
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


def _check_alike(parts: Sequence[_Part]) -> None:
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


def _read_data(request: Request, data: str) -> Table:
    """Read the table or dataset of a request."""
    if _is_file(data):
        return read_table(data)
    return load_dataset(data, request.config, request.split)


def _table_systems(
    table: Table, request: Request, declared: Mapping[str, Column], ids: list[Key]
) -> list[_Part]:
    """Return the systems of the table of the request."""
    systems = [system for system in request.systems if system.file is None]
    if request.every and not request.systems:
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
    named = []
    for system in systems:
        name, predictions = named_column(system.column or "", table.names)
        columns = _own_columns(table, predictions, request, declared)
        named.append(_Part(system.name or name, columns, ids=ids))
    return named


def named_column(argument: str, names: Sequence[str]) -> tuple[str, str]:
    """Read NAME=COLUMN, or a column alone, of a table that has columns of these names."""
    name, equals, column = argument.partition("=")
    return (name, column) if equals and argument not in names else (argument, argument)


def _others(table: Table, request: Request, declared: Mapping[str, Column]) -> list[str]:
    """Return the columns of texts that have no other meaning."""
    declared = {SOURCES.name: SOURCES, REFERENCES.name: REFERENCES, **declared}
    others = {
        own_name
        for name, column in declared.items()
        if name != "predictions"
        for own_name in request.columns.get(name) or usual_names(table, column)
    }
    names = [
        name
        for name in table.names
        if name not in others and isinstance(next(iter(table.column(name)), None), str)
    ]
    if not names:
        raise InputError(
            f"{table.where}: expected a column of texts for each system; its columns are "
            f"{', '.join(map(repr, table.names))}"
        )
    return names


def _own_columns(
    table: Table, predictions: str | None, request: Request, declared: Mapping[str, Column]
) -> Columns:
    """Read a system's own columns."""
    own: Columns = {}
    for name, column in declared.items():
        if column.own:
            names = [predictions] if name == "predictions" and predictions else None
            own |= _column(table, column, request, names)
    return own


def _column(
    table: Table, column: Column, request: Request, names: Sequence[str] | None = None
) -> Columns:
    """Read a column by its name, if the table has it."""
    rows = read_column(table, column, names or request.columns.get(column.name, ()))
    if rows is None and column.required:
        raise table.without(column.usual_names[0], request.advised(f"choose {column.name}"))
    return {} if rows is None else {column.name: rows}
