"""Scores as columns of tables, and as numbers of sentences."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from textsimp.core import tables
from textsimp.core.comparisons import EQUAL as EQUAL
from textsimp.core.declarations import Declarations
from textsimp.core.scores import Value
from textsimp.core.tables import Cell

__all__ = ["Column", "number"]

_MOST_PLACES = 6  # decimals that a small difference may take


@dataclass(frozen=True)
class Column:
    """A column of scores."""

    key: str  # the score's name
    label: str  # what people call it
    help: str = ""  # what it is
    scale: float = 1  # what values are multiplied by
    decimals: int | None = None  # decimals; None for what its numbers ask for
    lower: bool = False  # whether lower values are better

    def gain(self, difference: float) -> float:
        """Turn the sign of a score or difference where lower is better."""
        return -difference if self.lower else difference

    @property
    def head(self) -> Cell:
        """The heading."""
        return Cell(self.label, about=self.help)

    def cells(self, values: Sequence[Value | None]) -> list[Cell]:
        """Format scores with their intervals, all with the same number of decimals."""
        defined = [None if value is None or math.isnan(value.value) else value for value in values]
        shown = [self.scale * value.value for value in defined if value is not None]
        decimals = (
            tables.count_decimals(map(float, shown)) if self.decimals is None else self.decimals
        )
        return [Cell("–") if value is None else self.cell(value, decimals) for value in defined]

    def cell(self, value: Value, decimals: int, sign: bool = False) -> Cell:
        """Format a score or difference with its interval."""
        bounds = None
        if value.interval is not None:
            bounds = [self.scale * bound for bound in value.interval]
        return Cell.of(self.scale * float(value.value), bounds, decimals, sign, minus="−")


def column_of(metric: Declarations, name: str) -> Column:
    """Make the column of a score; the label of the main score names the variant."""
    score = metric.find_score(name)
    label = metric.heading(score.title) if score is metric.scores[0] else score.title
    lower = score.better == "lower"
    if score.unit == "share":
        return Column(name, f"{label},\u00a0%", score.about, 100, score.decimals, lower=lower)
    limits = "" if None in (score.least, score.most) else f"{score.least:g}–{score.most:g}"
    direction = f"{score.better} is better" if score is metric.scores[0] and score.better else ""
    help = "; ".join(filter(None, (", ".join(filter(None, (score.about, limits))), direction)))
    return Column(name, label, help, 1, score.decimals, lower=lower)


def number(value: float, decimals: int, sign: bool = False) -> str:
    """Format a number, with a real minus sign.

    >>> number(-1234.5, 1)
    '−1,234.5'
    """
    return tables.number(value, decimals, sign, minus="−")


def visible_places(decimals: int, values: Sequence[float]) -> int:
    """Return more decimals where a number other than 0 would look like 0.

    >>> visible_places(1, [2.0, 0.04]), visible_places(1, [2.0, 0.0])
    (2, 1)
    """
    while decimals < _MOST_PLACES and any(
        abs(value) >= EQUAL and round(value, decimals) == 0 for value in values
    ):
        decimals += 1
    return decimals
