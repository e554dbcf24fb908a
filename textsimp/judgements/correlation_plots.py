"""Scores against people's ratings, as a picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.sample import percentiles
from textsimp.judgements import resampling
from textsimp.judgements.correlation_results import Agreement, Estimate
from textsimp.judgements.resampling import MIN_SIZE, Judged
from textsimp.support.errors import one_line
from textsimp.support.pictures import Picture

ACROSS = 3  # panels in a row
FEW = 400  # outputs that are shown as points
MOST_NAMES = 60  # of systems

_COEFFICIENTS = {"systems": ("ρ", "spearman"), "outputs": ("r", "pearson")}
_WIDTH, _HEIGHT = 260, 220  # of a panel, in pixels
_LINE = 10  # of a name, in pixels
_BINS = 28
_BLUE, _GREY = "#2166ac", "#888"


def plot(agreement: Agreement) -> Picture:
    """Draw a panel per metric with systems' scores and mean ratings, and one with outputs'.

    At most 60 systems have names. Their intervals are of a bootstrap over items, whatever the
    coefficients' are over. A larger circle is of several outputs; more than 400 are put in bins.

    Args:
        agreement: What `correlate` or `evaluate` returned.

    Returns:
        A Vega-Lite picture. Notebooks show it; ``draw("png")`` returns it as bytes.

    Example:
        >>> from textsimp import judgements
        >>> agreement = judgements.correlate([1, 2, 4, 3], [1, 3, 4, 5], systems=list("abab"))
        >>> [len(row["concat"]) for row in judgements.plot(agreement).spec["vconcat"]]
        [1, 1]
    """
    rows, judged = [], agreement.judged
    for level, (sign, coefficient) in _COEFFICIENTS.items():
        panels = []
        for metric, (name, levels) in enumerate(agreement.metrics.items()):
            if level not in levels:
                continue
            of_systems = level == "systems"
            draw = _draw_systems(agreement, metric) if of_systems else _draw_outputs(judged, metric)
            title = [f"{_short(name)}, {level}", _format(sign, levels[level][coefficient])]
            panels.append({"width": _WIDTH, "height": _HEIGHT, "title": title, **draw})
        if panels:
            rows.append({"concat": panels, "columns": ACROSS})
    look = {"view": {"stroke": None}, "axis": {"grid": False}, "title": {"fontWeight": "normal"}}
    return Picture({"vconcat": rows, "background": "white", "config": look})


def _format(sign: str, estimate: Estimate) -> str:
    if estimate.value is None:
        return estimate.reason
    text = f"{sign} = {tables.number(estimate.value, 2, minus='−')}"
    return f"{text} {tables.interval(estimate.interval, 2, minus='−')}".strip()


def _axes(values: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the encoding of x and y, whose scales reach over all values, with some space."""
    axes = {}
    for axis, title in (("x", "score"), ("y", "people's mean rating")):
        ends = [row[key] for row in values for key in (axis, f"{axis}1", f"{axis}2") if key in row]
        space = 0.06 * (max(ends) - min(ends)) or 1.0
        scale = {"domain": [min(ends) - space, max(ends) + space], "nice": False}
        axes[axis] = {"field": axis, "type": "quantitative", "title": title, "scale": scale}
    return axes


def _draw_outputs(judged: Judged, metric: int) -> dict[str, Any]:
    """Draw a circle per point, whose size is the number of outputs."""
    points = np.column_stack([judged.scores[metric], judged.ratings])
    if len(points) > FEW:
        low, step = points.min(axis=0), np.ptp(points, axis=0) / _BINS
        points = low + step * np.round((points - low) / np.where(step, step, 1))
    points, counts = np.unique(points, axis=0, return_counts=True)
    rows = zip(*points.T.tolist(), counts.tolist(), strict=True)
    values = [dict(zip(("x", "y", "outputs"), row, strict=True)) for row in rows]
    scale = {"domain": [0, int(counts.max())], "range": [0, 60 if counts.max() > 1 else 20]}
    size = {"field": "outputs", "type": "quantitative", "scale": scale, "legend": None}
    mark = {"type": "circle", "color": _BLUE, "opacity": 0.5}
    return {"data": {"values": values}, "mark": mark, "encoding": {**_axes(values), "size": size}}


def _draw_systems(agreement: Agreement, metric: int) -> dict[str, Any]:
    """Draw points with names at the right, in the order of their ratings."""
    judged = agreement.judged
    sample = resampling.sample_systems(judged, metric)
    x, y = sample.value().values()
    values: list[dict[str, Any]] = [
        {"name": _short(str(name)), "x": score, "y": rating}
        for name, score, rating in zip(judged.names, x.tolist(), y.tolist(), strict=True)
    ]
    layers: list[dict[str, Any]] = []
    if agreement.confidence is not None and judged.sizes["items"] >= MIN_SIZE:
        drawn = sample.resample(resamples=agreement.resamples, seed=agreement.seed)
        for axis, numbers in zip("xy", drawn.values(), strict=True):
            intervals = percentiles(numbers, agreement.confidence)
            for row, bounds in zip(values, intervals, strict=True):
                row[f"{axis}1"], row[f"{axis}2"] = bounds or (row[axis], row[axis])
            ends = {axis: {"field": f"{axis}1"}, f"{axis}2": {"field": f"{axis}2"}}
            layers.append({"mark": {"type": "rule", "color": _GREY}, "encoding": ends})
    layers.append({"mark": {"type": "circle", "color": _BLUE, "size": 40, "opacity": 1}})
    axes, height = _axes(values), _HEIGHT
    if len(values) <= MOST_NAMES:
        height = max(height, _LINE * len(values))
        low, high = axes["y"]["scale"]["domain"]
        for place, system in enumerate(np.argsort(y, kind="stable").tolist()):
            values[system]["place"] = low + (place + 0.5) / len(values) * (high - low)
        line = {"type": "rule", "color": _GREY, "strokeDash": [1, 3]}
        name = {"type": "text", "align": "left", "fontSize": 9, "dx": 6}
        end, place_of = {"value": _WIDTH + 4}, {"field": "place"}
        text = {"x": {"value": _WIDTH}, "y": place_of, "text": {"field": "name"}}
        layers += [
            {"mark": line, "encoding": {"x2": end, "y2": place_of}},
            {"mark": name, "encoding": text},
        ]
    return {"height": height, "data": {"values": values}, "layer": layers, "encoding": axes}


def _short(name: str, most: int = 28) -> str:
    name = one_line(" ".join(name.split()))
    return name if len(name) <= most else f"{name[: most - 1]}…"
