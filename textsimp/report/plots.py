"""The page's plots: scores, distributions, shares, and scores by length.

A `Plot` has a row for each system above a horizontal axis. ``parts/svg.html`` draws it.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from textsimp.core import cells
from textsimp.core.metric import Floats, Metric
from textsimp.core.scores import Value
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import bins
from textsimp.report.label_places import clip, spread, text_width
from textsimp.report.measurements import EDITS, REFERENCES, STATS, Report
from textsimp.report.templates import render
from textsimp.scoring.lengths import score_by_length, unit
from textsimp.scoring.ranking import number
from textsimp.scoring.systems import TRUNCATED, UNCHANGED
from textsimp.text.alignment import COUNTED

__all__ = ["Plot", "looks", "overview"]

OPERATIONS = {  # from what stays to what is new
    name: EditOps().find_score(name).title.lower() for name in reversed(COUNTED)
}

_COLORS = 8
_GLYPHS = "●■▲◆▼"
_MANY, _FIRST = 12, 10  # systems from which on a plot is short, and those that it has then
_KEY = 340  # width of a key, which fits a phone
_LINES, _HEIGHT = 6, 260.0  # systems of a plot of lines, and its height


class Look(NamedTuple):
    """How a row looks in plots and keys."""

    name: str
    color: str
    glyph: str


_FIXED_LOOKS = {
    REFERENCES: Look(REFERENCES, "var(--ink)", "✚"),
    UNCHANGED: Look(UNCHANGED, "var(--muted)", "◀"),
    TRUNCATED: Look(TRUNCATED, "var(--muted)", "▶"),
}


def looks(names: Iterable[str]) -> dict[str, Look]:
    """Choose the look of each row."""
    chosen, systems = dict[str, Look](), 0
    for name in names:
        if name in _FIXED_LOOKS:
            chosen[name] = _FIXED_LOOKS[name]
        else:
            color, glyph = f"var(--c{systems % _COLORS})", _GLYPHS[systems % len(_GLYPHS)]
            chosen[name] = Look(name, color, glyph)
            systems += 1
    return chosen


@dataclass(frozen=True)
class Scale:
    """A linear scale from values to percentages of the plot's width."""

    low: float
    high: float

    def share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def at(self, value: float) -> str:
        return f"{100 * min(max(self.share(value), 0), 1):.2f}%"

    def ticks(self) -> dict[float, str]:
        """Choose about five round numbers: value → text."""
        step = bins.round_step((self.high - self.low) / 5)
        first, last = math.ceil(self.low / step - 1e-9), math.floor(self.high / step + 1e-9)
        decimals = max(0, -math.floor(math.log10(step)))
        return {i * step: number(i * step, decimals) for i in range(first, last + 1)}


def fit(bounds: Sequence[float]) -> Scale:
    """Return a scale with room for all bounds of intervals."""
    low, high = min(bounds, default=0.0), max(bounds, default=1.0)
    room = 0.04 * (high - low or abs(high) or 1)
    return Scale(low - room, high + room)


@dataclass(frozen=True)
class Row:
    """What a plot shows of a system, or of what stands beside systems.

    Attributes:
        name: Its name.
        look: Its colour and glyph.
        numbers: Its numbers, one for each of the plot's columns.
        facts: What its text says below the name.
        marks: What the plot's kind of mark draws, unless that is the numbers.
    """

    name: str
    look: Look
    numbers: Sequence[float]
    facts: Mapping[str, str]
    marks: Sequence[Any] = ()

    def finite(self) -> list[float | None]:
        """Return its numbers, None instead of NaN."""
        return [number if math.isfinite(number) else None for number in self.numbers]

    def tip(self) -> str:
        """Return its text, which browsers show on hover."""
        facts = [f"{what}: {value}" for what, value in self.facts.items()]
        return "\n".join([cells.clean_name(self.name), *facts])


@dataclass(frozen=True)
class Plot:
    """A plot of rows above a horizontal axis, as wide as its place.

    Attributes:
        mark: What rows are drawn as: ``score``, ``histogram``, ``bar`` or ``line``.
        columns: What the numbers of each row are.
        rows: The rows.
        axis: The title of the horizontal axis.
        scale: The horizontal scale.
        lanes: The height of a row if they are few, or many; 0 if all are drawn from the axis.
        ticks: Places on the horizontal axis → texts; by default those of the scale.
        heights: Ticks above it: y → text.
        labels: Names at the ends of lines → y.
        left: The room left of the axis; by default that of names.
        right: The room right of the axis.
        heading: A text above the rows.
        key: Squares above the rows: text, colour, x and y.
        top: Where the first row begins.
        more: Names and numbers of rows that aren't drawn; saved numbers have them.
    """

    mark: str
    columns: Sequence[str]
    rows: Sequence[Row]
    axis: str
    scale: Scale
    lanes: tuple[float, float] = (0, 0)
    ticks: Mapping[str, str] = field(default_factory=dict)
    heights: Mapping[float, str] = field(default_factory=dict)
    labels: Mapping[str, float] = field(default_factory=dict)
    left: float = 0
    right: float = 16
    heading: str = ""
    key: Sequence[tuple[str, str, int, int]] = ()
    top: float = 0
    more: Sequence[Sequence[Any]] = ()

    @property
    def few(self) -> "Plot | None":
        """The plot of the first of many systems, and of what stands beside systems."""
        systems = [row.name for row in self.rows if row.name not in _FIXED_LOOKS]
        rows = [row for row in self.rows if row.name not in systems[_FIRST:]]
        return replace(self, rows=rows) if len(systems) > _MANY else None

    def svg(self, text: str) -> str:
        """Return the plot as SVG; screen readers read ``text``."""
        lane = self.lanes[len(self.rows) > _MANY + len(_FIXED_LOOKS)]
        left = self.left or 14 + _width(row.name for row in self.rows)
        ticks = self.ticks or {self.scale.at(x): tick for x, tick in self.scale.ticks().items()}
        values = {"text": text, "lane": lane, "left": left, "ticks": ticks}
        return render("parts/svg.html", plot=self, **values)


def _width(names: Iterable[str]) -> int:
    """Return about how many pixels the longest name takes."""
    return max((round(1.7 * text_width(clip(name))) for name in names), default=0)


def short(value: float) -> str:
    """Write a number with three significant digits.

    >>> [short(x) for x in (41.5172, 0.00123456, -1234.5, 0)]
    ['41.5', '0.00123', '−1,234', '0']
    """
    return number(value, max(0, 2 - math.floor(math.log10(abs(value)))) if value else 0)


# Kinds of plots -----------------------------------------------------------------------------------


def overview(table: Grid, names: Iterable[str], confidence: float) -> Plot:
    """Plot the first score of a table with its interval, a line per row.

    ``names`` are all rows, whose order decides on colours.
    """
    label, look, rows = str(table.header[1]), looks(names), []
    for name, cell, *_ in table.rows:
        if cell.value is not None and cell.bounds is not None:
            value, *bounds = map(short, (cell.value, *cell.bounds))
            facts = {label: value, f"{100 * confidence:g} % interval": " to ".join(bounds)}
            rows.append(Row(name.text, look[name.text], (cell.value, *cell.bounds), facts))
    scale = fit([bound for row in rows for bound in row.numbers])
    return Plot("score", [label, "low", "high"], rows, label, scale, (24, 17))


class Distribution(NamedTuple):
    """A quantity whose distribution is shown."""

    metric: str
    key: str  # the score's name
    label: str
    axis: str  # its title


CHANGE = Distribution(EDITS, "change_percentage", "Change percentage", "% of words changed")
DISTRIBUTIONS = [
    Distribution(
        STATS, "compression_ratio", "Compression", "characters per character of the source"
    ),
    Distribution(STATS, "levenshtein_similarity", "Similarity", "to the source, in characters"),
    CHANGE,
]


def distribution(
    what: Distribution, rows: Mapping[str, Floats], every: Iterable[Floats] = ()
) -> Plot:
    """Plot a histogram with its median for each row, all with the same scales.

    Plots side by side have the same scales if each is given the values of ``every`` row in them.

    A row that copies most texts doesn't flatten the others: the scale ends at twice the median of
    the highest bars.
    """
    systems = [*(every or rows.values())]
    edges = bins.bin_edges(*bins.span(systems))
    peaks = [float(bins.count(own, edges).max() / len(own)) for own in systems]
    most = min(math.ceil(40 * float(np.median(peaks))) / 20, math.ceil(20 * max(peaks)) / 20)
    look, drawn = looks(rows), []
    for name, values in rows.items():
        counts = bins.count(values, edges)
        low, median, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        facts = {"median": short(median), "middle half": f"{short(low)} to {short(high)}"}
        bars = np.minimum(counts / len(values) / most, 1).tolist()
        drawn.append(Row(name, look[name], [median, low, high, *counts.tolist()], facts, bars))
    cut = ", cut above" if max(peaks) > most else ""
    return Plot(
        mark="histogram",
        columns=["median", "lower quartile", "upper quartile", *_name_bins(edges, systems)],
        rows=drawn,
        axis=what.axis,
        scale=Scale(edges[0], edges[-1]),
        lanes=(44, 22),
        heading=f"Each row: 0 to {100 * most:.0f} % of texts{cut}",
        top=18,
    )


def _name_bins(edges: Floats, systems: Sequence[Floats]) -> list[str]:
    """Return the names of bins; those of the outer ones say whether they hold what is beyond."""
    values = np.concatenate(systems)
    places = max(0, -math.floor(math.log10(edges[1] - edges[0]) + 1e-9))
    ends = [number(edge, places) for edge in edges.tolist()]
    names = [f"{low}–{high}" for low, high in pairwise(ends)]
    if values.min() < edges[0]:
        names[0] = f"up to {ends[1]}"
    if values.max() > edges[-1]:
        names[-1] = f"{ends[-2]}+"
    return names


def lengths(report: Report) -> Plot | None:
    """Plot the first metric's score by length of the source: a line per system, with intervals.

    Of many systems the best are drawn; the others are among the saved numbers. Return None if
    there are too few sources to divide, or scores aren't of single examples.
    """
    name = next(iter(report.ranked_by), "")
    if not name or not report.metrics[name].independent_rows:
        return None
    column, sources = report.columns[name][0], report.texts.shared["sources"]
    groups = score_by_length(report.statistics[name], sources, **report.sampling)
    if len(groups) < 2:
        return None
    points = dict[str, list[list[float]]]()
    for row in report.order:
        values = [own[row].main for own in groups.values() if row in own]
        if values and not any(math.isnan(value.value) for value in values):
            bounds = [(value.value, *(value.interval or (value.value,) * 2)) for value in values]
            points[row] = [[column.scale * float(bound) for bound in own] for own in bounds]
    confidence = report.sampling["confidence"]
    return _draw_lengths(column.label, unit(sources), [*groups], points, confidence)


def _draw_lengths(
    label: str,
    unit: str,
    groups: Sequence[str],
    points: Mapping[str, Sequence[Sequence[float]]],
    confidence: float,
) -> Plot:
    """Plot scores with their bounds: row, the best system first → those in each group."""
    systems = [name for name in points if name not in _FIXED_LOOKS]
    drawn = [name for name in points if name not in systems[_LINES:]]
    scale = fit([bound for name in drawn for point in points[name] for bound in point])
    titles, look = [f"{group} {unit}" for group in groups], looks(drawn)
    rows = []
    for i, name in enumerate(drawn):
        facts, marks = {label: f"with {100 * confidence:g} % interval"}, []
        aside = 0.5 * ((i + 0.5) / len(drawn) - 0.5)  # lines stand beside each other
        for group, point in enumerate(points[name]):
            value, low, high = map(short, point)
            facts[titles[group]] = f"{value} [{low}, {high}]"
            ups = [round(-_HEIGHT * scale.share(bound), 1) for bound in point]
            marks.append((_middle(group + aside, len(groups)), *ups))
        rows.append(Row(name, look[name], np.ravel(points[name]).tolist(), facts, marks))
    ends = {name: points[name][-1][0] for name in drawn}
    labels = spread(ends, (scale.low, scale.high), _HEIGHT, 14)
    heights = {round(-_HEIGHT * scale.share(x), 1): text for x, text in scale.ticks().items()}
    return Plot(
        mark="line",
        columns=[f"{title}{end}" for title in titles for end in ("", ", low", ", high")],
        rows=rows,
        axis=f"{unit} of the source",
        scale=scale,
        ticks={_middle(i, len(groups)): group for i, group in enumerate(groups)},
        heights=heights,
        labels={name: round(4 - _HEIGHT * scale.share(x), 1) for name, x in labels.items()},
        left=16 + _width(heights.values()),
        right=24 + _width(drawn),
        heading=label,
        top=_HEIGHT + 20,
        more=[[name, *np.ravel(points[name])] for name in systems[_LINES:]],
    )


def _middle(i: float, count: int) -> str:
    return f"{100 * (i + 0.5) / count:.2f}%"


def operations(rows: Mapping[str, Mapping[str, float]]) -> Plot:
    """Plot kept, replaced, deleted and inserted words as shares of all operations."""
    counts = {
        row: {label: own[name] for name, label in OPERATIONS.items()} for row, own in rows.items()
    }
    return _bars(counts, [f"var(--{name})" for name in OPERATIONS], "% of operations")


def profiles(metric: Metric, rows: Mapping[str, Mapping[str, Value]]) -> dict[str, Plot]:
    """Plot words by difficulty, from easy to unknown, as shares of all words: caption → plot."""
    plots = {}
    for caption, keys in metric.profiles.items():
        if keys[0] in metric.score_names():
            titles = {key: metric.find_score(key).title for key in keys}
            shares = {
                row: {title: values[key].value for key, title in titles.items()}
                for row, values in rows.items()
            }
            colors = [*(f"var(--p{i})" for i in range(len(keys) - 1)), "var(--keep)"]
            plots[caption] = _bars(shares, colors, "% of words")
    return plots


def _bars(rows: Mapping[str, Mapping[str, float]], colors: Sequence[str], axis: str) -> Plot:
    """Plot a bar for every row, whose parts are numbers as shares of their sum."""
    labels, look, drawn = [*next(iter(rows.values()))], looks(rows), []
    for name, counts in rows.items():
        parts = bins.share_rows(counts)
        shares = [100 * part["share"] for part in parts]
        facts = {part["operation"]: f"{short(100 * part['share'])} %" for part in parts}
        starts = [100 * part["start"] for part in parts]
        marks = [*zip(colors, starts, shares, strict=False)]
        drawn.append(Row(name, look[name], shares, facts, marks))
    widest = 25 + 7 * max(map(len, labels))  # of a label, with its square
    columns = max(_KEY // widest, 1)
    key = [
        (label, color, k % columns * widest, 18 * (k // columns))
        for k, (label, color) in enumerate(zip(labels, colors, strict=True))
    ]
    return Plot(
        mark="bar",
        columns=[f"{label}, %" for label in labels],
        rows=drawn,
        axis=axis,
        scale=Scale(0, 100),
        lanes=(26, 17),
        key=key,
        top=key[-1][-1] + 22,
    )
