"""Labels of information errors: columns and rows as users hand them in, checked."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core import columns
from textsimp.metrics.information_errors import (
    CATEGORIES,
    GIBBERISH,
    LABELS,
    InformationErrors,
    majority,
)
from textsimp.support.errors import InputError, check_choice, nearest, shown
from textsimp.support.extras import require

Ints = NDArray[np.int64]
Labels = dict[str, list[list[int]]]
"""Category → labels of each output, one of each annotator."""

COLUMNS = {column.name: column for column in InformationErrors.columns if column.name in CATEGORIES}
FOLDS = 5
# A Treebank's brackets, such as -LRB-, are punctuation: one system's sources have them, another's
# have ( ).
_NO_LETTERS = re.compile(r"[\W_]*-[LR][RCS]B-|[\W_]+", re.IGNORECASE)


def check(insertion: Any, deletion: Any, substitution: Any, **others: Any) -> Labels:
    """Check labels of one category or more, each as long as the other columns."""
    given = zip(CATEGORIES, (insertion, deletion, substitution), strict=True)
    checked: Labels = {
        category: columns.check_column(COLUMNS[category], rows)
        for category, rows in given
        if rows is not None
    }
    if not checked:
        raise InputError(f"expected labels of {', '.join(CATEGORIES)}, or one of these, got none")
    columns.check_lengths(**others, **checked)
    return checked


@dataclass(frozen=True, eq=False)
class LabelledRows:
    """Outputs with a label of one category; ``groups`` numbers sources, whatever their case."""

    category: str
    sources: list[str]
    predictions: list[str]
    labels: Ints
    groups: Ints
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.labels)


def read_rows(rows: Any, category: str) -> LabelledRows:
    """Read rows with a label of a category, see `textsimp.errors.fit`; others are left out."""
    check_choice("category", category, CATEGORIES)
    table = read_columns(rows, ("source", "prediction", category))
    all_labels = majority(columns.labels(table[category], category, LABELS))  # type: ignore[arg-type]
    n = len(all_labels)
    indices = [i for i, label in enumerate(all_labels) if label not in (None, GIBBERISH)]
    labels = np.array([all_labels[i] for i in indices], np.int64)
    if len(set(labels.tolist())) < 2:
        there = f"all {len(indices):,} have {labels[0]}" if indices else f"none of {n:,} has one"
        raise InputError(f"{category}: expected rows with different labels, but {there}")
    sources = columns.texts(table["source"], "source")
    predictions = columns.texts(table["prediction"], "prediction")
    unlabelled = sum(label is None for label in all_labels)
    reasons = {
        "without a label on which most annotators agree": unlabelled,
        "with gibberish": n - len(indices) - unlabelled,
    }
    return LabelledRows(
        category,
        [sources[i] for i in indices],
        [predictions[i] for i in indices],
        labels,
        group([sources[i] for i in indices]),
        [f"left out: {count:,} of {n:,} rows {why}" for why, count in reasons.items() if count],
    )


def read_columns(rows: Any, names: Sequence[str]) -> dict[str, list[Any]]:
    """Read some columns of a list of dicts, a dataset or a table."""
    kinds = (hasattr(rows, "columns"), hasattr(rows, "column_names"), isinstance(rows, Mapping))
    if not any(kinds):
        rows = _columns(rows)
    there = getattr(rows, "column_names", rows)
    for name in names:
        if name not in there:
            raise InputError(
                f"rows: expected a column {name!r}{nearest(name, there)}, "
                f"got {', '.join(map(str, there))}"
            )
    table = {name: columns.plain_rows(rows[name], name, "a column") for name in names}
    columns.check_lengths(**table)
    return table


def _columns(rows: Any) -> dict[str, list[Any]]:
    dicts = list(rows) if isinstance(rows, Iterable) else []
    if not dicts or not all(isinstance(row, Mapping) for row in dicts):
        raise InputError(f"rows: expected a list of dicts or a table, got {shown(rows)}")
    names = dict.fromkeys(name for row in dicts for name in row)
    return {name: [row.get(name) for row in dicts] for name in names}


def group(sources: Sequence[str]) -> Ints:
    """Number sources: those that differ only in case, spaces and punctuation have one number.

    >>> group(["The cat sat.", "It rained.", "the cat sat ."]).tolist()
    [0, 1, 0]
    """
    numbers: dict[str, int] = {}
    keys = map(source_key, sources)
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], np.int64)


def source_key(source: str) -> str:
    """Return the letters and digits of a source, case-folded; the source if it has none."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", source)).casefold() or source


def folds(rows: LabelledRows, seed: int) -> list[Ints]:
    """Split rows in five parts; no source is in two, and labels are spread evenly."""
    sources = len(np.unique(rows.groups))
    if sources < FOLDS:
        raise InputError(
            f"source: expected at least {FOLDS} different ones with a label of {rows.category}, "
            f"to set some aside, got {sources}"
        )
    selection = require("sklearn.model_selection", extra="models")
    splitter = selection.StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    # It asks for n_splits members of each class; rarer classes are spread over fewer parts.
    labels = rows.labels if np.bincount(rows.labels + 1).max() >= FOLDS else 0 * rows.labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parts = list(splitter.split(rows.labels, labels, rows.groups))
    return [test for _, test in parts]
