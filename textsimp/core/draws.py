"""Random draws of intervals and tests: resamples of units, swaps of systems.

These are all draws of the package but those that make texts, plans and splits. Equal seeds give
equal draws.
"""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from textsimp.core.significance import is_exact

__all__ = ["MANY", "RESAMPLES", "block_of", "swaps"]

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESAMPLES = 1000
"""The default number of resamples."""

MANY = 20_000
"""The most units that are drawn and swapped one by one; of more units blocks are."""

BLOCKS = 4096
"""The number of blocks. The width of an interval varies by 1/√(2·4096), about 1.1 %."""

_ROUNDING = (1.5 * 2**26, 1.5 * 2**-8, 1.5 * 2**-42)
"""Added and subtracted again, they round a number to a multiple of 2**-26, 2**-60 and 2**-94."""
PARTS = len(_ROUNDING)
"""The number of parts of exact sums."""
_ROWS_AT_ONCE = 2**16

AT_ONCE = 512
"""The most resamples at once, unless a caller has room for more."""

_ENTRIES_AT_ONCE = 2**20


def draw(
    sizes: Mapping[str, int],
    resamples: int,
    seed: int,
    strata: Ints | None = None,
    *,
    at_once: int = 0,
) -> Iterator[dict[str, Floats]]:
    """Yield kind → (m, size) counts: how often each of its units is in each of m resamples.

    A resample has as many units of a kind as there are; of a single kind with ``strata``, (size,)
    ints, as many of each. m is at most ``at_once``, or what has room.
    """
    rngs = [np.random.default_rng([seed, i] if i else seed) for i in range(len(sizes))]
    at_once = at_once or room(max(sizes.values()))
    for start in range(0, resamples, at_once):
        m = min(at_once, resamples - start)
        kinds = zip(rngs, sizes.items(), strict=True)
        yield {kind: _count(rng, m, size, strata) for rng, (kind, size) in kinds}


def draw_runs(runs: int, resamples: int, seed: int, stream: int) -> Floats:
    """Return (resamples, runs) weights of runs, whose sum is 1.

    Means with these weights are normal, with the standard error of the mean, which a bootstrap of
    so few runs underestimates. Systems of different ``stream`` draw apart from each other.
    """
    normal = np.random.default_rng([seed, stream]).standard_normal((resamples, runs))
    deviations = normal - normal.mean(axis=1, keepdims=True)
    weights: Floats = 1 / runs + deviations / np.sqrt(runs * (runs - 1))
    return weights


def swaps(
    size: int, resamples: int, seed: int, shares: Floats | float = 0.5, *, at_once: int = 0
) -> Iterator[NDArray[np.bool_]]:
    """Yield (m, size) units to swap: at random with such probabilities, or all ways except none."""
    at_once = at_once or room(size)
    if is_exact(size, resamples):
        ways = np.arange(1, 2**size)  # 0, without any, is the observed one
        for start in range(0, len(ways), at_once):
            yield (ways[start : start + at_once, None] >> np.arange(size)) & 1 > 0
        return
    rng = np.random.default_rng(seed)
    for start in range(0, resamples, at_once):
        yield rng.random((min(at_once, resamples - start), size)) < shares


def sum_blocks(rows: Floats, blocks: Ints) -> Floats:
    """Return (BLOCKS, k) sums of the (n, k) rows of each block.

    They have the same bits in any order of rows, see `sum_exactly`.
    """
    sums: Floats = sum_exactly(rows, blocks)[::-1].sum(axis=0)
    return sums


def sum_exactly(rows: Floats, blocks: Ints) -> Floats:
    """Return (PARTS, BLOCKS, k) sums of the (n, k) rows of each block in parts, without rounding.

    The first part sums multiples of 2**-26, the second those of 2**-60 in the rest, the third those
    of 2**-94. All are exact if a block has at most 2**20 rows, and its sums are below 2**27, or
    2**53 if all numbers are whole. Beyond, the last digits depend on the order. What is left out is
    less than 2**-95 of a number below 2**-42, and nothing of others.
    """
    sums = np.zeros((PARTS, BLOCKS, rows.shape[1]))
    for start in range(0, len(rows), _ROWS_AT_ONCE):
        part = slice(start, start + _ROWS_AT_ONCE)
        rest = rows[part]
        for number, rounding in enumerate(_ROUNDING):
            rounded = (rest + rounding) - rounding
            columns = [np.bincount(blocks[part], column, BLOCKS) for column in rounded.T]
            sums[number] += np.stack(columns, axis=1)
            rest = rest - rounded
            if not rest.any():  # as of whole numbers
                break
    return sums


def block_of(numbers: Ints) -> Ints:
    """Return the (n,) blocks of units with these numbers, from 0: their `mix`, modulo BLOCKS.

    So a unit's block depends on nothing else. Blocks of units beside each other would vary more,
    since these are often alike, in a sorted corpus or a document.
    """
    blocks: Ints = (mix(numbers) % np.uint64(BLOCKS)).astype(np.int64)
    return blocks


def mix(numbers: Ints) -> NDArray[np.uint64]:
    """Return splitmix64 of (n,) numbers (Steele, Lea & Flood 2014), which look random."""
    mixed: NDArray[np.uint64] = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    return mixed


def _count(rng: np.random.Generator, m: int, size: int, strata: Ints | None) -> Floats:
    """Return (m, size) counts of drawn units."""
    if strata is None:
        drawn = rng.integers(0, size, (m, size))
    else:
        members = (np.flatnonzero(strata == stratum) for stratum in np.unique(strata))
        drawn = np.concatenate(
            [units[rng.integers(0, len(units), (m, len(units)))] for units in members], axis=1
        )
    drawn += size * np.arange(m)[:, None]
    counts = np.bincount(drawn.ravel(), minlength=m * size).reshape(m, size)
    return counts.astype(np.float64)


def room(entries: int) -> int:
    """Return how many resamples of so many entries there may be at once."""
    return max(1, min(AT_ONCE, _ENTRIES_AT_ONCE // max(1, entries)))
