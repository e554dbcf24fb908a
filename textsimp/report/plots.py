"""Plots of the report and the pages: Vega-Lite specifications, and what draws them.

The report's script draws them in the reader's browser, with `bundle`; pages show them as pictures,
made by `svg`. Colours are CSS variables, ``"var(--c0)"``, whose values in light and dark are in
``shared.css``. Everything is summarised here, so that a plot's size doesn't grow with the corpus.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import numpy as np

from textsimp.extras import require
from textsimp.metric import Floats
from textsimp.metrics.edit_ops import EditOps
from textsimp.report.rows import REFERENCES, TRUNCATED, UNCHANGED
from textsimp.report.tables import Table, number
from textsimp.text.alignment import COUNTED

Spec = dict[str, Any]

COLORS = 8
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down")
_OTHERS = {
    REFERENCES: ("var(--ink)", "cross"),
    UNCHANGED: ("var(--muted)", "triangle-left"),
    TRUNCATED: ("var(--muted)", "triangle-right"),
}
GLYPHS = dict(zip((*_SHAPES, "cross", "triangle-left", "triangle-right"), "●■▲◆▼✚◀▶", strict=True))
OPERATIONS = {  # from what stays to what is new
    name: EditOps.score_named(name).title.lower() for name in reversed(COUNTED)
}
_CONFIG = {
    "background": "transparent",
    "font": "system-ui, sans-serif",
    "aria": False,  # the plot has a label, and its numbers are in a table
    "view": {"stroke": None},
    "axis": {
        "labelColor": "var(--muted)",
        "titleColor": "var(--muted)",
        "gridColor": "var(--line)",
        "domainColor": "var(--line)",
        "tickColor": "var(--line)",
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
        "labelLimit": 130,
        "titlePadding": 8,
    },
    "axisX": {"grid": False, "tickCount": {"expr": "ceil(width / 90)"}, "labelFlush": False},
    "axisY": {"domain": False, "ticks": False},
    "legend": {"labelColor": "var(--ink)", "labelFontSize": 12, "symbolType": "square"},
    "text": {"fontSize": 12},
}
_FOCUS = {
    "condition": {"test": "focus == '' || datum.row == focus", "value": 1},
    "value": 0.12,
}


@dataclass(frozen=True)
class Distribution:
    """A quantity whose distribution is shown.

    Attributes:
        key: The score's name.
        metric: The metric that has it.
        label: What people call it.
        axis: The title of its axis.
        width: Of a bin.
        bins: How many there are; the last one has no end if ``beyond``.
        beyond: Whether there may be values behind the last bin.
    """

    key: str
    metric: str
    label: str
    axis: str
    width: float
    bins: int
    beyond: bool = False


CHANGE = Distribution(
    "change_percentage", "edit_ops", "Change percentage", "% of words changed", 5, 20
)
DISTRIBUTIONS = [
    Distribution(
        "compression_ratio",
        "simplification_stats",
        "Compression",
        "characters per character of the source",
        0.05,
        31,
        beyond=True,
    ),
    Distribution(
        "levenshtein_similarity",
        "simplification_stats",
        "Similarity",
        "to the source, in characters",
        0.05,
        20,
    ),
    CHANGE,
]


def bundle() -> str:
    """Vega, Vega-Lite and Vega-Embed in one script.

    Raises:
        ImportError: vl-convert-python is not installed (extra ``report``).
    """
    script: str = require("vl_convert", extra="report").javascript_bundle()
    return script


def svg(spec: Spec, width: int, text: str) -> str:
    """A plot as a picture that can stand in a page of HTML.

    Args:
        spec: The plot.
        width: In pixels, with axes and labels.
        text: What it shows, in words.

    Raises:
        ImportError: vl-convert-python is not installed (extra ``demo``).
    """
    sized = {
        **spec,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        # The reader's font may be wider than the one that texts are measured in here.
        "padding": {"left": 20, "right": 12, "top": 5, "bottom": 5},
    }
    draw = require("vl_convert", extra="demo").vegalite_to_svg
    drawn: str = draw(sized, allowed_base_urls=[])  # nothing is fetched
    drawn = re.sub(r' (role|aria-roledescription)="[^"]*"', "", drawn)  # of parts without names
    return drawn.replace("<svg ", f'<svg role="img" aria-label="{escape(text)}" ', 1)


def looks(names: Sequence[str]) -> list[tuple[str, str]]:
    """Colour and shape of each row."""
    found, systems = [], 0
    for name in names:
        if name in _OTHERS:
            found.append(_OTHERS[name])
        else:
            found.append((f"var(--c{systems % COLORS})", _SHAPES[systems % len(_SHAPES)]))
            systems += 1
    return found


def overview(table: Table, names: Sequence[str]) -> Spec:
    """The first score of a table with its interval, a line per row."""
    return intervals(table.columns[0].label, _points(table, 0), names)


def intervals(label: str, points: Sequence[Spec], names: Sequence[str]) -> Spec:
    """A score with its interval, a line per row.

    Args:
        label: The score's.
        points: ``row``, ``score``, ``low`` and ``high``; and as text ``shown`` and ``interval``.
        names: Of all rows, also of those that have no score.
    """
    y = {"field": "row", "type": "nominal", "sort": None, "axis": {"title": None}}
    return {
        "height": 26 * len(points),
        "config": _CONFIG,
        "data": {"values": points},
        "encoding": {"y": y, "color": _color(names), "tooltip": _tooltip(label)},
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": _x(label, "low"), "x2": {"field": "high"}},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
                "encoding": {
                    "x": {"field": "score", "type": "quantitative"},
                    "shape": _shape(names),
                },
            },
        ],
    }


def by_length(table: Table, label: str, names: Sequence[str]) -> Spec:
    """A score of every row in each group of sources."""
    groups = [column.label.removesuffix(" words") for column in table.columns]
    points = [
        point | {"group": group, "sources": column.help}
        for i, (group, column) in enumerate(zip(groups, table.columns, strict=True))
        for point in _points(table, i)
    ]
    return {
        "height": 300,
        "config": _CONFIG,
        "data": {"values": points},
        "params": [{"name": "focus", "value": ""}],
        "encoding": {
            "x": {
                "field": "group",
                "type": "ordinal",
                "sort": groups,
                "title": "words of the source",
                "axis": {"labelAngle": 0},
                "scale": {"paddingInner": 0.25},
            },
            "xOffset": {"field": "row", "sort": names},
            "color": _color(names),
            "opacity": _FOCUS,
            "tooltip": [
                *_tooltip(label)[:1],
                {"field": "group", "title": "words"},
                {"field": "sources", "title": "group"},
                *_tooltip(label)[1:],
            ],
        },
        "layer": [
            {
                "mark": {"type": "rule", "strokeWidth": 1.5},
                "encoding": {
                    "y": {
                        "field": "low",
                        "type": "quantitative",
                        "title": label,
                        "scale": {"zero": False},
                    },
                    "y2": {"field": "high"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 65},
                "encoding": {
                    "y": {"field": "score", "type": "quantitative"},
                    "shape": _shape(names),
                },
            },
        ],
    }


def distribution(what: Distribution, values: Sequence[Floats], names: Sequence[str]) -> Spec:
    """A histogram per row, one under the other, with the median; heights are of each row."""
    last = what.bins - 1
    bars, medians, places = [], [], 3 if what.width < 1 else 0
    for i, (name, of_row) in enumerate(zip(names, values, strict=True)):
        # Steps of whole widths are not exact in floats: 0.15 belongs to the bin that begins there.
        place = np.minimum(np.floor(of_row / what.width + 1e-9), last).astype(int)
        shares = np.bincount(place, minlength=what.bins) / len(of_row)
        for bin_ in np.flatnonzero(shares).tolist():
            low, high = (number(what.width * (bin_ + j), min(2, places)) for j in range(2))
            open_end = what.beyond and bin_ == last
            bars.append(
                {
                    "row": name,
                    "x": round(what.width * bin_, 4),
                    "x2": round(what.width * (bin_ + 1), 4),
                    "y": i + 1,
                    "y2": round(i + 1 - 0.6 * shares[bin_] / shares.max(), 4),
                    "range": f"{low} and more" if open_end else f"{low}–{high}",
                    "share": f"{number(100 * shares[bin_], 1)} %",
                }
            )
        median = float(np.median(of_row))
        medians.append(
            {
                "row": name,
                "x": round(min(median, what.width * what.bins), 4),
                "y": i + 1,
                "y2": i + 0.35,
                "median": number(median, min(2, places) or 1),
                "top": i + 0.34,
            }
        )
    return {
        "height": 54 * len(names),
        "config": _CONFIG,
        "encoding": {"color": _color(names)},
        "layer": [
            {
                "data": {"values": bars},
                "mark": {
                    "type": "rect",
                    "opacity": 0.85,
                    "stroke": "var(--page)",
                    "strokeWidth": 0.5,
                },
                "encoding": {
                    "x": _x(what.axis, "x", domain=[0, round(what.width * what.bins, 4)]),
                    "x2": {"field": "x2"},
                    "y": _lane(len(names)),
                    "y2": {"field": "y2"},
                    "tooltip": [
                        {"field": "row", "title": "title"},
                        {"field": "range", "title": what.label.lower()},
                        {"field": "share", "title": "share"},
                    ],
                },
            },
            {
                "data": {"values": medians},
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {
                    "x": {"field": "x", "type": "quantitative"},
                    "y": _lane(len(names)),
                    "y2": {"field": "y2"},
                    "color": {"value": "var(--ink)"},
                    "tooltip": [
                        {"field": "row", "title": "title"},
                        {"field": "median", "title": "median"},
                    ],
                },
            },
            _labels([{"row": m["row"], "top": m["top"]} for m in medians], len(names)),
        ],
    }


def operations(shares: Sequence[dict[str, float]], names: Sequence[str]) -> Spec:
    """Kept, replaced, deleted and inserted words of every row, as shares of all operations."""
    labelled = [{label: of_row[name] for name, label in OPERATIONS.items()} for of_row in shares]
    return stacked(labelled, names, [f"var(--{name})" for name in OPERATIONS], "% of operations")


def profile(shares: Sequence[dict[str, float]], names: Sequence[str]) -> Spec:
    """Words of every row by difficulty, from easy ones to unknown ones, as shares of all words."""
    colors = [f"var(--p{i})" for i in range(len(shares[0]) - 1)]
    return stacked(shares, names, [*colors, "var(--keep)"], "% of words")


def stacked(
    shares: Sequence[dict[str, float]], names: Sequence[str], colors: Sequence[str], axis: str
) -> Spec:
    """A bar for every row, made of its shares."""
    labels, bars = list(shares[0]), []
    for i, (name, of_row) in enumerate(zip(names, shares, strict=True)):
        start = 0.0
        for label in labels:
            share = 100 * of_row[label]
            bars.append(
                {
                    "row": name,
                    "part": label,
                    "x": round(start, 3),
                    "x2": round(start + share, 3),
                    "y": i + 1,
                    "y2": i + 0.45,
                    "share": f"{number(share, 1)} %",
                    "shown": f"{number(share, 0)}" if share >= 6 else "",
                    "middle": round(start + share / 2, 3),
                    "centre": i + 0.725,
                }
            )
            start += share
    lane = _lane(len(names))
    return {
        "height": 44 * len(names),
        "config": _CONFIG,
        "layer": [
            {
                "data": {"values": bars},
                "mark": {"type": "rect"},
                "encoding": {
                    "x": _x(axis, "x", domain=[0, 100]),
                    "x2": {"field": "x2"},
                    "y": lane,
                    "y2": {"field": "y2"},
                    "color": {
                        "field": "part",
                        "type": "nominal",
                        "sort": labels,
                        "scale": {"domain": labels, "range": [*colors]},
                        "legend": {"orient": "top", "title": None, "columns": 4},
                    },
                    "tooltip": [
                        {"field": "row", "title": "title"},
                        {"field": "part", "title": "words"},
                        {"field": "share", "title": "share"},
                    ],
                },
            },
            {
                "data": {"values": bars},
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "x": {"field": "middle", "type": "quantitative"},
                    "y": {**lane, "field": "centre"},
                    "text": {"field": "shown"},
                    "color": {"value": "var(--on-operation)"},
                },
            },
            _labels([{"row": name, "top": i + 0.42} for i, name in enumerate(names)], len(names)),
        ],
    }


def lengths(sources: Sequence[str]) -> Spec:
    """How many sources have how many words."""
    words = np.array([len(text.split()) for text in sources])
    width = max(1, int(np.ceil((words.max() + 1) / 40)))
    counts = np.bincount(words // width)
    bars = [
        {
            "x": int(width * i),
            "x2": int(width * (i + 1)),
            "count": int(counts[i]),
            "range": f"{width * i}–{width * (i + 1) - 1}" if width > 1 else f"{i}",
        }
        for i in np.flatnonzero(counts).tolist()
    ]
    return {
        "height": 150,
        "config": _CONFIG,
        "data": {"values": bars},
        "mark": {"type": "rect", "color": "var(--accent)", "stroke": "var(--page)"},
        "encoding": {
            "x": _x("words of the source", "x", domain=[0, int(width * len(counts))]),
            "x2": {"field": "x2"},
            "y": {"field": "count", "type": "quantitative", "title": "sources"},
            "y2": {"datum": 0},
            "tooltip": [
                {"field": "range", "title": "words"},
                {"field": "count", "title": "sources"},
            ],
        },
    }


def _points(table: Table, column: int) -> list[Spec]:
    """Scores of a column with the bounds of their intervals."""
    points = []
    for line in table.lines:
        cell = line.cells[column]
        if cell.value is not None and cell.bounds is not None:
            low, high = cell.bounds
            points.append(
                {
                    "row": line.name,
                    "score": round(cell.value, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "shown": cell.text,
                    "interval": cell.interval,
                }
            )
    return points


def _x(title: str, field: str, domain: list[float] | None = None) -> Spec:
    scale: Spec = (
        {"zero": False, "padding": 8} if domain is None else {"domain": domain, "nice": False}
    )
    return {"field": field, "type": "quantitative", "title": title, "scale": scale}


def _lane(count: int) -> Spec:
    """Rows one under the other, each one unit high, without an axis."""
    scale = {"domain": [0, count], "reverse": True, "nice": False, "zero": False}
    return {"field": "y", "type": "quantitative", "scale": scale, "axis": None}


def _labels(labels: list[Spec], count: int) -> Spec:
    """Names of rows above their marks, where they have room on a phone too."""
    return {
        "data": {"values": labels},
        "mark": {"type": "text", "align": "left", "baseline": "bottom", "limit": 260},
        "encoding": {
            "x": {"value": 0},
            "y": {**_lane(count), "field": "top"},
            "text": {"field": "row"},
            "color": {"value": "var(--ink)"},
        },
    }


def _tooltip(label: str) -> list[Spec]:
    return [
        {"field": "row", "title": "title"},
        {"field": "shown", "title": label},
        {"field": "interval", "title": "interval"},
    ]


def _color(names: Sequence[str]) -> Spec:
    return _by_row(names, 0)


def _shape(names: Sequence[str]) -> Spec:
    return _by_row(names, 1)


def _by_row(names: Sequence[str], look: int) -> Spec:
    scale = {"domain": [*names], "range": [found[look] for found in looks(names)]}
    return {"field": "row", "type": "nominal", "scale": scale, "legend": None}
