"""Coefficients of how well scores agree with ratings, of weighted rows, many resamples at once.

A bootstrap resample is a weight for each row: the number of times it was drawn. A coefficient of
weighted rows equals SciPy's of the repeated rows; SciPy's functions take no weights. Each function
takes (m, n) weights and returns (m,) values, NaN where scores or ratings are constant.

The functions of ``OF_OUTPUTS`` take (n,) scores and ratings, which are the same in all resamples.
Those of ``OF_SYSTEMS`` take (m, n): a system's score depends on the resample.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints

TIE_CALIBRATED = "tie_calibrated_accuracy"
"""How often a metric orders or ties two outputs as people do: `calibrate`."""
MAX_PAIRS = 2**21
"""The most pairs of outputs of which tie-calibrated accuracy compares all."""
_ROWS_AT_ONCE = 128  # rows whose pairs are compared directly


def pearson(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Pearson's r of outputs or of systems: (n,) or (m, n) scores and ratings."""
    dx, dy = _centre(x, weights), _centre(y, weights)
    weighted = weights * dx
    return _divide(np.vecdot(weighted, dy), np.vecdot(weighted, dx), np.vecdot(weights * dy, dy))


def spearman(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Spearman's ρ of outputs."""
    return pearson(_rank(x, weights), _rank(y, weights), weights)


def kendall(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Kendall's τ-b of outputs."""
    x_codes, y_codes = _encode(x), _encode(y)
    untied_x, untied_y = _count_untied(x_codes, weights), _count_untied(y_codes, weights)
    untied = untied_x + untied_y - _count_untied(x_codes * len(y) + y_codes, weights)  # in both
    return _divide(4 * _count_ordered(x_codes, y_codes, weights) - untied, untied_x, untied_y)


def spearman_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Spearman's ρ of systems."""
    # A system's rank, up to a constant, is half of by how many it is above more than below others.
    above_x, above_y = (np.matmul(compare(z), weights[..., None])[..., 0] for z in (x, y))
    return pearson(above_x, above_y, weights)


def kendall_of_systems(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return Kendall's τ-b of systems."""
    sx, sy = compare(x), compare(y)
    agree, untied_x, untied_y = (_sum_pairs(part, weights) for part in (sx * sy, sx * sx, sy * sy))
    return _divide(agree, untied_x, untied_y)


def pairwise_accuracy(x: Floats, y: Floats, weights: Floats) -> Floats:
    """Return the share of pairs of systems that scores order as ratings do; double ties are right.

    Kocmi et al. (2021), "To Ship or Not to Ship", WMT. Copies of a system are no pair.
    """
    sx, sy = compare(x), compare(y)
    itself = (weights**2).sum(axis=-1)
    right = _sum_pairs((sx == sy).astype(np.float64), weights) - itself
    with np.errstate(invalid="ignore", divide="ignore"):
        share = right / (weights.sum(axis=-1) ** 2 - itself)
    constant = (_sum_pairs(np.abs(sx), weights) == 0) | (_sum_pairs(np.abs(sy), weights) == 0)
    return np.where(constant, np.nan, share)


OF_OUTPUTS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman,
    "kendall": kendall,
}
OF_SYSTEMS: dict[str, Callable[[Floats, Floats, Floats], Floats]] = {
    "pearson": pearson,
    "spearman": spearman_of_systems,
    "kendall": kendall_of_systems,
    "accuracy": pairwise_accuracy,
}


def compare(x: Floats) -> Floats:
    """Return (..., n, n): 1 where the first of a pair is larger, -1 where smaller, 0 for ties."""
    difference = x[..., :, None] - x[..., None, :]
    # Means of the same numbers may differ by rounding in the order of their sums.
    rounding = 1e-12 * np.abs(x).max(axis=-1)[..., None, None]
    return np.where(np.abs(difference) <= rounding, 0.0, np.sign(difference))


def _centre(x: Floats, weights: Floats) -> Floats:
    """Return x, scaled, minus its weighted mean; 0 if it is constant but for rounding."""
    # A power of 2 keeps every digit; squares of tiny and huge numbers can be summed then.
    x = np.ldexp(x, -np.frexp(np.abs(x).max(axis=-1, keepdims=True))[1])
    limit = 1e-13 * np.abs(x).max(axis=-1)
    x = x - x.mean(axis=-1, keepdims=True)
    total = weights.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        centred: Floats = x - (np.vecdot(weights, x) / total)[..., None]
    centred[np.vecdot(weights, centred**2) <= total * limit**2] = 0
    return centred


def _divide(together: Floats, x_squares: Floats, y_squares: Floats) -> Floats:
    """Return a coefficient from its sums, NaN where one of them is 0."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio: Floats = np.clip(together / np.sqrt(x_squares * y_squares), -1, 1)
    return np.where(x_squares * y_squares > 0, ratio, np.nan)


def _rank(x: Floats, weights: Floats) -> Floats:
    """Return (m, n) ranks among all rows that count, the mean rank for ties."""
    codes = _encode(x)
    counts = _sum_by_code(codes, weights)
    # `take` keeps the rows of memory together, which indexing doesn't: much faster.
    ranks: Floats = (np.cumsum(counts, axis=1) - counts / 2 + 0.5).take(codes, axis=1)
    return ranks


def _encode(x: Floats) -> Any:
    """Return (n,) ints from 0: the place of each number among the distinct ones."""
    return np.unique(x, return_inverse=True)[1]


def _sum_by_code(codes: Any, weights: Floats) -> Floats:
    """Sum the weights (m, n) of each code, in ascending order: (m, codes)."""
    order = np.argsort(codes, kind="stable")
    ordered: Floats = weights.take(order, axis=1)
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    return ordered if len(starts) == len(codes) else np.add.reduceat(ordered, starts, axis=1)


def _count_untied(codes: Any, weights: Floats) -> Floats:
    """Return (m,) twice the number of pairs with different codes."""
    untied: Floats = weights.sum(axis=1) ** 2 - (_sum_by_code(codes, weights) ** 2).sum(axis=1)
    return untied


def _count_ordered(x_codes: Any, y_codes: Any, weights: Floats) -> Floats:
    """Count the pairs that are in the same order by both: (m,), as merge sort counts inversions."""
    order = np.argsort(x_codes, kind="stable")
    codes, ratings, counts = x_codes[order], y_codes[order], weights.T[order]
    total = np.zeros(len(weights))
    parts = [np.arange(len(order))]
    while parts:
        rows = parts.pop()
        part_ratings = ratings[rows]
        if part_ratings.min() == part_ratings.max():
            continue
        if len(rows) <= _ROWS_AT_ONCE:
            pairs = (part_ratings < part_ratings[:, None]) & (codes[rows] < codes[rows, None])
            total += (counts[rows] * (pairs.astype(np.float64) @ counts[rows])).sum(axis=0)
            continue
        # Pairs of an output below with one above by sums along the scores, then those in each half.
        middle = np.partition(part_ratings, len(part_ratings) // 2)[len(part_ratings) // 2]
        below = part_ratings < middle if middle > part_ratings.min() else part_ratings == middle
        lower, upper = rows[below], rows[~below]
        sums = np.zeros((len(lower) + 1, len(total)))
        np.cumsum(counts[lower], axis=0, out=sums[1:])
        total += (counts[upper] * sums[np.searchsorted(codes[lower], codes[upper])]).sum(axis=0)
        parts += [lower, upper]
    return total


def _sum_pairs(pairs: NDArray[Any], weights: Floats) -> Floats:
    """Sum the values (m, n, n) of pairs, as often as both rows count (m, n)."""
    total: Floats = np.vecdot(np.matmul(weights[..., None, :], pairs)[..., 0, :], weights)
    return total


def count_pairs(groups: Sequence[Ints]) -> int:
    """Return the number of pairs within groups of rows."""
    return sum(len(rows) * (len(rows) - 1) // 2 for rows in groups)


def list_pairs(groups: Sequence[Ints]) -> tuple[Ints, Ints, Ints]:
    """Return (pairs,) first rows, second rows and numbers of groups, of all pairs within groups."""
    parts = []
    for group, rows in enumerate(groups):
        first, second = np.triu_indices(len(rows), 1)
        parts.append(np.stack([rows[first], rows[second], np.full(len(first), group)]))
    first, second, numbers = np.concatenate(parts, axis=1)
    return first, second, numbers


def share_pairs(numbers: Ints, weights: Floats, group_weights: Floats) -> tuple[Floats, Floats]:
    """Return (m, pairs) shares of pairs in a mean over groups, and (m,) sums of these shares.

    Args:
        numbers: (pairs,) the groups of pairs, ascending.
        weights: (m, pairs) how often a pair counts within its group.
        group_weights: (m, groups) how often a group counts.
    """
    starts = np.flatnonzero(np.diff(numbers, prepend=-1))
    sums = np.add.reduceat(weights, starts, axis=1)
    counted = group_weights[:, numbers[starts]] * (sums > 0)
    sizes = np.diff(starts, append=len(numbers))
    shares = weights * np.repeat(counted / np.maximum(sums, 1), sizes, axis=1)
    return shares, counted.sum(axis=1)


def calibrate(scores: Floats, ratings: Floats, shares: Floats) -> Floats:
    """Return (m,) sums of the shares of pairs that are ordered or tied as by people.

    Deutsch, Foster & Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
    Accuracy and Tie Calibration", EMNLP. WMT ranks metrics of segments by it.

    Scores whose distance is at most a threshold are ties. The threshold is the best one.

    Args:
        scores: (2, pairs) scores of both outputs of each pair.
        ratings: (2, pairs) their ratings.
        shares: (m, pairs) shares of pairs, see `share_pairs`.
    """
    differences, rated = scores[0] - scores[1], ratings[0] - ratings[1]
    right = np.sign(differences) == np.sign(rated)
    gains = np.where(rated == 0, 1.0, 0.0) - right  # once a pair is a tie
    changed = np.flatnonzero(gains)
    order = changed[np.argsort(np.abs(differences[changed]), kind="stable")]
    ends = np.flatnonzero(np.diff(np.abs(differences[order]), append=np.inf))
    gained = np.cumsum(shares[:, order] * gains[order], axis=1)[:, ends]
    best: Floats = shares @ right + gained.max(axis=1, initial=0)
    return best
