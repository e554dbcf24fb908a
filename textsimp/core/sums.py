"""Sums of examples' statistics that don't depend on how the examples were cut into pieces.

A number is cut into a whole number and multiples of 2**-26, 2**-52 and 2**-78, at most 2**25 of
each; what is left, at most 2**-79, is dropped. Sums of such parts are exact, in any order, of up to
2**28 examples, and as long as whole numbers add up to less than 2**53; only the last step, the sum
of the four sums, rounds. Whole numbers have one part.

The rows of up to `MANY` examples are kept, since a bootstrap draws them. Of more, the sums of
`BLOCKS` random blocks are: which block an example is in depends on its number only.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MANY = 100_000
BLOCKS = 4096

_GRIDS = (2.0**-26, 2.0**-52, 2.0**-78)  # of the parts after the whole numbers
_ROWS_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False)
class Sums:
    """The statistics of some examples, as far as scores, intervals and tests need them.

    Attributes:
        ranges: (m, 2) first number and end of each run of examples, ascending.
        rows: (n, k) their statistics in the order of their numbers; None where only blocks are
            kept.
        blocks: (parts, BLOCKS, k + 1) parts of the sums of blocks, the last how many examples each
            has; None where all rows are kept.
    """

    ranges: Ints
    rows: Floats | None
    blocks: Floats | None = field(default=None, repr=False)

    @classmethod
    def of(cls, statistics: Floats | Sums, first: int = 0) -> Sums:
        """Those of consecutive examples.

        Args:
            statistics: (n, k), a row per example.
            first: The number of the first example.
        """
        if isinstance(statistics, Sums):
            return statistics
        return cls(np.array([[first, first + len(statistics)]], np.int64), statistics)

    @classmethod
    def numbered(cls, statistics: Floats, numbers: Ints) -> Sums:
        """Those of examples with any numbers.

        Raises:
            InputError: A number stands twice.
        """
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        twice = np.flatnonzero(numbers[1:] == numbers[:-1])
        if len(twice):
            raise InputError(f"expected each row once, got row {numbers[twice[0]]} twice")
        cuts = np.flatnonzero(np.diff(numbers) != 1)
        firsts = numbers[np.concatenate(([0], cuts + 1))]
        ends = numbers[np.concatenate((cuts, [len(numbers) - 1]))] + 1
        return cls(np.stack([firsts, ends], axis=1), statistics[order])

    def folded(self) -> Sums:
        """The same without rows: sums of blocks."""
        return self if self.rows is None else Sums(self.ranges, None, _in_blocks([self]))

    def __len__(self) -> int:
        """The number of examples."""
        return int(np.diff(self.ranges).sum())

    @property
    def total(self) -> Floats:
        """(k,) the sum of all rows."""
        if self.blocks is not None:
            return _rounded(self.blocks.sum(axis=1))[:-1]
        assert self.rows is not None
        return total(self.rows)

    @functools.cached_property
    def units(self) -> tuple[Floats, Floats | None]:
        """What is drawn and swapped: (n, k) rows; or sums of blocks, and (blocks,) their sizes."""
        if len(self) <= MANY:
            assert self.rows is not None
            return np.ascontiguousarray(self.rows), None  # other layouts round products otherwise
        blocks = _rounded(_in_blocks([self]) if self.blocks is None else self.blocks)
        blocks = blocks[blocks[:, -1] > 0]
        return blocks[:, :-1], blocks[:, -1]


class Joining:
    """Adds up pieces, keeping no more rows than a bootstrap needs, or those of a single piece."""

    def __init__(self) -> None:
        self._ranges: list[Ints] = []
        self._kept: list[Sums] = []
        self._rows = 0  # of the kept
        self._blocks: Floats | None = None

    def add(self, piece: Sums) -> None:
        """Add a piece."""
        self._ranges.append(piece.ranges)
        if piece.rows is None:
            self._blocks = _added(self._blocks, piece.blocks)
        else:
            self._kept.append(piece)
            self._rows += len(piece)
        single = self._blocks is None and len(self._kept) == 1  # which is there anyway
        if not single and self._rows > (MANY if self._blocks is None else _ROWS_AT_ONCE):
            self._fold()

    def sums(self) -> Sums:
        """Those of all pieces.

        Raises:
            InputError: Two pieces have the same example.
        """
        ranges = _together(np.concatenate(self._ranges))
        if self._blocks is not None:
            self._fold()
            return Sums(ranges, None, self._blocks)
        if len(self._kept) == 1:
            return self._kept[0]
        numbers = np.concatenate([_numbers(piece.ranges) for piece in self._kept])
        rows = np.concatenate([piece.rows for piece in self._kept if piece.rows is not None])
        if not (numbers[1:] > numbers[:-1]).all():
            rows = rows[np.argsort(numbers, kind="stable")]
        return Sums(ranges, rows)

    def _fold(self) -> None:
        if self._kept:
            self._blocks = _added(self._blocks, _in_blocks(self._kept))
        self._kept, self._rows = [], 0


def block_of(numbers: Ints) -> NDArray[np.int64]:
    """The block of each example: the top bits of SplitMix64 (Steele, Lea & Flood 2014)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    top: NDArray[np.uint64] = mixed >> np.uint64(64 - (BLOCKS - 1).bit_length())
    return top.astype(np.int64)


def total(statistics: Floats) -> Floats:
    """(k,) the sum of the rows, whatever their order."""
    found: Floats | None = None
    for start in range(0, len(statistics), _ROWS_AT_ONCE):
        parts = [part.sum(axis=0) for part in _parts(statistics[start : start + _ROWS_AT_ONCE])]
        if len(parts) == 1 and len(statistics) <= _ROWS_AT_ONCE:
            whole: Floats = parts[0] + 0.0  # so that −0 is 0
            return whole
        found = _added(found, np.stack(parts))
    return np.zeros(statistics.shape[1]) if found is None else _rounded(found)


def _parts(rows: Floats) -> list[Floats]:
    """Matrices of which the rows are the sum, each of multiples of a power of two."""
    parts = [np.rint(rows)]
    if (parts[0] == rows).all():
        return parts
    rest = rows
    for grid in _GRIDS:
        finite = np.isfinite(parts[-1])
        rest = np.subtract(rest, parts[-1], out=np.zeros_like(rows), where=finite)
        parts.append(np.rint(rest / grid) * grid)
    return parts


def _in_blocks(pieces: Iterable[Sums]) -> Floats:
    """(parts, BLOCKS, k + 1) exact sums of the rows of each block, and how many they are."""
    found: Floats | None = None
    for piece in pieces:
        assert piece.rows is not None
        numbers = _numbers(piece.ranges)
        for start in range(0, len(numbers), _ROWS_AT_ONCE):
            at = slice(start, start + _ROWS_AT_ONCE)
            blocks = block_of(numbers[at])
            order = np.argsort(blocks, kind="stable")
            blocks = blocks[order]
            starts = np.flatnonzero(np.diff(blocks, prepend=-1))
            parts = _parts(piece.rows[at][order])
            if found is None or len(found) < len(parts):
                found = _added(found, np.zeros((len(parts), BLOCKS, piece.rows.shape[1] + 1)))
            for i, part in enumerate(parts):
                found[i, blocks[starts], :-1] += np.add.reduceat(part, starts, axis=0)
            found[0, :, -1] += np.bincount(blocks, minlength=BLOCKS)
    assert found is not None
    return found


def _added(first: Floats | None, second: Floats | None) -> Floats:
    """The sum of exact sums, of which one may have more parts."""
    if first is None or second is None:
        only = second if first is None else first
        assert only is not None
        return only
    more, fewer = (first, second) if len(first) >= len(second) else (second, first)
    found: Floats = more.copy()
    found[: len(fewer)] += fewer
    return found


def _rounded(parts: Floats) -> Floats:
    """The sums of parts, the smallest first."""
    found: Floats = functools.reduce(np.add, parts[::-1])
    return found


def _numbers(ranges: Ints) -> Ints:
    """The numbers of the examples."""
    return np.concatenate([np.arange(first, end) for first, end in ranges.tolist()])


def _together(ranges: Ints) -> Ints:
    """Ranges in order, those that touch as one.

    Raises:
        InputError: Two overlap.
    """
    ranges = ranges[np.argsort(ranges[:, 0], kind="stable")]
    over = np.flatnonzero(ranges[1:, 0] < ranges[:-1, 1])
    if len(over):
        raise InputError(f"expected each row once, got row {ranges[over[0] + 1, 0]} twice")
    starts = np.flatnonzero(np.append(True, ranges[1:, 0] != ranges[:-1, 1]))
    ends = np.append(starts[1:], len(ranges)) - 1
    return np.stack([ranges[starts, 0], ranges[ends, 1]], axis=1)
