"""Tables of ratings by plain loops over rows: means, agreement, correlations, tests."""

import random
from collections import defaultdict
from statistics import fmean

import numpy as np
from scipy import stats


def system_means(rows):
    """The mean over each system's outputs, each of which is the mean of its ratings."""
    ratings = defaultdict(lambda: defaultdict(list))
    for _, item, system, text, rating in rows:
        ratings[system][item, text].append(rating)
    return {system: fmean(map(fmean, own.values())) for system, own in ratings.items()}


def correlations(rows):
    """Each rater's mean Pearson's r with the others, of three common outputs or more."""
    ratings = defaultdict(dict)
    for rater, item, system, text, rating in rows:
        ratings[rater][item, system, text] = rating
    found = {}
    for rater, own in ratings.items():
        values = []
        for other, others in ratings.items():
            common = [key for key in own if key in others]
            x, y = [own[key] for key in common], [others[key] for key in common]
            if other != rater and len(common) >= 3 and np.ptp(x) > 0 and np.ptp(y) > 0:
                values.append(stats.pearsonr(x, y)[0])
        if values:
            found[rater] = fmean(values)
    return found


def permutation_p(rows, first, second, tries):
    """The share of random swaps of two systems' ratings, source by source, with as large a gap."""
    of_item = defaultdict(lambda: ([], []))
    for _, item, system, _, rating in rows:
        if system in (first, second):
            of_item[item][system == second].append(rating)
    rng = random.Random(0)

    def gap(swaps):
        sides = [], []
        for swap, both in zip(swaps, of_item.values(), strict=True):
            for side in (0, 1):
                sides[side != swap].extend(both[side])
        return abs(fmean(sides[0]) - fmean(sides[1]))

    observed = gap([False] * len(of_item))
    larger = sum(
        gap([rng.random() < 0.5 for _ in of_item]) >= observed - 1e-12 for _ in range(tries)
    )
    return (1 + larger) / (1 + tries)


def interval(rows, system, tries):
    """The 95 % interval of a mean: draw items and raters; a rating counts as often as both."""
    rng = random.Random(0)
    items, raters = sorted({row[1] for row in rows}), sorted({row[0] for row in rows})
    own = [row for row in rows if row[2] == system]
    means = []
    for _ in range(tries):
        drawn = [rng.choices(items, k=len(items)), rng.choices(raters, k=len(raters))]
        times = [{name: names.count(name) for name in names} for names in drawn]
        weights = [times[0].get(row[1], 0) * times[1].get(row[0], 0) for row in own]
        if sum(weights):
            total = sum(weight * row[4] for weight, row in zip(weights, own, strict=True))
            means.append(total / sum(weights))
    low, high = np.quantile(means, [0.025, 0.975])
    return float(low), float(high)
