"""Plots of the report and the pages, as SVG.

Colours are CSS variables, ``"var(--c0)"``, whose values in light and dark are in ``shared.css``.
The size of a plot doesn't grow with the corpus. Each mark has a text with its numbers, see `_tip`.
"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, NamedTuple

import numpy as np

from textsimp.core import cells
from textsimp.core.metric import Floats, Metric
from textsimp.core.scores import Value
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report.measurements import REFERENCES
from textsimp.scoring.ranking import number
from textsimp.scoring.systems import TRUNCATED, UNCHANGED
from textsimp.text.alignment import COUNTED

__all__ = ["Plot", "overview", "slopes"]

COLORS = 8
_SHAPES = {  # glyph in legends → mark, drawn from its middle
    "●": "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0",
    "■": "m-3.5-3.5h7v7h-7z",
    "▲": "m0-4l4.5 8h-9z",
    "◆": "m0-5l4.5 5-4.5 5-4.5-5z",
    "▼": "m0 4l4.5-8h-9z",
    "✚": "m-1-4h2v3h3v2h-3v3h-2v-3h-3v-2h3z",
    "◀": "m-4 0l8-4.5v9z",
    "▶": "m4 0l-8-4.5v9z",
}
_SYSTEM_GLYPHS = [*_SHAPES][:5]
_FIXED_LOOKS = {
    REFERENCES: ("var(--ink)", "✚"),
    UNCHANGED: ("var(--muted)", "◀"),
    TRUNCATED: ("var(--muted)", "▶"),
}
OPERATIONS = {  # from what stays to what is new
    name: EditOps().find_score(name).title.lower() for name in reversed(COUNTED)
}

WIDTH = 400  # units; a page shows them in about as many pixels
_LEFT, _RIGHT = 10, WIDTH - 14  # ends of a horizontal axis
_LANE, _AXIS = 34, 38  # heights of a row and of a horizontal axis


@dataclass(frozen=True)
class Distribution:
    """A quantity whose distribution is shown."""

    key: str  # the score's name
    label: str
    axis: str  # its title
    width: float  # of a bin
    bins: int
    beyond: bool = False  # whether there may be values behind the last bin


_PER_CHARACTER = "characters per character of the source"
_IN_CHARACTERS = "to the source, in characters"
CHANGE = Distribution("change_percentage", "Change percentage", "% of words changed", 5, 20)
DISTRIBUTIONS = [
    Distribution("compression_ratio", "Compression", _PER_CHARACTER, 0.05, 31, beyond=True),
    Distribution("levenshtein_similarity", "Similarity", _IN_CHARACTERS, 0.05, 20),
    CHANGE,
]


@dataclass(frozen=True)
class Plot:
    """A plot in a width that fits a phone."""

    height: float
    parts: Sequence[str]  # elements

    def svg(self, text: str) -> str:
        """Return the plot as SVG; screen readers read ``text``."""
        attributes = {
            "role": "img",
            "aria-label": cells.clean_name(text),
            "viewBox": f"0 0 {WIDTH} {self.height:g}",
            "width": WIDTH,
            "height": f"{self.height:g}",
            "font-family": "system-ui, sans-serif",
            "font-size": 12,
        }
        return _element("svg", "".join(self.parts), **attributes)


def _element(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element; ``content`` is XML. Numbers have one decimal."""
    written = []
    for key, value in attributes.items():
        text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        text = escape(text).replace("\n", "&#10;")
        written.append(f' {key.replace("_", "-")}="{text}"')
    return f"<{name}{''.join(written)}>{content}</{name}>"


def _text(text: str, x: float, y: float, fill: str = "var(--muted)", **more: object) -> str:
    return _element("text", escape(cells.clean_name(text)), x=x, y=y, fill=fill, **more)


def _mark(path: str, tip: str, **attributes: object) -> str:
    """Draw a mark with a text, which browsers show on hover."""
    return _element("path", _element("title", escape(tip)), d=path, **attributes)


def _tip(name: str, *lines: tuple[str, object]) -> str:
    """Return the text of a mark: the name, then lines."""
    return "\n".join([cells.clean_name(name), *(f"{what}: {value}" for what, value in lines)])


@dataclass(frozen=True)
class _Scale:
    """A linear scale from values to places."""

    low: float
    high: float
    start: float
    end: float

    def at(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, count: int) -> dict[float, str]:
        """Choose about ``count`` round numbers: value → text."""
        rough = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        decimals = max(0, -math.floor(math.log10(step)))
        return {i * step: number(i * step, decimals) for i in range(first, last + 1)}


def _scale(points: Collection[Mapping[str, float]], start: float, end: float) -> _Scale:
    """Return a scale with room for all points with their intervals."""
    low = min((point["low"] for point in points), default=0.0)
    high = max((point["high"] for point in points), default=1.0)
    room = 0.04 * (high - low or abs(high) or 1)
    return _Scale(low - room, high + room, start, end)


def _x_axis(scale: _Scale, y: float, title: str, ticks: Mapping[float, str]) -> list[str]:
    """Draw a horizontal axis with its title below y."""
    lines = "".join(f"M{scale.at(value):.1f} {y:g}v5" for value in ticks)
    middle = {"text_anchor": "middle"}
    return [
        _element("path", d=f"M{_LEFT} {y:g}H{_RIGHT}{lines}", stroke="var(--line)", fill="none"),
        *(_text(text, scale.at(value), y + 17, **middle) for value, text in ticks.items()),
        _text(title, (_LEFT + _RIGHT) / 2, y + 33, **middle),
    ]


class Look(NamedTuple):
    """How a row looks in plots and keys."""

    name: str
    color: str
    glyph: str


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Choose the look of each row."""
    systems = [name for name in names if name not in _FIXED_LOOKS]
    chosen = {name: Look(name, *look) for name, look in _FIXED_LOOKS.items()}
    for i, name in enumerate(systems):
        color, glyph = f"var(--c{i % COLORS})", _SYSTEM_GLYPHS[i % len(_SYSTEM_GLYPHS)]
        chosen[name] = Look(name, color, glyph)
    return {name: chosen[name] for name in names}


def overview(table: Grid, names: Iterable[str]) -> Plot:
    """Plot the first score of a table with its interval, a line per row.

    ``names`` are all rows, whose order decides on colours.
    """
    points, look = _points(table), looks(names)
    scale = _scale(points.values(), _LEFT, _RIGHT)
    parts = _x_axis(scale, _LANE * len(points), str(table.header[1]), scale.ticks(6))
    for i, (name, point) in enumerate(points.items()):
        y = _LANE * i + 25
        low, middle, high = (f"{scale.at(point[key]):.1f}" for key in ("low", "score", "high"))
        color, path = look[name].color, f"M{low} {y}H{high}M{middle} {y}{_SHAPES[look[name].glyph]}"
        parts.append(_text(name, 0, y - 12, "var(--ink)"))
        parts.append(_mark(path, point["tip"], fill=color, stroke=color, stroke_width=2))
    return Plot(_LANE * len(points) + _AXIS, parts)


def slopes(tables: Sequence[Grid], lower: Sequence[bool], names: Iterable[str]) -> Plot:
    """Plot systems by the first scores of two tables, on the left and right, better ones above.

    ``lower`` says whether lower scores are better. ``names`` are as those of `overview`.
    """
    sides, look = [_points(table) for table in tables], looks(names)
    shown = [name for name in look if all(name in points for points in sides)]
    bottom, places = max(220, 15 * len(shown)) + 24, (WIDTH / 2 - 70, WIDTH / 2 + 70)
    heights: dict[str, list[float]] = {name: [] for name in shown}
    parts = []
    for side, points in enumerate(sides):
        x, line, ends = places[side], -99.0, (34, bottom) if lower[side] else (bottom, 34)
        scale = _scale([points[name] for name in shown], *ends)
        parts.append(_text(str(tables[side].header[1]), x, 14, text_anchor="middle"))
        for name in sorted(shown, key=lambda name: scale.at(points[name]["score"])):
            low, y, high = (scale.at(points[name][key]) for key in ("low", "score", "high"))
            heights[name].append(y)
            line = max(y + 4, line + 13)  # names don't cover each other
            color, anchor = look[name].color, "start" if side else "end"
            parts.append(_text(name, x + (8 if side else -8), line, color, text_anchor=anchor))
            path = f"M{x:.1f} {low:.1f}V{high:.1f}M{x:.1f} {y:.1f}{_SHAPES[look[name].glyph]}"
            parts.append(_mark(path, points[name]["tip"], fill=color, stroke=color))
    for name, (start, end) in heights.items():
        path = f"M{places[0]:.1f} {start:.1f}L{places[1]:.1f} {end:.1f}"
        tip = "\n".join([name, *(points[name]["tip"].split("\n")[1] for points in sides)])
        parts.append(_mark(path, tip, stroke=look[name].color, stroke_width=2, fill="none"))
    return Plot(bottom + 14, parts)


def distribution(what: Distribution, rows: Mapping[str, Floats]) -> Plot:
    """Plot a histogram with its median for each row."""
    last, end, height = what.bins - 1, what.width * what.bins, 54
    places = 2 if what.width < 1 else 0
    if what.beyond:  # the last bar stands apart, as its values do
        end += what.width
    scale = _Scale(0, end, _LEFT, _RIGHT)
    ticks = scale.ticks(4)
    if what.beyond:
        ticks = {value: text for value, text in ticks.items() if value < end - 3 * what.width}
        ticks[end - what.width / 2] = f"{what.width * last:g}+"
    parts = _x_axis(scale, height * len(rows), what.axis, ticks)
    for i, (name, look) in enumerate(looks(rows).items()):
        # Steps of whole widths are not exact in floats: 0.15 belongs to the bin that begins there.
        bins = np.minimum(np.floor(rows[name] / what.width + 1e-9), last).astype(int)
        shares = np.bincount(bins, minlength=what.bins) / len(bins)
        bottom = height * (i + 1)
        parts.append(_text(name, 0, bottom - 40, "var(--ink)"))
        for bin_ in np.flatnonzero(shares).tolist():
            low, high = (number(what.width * (bin_ + j), places) for j in range(2))
            apart = what.beyond and bin_ == last
            left, right = (scale.at(what.width * (bin_ + apart + j)) for j in range(2))
            tall = 32 * shares[bin_] / shares.max()
            path = f"M{left:.1f} {bottom}v{-tall:.1f}H{right:.1f}v{tall:.1f}z"
            to = " and more" if apart else f"–{high}"
            share = f"{number(100 * shares[bin_], 1)} %"
            tip = _tip(name, (what.label.lower(), low + to), ("share", share))
            edge = {"stroke": "var(--page)", "stroke_width": 0.5}
            parts.append(_mark(path, tip, fill=look.color, opacity=0.85, **edge))
        median = float(np.median(rows[name]))
        path = f"M{scale.at(min(median, end)):.1f} {bottom}v-35"
        tip = _tip(name, ("median", number(median, places or 1)))
        parts.append(_mark(path, tip, stroke="var(--ink)", stroke_width=2))
    return Plot(height * len(rows) + _AXIS, parts)


def operations(rows: Mapping[str, Mapping[str, float]]) -> Plot:
    """Plot kept, replaced, deleted and inserted words as shares of all operations."""
    shares = {}
    for row, counts in rows.items():
        total = sum(counts[name] for name in COUNTED)
        shares[row] = {label: counts[name] / total for name, label in OPERATIONS.items()}
    return _stacked(shares, [f"var(--{name})" for name in OPERATIONS], "% of operations")


def profiles(metric: Metric, rows: Mapping[str, Mapping[str, Value]]) -> dict[str, Plot]:
    """Plot words by difficulty, from easy to unknown, as shares of all words: caption → plot."""
    bars = {}
    for caption, keys in metric.profiles.items():
        if keys[0] in metric.score_names():
            titles = {key: metric.find_score(key).title for key in keys}
            shares = {
                row: {title: values[key].value for key, title in titles.items()}
                for row, values in rows.items()
            }
            colors = [*(f"var(--p{i})" for i in range(len(keys) - 1)), "var(--keep)"]
            bars[caption] = _stacked(shares, colors, "% of words")
    return bars


def _stacked(rows: Mapping[str, Mapping[str, float]], colors: Sequence[str], axis: str) -> Plot:
    """Plot a stacked bar of shares for every row."""
    labels, parts = [*next(iter(rows.values()))], list[str]()
    widest = 25 + 6 * max(map(len, labels))  # of a label, with its square
    columns = min(max(WIDTH // widest, 1), 6)
    for k, (label, color) in enumerate(zip(labels, colors, strict=True)):
        x, y = k % columns * WIDTH / columns, 18 * (k // columns) + 1
        parts.append(_element("rect", x=x, y=y, width=11, height=11, fill=color))
        parts.append(_text(label, x + 16, y + 10, "var(--ink)"))
    top, height = 18 * -(-len(labels) // columns), 44
    scale, bottom = _Scale(0, 100, _LEFT, _RIGHT), top + height * len(rows)
    for i, (name, shares) in enumerate(rows.items()):
        start, y = 0.0, top + height * i
        parts.append(_text(name, 0, y + 17, "var(--ink)"))
        for label, color in zip(labels, colors, strict=True):
            share = 100 * shares[label]
            left, right = scale.at(start), scale.at(start + share)
            path = f"M{left:.1f} {y + 22}H{right:.1f}v21H{left:.1f}z"
            tip = _tip(name, ("words", label), ("share", f"{number(share, 1)} %"))
            parts.append(_mark(path, tip, fill=color))
            if share >= 6:
                look = {"text_anchor": "middle", "font_size": 11, "pointer_events": "none"}
                fill, middle = "var(--on-operation)", (left + right) / 2
                parts.append(_text(number(share, 0), middle, y + 37, fill, **look))
            start += share
    parts += _x_axis(scale, bottom, axis, scale.ticks(6))
    return Plot(bottom + _AXIS, parts)


def _points(table: Grid) -> dict[str, dict[str, Any]]:
    """Return row → its first score, with the bounds of its interval and a text."""
    label, points = str(table.header[1]), {}
    for name, cell, *_ in table.rows:
        if cell.value is not None and cell.bounds is not None:
            tip = _tip(name.text, (label, cell.text), ("interval", cell.small[0]))
            low, high = cell.bounds
            points[name.text] = {"score": cell.value, "low": low, "high": high, "tip": tip}
    return points
