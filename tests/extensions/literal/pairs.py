"""Kendall's tau-b and pairwise accuracy of copies of outputs, one pair of copies after another."""

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
