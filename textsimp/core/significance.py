"""Differences of scores: p-values adjusted for several systems, and what a test can detect."""

from __future__ import annotations

import bisect
import functools
import math
import operator
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

__all__ = ["FEWEST", "Difference", "adjust", "all_pairs", "caution", "holm", "p_of", "smallest_p"]

Key = TypeVar("Key", bound=Hashable)

FEWEST = 10
"""The fewest examples that the bootstrap can test: with fewer its p-values are too small."""

POWER = 0.8
"""The share of tries in which a test finds the smallest difference that examples can detect."""

FEWEST_SWAPS = 5
"""The fewest significant p-values of the exact permutation test, of which power can be told."""

P_VALUES = ("bootstrap_p", "bootstrap_p_holm", "permutation_p", "permutation_p_holm")
"""Of a `Difference`."""


@dataclass(frozen=True)
class Difference:
    """A system's score minus another's, with paired tests that they are equal.

    Attributes:
        value: The difference, on the units of which both systems have a number; NaN without any.
        interval: [low, high] of the paired bootstrap. NaN where one system lacks numbers and fewer
            than `FEWEST` units have both.
        bootstrap_p: Two-sided p-value of the paired bootstrap test. None for a single unit, or
            where the interval is NaN.
        permutation_p: Two-sided p-value of the paired permutation test, likewise.
        bootstrap_p_holm: ``bootstrap_p`` adjusted for several systems, see `adjust`, or None.
        permutation_p_holm: ``permutation_p``, likewise.
        units: The number of units, such as examples, of which both systems have a number.
        interval_decides: Whether the interval draws what the permutation test takes as it is, such
            as runs or raters. The difference is then significant only if both say so.
        interval_p: The p-value at which an interval that decides would end at 0, see `p_of`.
        both_p_holm: The larger one of ``permutation_p`` and ``interval_p``, adjusted likewise.
        family: The number of tests that the smallest p-value is adjusted for.
    """

    value: float
    interval: list[float]
    bootstrap_p: float | None
    permutation_p: float | None
    bootstrap_p_holm: float | None = None
    permutation_p_holm: float | None = None
    units: int = 0
    interval_decides: bool = False
    interval_p: float = 0.0
    both_p_holm: float | None = None
    family: int = 1

    @property
    def both_p(self) -> float | None:
        """The larger one of both p-values."""
        return None if self.permutation_p is None else max(self.permutation_p, self.interval_p)

    @property
    def reversed(self) -> Difference:
        """The other system's score minus this one's."""
        low, high = self.interval
        return replace(self, value=-self.value, interval=[-high, -low])

    def is_significant(self, confidence: float) -> bool:
        """Whether Holm's p-value of the permutation test is below 1 − confidence.

        Where the interval decides, too, one adjusted likewise must not contain 0.
        """
        p = self.both_p_holm if self.interval_decides else self.permutation_p_holm
        return p is not None and p < round(1 - confidence, 9)

    def p_values(self, holm: bool) -> list[float | None]:
        """Return the p-values of both tests; with ``holm`` each is followed by the adjusted one."""
        return [getattr(self, name) for name in P_VALUES if holm or not name.endswith("holm")]

    def to_dict(self) -> dict[str, float | None]:
        """Return plain numbers: ``difference``, ``low``, ``high``, and the p-values."""
        low, high = self.interval
        p_values = {name: getattr(self, name) for name in P_VALUES}
        return {"difference": self.value, "low": low, "high": high, **p_values}


NO_DIFFERENCE = Difference(math.nan, [math.nan, math.nan], None, None)
"""The difference of systems of which no example has both numbers."""


def is_exact(units: int, resamples: int) -> bool:
    """Whether all ways to swap so many units are no more than the resamples."""
    return units <= math.log2(resamples)


def smallest_p(units: int, resamples: int) -> float:
    """Return the smallest p-value that the permutation test can give."""
    return 2 / 2**units if is_exact(units, resamples) else 1 / (1 + resamples)


def holm(p_values: Sequence[float], factors: Sequence[int] = ()) -> list[float]:
    """Return Holm's (1979) adjusted p-values of several tests.

    The ``factors`` of p-values, the smallest first, may be others than his, see `all_pairs`.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    factors = factors or range(len(p_values), 0, -1)
    adjusted, largest = [0.0] * len(p_values), 0.0
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    for i, factor in zip(order, factors, strict=False):
        largest = max(largest, float(p_values[i] * factor))
        adjusted[i] = min(largest, 1.0)
    return adjusted


@functools.cache
def all_pairs(systems: int) -> tuple[int, ...]:
    """Return Shaffer's (1986) factors of the p-values of all pairs of systems, for `holm`.

    They are how many pairs may still be equal. If two of three systems differ, one pair may be. A
    comparison with the observed best of several is one of all pairs.

    >>> all_pairs(2), all_pairs(3), all_pairs(4)
    ((1,), (3, 1, 1), (6, 3, 3, 3, 2, 1))
    """
    equal = [1]  # bit i: whether i pairs of so many systems may be equal
    for number in range(1, systems + 1):
        alike = range(1, number + 1)  # as many systems as the last one, with itself
        sums = [equal[number - size] << math.comb(size, 2) for size in alike]
        equal.append(functools.reduce(operator.or_, sums))
    pairs = range(math.comb(systems, 2), 0, -1)
    possible = [i for i in (0, *reversed(pairs)) if equal[systems] >> i & 1]
    return tuple(possible[bisect.bisect_right(possible, rest) - 1] for rest in pairs)


def adjust(
    tests: Mapping[Key, Mapping[str, Difference]], factors: Sequence[int] = ()
) -> dict[Key, dict[str, Difference]]:
    """Return differences with p-values adjusted for the number of tests, score by score.

    See `holm` for ``factors``.
    """
    adjusted = {key: dict(test) for key, test in tests.items()}
    for name in dict.fromkeys(chain.from_iterable(tests.values())):
        for field in ("bootstrap_p", "permutation_p", "both_p"):
            p_values = {
                key: getattr(test[name], field)
                for key, test in tests.items()
                if name in test and getattr(test[name], field) is not None
            }
            family = factors[0] if factors else len(p_values)
            for key, p in zip(p_values, holm([*p_values.values()], factors), strict=True):
                change: dict[str, Any] = {f"{field}_holm": p, "family": family}
                adjusted[key][name] = replace(adjusted[key][name], **change)
    return adjusted


def p_of(value: float, interval: Sequence[float], confidence: float, freedom: float) -> float:
    """Return the p-value at which the interval of a difference would end at 0.

    Its length is that of a t interval with so many degrees of freedom.

    >>> round(p_of(2.0, [0.0, 4.0], 0.95, 10), 3), round(p_of(3.0, [1.0, 5.0], 0.95, 10), 3)
    (0.05, 0.007)
    """
    from scipy.special import stdtr, stdtrit

    reach = value - interval[0] if value > 0 else interval[1] - value
    if not reach > 0:
        return float(value == 0)
    t = stdtrit(min(freedom, 1e9), (1 + confidence) / 2) * abs(value) / reach
    return float(2 * stdtr(min(freedom, 1e9), -t))


def spread(runs: Sequence[Any], confidence: float) -> Any:
    """Return half the width of the t interval of the mean of runs, of a score or of a list.

    It is t · s / √n, as papers print it after ±.

    >>> round(spread([43.6, 44.1, 44.5, 44.0, 44.6], 0.95), 2)
    0.5
    """
    import numpy as np
    from scipy.special import stdtrit

    quantile = stdtrit(len(runs) - 1, (1 + confidence) / 2)
    return (quantile * np.std(runs, axis=0, ddof=1) / math.sqrt(len(runs))).tolist()


def caution(examples: int, resamples: int) -> str:
    """Return a warning of tests with few examples; "" if there are enough."""
    if examples >= FEWEST:
        return ""
    if examples == 1:
        return "one example: no test can tell systems apart by it, so there is no p-value"
    return (
        f"{examples} examples: the bootstrap cannot test so few, its p-values are too small; the "
        f"smallest that the permutation test can give is {smallest_p(examples, resamples):.3g}"
    )


def detectable(test: Difference, confidence: float, units: float | None = None) -> float | None:
    """Return the smallest difference that such a test finds in 80 % of tries.

    The test is at 1 − confidence, adjusted for its family. Its paired interval gives the standard
    error, or that of so many other ``units``. With many units and one test at 95 % the difference
    is 2.80 standard errors. None where all resamples have the same difference, and where so few
    swaps of few units are significant that nothing can be said.

    >>> round(detectable(Difference(0, [-1, 1], 1, 1, units=10_000), 0.95), 2)
    1.43
    >>> round(detectable(Difference(0, [-1, 1], 1, 1, units=20), 0.95), 2)
    1.41
    """
    from scipy.special import ndtri, stdtrit

    from textsimp.core.intervals import tails_of

    tail, z = (1 - confidence) / 2, -ndtri(tails_of(confidence, test.units)[0])
    width, units = test.interval[1] - test.interval[0], units or test.units
    if not (width > 1e-9 and z > 0 and units > 1):
        return None
    if FEWEST_SWAPS * 2 ** (1 - units) > (1 - confidence) / test.family:
        return None
    standard_error = width / (2 * z) * math.sqrt(test.units / (test.units - 1) * test.units / units)
    critical = -stdtrit(units - 1, tail / test.family)
    return float(standard_error * (critical + stdtrit(units - 1, POWER)))
