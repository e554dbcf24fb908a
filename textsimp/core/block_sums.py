"""Statistics summed in blocks, so that memory doesn't grow with the number of examples."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from textsimp.core import draws
from textsimp.core.draws import Floats, Ints

MOST_RANGES = draws.MANY
"""Of examples in more ranges, only their number and a digest is kept."""

MOST_DIGESTED = 10**10
"""Of more examples, a minute's, the digest of ranges isn't compared."""

_DIGESTS = 2**64
_AT_ONCE = 2**20


@dataclass(frozen=True, eq=False)
class Extent:
    """Which examples of a corpus something is of.

    Attributes:
        examples: Their number.
        ranges: (r, 2) their first and last numbers, in ascending order; ranges overlap if examples
            are there twice. Instead of more than `MOST_RANGES` it is one range around all.
        digest: The sum of `draws.mix` of their numbers, modulo 2**64.
    """

    examples: int
    ranges: Ints
    digest: int

    @classmethod
    def of(cls, numbers: Ints) -> Extent:
        """Return the extent of examples with these (n,) numbers."""
        ordered = np.sort(numbers)
        digest = int(draws.mix(numbers).sum(dtype=np.uint64))
        return cls(len(numbers), _simplify(ordered, ordered), digest)

    @classmethod
    def join(cls, extents: Iterable[Extent]) -> Extent:
        """Return the extent of all examples of several."""
        parts = [*extents]
        examples = sum(part.examples for part in parts)
        digest = sum(part.digest for part in parts) % _DIGESTS
        firsts, lasts = np.concatenate([part.ranges for part in parts]).T
        order = np.lexsort((lasts, firsts))
        return cls(examples, _simplify(firsts[order], lasts[order]), digest)

    @property
    def first(self) -> int:
        """The lowest number."""
        return int(self.ranges[0, 0])

    @property
    def last(self) -> int:
        """The highest number."""
        return int(self.ranges[:, 1].max())

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What tells it from other extents."""
        return self.examples, self.first, self.last, self.digest

    @property
    def span(self) -> int:
        """How many numbers there are from the lowest to the highest."""
        return self.last - self.first + 1

    def exact(self) -> Extent | None:
        """Return the extent whose ranges have these examples and no others; None if none can."""
        for ranges in (self.ranges, np.array([[self.first, self.last]])):
            number = int((ranges[:, 1] - ranges[:, 0] + 1).sum())
            if number == self.examples and (
                number > MOST_DIGESTED or _digest(ranges.tolist()) == self.digest
            ):
                return replace(self, ranges=ranges)
        return None

    def twice(self) -> list[tuple[int, int]]:
        """Return the ranges of examples that are there twice, if ranges are exact."""
        before = np.maximum.accumulate(self.ranges[:-1, 1])
        first = self.ranges[1:, 0]
        last = np.minimum(before, self.ranges[1:, 1])
        overlaps = np.stack([first, last], axis=1)[first <= last]
        return [(first, last) for first, last in np.unique(overlaps, axis=0).tolist()]

    def missing(self, end: int) -> list[tuple[int, int]]:
        """Return the ranges of examples below ``end`` that aren't there, if ranges are exact."""
        firsts = np.append(self.ranges[:, 0], end)
        lasts = np.append(-1, self.ranges[:, 1])
        gaps = np.stack([lasts + 1, firsts - 1], axis=1)[firsts > lasts + 1]
        return [(first, last) for first, last in gaps.tolist()]


def _digest(ranges: Iterable[tuple[int, int]]) -> int:
    """Return the digest of all numbers in ranges."""
    digest = 0
    for first, last in ranges:
        for start in range(first, last + 1, _AT_ONCE):
            numbers = np.arange(start, min(start + _AT_ONCE, last + 1))
            digest += int(draws.mix(numbers).sum(dtype=np.uint64))
    return digest % _DIGESTS


def _simplify(firsts: Ints, lasts: Ints) -> Ints:
    """Return ascending ranges as (r, 2), those together that follow each other."""
    begins = np.append(True, firsts[1:] != lasts[:-1] + 1)
    ranges = np.stack([firsts[begins], lasts[np.append(begins[1:], True)]], axis=1)
    if len(ranges) > MOST_RANGES:
        return np.array([[ranges[0, 0], ranges[:, 1].max()]])
    return ranges


@dataclass(frozen=True, eq=False)
class Blocks:
    """What rows of statistics are sums of.

    Attributes:
        blocks: (m,) the block of each row, see `draws.block_of`.
        counts: (m,) the number of examples whose statistics it sums; 0 of what a row before lacks.
        extent: All of these examples.
    """

    blocks: Ints
    counts: Floats
    extent: Extent

    @classmethod
    def of(cls, numbers: Ints) -> Blocks:
        """Return those of rows of single examples with these (n,) numbers."""
        return cls(draws.block_of(numbers), np.ones(len(numbers)), Extent.of(numbers))


def add(parts: Iterable[tuple[Floats, Blocks]]) -> tuple[Floats, Blocks]:
    """Return sums of parts of (m, k) rows in blocks, with the same bits in any order.

    The first rows have the first parts of `draws.sum_exactly`, as many further rows each of the
    other parts. A row with a gap follows as it is, since systems are compared on rows that both
    have.
    """
    sums: Any = 0.0
    sizes = np.zeros(draws.BLOCKS)
    single, blocks, extents = list[Floats](), list[Ints](), list[Extent]()
    for rows, what in parts:
        gaps = np.isnan(rows).any(axis=1)
        whole = np.flatnonzero(~gaps) if gaps.any() else slice(None)
        sums += draws.sum_exactly(rows[whole], what.blocks[whole])
        sizes += np.bincount(what.blocks[whole], what.counts[whole], draws.BLOCKS)
        single.append(rows[gaps])
        blocks.append(what.blocks[gaps])
        extents.append(what.extent)
    there = np.flatnonzero(sizes)
    added = np.concatenate([*sums[:, there], *single])
    counts = np.ones(len(added))
    counts[len(there) : draws.PARTS * len(there)] = 0
    counts[: len(there)] = sizes[there]
    of_rows = np.concatenate([np.tile(there, draws.PARTS), *blocks])
    return added, Blocks(of_rows, counts, Extent.join(extents))
