"""Numbers as tables and sentences write them."""

import math
from collections.abc import Iterable, Sequence
from itertools import groupby

from textsimp.core.declarations import Score

__all__ = ["runs"]

_LEVEL = 0.05  # of significance, usually


def count_decimals(values: Iterable[float | None], score: Score | None = None) -> int:
    """Return the number of decimals for numbers of one column.

    Counts and numbers from 1,000 on have none. Others have as many as their score declares;
    without a declaration two if the largest is at least 2, otherwise three.

    >>> [count_decimals(n) for n in ([3, 1200], [1999.5, 3.5], [41.234], [0.93, 1.04])]
    [0, 0, 2, 3]
    """
    present = [value for value in values if value is not None]
    if all(isinstance(value, int) for value in present):
        return 0
    largest = max((abs(value) for value in present if math.isfinite(value)), default=0)
    if largest >= 1000:
        return 0
    if score is not None and score.decimals is not None:
        return score.decimals + (2 if score.unit == "share" else 0)
    return 2 if largest >= 2 or not largest else 3


def number(value: float, decimals: int, sign: bool = False, minus: str = "-") -> str:
    """Format a number: separate thousands, no sign before zero.

    >>> number(-1234.5, 1), number(0.25, 2, sign=True), number(-0.001, 2)
    ('-1,234.5', '+0.25', '0.00')
    """
    text = f"{value:{'+' if sign else ''},.{decimals}f}"
    if not text.strip("+-0.,"):
        text = text.lstrip("+-")
    return text.replace("-", minus)


def interval(
    bounds: Sequence[float] | None, decimals: int, sign: bool = False, minus: str = "-"
) -> str:
    """Format an interval in brackets; return "" for None.

    >>> interval([-1, 2.5], 1)
    '[-1.0, 2.5]'
    """
    if bounds is None:
        return ""
    return f"[{', '.join(number(bound, decimals, sign, minus) for bound in bounds)}]"


def numbers(values: Sequence[float | None]) -> list[str]:
    """Format numbers for one column; integers have no decimals, None is empty.

    >>> numbers([41.234, None, 3])
    ['41.23', '', '3']
    """
    decimals = count_decimals(values)
    return [
        "" if value is None else number(value, 0 if isinstance(value, int) else decimals)
        for value in values
    ]


def quantity(number: int, noun: str) -> str:
    """Write a number with its noun.

    >>> quantity(1, "example"), quantity(1200, "system")
    ('1 example', '1,200 systems')
    """
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def p_value(p: float | None) -> str:
    """Format a p-value with three decimals, or more where it would look like 0.05.

    >>> p_value(0.0314), p_value(0.04996), p_value(0.0001), p_value(None), p_value(float("nan"))
    ('0.031', '0.04996', '<0.001', '', '')
    """
    if p is None or math.isnan(p):
        return ""
    if p < 0.0005:
        return "<0.001"
    decimals = 3
    while decimals < 6 and round(p, decimals) == _LEVEL != p:
        decimals += 1
    return f"{p:.{decimals}f}"


def runs(numbers: Iterable[int]) -> list[str]:
    """Format whole numbers in ascending order, consecutive ones as a range.

    >>> runs([3, 7, 9, 10, 11])
    ['3', '7', '9-11']
    """
    ranges = []
    for _, pairs in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        run = [number for _, number in pairs]
        ranges.append(f"{run[0]}-{run[-1]}" if len(run) > 1 else f"{run[0]}")
    return ranges
