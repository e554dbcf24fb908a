"""Numbers that papers printed: which formula gives each, and what the same output has today.

``published.csv`` has them, and docs/published.md shows them.
"""

from __future__ import annotations

import csv
import functools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from decimal import Decimal
from importlib import resources
from typing import Any

from textsimp.core.declarations import Score
from textsimp.core.tables import Grid, Tabular
from textsimp.scoring.explanation import MINUS, parse_score

FAMILIES = {
    "sari:variant=star": (
        "STAR",
        "not comparable with EASSE's SARI, which is 4.7 to 24.2 higher and orders systems "
        "otherwise: by STAR an empty output has 32.85 on Newsela and 32.23 on WikiSmall",
    ),
    "sari:variant=easse_legacy": (
        "STAR with eight references",
        "not comparable with EASSE's SARI, which is 0.34 to 0.95 lower for the same outputs",
    ),
    "sari:variant=xu": (
        "SARI.py by sentence",
        "not comparable with SARI of a corpus, such as EASSE's and STAR",
    ),
    "sari": (
        "EASSE's, today's default",
        "comparable with EASSE's SARI on the same version of the test set, not with older papers",
    ),
}
"""Formulas of SARI in the literature: what each is called, and what it compares with."""


@dataclass(frozen=True)
class Printed:
    """A printed score, with numbers as they are in the file."""

    paper: str
    system: str
    test_set: str
    metric: str
    printed: str
    formula: str  # as -m takes it, or another program in words
    prepared: str  # what is done to the texts first
    value: str  # by the formula
    equal: str  # to the last printed digit: yes, cut (not rounded) or no
    default: str  # of the same output
    outputs: str  # where they are on GitHub
    note: str

    @property
    def family(self) -> str:
        """The formula of `FAMILIES` that this is, with whatever other options, or ""."""
        base = self.formula.partition(":lowercase=")[0]
        return base if base in FAMILIES else ""

    def describe(self) -> str:
        """Return what the number is, in a sentence without its end."""
        how = self.formula + (f" after {self.prepared}" if self.prepared else "")
        if self.family:
            how = f"{FAMILIES[self.family][0]} ({how})"
        if self.equal == "no":
            how = f"not reproduced: the nearest is {self.value}, by {how}"
        else:
            how = f"by {how}{', cut instead of rounded' if self.equal == 'cut' else ''}"
        today = (
            "" if self.formula in ("sari", "bleu") else f"by today's default it is {self.default}"
        )
        what = f"the {self.metric} of {self.system} on {self.test_set} in {self.paper}"
        parts = [f"{self.printed} is {what}, {how}", today, self.note]
        return "; ".join(filter(None, parts))


@functools.cache
def read() -> tuple[Printed, ...]:
    """Read the printed scores."""
    text = resources.files("textsimp.scoring").joinpath("published.csv").read_text("utf-8")
    return tuple(Printed(**row) for row in csv.DictReader(text.splitlines()))


@dataclass(frozen=True, eq=False, repr=False)
class Lookup(Tabular):
    """Printed scores that a number may be.

    Attributes:
        score: The number.
        printed: Scores that were printed so, the exact ones first.
        today: Scores that the default gives for a printed one's output.
    """

    score: str
    printed: Sequence[Printed]
    today: Sequence[Printed]

    def __str__(self) -> str:
        """What the number is, in a line."""
        if self.printed:
            return self.printed[0].describe()
        for row in self.today:
            today = f"the {row.metric} of {row.system} on {row.test_set} by today's default"
            return f"{self.score} is {today}; {row.describe()}"
        return f"{self.score} is none of the {len(read())} published numbers that are known here"

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "score": self.score,
            "printed": [asdict(row) for row in self.printed],
            "today": [asdict(row) for row in self.today],
        }

    def grid(self) -> Grid:
        """A row per score."""
        rows = [
            [row.paper, row.system, row.test_set, row.formula, row.printed, row.default]
            for row in (*self.printed, *self.today)
        ]
        return Grid(["paper", "system", "test set", "by", "printed", "default"], rows, named=4)


def look_up(score: str | float, metrics: Sequence[str] = ()) -> Lookup:
    """Find a number among printed scores, of some metrics or all.

    It may have fewer or more decimals, rounded or cut, and may be a share.

    >>> print(look_up("27.37"))  # doctest: +ELLIPSIS
    27.37 is the SARI of Dress on Newsela in Zhang & Lapata 2017, by STAR (sari:variant=star); ...
    """
    parse_score(score, Score("", "", ""))  # an error for what isn't a number
    number = Decimal(str(score).replace(MINUS, "-"))
    readings = [number, number.scaleb(2)] if 0 <= number <= 1 else [number]
    rows = [row for row in read() if not metrics or row.formula.split(":")[0] in metrics]
    printed, today = [], []
    for row in rows:
        distance = min(_distance(one, row) for one in readings)
        if distance < 2:
            printed.append((distance, row))
        elif row.default and _off(number, row.default) <= 1:
            today.append(row)
    printed.sort(key=lambda pair: pair[0])
    return Lookup(str(score), [row for _, row in printed], today)


def _distance(number: Decimal, row: Printed) -> float:
    """Return how far a number is from a printed score, or from its known value, as `_off`."""
    value = 9 if row.equal == "no" else _off(number, row.value)
    more = _exponent(number) < _exponent(Decimal(row.printed))
    return value if more and row.equal != "no" else min(value, _off(number, row.printed))


def _off(number: Decimal, other: str) -> float:
    """Return the distance of two numbers in half units of the coarser one; 9 if they differ.

    Up to 1 the finer one rounds to the coarser, and below 2 it may have been cut.
    """
    fine, coarse = sorted((number, Decimal(other)), key=_exponent)
    off = (fine - coarse) / Decimal(5).scaleb(_exponent(coarse) - 1)
    return float(abs(off)) if -1 <= off < 2 else 9


def _exponent(number: Decimal) -> int:
    """Return minus the number of decimals."""
    return int(number.as_tuple().exponent)
