"""Sources and references prepared once, for the predictions of one evaluation after the other."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.declarations import Column
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric

_SIDES = 2  # of a validation and a test set, say
_CHARACTERS_KEPT = 2**25  # of a side: about 250 MB
_CHARACTERS_LEARNT = 2**23  # of predictions, whose words a side remembers: at most 300 MB


@dataclass
class _Side:
    key: tuple[Any, ...]
    slices: list[tuple[slice, Any]]  # examples, and what `Metric.prepare` made of them
    learnt: int = 0  # characters of the predictions scored with it


class PreparedSides:
    """The sides, sources and references, that were scored last, prepared for other predictions.

    Two are kept, each of at most 2**25 characters, and prepared anew after 2**23 characters of
    predictions. Larger ones are scored without being kept.

    Threads may share it: they take turns, since scoring predictions teaches a side their words.
    """

    def __init__(self) -> None:
        self._kept: list[_Side] = []
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return PreparedSides, ()  # a copy, such as another process's, begins with nothing

    def statistics(self, metric: Metric, examples: Examples) -> Floats:
        """(n, k) statistics of the one system; what all share and was met before is kept."""
        (own,) = examples.systems.values()
        shared, new = _written(metric, examples.shared), _size(_written(metric, own))
        if _size(shared) > _CHARACTERS_KEPT or new > _CHARACTERS_LEARNT:
            return metric.statistics_of(examples)[next(iter(examples.systems))]
        # Compared string by string, as a hash alone can lie. Without sources and references the
        # number of examples is all there is to tell one side from another.
        key = (metric, len(examples), shared)
        with self._lock:
            side = next((side for side in self._kept if side.key == key), None)
            # An interrupted side may have learnt half a word: it is kept again when all went well.
            self._kept = [other for other in self._kept if other is not side][: _SIDES - 1]
            if side is None or side.learnt + new > _CHARACTERS_LEARNT:
                side = _Side(key, list(metric.prepared(examples)))
            side.learnt += new
            statistics = np.concatenate(
                [metric.statistics_in(rows, prepared, own) for rows, prepared in side.slices]
            )
            self._kept.insert(0, side)
        return statistics


def _written(metric: Metric, given: Mapping[str, list[Any]]) -> list[tuple[Column, list[Any]]]:
    """The columns that a metric reads; what is structured as JSON, in which 1 isn't ``true``."""
    columns = [(column, given[column.name]) for column in metric.columns if column.name in given]
    return [
        (column, [json.dumps(row) for row in rows] if column.kind == "structured" else rows)
        for column, rows in columns
    ]


def _size(columns: list[tuple[Column, list[Any]]]) -> int:
    """Characters; labels and numbers are small."""
    size = 0
    for column, rows in columns:
        if column.kind not in ("labels", "number"):
            size += sum(map(len, map("".join, rows) if column.kind == "texts" else rows))
    return size
