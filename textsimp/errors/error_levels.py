"""Measures by level of error: Tables 5, 11 and 12 of Devaraj et al. (2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.errors import labels
from textsimp.judgements import numbers as ratings
from textsimp.metrics.information_errors import LABELS, majority
from textsimp.support.errors import InputError

LEVELS = LABELS[:3]  # gibberish is none


@dataclass(frozen=True)
class Level:
    """A measure of the outputs of a level.

    Attributes:
        outputs: How many there are.
        mean: Of their values; None if there is none.
        deviation: The standard deviation of the population, which of one output is 0.
    """

    outputs: int
    mean: float | None
    deviation: float | None


@dataclass(frozen=True, eq=False)
class Levels(Tabular):
    """A measure of outputs by the level of their errors: category → level → `Level`."""

    categories: Mapping[str, Mapping[int, Level]]

    def to_dict(self) -> dict[str, dict[int, dict[str, Any]]]:
        """All as plain data: category → level → the fields of `Level`."""
        return {
            category: {level: asdict(one) for level, one in levels.items()}
            for category, levels in self.categories.items()
        }

    def grid(self) -> Grid:
        """A row per category: of each level mean ± standard deviation, and how many outputs."""
        return Grid(["", *map(str, LEVELS)], [row for _, *row in _rows({"": self})])


@dataclass(frozen=True, eq=False)
class LevelsOfSystems(Tabular):
    """A measure of several systems' outputs: name → `Levels`."""

    systems: Mapping[str, Levels]

    def to_dict(self) -> dict[str, Any]:
        """All as plain data: system → category → level → the fields of `Level`."""
        return {system: levels.to_dict() for system, levels in self.systems.items()}

    def grid(self) -> Grid:
        """A row per system and category, as in `Levels.grid`."""
        return Grid(["system", "category", *map(str, LEVELS)], _rows(self.systems), named=2)


def by_level(
    values: Any, *, insertion: Any = None, deletion: Any = None, substitution: Any = None
) -> Levels:
    """Summarise a measure of outputs by the level of their errors.

    Args:
        values: A number per output, such as `textsimp.errors.length_change` returns. None and NaN
            are left out.
        insertion: A label, or a list with one of each annotator, per output; the majority counts.
        deletion: The same.
        substitution: The same; one of the three is enough.

    Example:
        >>> from textsimp import errors
        >>> levels = errors.by_level([10, 20, 60, None], deletion=[0, 0, 2, 1])
        >>> levels.categories["deletion"][0]
        Level(outputs=2, mean=15.0, deviation=5.0)
    """
    matrix = ratings.matrix(values, "values")
    if matrix.shape[1] > 1:
        raise InputError("values: expected a number per output, got lists")
    numbers = matrix[:, 0]
    checked = labels.check(insertion, deletion, substitution, values=numbers)
    categories = {}
    for category, rows in checked.items():
        most = majority(rows)
        categories[category] = {
            level: _level(numbers, [label == level for label in most]) for level in LEVELS
        }
    return Levels(categories)


def _rows(systems: Mapping[str, Levels]) -> list[list[str]]:
    """System, category and cells, all with as many decimals."""
    levels_of_rows = [
        (system, category, list(levels.values()))
        for system, of_system in systems.items()
        for category, levels in of_system.categories.items()
    ]
    decimals = tables.count_decimals(
        level.mean for _, _, levels in levels_of_rows for level in levels
    )
    return [
        [system, category, *(_cell(level, decimals) for level in levels)]
        for system, category, levels in levels_of_rows
    ]


def _level(numbers: Any, mask: list[bool]) -> Level:
    of_level = numbers[np.array(mask)]
    of_level = of_level[~np.isnan(of_level)]
    if not len(of_level):
        return Level(0, None, None)
    return Level(len(of_level), float(of_level.mean()), float(of_level.std()))


def _cell(level: Level, decimals: int) -> str:
    if level.mean is None or level.deviation is None:
        return "–"
    mean, deviation = (tables.number(x, decimals) for x in (level.mean, level.deviation))
    return f"{mean} ± {deviation} ({level.outputs:,})"
