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
"""The most units that are drawn and swapped one by one; of more units random blocks are."""

BLOCKS = 4096
"""The number of blocks. The width of an interval varies by 1/√(2·4096), about 1.1 %."""

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
    for m in _blocks(resamples, at_once or room(max(sizes.values()))):
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
        first = 1  # without any is the observed one
        for m in _blocks(2**size - 1, at_once):
            yield (np.arange(first, first + m)[:, None] >> np.arange(size)) & 1 > 0
            first += m
        return
    rng = np.random.default_rng(seed)
    for m in _blocks(resamples, at_once):
        yield rng.random((m, size)) < shares


def sum_blocks(rows: Floats) -> Floats:
    """Return (BLOCKS, k) sums of random blocks of (n, k) rows.

    Rows beside each other are often alike, in a sorted corpus or a document. So blocks of these
    would vary more.
    """
    blocks = block_of(len(rows))
    return np.stack([np.bincount(blocks, column, BLOCKS) for column in rows.T], axis=1)


def block_of(units: int) -> Ints:
    """Return the (units,) random block of each, from 0."""
    return np.random.default_rng(0).permutation(units) % BLOCKS


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


def _blocks(resamples: int, at_once: int) -> Iterator[int]:
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)
