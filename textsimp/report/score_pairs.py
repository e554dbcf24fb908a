"""Data of the plot of systems by two scores, such as simplicity and similarity to the source.

The page's script draws it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textsimp.core.metric import Metric
from textsimp.core.scores import Value
from textsimp.report import plots, score_tables
from textsimp.report.example_data import as_json
from textsimp.report.report_rows import Measurements
from textsimp.scoring.score_columns import Column, column_of

_MEANING = {
    "embedding_similarity": "similarity_to_source",
    "bertscore": "bertscore_to_source",
    "entailment": "supported",
    "simplification_stats": "levenshtein_similarity",
}
"""Metric → its score that says how much of the source is kept, best ones first."""
_TITLES = {
    "levenshtein_similarity": "Similarity to the source, in characters",
    "fkgl": "{}, in school grades (lower reads easier)",
}


@dataclass(frozen=True)
class Axis:
    """A score that can be an axis, with the metric's name in the report and a title."""

    metric: str
    column: Column
    title: str


def contents(measurements: Measurements) -> dict[str, object]:
    """Return what the template needs: titles of axes, the first pair and the data."""
    choices = axes(measurements)
    metrics = {metric.name for metric in measurements.metrics.values()}
    return {
        "axes": [axis.title for axis in choices],
        "pair_axes": first_pair(measurements, choices),
        "pair_data": _data(measurements, choices),
        "has_meaning": bool(metrics & {*_MEANING} - {"simplification_stats"}),
    }


def axes(measurements: Measurements) -> list[Axis]:
    """List all scores of the tables: ratings and those that measure what is kept come first."""
    metrics = measurements.metrics
    keeping = [
        (name, column_of(metric, key), " (higher: more is kept)")
        for metric_name, key in _MEANING.items()
        for name, metric in metrics.items()
        if metric.name == metric_name and key in measurements.values(name)[0]
    ]
    others = [
        (name, column, _direction(metric, column.key))
        for name, metric in metrics.items()
        for column in score_tables.columns_of(metric)
    ]
    rated = [choice for choice in others if measurements.is_people(choice[0])]
    choices: dict[tuple[str, str], Axis] = {}
    for name, column, direction in rated + keeping + others:
        title = _TITLES.get(column.key, "{}").format(column.label) + direction
        choices.setdefault((name, column.key), Axis(name, column, title))
    return [*choices.values()]


def first_pair(measurements: Measurements, choices: list[Axis]) -> tuple[int, int]:
    """Choose the first pair: ratings or else how much is kept, and the main score or else FKGL."""
    main = measurements.first
    key = score_tables.columns_of(measurements.judging[main])[0].key if main else "fkgl"
    at = [(axis.metric, axis.column.key) for axis in choices].index(
        (main or "fkgl_components", key)
    )
    return (0, at) if at else (1, 0)


def _direction(metric: Metric, key: str) -> str:
    better = metric.find_score(key).better
    named = metric.scores[0].better and better and key not in _TITLES
    return f" ({better} is better)" if named else ""


def _data(measurements: Measurements, choices: list[Axis]) -> str:
    """Write JSON for the script: looks, values and intervals of each row."""
    names = [row.name for row in measurements.data.rows]
    values = {name: measurements.values(name) for name in measurements.metrics}
    rows = [
        row | {"values": [_value(values[axis.metric][i], axis.column) for axis in choices]}
        for i, row in enumerate(plots.legend(names))
    ]
    return as_json({"axes": [axis.title for axis in choices], "rows": rows})


def _value(values: Mapping[str, Value], column: Column) -> list[float] | None:
    """A row's value and interval, as shown; None if one isn't finite, which JSON lacks."""
    value = values.get(column.key, Value(np.nan))
    numbers = [column.scale * number for number in (value.value, *(value.interval or ()))]
    return [float(f"{number:.5g}") for number in numbers] if np.isfinite(numbers).all() else None
