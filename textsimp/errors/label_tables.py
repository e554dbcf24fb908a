"""Labelled outputs from tables with a row per output, and from raters' answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES, Column
from textsimp.corpora.files import STDIN
from textsimp.corpora.tables import Table, read_column, read_table
from textsimp.errors.labels import COLUMNS, Labels
from textsimp.errors.merged_labels import given_labels, merge
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.ratings import is_answers
from textsimp.support.errors import InputError, shown

SYSTEM = "system"
ALL = "all"
"""The system of outputs in answers that don't say."""


@dataclass
class LabelledOutputs:
    """Labelled outputs of a system; a text is None where its table has none."""

    labels: Labels = field(default_factory=lambda: {category: [] for category in CATEGORIES})
    sources: list[str | None] = field(default_factory=list)
    predictions: list[str | None] = field(default_factory=list)

    @property
    def with_texts(self) -> int:
        """Return the number of outputs with a source and a prediction."""
        return sum(None not in texts for texts in zip(self.sources, self.predictions, strict=True))

    def add(self, labels: Labels, row: int, texts: tuple[str | None, str | None]) -> None:
        """Add an output."""
        for category, column in labels.items():
            self.labels[category].append(column[row])
        self.sources.append(texts[0])
        self.predictions.append(texts[1])


def read(paths: Sequence[str | Path], by: str | None = None) -> dict[str, LabelledOutputs]:
    """Read labelled outputs by system, from tables or files of answers; ``by`` names systems."""
    outputs: dict[str, LabelledOutputs] = {}
    files: dict[str, str] = {}
    answers = []
    for path in paths:
        table = read_table(path)
        if is_answers(table.names):
            answers.append(path)
            continue
        labels = {category: _labels(table, category) for category in CATEGORIES}
        n = len(labels[CATEGORIES[0]])
        pairs = list(zip(_texts(table, SOURCES, n), _texts(table, PREDICTIONS, n), strict=True))
        for i, system in enumerate(_systems(table, by, path, n, files)):
            outputs.setdefault(system, LabelledOutputs()).add(labels, i, pairs[i])
    for row in merge(answers) if answers else []:
        merged = {name: [given_labels(row, name)] for name in CATEGORIES}
        labelled = outputs.setdefault(row.get(SYSTEM, ALL), LabelledOutputs())
        labelled.add(merged, 0, (row.get("source"), row.get("prediction")))
    return outputs


def _systems(
    table: Table, by: str | None, path: str | Path, n: int, files: dict[str, str]
) -> list[str]:
    """Return the name of each row's system; ``files`` collects systems called as their file."""
    names = table.column(SYSTEM) if SYSTEM in table.names else []
    if by is not None or any(_is_named(row) for row in names):
        return _ids(table, by or SYSTEM)
    name = "standard input" if str(path) == STDIN else Path(path).stem
    if name in files:
        raise InputError(f"{files[name]} and {path}: two systems are called {name!r}")
    files[name] = str(path)
    return [name] * n


def _texts(table: Table, column: Column, n: int) -> list[Any]:
    rows = read_column(table, column)
    return [None] * n if rows is None else rows.rows


def _is_named(value: Any) -> bool:
    return not columns.is_missing(value) and str(value).strip() != ""


def _labels(table: Table, category: str) -> list[list[int]]:
    rows = read_column(table, COLUMNS[category], [category])
    return rows.rows if rows is not None else []


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
