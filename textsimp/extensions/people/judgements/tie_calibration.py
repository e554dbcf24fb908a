"""Tie-calibrated pairwise accuracy: how often a metric orders or ties two outputs as people do.

Deutsch, Foster & Freitag (2023), "Ties Matter: Meta-Evaluating Modern Metrics with Pairwise
Accuracy and Tie Calibration", EMNLP. WMT ranks metrics of segments by it.
"""

from collections.abc import Sequence

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints

NAME = "tie_calibrated_accuracy"
MAX_PAIRS = 2**21
"""The most pairs of outputs that are compared."""


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
