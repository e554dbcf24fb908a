"""Many processes: pairs scored by Dask's workers, and without, by a clock.

    python benchmarks/scale.py [--pairs 400000] [--processes 1,2]

Pairs are those of large.py, with one reference, in a parquet file with row groups of 100,000. They
are scored by SARI, files checked first
- here: ``textsimp score``'s own way, a piece after the other;
- `scale.statistics`: workers read the file;
- `scale.gather`: this process reads the file and sends pieces, as ``textsimp score --workers``.

Seconds are those of a clock, so that nothing else should run. Clusters are started before. Rows of
10⁸ pairs are extrapolated: each takes as long.
"""

from __future__ import annotations

import argparse
import importlib
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from large import pairs, write_parquet
from timing import Row, show

from textsimp import Sari, scale
from textsimp.core import statistics
from textsimp.corpora.reading import Request, Stream, stream
from textsimp.scale.cluster import connected

METRICS = {"sari": Sari()}
COLUMNS = {"sources": "source", "references": "reference"}


def corpus(path: str) -> Stream:
    """The file, checked and counted."""
    return stream(Request(data=path), {"sari": Sari.columns}, keep=0)


def timed(name: str, n: int, score: Callable[[], Any]) -> Iterator[Row]:
    start = time.perf_counter()
    score()
    seconds = time.perf_counter() - start
    yield Row(f"{name}, by a clock", f"{n:,} × 1 reference, parquet", seconds)
    yield Row(f"{name}, by a clock", "10⁸ × 1 reference", seconds * 1e8 / n, extrapolated=True)


def rows(n: int, processes: str) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        _, path = write_parquet(Path(folder), pairs(n))
        yield from timed("SARI, here", n, lambda: statistics.gather(METRICS, corpus(path)))
        for count in map(int, processes.split(",")):
            with connected(count) as client:
                client.wait_for_workers(count)
                client.run(importlib.import_module, "textsimp.metrics.sari")
                given: Any = {**COLUMNS, "client": client}
                tasks: dict[str, Callable[[], Any]] = {
                    "statistics": lambda given=given: scale.statistics(
                        path, {"ours": "prediction"}, **given
                    ),
                    "gather": lambda client=client: scale.gather(
                        METRICS, corpus(path), client=client
                    ),
                }
                for name, task in tasks.items():
                    yield from timed(f"`scale.{name}`, processes: {count}", n, task)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=400_000)
    parser.add_argument("--processes", default="1,2")
    given = parser.parse_args()
    show(rows(given.pairs, given.processes))


if __name__ == "__main__":
    main()
