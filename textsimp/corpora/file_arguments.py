"""Requests for files, columns and datasets that are named as on the command line."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core.declarations import Column
from textsimp.corpora import reading
from textsimp.corpora.files import text_name
from textsimp.corpora.reading import Readers, systems_in
from textsimp.corpora.request import Request, System
from textsimp.corpora.row_ids import Missing
from textsimp.corpora.tables import Table, is_table
from textsimp.support.errors import InputError, check_choice, listed

__all__ = ["read_columns", "run_columns", "system_of"]

File = str | Path

_GIVE = {
    "sources": ": give -s FILE, -t TEST_SET, or -d DATA with --source-column",
    "predictions": ": give -p FILE, or -d DATA with --prediction-column",
    "references": ": give -r FILE, -t TEST_SET, or -d DATA with --reference-column",
}
_ADVICE = {
    "name systems": ": name them, as in -p NAME=FILE",
    "part systems": ", as in -p NAME=FILE",
    "keep order": "; --id '' takes rows in their order",
    "give ids": "; give gold by -d TABLE, and systems by -p TABLE",
    "missing rows": "; --missing empty and --missing skip go on without",
    "pool systems": "; --system-column '' takes all rows as one system's",
    "give tables": "; tables are given by -d",
    "give texts": " after -d; text files are given by -s, -p and -r",
    "give data": ": give -d FILE",
}


def make_request(
    readers: Readers,
    *,
    sources: File | None = None,
    predictions: Sequence[File] = (),
    references: Sequence[File] = (),
    test_set: str | None = None,
    data_dir: File | None = None,
    data: File | None = None,
    config: str | None = None,
    split: str | None = None,
    source_column: str | None = None,
    prediction_column: Sequence[str] = (),
    system_column: str | None = None,
    ids: Sequence[str] = (),
    missing: Missing | None = None,
    reference_column: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> Request:
    """Return the request for examples; the options are those of `textsimp.cli.data_arguments`.

    ``readers`` are the name of a metric or command → the columns that it reads.
    """
    given = {"-s": [sources], "-p": predictions, "-r": references, "-t": [test_set], "-d": [data]}
    for option, values in given.items():
        if "" in values:
            raise InputError(f"{option}: expected a name, got ''")
    named = _columns(columns, sources=source_column, references=reference_column)
    path_columns = {column.name for column in chain(*readers.values()) if column.read}
    paths = {
        name: names[0]
        for name, names in named.items()
        if name in path_columns and len(names) == 1 and (os.path.exists(names[0]) or not data)
    }
    request = Request(
        sources=_text(sources),
        references=[*map(str, references)],
        test_set=test_set,
        data_dir=_text(data_dir),
        data=_text(data),
        config=config,
        split=split,
        systems=_systems([*map(str, predictions)], prediction_column),
        system_column=system_column,
        ids=[name for name in ids if name] if ids else None,
        missing=missing,
        columns={name: names for name, names in named.items() if name not in paths},
        files=paths,
        advice=_advice(readers),
    )
    _check(request)
    return request


def read_columns(
    declared: Sequence[Column],
    *,
    data: File | None = None,
    config: str | None = None,
    split: str | None = None,
    source_column: str | None = None,
    prediction_column: str | None = None,
    reference_column: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> tuple[Table, dict[str, list[Any]]]:
    """Read one table, and its declared columns; options as those of `make_request`."""
    named = _columns(
        columns,
        sources=source_column,
        predictions=prediction_column,
        references=reference_column,
    )
    request = Request(
        data=_text(data), config=config, split=split, columns=named, advice=_advice({"": declared})
    )
    return reading.read_columns(request, declared)


def _text(file: File | None) -> str | None:
    return None if file is None else str(file)


def system_of(argument: str) -> System:
    """Read NAME=FILE, or a file alone."""
    name, equals, file = argument.partition("=")
    if equals and name and file and not os.path.exists(argument):
        return System(file, name=name)
    return System(argument)


def _systems(predictions: Sequence[str], columns: Sequence[str]) -> list[System]:
    """Return the systems of ``-p`` and ``-P``, which with tables of ``-p`` has their columns."""
    systems = [one for argument in predictions for one in systems_in(system_of(argument))]
    names = [system.name or text_name(system.file or "") for system in systems]
    tables = [name for name, one in zip(names, systems, strict=True) if is_table(one.file or "")]
    if not tables:
        return systems + [System(column=column) for column in columns]
    chosen = run_columns(columns, tables)
    return [
        replace(system, column=chosen.get(name))
        for name, system in zip(names, systems, strict=True)
    ]


def run_columns(arguments: Sequence[str], runs: Sequence[str]) -> dict[str, str]:
    """Return run → its column of outputs, from COLUMN for all of them and RUN=COLUMN."""
    usual = [argument for argument in arguments if "=" not in argument]
    if len(usual) > 1:
        raise InputError(f"--prediction-column: expected one for all runs, got {listed(usual)}")
    chosen = dict.fromkeys(runs, *usual) if usual else {}
    for argument in arguments:
        run, equals, column = argument.partition("=")
        if equals:
            check_choice("--prediction-column: run", run, runs)
            chosen[run] = column
    return chosen


def _columns(arguments: Sequence[str], **usual: str | Sequence[str] | None) -> dict[str, list[str]]:
    """Return column → its names in tables, of each NAME=COLUMN and of options of their own."""
    names = {n: [one] if isinstance(one, str) else [*one] for n, one in usual.items() if one}
    for argument in arguments:
        name, equals, column = argument.partition("=")
        if not (name and equals and column):
            raise InputError(f"-c: expected NAME=COLUMN, got {argument!r}")
        if name in _GIVE:
            raise InputError(f"-c {name}: give --{name.removesuffix('s')}-column")
        names.setdefault(name, []).append(column)
    return names


def _advice(readers: Readers) -> dict[str, str]:
    """Return the ends of messages on the command line."""
    advice = dict(_ADVICE)
    for column in chain.from_iterable(readers.values()):
        name = column.name
        option = f"--{name.removesuffix('s')}-column" if name in _GIVE else f"-c {name}=COLUMN"
        option += " or FILE" if column.read else ""
        advice[f"choose {name}"] = f": choose with {option}"
        advice[f"give {name}"] = _GIVE.get(name, f": give -d DATA, which has it, or {option}")
    return advice


def _check(request: Request) -> None:
    """Check that the options go together."""
    data, sources, references = request.data, request.sources, [*request.references]
    files = [system.file for system in request.systems if system.file]
    of_columns = any(system.column for system in request.systems)
    named = {"sources", "references"} & {*request.columns}
    no_table = not data and not any(map(is_table, files))
    wrong = {
        "--config and --split are of a dataset: give -d DATASET": not data
        and (request.config or request.split),
        "-t gives sources and references: leave out -s and -r": request.test_set
        and (sources or references),
        "--source-column and -s or -t both give the sources: leave one out": "sources" in named
        and (sources or request.test_set),
        "--reference-column and -r or -t both give references: leave one out": "references" in named
        and (references or request.test_set),
        "--source-column and --reference-column need a table: give -d DATA": named and not data,
        "--column needs a table: give -d DATA": no_table and {*request.columns} - named,
        "--prediction-column needs a table: give -d DATA": of_columns and no_table,
        "--system-column needs a table: give -d DATA or -p TABLE": request.system_column
        and no_table,
    }
    for message, bad in wrong.items():
        if bad:
            raise InputError(message)
