"""Read examples from files: text files, tables and datasets, whose rows are brought into one order.

Errors have a code, from which a command or page says what to type instead, see `advise`.
"""

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from textsimp.core import columns, examples
from textsimp.core.columns import bad_row, is_missing
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora import testsets
from textsimp.corpora.datasets import load_dataset
from textsimp.corpora.joins import ID, SystemColumns, join
from textsimp.corpora.logs import find_logs, read_log_or_table
from textsimp.corpora.row_ids import Key, Missing, is_id
from textsimp.corpora.tables import Table, read_column, read_json_texts, usual_names
from textsimp.corpora.text_files import (
    FILES,
    LOG,
    STDIN,
    TABLES,
    Rows,
    check_encoding,
    check_lengths,
    is_table,
    read_lines,
    read_texts,
    shown,
    text_files,
    text_name,
    without_empty,
    without_null,
)
from textsimp.support.errors import InputError, listed
from textsimp.support.names import note_alike, trim
from textsimp.support.progress import note

__all__ = ["System", "parse_system", "read"]

Readers = Mapping[str, Sequence[Column]]
"""Name of a metric, or of a command → the columns that it reads."""
Names = Mapping[str, Sequence[str]]
"""Declared column → its names in tables, where they aren't the usual ones."""


class System(NamedTuple):
    """The place of a system's predictions; a table may have its other columns, too."""

    file: str | None = None  # or a folder of systems; None for the table with the other columns
    column: str | None = None  # of predictions; in that table it may be NAME=COLUMN
    name: str = ""  # by default that of its file or column


def parse_system(argument: str) -> System:
    """Read NAME=FILE, or a file alone."""
    name, equals, file = argument.partition("=")
    if equals and name and file and not os.path.exists(argument):
        return System(file, name=name)
    return System(argument)


def systems_in(system: System) -> list[System]:
    """Return the systems of a folder, its text files, or tables if it has none; or the system."""
    if not system.file or system.name or not Path(system.file).is_dir():
        return [system]
    return [system._replace(file=str(path)) for path in text_files(system.file, (*TABLES, LOG))]


def references_in(paths: Sequence[str | Path]) -> list[str]:
    """Return the files of references, those of a folder one by one."""
    files: list[str] = []
    for path in paths:
        files += map(str, text_files(path)) if Path(path).is_dir() else [str(path)]
    return files


def parse_column(argument: str, names: Sequence[str]) -> tuple[str, str]:
    """Read NAME=COLUMN, or a column alone, of a table that has columns of these names."""
    name, equals, column = argument.partition("=")
    return (name, column) if equals and argument not in names else (argument, argument)


def read(
    readers: Readers,
    *,
    sources: str | None = None,
    references: Sequence[str] = (),
    test_set: str | None = None,
    data_dir: str | None = None,
    data: str | None = None,
    config: str | None = None,
    split: str | None = None,
    systems: Sequence[System] = (),
    system_column: str | None = None,
    ids: Sequence[str] | None = None,
    missing: Missing | None = None,
    every: bool = False,
    names: Names | None = None,
    files: Mapping[str, str] | None = None,
) -> Examples:
    """Read and check the columns of examples; ``"-"`` is standard input.

    Systems in files come first. Without any, the data's usual column of predictions is one.

    Args:
        readers: What reads the examples, and which columns.
        sources: Text file.
        references: Text files, or folders of them.
        test_set: Sources and references, instead of both.
        data_dir: Folder of the test set.
        data: Table or dataset with all other columns; or logs of models, see `find_logs`.
        config: Configuration of the dataset.
        split: Split of the dataset.
        systems: The places of predictions.
        system_column: The column that names the system of each row; ``""`` for none. Default:
            ``system``, if it has several names.
        ids: Columns that join tables. Default: ``id``, if all tables have it.
        missing: What becomes of ids that a system lacks. Default: an error.
        every: Without systems, whether all further columns of texts of the data are systems.
        names: Declared column → its names in tables.
        files: Declared column → a file with a row per line.
    """
    names, files = names or {}, files or {}
    declared = declare(readers)
    examples.check_names({**names, **files}, [*declared])
    if data is None:
        places = {"sources": sources or test_set, "references": references or test_set}
        check_needs(readers, {**places, "predictions": systems, **files})
    reference_paths = references_in(references)
    systems = [place for system in systems for place in systems_in(system)] or [System()]
    logs = [] if data is None else find_logs(data)
    if logs:
        data = logs[-1]
        systems = [*map(System, logs[:-1]), *systems]
    system_files = [system.file for system in systems if system.file]
    if [sources, data, *reference_paths, *system_files].count(STDIN) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    if ids is None and len(system_files) + (data is not None) < 2:
        ids = []  # there is nothing to join
    own = [column for column in declared.values() if column.own]
    tables = Tables(own, names, system_column, ids, all(map(is_table, system_files)))
    parts = [part for system in systems if system.file for part in tables.read_file(system)]
    shared, reference_files = _read_texts(sources, reference_paths)
    for name, path in files.items():
        cells = columns.check_column(declared[name], read_lines(path), f"{name} in {shown(path)}")
        shared[name] = Rows(cells, path)
    if test_set is not None:
        test_sources, test_references = testsets.load(test_set, data_dir)
        shared["sources"] = Rows(test_sources, f"test set {test_set}", "sources")
        shared["references"] = Rows(test_references, f"test set {test_set}", "sources")
    without_ids = [*filter(None, [sources, test_set, *reference_paths, *files.values()])]
    gold: Sequence[Key] = ()
    if data is not None:
        table = load_table(data, config, split)
        outputs = [system for system in systems if not system.file]
        common = [c for name, c in declared.items() if not c.own and name not in shared]
        in_table, gold, in_data = tables.read_data(table, outputs, common, every)
        shared |= in_table
        parts += in_data
        without_ids += [data] if ids is None and not gold else []
    where = shown(data or parts[0].name)
    shared, parts, kept = join(shared, gold, parts, where, [*map(shown, without_ids)], ids, missing)
    numbers = [i + 1 for i in kept] if missing == "skip" else []
    return replace(check_examples(shared, parts, reference_files), numbers=numbers)


def check_examples(
    shared: Mapping[str, Rows], parts: Sequence[SystemColumns], reference_files: Sequence[str]
) -> Examples:
    """Return the examples, after a check that columns are complete and of equal length."""
    shared = {**shared}
    for part in parts:
        shared = {**shared, **{n: rows for n, rows in part.shared.items() if n not in shared}}
    systems = {part.name: part.own for part in parts}
    examples.check_complete([], shared, systems)
    order = sorted(shared, key=lambda name: name != SOURCES.name)  # these are named first
    own = [rows for columns in systems.values() for rows in columns.values()]
    check_lengths([*(shared[name] for name in order), *own])
    return Examples(
        {name: rows.rows for name, rows in shared.items()},
        {name: {n: rows.rows for n, rows in columns.items()} for name, columns in systems.items()},
        reference_files,
    )


def declare(readers: Readers) -> dict[str, Column]:
    """Return name → column of all readers, required if any reader needs it.

    Predictions are read for all readers, unless a reader needs another column of systems.
    """
    others = any(
        c.own and c.required and c.name != PREDICTIONS.name for c in chain(*readers.values())
    )
    declared = {} if others else {PREDICTIONS.name: PREDICTIONS}
    for column in chain.from_iterable(readers.values()):
        if column.required or column.name not in declared:
            declared[column.name] = column
    return declared


def check_needs(readers: Readers, places: Mapping[str, object]) -> None:
    """Check that each required column has a place, before any file is read."""
    for reader, declared in readers.items():
        for column in declared:
            place = places["predictions"] if column.own else places.get(column.name)
            if column.required and not place:
                raise InputError(f"{reader} needs {column.name}", f"give {column.name}")


def load_table(data: str, config: str | None, split: str | None) -> Table:
    """Read a table or dataset."""
    if data == STDIN or is_table(data):
        if config is not None or split is not None:
            raise InputError(f"{shown(data)} is a file: --config and --split are of a dataset")
        return read_log_or_table(data)
    if Path(data).is_file() or Path(data).suffix.lower() in FILES:
        if Path(data).is_file():
            check_encoding(data)
        raise InputError(f"{data}: expected a table ({', '.join(TABLES)}) or a dataset", "texts")
    return load_dataset(data, config, split)


def _read_texts(
    sources: str | None, references: Sequence[str]
) -> tuple[dict[str, Rows], list[str]]:
    """Return sources and references of text files, and the file of each reference."""
    shared = {"sources": _read_file(sources, SOURCES)} if sources else {}
    if not references:
        return shared, []
    lists = [_read_file(path, REFERENCES) for path in references]
    check_lengths([*shared.values(), *lists])
    rows = [*map(list, zip(*(column.rows for column in lists), strict=True))]
    if not all(isinstance(column.rows[0], str) for column in lists):  # JSON has lists
        rows = [[*chain(*([x] if isinstance(x, str) else x for x in row))] for row in rows]
    shared["references"] = without_empty(replace(lists[0], rows=rows))
    single = {*map(len, rows)} == {len(lists)}
    return shared, [column.where for column in lists] if single else []


def _read_file(path: str, column: Column) -> Rows:
    """Read a column of texts from a text file, or a column from a JSON list."""
    if is_table(path):
        rows = read_json_texts(path)
        if rows is None:
            raise InputError(f"{path}: expected a text file, one text per line", "tables")
        return Rows(columns.check_column(column, without_null(rows), path), path, "elements")
    return read_texts(path)


def read_columns(
    table: Table,
    declared: Iterable[Column],
    names: Names,
    predictions: str | None = None,
    say: Callable[[str], None] = note,
) -> dict[str, Rows]:
    """Read the declared columns that a table has: by their names, or by the usual ones."""
    named = {**names, PREDICTIONS.name: [predictions]} if predictions else names
    read: dict[str, Rows] = {}
    for column in declared:
        rows = read_column(table, column, named.get(column.name, ()), say=say)
        if rows is not None:
            read[column.name] = rows
        elif column.required:
            usual = column.usual_names[0]
            raise table.without(usual, code=f"choose {column.name}")
    return read


@dataclass(frozen=True)
class Tables:
    """How systems are read from tables."""

    own: Sequence[Column]  # that systems have
    names: Names
    system_column: str | None
    ids: Sequence[str] | None
    tables_only: bool  # whether all systems in files are in tables
    say: Callable[[str], None] = note

    def read_file(self, system: System) -> list[SystemColumns]:
        """Return the system in a file of its own, or the systems of a long table."""
        file = str(system.file)
        name = system.name or (shown(file) if file == STDIN else text_name(file))
        if not is_table(file) or read_json_texts(file) is not None:
            for column in self.own:
                if column.required and column.name != PREDICTIONS.name:
                    raise InputError(
                        f"{shown(file)}: expected a table, with a column "
                        f"{column.usual_names[0]!r} beside the predictions, got a text file"
                    )
            return [SystemColumns(name, {PREDICTIONS.name: _read_file(file, PREDICTIONS)})]
        table = read_log_or_table(file)
        name = system.name or table.system or name
        long = self.split(table, [system], [])
        if long:
            return long
        ids = self.read_ids(table)
        own = read_columns(table, self.own, self.names, system.column)
        sources = self.read_sources(table)
        return [SystemColumns(name, own, sources, ids=ids, unordered=table.unordered)]

    def read_data(
        self, table: Table, outputs: Sequence[System], shared: Sequence[Column], every: bool
    ) -> tuple[dict[str, Rows], Sequence[Key], list[SystemColumns]]:
        """Return shared columns, their ids and the systems of the table that has the gold."""
        long = self.split(table, outputs, shared)
        if long:
            return {}, (), long
        gold = read_columns(table, shared, self.names, say=self.say)
        ids = self.read_ids(table)
        if every and outputs == [System()]:
            outputs = self.find_outputs(table, shared)
        own = self.own if len(outputs) < 2 else [PREDICTIONS]
        for column in self.own:
            is_asked = column.required or column.name in self.names
            if is_asked and column.name not in (c.name for c in own):  # whose would it be?
                raise InputError(
                    f"{table.where} has {len(outputs)} systems, but {column.name} is of one: give "
                    "each system a table of its own",
                    "part systems",
                )
        systems = []
        for output in outputs:
            name, predictions = parse_column(output.column or "", table.names)
            name = output.name or name or table.system or Path(table.where).stem
            own_rows = read_columns(table, own, self.names, predictions, self.say)
            systems.append(SystemColumns(name, own_rows, ids=None))
        return gold, ids, systems

    def find_outputs(self, table: Table, shared: Sequence[Column]) -> list[System]:
        """Return the columns of texts that no declared column stands for."""
        others = [SOURCES, REFERENCES, *shared, *self.own]
        others = [column for column in others if column.name != PREDICTIONS.name]
        named = [self.names.get(column.name) or usual_names(table, column) for column in others]
        outputs = [
            System(column=name)
            for name in table.names
            if name not in chain(*named) and isinstance(next(iter(table.column(name)), None), str)
        ]
        if not outputs:
            raise InputError(
                f"{table.where}: expected a column of texts for each system; its columns are "
                f"{listed(table.names)}"
            )
        return outputs

    def split(
        self, table: Table, outputs: Sequence[System], shared: Sequence[Column]
    ) -> list[SystemColumns]:
        """Return the systems of a long table, which has a row for each source and system."""
        name_column = self.find_system_column(table, outputs)
        if name_column is None:
            return []
        own = read_columns(table, self.own, self.names, outputs[0].column)
        common = read_columns(table, shared, self.names)
        sources = common.get(SOURCES.name) or self.read_sources(table)
        rows: dict[str, list[int]] = {}
        for i, name in enumerate(table.column(name_column)):
            if is_missing(name) or not trim(name):
                where = f"column {name_column!r} of {table.where}"
                raise bad_row(i, where, "the name of a system", name)
            rows.setdefault(trim(name), []).append(i)
        for text in note_alike("systems", rows):
            note(text)
        ids = self.read_ids(table)
        whole = SystemColumns("", own, sources, common, ids, table.where, name_column)
        return [whole.select(name, numbers) for name, numbers in rows.items()]

    def find_system_column(self, table: Table, outputs: Sequence[System]) -> str | None:
        """Return the column that names the system of each row, if a table is long.

        A table is long if it has ``system_column``. Unless that is given, it is long if its column
        ``system`` has two or more names, and fewer than rows, beside one of predictions.
        """
        if self.system_column == "" or not outputs:
            return None
        column = outputs[0].column or ""
        if self.system_column is None:
            names = self.systems_of_rows(table, outputs)
            if not 1 < len({*names}) < len(names):
                return None
        name_column = self.system_column or "system"
        if len(outputs) > 1 or outputs[0].name or "=" in column:
            raise InputError(
                f"{table.where} has a system in each row, by the column {name_column!r}: expected "
                "one column of predictions, without a name"
            )
        return name_column

    def systems_of_rows(self, table: Table, outputs: Sequence[System]) -> list[str]:
        """Return the column ``system`` of a table that has it beside predictions, or nothing."""
        if len(outputs) != 1 or "system" not in table.every:
            return []
        column = outputs[0].column or ""
        predictions = [column, column.partition("=")[2]] if column else []
        predictions = predictions or usual_names(table, PREDICTIONS)
        if ({*table.every} - {"system"}).isdisjoint(predictions):
            return []
        return [*map(trim, table.column("system"))]

    def read_ids(self, table: Table) -> list[Key]:
        """Return the ids of a table's rows; without named ones those of its column ``id``."""
        if self.ids is not None:
            return table.ids(self.ids) if self.ids else []
        if ID not in table.every:
            return []
        try:
            if any(map(is_id, table.column(ID))):
                return table.ids([ID])
        except InputError as error:
            if self.tables_only:  # text files' rows have no ids
                raise InputError(str(error), "keep order") from None
            return []
        self.say(f"{table.where}: the column {ID!r} has no texts or whole numbers, so it isn't ids")
        return []

    def read_sources(self, table: Table) -> Rows | None:
        """Return the sources that a table of outputs has, if any: named ones may be of the gold."""
        named = [name for name in self.names.get(SOURCES.name, ()) if name in table.every]
        return read_column(table, SOURCES.optional, named)
