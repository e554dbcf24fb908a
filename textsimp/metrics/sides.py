"""Counts of predictions and, side by side, of sources and references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from textsimp.core.declarations import SIDES
from textsimp.core.metric import Floats
from textsimp.text.tokenizers import Encoder

T = TypeVar("T")


@dataclass(frozen=True)
class CountedSides:
    """The counts of sources and references; None for missing columns."""

    encoder: Encoder
    sources: Floats | None  # (n, k)
    references: Floats | None  # (n, k) means over each example's references

    def beside(self, counts: Floats) -> Floats:
        """(n, 3k) counts of predictions, sources and references; zeros for missing columns."""
        others = (self.sources, self.references)
        return np.hstack([counts, *(np.zeros_like(counts) if o is None else o for o in others)])


def count_sides(
    encoder: Encoder,
    count: Callable[[Encoder, list[str]], Floats],
    sources: list[str] | None,
    references: list[list[str]] | None,
) -> CountedSides:
    """Count sources and references."""
    of_sources = None if sources is None else count(encoder, sources)
    if references is None:
        return CountedSides(encoder, of_sources, None)
    counts = count(encoder, [text for row in references for text in row])
    return CountedSides(encoder, of_sources, mean_references(counts, references))


def pair_references(sources: Sequence[T], references: Sequence[Sequence[T]]) -> list[list[T]]:
    """Return [sources, references] with a row for each reference."""
    repeated = [text for text, row in zip(sources, references, strict=True) for _ in row]
    return [repeated, [text for row in references for text in row]]


def mean_references(rows: Floats, references: Sequence[Sequence[str]]) -> Floats:
    """Return (n, k) means over each example's references, which have consecutive rows."""
    sizes = np.fromiter(map(len, references), np.int64, len(references))
    means: Floats = np.add.reduceat(rows, np.cumsum(sizes) - sizes) / sizes[:, None]
    return means


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
