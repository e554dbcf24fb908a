"""Resamples and paired tests of a sample, row by row, with loops."""

import itertools
import math


def add_up(rows, weights):
    """Sum weighted rows; what is missing adds nothing."""
    return [
        math.fsum(
            w * row[j] for row, w in zip(rows, weights, strict=True) if not math.isnan(row[j])
        )
        for j in range(len(rows[0]))
    ]


def row_weights(units, counts):
    """The weight of a row is the product of how often its units were drawn."""
    kinds = [[counts[kind][unit] for unit in codes] for kind, codes in units.items()]
    return [math.prod(of_row) for of_row in zip(*kinds, strict=True)]


def keep_common(one, other, units):
    """Leave out a statistic of a unit that no row of the other system has."""
    kept = []
    for rows, others in ((one, other), (other, one)):
        has = {
            (unit, j)
            for row, unit in zip(others, units, strict=True)
            for j, x in enumerate(row)
            if not math.isnan(x)
        }
        kept.append(
            [
                [x if (unit, j) in has else math.nan for j, x in enumerate(row)]
                for row, unit in zip(rows, units, strict=True)
            ]
        )
    return kept


def exact_permutation_p(one, other, units, reduce):
    """The share of all ways to swap units in which the difference is as large as it is."""

    def difference(swapped):
        pairs = [
            (b, a) if swapped[unit] else (a, b)
            for a, b, unit in zip(one, other, units, strict=True)
        ]
        ones = [1.0] * len(pairs)
        before, after = (add_up(rows, ones) for rows in zip(*pairs, strict=True))
        return abs(reduce(after) - reduce(before))

    names = sorted(set(units))
    ways = itertools.product([False, True], repeat=len(names))
    differences = [difference(dict(zip(names, way, strict=True))) for way in ways]
    least = differences[0] - 1e-9
    return sum(one >= least for one in differences) / len(differences)
