"""Ends of intervals: of resamples, and of shares."""

from typing import Any

import numpy as np

from textsimp.core.draws import Floats

MANY_UNITS = 50
"""Of so many units, or more, percentiles are as they are."""


def percentiles(values: Floats, confidence: float, units: int = MANY_UNITS) -> Any:
    """Return [low, high] of (m,) values without NaN, None if all are; of (m, k) a list of these.

    With few ``units`` it is wider, see `tails_of`.
    """
    tails = tails_of(confidence, units)
    undefined = np.isnan(values)
    if not undefined.any():
        return np.moveaxis(np.quantile(values, tails, axis=0), 0, -1).tolist()
    if values.ndim > 1:
        return [percentiles(column, confidence, units) for column in values.T]
    defined = values[~undefined]
    return np.quantile(defined, tails).tolist() if len(defined) else None


def tails_of(confidence: float, units: int = MANY_UNITS) -> list[float]:
    """Return which shares of resamples are below and above an interval's ends.

    Resamples of few units vary too little, so fewer are outside (expanded percentiles; Hesterberg
    2015, "What Teachers Should Know About the Bootstrap").
    """
    tail = (1 - confidence) / 2
    if 1 < units < MANY_UNITS:
        from scipy.special import ndtr, stdtrit  # which takes a tenth of a second

        tail = float(ndtr(stdtrit(units - 1, tail) * (units / (units - 1)) ** 0.5))
        return [tail, 1 - tail]
    return [tail, (1 + confidence) / 2]


def wilson(share: Any, n: Any, confidence: float) -> Any:
    """Return [low, high] of a share of n outputs, by Wilson's method (Brown, Cai & DasGupta 2001).

    >>> [round(end, 3) for end in wilson(0.02, 50, 0.95)]
    [0.004, 0.105]
    """
    from statistics import NormalDist

    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n**2))) ** 0.5 / (1 + z2 / n)
    return [max(0.0, centre - half), min(1.0, centre + half)]
