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

Swaps = NDArray[np.bool_]


def soft_accuracies(judged: Judged, resamples: int, seed: int) -> Floats:
    """Return (metrics,) numbers from 0 to 1; NaN if no two systems have two items in common.

    A pair of systems counts 1 − \\|p − q\\|: p is the one-sided p-value that people rate the first
    better, q that the metric scores it better. Both are of permutation tests that swap the outputs
    of items that the two have in common, of which the first output counts.
    """
    rows: dict[int, dict[int, int]] = {}
    for row, (system, item) in enumerate(zip(judged.systems, judged.items, strict=True)):
        rows.setdefault(int(system), {}).setdefault(int(item), row)
    agreed = []
    drawn: dict[int, Swaps] = {}
    for one, other in itertools.combinations(rows.values(), 2):
        common = [item for item in one if item in other]
        if len(common) < 2:
            continue
        if len(common) not in drawn:
            parts = [*draws.swaps(len(common), resamples, seed)]
            drawn[len(common)] = np.concatenate([np.zeros((1, len(common)), np.bool_), *parts])
        pair = [np.array([own[item] for item in common]) for own in (one, other)]
        swaps = drawn[len(common)]
        people = _p_value(judged.ratings[:, None], pair, swaps, lambda sums: sums[..., 0])
        metrics = [
            _p_of_metric(judged, metric, pair, swaps) for metric in range(len(judged.scores))
        ]
        agreed.append(1 - np.abs(np.array(metrics) - people))
    return np.mean(agreed, axis=0) if agreed else np.full(len(judged.scores), np.nan)


def _p_of_metric(judged: Judged, metric: int, pair: list[NDArray[np.int64]], swaps: Swaps) -> float:
    if metric < len(judged.corpus):
        scorer, name, statistics = judged.corpus[metric]
        return _p_value(statistics, pair, swaps, lambda sums: scorer.reduce(sums)[name])
    return _p_value(judged.scores[metric][:, None], pair, swaps, lambda sums: sums[..., 0])


def _p_value(
    statistics: Floats,
    pair: list[NDArray[np.int64]],
    swaps: Swaps,
    reduce: Callable[[Floats], Floats],
) -> float:
    """Return the share of swaps in which the first is better by as much as it is without any."""
    first, second = (np.nan_to_num(statistics[rows]) for rows in pair)
    moved = swaps @ (second - first)
    differences = reduce(first.sum(0) + moved) - reduce(second.sum(0) - moved)
    return float(np.mean(differences >= differences[0] - 1e-9))
