"""Labels of information errors summed up, with intervals and paired tests, beside a plain count.

    python benchmarks/errors.py [--rows 100000]

Rows are made up: one label of each category, or three annotators', and each differs at random. The
peer counts with pandas, one label a row and without intervals.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
from timing import Row, compared, medians, show

from textsimp import InformationErrors, compare
from textsimp.metrics.information_errors import CATEGORIES

RUNS = 3
LABELS, SHARES = (0, 1, 2, -1), (0.8, 0.12, 0.06, 0.02)


def make_labels(rows: int, annotators: int, seed: int = 0) -> dict[str, Any]:
    """Category → a label or a list of labels per row."""
    rng = np.random.default_rng(seed)
    size = rows if annotators == 1 else (rows, annotators)
    return {category: rng.choice(LABELS, size, p=SHARES).tolist() for category in CATEGORIES}


def counted(labels: dict[str, Any]) -> Any:
    """Percent of each label."""
    frame = pd.DataFrame(labels)
    return {name: frame[name].value_counts(normalize=True) for name in frame}


def rows(n: int) -> Iterator[Row]:
    one, three, other = make_labels(n, 1), make_labels(n, 3), make_labels(n, 1, seed=1)
    metric, systems = InformationErrors(), {"a": one, "b": other}
    data = f"{n:,} rows of three categories"
    taken = medians(
        {
            "pandas' counts": lambda: counted(one),
            "one label a row": lambda: metric.score(**one),
            "one label a row, 1,000 resamples": lambda: metric.score(**one, confidence=0.95),
            "three annotators, 1,000 resamples": lambda: metric.score(**three, confidence=0.95),
            "two systems compared": lambda: compare(systems, metric=metric),
        },
        RUNS,
    )
    yield from compared(taken, data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    show(rows(parser.parse_args().rows))


if __name__ == "__main__":
    main()
