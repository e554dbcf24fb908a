"""What statistics files cost: size, and seconds and memory to write, add up and merge them.

    python benchmarks/statistics_files.py [--rows 1000000]

The rows are SARI's of the example corpus,
drawn at random: integers (variant easse, 36 columns) and shares (xu, 40, made to differ).
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from timing import Row, show

from textsimp import Sari
from textsimp.core import significance, statistics
from textsimp.core.examples import Examples
from textsimp.core.sums import Joining, Sums
from textsimp.metrics import catalogue

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


def measured(variant: str, n: int) -> Iterator[Row]:
    """What some rows of a variant cost."""
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

    data = f"{n:,} rows of SARI `{variant}`"

    def add() -> Sums:
        joining = Joining()
        for first in range(0, n, AT_ONCE):
            joining.add(Sums.of(piece, first))
        return joining.sums()

    took, sums = seconds(add)
    yield Row("statistics added up", data, took)
    took, _ = seconds(lambda: significance.resampled(sums, resamples=1000, seed=0))
    yield Row("1,000 resamples", data, took)
    corpus = Repeated({}, {"ours": {"predictions": [""] * AT_ONCE}})
    Repeated.times = n // AT_ONCE
    with tempfile.TemporaryDirectory() as folder:
        path, ready = Path(folder) / "a.parquet", {"sari": Ready(variant)}
        took, _ = seconds(lambda: statistics.gather_to(path, ready, corpus))
        size = path.stat().st_size / 1e6
        yield Row(f"… added up and written: a file of {size:.0f} MB", data, took)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        took, _ = seconds(lambda: statistics.merge([path], catalogue.made))
        more = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 2**10
        yield Row("… the file merged", data, took, memory=more)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=1_000_000)
    n = max(1, parser.parse_args().rows // AT_ONCE) * AT_ONCE
    show(row for variant in ("easse", "xu") for row in measured(variant, n))


if __name__ == "__main__":
    main()
