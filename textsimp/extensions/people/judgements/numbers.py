"""People's judgements of outputs as numbers, a row per output and a column per rater."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import columns
from textsimp.core.metric import Floats
from textsimp.corpora.tables import Table, json_list
from textsimp.support.errors import listed


def matrix(column: Any, name: str, numbers: Mapping[Any, float] | None = None) -> Floats:
    """Check a column of numbers, or of lists with one of each rater: (n, raters), NaN without.

    ``numbers``: label → number, of ratings that are labels.
    """
    by_text = None if numbers is None else {_key(label): n for label, n in numbers.items()}
    plain = columns.plain_rows(column, name, "a list with one rating or list of ratings per row")
    rows = []
    for i, row in enumerate(plain):
        ratings = columns.plain_list(row) if columns.is_sequence(row) else [row]
        rows.append([_number(rating, i, name, by_text) for rating in ratings])
    filled = np.full((len(rows), max(1, *map(len, rows))), np.nan)
    for i, ratings in enumerate(rows):
        filled[i, : len(ratings)] = ratings
    return filled


def read_column(table: Table, name: str) -> list[Any]:
    """Read a column of ratings, of which cells may be JSON lists, or several columns as lists."""
    if name in table.names or "," not in name:
        rows = table.column(name)
        lists = map(json_list, rows)
        return [row if cell is None else cell for row, cell in zip(rows, lists, strict=True)]
    columns = [table.column(part) for part in name.split(",")]
    return [list(row) for row in zip(*columns, strict=True)]


def standardise(values: Floats) -> Floats:
    """Centre and scale each rater's ratings (n, raters); those that are all the same become 0."""
    present = ~np.isnan(values)
    count = np.maximum(1, present.sum(axis=0))
    centred = values - np.where(present, values, 0).sum(axis=0) / count
    deviation = np.sqrt(np.where(present, centred**2, 0).sum(axis=0) / count)
    same = deviation <= 1e-13 * np.where(present, np.abs(values), 0).max(axis=0)
    return np.where(present & same, 0.0, centred / np.where(same, 1.0, deviation))


def means(values: Floats, standardised: bool = False) -> Floats:
    """Return the mean of each row (n,), NaN without ratings."""
    values = standardise(values) if standardised else values
    return list_means([value for value in row if value == value] for row in values.tolist())


def list_means(rows: Iterable[Sequence[float]]) -> Floats:
    """Return the mean of each list, NaN for empty ones; exact, so order doesn't break ties."""
    return np.array([math.fsum(row) / len(row) if row else math.nan for row in rows])


def _key(label: Any) -> str:
    """Return a label as text; tables have 1 as 1.0 where others are missing, CSV as text."""
    number = columns.as_number(label)
    return str(int(number)) if number.is_integer() else str(label)


def _number(rating: Any, i: int, name: str, numbers: Mapping[str, float] | None) -> float:
    if columns.is_missing(rating, or_nan=_key(rating) not in (numbers or ())):
        return math.nan
    number = columns.as_number(rating) if numbers is None else numbers.get(_key(rating))
    expected = f"a finite number of at most {columns.LARGEST} in size, or a list of these"
    if numbers is not None:
        expected = f"one of {listed(numbers)} or None"
    if number is None or (numbers is None and not abs(number) <= columns.LARGEST):
        raise columns.bad_row(i, name, expected, rating)
    return number
