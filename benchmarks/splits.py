"""Speed of the split tools on a synthetic corpus of WikiLarge's sizes.

    python benchmarks/splits.py [--iterations 500000]

Each tool runs beside the plain way to do the same, in the same process.
- Monte-Carlo: shuffle all rows, cut, sum each subset (what Vásquez-Rodríguez et al. 2021 do, with
  NumPy), timed over 20 iterations.
- Local search: its objective beside the best draw's and the least that whole operations allow.
- Divergence: the permutation test by shuffling all values, timed over 20 permutations.
"""

from __future__ import annotations

import argparse
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict
from numpy.typing import NDArray
from timing import Row, peak, show

from textsimp.splits import divergence, random_split
from textsimp.splits.balanced import balance

SIZES = {"test": 359, "validation": 992, "train": 296_402}


def operation_counts(seed: int = 0) -> NDArray[np.int64]:
    """Insertions, deletions and replacements with long tails, as sentence pairs have them."""
    generator = np.random.default_rng(seed)
    rows = sum(SIZES.values())
    return np.stack([generator.poisson(generator.gamma(1, m, rows)) for m in (2, 8, 5)], 1)


def cpu_seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    result = function()
    return time.process_time() - start, result


def rounding_optimum(counts: NDArray[np.int64]) -> float:
    wanted = np.outer(list(SIZES.values())[:2], counts.sum(0)) / len(counts)
    return math.sqrt((((np.round(wanted) - wanted) / wanted) ** 2).mean())


def shuffle_and_sum(counts: NDArray[np.int64], iterations: int) -> None:
    generator = np.random.default_rng(0)
    rows = np.arange(len(counts))
    ends = np.cumsum(list(SIZES.values()))
    for _ in range(iterations):
        generator.shuffle(rows)
        for part in np.split(rows, ends[:-1]):
            counts[part].sum(0).std()


def shuffle_and_compare(values: NDArray[np.float64], edges: NDArray[np.float64], n: int) -> None:
    generator = np.random.default_rng(0)
    values = values.copy()
    for _ in range(n):
        generator.shuffle(values)
        np.histogram(values[: SIZES["test"]], edges)
        np.histogram(values[SIZES["test"] :], edges)


def rows(n: int) -> Iterator[Row]:
    counts, sizes = operation_counts(), list(SIZES.values())
    data = f"{len(counts):,} rows"
    before = peak()
    drawn_time, drawn = cpu_seconds(
        lambda: balance(counts, sizes, method="monte_carlo", iterations=n)
    )
    grown = peak() - before
    shuffled = cpu_seconds(lambda: shuffle_and_sum(counts, 20))[0] * n / 20
    peer = Row(f"{n:,} shuffles of all rows", data, shuffled, extrapolated=True)
    yield peer
    yield Row(f"Monte Carlo, {n:,} draws", data, drawn_time, peer, grown)
    local_time, local = cpu_seconds(lambda: balance(counts, sizes, iterations=20_000))
    yield Row("local search, 20,000 proposals", data, local_time)
    # What docs/splits.md says of them.
    assert local.objective < 1.1 * rounding_optimum(counts) < 0.1 * drawn.objective

    changes = counts.sum(1) / (counts.sum(1) + 10) * 100
    ends = np.cumsum([0, *sizes])
    dataset = DatasetDict(
        {
            name: Dataset.from_dict({"change": changes[ends[i] : ends[i + 1]]})
            for i, name in enumerate(SIZES)
        }
    )
    ours, _ = cpu_seconds(lambda: divergence(dataset, "change", permutations=1_000))
    edges = np.linspace(0, 100, 11)
    theirs = 3 * 50 * cpu_seconds(lambda: shuffle_and_compare(changes, edges, 20))[0]
    peer = Row("3 × 1,000 shuffles and histograms", data, theirs, extrapolated=True)
    yield peer
    yield Row("`divergence`, 3 pairs, 1,000 permutations", data, ours, peer)
    yield Row("`random_split`", data, cpu_seconds(lambda: random_split(dataset))[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iterations", type=int, default=500_000, help="Monte-Carlo draws")
    show(rows(parser.parse_args().iterations))


if __name__ == "__main__":
    main()
