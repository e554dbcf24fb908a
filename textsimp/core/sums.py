"""Sums of examples' statistics: the same to the last bit in any order and from any pieces.

Whole numbers add up exactly as long as their sums stay below 2**53. Other numbers are added by
`math.fsum`, which rounds once.

A bootstrap draws rows of up to `MANY` examples. Of more examples it draws the sums of `BLOCKS`
random blocks. The block of an example depends on its number only.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import InputError

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MANY = 100_000
BLOCKS = 4096

_ROWS_AT_ONCE = 2**16


@dataclass(frozen=True, eq=False)
class Sums:
    """The statistics of some examples, as far as scores, intervals and tests need them."""

    ranges: Ints  # (m, 2) first number and end of each run of examples, ascending
    rows: Floats | None  # (n, k) in the order of the examples' numbers, if they are kept
    reduced: tuple[Floats, Floats, Floats] | None = field(default=None, repr=False)
    """The total, the sums of blocks and their sizes, where rows aren't kept."""

    @classmethod
    def of(cls, statistics: Floats | Sums, first: int = 0) -> Sums:
        """Return the sums of consecutive examples, from (n, k) statistics."""
        if isinstance(statistics, Sums):
            return statistics
        return cls(np.array([[first, first + len(statistics)]], np.int64), statistics)

    @classmethod
    def of_columns(cls, columns: Iterable[Floats], numbers: Ints) -> Sums:
        """Return the sums of examples with any numbers. Of many, one column at a time is held."""
        order = np.argsort(numbers, kind="stable")
        ranges = ranges_of(numbers[order])
        ordered = (column[order] for column in columns)
        if len(numbers) <= MANY:
            return cls(ranges, np.stack([*ordered], axis=1))
        blocks = _Blocks(numbers[order])
        sums = [(total(column[:, None])[0], blocks.sums(column)) for column in ordered]
        totals, of_blocks = zip(*sums, strict=True)
        return cls(ranges, None, (np.array(totals), np.stack(of_blocks, axis=1), blocks.sizes))

    def __len__(self) -> int:
        """The number of examples."""
        return int(np.diff(self.ranges).sum())

    @functools.cached_property
    def total(self) -> Floats:
        """(k,) the sum of all rows."""
        return self.reduced[0] if self.reduced is not None else total(self._rows)

    @functools.cached_property
    def units(self) -> tuple[Floats, Floats | None]:
        """Return the units to resample: (n, k) rows, or sums of blocks and (blocks,) sizes."""
        if self.reduced is not None:
            return self.reduced[1:]
        if len(self) <= MANY:
            return np.ascontiguousarray(self._rows), None  # other layouts round products otherwise
        blocks = _Blocks(numbers_of(self.ranges))
        sums = [blocks.sums(column) for column in self._rows.T]
        return np.stack(sums, axis=1), blocks.sizes

    @property
    def _rows(self) -> Floats:
        assert self.rows is not None
        return self.rows


def total(rows: Floats) -> Floats:
    """(k,) the sum of the rows, rounded once."""
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        sums: Floats = rows.sum(axis=0)
    for i in np.flatnonzero(~_add_up_exactly(rows)):
        sums[i] = _sum(rows[:, i])
    return sums + 0.0  # −0 becomes 0


def _add_up_exactly(rows: Floats) -> NDArray[np.bool_]:
    """(k,) whether numbers of a column are whole and so small that no sum of them is rounded."""
    if not len(rows):
        return np.ones(rows.shape[1], np.bool_)
    largest = np.maximum(rows.max(axis=0), -rows.min(axis=0))
    exact: NDArray[np.bool_] = largest * len(rows) < 2.0**53
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = rows[start : start + _ROWS_AT_ONCE]
        exact &= (np.rint(part) == part).all(axis=0)
    return exact


def _sum(numbers: Floats) -> float:
    plain = numbers.tolist()
    try:
        return math.fsum(plain)
    except (ValueError, OverflowError):  # infinities of both signs, or sums beyond them
        return float(sum(plain))


class RunningSums:
    """Sums of examples that are added slice by slice; whole numbers are added at once."""

    def __init__(self, first: int, n: int) -> None:
        self._first, self._n = first, n
        self._blocks = block_of(np.arange(first, first + n))
        self._exact: Floats = np.zeros((BLOCKS, 0))  # (blocks, k) sums of whole numbers
        self._bound: Floats = np.zeros(0)  # (k,) sums of their absolute values
        self._rest: dict[int, list[tuple[Floats, Ints]]] = {}  # statistic → numbers, their blocks

    def add(self, rows: slice, part: Floats) -> None:
        """Add (rows, k) statistics."""
        blocks = self._blocks[rows]
        if not self._exact.shape[1]:
            self._exact, self._bound = np.zeros((BLOCKS, part.shape[1])), np.zeros(part.shape[1])
        bound = self._bound + np.abs(part).sum(axis=0)
        for i, exact in enumerate(_add_up_exactly(part) & (bound < 2.0**53)):
            if exact:
                self._exact[:, i] += np.bincount(blocks, part[:, i], BLOCKS)
                self._bound[i] = bound[i]
            else:
                self._rest.setdefault(i, []).append((part[:, i].copy(), blocks))

    def sums(self) -> Sums:
        """Return the sums of all examples."""
        sizes = np.bincount(self._blocks, minlength=BLOCKS)
        of_blocks, totals = self._exact.copy(), self._exact.sum(axis=0)
        for i, parts in self._rest.items():
            values = np.concatenate([self._exact[:, i], *(numbers for numbers, _ in parts)])
            blocks = np.concatenate([np.arange(BLOCKS), *(blocks for _, blocks in parts)])
            order = np.argsort(blocks, kind="stable")
            ends = np.cumsum(np.bincount(blocks, minlength=BLOCKS))[:-1]
            of_blocks[:, i] = [*map(_sum, np.split(values[order], ends))]
            totals[i] = _sum(values)
        used = sizes > 0
        reduced = (totals + 0.0, of_blocks[used], sizes[used].astype(np.float64))
        return Sums(np.array([[self._first, self._first + self._n]]), None, reduced)


class _Blocks:
    """Random blocks of examples; `sizes` are those of the blocks that have any.

    With S the sums and N the sizes of the blocks that a resample draws, its total is n · ΣS / ΣN.
    The variance of that total is n·σ², as for a bootstrap of examples. It is estimated from
    `BLOCKS` numbers, so the width of an interval varies by 1/√(2·4096), about 1.1 %.
    """

    def __init__(self, numbers: Ints) -> None:
        self._blocks = block_of(numbers)
        self._order = np.argsort(self._blocks, kind="stable")
        sizes = np.bincount(self._blocks, minlength=BLOCKS)
        self._used = sizes > 0
        self._ends = np.cumsum(sizes)[:-1]
        self.sizes: Floats = sizes[self._used].astype(np.float64)

    def sums(self, column: Floats) -> Floats:
        """(blocks,) the sum of each block, rounded once."""
        if _add_up_exactly(column[:, None])[0]:
            sums = np.bincount(self._blocks, column, BLOCKS).astype(np.float64)
        else:
            sums = np.array([*map(_sum, np.split(column[self._order], self._ends))])
        return sums[self._used]


def block_of(numbers: Ints) -> NDArray[np.int64]:
    """The block of each example: the top bits of SplitMix64 (Steele, Lea & Flood 2014)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    mixed ^= mixed >> np.uint64(31)
    top: NDArray[np.uint64] = mixed >> np.uint64(64 - (BLOCKS - 1).bit_length())
    return top.astype(np.int64)


def ranges_of(numbers: Ints) -> Ints:
    """(m, 2) first and end of each run of ascending numbers."""
    steps = np.diff(numbers)
    repeated = np.flatnonzero(steps == 0)
    if len(repeated):
        raise InputError(f"expected each row once, got row {numbers[repeated[0]]} twice")
    cuts = np.flatnonzero(steps != 1)
    firsts = numbers[np.concatenate(([0], cuts + 1))]
    ends = numbers[np.concatenate((cuts, [len(numbers) - 1]))] + 1
    return np.stack([firsts, ends], axis=1)


def numbers_of(ranges: Ints) -> Ints:
    """All numbers of runs."""
    return np.concatenate([np.arange(first, end) for first, end in ranges.tolist()])
