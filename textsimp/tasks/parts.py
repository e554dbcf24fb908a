"""Statistics of a run's scored rows, and how sums of them become official numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core import significance
from textsimp.core.metric import Metric

Floats = NDArray[np.float64]
Reduce = Callable[[Floats], Mapping[str, Floats]]
"""(..., k) totals of statistics → official name → (...) numbers."""


@dataclass(frozen=True, eq=False)
class Part:
    """(n, k) statistics, and their reduction to some official numbers."""

    rows: Floats
    reduce: Reduce

    @classmethod
    def of_metric(cls, metric: Metric, names: Mapping[str, str], **columns: Any) -> Part:
        """Return a metric's statistics; ``names`` are official name → the metric's score."""
        (rows,) = metric.compute_statistics(metric.check(**columns)).values()

        def reduce(totals: Floats) -> dict[str, Floats]:
            scores = metric.reduce(totals)
            return {name: scores[score] for name, score in names.items()}

        return cls(rows, reduce)

    @classmethod
    def of_means(cls, numbers: Mapping[str, Sequence[float]]) -> Part:
        """Return the statistics of means over rows, from official name → a number per row."""
        columns = [np.asarray(values, np.float64) for values in numbers.values()]
        ones = np.ones(len(columns[0]))

        def reduce(totals: Floats) -> dict[str, Floats]:
            return {name: totals[..., i] / totals[..., -1] for i, name in enumerate(numbers)}

        return cls(np.column_stack([*columns, ones]), reduce)

    @classmethod
    def join(cls, parts: Sequence[Part]) -> Part:
        """Put statistics of the same rows side by side."""
        ends = np.cumsum([part.rows.shape[1] for part in parts])[:-1]

        def reduce(totals: Floats) -> dict[str, Floats]:
            numbers: dict[str, Floats] = {}
            for part, own in zip(parts, np.split(totals, ends, axis=-1), strict=True):
                numbers |= part.reduce(own)
            return numbers

        return cls(np.hstack([part.rows for part in parts]), reduce)

    @classmethod
    def average(cls, parts: Sequence[Part]) -> Part:
        """Put statistics of different rows one below the other; numbers are means of the parts'."""
        ends = np.cumsum([part.rows.shape for part in parts], axis=0)
        rows = np.zeros(ends[-1])
        for part, (bottom, right) in zip(parts, ends, strict=True):
            n, k = part.rows.shape
            rows[bottom - n : bottom, right - k : right] = part.rows

        def reduce(totals: Floats) -> dict[str, Floats]:
            split = np.split(totals, ends[:-1, 1], axis=-1)
            each = [part.reduce(own) for part, own in zip(parts, split, strict=True)]
            return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}

        return cls(rows, reduce)

    def numbers(self) -> dict[str, float]:
        """Return the official numbers of all rows."""
        return {
            name: float(value) for name, value in self.reduce(significance.total(self.rows)).items()
        }
