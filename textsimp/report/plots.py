"""The kinds of plots: scores, distributions, shares, and scores by length."""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from textsimp.core.metric import Floats, Metric
from textsimp.core.scores import Value
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import bins
from textsimp.report.label_places import spread
from textsimp.report.plot import (
    FIXED_LOOKS,
    Axis,
    Plot,
    Row,
    Scale,
    clip,
    element,
    fit,
    looks,
    mark,
    short,
    width,
    write,
)
from textsimp.scoring.ranking import number
from textsimp.text.alignment import COUNTED

__all__ = ["Plot", "looks", "overview"]

OPERATIONS = {  # from what stays to what is new
    name: EditOps().find_score(name).title.lower() for name in reversed(COUNTED)
}

_KEY = 340  # width of a key, which fits a phone
_LINES, _HEIGHT = 6, 260.0  # systems of a plot of lines, and its height


class Distribution(NamedTuple):
    """A quantity whose distribution is shown."""

    key: str  # the score's name
    label: str
    axis: str  # its title


CHANGE = Distribution("change_percentage", "Change percentage", "% of words changed")
DISTRIBUTIONS = [
    Distribution("compression_ratio", "Compression", "characters per character of the source"),
    Distribution("levenshtein_similarity", "Similarity", "to the source, in characters"),
    CHANGE,
]


def overview(table: Grid, names: Iterable[str], confidence: float) -> Plot:
    """Plot the first score of a table with its interval, a line per row.

    ``names`` are all rows, whose order decides on colours.
    """
    points = {
        name.text: (cell.value, *cell.bounds)
        for name, cell, *_ in table.rows
        if cell.value is not None and cell.bounds is not None
    }
    label, look = str(table.header[1]), looks(names)
    scale = fit([bound for point in points.values() for bound in point])

    def draw(name: str, lane: float) -> list[str]:
        score, low, high = map(scale.at, points[name])
        line = {"y1": lane / 2, "y2": lane / 2, "stroke": look[name].color, "stroke_width": 2}
        point = mark(look[name].glyph, score, lane / 2, look[name].color)
        return [element("line", x1=low, x2=high, **line), point]

    rows = []
    for name, point in points.items():
        value, *bounds = map(short, point)
        facts = [(label, value), (f"{100 * confidence:g} % interval", " to ".join(bounds))]
        rows.append(Row(name, point, facts, partial(draw, name)))
    return Plot([label, "low", "high"], rows, scale.axis(label), (24, 17))


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
    scale, look = Scale(edges[0], edges[-1]), looks(rows)

    def draw(name: str, shares: Floats, median: float, lane: float) -> list[str]:
        place = scale.at(min(max(median, scale.low), scale.high))
        line = {"y1": 5, "y2": lane, "stroke": "var(--ink)", "stroke_width": 2}
        bars = _bars(np.minimum(shares / most, 1), lane, look[name].color)
        return [bars, element("line", x1=place, x2=place, **line)]

    drawn = []
    for name, values in rows.items():
        counts = bins.count(values, edges)
        low, median, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        facts = [("median", short(median)), ("middle half", f"{short(low)} to {short(high)}")]
        of_row = partial(draw, name, counts / len(values), median)
        drawn.append(Row(name, [median, low, high, *counts.tolist()], facts, of_row))
    cut = ", cut above" if max(peaks) > most else ""
    key = [write(f"Each row: 0 to {100 * most:.0f} % of texts{cut}", 0, 10)]
    columns = ["median", "lower quartile", "upper quartile", *_name_bins(edges, systems)]
    return Plot(columns, drawn, scale.axis(what.axis), (44, 22), key=key, top=18)


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


def _bars(shares: Floats, height: float, color: str) -> str:
    """Draw bars that stand beside each other, of shares of a height."""
    path = "".join(f"M{i} 1v{-shares[i]:.3f}h1V1z" for i in np.flatnonzero(shares).tolist())
    inner = element("path", d=path, fill=color, opacity=0.85)
    box = {"viewBox": f"0 0 {len(shares)} 1", "preserveAspectRatio": "none"}
    return element("svg", inner, y=4, width="100%", height=height - 4, **box)


def lengths(
    label: str,
    unit: str,
    groups: Sequence[str],
    points: Mapping[str, Sequence[Sequence[float]]],
    confidence: float,
) -> Plot:
    """Plot a score by length of the source: a line per system, with intervals.

    Of many systems the first ones are drawn; the others are among the saved numbers.

    Args:
        label: The score's title.
        unit: What lengths are counted in.
        groups: Ranges of lengths.
        points: Row, the best system first → its score in each group, with the interval's bounds.
        confidence: Coverage of the intervals.
    """
    systems = [name for name in points if name not in FIXED_LOOKS]
    drawn = {name: own for name, own in points.items() if name not in systems[_LINES:]}
    scale = fit([bound for own in drawn.values() for point in own for bound in point])
    draw, titles = _draw_lines(drawn, scale), [f"{group} {unit}" for group in groups]
    rows = {}
    for name, own in points.items():
        facts = [(label, f"with {100 * confidence:g} % interval")]
        facts += [(title, _bracket(point)) for title, point in zip(titles, own, strict=True)]
        numbers = [number for point in own for number in point]
        rows[name] = Row(name, numbers, facts, partial(draw, name))
    heights = {_HEIGHT * scale.share(value): text for value, text in scale.ticks().items()}
    ticks = {_middle(i, len(groups)): group for i, group in enumerate(groups)}
    return Plot(
        [f"{title}{end}" for title in titles for end in ("", ", low", ", high")],
        [rows[name] for name in drawn],
        Axis(f"{unit} of the source", ticks, heights),
        left=16 + width(heights.values()),
        right=24 + width(drawn),
        key=[write(label, 0, 10)],
        top=_HEIGHT + 20,
        more=[row for name, row in rows.items() if name not in drawn],
    )


def _middle(i: float, count: int) -> str:
    return f"{100 * (i + 0.5) / count:.2f}%"


def _bracket(point: Sequence[float]) -> str:
    value, *bounds = map(short, point)
    return f"{value} [{', '.join(bounds)}]"


def _draw_lines(
    points: Mapping[str, Sequence[Sequence[float]]], scale: Scale
) -> Callable[[str, float], list[str]]:
    """Return what draws a row's line with intervals, beside others, and a name at its end."""
    ends = {name: own[-1][0] for name, own in points.items()}
    labels = spread(ends, (scale.low, scale.high), _HEIGHT, 14)
    look, order = looks(points), [*points]

    def draw(name: str, lane: float) -> list[str]:
        own, (_, color, glyph) = points[name], look[name]
        aside = 0.5 * ((order.index(name) + 0.5) / len(points) - 0.5)
        places = [_middle(i + aside, len(own)) for i in range(len(own))]
        ups = [[-_HEIGHT * scale.share(bound) for bound in point] for point in own]
        line, parts = {"stroke": color, "pointer_events": "none"}, list[str]()
        for (x1, x2), (y1, y2) in zip(pairwise(places), pairwise(ups), strict=True):
            parts.append(element("line", x1=x1, x2=x2, y1=y1[0], y2=y2[0], **line))
        for x, (y, *bounds) in zip(places, ups, strict=True):
            if bounds:
                parts.append(element("line", x1=x, x2=x, y1=bounds[0], y2=bounds[1], **line))
            parts.append(element("circle", cx=x, cy=y, r=9, fill="none", pointer_events="all"))
            parts.append(mark(glyph, x, y, color))
        up = _HEIGHT * scale.share(labels[name])
        return [*parts, write(f"{glyph} {clip(name)}", "100%", 4 - up, color, dx=6)]

    return draw


def operations(rows: Mapping[str, Mapping[str, float]]) -> Plot:
    """Plot kept, replaced, deleted and inserted words as shares of all operations."""
    counts = {
        row: {label: own[name] for name, label in OPERATIONS.items()} for row, own in rows.items()
    }
    return _stacked(counts, [f"var(--{name})" for name in OPERATIONS], "% of operations")


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
    """Plot a stacked bar for every row, of numbers as shares of their sum."""
    labels, key = [*next(iter(rows.values()))], list[str]()
    widest = 25 + 7 * max(map(len, labels))  # of a label, with its square
    columns = max(_KEY // widest, 1)
    for k, (label, color) in enumerate(zip(labels, colors, strict=True)):
        x, y = k % columns * widest, 18 * (k // columns)
        key.append(element("rect", x=x, y=y, width=11, height=11, fill=color))
        key.append(write(label, x + 16, y + 10, "var(--ink)"))
    scale = Scale(0, 100)

    def draw(shares: Sequence[Mapping[str, Any]], lane: float) -> list[str]:
        parts = []
        for row, color in zip(shares, colors, strict=False):
            start, share, end = (100 * row[key] for key in ("start", "share", "end"))
            box = {"y": 2, "width": scale.at(share), "height": lane - 4}
            parts.append(element("rect", x=scale.at(start), fill=color, **box))
            if share >= 6:
                middle, text = scale.at((start + end) / 2), number(share, 0)
                look = {"fill": "var(--on-operation)", "text_anchor": "middle"}
                parts.append(write(text, middle, lane / 2 + 4, **look))
        return parts

    drawn = []
    for name, counts in rows.items():
        shares = bins.share_rows(counts)
        own = {row["operation"]: 100 * row["share"] for row in shares}
        facts = [(label, f"{short(share)} %") for label, share in own.items()]
        drawn.append(Row(name, [*own.values()], facts, partial(draw, shares)))
    names, top = [f"{label}, %" for label in labels], 18 * -(-len(labels) // columns) + 4
    return Plot(names, drawn, scale.axis(axis), (26, 17), key=key, top=top)
