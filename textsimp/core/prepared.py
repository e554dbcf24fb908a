"""Sources and references that are prepared once for several evaluations."""

import json
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.declarations import Column
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric

_SIDES = 2  # such as a validation and a test set
_CHARACTERS_KEPT = 2**25  # of a side, which take about 250 MB
_CHARACTERS_LEARNT = 2**23  # of predictions, whose words take at most 300 MB


@dataclass
class _Side:
    key: tuple[Any, ...]
    slices: list[tuple[slice, Any]]  # rows and the result of `Metric.prepare`
    learnt: int = 0  # characters of the predictions scored with it


class PreparedSides:
    """The last two sides (sources and references), prepared. Threads can share it."""

    def __init__(self) -> None:
        self._kept: list[_Side] = []
        self._lock = threading.Lock()

    def __reduce__(self) -> tuple[Any, ...]:
        return PreparedSides, ()  # copies, such as in another process, are empty

    def statistics(self, metric: Metric, examples: Examples) -> Floats:
        """Return (n, k) statistics of the single system, from the prepared side if it is kept."""
        (own,) = examples.systems.values()
        shared, new = _columns(metric, examples.shared), _size(_columns(metric, own))
        if _size(shared) > _CHARACTERS_KEPT or new > _CHARACTERS_LEARNT:
            return metric.compute_statistics(examples)[next(iter(examples.systems))]
        # Strings are compared, since hashes may collide. Without sources and references, sides
        # differ in their numbers of examples only.
        key = (metric, len(examples), shared)
        with self._lock:
            side = next((side for side in self._kept if side.key == key), None)
            # An interrupted side may be inconsistent, so it is kept only after a success.
            self._kept = [other for other in self._kept if other is not side][: _SIDES - 1]
            if side is None or side.learnt + new > _CHARACTERS_LEARNT:
                side = _Side(key, list(metric.prepare_slices(examples)))
            side.learnt += new
            statistics = np.concatenate(
                [metric.compute_slice(rows, prepared, own) for rows, prepared in side.slices]
            )
            self._kept.insert(0, side)
        return statistics


def _columns(metric: Metric, rows: Mapping[str, list[Any]]) -> list[tuple[Column, list[Any]]]:
    """List the columns that a metric reads; structured rows as JSON, where 1 isn't ``true``.

    Lists of texts become tuples, as the user's own lists may change.
    """
    kinds: dict[str, Callable[[Any], Any]] = {"structured": json.dumps, "texts": tuple}
    columns = [(column, rows[column.name]) for column in metric.columns if column.name in rows]
    return [
        (column, [*map(kinds[column.kind], values)] if column.kind in kinds else values)
        for column, values in columns
    ]


def _size(columns: list[tuple[Column, list[Any]]]) -> int:
    """Count characters; labels and numbers are small."""
    size = 0
    for column, rows in columns:
        if column.kind not in ("labels", "number"):
            size += sum(map(len, map("".join, rows) if column.kind == "texts" else rows))
    return size
