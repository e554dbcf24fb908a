"""Texts that the options of `data_options` name: read whole, or of shards in batches."""

import gc
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

from textsimp.cli.data_arguments import File, Files, expand, run_columns
from textsimp.core.declarations import Column
from textsimp.core.examples import Examples, check_names
from textsimp.core.run_sample import run_names
from textsimp.corpora import reading, shards, text_files
from textsimp.corpora.reading import Readers, System, parse_system, systems_in
from textsimp.corpora.shards import Batch
from textsimp.corpora.tables import Table
from textsimp.corpora.text_files import is_table
from textsimp.scoring.systems import check_run_names
from textsimp.support.errors import InputError, advise
from textsimp.support.progress import note

__all__ = ["read_columns", "read_data"]

_GIVE = {
    "sources": ": give -s FILE, -t TEST_SET, or -d DATA with --source-column",
    "predictions": ": give -p FILE, or -d DATA with --prediction-column",
    "references": ": give -r FILE, -t TEST_SET, or -d DATA with --reference-column",
}
_ADVICE = {
    "names": ": name them, as in -p NAME=FILE",
    "part systems": ", as in -p NAME=FILE",
    "keep order": "; --id '' takes rows in their order",
    "give ids": "; give gold by -d TABLE, and systems by -p TABLE",
    "lost lines": "; to find lost lines, append empty ones and run `textsimp check`",
    "missing rows": "; --missing empty and --missing skip go on without",
    "pool systems": "; --system-column '' takes all rows as one system's",
    "tables": "; tables are given by -d",
    "texts": " after -d; text files are given by -s, -p and -r",
}
"""Code of an error → the end of its message."""

_OF_WHOLE_TABLES = {
    "test_set": "--test-set",
    "system_column": "--system-column",
    "ids": "--id",
    "missing": "--missing",
}


def read_data(readers: Readers, files: Files, *, with_runs: bool = False) -> Examples:
    """Read all examples; systems may have several runs only ``with_runs``."""
    if files.shards:
        whole = text_files.only_file(files.shards)
        of_texts = files.shards == files.sources
        files = expand(replace(files, sources=whole) if of_texts else replace(files, data=whole))
    if not gc.get_freeze_count():  # modules stay; looking for garbage in them takes a tenth second
        gc.freeze()
    names = parse_names(files)
    systems, runs = parse_systems(files)
    for name in runs if not with_runs else ():
        raise InputError(
            f"{name} has several files, as its runs, which only score, compare, explain, report, "
            "figure and check take. Give each file a name of its own"
        )
    declared = [*chain.from_iterable(readers.values())]
    paths: dict[str, str] = {}
    for name in {column.name for column in declared if column.read} & {*names}:
        if len(names[name]) == 1 and (not files.data or os.path.exists(names[name][0])):
            (paths[name],) = names.pop(name)
    _check_options(files, names, systems)
    with advise(_list_advice(declared)):
        examples = reading.read(
            readers,
            sources=str(files.sources) if files.sources else None,
            references=[*map(str, files.references)],
            test_set=files.test_set,
            data_dir=str(files.data_dir) if files.data_dir else None,
            data=str(files.data) if files.data else None,
            config=files.config,
            split=files.split,
            systems=systems,
            system_column=files.system_column,
            ids=[name for name in files.ids if name] if files.ids else None,
            missing=files.missing,
            names=names,
            files=paths,
        )
    return replace(examples, runs=runs)


def read_batches(readers: Readers, files: Files) -> Iterator[Batch]:
    """Read examples of shards in batches, of which one is in memory at a time; others whole."""
    if not files.shards:
        yield Batch(0, read_data(readers, files, with_runs=True))
        return
    for name, option in _OF_WHOLE_TABLES.items():
        if getattr(files, name):
            raise InputError(
                f"{option}: shards ({files.shards}) are read in the order of their rows, and not "
                f"joined: leave it out, or put the rows into one file"
            )
    names = parse_names(files)
    systems, runs = parse_systems(files)
    _check_options(files, names, systems)
    _note_files([files.sources, *files.references, *(system.file for system in systems)])
    with advise(_list_advice(chain.from_iterable(readers.values()))):
        for batch in shards.read_batches(
            readers,
            data=files.data,
            sources=files.sources,
            references=reading.references_in(files.references),
            systems=systems,
            names=names,
            size=shards.BATCH,
        ):
            yield replace(batch, examples=replace(batch.examples, runs=runs))


def _note_files(places: Iterable[File | None]) -> None:
    """Say which files patterns stand for, since one may match more than was meant."""
    names = map(str, filter(None, places))
    for pattern in dict.fromkeys(filter(text_files.is_pattern, names)):
        paths = text_files.shards(pattern)
        files = f"{len(paths):,} files, {paths[0]} to {paths[-1]}" if paths[1:] else paths[0]
        note(f"{pattern}: {files}")


def read_columns(
    declared: Sequence[Column],
    *,
    data: File | None = None,
    config: str | None = None,
    split: str | None = None,
    prediction_column: str | None = None,
    **columns: Any,
) -> tuple[Table, dict[str, list[Any]]]:
    """Read one table, and its declared columns, with the options of `column_options`."""
    names = parse_names(Files(**columns))
    if prediction_column:
        names["predictions"] = [prediction_column]
    check_names(names, [column.name for column in declared])
    if data is None:
        raise InputError("expected a table or dataset: give -d FILE")
    with advise(_list_advice(declared)):
        table = reading.load_table(str(data), config, split)
        rows = reading.read_columns(table, declared, names)
    return table, {name: column.rows for name, column in rows.items()}


def parse_names(files: Files) -> dict[str, list[str]]:
    """Return column → its names in tables, from ``-c NAME=COLUMN``, ``-S`` and ``-R``."""
    names: dict[str, list[str]] = {}
    if files.source_column:
        names["sources"] = [files.source_column]
    if files.reference_column:
        names["references"] = [*files.reference_column]
    for argument in files.columns:
        name, equals, column = argument.partition("=")
        if not (name and equals and column):
            raise InputError(f"-c: expected NAME=COLUMN, got {argument!r}")
        if name in _GIVE:
            raise InputError(f"-c {name}: give --{name.removesuffix('s')}-column")
        names.setdefault(name, []).append(column)
    return names


def parse_systems(files: Files) -> tuple[list[System], dict[str, list[str]]]:
    """Return the systems of ``-p`` and ``-P``, each run as one; and system → its runs.

    Several files of one NAME are its runs, as are the files of a folder. With tables after ``-p``,
    ``-P`` names their columns.
    """
    systems: list[System] = []
    for place in map(parse_system, map(str, files.predictions)):
        inside = systems_in(place._replace(name=""))
        systems += [system._replace(name=place.name) for system in inside]
    named = [system.name for system in systems if system.name]
    runs = {n: run_names(n, named.count(n)) for n in named if named.count(n) > 1}
    if runs:
        check_run_names(chain(*runs.values()), named)
    left = {name: iter(several) for name, several in runs.items()}
    systems = [s._replace(name=next(left[s.name])) if s.name in left else s for s in systems]
    names = [system.name or text_files.default_name(str(system.file)) for system in systems]
    tables = [n for n, system in zip(names, systems, strict=True) if is_table(str(system.file))]
    if not tables:
        return [*systems, *(System(column=column) for column in files.prediction_column)], runs
    columns = run_columns(files.prediction_column, tables)
    pairs = zip(names, systems, strict=True)
    return [system._replace(column=columns.get(name)) for name, system in pairs], runs


def _check_options(files: Files, names: Mapping[str, Any], systems: Sequence[System]) -> None:
    """Check that options go together; ``names`` are column → its names in tables."""
    for option, values in {
        "-s": [files.sources],
        "-p": files.predictions,
        "-r": files.references,
        "-t": [files.test_set],
        "-d": [files.data],
    }.items():
        if "" in values:
            raise InputError(f"{option}: expected a name, got ''")
    named = {"sources", "references"} & {*names}
    has_table = files.data or any(system.file and is_table(system.file) for system in systems)
    wrong = {
        "--config and --split are of a dataset: give -d DATASET": not files.data
        and (files.config or files.split),
        "-t gives sources and references: leave out -s and -r": files.test_set
        and (files.sources or files.references),
        "--source-column and -s or -t both give the sources: leave one out": "sources" in named
        and (files.sources or files.test_set),
        "--reference-column and -r or -t both give references: leave one out": "references" in named
        and (files.references or files.test_set),
        "--source-column and --reference-column need a table: give -d DATA": named
        and not files.data,
        "--column needs a table: give -d DATA": {*names} - named and not has_table,
        "--prediction-column needs a table: give -d DATA": not has_table
        and any(system.column for system in systems),
        "--system-column needs a table: give -d DATA or -p TABLE": files.system_column
        and not has_table,
    }
    for message, is_wrong in wrong.items():
        if is_wrong:
            raise InputError(message)


def _list_advice(declared: Iterable[Column]) -> dict[str, str]:
    """Return code of an error → what to type instead."""
    advice = dict(_ADVICE)
    for column in declared:
        name = column.name
        option = f"--{name.removesuffix('s')}-column" if name in _GIVE else f"-c {name}=COLUMN"
        option += " or FILE" if column.read else ""
        advice[f"choose {name}"] = f": choose with {option}"
        advice[f"give {name}"] = _GIVE.get(name, f": give -d DATA, which has it, or {option}")
    return advice
