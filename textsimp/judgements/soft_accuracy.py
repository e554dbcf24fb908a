"""Soft pairwise accuracy: whether a metric is as sure as people which of two systems is better.

Thompson, Mathur, Deutsch & Khayrallah (2024), "Improving Statistical Significance in Human
Evaluation of Automatic Metrics via Soft Pairwise Accuracy", WMT.
"""

import itertools
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from textsimp.core import draws
from textsimp.core.metric import Floats
from textsimp.judgements.resampling import Judged

Column = tuple[Floats, Callable[[Floats], Floats]]
"""(n, k) statistics of outputs, and the function of their sums that people or a metric compare."""


def soft_accuracies(judged: Judged, resamples: int, seed: int) -> Floats:
    """Return (metrics,) numbers from 0 to 1; NaN if no two systems have two items in common.

    A pair of systems counts 1 − \\|p − q\\|: p is the one-sided p-value that people rate the first
    better, q that the metric scores it better. Both are of permutation tests that swap the outputs
    of items that the two have in common, of which the first output counts.
    """
    numbers = [judged.ratings, *judged.scores]
    columns: list[Column] = [(of[:, None], lambda sums: sums[..., 0]) for of in numbers]
    for metric, (scorer, name, statistics) in enumerate(judged.corpus, 1):
        columns[metric] = statistics, lambda sums, of=scorer, name=name: of.reduce(sums)[name]
    rows: dict[int, dict[int, int]] = {}
    for row, (system, item) in enumerate(zip(judged.systems, judged.items, strict=True)):
        rows.setdefault(int(system), {}).setdefault(int(item), row)
    agreed = []
    drawn: dict[int, NDArray[np.bool_]] = {}
    for one, other in itertools.combinations(rows.values(), 2):
        common = [item for item in one if item in other]
        if len(common) < 2:
            continue
        if len(common) not in drawn:
            parts = [*draws.swaps(len(common), resamples, seed)]
            drawn[len(common)] = np.concatenate([np.zeros((1, len(common)), np.bool_), *parts])
        pair = [np.array([own[item] for item in common]) for own in (one, other)]
        people, *metrics = (_p_value(column, pair, drawn[len(common)]) for column in columns)
        agreed.append(1 - np.abs(np.array(metrics) - people))
    return np.mean(agreed, axis=0) if agreed else np.full(len(judged.scores), np.nan)


def _p_value(column: Column, pair: list[NDArray[np.int64]], swaps: NDArray[np.bool_]) -> float:
    """Return the share of swaps in which the first is better by as much as it is without any."""
    statistics, reduce = column
    first, second = (np.nan_to_num(statistics[rows]) for rows in pair)
    moved = swaps @ (second - first)
    differences = reduce(first.sum(0) + moved) - reduce(second.sum(0) - moved)
    return float(np.mean(differences >= differences[0] - 1e-9))
