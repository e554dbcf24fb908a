"""A plot as SVG: rows above an axis, each with its numbers.

Places across are percentages, so that a plot fills its box while texts and marks keep their size.
Colours are CSS variables, ``"var(--c0)"``, whose values in light and dark are in ``shared.css``.
``plots.js`` shows the numbers of marks and saves plots.
"""

import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from typing import NamedTuple

from textsimp.core import cells
from textsimp.report.bins import round_step
from textsimp.report.label_places import cut, text_width
from textsimp.report.measurements import REFERENCES
from textsimp.scoring.ranking import number
from textsimp.scoring.systems import TRUNCATED, UNCHANGED

__all__ = ["Axis", "Plot", "Row", "Scale", "looks"]

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
FIXED_LOOKS = {
    REFERENCES: ("var(--ink)", "✚"),
    UNCHANGED: ("var(--muted)", "◀"),
    TRUNCATED: ("var(--muted)", "▶"),
}
MANY, FIRST = 12, 10  # systems from which on a plot is short, and those that it has then
_AXIS = 38  # height of a horizontal axis
_ROOM = 100  # points of letters of 8 pt, which a name has


def element(name: str, content: str = "", /, **attributes: object) -> str:
    """Write an element; ``content`` is XML. Numbers have one decimal."""
    written = []
    for key, value in attributes.items():
        text = f"{value:.1f}".removesuffix(".0") if isinstance(value, float) else str(value)
        text = escape(text).replace("\n", "&#10;")
        written.append(f' {key.replace("_", "-")}="{text}"')
    return f"<{name}{''.join(written)}>{content}</{name}>"


def write(text: str, x: object, y: float, fill: str = "var(--muted)", **more: object) -> str:
    return element("text", escape(cells.clean_name(text)), x=x, y=y, fill=fill, **more)


def mark(glyph: str, x: str, y: float, color: str) -> str:
    """Draw a mark around a place."""
    path = element("path", d=f"M0 0{_SHAPES[glyph]}", fill=color)
    return element("svg", path, x=x, y=y, overflow="visible")


def short(value: float) -> str:
    """Write a number with three significant digits.

    >>> [short(x) for x in (41.5172, 0.00123456, -1234.5, 0)]
    ['41.5', '0.00123', '−1,234', '0']
    """
    return number(value, max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0)


@dataclass(frozen=True)
class Scale:
    """A linear scale from values to percentages of the plot's width."""

    low: float
    high: float

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        return f"{100 * self.share(value):.2f}%"

    def axis(self, title: str) -> "Axis":
        """Return a horizontal axis."""
        return Axis(title, {self.at(value): text for value, text in self.ticks().items()})

    def ticks(self) -> dict[float, str]:
        """Choose about five round numbers: value → text."""
        step = round_step((self.high - self.low) / 5)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        decimals = max(0, -math.floor(math.log10(step)))
        return {i * step: number(i * step, decimals) for i in range(first, last + 1)}


def fit(bounds: Sequence[float]) -> Scale:
    """Return a scale with room for all bounds of intervals."""
    low, high = min(bounds, default=0.0), max(bounds, default=1.0)
    room = 0.04 * (high - low or abs(high) or 1)
    return Scale(low - room, high + room)


@dataclass(frozen=True)
class Axis:
    """A horizontal axis, and a vertical one if it has ticks."""

    title: str
    ticks: Mapping[str, str]  # place → text
    heights: Mapping[float, str] = field(default_factory=dict)  # ticks above it: pixels → text

    def draw(self, height: float) -> list[str]:
        """Draw it at 0, with lines of a height above it."""
        line = {"stroke": "var(--line)"}
        parts = [element("line", x2="100%", **line)]
        for place, text in self.ticks.items():
            parts.append(element("line", x1=place, x2=place, y1=-height, y2=5, **line))
            parts.append(write(text, place, 17, text_anchor="middle", font_size="0.92em"))
        for up, text in self.heights.items():
            parts.append(element("line", x1=-5, x2="100%", y1=-up, y2=-up, **line))
            parts.append(write(text, -9, 4 - up, text_anchor="end"))
        return [*parts, write(self.title, "100%", 33, text_anchor="end")]


@dataclass(frozen=True)
class Row:
    """What a plot shows of a system, or of what stands beside systems.

    Attributes:
        name: Its name.
        numbers: Its numbers, one for each of the plot's columns.
        facts: What its text says below the name.
        draw: Returns its elements, drawn from the row's top, from its height.
    """

    name: str
    numbers: Sequence[float]
    facts: Sequence[tuple[str, str]]
    draw: Callable[[float], list[str]]

    def finite(self) -> list[float | None]:
        """Return its numbers, None instead of NaN."""
        return [number if math.isfinite(number) else None for number in self.numbers]

    def svg(self, y: float, height: float) -> str:
        """Draw the row; its text is a title, which browsers show on hover."""
        name, parts = cells.clean_name(self.name), self.draw(height)
        if height:
            room = {"fill": "none", "pointer_events": "all"}
            label = write(clip(name), -10, height / 2 + 4, "var(--ink)", text_anchor="end")
            parts = [element("rect", width="100%", height=height, **room), label, *parts]
        facts = [f"{what}: {value}" for what, value in self.facts]
        tip = "\n".join([name, *facts])
        return element(
            "g",
            element("title", escape(tip)) + "".join(parts),
            role="img",
            transform=f"translate(0 {y:g})",
            data_name=name,
            data_numbers=json.dumps(self.finite()),
        )


@dataclass(frozen=True)
class Plot:
    """A plot of rows above a horizontal axis, as wide as its place.

    Attributes:
        columns: What the numbers of each row are.
        rows: The rows.
        axis: The horizontal axis.
        lanes: The height of a row if they are few, or many; 0 if all are drawn from the axis.
        left: The room left of the axis; by default that of names.
        right: The room right of the axis.
        key: Elements above the rows, of height ``top``.
        top: Where the first row begins.
        more: Rows that aren't drawn; saved numbers have them.
    """

    columns: Sequence[str]
    rows: Sequence[Row]
    axis: Axis
    lanes: tuple[float, float] = (0, 0)
    left: float = 0
    right: float = 16
    key: Sequence[str] = ()
    top: float = 0
    more: Sequence[Row] = ()

    @property
    def few(self) -> "Plot | None":
        """The plot of the first of many systems, and of what stands beside systems."""
        systems = [row.name for row in self.rows if row.name not in FIXED_LOOKS]
        rows = [row for row in self.rows if row.name not in systems[FIRST:]]
        return replace(self, rows=rows) if len(systems) > MANY else None

    def svg(self, text: str) -> str:
        """Return the plot as SVG; screen readers read ``text``."""
        lane = self.lanes[len(self.rows) > MANY + len(FIXED_LOOKS)]
        left = self.left or 14 + width(row.name for row in self.rows)
        bottom = self.top + lane * len(self.rows)
        height = bottom + _AXIS
        hidden = {"aria_hidden": "true"}
        axis = "".join(self.axis.draw(bottom - self.top if lane else bottom))
        attributes = {
            "role": "group",
            "aria-label": cells.clean_name(text),
            "width": "100%",
            "style": f"display:block;overflow:visible;box-sizing:border-box;height:{height:g}px;"
            f"padding:0 {self.right:g}px 0 {left:g}px",
            "font-family": "system-ui, sans-serif",
            "font-size": 12,
            "data-columns": json.dumps(self.columns),
            "data-more": json.dumps([[row.name, *row.finite()] for row in self.more]),
        }
        parts = [
            element("g", "".join(self.key), transform=f"translate({-left:g} 0)", **hidden),
            element("g", axis, transform=f"translate(0 {bottom:g})", **hidden),
            *(row.svg(self.top + lane * i, lane) for i, row in enumerate(self.rows)),
        ]
        return element("svg", "".join(parts), **attributes)


class Look(NamedTuple):
    """How a row looks in plots and keys."""

    name: str
    color: str
    glyph: str


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Choose the look of each row."""
    systems = [name for name in names if name not in FIXED_LOOKS]
    chosen = {name: Look(name, *look) for name, look in FIXED_LOOKS.items()}
    for i, name in enumerate(systems):
        color, glyph = f"var(--c{i % COLORS})", _SYSTEM_GLYPHS[i % len(_SYSTEM_GLYPHS)]
        chosen[name] = Look(name, color, glyph)
    return {name: chosen[name] for name in names}


def clip(name: str) -> str:
    """Return a name as plots show it."""
    return cut(cells.clean_name(name), _ROOM)


def width(names: Iterable[str]) -> int:
    """Return about how many pixels the longest name takes."""
    return max((round(1.7 * text_width(clip(name))) for name in names), default=0)
