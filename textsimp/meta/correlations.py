"""Coefficients of how well scores agree with ratings, of weighted rows, many at once.

A bootstrap resample is a weight for each row, namely how often it was drawn. So every coefficient
here takes weights and equals the plain one of the repeated rows; all resamples are computed
together. All are NaN where undefined: of constant scores or ratings.

The functions of ``OF_OUTPUTS`` take scores that are the same in all resamples: (metrics, n) scores
and (n,) ratings with (m, n) weights become (metrics, m) coefficients. Those of ``OF_SYSTEMS`` take
(m, n) scores, ratings and weights, which become (m,): a system's score depends on the resample.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.extras import require
from textsimp.metric import Floats

_ENTRIES_AT_ONCE = 2**22
_MOST_CALIBRATED = 3000  # whose pairs take some 200 MB


def pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of outputs."""
    x, y = _centred(x), _centred(y)
    total = weights.sum(axis=1)
    sx, sy = weights @ x.T, weights @ y  # (m, metrics), (m,)
    with np.errstate(invalid="ignore", divide="ignore"):
        sxy = weights @ (x * y).T - sx * (sy / total)[:, None]
        sxx = _beyond_rounding(weights @ (x * x).T, sx * sx / total[:, None])
        syy = _beyond_rounding(weights @ (y * y), sy * sy / total)
        return _ratio(sxy.T, sxx.T, syy)


def spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's ρ of outputs: Pearson's r of ranks."""
    middle = (weights.sum(axis=1, keepdims=True) + 1) / 2
    of_y = ranks(y, weights) - middle
    weighed = weights * of_y
    syy = np.vecdot(weighed, of_y)
    found = []
    for scores in x:
        of_x = ranks(scores, weights) - middle
        found.append(_ratio(np.vecdot(weighed, of_x), np.vecdot(weights * of_x, of_x), syy))
    return np.stack(found)


def kendall(x: Floats, y: Floats, weights: Floats, units: Any = None) -> Floats:
    """Kendall's τ-b of outputs.

    Args:
        x: (metrics, n) scores.
        y: (n,) ratings.
        weights: (m, units) of units.
        units: (n,) ints from 0, the unit of each row, whose rows weigh the same: pairs are summed
            by units first, so many resamples cost little. Unless given, each row is one.
    """
    x, y, units = _sorted(x, y, units)

    def agreeing(rows: slice) -> Iterator[Floats]:
        of_y = signs(y, rows)
        return (signs(scores, rows) * of_y for scores in x)

    agree = _forms(agreeing, units, weights)
    by_row = weights[:, units]
    untied = _untied(y, by_row)
    return np.stack(
        [
            _ratio(part, _untied(scores, by_row), untied)
            for scores, part in zip(x, agree, strict=True)
        ]
    )


def calibrated_accuracy(
    x: Floats, y: Floats, weights: Floats, epsilons: Any, units: Any = None
) -> Floats:
    """Share of pairs of outputs that scores order, or tie, as ratings do. See `kendall`.

    Args:
        x: (metrics, n) scores.
        y: (n,) ratings.
        weights: (m, units) of units. Copies of a row are no pair.
        epsilons: (metrics,) differences of scores up to which they count as ties.
        units: (n,) ints from 0, the unit of each row.
    """
    x, y, units = _sorted(x, y, units)

    def right(rows: slice) -> Iterator[Floats]:
        of_y = signs(y, rows)
        for scores, epsilon in zip(x, epsilons, strict=True):
            difference = scores[rows, None] - scores
            of_x = np.where(np.abs(difference) <= epsilon, 0, np.sign(difference))
            yield (of_x == of_y).astype(np.float64)

    by_row = weights[:, units]
    itself = (by_row**2).sum(axis=1)  # each row was counted as a pair with itself, and is no pair
    pairs = by_row.sum(axis=1) ** 2 - itself
    found = [form - itself for form in _forms(right, units, weights)]
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy: Floats = np.stack(found) / pairs
    return accuracy


def calibrated(groups: list[tuple[Floats, Floats]], seed: int = 0) -> float:
    """The difference of scores up to which they had best count as ties.

    Deutsch, Foster & Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
    Accuracy and Tie Calibration", EMNLP: the ε with which the share of pairs that scores order, or
    tie, as ratings do, averaged over groups, is largest; the smallest of several.

    Args:
        groups: Scores (n,) and ratings (n,) of each group.
        seed: Of a group of more than 3,000, a random 3,000 are looked at.

    Returns:
        ε, at least 0.
    """
    gaps, gains = [np.zeros(0)], [np.zeros(0)]
    for x, y in groups:
        if len(x) > _MOST_CALIBRATED:
            drawn = np.random.default_rng(seed).choice(len(x), _MOST_CALIBRATED, replace=False)
            x, y = x[drawn], y[drawn]
        i, j = np.triu_indices(len(x), 1)
        difference, people = x[i] - x[j], np.sign(y[i] - y[j])
        # What is gained by calling it a tie. Pairs that tie or are wrong anyway gain nothing.
        gain = (people == 0).astype(np.float64) - (people == np.sign(difference))
        matters = np.flatnonzero(gain)
        gaps.append(np.abs(difference[matters]))
        gains.append(gain[matters] / max(1, len(i)))
    gap = np.concatenate(gaps)
    order = np.argsort(gap)
    gap, total = gap[order], np.cumsum(np.concatenate(gains)[order])
    at = np.flatnonzero(np.append(gap[1:] != gap[:-1], len(gap) > 0))  # all of this gap are in
    if not len(at) or total[at].max() <= 1e-12:
        return 0.0
    return float(gap[at[np.argmax(total[at] > total[at].max() - 1e-12)]])


def pearson_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of systems."""
    total = weights.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        dx = x - (np.vecdot(weights, x) / total)[..., None]
        dy = y - (np.vecdot(weights, y) / total)[..., None]
        sxx, syy = (np.vecdot(weights * d, d) for d in (dx, dy))
        for squares, whole in ((sxx, x), (syy, y)):
            squares[squares <= total * (1e-13 * np.abs(whole).max(axis=-1)) ** 2] = np.nan
        return _ratio(np.vecdot(weights * dx, dy), sxx, syy)


def spearman_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Spearman's ρ of systems."""
    # A system's rank, up to a constant, is half of by how many it is above more than below others.
    above_x, above_y = (np.matmul(signs(z), weights[..., None])[..., 0] for z in (x, y))
    return pearson_of_systems(above_x, above_y, weights)


def kendall_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Kendall's τ-b of systems."""
    sx, sy = signs(x), signs(y)
    agree, untied_x, untied_y = (_form(part, weights) for part in (sx * sy, sx * sx, sy * sy))
    return _ratio(agree, untied_x, untied_y)


def pairwise_accuracy(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Share of pairs of systems that scores order as ratings do; ties of both are right.

    Kocmi et al. (2021), "To Ship or Not to Ship", WMT. Copies of a system are no pair.
    """
    sx, sy = signs(x), signs(y)
    itself = (weights**2).sum(axis=-1)
    right = _form((sx == sy).astype(np.float64), weights) - itself
    with np.errstate(invalid="ignore", divide="ignore"):
        share = right / (weights.sum(axis=-1) ** 2 - itself)
    constant = ~sx.any(axis=(-1, -2)) | ~sy.any(axis=(-1, -2))
    return np.where(constant, np.nan, share)


OF_OUTPUTS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
}
OF_SYSTEMS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "pearson": pearson_of_systems,
    "spearman": spearman_of_systems,
    "kendall": kendall_of_systems,
    "accuracy": pairwise_accuracy,
}


def ranks(x: Floats, weights: Floats) -> Floats:
    """Ranks from 1, the mean rank for ties.

    Args:
        x: (n,) numbers.
        weights: (m, n) how often each counts.

    Returns:
        (m, n) the rank of each, among all that are counted.
    """
    _, value = np.unique(x, return_inverse=True)
    counts = _by_value(value, weights)
    return (np.cumsum(counts, axis=1) - counts / 2 + 0.5)[:, value]


def signs(x: Floats, rows: slice | None = None) -> Floats:
    """(..., n, n) 1 where the first of a pair is larger, -1 where it is smaller, 0 for ties.

    Args:
        x: (..., n) numbers; (n,) if there are rows.
        rows: Only pairs with these first.
    """
    first = x if rows is None else x[rows]
    return np.sign(first[..., :, None] - x[..., None, :])


def swapped_kendall(x: Floats, z: Floats, y: Floats, swap: Floats) -> tuple[Floats, Floats]:
    """Kendall's τ-b of two metrics with ratings, after some of their scores were swapped.

    Args:
        x: (n,) scores of one metric.
        z: (n,) scores of the other.
        y: (n,) ratings.
        swap: (m, n) 1 where scores are swapped, else 0.

    Returns:
        (m,) of each.
    """
    of_y, sides = signs(y), (1 - swap, swap)
    agree, untied = np.zeros((2, len(swap))), np.zeros((2, len(swap)))
    # A pair's sign depends on which metric gave each of its two scores: 0 for x, 1 for z.
    for one, other, times in ((0, 0, 1), (0, 1, 2), (1, 1, 1)):
        of_x = np.sign((x, z)[one][:, None] - (x, z)[other])
        for pairs, totals in ((of_x * of_y, agree), (of_x * of_x, untied)):
            swapped = (swap.astype(np.float32) @ pairs.astype(np.float32)).astype(np.float64)
            weighed = (pairs.sum(axis=0) - swapped, swapped)
            for metric in (0, 1):
                totals[metric] += times * np.vecdot(weighed[one ^ metric], sides[other ^ metric])
    found = _ratio(agree, untied, np.full(agree.shape, (of_y * of_y).sum()))
    return found[0], found[1]


def williams(r12: float, r13: float, r23: float, n: int) -> tuple[float, float]:
    """Williams' test that two dependent correlations are equal.

    Williams (1959), "The Comparison of Regression Variables", JRSS B 21(2).

    Args:
        r12: Pearson's r of ratings with one metric.
        r13: Of ratings with the other.
        r23: Of the two metrics.
        n: Number of observations, which are taken to be independent; at least 4.

    Returns:
        t with n - 3 degrees of freedom, and a two-sided p-value; NaN where the metrics are the
        same up to a factor and a constant.
    """
    k = 1 - r12**2 - r13**2 - r23**2 + 2 * r12 * r13 * r23
    below = 2 * k * (n - 1) / (n - 3) + (r12 + r13) ** 2 / 4 * (1 - r23) ** 3
    if below <= 1e-12:
        return math.nan, math.nan
    t = (r12 - r13) * math.sqrt((n - 1) * (1 + r23) / below)
    return t, float(2 * require("scipy.stats", extra="meta").t.sf(abs(t), n - 3))


def _centred(x: Floats) -> Floats:
    """x minus its mean; 0 if it is constant but for rounding."""
    centred = x - x.mean(axis=-1, keepdims=True)
    largest = np.abs(x).max(axis=-1, keepdims=True)
    constant = np.abs(centred).max(axis=-1, keepdims=True) <= 1e-13 * largest
    return np.where(constant, 0.0, centred)


def _beyond_rounding(squares: Floats, of_mean: Floats) -> Floats:
    """Sums of squares minus what the mean makes of them; NaN where the rest is only rounding."""
    rest = squares - of_mean
    return np.where(rest <= 1e-12 * squares, np.nan, rest)


def _ratio(together: Floats, of_x: Floats, of_y: Floats) -> Floats:
    """A coefficient from its sums, NaN where one of them is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = np.clip(together / np.sqrt(of_x * of_y), -1, 1)
    return np.where(of_x * of_y > 0, found, np.nan)


def _untied(x: Floats, weights: Floats) -> Floats:
    """(m,) twice the number of pairs with different numbers."""
    _, value = np.unique(x, return_inverse=True)
    untied: Floats = weights.sum(axis=1) ** 2 - (_by_value(value, weights) ** 2).sum(axis=1)
    return untied


def _by_value(value: Any, weights: Floats) -> Floats:
    """(m, values) sums of the weights (m, n) of each value, from 0."""
    order = np.argsort(value, kind="stable")
    ordered = weights[:, order]
    starts = np.flatnonzero(np.diff(value[order], prepend=-1))
    return ordered if len(starts) == len(value) else np.add.reduceat(ordered, starts, axis=1)


def _form(pairs: NDArray[Any], weights: Floats) -> Floats:
    """Sum over pairs of their value (n, n) or (m, n, n), as often as both rows count (m, n)."""
    if pairs.ndim == 2:
        # Single precision is exact for whole numbers of up to 16 million, and twice as fast.
        weighed = (weights.astype(np.float32) @ pairs.astype(np.float32)).astype(np.float64)
    else:
        weighed = np.matmul(weights[..., None, :], pairs)[..., 0, :]
    total: Floats = np.vecdot(weighed, weights)
    return total


def _forms(parts: Callable[[slice], Iterator[Floats]], units: Any, weights: Floats) -> list[Floats]:
    """`_form` of each part, whose pairs' values (rows, n) are made of some rows at a time.

    Args:
        parts: Rows → their values with all rows, of each part.
        units: (n,) ascending ints from 0, the unit of each row.
        weights: (m, units) how often each counts.
    """
    n, k = len(units), weights.shape[1]
    if k == n and (units == np.arange(n)).all():
        return [_form(part, weights) for part in parts(slice(None))]
    sums: dict[int, NDArray[np.float32]] = {}
    at_once = max(1, _ENTRIES_AT_ONCE // n)
    for start in range(0, n, at_once):
        rows = slice(start, start + at_once)
        starts = np.flatnonzero(np.diff(units[rows], prepend=-1))
        for i, part in enumerate(parts(rows)):
            by_unit = sums.setdefault(i, np.zeros((k, n), np.float32))
            by_unit[units[rows][starts]] += np.add.reduceat(part, starts, axis=0)
    of = np.eye(k, dtype=np.float32)[units]
    return [_form(by_unit @ of, weights) for by_unit in sums.values()]


def _sorted(x: Floats, y: Floats, units: Any) -> tuple[Floats, Floats, Any]:
    """Scores and ratings with the rows of a unit together; without units each row is one."""
    if units is None:
        return x, y, np.arange(len(y))
    order = np.argsort(units, kind="stable")
    return x[:, order], y[order], units[order]
