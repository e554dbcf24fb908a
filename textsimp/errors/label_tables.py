"""Labelled outputs from tables: a row per output, or one per output and annotator."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES, Column
from textsimp.corpora.files import STDIN
from textsimp.corpora.tables import Table, read_column, read_table
from textsimp.errors import annotation
from textsimp.errors.labels import COLUMNS, Labels
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError, shown

ANNOTATOR, ITEMS, SYSTEM = "annotator", ("item", "id"), "system"
ALL = "all"
"""What the outputs of annotators' tables are of, if these don't say."""


@dataclass
class LabelledOutputs:
    """Labelled outputs of a system; a text is None where its table has none."""

    labels: Labels = field(default_factory=lambda: {category: [] for category in CATEGORIES})
    sources: list[str | None] = field(default_factory=list)
    predictions: list[str | None] = field(default_factory=list)

    @property
    def with_texts(self) -> int:
        """How many outputs have a source and a prediction."""
        return sum(None not in texts for texts in zip(self.sources, self.predictions, strict=True))

    def add(self, labels: Labels, row: int, texts: tuple[str | None, str | None]) -> None:
        """Add an output."""
        for category, column in labels.items():
            self.labels[category].append(column[row])
        self.sources.append(texts[0])
        self.predictions.append(texts[1])


def read(paths: Sequence[str | Path], by: str | None = None) -> dict[str, LabelledOutputs]:
    """Read labelled outputs by system.

    A table has the columns ``insertion``, ``deletion`` and ``substitution``, and may have
    ``source`` and ``prediction``. With a column ``annotator`` each row is what one of them said of
    an ``item`` (or ``id``); of several answers of one annotator the last counts, and tables of
    several annotators are merged. Their names don't differ by case. Otherwise each row is an
    output.

    Args:
        paths: JSONL, JSON, CSV, TSV or parquet files; ``"-"`` is JSONL from standard input. The
            half-written end of a file that `textsimp.errors.annotation.Answers` wrote is ignored.
        by: The column that names systems. Default: ``system``; without names, each system is called
            as its file, or ``all`` in annotators' tables.
    """
    outputs: dict[str, LabelledOutputs] = {}
    answers: dict[tuple[str, str], dict[str, Labels]] = {}
    texts: dict[tuple[str, str], tuple[str | None, str | None]] = {}
    files: dict[str, str] = {}
    for path in paths:
        table = _table(path)
        labels = {category: _labels(table, category) for category in CATEGORIES}
        n = len(labels[CATEGORIES[0]])
        pairs = list(zip(_texts(table, SOURCES, n), _texts(table, PREDICTIONS, n), strict=True))
        systems = _systems(table, by, path, n, files)
        if ANNOTATOR not in table.names:
            for i, system in enumerate(systems):
                outputs.setdefault(system, LabelledOutputs()).add(labels, i, pairs[i])
            continue
        annotators, items = _ids(table, ANNOTATOR), _items(table)
        for i, key in enumerate(zip(systems, items, strict=True)):
            if texts.setdefault(key, pairs[i]) != pairs[i]:
                raise InputError(
                    f"row {i} of {table.where} (counted from 0): expected the texts of item "
                    f"{items[i]!r} of system {systems[i]!r} that are in the rows before, got others"
                )
            answer = {category: [rows[i]] for category, rows in labels.items()}
            answers.setdefault(key, {})[annotation.same_name(annotators[i])] = answer
    for key, by_annotator in answers.items():
        merged = {
            category: [[label for of in by_annotator.values() for label in of[category][0]]]
            for category in CATEGORIES
        }
        outputs.setdefault(key[0], LabelledOutputs()).add(merged, 0, texts[key])
    return outputs


def _systems(
    table: Table, by: str | None, path: str | Path, n: int, files: dict[str, str]
) -> list[str]:
    """Return the name of each row's system; ``files`` collects systems called as their file."""
    named = table.column(SYSTEM) if SYSTEM in table.names else []
    if by is not None or any(_is_named(row) for row in named):
        return _ids(table, by or SYSTEM)
    if ANNOTATOR in table.names:
        return [ALL] * n
    name = "standard input" if str(path) == STDIN else Path(path).stem
    if name in files:
        raise InputError(f"{files[name]} and {path}: two systems are called {name!r}")
    files[name] = str(path)
    return [name] * n


def _table(path: str | Path) -> Table:
    try:
        return read_table(path)
    except InputError:
        with contextlib.suppress(InputError):  # whoever annotates may be writing just now
            rows = [answer.to_dict() for answer in annotation.read_answers(path)]
            return Table(str(path), list(rows[0]), lambda name: [row[name] for row in rows])
        raise


def _texts(table: Table, column: Column, n: int) -> list[Any]:
    rows = read_column(table, column)
    return [None] * n if rows is None else rows.rows


def _is_named(value: Any) -> bool:
    return not columns.is_missing(value) and str(value).strip() != ""


def _labels(table: Table, category: str) -> list[list[int]]:
    rows = read_column(table, COLUMNS[category], [category])
    return rows.rows if rows is not None else []


def _items(table: Table) -> list[str]:
    name = next((name for name in ITEMS if name in table.names), None)
    if name is None:
        raise InputError(
            f"{table.where}: expected a column {' or '.join(map(repr, ITEMS))} beside "
            f"{ANNOTATOR!r}; its columns are {', '.join(map(repr, table.names))}"
        )
    return _ids(table, name)


def _ids(table: Table, name: str) -> list[str]:
    """A column of names or numbers, as text."""
    rows = table.column(name)
    for i, row in enumerate(rows):
        named = isinstance(row, (str, int, float)) and not isinstance(row, bool)
        if not named or not _is_named(row):
            raise InputError(
                f"row {i} of column {name!r} of {table.where} (counted from 0): expected a name or "
                f"number, got {shown(row)}"
            )
    return list(map(str, rows))
