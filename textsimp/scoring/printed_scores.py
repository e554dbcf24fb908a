"""Scores as they were printed, and how far others are from them."""

import math
import re
from collections.abc import Sequence
from typing import Any

from textsimp.core.declarations import Score
from textsimp.support.errors import InputError
from textsimp.support.parsing import MINUS

EQUAL = 1e-9
"""The difference up to which scores are equal."""

_PRINTED = re.compile(r"[+-]?(\d+\.?(\d*)|\.(\d+))", re.ASCII)


def parse_score(score: Any, declared: Score) -> list[tuple[float, float, int]]:
    """Read a printed score: list (number, half a unit of its last digit, decimals).

    >>> parse_score("40.1", Score("", "", ""))
    [(40.1, 0.05, 1)]
    """
    number = isinstance(score, (int, float)) and not isinstance(score, bool)
    text = str(score).strip() if number or isinstance(score, str) else ""
    text = text.replace(MINUS, "-")
    digits = _PRINTED.fullmatch(text)
    if digits is None or not math.isfinite(float(text)):
        raise InputError(
            f"score: expected a number as it was printed, such as 40.13; got {score!r}"
        )
    value, decimals = float(text), len(digits[2] or digits[3] or "")
    readings = [(value, decimals)]
    if declared.most == 100 and 0 <= value <= 1 and decimals:  # a share of it
        readings.append((100 * value, decimals - 2))
    if declared.most == 1 and value > 1:  # percent of it
        readings.append((value / 100, decimals + 2))
    return [
        (number, max(0.5 * 10.0**-decimals, EQUAL), max(decimals, 0))
        for number, decimals in readings
    ]


def ratios(value: float, readings: Sequence[tuple[float, float, int]]) -> list[float]:
    """Return the differences from readings of a printed score, in rounding units.

    It is 1 for a score that was cut instead of rounded.
    """
    found = []
    for number, half, _ in readings:
        ratio = max(abs(value - number) - EQUAL, 0) / half
        cut = abs(value) >= abs(number) and abs(value - number) + EQUAL < 2 * half
        found.append(min(ratio, 1) if cut else ratio)
    return found
