"""Mean ratings of systems with intervals, and tests of their differences."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import draws, significance
from textsimp.core.metric import Floats
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.meta import ratings as reading
from textsimp.meta.resampling import Ints, encode
from textsimp.ratings.answers import Ratings
from textsimp.ratings.totals import Cells, add_up, intervals

STANDARDISED = "_z"
"""The end of the name of a criterion whose ratings are standardised per rater."""

Means = dict[str, dict[str, Value]]
Differences = dict[tuple[str, str], dict[str, Difference]]


def compare(
    ratings: Ratings, systems: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[Means, Differences]:
    """Return the mean ratings of systems, and the differences of all pairs."""
    cells: list[Cells] = []
    layouts: dict[str, tuple[int, dict[tuple[int, int], list[int]]]] = {}
    width = 0
    for name, values in _list_measures(ratings).items():
        rows, columns, pairs = _lay_out(ratings, values, systems)
        cells.append(Cells(rows, 2 * (width + columns), values[rows]))
        cells.append(Cells(rows, 2 * (width + columns) + 1, np.ones(len(rows))))
        layouts[name] = width, pairs
        width += max([len(systems), *(1 + max(pair) for pair in pairs.values())])
    totals = add_up(ratings, cells, (width, 2), sampling)
    observed, resampled = _divide(totals.by_item.sum(axis=0)), _divide(totals.resampled)
    means: Means = {system: {} for system in systems}
    differences: Differences = {pair: {} for pair in itertools.combinations(systems, 2)}
    for name, (start, pairs) in layouts.items():
        own = slice(start, start + len(systems))
        bounds = intervals(resampled[:, own], sampling)
        for system, value, interval in zip(systems, observed[own].tolist(), bounds, strict=True):
            means[system][name] = Value(None if np.isnan(value) else value, interval)
        if pairs:
            first, second = start + np.array([*pairs.values()]).T
            gaps = observed[first] - observed[second]
            bounds = intervals(resampled[:, first] - resampled[:, second], sampling)
            p_values = _permute(totals.by_item[:, first], totals.by_item[:, second], sampling)
            tests = zip(pairs, gaps.tolist(), bounds, p_values, strict=True)
            for (i, j), gap, interval, p in tests:
                test = Difference(gap, interval or [gap, gap], None, p)
                differences[systems[i], systems[j]][name] = test
    return means, significance.adjust({pair: own for pair, own in differences.items() if own})


def _lay_out(
    ratings: Ratings, values: Floats, systems: Sequence[str]
) -> tuple[Ints, Ints, dict[tuple[int, int], list[int]]]:
    """Give each system a column of ratings, and two more to a pair of which one has gaps.

    Two systems are compared on the items of which both have ratings.

    Returns:
        Rows of ratings, the column of each; and pair of systems → its columns.
    """
    codes, items = {name: i for i, name in enumerate(systems)}, encode(ratings.items)
    wrote = [(row, codes[s]) for row, (output,) in enumerate(ratings.outputs) for s in output]
    rows, columns = np.array(wrote).T
    rated = ~np.isnan(values[rows])
    rows, columns = rows[rated], columns[rated]
    present = np.zeros((items.max() + 1, len(systems)), np.bool_)
    present[items[rows], columns] = True
    parts = [(rows, columns)]
    pairs = {}
    for pair in itertools.combinations(range(len(systems)), 2):
        both = present[:, pair[0]] & present[:, pair[1]]
        if not both.any():
            continue
        pairs[pair] = [*pair]
        if not np.array_equal(*present[:, pair].T):
            for side, system in enumerate(pair):
                pairs[pair][side] = len(systems) + len(parts) - 1
                kept = rows[(columns == system) & both[items[rows]]]
                parts.append((kept, np.full(len(kept), pairs[pair][side])))
    rows, columns = map(np.concatenate, zip(*parts, strict=True))
    return rows, columns, pairs


def _list_measures(ratings: Ratings) -> dict[str, Floats]:
    """Return criterion → (n,) ratings, NaN for the step aside; then those standardised by rater."""
    measures = {name: on_scale(ratings, name) for name in ratings.criteria}
    raters = encode(ratings.raters)
    if raters.max() > 0:
        for name, values in [*measures.items()]:  # a criterion may have the name of another's
            measures.setdefault(f"{name}{STANDARDISED}", _standardise(values, raters))
    return measures


def on_scale(ratings: Ratings, name: str) -> Floats:
    """Return (n,) ratings on a criterion, NaN for the step aside."""
    criterion, values = ratings.criteria[name], ratings.values[name]
    if criterion.aside is None:
        return values
    return np.where(values == criterion.codes[criterion.aside], np.nan, values)


def _standardise(values: Floats, raters: Ints) -> Floats:
    """Return ratings without their rater's mean and spread."""
    order = np.argsort(raters, kind="stable")
    sizes = np.bincount(raters)
    places = np.arange(len(raters)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.full((sizes.max(), len(sizes)), np.nan)
    columns[places, raters[order]] = values[order]
    standard = np.empty(len(values))
    standard[order] = reading.standardise(columns)[places, raters[order]]
    return standard


def _divide(totals: Floats) -> Floats:
    """Return means of (..., 2) sums and counts, NaN without ratings."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = totals[..., 0] / totals[..., 1]
    return means


def _permute(first: Floats, second: Floats, sampling: Mapping[str, Any]) -> list[float | None]:
    """Return the p-value of each pair of systems, from (items, pairs, 2) sums and counts.

    There are at least so many permutations that Holm's p-value of a pair can be significant.
    """
    items, pairs, _ = first.shape
    enough = min(math.ceil(pairs / (1 - sampling["confidence"])), draws.MOST_RESAMPLES)
    total, other, change = first.sum(axis=0), second.sum(axis=0), second - first
    least = np.abs(_divide(total) - _divide(other)) - 1e-12
    larger, drawn = np.ones(pairs), 1
    permutations = max(enough, sampling["resamples"])
    for swaps in draws.swaps(items, permutations, sampling["seed"]):
        moved = np.tensordot(swaps.astype(np.float64), change, 1)
        larger += (np.abs(_divide(total + moved) - _divide(other - moved)) >= least).sum(axis=0)
        drawn += len(swaps)
    common = np.count_nonzero(first[..., 1], axis=0)
    few = (common < min(significance.FEWEST, items)) | (items < 2)
    p_values = (larger / drawn).tolist()
    return [None if without else p for p, without in zip(p_values, few, strict=True)]
