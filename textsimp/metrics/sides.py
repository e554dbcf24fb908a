"""Counts of predictions and, side by side, of sources and references."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from textsimp.core.declarations import SIDES
from textsimp.core.metric import Floats
from textsimp.text.counting import in_turn
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
    """Count sources and references. The i-th references are a text, as predictions are."""
    of_sources = None if sources is None else count(encoder, sources)
    if references is None:
        return CountedSides(encoder, of_sources, None)
    counts = [(rows, count(encoder, texts)) for rows, texts in in_turn(references)]
    return CountedSides(encoder, of_sources, mean_counts(counts, references))


def mean_counts(parts: Sequence[tuple[Any, Floats]], references: Sequence[Sequence[str]]) -> Floats:
    """Return (n, k) means over each example's references; `in_turn` gives the order of counts."""
    sums = np.zeros_like(parts[0][1])
    for rows, counts in parts:
        sums[rows] += counts
    means: Floats = sums / [[len(row)] for row in references]
    return means


def pair_references(sources: Sequence[T], references: Sequence[Sequence[T]]) -> list[list[T]]:
    """Return [sources, references] with a row for each reference."""
    repeated = [text for text, row in zip(sources, references, strict=True) for _ in row]
    return [repeated, [text for row in references for text in row]]


def mean_references(rows: Floats, references: Sequence[Sequence[str]]) -> Floats:
    """Return (n, k) means over each example's references, which have consecutive rows."""
    sizes = np.fromiter(map(len, references), np.int64, len(references))
    means: Floats = np.add.reduceat(rows, np.cumsum(sizes) - sizes) / sizes[:, None]
    return means


def side_names(names: Sequence[str], shared: Iterable[str] = SIDES) -> tuple[str, ...]:
    """Names of predictions' scores, and the same of each other column that is given."""
    prefixes = [prefix for side, prefix in SIDES.items() if side in ("predictions", *shared)]
    return tuple(prefix + name for prefix in prefixes for name in names)
