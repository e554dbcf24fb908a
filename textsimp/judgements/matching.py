"""Scores and ratings of outputs, found in files by the outputs' texts."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column
from textsimp.core.examples import Examples
from textsimp.corpora.files import note
from textsimp.corpora.tables import Table, json_list, read_column, read_table
from textsimp.judgements.judgements import plain
from textsimp.judgements.reading import is_answers, list_systems, read
from textsimp.support.errors import InputError

Key = tuple[str, ...]  # the text of an output, and of its source where files have it


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
    texts = [PREDICTIONS.usual_names[0]]
    if all(SOURCES.usual_names[0] in table.names for table in tables):
        texts.append(SOURCES.usual_names[0])
    if len(texts) > 1 and examples.sources is None:
        raise InputError(f"{where}: expected sources, too, to find outputs by, got none")
    # The numbers of texts, and those of a system's texts, which are named first
    numbers: dict[str, dict[Key, list[float]]] = {column.name: {} for column in columns}
    unused: set[Key] = set()
    named: set[str] = set()
    for table in tables:
        keys = _keys([table.column(name) for name in texts])
        cells = table.column("system") if "system" in table.names else [None] * len(keys)
        writers = [list_systems(json_list(cell) or cell) for cell in cells]
        unused.update(keys)
        named.update(*writers)
        for column in columns:
            found = read_column(table, column, [column.name])
            assert found is not None
            for key, names, row in zip(keys, writers, found.rows, strict=True):
                for one in [key, *((name, *key) for name in names)]:
                    numbers[column.name].setdefault(one, []).extend(row)
    systems = {}
    for system, own in examples.systems.items():
        outputs = [own[PREDICTIONS.name]]
        keys = _keys(outputs if len(texts) == 1 else [*outputs, examples.shared[SOURCES.name]])
        unused -= {*keys}
        keys = [(system, *key) for key in keys] if system in named else keys
        rows = {name: [found.get(key, []) for key in keys] for name, found in numbers.items()}
        systems[system] = {**own, **rows}
        for name, of_outputs in rows.items():
            if lacking := [i for i, row in enumerate(of_outputs) if not row]:
                note(
                    f"{where}: no {name} for {len(lacking):,} of {len(keys):,} outputs of {system},"
                    f" the first in row {lacking[0]} (counted from 0)"
                )
    if unused:
        note(f"{where}: {len(unused):,} outputs are not here, such as {min(unused)[0][:60]!r}")
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


def _keys(columns: Sequence[Sequence[object]]) -> list[Key]:
    return [tuple(map(plain, row)) for row in zip(*columns, strict=True)]
