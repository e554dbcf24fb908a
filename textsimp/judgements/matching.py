"""Scores and ratings of outputs, found in files by the outputs' texts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora.files import note
from textsimp.corpora.tables import Table, json_list, read_column, read_table
from textsimp.judgements.judgements import plain
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
    rows: dict[tuple[str, str], list[tuple[tuple[str, ...], str, list[float]]]] = {}
    for table in tables:
        texts = table.column(PREDICTIONS.usual_names[0])
        nothing: list[Any] = [None] * len(texts)
        originals = table.column(SOURCES.usual_names[0]) if with_sources else nothing
        cells = table.column("system") if "system" in table.names else nothing
        for column in columns:
            numbers = read_column(table, column, [column.name])
            assert numbers is not None
            for source, text, cell, own in zip(originals, texts, cells, numbers.rows, strict=True):
                writers = list_systems(json_list(cell) or cell)
                rows.setdefault((plain(source), plain(text)), []).append(
                    (writers, column.name, own)
                )
    named = {system for of_text in rows.values() for writers, *_ in of_text for system in writers}
    sources = examples.shared[SOURCES.name] if with_sources else [None] * len(examples)
    systems, used = {}, set()
    for system, given in examples.systems.items():
        found: dict[str, list[list[float]]] = {column.name: [] for column in columns}
        for source, text in zip(sources, examples.predictions(system), strict=True):
            key = (plain(source), plain(text))
            used.add(key)
            for numbers_of_text in found.values():
                numbers_of_text.append([])
            for writers, name, own in rows.get(key, ()):
                if system not in named or system in writers:
                    found[name][-1] += own
        systems[system] = {**given, **found}
        for name, of_outputs in found.items():
            if lacking := [i for i, cells in enumerate(of_outputs) if not cells]:
                note(
                    f"{where}: no {name} for {len(lacking):,} of {len(sources):,} outputs of "
                    f"{system}, the first in row {lacking[0]} (counted from 0)"
                )
    if unused := rows.keys() - used:
        text = min(text for _, text in unused)
        note(f"{where}: {len(unused):,} outputs are not here, such as {text[:60]!r}")
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
