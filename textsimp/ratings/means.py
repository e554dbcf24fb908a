"""Mean ratings of systems with intervals, and tests of their differences."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.metric import Floats
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.meta import ratings as reading
from textsimp.meta.resampling import Ints, encode
from textsimp.ratings.answers import Ratings
from textsimp.ratings.totals import Cells, Totals, add_up, intervals

STANDARDISED = "_z"
"""The end of the name of a criterion whose ratings are standardised per rater."""

Means = dict[str, dict[str, Value]]
Differences = dict[tuple[str, str], dict[str, Difference]]


def compare(
    ratings: Ratings, systems: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[Means, Differences]:
    """Return the mean ratings of systems, and the differences of all pairs."""
    measures = _list_measures(ratings)
    totals = _add_up(ratings, measures, systems, sampling)
    observed = _divide(totals.by_item.sum(axis=0))
    resampled = _divide(totals.resampled)
    means: Means = {system: {} for system in systems}
    differences: Differences = {pair: {} for pair in itertools.combinations(systems, 2)}
    for k, name in enumerate(measures):
        bounds = intervals(resampled[:, k], sampling)
        for system, value, interval in zip(systems, observed[k].tolist(), bounds, strict=True):
            means[system][name] = Value(None if np.isnan(value) else value, interval)
        tests = _test_pairs(totals.by_item[:, k], observed[k], resampled[:, k], sampling)
        for (i, j), test in tests.items():
            differences[systems[i], systems[j]][name] = test
    return means, significance.adjust({pair: own for pair, own in differences.items() if own})


def _list_measures(ratings: Ratings) -> dict[str, Floats]:
    """Return criterion → (n,) ratings, NaN for the step aside; then those standardised by rater."""
    measures = {name: on_scale(ratings, name) for name in ratings.criteria}
    raters = encode(ratings.raters)
    if raters.max() > 0:
        measures |= {
            f"{name}{STANDARDISED}": _standardise(values, raters)
            for name, values in measures.items()
        }
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


def _add_up(
    ratings: Ratings,
    measures: Mapping[str, Floats],
    systems: Sequence[str],
    sampling: Mapping[str, Any],
) -> Totals:
    """Return sums and counts of ratings: a table (measures, systems, 2)."""
    codes = {name: i for i, name in enumerate(systems)}
    pairs = [(row, codes[s]) for row, (output,) in enumerate(ratings.outputs) for s in output]
    rows, wrote = np.array(pairs).T
    shape = (len(measures), len(systems), 2)
    cells = []
    for k, values in enumerate(measures.values()):
        rated = ~np.isnan(values[rows])
        sums, counts = (np.ravel_multi_index((k, wrote[rated], i), shape) for i in (0, 1))
        cells.append(Cells(rows[rated], sums, values[rows[rated]]))
        cells.append(Cells(rows[rated], counts, np.ones(len(counts))))
    return add_up(ratings, cells, shape, sampling)


def _divide(totals: Floats) -> Floats:
    """Return means of (..., 2) sums and counts, NaN without ratings."""
    with np.errstate(invalid="ignore", divide="ignore"):
        means: Floats = totals[..., 0] / totals[..., 1]
    return means


def _test_pairs(
    by_item: Floats, observed: Floats, resampled: Floats, sampling: Mapping[str, Any]
) -> dict[tuple[int, int], Difference]:
    """Return the difference of each pair of systems that have ratings.

    Args:
        by_item: (items, systems, 2) sums and counts.
        observed: (systems,) means.
        resampled: (m, systems) means.
        sampling: Options of the analysis.
    """
    pairs = list(itertools.combinations(np.flatnonzero(~np.isnan(observed)).tolist(), 2))
    if not pairs:
        return {}
    first, second = np.array(pairs).T
    bounds = intervals(resampled[:, first] - resampled[:, second], sampling)
    p_values = _permute(by_item[:, first], by_item[:, second], sampling)
    tests = {}
    for (i, j), interval, p in zip(pairs, bounds, p_values, strict=True):
        value = float(observed[i] - observed[j])
        tests[i, j] = Difference(value, interval or [value, value], None, p)
    return tests


def _permute(first: Floats, second: Floats, sampling: Mapping[str, Any]) -> list[float | None]:
    """Return the p-value of each pair of systems, from (items, pairs, 2) sums and counts."""
    items, pairs, _ = first.shape
    if items < 2:
        return [None] * pairs

    def reduce(totals: Floats) -> dict[str, Floats]:
        means = _divide(totals.reshape(*totals.shape[:-1], pairs, 2))
        return {str(i): means[..., i] for i in range(pairs)}

    baseline, system = second.reshape(items, -1), first.reshape(items, -1)
    p_values = significance.paired_permutation(
        reduce, baseline, system, sampling["resamples"], sampling["seed"]
    )
    return list(p_values.values())
