"""Intervals of differences of mean ratings, where not every rater rated every output.

A bootstrap of items and raters is far too wide there, and too narrow for two raters. So the
variance is that of Cameron, Gelbach & Miller (2011), "Robust Inference With Multiway Clustering":
the one between raters, plus the one between items, less what both have in common. The first has
t quantiles of the number of raters, the second of items.
"""

from dataclasses import dataclass, replace

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints
from textsimp.core.significance import Difference, p_of

FEWEST_CROSSED = 3
"""So many raters, or more, are resampled if they rated nearly everything."""
_CROSSED = 0.9  # the least share of pairs of an item and a rater with ratings of both systems


@dataclass(frozen=True, eq=False)
class PairRatings:
    """Ratings of two systems: sums and weights of each rater's ratings of each item.

    Attributes:
        sums: (2, cells) of the systems; 0 where a rater rated no output of the item.
        weights: (2, cells) likewise.
        items: (cells,) ints.
        raters: (cells,) ints.
        everyone: How many raters the study has.
    """

    sums: Floats
    weights: Floats
    items: Ints
    raters: Ints
    everyone: int

    @property
    def deciding(self) -> int:
        """The number of raters of either system; 0 if none rated both."""
        first, second = (np.unique(self.raters[weights > 0]) for weights in self.weights)
        return len(np.union1d(first, second)) if np.intersect1d(first, second).size else 0

    @property
    def resampled(self) -> bool:
        """Whether the bootstrap of items and raters holds; of the only rater it is of items."""
        raters = self.deciding
        both = np.count_nonzero((self.weights > 0).all(axis=0))
        crossed = both >= _CROSSED * len(np.unique(self.items)) * raters
        return raters == self.everyone == 1 or bool(crossed and raters >= FEWEST_CROSSED)

    def generalise(self, test: Difference, confidence: float) -> Difference:
        """Return the test with an interval that holds for other raters, or without any."""
        general = replace(test, interval_decides=True)
        if not self.deciding:
            return replace(general, interval=[np.nan] * 2, bootstrap_p=None, permutation_p=None)
        if test.permutation_p is None:
            return general
        interval = test.interval if self.resampled else self.interval(confidence)
        squares, freedom = np.array(self.variances()).T
        degrees = squares.sum() ** 2 / max(float((squares**2 / freedom).sum()), 1e-300)
        p = p_of(test.value, interval, confidence, degrees)
        return replace(general, interval=interval, interval_p=p)

    def interval(self, confidence: float) -> list[float]:
        """Return [low, high] of the second mean minus the first, over items and raters.

        Of one rater it is over items.
        """
        from scipy.special import stdtrit

        first, second = self.sums.sum(axis=1) / self.weights.sum(axis=1)
        variances, freedom = np.array(self.variances()).T
        squared_halves = variances * stdtrit(freedom, (1 + confidence) / 2) ** 2
        half = float(squared_halves.sum() ** 0.5)
        return [float(second - first) - half, float(second - first) + half]

    def variances(self) -> list[tuple[float, int]]:
        """Return the variances of the difference, by items and raters, and degrees of freedom."""
        totals = self.weights.sum(axis=1, keepdims=True)
        means = self.sums.sum(axis=1, keepdims=True) / totals
        first, second = (self.sums - self.weights * means) / totals
        influence = second - first
        item_variance, rater_variance = (
            _squares(influence, codes) for codes in (self.items, self.raters)
        )
        items, raters = len(np.unique(self.items)), self.deciding
        item_variance *= items / (items - 1)
        if raters == 1:
            return [(item_variance, items - 1)]
        between = max(0.0, item_variance - float(influence @ influence))
        return [(between, items - 1), (rater_variance * raters / (raters - 1), raters - 1)]


def pair_up(rows: Floats, item: Ints, rater: Ints) -> PairRatings:
    """Return the ratings of items that have ratings of both systems.

    ``rows`` are (cells, 2, 2) sums and weights of two systems, NaN where there are none. Units are
    those of the cells.
    """
    rated = ~np.isnan(rows[:, :, 1])
    has_ratings = [np.bincount(item, ratings, item.max() + 1) > 0 for ratings in rated.T]
    kept = np.logical_and(*has_ratings)[item] & rated.any(axis=1)
    sums, weights = np.moveaxis(np.nan_to_num(rows[kept]), -1, 0)
    return PairRatings(sums.T, weights.T, item[kept], rater[kept], len(np.unique(rater)))


def _squares(values: Floats, codes: Ints) -> float:
    """Return the sum of squared sums by code."""
    return float((np.bincount(codes, values) ** 2).sum())
