"""Ends of intervals: of resamples, and of shares."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core.draws import Floats

__all__ = ["FEW_UNITS", "MANY_UNITS", "wilson"]

MANY_UNITS = 50
"""Of so many units, or more, percentiles are as they are."""

FEW_OUTPUTS = 3.5
"""Of fewer outputs that differ from the rest, Wilson's interval of a share is too short."""

FEW_UNITS = 10
"""Fewer units don't tell how skewed they are."""


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
        tail = float(f"{tail:.9g}")  # versions of scipy differ beyond
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

    degrees = freedom(values, sides)
    tail = (1 + confidence) / 2
    factor = np.where(degrees < np.inf, stdtrit(degrees, tail) / ndtri(tail), 1.0)
    return centre + factor * (values - centre)


def freedom(values: Floats, sides: Sequence[tuple[Floats, int]]) -> Floats:
    """Return the degrees of freedom of the variance of drawn values, see `widen`."""
    variance_of_runs = np.sum([variance for variance, _ in sides], axis=0)
    squares = np.sum([variance**2 / degrees for variance, degrees in sides], axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        degrees = np.maximum(np.nanvar(values, axis=0), variance_of_runs) ** 2 / squares
    return np.where(squares > 0, degrees, np.inf)


def wilson(share: Any, n: Any, confidence: float) -> Any:
    """Return [low, high] of a share of n outputs, by Wilson's method (Brown, Cai & DasGupta 2001).

    As they modify it, an end next to 0 or 1 is of the Poisson distribution: if no more than three
    outputs differ from the rest, Wilson's holds too rarely.

    >>> [round(end, 3) for end in wilson(0.02, 50, 0.95)]
    [0.001, 0.105]
    >>> [round(end, 3) for end in wilson(0.3, 20, 0.95)]
    [0.145, 0.519]
    """
    from scipy.special import gammaincinv, ndtri

    z2 = ndtri((1 + confidence) / 2) ** 2
    centre = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = (z2 * (share * (1 - share) / n + z2 / (4 * n**2))) ** 0.5 / (1 + z2 / n)
    low, high = max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share))
    have, lack = n * share, n * (1 - share)
    if 0 < have < FEW_OUTPUTS:
        low = min(low, gammaincinv(have, 1 - confidence) / n)
    if 0 < lack < FEW_OUTPUTS:
        high = max(high, 1 - gammaincinv(lack, 1 - confidence) / n)
    return [float(low), float(high)]


def refine(
    ends: Mapping[str, Any],
    values: Mapping[str, Floats],
    each: Mapping[str, Floats],
    largest: Mapping[str, float],
    confidence: float,
) -> dict[str, Any]:
    """Return percentile intervals with better ones of shares and of means of few units.

    Numbers of which each unit has 0, 1 or 100 are shares, with Wilson's interval. Units that are
    all alike are a share only if ``largest`` says how large their numbers can be.

    Percentiles of few skewed units end too early on the side of the longer tail. There an interval
    goes on to the end of Hall's (1992), or to the farthest unit.
    """
    refined = dict(ends)
    for name, numbers in each.items():
        present = numbers[~np.isnan(numbers)] if numbers.ndim == 1 else np.empty(0)
        if not len(present) or not math.isclose(values[name], present.mean()):
            continue  # no mean of units
        top = largest.get(name, float(present.max()))
        alike = name not in largest and present.min() == present.max()
        if top in (1, 100) and np.isin(present, (0, top)).all() and not alike:
            share = float(present.mean()) / top
            refined[name] = [top * end for end in wilson(share, len(present), confidence)]
        elif FEW_UNITS <= len(present) <= MANY_UNITS:
            low, high = ends[name]
            end = _end_of_tail(present, confidence)
            refined[name] = [min(low, end), max(high, end)]
    return refined


def _end_of_tail(values: Floats, confidence: float) -> float:
    """Return Hall's end of the interval of (n,) values' mean, on the side of the longer tail."""
    from scipy.special import stdtrit

    n, mean = len(values), float(values.mean())
    deviations = values - mean
    spread = float(values.std())
    if spread <= 1e-9 * max(1.0, abs(mean)):
        return mean
    skewness = float((deviations**3).mean()) / spread**3 * (n * (n - 1)) ** 0.5 / (n - 2)
    farthest = deviations.max() if skewness > 0 else deviations.min()
    amount = max(abs(skewness), 1e-6)
    step = float(stdtrit(n - 1, (1 + confidence) / 2)) / n**0.5 + amount / (6 * n)
    reach = spread * (n / (n - 1)) ** 0.5 * 3 / amount * (1 - np.cbrt(1 - amount * step))
    return mean + float(np.copysign(min(reach, abs(farthest)), farthest))
