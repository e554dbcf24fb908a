"""What statistics files cost: size, and seconds and memory to write, add up and merge them.

    python benchmarks/statistics_files.py [millions of rows]

Prints a line per measurement; seconds are CPU time. The rows are SARI's of the example corpus,
drawn at random: integers (variant easse, 36 columns) and shares (xu, 40, made to differ).
"""

from __future__ import annotations

import resource
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from textsimp import Sari, catalogue, significance, statistics
from textsimp.examples import Examples
from textsimp.sums import Joining, Sums

FOLDER = Path(__file__).parents[1] / "examples"
AT_ONCE = 10_000


class Repeated(Examples):
    """Examples that say they are many pieces."""

    times = 1

    def pieces(self) -> Iterator[Examples]:
        for _ in range(self.times):
            yield Examples(self.shared, self.systems)


def lines(name: str) -> list[str]:
    return (FOLDER / name).read_text(encoding="utf-8").splitlines()


def seconds(function: Callable[[], Any]) -> tuple[float, Any]:
    start = time.process_time()
    found = function()
    return time.process_time() - start, found


def measure(variant: str, n: int) -> None:
    """Print what some rows of a variant cost."""
    rng, metric = np.random.default_rng(0), Sari(variant)
    examples = metric.check(
        sources=lines("source.txt"),
        predictions=lines("systems/splitter.txt"),
        references=[[line] for line in lines("references/0.txt")],
    )
    (rows,) = metric.statistics_of(examples).values()
    piece, other = (rows[rng.integers(0, len(rows), AT_ONCE)] for _ in range(2))
    if variant == "xu":  # shares differ more than those of 48 examples do
        piece, other = (some * rng.uniform(0.5, 1, some.shape) for some in (piece, other))
        piece[:, -1] = other[:, -1] = 1

    class Ready(Sari):
        def statistics_of(self, examples: Any) -> Any:
            return {"ours": piece}

    def say(what: str) -> None:
        print(f"{variant}: {what}")

    def add() -> Sums:
        joining = Joining()
        for first in range(0, n, AT_ONCE):
            joining.add(Sums.of(piece, first))
        return joining.sums()

    per_million = 1e6 / n
    took, sums = seconds(add)
    say(f"adding up {took * per_million:.2f} s per million rows")
    took, _ = seconds(lambda: significance.resampled(sums, resamples=1000, seed=0))
    say(f"1,000 resamples of {n:,} rows {took:.2f} s")
    corpus = Repeated({}, {"ours": {"predictions": [""] * AT_ONCE}})
    Repeated.times = n // AT_ONCE
    with tempfile.TemporaryDirectory() as folder:
        path, ready = Path(folder) / "a.parquet", {"sari": Ready(variant)}
        took, _ = seconds(lambda: statistics.gather_to(path, ready, corpus))
        size = path.stat().st_size / 2**20 * per_million
        say(f"writing, with adding up, {took * per_million:.2f} s per million rows, {size:.0f} MB")
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took, _ = seconds(lambda: statistics.merge([path], catalogue.made))
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10
        say(f"merging {took * per_million:.2f} s per million rows, {more:.0f} MB of memory more")
    several = np.concatenate([piece, other] * 10)
    of_blocks = metric.reduce(significance.resampled(several, resamples=4000, seed=1)[0])
    of_examples = metric.reduce(significance.bootstrap(several, 1000, seed=2))
    ratio = of_blocks["sari"].std() / of_examples["sari"].std()
    say(f"standard deviation of resamples by blocks / by examples {ratio:.3f}")


if __name__ == "__main__":
    rows_of_each = int(float(sys.argv[1] if len(sys.argv) > 1 else 1) * 1e6) // AT_ONCE * AT_ONCE
    for name in ("easse", "xu"):
        measure(name, rows_of_each)
