"""Pairs of scores by which systems are drawn: how simple they are, and how much they keep."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from itertools import combinations, islice, product

from textsimp.metric import Metric
from textsimp.report import plots, tables
from textsimp.report.rows import Measurements

_MOST = 6
_MEANING = {
    "embedding_similarity": "similarity_to_source",
    "bertscore": "bertscore_to_source",
    "entailment": "supported",
    "simplification_stats": "levenshtein_similarity",
}
"""Metric → its score that says how much of the source is kept, best ones first."""
_TITLES = {
    "levenshtein_similarity": "Similarity to the source, in characters",
    "fkgl": "FKGL, in school grades (lower reads easier)",
}
_KEPT = "(higher: more is kept)"


@dataclass(frozen=True)
class Pair:
    """Two scores of all rows that have both.

    Attributes:
        id: Of the plot.
        label: Both scores, in words.
        draw: Makes the plot for a width.
    """

    id: str
    label: str
    draw: Callable[[int], plots.Spec]


def pairs(found: Measurements) -> list[Pair]:
    """Pairs worth looking at, at most six: simplicity and meaning first, then what judges."""
    metrics = {**found.judging, **found.describing}
    keeping = [
        _Axis(name, tables.column_of(metric, key), f"{_title(metric, key)} {_KEPT}")
        for wanted, key in _MEANING.items()
        for name, metric in metrics.items()
        if metric.name == wanted and key in found.values[name][0]
    ]
    judging = [
        _Axis(name, column, f"{column.label} ({'lower' if column.lower else 'higher'} is better)")
        for name, metric in found.judging.items()
        if metric.name not in _MEANING
        for column in tables.columns_of(metric)[:1]
    ]
    readable = _Axis(
        "fkgl_components",
        tables.column_of(metrics["fkgl_components"], "fkgl"),
        _TITLES["fkgl"],
    )
    chosen = [*product(keeping, [*judging[:1], readable]), *combinations(judging, 2)]
    return [_pair(found, i, x, y) for i, (x, y) in enumerate(islice(chosen, _MOST))]


def has_meaning(found: Measurements) -> bool:
    """Whether a model was asked how much of the meaning is kept, or only characters are counted."""
    asked = {metric.name for metric in (*found.judging.values(), *found.describing.values())}
    return bool(asked & {*_MEANING} - {"simplification_stats"})


@dataclass(frozen=True)
class _Axis:
    metric: str
    column: tables.Column
    title: str

    def of(self, found: Measurements, row: int) -> tuple[float, list[float]] | None:
        value = found.values[self.metric][row].get(self.column.key)
        scale = self.column.scale
        return value and (scale * value[0], [scale * bound for bound in value[1]])


def _title(metric: Metric, key: str) -> str:
    return _TITLES.get(key, tables.column_of(metric, key).label)


def _pair(found: Measurements, number: int, x: _Axis, y: _Axis) -> Pair:
    points = []
    for i, row in enumerate(found.data.rows):
        across, up = x.of(found, i), y.of(found, i)
        if across and up:
            points.append(plots.Point(row.name, across[0], up[0], across[1], up[1]))
    label = f"{y.column.label} and {x.column.label}"
    return Pair(f"pair-{number}", label, partial(plots.scatter, points, x.title, y.title))
