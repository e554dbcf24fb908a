"""Labels of information errors summed up, with intervals and paired tests, beside a plain count.

    python benchmarks/errors.py

Rows are made up: one label of each category, or three annotators', and each differs at random. The
peer counts with pandas, without intervals. Seconds are CPU time.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd

from textsimp import InformationErrors, compare
from textsimp.metrics.information_errors import CATEGORIES

LABELS, SHARES = (0, 1, 2, -1), (0.8, 0.12, 0.06, 0.02)


def make_labels(rows: int, annotators: int, seed: int = 0) -> dict[str, Any]:
    """Category → a label or a list of labels per row."""
    rng = np.random.default_rng(seed)
    size = rows if annotators == 1 else (rows, annotators)
    return {category: rng.choice(LABELS, size, p=SHARES).tolist() for category in CATEGORIES}


def cpu_seconds(function: Callable[..., Any], *args: Any, **options: Any) -> float:
    start = time.process_time()
    function(*args, **options)
    return time.process_time() - start


def counted(labels: dict[str, Any]) -> Any:
    """Percent of each label."""
    frame = pd.DataFrame(labels)
    return {name: frame[name].value_counts(normalize=True) for name in frame}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rows", type=int, default=100_000)
    args = parser.parse_args()
    one, three = (make_labels(args.rows, annotators) for annotators in (1, 3))
    metric = InformationErrors()
    peer = cpu_seconds(counted, one)
    print(f"{args.rows:,} rows, CPU seconds")
    print(f"  pandas' counts of one label      {peer:6.2f}")
    print(f"  one label                        {cpu_seconds(metric.score, **one):6.2f}")
    of_one = cpu_seconds(metric.score, **one, confidence=0.95)
    print(f"  one label, with intervals        {of_one:6.2f}")
    of_three = cpu_seconds(metric.score, **three, confidence=0.95)
    print(f"  three annotators, with intervals {of_three:6.2f}")
    systems = {"a": one, "b": make_labels(args.rows, 1, seed=1)}
    print(f"  two systems, compared            {cpu_seconds(compare, systems, metric=metric):6.2f}")


if __name__ == "__main__":
    main()
