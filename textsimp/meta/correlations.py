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
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats
from textsimp.support.extras import require

_FEW = 128  # rows whose pairs are compared directly
_MOST_PAIRS = 4_500_000  # that take some 400 MB


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


def kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Kendall's τ-b of outputs."""
    of_y = _codes(y)
    untied_y = _untied(of_y, weights)
    found = []
    for scores in x:
        of_x = _codes(scores)
        untied_x = _untied(of_x, weights)
        untied = untied_x + untied_y - _untied(of_x * len(y) + of_y, weights)  # in both
        ordered, _ = _ordered(scores, y, weights)
        found.append(_ratio(4 * ordered - untied, untied_x, untied_y))
    return np.stack(found)


def calibrated_accuracy(x: Floats, y: Floats, weights: Floats, epsilons: Any) -> Floats:
    """Share of pairs of outputs that scores order, or tie, as ratings do.

    Args:
        x: (metrics, n) scores.
        y: (n,) ratings.
        weights: (m, n) how often each row counts. Copies of a row are no pair.
        epsilons: (metrics,) differences of scores up to which they count as ties.
    """
    pairs = (weights.sum(axis=1) ** 2 - (weights**2).sum(axis=1)) / 2
    right = [
        _ordered(scores, y, weights, epsilon)[0] + _tied(scores, y, weights, epsilon)
        for scores, epsilon in zip(x, epsilons, strict=True)
    ]
    with np.errstate(invalid="ignore", divide="ignore"):
        accuracy: Floats = np.stack(right) / pairs
    return accuracy


def swapped(x: Floats, z: Floats, y: Floats, swap: NDArray[np.bool_]) -> dict[str, Floats]:
    """Coefficients of the scores that two metrics have after swaps, by their names in OF_OUTPUTS.

    Both metrics' scores are one column, half of which counts for the first metric and the rest for
    the second. Ranks and numbers of pairs are linear and quadratic in the weights, so that those of
    the rest follow; and ratings are always the same.

    Args:
        x: (n,) scores of the first metric.
        z: (n,) scores of the second.
        y: (n,) ratings.
        swap: (m, n) whether the metrics' scores of an output are swapped.

    Returns:
        (2, m) of each.
    """
    n, scores, ratings = len(y), np.concatenate([x, z]), np.tile(y, 2)
    weights = np.concatenate([~swap, swap], axis=1).astype(np.float64)
    every = np.ones((1, 2 * n))
    r = [pearson(scores[None], ratings, w)[0] for w in (weights, 1 - weights)]

    of_first = ranks(scores, weights)
    of_second = ranks(scores, every) + 0.5 - of_first
    of_y = ranks(y, every[:, :n])[0] - (n + 1) / 2
    rho = []
    for of_x in (
        np.where(swap, of_first[:, n:], of_first[:, :n]),
        np.where(swap, of_second[:, :n], of_second[:, n:]),
    ):
        of_x -= (n + 1) / 2
        rho.append(_ratio(of_x @ of_y, np.vecdot(of_x, of_x), of_y @ of_y))

    (untied_y,) = _untied(_codes(y), every[:, :n])
    codes = _codes(scores)
    of_both = _codes(codes * n + np.tile(_codes(y), 2))
    ordered, of_row = _ordered(scores, ratings, weights)
    rest = ordered + of_row.sum() / 2 - weights @ of_row
    tau = []
    for pairs, w in ((ordered, weights), (rest, 1 - weights)):
        untied_x = _untied(codes, w)
        untied = untied_x + untied_y - _untied(of_both, w)  # in both
        tau.append(_ratio(4 * pairs - untied, untied_x, untied_y))
    return {"pearson": np.array(r), "spearman": np.array(rho), "kendall": np.array(tau)}


def pairs_of_units(x: Floats, y: Floats, units: Any, epsilon: float) -> Floats:
    """What `kendall` and `calibrated_accuracy` count of pairs of outputs, summed by their units.

    If an output counts as often as its unit (an item, or a system), these numbers of pairs are
    quadratic forms of the units' weights, and the pairs are compared once for all resamples.

    Args:
        x: (n,) scores.
        y: (n,) ratings.
        units: (n,) ints, of which unit each output is: all of 0 to the largest.
        epsilon: Difference of scores up to which they count as ties for the accuracy.

    Returns:
        (5, units, units) over all ordered pairs of an output of one unit and another of the other:
        agreeing minus disagreeing, different scores, different ratings, right ones, and all.
    """
    order = np.argsort(units, kind="stable")
    x, y, units = x[order], _codes(y)[order], units[order]
    of_unit = (units[:, None] == np.arange(units[-1] + 1)).astype(np.float32)
    found = np.zeros((5, of_unit.shape[1], of_unit.shape[1]))
    for start in range(0, len(x), _FEW):
        rows = slice(start, start + _FEW)
        these = slice(units[rows][0], units[rows][-1] + 1)
        # Pairs with those before are the same as theirs with these, which hence count twice.
        others = of_unit[start:].astype(np.float64)
        others[_FEW:] *= 2
        difference = x[rows, None] - x[start:]
        of_x, of_near = _signs(difference, 0.0), _signs(difference, epsilon)
        of_y = _signs(y[rows, None] - y[start:], 0)
        for i, part in enumerate((of_x * of_y, of_x != 0, of_y != 0, of_near == of_y)):
            found[i, these] += (of_unit[rows, these].T @ part.astype(np.float32)) @ others
    sizes = of_unit.sum(axis=0, dtype=np.float64)
    found[3] -= np.diag(sizes)  # each with itself
    found[4] = np.outer(sizes, sizes) - np.diag(sizes)
    return found


def of_pairs(pairs: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """Kendall's τ-b and calibrated accuracies (m,) from `pairs_of_units`.

    Args:
        pairs: (5, units, units).
        weights: (m, units) how often each unit counts.
    """
    agree, untied_x, untied_y, right, every = np.vecdot(weights @ pairs, weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        return _ratio(agree, untied_x, untied_y), right / every


def calibrated(groups: list[tuple[Floats, Floats]], seed: int = 0) -> float:
    """The difference of scores up to which they had best count as ties.

    Deutsch, Foster & Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
    Accuracy and Tie Calibration", EMNLP: the ε with which the share of pairs that scores order, or
    tie, as ratings do, averaged over groups, is largest; the smallest of several.

    Args:
        groups: Scores (n,) and ratings (n,) of each group.
        seed: If all groups together have more than some 4.5 million pairs, random outputs of each
            are looked at: 3,000 of a single group, 612 of each of 24.

    Returns:
        ε, at least 0.
    """
    gaps, gains = [np.zeros(0)], [np.zeros(0)]
    pairs = sum(len(x) * (len(x) - 1) // 2 for x, _ in groups)
    most = max(2, math.isqrt(2 * _MOST_PAIRS // len(groups)))
    for x, y in groups:
        if pairs > _MOST_PAIRS and len(x) > most:
            drawn = np.random.default_rng(seed).choice(len(x), most, replace=False)
            x, y = x[drawn], y[drawn]
        x, y = np.asarray(x, np.float64), _codes(y)
        for start in range(0, len(x), _FEW):
            rows = slice(start, start + _FEW)
            difference = x[rows, None] - x[start:]
            people = _signs(y[rows, None] - y[start:], 0)
            # What is gained by calling it a tie. Pairs that tie or are wrong anyway gain nothing.
            right = (people == _signs(difference, 0)).view(np.int8)
            gain = np.triu((people == 0).view(np.int8) - right, 1)
            matters = gain != 0
            gaps.append(np.abs(difference[matters]))
            gains.append(gain[matters] / (len(x) * (len(x) - 1) / 2))
    gap = np.concatenate(gaps)
    order = np.argsort(gap)
    gap, total = gap[order], np.cumsum(np.concatenate(gains)[order])
    at = np.flatnonzero(np.append(gap[1:] != gap[:-1], len(gap) > 0))  # all of this gap are in
    if not len(at) or total[at].max() <= 1e-12:
        return 0.0
    return float(gap[at[np.argmax(total[at] > total[at].max() - 1e-12)]])


def pearson_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Pearson's r of systems."""
    x, y = scaled(x), scaled(y)
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
    untied = (_form(np.abs(part), weights) for part in (sx, sy))  # of those that are counted
    return np.where(np.multiply(*untied) > 0, share, np.nan)


OF_OUTPUTS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
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
    value = _codes(x)
    counts = _by_value(value, weights)
    # `take` keeps the rows of memory together, which indexing doesn't: much faster.
    found: Floats = (np.cumsum(counts, axis=1) - counts / 2 + 0.5).take(value, axis=1)
    return found


def signs(x: Floats) -> Floats:
    """(..., n, n) 1 where the first of a pair is larger, -1 where it is smaller, 0 for ties.

    Means of the same numbers may differ by rounding in the order of their sums, and are ties.
    """
    difference = x[..., :, None] - x[..., None, :]
    rounding = 1e-12 * np.abs(x).max(axis=-1)[..., None, None]
    return np.where(np.abs(difference) <= rounding, 0.0, np.sign(difference))


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


def scaled(x: Floats) -> Floats:
    """x divided by a power of 2, so that its largest number is about 1 and squares are exact."""
    result: Floats = np.ldexp(x, -np.frexp(np.abs(x).max(axis=-1, keepdims=True))[1])
    return result


def _centred(x: Floats) -> Floats:
    """x minus its mean, scaled; 0 if it is constant but for rounding."""
    x = scaled(x)
    centred = x - x.mean(axis=-1, keepdims=True)
    constant = np.abs(centred).max(axis=-1, keepdims=True) <= 1e-13
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


def _codes(x: Floats) -> Any:
    """(n,) ints from 0, the place of each number among the different ones."""
    return np.unique(x, return_inverse=True)[1]


def _signs(differences: NDArray[Any], epsilon: float) -> NDArray[np.int8]:
    """1, -1, or 0 up to epsilon."""
    return (differences > epsilon).view(np.int8) - (differences < -epsilon).view(np.int8)


def _untied(codes: Any, weights: Floats) -> Floats:
    """(m,) twice the number of pairs with different codes."""
    untied: Floats = weights.sum(axis=1) ** 2 - (_by_value(codes, weights) ** 2).sum(axis=1)
    return untied


def _by_value(codes: Any, weights: Floats) -> Floats:
    """(m, codes) sums of the weights (m, n) of each code, in ascending order."""
    order = np.argsort(codes, kind="stable")
    ordered: Floats = weights.take(order, axis=1)
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return ordered if len(starts) == len(codes) else np.add.reduceat(ordered, starts, axis=1)


def _reach(x: Floats, epsilon: float) -> tuple[Any, Any]:
    """Codes of numbers, see `_codes`; and of each code, how many are smaller by more than epsilon.

    By bisection with differences as they are computed: epsilon is one of these.
    """
    distinct, codes = np.unique(x, return_inverse=True)
    low, high = np.zeros(len(distinct), np.int64), np.arange(len(distinct))
    while (low < high).any():
        middle = (low + high) // 2
        far = distinct - distinct[middle] > epsilon
        low = np.where(far & (low < high), middle + 1, low)
        high = np.where(far, high, middle)
    return codes, low


def _ordered(x: Floats, y: Floats, weights: Floats, epsilon: float = 0.0) -> tuple[Floats, Floats]:
    """(m,) number of pairs in which the larger rating's score is larger by more than epsilon.

    And (n,) in how many of them each row is if all count once. As merge sort counts inversions, in
    n log n steps: pairs of an output in the lower half of the ratings with one in the upper half
    are counted by sums along the scores, then those in each.
    """
    codes, reach = _reach(x, epsilon)
    order = np.argsort(codes, kind="stable")
    codes, ratings, counts = codes[order], _codes(y)[order], weights.T[order]
    reach = reach[codes]
    total, of_row = np.zeros(len(weights)), np.zeros(len(order))
    parts = [np.arange(len(order))]
    while parts:
        rows = parts.pop()
        of = ratings[rows]
        if of.min() == of.max():
            continue
        if len(rows) <= _FEW:
            pairs = (of < of[:, None]) & (codes[rows] < reach[rows, None])
            total += (counts[rows] * (pairs.astype(np.float64) @ counts[rows])).sum(axis=0)
            of_row[order[rows]] += pairs.sum(axis=0) + pairs.sum(axis=1)
            continue
        middle = np.partition(of, len(of) // 2)[len(of) // 2]
        below = of < middle if middle > of.min() else of == middle
        lower, upper = rows[below], rows[~below]
        sums = np.zeros((len(lower) + 1, len(total)))
        np.cumsum(counts[lower], axis=0, out=sums[1:])
        smaller = np.searchsorted(codes[lower], reach[upper])
        total += (counts[upper] * sums[smaller]).sum(axis=0)
        of_row[order[upper]] += smaller
        larger = np.searchsorted(smaller, np.arange(len(lower)), side="right")
        of_row[order[lower]] += len(upper) - larger
        parts += [lower, upper]
    return total, of_row


def _tied(x: Floats, y: Floats, weights: Floats, epsilon: float) -> Floats:
    """(m,) number of pairs of the same rating whose scores differ by at most epsilon."""
    codes, reach = _reach(x, epsilon)
    ratings = _codes(y) * len(reach)
    order = np.argsort(ratings + codes, kind="stable")
    first = np.searchsorted((ratings + codes)[order], (ratings + reach[codes])[order])
    sums = np.zeros((len(weights), len(order) + 1))
    counts = weights.take(order, axis=1)
    np.cumsum(counts, axis=1, out=sums[:, 1:])
    within: Floats = np.vecdot(counts, sums[:, :-1] - sums.take(first, axis=1))
    return within


def _form(pairs: NDArray[Any], weights: Floats) -> Floats:
    """Sum over pairs of their value (m, n, n), as often as both rows count (m, n)."""
    total: Floats = np.vecdot(np.matmul(weights[..., None, :], pairs)[..., 0, :], weights)
    return total
