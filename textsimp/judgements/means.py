"""Mean ratings of systems with intervals, and tests of their differences."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import Any

import numpy as np

from textsimp.core import sample, significance
from textsimp.core.metric import Floats
from textsimp.core.sample import Ints, Sample, reduce_means
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.judgements import numbers as reading
from textsimp.judgements.judgements import Judgements
from textsimp.judgements.resampling import encode, split_rows

STANDARDISED = "_z"
"""The end of the name of a criterion whose ratings are standardised per rater."""

Means = dict[str, dict[str, Value]]
Differences = dict[tuple[str, str], dict[str, Difference]]


@dataclass(frozen=True)
class RatingDifference(Difference):
    """A system's mean rating minus another's.

    The interval resamples items and raters. The p-values of permutations are for these raters.
    """

    def is_significant(self, confidence: float) -> bool:
        """Whether the interval doesn't contain 0 and Holm's p-value is below 1 − confidence."""
        low, high = self.interval
        return super().is_significant(confidence) and not low <= 0 <= high


def compare(
    judgements: Judgements, systems: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[Means, Differences]:
    """Return the mean ratings of systems, and the differences of all pairs.

    An output counts once, by the mean of its raters: a rating has the weight 1 / number of raters.
    There are at least so many permutations that Holm's p-value of a pair can be significant.
    """
    measures = _list_measures(judgements)
    rows, units = _add_up(judgements, [*measures.values()], systems)
    reduce = partial(reduce_means, [*measures])

    def reduce_all(totals: Floats) -> dict[str, Floats]:
        return reduce(totals.reshape(*totals.shape[:-1], len(systems), -1))

    together = Sample(rows.reshape(len(rows), -1), reduce_all, units)
    values, intervals = together.value(), together.interval(**sampling)
    means = {
        system: {
            name: Value(None if np.isnan(values[name][i]) else float(values[name][i]), ends[i])
            for name, ends in intervals.items()
        }
        for i, system in enumerate(systems)
    }
    samples = {one: Sample(rows[:, i], reduce, units) for i, one in enumerate(systems)}
    pairs = [(second, first) for first, second in combinations(systems, 2)]
    enough = min(math.ceil(len(pairs) / (1 - sampling["confidence"])), significance.MOST_RESAMPLES)
    permutations = max(enough, sampling["resamples"])
    tests = sample.compare(samples, pairs, **sampling, permutations=permutations)
    differences = {
        (first, second): {n: RatingDifference(**vars(one)) for n, one in own.items() if one.units}
        for (second, first), own in tests.items()
    }
    return means, significance.adjust({pair: own for pair, own in differences.items() if own})


def _add_up(
    judgements: Judgements, measures: Sequence[Floats], systems: Sequence[str]
) -> tuple[Floats, dict[str, Ints]]:
    """Return (cells, systems, 2m) sums and weights of a rater's ratings of an item; its units."""
    frame = judgements.frame
    items, raters = encode(frame["item"]), encode(frame["rater"])
    of_cells, cells = np.unique(items * (raters.max() + 1) + raters, return_inverse=True)
    item_of, rater_of = np.divmod(of_cells, raters.max() + 1)
    codes = {name: i for i, name in enumerate(systems)}
    writers = frame["system"].tolist()
    rows = np.repeat(np.arange(len(frame)), [*map(len, writers)])
    columns = np.array([codes[name] for names in writers for name in names])
    places, size = cells[rows] * len(systems) + columns, len(of_cells) * len(systems)
    table = np.full((size, 2 * len(measures)), np.nan)
    outputs = frame["output"].to_numpy()
    for i, values in enumerate(measures):
        ratings = np.bincount(outputs, ~np.isnan(values))  # of each output
        weights = ratings.max() / np.maximum(1, ratings)[outputs]
        rated = ~np.isnan(values[rows])
        numbers = np.bincount(places[rated], weights[rows][rated], size)
        sums = np.bincount(places[rated], (weights * values)[rows][rated], size)
        present = numbers > 0
        table[present, i] = sums[present]
        table[present, len(measures) + i] = numbers[present]
    units = {"item": item_of, "rater": rater_of}
    return table.reshape(len(of_cells), len(systems), -1), units


def _list_measures(judgements: Judgements) -> dict[str, Floats]:
    """Return criterion → `Judgements.on_scale`; then numbers standardised by rater."""
    measures = {name: judgements.on_scale(name) for name in judgements.criteria}
    raters = encode(judgements.frame["rater"])
    if raters.max() > 0:
        for name, values in [*measures.items()]:  # a criterion may have the name of another's
            standard = np.empty(len(values))
            for rows in split_rows(raters):
                standard[rows] = reading.standardise(values[rows, None])[:, 0]
            measures.setdefault(f"{name}{STANDARDISED}", standard)
    return measures
