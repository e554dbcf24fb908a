"""Labelled outputs from tables: a row per output, or one per output and annotator."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES
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
    """Labelled outputs of a system.

    Attributes:
        labels: Category → labels of each output, one of each annotator.
        sources: The original texts, if every table has them.
        predictions: The outputs, if every table has them.
        whole: How many outputs have both.
    """

    labels: Labels = field(default_factory=lambda: {category: [] for category in CATEGORIES})
    sources: list[str] | None = field(default_factory=list)
    predictions: list[str] | None = field(default_factory=list)
    whole: int = 0

    def add(self, labels: dict[str, list[int]], source: str | None, prediction: str | None) -> None:
        """Add an output."""
        for category, of_output in labels.items():
            self.labels[category].append(of_output)
        self.sources = _with(self.sources, source)
        self.predictions = _with(self.predictions, prediction)
        self.whole += source is not None and prediction is not None


def read(paths: Sequence[str | Path], by: str | None = None) -> dict[str, LabelledOutputs]:
    """Labelled outputs by system.

    A table has the columns ``insertion``, ``deletion`` and ``substitution``, and may have
    ``source`` and ``prediction``. With a column ``annotator`` each row is what one of them said of
    an ``item`` (or ``id``); of several answers of one annotator the last counts, and tables of
    several annotators are merged. Their names don't differ by case. Otherwise each row is an
    output.

    Args:
        paths: JSONL, JSON, CSV, TSV or parquet files; ``"-"`` is JSONL from standard input. What is
            half-written at the end of the answers that
            `textsimp.errors.annotation.Answers` keeps is left out.
        by: The column that names systems; ``system`` unless given. Without names, each is called
            as its file, or ``all`` in annotators' tables.

    Raises:
        InputError: A file that can't be read, a column that is missing or wrong, two files of one
            name, or an item with several texts.
    """
    outputs: dict[str, LabelledOutputs] = {}
    answers: dict[tuple[str, Any], dict[Any, dict[str, list[int]]]] = {}
    texts: dict[tuple[str, Any], tuple[str | None, str | None]] = {}
    files: dict[str, str] = {}
    for path in paths:
        table = _table(path)
        labels = {category: _labels(table, category) for category in CATEGORIES}
        sources, predictions = (
            rows.rows if (rows := read_column(table, column)) else None
            for column in (SOURCES, PREDICTIONS)
        )
        n = len(labels[CATEGORIES[0]])
        annotators = None
        if ANNOTATOR in table.names:
            annotators = list(map(annotation.same_name, _ids(table, ANNOTATOR)))
        if by is not None or any(_is_named(row) for row in _column(table, SYSTEM)):
            systems = _ids(table, by or SYSTEM)
        elif annotators is not None:
            systems = [ALL] * n
        else:
            name = "standard input" if str(path) == STDIN else Path(path).stem
            if name in files:
                raise InputError(f"{files[name]} and {path}: two systems are called {name!r}")
            files[name] = str(path)
            systems = [name] * n
        items = None if annotators is None else _items(table)
        for i, system in enumerate(systems):
            of_row = {category: rows[i] for category, rows in labels.items()}
            of_text: tuple[str | None, str | None] = (
                None if sources is None else sources[i],
                None if predictions is None else predictions[i],
            )
            if annotators is None or items is None:
                outputs.setdefault(system, LabelledOutputs()).add(of_row, *of_text)
                continue
            key = system, items[i]
            if texts.setdefault(key, of_text) != of_text:
                raise InputError(
                    f"row {i} of {table.where} (counted from 0): expected the texts of item "
                    f"{items[i]!r} of system {system!r} that are in the rows before, got others"
                )
            answers.setdefault(key, {})[annotators[i]] = of_row
    for (system, item), of_annotators in answers.items():
        merged = {
            category: [label for of_row in of_annotators.values() for label in of_row[category]]
            for category in CATEGORIES
        }
        outputs.setdefault(system, LabelledOutputs()).add(merged, *texts[system, item])
    return outputs


def _table(path: str | Path) -> Table:
    try:
        return read_table(path)
    except InputError:
        with contextlib.suppress(InputError):  # whoever annotates may be writing just now
            rows = [answer.to_dict() for answer in annotation.read_answers(path)]
            return Table(str(path), list(rows[0]), lambda name: [row[name] for row in rows])
        raise


def _column(table: Table, name: str) -> list[Any]:
    return table.column(name) if name in table.names else []


def _is_named(value: Any) -> bool:
    return not columns.is_missing(value) and str(value).strip() != ""


def _labels(table: Table, category: str) -> list[list[int]]:
    rows = read_column(table, COLUMNS[category])
    if rows is None:
        table.column(category)  # which tells that there is none
    assert rows is not None
    return rows.rows


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


def _with(texts: list[str] | None, text: str | None) -> list[str] | None:
    if texts is None or text is None:
        return None
    texts.append(text)
    return texts
