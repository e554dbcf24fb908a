"""Scores and ratings of outputs, found in files by the outputs' texts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora.files import note
from textsimp.corpora.tables import Table, json_list, read_column, read_table
from textsimp.judgements.judgements import index_outputs, plain
from textsimp.judgements.reading import is_answers, list_systems, read
from textsimp.support.errors import InputError


def add_columns(
    examples: Examples, paths: Sequence[str | Path], columns: Sequence[Column]
) -> Examples:
    """Return the examples with columns of numbers that files have for the same outputs.

    Files have a row per output or per answer, with columns ``prediction`` and, if equal outputs of
    several sources can differ, ``source``. An output has all numbers of rows with its texts; and
    with its system, if files have a column ``system`` with this name. Rows of controls are left
    out. Notes on standard error count outputs and rows without the other.
    """
    tables = [read_table(path) for path in paths]
    where = ", ".join(map(str, paths))
    if any(is_answers(table.names) for table in tables):
        tables = [_on_scale(paths, where, [column.name for column in columns])]
    with_sources = all(SOURCES.usual_names[0] in table.names for table in tables)
    if with_sources and examples.sources is None:
        raise InputError(f"{where}: expected sources, too, to find outputs by, got none")
    nothing: list[Any] = [None] * len(examples)
    sources = examples.shared[SOURCES.name] if with_sources else nothing
    index = index_outputs(
        (i, source, text, [system])
        for system in examples.systems
        for i, (source, text) in enumerate(zip(sources, examples.predictions(system), strict=True))
    )
    found: dict[str, dict[str, list[list[float]]]] = {
        system: {column.name: [[] for _ in sources] for column in columns}
        for system in examples.systems
    }
    rows: list[tuple[tuple[str, str], tuple[str, ...], str, list[float]]] = []
    for table in tables:
        texts = table.column(PREDICTIONS.usual_names[0])
        nothing = [None] * len(texts)
        originals = table.column(SOURCES.usual_names[0]) if with_sources else nothing
        keys = [*zip(map(plain, originals), map(plain, texts), strict=True)]
        cells = table.column("system") if "system" in table.names else nothing
        writers = [list_systems(json_list(cell) or cell) for cell in cells]
        for column in columns:
            numbers = read_column(table, column, [column.name])
            assert numbers is not None
            names = [column.name] * len(keys)
            rows += zip(keys, writers, names, numbers.rows, strict=True)
    named = {system for _, writers, *_ in rows for system in writers}
    for key, own, name, numbers_of_row in rows:
        for i, systems in index.get(key, {}).items():
            for system in systems:
                if system not in named or system in own:
                    found[system][name][i] += numbers_of_row
    for system, of_system in found.items():
        for name, of_outputs in of_system.items():
            if lacking := [i for i, cells in enumerate(of_outputs) if not cells]:
                note(
                    f"{where}: no {name} for {len(lacking):,} of {len(sources):,} outputs of "
                    f"{system}, the first in row {lacking[0]} (counted from 0)"
                )
    unused = {key for key, *_ in rows if key not in index}
    if unused:
        text = min(text for _, text in unused)
        note(f"{where}: {len(unused):,} outputs are not here, such as {text[:60]!r}")
    systems = {system: {**own, **found[system]} for system, own in examples.systems.items()}
    return replace(examples, systems=systems)


def _on_scale(paths: Sequence[str | Path], where: str, names: Sequence[str]) -> Table:
    """The answers to some questions, as numbers."""
    answers = read(paths, criteria=names)
    if answers.compares:
        raise InputError(f"{where}: expected ratings of outputs, got comparisons")
    answers = answers.rated
    frame = answers.answers
    rows = {name: frame[name].tolist() for name in ("source", "prediction") if name in frame}
    rows["system"] = frame["system"].tolist()
    places = answers.blocks[:, :, 0]
    for place, name in enumerate(names):
        rows[name] = answers.on_scale(name)[places[:, place]].tolist()
    return Table(where, [*rows], rows.__getitem__)
