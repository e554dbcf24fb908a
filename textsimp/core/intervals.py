"""Ends of intervals: of resamples, and of shares."""

from collections.abc import Mapping, Sequence
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


def widen(
    values: Floats, centre: Floats, sides: Sequence[tuple[Floats, int]], confidence: float
) -> Floats:
    """Move drawn values away from their centre, since few runs tell their variance roughly.

    The factor is t/z at so many degrees of freedom as Satterthwaite (1946) gives to the variance
    of the values. The part of ``sides``, see `Sample.of_runs`, has those of runs, the rest many.
    """
    from scipy.special import ndtri, stdtrit

    of_runs = np.sum([variance for variance, _ in sides], axis=0)
    squares = np.sum([variance**2 / degrees for variance, degrees in sides], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees = np.maximum(np.nanvar(values, axis=0), of_runs) ** 2 / squares
    tail = (1 + confidence) / 2
    factor = np.where(squares > 0, stdtrit(degrees, tail) / ndtri(tail), 1.0)
    return centre + factor * (values - centre)


def wilson(share: Any, n: Any, confidence: float) -> Any:
    """Return [low, high] of a share of n outputs, by Wilson's method (Brown, Cai & DasGupta 2001).

    >>> [round(end, 3) for end in wilson(0.02, 50, 0.95)]
    [0.004, 0.105]
    """
    from statistics import NormalDist

    z2 = NormalDist().inv_cdf((1 + confidence) / 2) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n**2))) ** 0.5 / (1 + z2 / n)
    return [max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))]


def share_intervals(
    values: Mapping[str, Floats],
    each: Mapping[str, Floats],
    largest: Mapping[str, float],
    confidence: float,
) -> dict[str, list[float]]:
    """Return the intervals of those numbers that are shares: of units with 0, 1 or 100 only.

    Units that are all alike are a share if it is known how ``largest`` their numbers can be.
    """
    found = {}
    for name, numbers in each.items():
        present = numbers[~np.isnan(numbers)] if numbers.ndim == 1 else np.empty(0)
        if not len(present):
            continue
        top = largest.get(name, float(present.max()))
        alike = name not in largest and present.min() == present.max()
        of_units = float(present.mean())
        is_share = top in (1, 100) and np.isin(present, (0, top)).all() and not alike
        if is_share and np.isclose(values[name], of_units):
            low, high = wilson(of_units / top, len(present), confidence)
            found[name] = [top * low, top * high]
    return found
