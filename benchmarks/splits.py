"""Speed of the split tools on a synthetic corpus of WikiLarge's sizes.

    python benchmarks/splits.py [--iterations 500000]

Each tool runs beside the plain way to do the same, in the same process; times are CPU seconds.
- Monte-Carlo: shuffle all rows, cut, sum each subset (what Vásquez-Rodríguez et al. 2021 do, with
  NumPy), timed over 20 iterations.
- Local search: its objective beside the best draw's and the least that whole operations allow.
- Divergence: the permutation test by shuffling all values, timed over 20 permutations.
"""

from __future__ import annotations

import argparse
import math
import resource
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict
from numpy.typing import NDArray

from textsimp.splits import balance, divergence, random_split

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


def megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--iterations", type=int, default=500_000, help="Monte-Carlo draws")
    n = parser.parse_args().iterations
    counts, sizes = operation_counts(), list(SIZES.values())
    before = megabytes()
    drawn_time, drawn = cpu_seconds(
        lambda: balance(counts, sizes, method="monte_carlo", iterations=n)
    )
    grown = megabytes() - before
    peer_time, _ = cpu_seconds(lambda: shuffle_and_sum(counts, 20))
    ours, theirs = drawn_time / n, peer_time / 20
    print(f"monte_carlo, {n:,} draws of {len(counts):,} rows: {drawn_time:.1f} s")
    print(
        f"  {ours * 1e6:.0f} µs a draw; by shuffling {theirs * 1e6:.0f} µs: {theirs / ours:.0f} ×"
    )
    print(f"  peak memory + {grown:.0f} MB; counts {counts.nbytes / 2**20:.0f} MB")

    local_time, local = cpu_seconds(lambda: balance(counts, sizes, iterations=20_000))
    optimum = rounding_optimum(counts)
    print(f"local_search, 20,000 proposals: {local_time * 1e3:.0f} ms")
    for name, value in (("best draw", drawn.objective), ("local search", local.objective)):
        print(f"  {name}: {value:.6f}, {value / optimum:.1f} × the optimum {optimum:.6f}")

    changes = counts.sum(1) / (counts.sum(1) + 10) * 100
    ends = np.cumsum([0, *sizes])
    data = DatasetDict(
        {
            name: Dataset.from_dict({"change": changes[ends[i] : ends[i + 1]]})
            for i, name in enumerate(SIZES)
        }
    )
    ours, _ = cpu_seconds(lambda: divergence(data, "change", permutations=1_000))
    edges = np.linspace(0, 100, 11)
    theirs = 3 * 50 * cpu_seconds(lambda: shuffle_and_compare(changes, edges, 20))[0]
    print(f"divergence of 3 pairs, 1,000 permutations: {ours:.2f} s; by shuffling: {theirs:.0f} s")
    print(f"random_split: {cpu_seconds(lambda: random_split(data))[0]:.2f} s")


if __name__ == "__main__":
    main()
