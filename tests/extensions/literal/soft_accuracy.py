"""Soft pairwise accuracy as Thompson et al. (2024) define it, with all swaps of two systems."""

from itertools import combinations, product
from statistics import fmean


def p_value(first, second):
    """Share of all swaps in which the first mean is above the second by what it is without any."""

    def difference(swaps):
        pairs = [
            (b, a) if swap else (a, b) for a, b, swap in zip(first, second, swaps, strict=True)
        ]
        return fmean(a for a, _ in pairs) - fmean(b for _, b in pairs)

    observed = difference([False] * len(first))
    every = [difference(swaps) for swaps in product([False, True], repeat=len(first))]
    return fmean(one >= observed - 1e-9 for one in every)


def soft_accuracy(scores, ratings):
    """Both: system → a number per item, all systems of the same items."""
    agreed = []
    for one, other in combinations(ratings, 2):
        people = p_value(ratings[one], ratings[other])
        metric = p_value(scores[one], scores[other])
        agreed.append(1 - abs(people - metric))
    return fmean(agreed)
