"""Tests of whether metrics agree equally well with people: with a baseline, and all of them."""

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.metric import Floats
from textsimp.core.sample import Numbers
from textsimp.extensions.people.judgements import resampling, tie_calibration
from textsimp.extensions.people.judgements.correlation_results import (
    CorrelationDifference,
    Estimates,
)
from textsimp.extensions.people.judgements.resampling import Judged

Gaps = dict[str, dict[str, CorrelationDifference]]
"""Level → coefficient → that of a metric minus that of the baseline."""
PValues = dict[str, dict[str, tuple[float, float]]]
"""Level → coefficient → the p-value that two metrics agree equally well, and the adjusted one."""
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
    """Test all metrics against the baseline, if there is one, and for clusters each other."""
    others = [name for name in names if name != baseline]
    pairs = [(baseline, name) for name in others if baseline is not None]
    if clusters:
        pairs += itertools.combinations(others, 2)
    indices = {name: i for i, name in enumerate(names)}
    return {
        frozenset(pair): _test(judged, [indices[name] for name in pair], drawn, drawing)
        for pair in pairs
    }


def _test(
    judged: Judged, pair: Sequence[int], drawn: Numbers, drawing: Mapping[str, Any]
) -> PValues:
    """Return the p-values that two metrics agree equally well, see `permute`.

    By output permutations alone find too much, since errors on outputs of a system, or of an item,
    are alike. So p is at least that of ``drawn`` resamples of items and systems. Tie-calibrated
    accuracy has this one alone, as each permutation would have to sort all pairs of outputs again.
    """
    first, second = pair
    p_values = resampling.permute(judged, first, second, **drawing)
    for level, by_coefficient in p_values.items():
        if level == "systems":
            continue
        if level == "within_items":
            by_coefficient[tie_calibration.NAME] = (0.0, 0.0)
        for key in [*by_coefficient]:
            p, adjusted = by_coefficient.pop(key)
            values = drawn.get(f"{level}.{key}")
            if values is not None:
                least = _tail_p(values[:, second] - values[:, first])
                by_coefficient[key] = max(p, least), max(adjusted, least)
    return p_values


def _tail_p(differences: Floats) -> float:
    """Return the two-sided bootstrap p-value that a difference is 0."""
    differences = differences[~np.isnan(differences)]
    tail = min(np.sum(differences <= 1e-9), np.sum(differences >= -1e-9))
    return min(1.0, 2 * (1 + float(tail)) / (1 + len(differences)))


def subtract_baseline(
    metrics: Mapping[str, Estimates],
    baseline: str | None,
    p_values: Mapping[Pair, PValues],
    drawn: Numbers,
    bound: Callable[[str, Floats], Any],
) -> dict[str, Gaps]:
    """Return the differences of all other metrics from the baseline, if there is one.

    ``bound`` returns the interval of a coefficient's resampled differences.
    """
    gaps: dict[str, Gaps] = {}
    names = [*metrics]
    for i, name in enumerate(names):
        if baseline is None or name == baseline:
            continue
        j = names.index(baseline)
        ends = {label: bound(label, values[:, i] - values[:, j]) for label, values in drawn.items()}
        pair = frozenset((baseline, name))
        gaps[name] = _subtract(metrics[name], metrics[baseline], ends, p_values[pair])
    return _adjust(gaps)


def _adjust(gaps: Mapping[str, Gaps]) -> dict[str, Gaps]:
    """Return the differences of all metrics with p-values adjusted by Holm's method."""
    adjusted: dict[str, Gaps] = {name: {level: {} for level in gaps[name]} for name in gaps}
    for level in next(iter(gaps.values()), {}):
        keys = dict.fromkeys(key for levels in gaps.values() for key in levels[level])
        for key in keys:
            tests = {
                name: levels[level][key] for name, levels in gaps.items() if key in levels[level]
            }
            p_values = {name: gap.permutation_p_holm for name, gap in tests.items()}
            tested = {name: p for name, p in p_values.items() if p is not None}
            holm = dict(zip(tested, significance.holm([*tested.values()]), strict=True))
            for name, gap in tests.items():
                adjusted[name][level][key] = replace(gap, permutation_p_holm=holm.get(name))
    return adjusted


def _subtract(
    estimates: Estimates,
    baseline: Estimates,
    intervals: Mapping[str, Any],
    p_values: PValues,
) -> Gaps:
    """Return the differences of a metric's coefficients from the baseline's."""
    gaps: Gaps = {level: {} for level in estimates}
    for level, by_coefficient in estimates.items():
        for key, estimate in by_coefficient.items():
            other = baseline[level][key]
            if estimate.value is None or other.value is None or key == "soft_accuracy":
                continue
            ends, p = intervals.get(f"{level}.{key}"), p_values[level].get(key, (None, None))
            gaps[level][key] = CorrelationDifference(estimate.value - other.value, ends, *p)
    return gaps


def rank(
    metrics: Mapping[str, Estimates], p_values: Mapping[Pair, PValues], confidence: float | None
) -> dict[str, dict[str, dict[str, int]]]:
    """Return level → coefficient → metric → rank; metrics of a rank don't differ significantly.

    P-values are adjusted for all pairs of metrics by Shaffer's method.
    """
    alpha = _alpha(confidence)
    ranks: dict[str, dict[str, dict[str, int]]] = {}
    for level, estimates in next(iter(metrics.values())).items():
        ranks[level] = {}
        for key in estimates:
            values = {name: of[level][key].value for name, of in metrics.items()}
            defined = {name: value for name, value in values.items() if value is not None}
            pairs = [*map(frozenset, itertools.combinations(defined, 2))]
            tests = {
                pair: p_values[pair][level][key][0]
                for pair in pairs
                if key in p_values[pair][level]
            }
            if tests:
                factors = significance.all_pairs(len(defined))
                adjusted = significance.holm([*tests.values()], factors)
                ranks[level][key] = assign_ranks(
                    defined, dict(zip(tests, adjusted, strict=True)), alpha
                )
    return ranks


def note_resamples(metrics: int, resamples: int, confidence: float | None) -> list[str]:
    """Return a note if so few resamples can't tell any of so many metrics apart."""
    fewest = math.ceil(2 * math.comb(metrics, 2) / _alpha(confidence))
    if resamples >= fewest:
        return []
    too_few = f"{resamples:,} resamples are too few to tell {metrics} metrics apart"
    return [f"rank: {too_few}: use at least {fewest:,}"]


def _alpha(confidence: float | None) -> float:
    return 0.05 if confidence is None else round(1 - confidence, 9)


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
