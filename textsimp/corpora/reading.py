"""Read examples from files, for the command line and the pages."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core import columns, examples
from textsimp.core.columns import bad_row, is_missing
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora import testsets
from textsimp.corpora.datasets import load_dataset
from textsimp.corpora.files import (
    STDIN,
    Rows,
    check_encoding,
    check_lengths,
    note,
    read_lines,
    read_texts,
    shown,
    text_files,
    text_name,
)
from textsimp.corpora.joined_systems import ID, Columns, Part, check_sources, join, select_rows
from textsimp.corpora.request import Request, System
from textsimp.corpora.row_ids import Key, is_id
from textsimp.corpora.tables import (
    FILES,
    TABLES,
    Table,
    is_table,
    read_column,
    read_json_texts,
    read_table,
    usual_names,
    without_empty,
    without_null,
)
from textsimp.support.errors import InputError
from textsimp.support.names import note_alike, trim

Readers = Mapping[str, Sequence[Column]]  # name of a metric, or "report" → its columns


def read(request: Request, readers: Readers) -> Examples:
    """Read and check the columns of examples: files before anything is loaded from the Hub."""
    declared = _declared(readers)
    _check_request(request, readers, declared)
    request = _without_folders(request)
    shared: Columns = {}
    files: list[str] = []
    if request.sources:
        shared["sources"] = _read_file(request.sources, SOURCES, request)
    if request.references:
        lists = [_read_file(path, REFERENCES, request) for path in request.references]
        check_lengths([*shared.values(), *lists])
        rows = [list(chain(*row)) for row in zip(*(one.rows for one in lists), strict=True)]
        shared["references"] = without_empty(replace(lists[0], rows=rows))
        if all(len(row) == len(lists) for row in rows):
            files = [one.where for one in lists]
    for name, path in request.files.items():
        shared[name] = read_rows(path, declared[name])
    of_files = [
        part
        for system in request.systems
        if system.file
        for part in _file_systems(system, system.file, request, declared)
    ]
    if request.test_set is not None:
        sources, references = testsets.load(request.test_set, request.data_dir)
        where = f"test set {request.test_set}"
        shared["sources"] = Rows(sources, where, "sources")
        shared["references"] = Rows(references, where, "sources")
    of_table: list[Part] = []
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
    check_sources(shared, of_files)
    shared = join(shared, gold, parts, request)
    for part in of_table[:1]:  # a long table's
        shared |= {c.name: part.shared[c.name] for c in common if c.name in part.shared}
    examples.check_complete([], shared, systems)
    order = sorted(shared, key=lambda name: name != SOURCES.name)  # these are named first
    own = [rows for columns in systems.values() for rows in columns.values()]
    check_lengths([*(shared[name] for name in order), *own])
    return Examples(_rows(shared), {name: _rows(own) for name, own in systems.items()}, files)


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
    """Read a structured column from a file with a row per line."""
    rows = columns.check_column(column, read_lines(path), f"{column.name} in {shown(path)}")
    return Rows(rows, path)


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
            raise InputError(f"{shown(data)} is a file: --config and --split are of a dataset")
    elif Path(data).is_file() or Path(data).suffix.lower() in FILES:
        if Path(data).is_file():
            check_encoding(data)
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
        references += map(str, text_files(path)) if is_folder else [path]
    systems = [one for system in request.systems for one in systems_in(system)]
    return replace(request, references=references, systems=systems)


def systems_in(system: System) -> list[System]:
    """Return the systems of a folder, its text files, or tables if it has none; or the system."""
    if not system.file or system.name or not Path(system.file).is_dir():
        return [system]
    files = text_files(system.file, TABLES)
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
    return Rows(columns.check_column(column, without_null(rows), path), path, "elements")


def _file_systems(
    system: System, file: str, request: Request, declared: Mapping[str, Column]
) -> list[Part]:
    """Return the system in a file of its own, or the systems of a long table."""
    name = system.name or (shown(file) if file == STDIN else text_name(file))
    if not is_table(file) or read_json_texts(file) is not None:
        return [Part(name, {"predictions": _read_file(file, PREDICTIONS, request)})]
    table = read_table(file)
    several = _part_systems(table, system, request, declared, [SOURCES.optional])
    if several:
        return several
    own, ids = _own_columns(table, system.column, request, declared), _read_ids(table, request)
    return [Part(name, own, {} if ids else _column(table, SOURCES.optional, request), ids=ids)]


def _part_systems(
    table: Table,
    system: System | None,
    request: Request,
    declared: Mapping[str, Column],
    common: Sequence[Column],
) -> list[Part]:
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
        names = [*map(trim, table.column("system"))] if "system" in table.every else []
        is_long = 1 < len({*names}) < len(names) and {*predictions} & {*table.every} - {"system"}
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
        if is_missing(name) or not trim(name):
            raise bad_row(i, f"column {column!r} of {table.where}", "the name of a system", name)
        rows.setdefault(trim(name), []).append(i)
    for text in note_alike("systems", rows):
        note(text)
    ids = _read_ids(table, request)
    return [
        Part(
            name,
            select_rows(columns, own),
            select_rows(shared, own),
            table.where,
            own,
            [ids[i] for i in own] if ids else [],
        )
        for name, own in rows.items()
    ]


def _read_ids(table: Table, request: Request) -> list[Key]:
    """Return the ids of a table's rows; without named ones those of its column ``id``, if any."""
    if request.ids is not None:
        return table.ids(request.ids) if request.ids else []
    files = [system.file for system in request.systems if system.file is not None]
    if ID not in table.every or len(files) + (request.data is not None) < 2:
        return []
    try:
        if any(map(is_id, table.column(ID))):
            return table.ids([ID])
    except InputError as error:
        if all(map(is_table, files)):  # text files' rows have no ids
            raise InputError(f"{error}{request.advised('keep order')}") from None
        return []
    note(f"{table.where}: the column {ID!r} has no texts or whole numbers, so it isn't ids")
    return []


def _read_data(request: Request, data: str) -> Table:
    """Read the table or dataset of a request."""
    if _is_file(data):
        return read_table(data)
    return load_dataset(data, request.config, request.split)


def _table_systems(
    table: Table, request: Request, declared: Mapping[str, Column], ids: list[Key]
) -> list[Part]:
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
        named.append(Part(system.name or name, columns, ids=ids))
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
