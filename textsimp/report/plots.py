"""Plots of the report and the pages, as SVG.

Places across are percentages, so that a plot fills its box while texts and marks keep their size.
Colours are CSS variables, ``"var(--c0)"``, whose values in light and dark are in ``shared.css``.
``plots.js`` shows the numbers of marks and saves plots.
"""

import itertools
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import NamedTuple
from unicodedata import east_asian_width

import numpy as np
from numpy.typing import NDArray

from textsimp.core import cells
from textsimp.core.metric import Floats, Metric
from textsimp.core.scores import Value
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report.measurements import REFERENCES
from textsimp.scoring.ranking import number
from textsimp.scoring.systems import TRUNCATED, UNCHANGED
from textsimp.text.alignment import COUNTED

__all__ = ["Plot", "overview"]

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

MANY, FIRST = 12, 10  # systems from which on a plot is short, and those that it has then
_AXIS = 38  # height of a horizontal axis
_KEY = 340  # width of a key, which fits a phone
_LONGEST = 24  # letters of a name that a plot shows


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


def _element(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element; ``content`` is XML. Numbers have one decimal."""
    written = []
    for key, value in attributes.items():
        text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        text = escape(text).replace("\n", "&#10;")
        written.append(f' {key.replace("_", "-")}="{text}"')
    return f"<{name}{''.join(written)}>{content}</{name}>"


def _text(text: str, x: object, y: float, fill: str = "var(--muted)", **more: object) -> str:
    return _element("text", escape(cells.clean_name(text)), x=x, y=y, fill=fill, **more)


def _mark(glyph: str, x: str, y: float, color: str) -> str:
    """Draw a mark around a place."""
    path = _element("path", d=f"M0 0{_SHAPES[glyph]}", fill=color)
    return _element("svg", path, x=x, y=y, overflow="visible")


def short(value: float) -> str:
    """Write a number with three significant digits.

    >>> [short(x) for x in (41.5172, 0.00123456, -1234.5, 0)]
    ['41.5', '0.00123', '−1,234', '0']
    """
    return number(value, max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0)


@dataclass(frozen=True)
class _Scale:
    """A linear scale from values to percentages of the plot's width."""

    low: float
    high: float

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        return f"{100 * self.share(value):.2f}%"

    def ticks(self, count: int) -> dict[float, str]:
        """Choose about ``count`` round numbers: value → text."""
        rough = (self.high - self.low) / count
        power = 10.0 ** math.floor(math.log10(rough))
        step = power * next(factor for factor in (1, 2, 5, 10) if factor * power >= rough)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        decimals = max(0, -math.floor(math.log10(step)))
        return {i * step: number(i * step, decimals) for i in range(first, last + 1)}


def _scale(bounds: Sequence[float]) -> _Scale:
    """Return a scale with room for all bounds of intervals."""
    low, high = min(bounds, default=0.0), max(bounds, default=1.0)
    room = 0.04 * (high - low or abs(high) or 1)
    return _Scale(low - room, high + room)


@dataclass(frozen=True)
class _Axis:
    """A horizontal axis."""

    title: str
    ticks: Mapping[str, str]  # place → text

    def draw(self, height: float) -> list[str]:
        """Draw it at 0, with lines of a height above it."""
        line = {"stroke": "var(--line)"}
        parts = [_element("line", x2="100%", **line)]
        for place, text in self.ticks.items():
            parts.append(_element("line", x1=place, x2=place, y1=-height, y2=5, **line))
            parts.append(_text(text, place, 17, text_anchor="middle"))
        return [*parts, _text(self.title, "100%", 33, text_anchor="end")]


@dataclass(frozen=True)
class Row:
    """What a plot shows of a system, or of what stands beside systems.

    Attributes:
        name: Its name.
        numbers: Its numbers, one for each of the plot's columns.
        facts: What its text says below the name.
        parts: Elements, drawn from the row's top.
    """

    name: str
    numbers: Sequence[float]
    facts: Sequence[tuple[str, str]]
    parts: Sequence[str]

    def svg(self, y: float) -> str:
        """Draw the row; its text is a title, which browsers show on hover."""
        facts = [f"{what}: {value}" for what, value in self.facts]
        tip = "\n".join([cells.clean_name(self.name), *facts])
        numbers = json.dumps([number if math.isfinite(number) else None for number in self.numbers])
        return _element(
            "g",
            _element("title", escape(tip)) + "".join(self.parts),
            role="img",
            transform=f"translate(0 {y:g})",
            data_name=cells.clean_name(self.name),
            data_numbers=numbers,
        )


@dataclass(frozen=True)
class Plot:
    """A plot of rows above a horizontal axis, as wide as its place.

    Attributes:
        columns: What the numbers of each row are.
        rows: The rows.
        lane: The height of a row.
        axis: The horizontal axis.
        left: The room for names.
        right: The room right of the axis.
        key: Elements above the rows, of height ``top``.
        top: Where the first row begins.
    """

    columns: Sequence[str]
    rows: Sequence[Row]
    lane: float
    axis: _Axis
    left: float
    right: float = 16
    key: Sequence[str] = ()
    top: float = 0

    def svg(self, text: str) -> str:
        """Return the plot as SVG; screen readers read ``text``."""
        bottom = self.top + self.lane * len(self.rows)
        height = bottom + _AXIS
        hidden = {"aria_hidden": "true"}
        axis = "".join(self.axis.draw(bottom - self.top if self.lane else bottom))
        attributes = {
            "role": "group",
            "aria-label": cells.clean_name(text),
            "width": "100%",
            "style": f"display:block;overflow:visible;box-sizing:border-box;height:{height:g}px;"
            f"padding:0 {self.right:g}px 0 {self.left:g}px",
            "font-family": "system-ui, sans-serif",
            "font-size": 12,
            "data-columns": json.dumps(self.columns),
        }
        parts = [
            _element("g", "".join(self.key), transform=f"translate({-self.left:g} 0)", **hidden),
            _element("g", axis, transform=f"translate(0 {bottom:g})", **hidden),
            *(row.svg(self.top + self.lane * i) for i, row in enumerate(self.rows)),
        ]
        return _element("svg", "".join(parts), **attributes)

    def shortened(self) -> "Plot | None":
        """Return the plot of the first systems and all other rows; None if it has few systems."""
        systems = [row for row in self.rows if row.name not in _FIXED_LOOKS]
        if len(systems) <= MANY:
            return None
        rest = systems[FIRST:]
        return replace(self, rows=[row for row in self.rows if row not in rest])


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


def _lanes(names: Sequence[str], tall: float, small: float) -> tuple[float, float, list[list[str]]]:
    """Return the height of rows, the room for names, and what rows begin with: room and name."""
    shown = [cells.clean_name(name) for name in names]
    shown = [f"{name[:_LONGEST]}…" if len(name) > _LONGEST else name for name in shown]
    widths = [
        sum(12 if east_asian_width(c) in "WF" else 7 + 2 * c.isupper() for c in name)
        for name in shown
    ]
    height = tall if len(names) <= MANY + len(_FIXED_LOOKS) else small
    room = {"fill": "none", "pointer_events": "all"}
    parts = [
        [
            _element("rect", width="100%", height=height, **room),
            _text(name, -10, height / 2 + 4, "var(--ink)", text_anchor="end"),
        ]
        for name in shown
    ]
    return height, 14 + max(widths, default=0), parts


def overview(table: Grid, names: Iterable[str], confidence: float) -> Plot:
    """Plot the first score of a table with its interval, a line per row.

    ``names`` are all rows, whose order decides on colours.
    """
    label, look = str(table.header[1]), looks(names)
    points = {
        name.text: (cell.value, *cell.bounds)
        for name, cell, *_ in table.rows
        if cell.value is not None and cell.bounds is not None
    }
    scale = _scale([bound for point in points.values() for bound in point])
    lane, left, parts = _lanes([*points], 24, 17)
    rows = []
    for (name, point), begun in zip(points.items(), parts, strict=True):
        score, low, high = map(scale.at, point)
        line = {"stroke": look[name].color, "stroke_width": 2}
        begun.append(_element("line", x1=low, x2=high, y1=lane / 2, y2=lane / 2, **line))
        begun.append(_mark(look[name].glyph, score, lane / 2, look[name].color))
        rows.append(Row(name, point, score_facts(label, point, confidence), begun))
    axis = _Axis(label, {scale.at(value): text for value, text in scale.ticks(5).items()})
    return Plot([label, "low", "high"], rows, lane, axis, left)


def score_facts(label: str, point: Sequence[float], confidence: float) -> list[tuple[str, str]]:
    """Say a score and its interval."""
    score, low, high = map(short, point)
    return [(label, score), (f"{100 * confidence:g} % interval", f"{low} to {high}")]


def distribution(what: Distribution, rows: Mapping[str, Floats]) -> Plot:
    """Plot a histogram with its median for each row, all with the same scales.

    A row that copies most texts doesn't flatten the others: the scale ends at twice the median of
    the highest bars.
    """
    counts = {name: _count(what, values) for name, values in rows.items()}
    peaks = [float(own.max() / own.sum()) for own in counts.values()]
    most = min(math.ceil(40 * float(np.median(peaks))) / 20, math.ceil(20 * max(peaks)) / 20)
    scale, (lane, left, parts) = _bin_scale(what), _lanes([*rows], 44, 22)
    drawn, look = [], looks(rows)
    for (name, values), begun in zip(rows.items(), parts, strict=True):
        low, median, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        heights = np.minimum(counts[name] / len(values) / most, 1)
        begun.append(_bars(heights, lane, look[name].color, what.beyond))
        place = scale.at(min(median, scale.high))
        line = {"y1": 2, "y2": lane, "stroke": "var(--ink)", "stroke_width": 2}
        begun.append(_element("line", x1=place, x2=place, **line))
        facts = [("median", short(median)), ("middle half", f"{short(low)} to {short(high)}")]
        drawn.append(Row(name, [median, low, high, *counts[name].tolist()], facts, begun))
    cut = ", higher bars are cut" if max(peaks) > most else ""
    key = [_text(f"Each row: 0 to {100 * most:.0f} % of texts{cut}", 0, 10)]
    columns, axis = _bin_axis(what)
    columns = ["median", "lower quartile", "upper quartile", *columns]
    return Plot(columns, drawn, lane, axis, left, key=key, top=18)


def _count(what: Distribution, values: Floats) -> NDArray[np.int64]:
    """Return (bins,) the number of values in each bin."""
    # Steps of whole widths are not exact in floats: 0.15 belongs to the bin that begins there.
    bins = np.minimum(np.floor(values / what.width + 1e-9), what.bins - 1).astype(np.int64)
    return np.bincount(bins, minlength=what.bins)


def _bin_scale(what: Distribution) -> _Scale:
    return _Scale(0, what.width * (what.bins + what.beyond))  # the last bar may stand apart


def _bin_axis(what: Distribution) -> tuple[list[str], _Axis]:
    """Return the names of the bins, and their axis."""
    scale, places = _bin_scale(what), 2 if what.width < 1 else 0
    starts = [number(what.width * i, places) for i in range(what.bins + 1)]
    names = [f"{low}–{high}" for low, high in itertools.pairwise(starts)]
    ticks = scale.ticks(4)
    if what.beyond:
        names[-1] = f"{starts[-2]}+"
        ticks = {value: t for value, t in ticks.items() if value < scale.high - 4 * what.width}
        ticks[scale.high - what.width / 2] = names[-1]
    return names, _Axis(what.axis, {scale.at(value): text for value, text in ticks.items()})


def _bars(shares: Floats, height: float, color: str, beyond: bool) -> str:
    """Draw bars that stand beside each other, of shares of a height; the last may stand apart."""
    path = ""
    for i in np.flatnonzero(shares).tolist():
        start = i + (beyond and i == len(shares) - 1)
        path += f"M{start} 1v{-shares[i]:.3f}h1V1z"
    inner = _element("path", d=path, fill=color, opacity=0.85)
    box = {"viewBox": f"0 0 {len(shares) + beyond} 1", "preserveAspectRatio": "none"}
    return _element("svg", inner, y=4, width="100%", height=height - 4, **box)


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
    labels, key = [*next(iter(rows.values()))], list[str]()
    widest = 25 + 7 * max(map(len, labels))  # of a label, with its square
    columns = max(_KEY // widest, 1)
    for k, (label, color) in enumerate(zip(labels, colors, strict=True)):
        x, y = k % columns * widest, 18 * (k // columns)
        key.append(_element("rect", x=x, y=y, width=11, height=11, fill=color))
        key.append(_text(label, x + 16, y + 10, "var(--ink)"))
    lane, left, parts = _lanes([*rows], 26, 17)
    scale, drawn = _Scale(0, 100), []
    for (name, shares), begun in zip(rows.items(), parts, strict=True):
        start, facts = 0.0, []
        for label, color in zip(labels, colors, strict=True):
            share = 100 * shares[label]
            box = {"y": 2, "width": scale.at(share), "height": lane - 4}
            begun.append(_element("rect", x=scale.at(start), fill=color, **box))
            if share >= 6:
                middle, look = scale.at(start + share / 2), {"text_anchor": "middle"}
                begun.append(
                    _text(number(share, 0), middle, lane / 2 + 4, "var(--on-operation)", **look)
                )
            facts.append((label, f"{short(share)} %"))
            start += share
        drawn.append(Row(name, [100 * shares[label] for label in labels], facts, begun))
    ticks = {scale.at(value): text for value, text in scale.ticks(5).items()}
    top = 18 * -(-len(labels) // columns) + 4
    return Plot(
        [f"{label}, %" for label in labels], drawn, lane, _Axis(axis, ticks), left, key=key, top=top
    )
