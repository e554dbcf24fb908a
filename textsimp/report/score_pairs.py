"""Plots of systems by two scores, such as simplicity and similarity to the source.

The first pair is drawn when the report is made. The page's script draws others.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import partial

import numpy as np

from textsimp.core.metric import Metric
from textsimp.report import plots, score_tables
from textsimp.report.report_rows import Measurements

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
class Axis:
    """A score that can be an axis.

    Attributes:
        metric: The metric's name in the report.
        column: The score, as tables have it.
        title: The score and its direction, for an axis.
    """

    metric: str
    column: score_tables.Column
    title: str

    def of(self, measurements: Measurements, row: int) -> tuple[float, list[float]] | None:
        """The value of a row and its interval, as shown."""
        value = measurements.values[self.metric][row].get(self.column.key)
        scale = self.column.scale
        return value and (scale * value[0], [scale * bound for bound in value[1]])


def axes(measurements: Measurements) -> list[Axis]:
    """List all scores of the tables; those that measure what is kept of the source come first."""
    metrics = {**measurements.judging, **measurements.describing}
    keeping = _keeping(measurements)
    others = [
        Axis(name, column, _title(metric, column.key))
        for name, metric in metrics.items()
        for column in score_tables.columns_of(metric)
    ]
    known = {(axis.metric, axis.column.key) for axis in keeping}
    return keeping + [axis for axis in others if (axis.metric, axis.column.key) not in known]


def first(measurements: Measurements) -> tuple[Axis, Axis]:
    """Choose the first pair: how much is kept, and the main score (or FKGL without one)."""
    keeping, others = _keeping(measurements), axes(measurements)
    main = measurements.first or "fkgl_components"
    key = (
        score_tables.columns_of(measurements.judging[main])[0].key if measurements.first else "fkgl"
    )
    x, y = keeping[0], next(a for a in others if (a.metric, a.column.key) == (main, key))
    return (x, y) if x != y else (keeping[1], y)


def label(pair: tuple[Axis, Axis]) -> str:
    """Both scores, in words."""
    x, y = pair
    return f"{y.column.label} and {x.column.label}"


def draw(measurements: Measurements, pair: tuple[Axis, Axis], width: int) -> plots.Spec:
    """Plot all rows that have both scores."""
    x, y = pair
    points = []
    for i, row in enumerate(measurements.data.rows):
        across, up = x.of(measurements, i), y.of(measurements, i)
        if across and up:
            points.append(plots.Point(row.name, across[0], up[0], across[1], up[1]))
    return plots.scatter(points, x.title, y.title, width)


def contents(measurements: Measurements) -> tuple[dict[str, object], dict[str, object]]:
    """Return what the template needs, and the plot."""
    pair = first(measurements)
    known = axes(measurements)
    laid_out = {
        "pair": label(pair),
        "axes": [axis.title for axis in known],
        "pair_axes": [known.index(axis) for axis in pair],
        "pair_data": _data(measurements, known),
        "has_meaning": _has_meaning(measurements),
    }
    return laid_out, {"pair": partial(draw, measurements, pair)}


def _data(measurements: Measurements, known: list[Axis]) -> str:
    """Write JSON for the script: looks, values and intervals of each row."""
    names = [row.name for row in measurements.data.rows]
    looks = zip(names, plots.short_names(names), plots.looks(names), strict=True)
    listed = [
        {
            "name": name,
            "short": short,
            "color": color,
            "glyph": plots.GLYPHS[shape],
            "values": [_rounded(axis.of(measurements, i)) for axis in known],
        }
        for i, (name, short, (color, shape)) in enumerate(looks)
    ]
    data = {"axes": [axis.title for axis in known], "rows": listed}
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")


def _rounded(value: tuple[float, list[float]] | None) -> list[float] | None:
    """Round a value and its interval; None if one isn't finite, which JSON lacks."""
    if value is None or not np.isfinite([value[0], *value[1]]).all():
        return None
    return [float(f"{number:.5g}") for number in (value[0], *value[1])]


def _keeping(measurements: Measurements) -> list[Axis]:
    metrics = {**measurements.judging, **measurements.describing}
    return [
        Axis(
            name,
            score_tables.column_of(metric, key),
            f"{_TITLES.get(key, '') or _label(metric, key)} {_KEPT}",
        )
        for wanted, key in _MEANING.items()
        for name, metric in metrics.items()
        if metric.name == wanted and key in measurements.values[name][0]
    ]


def _label(metric: Metric, key: str) -> str:
    return score_tables.column_of(metric, key).label


def _title(metric: Metric, key: str) -> str:
    """The title of a score, with its direction if it has one."""
    score = metric.score_named(key)
    better = f" ({score.better} is better)" if metric.ranks() and score.better else ""
    return _TITLES.get(key) or f"{_label(metric, key)}{better}"


def _has_meaning(measurements: Measurements) -> bool:
    """Whether a metric with a model measures meaning, beyond counts of characters."""
    asked = {
        metric.name
        for metric in (*measurements.judging.values(), *measurements.describing.values())
    }
    return bool(asked & {*_MEANING} - {"simplification_stats"})
