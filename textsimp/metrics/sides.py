"""Counts of predictions and, side by side, of sources and references."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import SIDES
from textsimp.core.metric import Floats

__all__ = ["CountedSides", "best_references", "count_sides", "side_names"]

T = TypeVar("T")
Sizes = Sequence[int] | NDArray[np.int64]
Count = Callable[[list[str]], Floats]
"""From n texts to (n, k) counts."""


@dataclass(frozen=True)
class CountedSides:
    """What counts texts, and the counts of sources and references; None for missing columns."""

    count: Count
    sources: Floats | None  # (n, k)
    references: Floats | None  # (n, k) means over each example's references

    def beside(self, predictions: list[str]) -> Floats:
        """(n, 3k) counts of predictions, sources and references; zeros for missing columns."""
        counts = self.count(predictions)
        return np.hstack([counts, *self.others(counts)])

    def others(self, counts: Floats) -> list[Floats]:
        """The counts of sources and references; zeros like ``counts`` for missing columns."""
        sides = self.sources, self.references
        return [np.zeros_like(counts) if side is None else side for side in sides]


def count_sides(
    count: Count, sources: list[str] | None, references: list[list[str]] | None
) -> CountedSides:
    """Count sources and references."""
    means = None
    if references is not None:
        counts = count([text for row in references for text in row])
        means = mean_references(counts, [*map(len, references)])
    return CountedSides(count, None if sources is None else count(sources), means)


def pair_references(sources: Sequence[T], references: Sequence[Sequence[T]]) -> list[list[T]]:
    """Return [sources, references] with a row for each reference."""
    repeated = [text for text, row in zip(sources, references, strict=True) for _ in row]
    return [repeated, [text for row in references for text in row]]


def starts(sizes: Sizes) -> NDArray[np.int64]:
    """Return where consecutive groups of rows begin, from their sizes."""
    return np.cumsum([0, *sizes[:-1]], dtype=np.int64)


def mean_references(rows: NDArray[Any], sizes: Sizes) -> Floats:
    """Return (n, k) means over each example's references, which have consecutive rows."""
    means: Floats = np.add.reduceat(rows, starts(sizes)) / np.reshape(sizes, (-1, 1))
    return means


def best_references(numbers: Floats, sizes: Sizes) -> Floats:
    """Return (n,) the highest of each example's numbers, one for each of its references."""
    best: Floats = np.maximum.reduceat(numbers, starts(sizes))
    return best


def whole(sums: Any, side: str) -> Any:
    """Return sums of counts as integers, but for references, where they are sums of means."""
    return sums if side == SIDES["references"] else np.rint(sums).astype(np.int64)


def by_side(totals: Mapping[str, Floats]) -> dict[str, dict[str, Floats]]:
    """Return each prefix of `SIDES` → the totals of its statistics, without the prefix."""
    sides: dict[str, dict[str, Floats]] = {prefix: {} for prefix in SIDES.values()}
    for name, total in totals.items():
        prefix = next((p for p in sides if p and name.startswith(p)), "")
        sides[prefix][name.removeprefix(prefix)] = total
    return sides


def side_names(names: Sequence[str], shared: Iterable[str] = SIDES) -> tuple[str, ...]:
    """Names of predictions' scores, and the same of each other column that is given."""
    prefixes = [prefix for side, prefix in SIDES.items() if side in ("predictions", *shared)]
    return tuple(prefix + name for prefix in prefixes for name in names)
