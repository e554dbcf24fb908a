"""Tests of whether metrics agree equally well with people: with a baseline, and all of them."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.metric import Floats
from textsimp.core.sample import Numbers
from textsimp.extensions.people.judgements import coefficients, resampling
from textsimp.extensions.people.judgements.correlation_results import (
    CorrelationDifference,
    Estimate,
)
from textsimp.extensions.people.judgements.resampling import Judged, PValues

Estimates = Mapping[str, Mapping[str, Estimate]]
"""Metric → "level.coefficient" → estimate."""
Pair = frozenset[str]
"""The names of two metrics."""


def compare_pairs(
    judged: Judged,
    names: Sequence[str],
    baseline: str | None,
    clusters: bool,
    drawn: Numbers,
    drawing: Mapping[str, Any],
) -> dict[Pair, PValues]:
    """Test all metrics against the baseline, if there is one, and for clusters each other.

    By output permutations alone find too much, since errors on outputs of a system, or of an item,
    are alike. So p is at least that of ``drawn`` resamples of items and systems. Tie-calibrated
    accuracy has this one alone, as each permutation would have to sort all pairs of outputs again.
    """
    others = [name for name in names if name != baseline]
    pairs = [(baseline, name) for name in others if baseline is not None]
    if clusters:
        pairs += itertools.combinations(others, 2)
    at = names.index
    return {
        frozenset((one, other)): _test(judged, at(one), at(other), drawn, drawing)
        for one, other in pairs
    }


def _test(
    judged: Judged, first: int, second: int, drawn: Numbers, drawing: Mapping[str, Any]
) -> PValues:
    p_values = resampling.permute(judged, first, second, **drawing)
    if "within_items" in judged.by:
        p_values[f"within_items.{coefficients.TIE_CALIBRATED}"] = 0.0, 0.0
    at_least = {}
    for label, (p, adjusted) in p_values.items():
        if label.startswith("systems."):
            at_least[label] = p, adjusted
        elif label in drawn:
            least = _tail_p(drawn[label][:, second] - drawn[label][:, first])
            at_least[label] = max(p, least), max(adjusted, least)
    return at_least


def _tail_p(differences: Floats) -> float:
    """Return the two-sided bootstrap p-value that a difference is 0."""
    differences = differences[~np.isnan(differences)]
    tail = min(np.sum(differences <= 1e-9), np.sum(differences >= -1e-9))
    return min(1.0, 2 * (1 + float(tail)) / (1 + len(differences)))


def subtract_baseline(
    metrics: Estimates,
    baseline: str,
    p_values: Mapping[Pair, PValues],
    drawn: Numbers,
    bound: Callable[[str, Floats], Any],
) -> dict[str, dict[str, CorrelationDifference]]:
    """Return the differences of all other metrics from the baseline, like `Estimates`.

    P-values are adjusted for all metrics by Holm's method. ``bound`` returns the interval of a
    coefficient's resampled differences.
    """
    names = [*metrics]
    gaps: dict[str, dict[str, CorrelationDifference]]
    gaps = {name: {} for name in names if name != baseline}
    for label, estimate in metrics[baseline].items():
        if estimate.value is None or label == resampling.SOFT_ACCURACY:
            continue
        estimates = {name: metrics[name][label].value for name in gaps}
        values = {name: value for name, value in estimates.items() if value is not None}
        tests = {name: p_values[frozenset((baseline, name))].get(label) for name in values}
        tested = {name: test for name, test in tests.items() if test is not None}
        holm = significance.holm([adjusted for _, adjusted in tested.values()])
        adjusted_p = dict(zip(tested, holm, strict=True))
        for name, value in values.items():
            ends = None
            if label in drawn:
                own, others = (drawn[label][:, names.index(one)] for one in (name, baseline))
                ends = bound(label, own - others)
            p = tested[name][0] if name in tested else None
            gap = value - estimate.value
            gaps[name][label] = CorrelationDifference(gap, ends, p, adjusted_p.get(name))
    return gaps


def rank(
    metrics: Estimates, p_values: Mapping[Pair, PValues], alpha: float
) -> dict[str, dict[str, int]]:
    """Return "level.coefficient" → metric → rank; metrics of a rank don't differ significantly.

    P-values are adjusted for all pairs of metrics by Shaffer's method.
    """
    ranks = {}
    for label in next(iter(metrics.values())):
        values = {name: estimates[label].value for name, estimates in metrics.items()}
        defined = {name: value for name, value in values.items() if value is not None}
        pairs = map(frozenset, itertools.combinations(defined, 2))
        tests = {pair: p_values[pair][label][0] for pair in pairs if label in p_values[pair]}
        if tests:
            adjusted = significance.holm([*tests.values()], significance.all_pairs(len(defined)))
            ranks[label] = assign_ranks(defined, dict(zip(tests, adjusted, strict=True)), alpha)
    return ranks


def note_resamples(metrics: int, resamples: int, alpha: float) -> list[str]:
    """Return a note if so few resamples can't tell any of so many metrics apart."""
    fewest = math.ceil(2 * math.comb(metrics, 2) / alpha)
    if resamples >= fewest:
        return []
    too_few = f"{resamples:,} resamples are too few to tell {metrics} metrics apart"
    return [f"rank: {too_few}: use at least {fewest:,}"]


def assign_ranks(
    values: Mapping[str, float], p_values: Mapping[Pair, float], alpha: float
) -> dict[str, int]:
    """Return metric → rank, the highest value first, as WMT does.

    A metric has the rank of the one before it, unless one of that rank is significantly better.
    """
    ranks: dict[str, int] = {}
    rank, cluster = 1, list[str]()
    for name in sorted(values, key=values.__getitem__, reverse=True):
        if any(p_values.get(frozenset((better, name)), 1) <= alpha for better in cluster):
            rank, cluster = rank + 1, []
        cluster.append(name)
        ranks[name] = rank
    return ranks
