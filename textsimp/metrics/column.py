"""Means of columns of numbers: scores that others computed, and ratings."""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column, Preset, Score
from textsimp.core.examples import absent
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import option
from textsimp.support.errors import InputError

_TEXTS = (SOURCES.name, PREDICTIONS.name, REFERENCES.name)
_NUMBERS = Column(
    "NAME", "ratings", "a number, or a list such as a rating of each rater; None for none", own=True
)
_COLUMNS = (SOURCES.optional, PREDICTIONS.optional)


@dataclass(frozen=True)
class ColumnMeans(MeanMetric):
    """Means of columns with scores that others computed, of people or models.

    An output has a number, a list of numbers such as a rating of each rater, or None. It counts
    once, by the mean of its numbers; an output without any is left out. Of a system all outputs
    can't be without. Two systems are compared on the outputs for which both have a number. The
    score of a column has the column's name.

    Example:
        >>> from textsimp import ColumnMeans
        >>> ColumnMeans(names="comet").score(comet=[0.75, 0.25, None])["comet"]
        0.5
        >>> ColumnMeans(names="meaning").score(meaning=[[1, 2], 4])["meaning"]
        2.75
    """

    name: ClassVar[str] = "column"
    about: ClassVar[str] = "scores that others computed, or ratings: means of columns of numbers"
    papers: ClassVar = ()
    presets: ClassVar = {
        "higher": Preset("higher numbers are better"),
        "lower": Preset("lower numbers are better"),
    }
    columns: ClassVar = (*_COLUMNS, _NUMBERS)
    scores: ClassVar = (Score("NAME", "NAME", "mean", None, None, "higher"),)
    incomplete: ClassVar = True
    first_option: ClassVar[str] = "names"

    names: str = option(
        "",
        about="the columns, separated by commas, each of which is a score; required",
        always=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        names = self.mean_names()
        if len({*names}) < len(names) or "" in names or {*names} & {*_TEXTS}:
            raise InputError(
                "names: expected different columns of numbers, as in column(comet) or "
                f"column([comet, bleurt]), got {self.names!r}"
            )
        columns = (*_COLUMNS, *(replace(_NUMBERS, name=name) for name in names))
        better: Any = self.variant
        scores = tuple(Score(name, name, "mean", None, None, better) for name in names)
        vars(self).update(columns=columns, scores=scores)

    def heading(self, score: str) -> str:
        return score

    def mean_names(self) -> tuple[str, ...]:
        return tuple(self.names.split(","))

    def numbers(
        self, prepared: None, predictions: list[str] | None = None, **numbers: list[list[float]]
    ) -> Floats:
        """Return (n, k) means of each column's numbers, NaN without any."""
        columns = [
            [sum(row) / len(row) if row else np.nan for row in rows] for rows in numbers.values()
        ]
        return np.column_stack(columns)

    def check_rows(self, rows: Floats, system: str) -> None:
        """Check that a system has a number in each column."""
        for name, numbers in zip(self.mean_names(), rows.T, strict=False):  # counts follow
            if np.isnan(numbers).all():
                raise absent("number", name, system)
