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
from textsimp.judgements import is_answers
from textsimp.judgements.correlation_arguments import read_ids
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.support.errors import InputError

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
        labels = {name: _rows(table, COLUMNS[name], [name]) for name in CATEGORIES}
        n = len(labels[CATEGORIES[0]])
        texts = [_rows(table, column) or [None] * n for column in (SOURCES, PREDICTIONS)]
        pairs = list(zip(*texts, strict=True))
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
    if by is not None or not all(map(columns.is_missing, names)):
        column = by or SYSTEM
        where = f"column {column!r} of {table.where}"
        return [*map(str, read_ids(table.column(column), where))]
    name = "standard input" if str(path) == STDIN else Path(path).stem
    if name in files:
        raise InputError(f"{files[name]} and {path}: two systems are called {name!r}")
    files[name] = str(path)
    return [name] * n


def _rows(table: Table, column: Column, names: Sequence[str] = ()) -> list[Any]:
    read = read_column(table, column, names)
    return [] if read is None else read.rows
