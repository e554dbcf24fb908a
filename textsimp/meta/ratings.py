"""People's judgements of outputs as numbers, a row per output and a column per rater."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp import columns
from textsimp.columns import InputError
from textsimp.declarations import listed
from textsimp.metric import Floats

Labels = Sequence[Any] | Mapping[Any, float | None]


def matrix(column: Any, name: str, labels: Labels | None = None) -> Floats:
    """Check a column of ratings.

    Args:
        column: A number, or a list with a number of each rater, per output, which tables of text
            have as text. None, NaN and an empty text are no rating.
        name: What the user calls it, for messages.
        labels: What the ratings are if not numbers: the labels from worst to best, which become 0,
            1, …; or label → number, where None says that a label is no rating.

    Returns:
        (n, raters) numbers, NaN where there is none. Rows of fewer ratings are filled up with NaN.

    Raises:
        InputError: Not a sequence, no rows, or a row with something else.
    """
    numbers = None if labels is None else _numbers_of(labels)
    given = columns._rows(column, name, "a list with one rating or list of ratings per row")
    rows = []
    for i, row in enumerate(given):
        where = f"row {i} of {name} (counted from 0)"
        found = columns._as_list(row) if columns._is_sequence(row) else [row]
        rows.append([_number(rating, where, numbers) for rating in found])
    filled = np.full((len(rows), max(1, *map(len, rows))), np.nan)
    for i, found in enumerate(rows):
        filled[i, : len(found)] = found
    return filled


def standardised(values: Floats) -> Floats:
    """The ratings of each rater, minus their mean, divided by their standard deviation.

    Args:
        values: (n, raters) ratings. Those of a rater who gave all the same become 0.
    """
    given = ~np.isnan(values)
    count = np.maximum(1, given.sum(axis=0))
    centred = values - np.where(given, values, 0).sum(axis=0) / count
    deviation = np.sqrt(np.where(given, centred**2, 0).sum(axis=0) / count)
    same = deviation <= 1e-13 * np.where(given, np.abs(values), 0).max(axis=0)
    return np.where(given & same, 0.0, centred / np.where(same, 1.0, deviation))


def means(values: Floats) -> Floats:
    """(n,) the mean of each row's ratings, NaN where there is none.

    Sums are exact before they are rounded, so that the same ratings in another order are a tie.
    """
    rows = ([value for value in row if not math.isnan(value)] for row in values.tolist())
    return np.array([math.fsum(row) / len(row) if row else math.nan for row in rows])


def _numbers_of(labels: Any) -> dict[Any, float]:
    """Label → number; NaN for those that are no rating."""
    if isinstance(labels, str) or not isinstance(labels, (Sequence, Mapping)) or not labels:
        raise InputError(
            "labels: expected a list of labels from worst to best, or a mapping from labels to "
            f"numbers, got {labels!r}"
        )
    if not isinstance(labels, Mapping):
        labels = {label: place for place, label in enumerate(labels)}
    found: dict[Any, float] = {}
    for label, number in labels.items():
        legal = isinstance(number, (int, float, np.number)) and math.isfinite(number)
        if number is not None and not legal:
            raise InputError(f"labels: expected a number or None for {label!r}, got {number!r}")
        found[label] = math.nan if number is None else float(number)
    return {str(label): number for label, number in found.items()} | found


def _number(rating: Any, where: str, numbers: Mapping[Any, float] | None) -> float:
    if columns._is_missing(rating):
        return math.nan
    if numbers is not None:
        known = isinstance(rating, Hashable) and not isinstance(rating, bool) and rating in numbers
        if not known:
            expected = listed(dict.fromkeys(map(str, numbers)))
            raise InputError(
                f"{where}: expected one of {expected} or None, got {columns._show(rating)}"
            )
        return numbers[rating]
    try:
        number = math.nan if isinstance(rating, bool) else float(rating)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise InputError(
            f"{where}: expected a finite number, or a list of these, got {columns._show(rating)}"
        )
    return number
