"""Labelled outputs: rows as users hand them in, checked, with their sources told apart."""

from __future__ import annotations

import re
import unicodedata
import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from textsimp.core import columns
from textsimp.metrics.information_errors import CATEGORIES, GIBBERISH, LABELS, majority
from textsimp.support.errors import InputError, check_choice, nearest, shown
from textsimp.support.extras import require

Gibberish = Literal["drop", "class"]
Ints = NDArray[np.int64]

FOLDS = 5
# A Treebank's brackets, -LRB-, are punctuation too: one system's sources have them, another's ( ).
_NO_LETTERS = re.compile(r"[\W_]*-[LR][RCS]B-|[\W_]+", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class Labelled:
    """Outputs with a label of one category.

    Attributes:
        category: ``"insertion"``, ``"deletion"`` or ``"substitution"``.
        sources: (n) the original texts.
        predictions: (n) the simplifications.
        labels: (n,) 0, 1, 2 or, where gibberish is a class, -1.
        groups: (n,) the same number for the same source, whatever its case and punctuation.
        notes: What was left out.
    """

    category: str
    sources: list[str]
    predictions: list[str]
    labels: Ints
    groups: Ints
    notes: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.labels)

    def take(self, rows: Ints) -> Labelled:
        """Some of the rows."""
        return Labelled(
            self.category,
            [self.sources[i] for i in rows],
            [self.predictions[i] for i in rows],
            self.labels[rows],
            self.groups[rows],
            self.notes,
        )


def read(rows: Any, category: str, gibberish: Gibberish = "drop") -> Labelled:
    """Rows with a label of a category; those without one are left out.

    Args:
        rows: A list of dicts, a dataset, a table, or name → column. Each row has a ``source``, a
            ``prediction`` and, under the name of the category, a label or a list with one of each
            annotator: the one that more than half of them gave counts.
        category: Which column is the label.
        gibberish: ``"drop"`` leaves out rows with the label -1, ``"class"`` keeps them.

    Raises:
        InputError: An unknown category, a column that is missing or isn't what it should be, no
            label at all, or all labels the same.
    """
    check_choice("category", category, CATEGORIES)
    check_choice("gibberish", gibberish, get_args(Gibberish))
    given = table(rows, "rows", ("source", "prediction", category))
    found = majority(columns.labels(given[category], category, LABELS))  # type: ignore[arg-type]
    dropped = {GIBBERISH} if gibberish == "drop" else set()
    kept = [i for i, label in enumerate(found) if label is not None and label not in dropped]
    labels = np.array([found[i] for i in kept], np.int64)
    if len(set(labels.tolist())) < 2:
        there = f"all {len(kept):,} have {labels[0]}" if kept else f"none of {len(found):,} has one"
        raise InputError(f"{category}: expected rows with different labels, but {there}")
    sources = columns.texts(given["source"], "source")
    predictions = columns.texts(given["prediction"], "prediction")
    without = sum(label is None for label in found)
    gone = len(found) - len(kept) - without
    told = ((without, "without a label on which most annotators agree"), (gone, "with gibberish"))
    return Labelled(
        category,
        [sources[i] for i in kept],
        [predictions[i] for i in kept],
        labels,
        group([sources[i] for i in kept]),
        [f"left out: {n:,} of {len(found):,} rows {why}" for n, why in told if n],
    )


def read_synthetic(rows: Any, category: str) -> Labelled:
    """Rows of a category as the generators of errors make them.

    Args:
        rows: Dicts with ``source``, ``target``, ``category`` and ``level``, or a table of them;
            those of other categories are left out.
        category: Which are kept.

    Raises:
        InputError: A column that is missing or isn't what it should be, or no row of the category.
    """
    given = table(rows, "synthetic", ("source", "target", "category", "level"))
    kept = [i for i, name in enumerate(given["category"]) if name == category]
    if not kept:
        raise InputError(f"synthetic: expected rows of the category {category!r}, got none")
    levels = columns.labels([given["level"][i] for i in kept], "level of synthetic", (0, 1, 2))
    if empty := next((i for i, level in enumerate(levels) if len(level) != 1), None):
        raise InputError(
            f"row {kept[empty]} of synthetic (counted from 0): expected a level, got none"
        )
    sources = columns.texts([given["source"][i] for i in kept], "source of synthetic")
    targets = columns.texts([given["target"][i] for i in kept], "target of synthetic")
    numbers = np.array([level[0] for level in levels], np.int64)
    return Labelled(category, sources, targets, numbers, group(sources))


def table(rows: Any, what: str, names: Sequence[str]) -> dict[str, list[Any]]:
    """Some columns of rows of any kind.

    Raises:
        InputError: No rows, or a row or a table without one of the columns.
    """
    there = rows if isinstance(rows, Mapping) else getattr(rows, "column_names", None)
    there = getattr(rows, "columns", None) if there is None else there
    if there is not None:
        for name in names:
            if name not in there:
                raise InputError(
                    f"{what}: expected a column {name!r}{nearest(name, there)}, "
                    f"got {', '.join(map(str, there))}"
                )
        found = {name: columns.plain_rows(rows[name], name, "a column") for name in names}
        columns.check_lengths(**found)
        return found
    if isinstance(rows, (str, bytes)) or not isinstance(rows, Iterable):
        raise InputError(f"{what}: expected a list of dicts or a table, got {shown(rows)}")
    given = list(rows)
    if not given:
        raise InputError(f"{what}: expected at least one row, got none")
    for i, row in enumerate(given):
        where = f"row {i} of {what} (counted from 0)"
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected a dict, got {shown(row)}")
        for name in names:
            if name not in row:
                there = ", ".join(map(str, row)) or "nothing"
                raise InputError(f"{where}: expected {name!r}{nearest(name, row)}, got {there}")
    return {name: [row[name] for row in given] for name in names}


def group(sources: Sequence[str]) -> Ints:
    """Numbers of sources: those that differ in case, spaces and punctuation only have the same.

    >>> group(["The cat sat.", "It rained.", "the cat sat ."]).tolist()
    [0, 1, 0]
    """
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(key(text), len(numbers)) for text in sources], np.int64)


def key(source: str) -> str:
    """What sources have in common that are the same."""
    return _NO_LETTERS.sub("", unicodedata.normalize("NFKD", source)).casefold() or source


def folds(given: Labelled, seed: int) -> list[Ints]:
    """Rows in five parts: no source is in two, and labels are as evenly spread as that allows.

    Raises:
        InputError: Fewer than five sources.
    """
    sources = len(np.unique(given.groups))
    if sources < FOLDS:
        raise InputError(
            f"source: expected at least {FOLDS} different ones with a label of {given.category}, "
            f"to set some aside, got {sources}"
        )
    selection = require("sklearn.model_selection", extra="models")
    splitter = selection.StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    # Its own check is for n_splits members of each class; rarer ones are spread too, over fewer.
    labels = given.labels if np.bincount(given.labels + 1).max() >= FOLDS else 0 * given.labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        parts = list(splitter.split(given.labels, labels, given.groups))
    return [test for _, test in parts]


def halves(given: Labelled, seed: int) -> tuple[Ints, Ints]:
    """Rows to train on and rows to check with, 80–20, no source in both.

    Raises:
        InputError: See `folds`; or too few rows, so that all of one part's labels are the same.
    """
    test = folds(given, seed)[0]
    training = np.setdiff1d(np.arange(len(given)), test)
    if not len(test) or len(np.unique(given.labels[training])) < 2:
        raise InputError(
            f"{given.category}: expected enough rows for four fifths of the sources to have "
            f"different labels, got {len(given):,} rows"
        )
    return training, test


def oversampled(labels: Ints, seed: int) -> Ints:
    """Rows, those of minority labels repeated until each label has as many as the most frequent.

    >>> sorted(oversampled(np.array([0, 0, 0, 1]), seed=0).tolist())
    [0, 1, 2, 3, 3, 3]
    """
    rng = np.random.default_rng(seed)
    of_label = [np.flatnonzero(labels == label) for label in np.unique(labels)]
    most = max(map(len, of_label))
    return np.concatenate([np.resize(rng.permutation(rows), most) for rows in of_label])
