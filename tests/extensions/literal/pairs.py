"""Pairwise accuracies of copies of outputs, one pair of copies after another."""

import itertools
import math


def sign(number):
    return int(number > 0) - int(number < 0)


def accuracy(x, y, copies):
    """Share of pairs, other than of copies of one row, that scores order or tie as ratings do."""
    right = [
        sign(x[i] - x[j]) == sign(y[i] - y[j])
        for i, j in itertools.combinations(copies, 2)
        if i != j
    ]
    return sum(right) / len(right) if right else math.nan


def tie_calibrated(x, y, groups):
    """The mean of groups' shares of pairs that scores order or tie as ratings do.

    Scores tie if they differ by no more than a threshold, the best of all. A group lists its rows,
    once for each copy; copies of one row are no pair.
    """
    pairs_of_groups = []
    for group in groups:
        pairs = [(i, j) for i, j in itertools.combinations(group, 2) if i != j]
        if pairs:
            pairs_of_groups.append(pairs)
    if not pairs_of_groups:
        return math.nan

    def accuracy(threshold):
        shares = []
        for pairs in pairs_of_groups:
            right = 0
            for i, j in pairs:
                scored = 0 if abs(x[i] - x[j]) <= threshold else sign(x[i] - x[j])
                right += scored == sign(y[i] - y[j])
            shares.append(right / len(pairs))
        return sum(shares) / len(shares)

    distances = {abs(x[i] - x[j]) for pairs in pairs_of_groups for i, j in pairs}
    return max(map(accuracy, {0.0, *distances}))
