"""The kinds of plots: scores, distributions, shares, and scores by length."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats, Metric
from textsimp.core.scores import Value
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report.plot import (
    FIXED_LOOKS,
    Axis,
    Look,
    Plot,
    Row,
    Scale,
    clip,
    element,
    first,
    fit,
    lanes,
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


def overview(table: Grid, names: Iterable[str], confidence: float) -> Plot:
    """Plot the first score of a table with its interval, a line per row.

    ``names`` are all rows, whose order decides on colours.
    """
    points = {
        name.text: (cell.value, *cell.bounds)
        for name, cell, *_ in table.rows
        if cell.value is not None and cell.bounds is not None
    }
    return _forest(str(table.header[1]), points, looks(names), confidence)


def _forest(
    label: str,
    points: Mapping[str, Sequence[float]],
    look: Mapping[str, Look],
    confidence: float,
) -> Plot:
    scale = fit([bound for point in points.values() for bound in point])
    lane, left, parts = lanes([*points], 24, 17)
    rows = []
    for (name, point), begun in zip(points.items(), parts, strict=True):
        score, low, high = map(scale.at, point)
        line = {"stroke": look[name].color, "stroke_width": 2}
        begun.append(element("line", x1=low, x2=high, y1=lane / 2, y2=lane / 2, **line))
        begun.append(mark(look[name].glyph, score, lane / 2, look[name].color))
        value, *bounds = map(short, point)
        facts = [(label, value), (f"{100 * confidence:g} % interval", " to ".join(bounds))]
        rows.append(Row(name, point, facts, begun))
    axis = Axis(label, {scale.at(value): text for value, text in scale.ticks(5).items()})
    few = first(points)
    return Plot(
        [label, "low", "high"],
        rows,
        lane,
        axis,
        left,
        few=_forest(label, few, look, confidence) if few else None,
    )


def distribution(
    what: Distribution, rows: Mapping[str, Floats], beside: Iterable[Floats] = ()
) -> Plot:
    """Plot a histogram with its median for each row, all with the same scales.

    The plot ``beside`` it, of other rows, has these scales, too.

    A row that copies most texts doesn't flatten the others: the scale ends at twice the median of
    the highest bars.
    """
    counts = {name: _count(what, values) for name, values in rows.items()}
    others = (_count(what, values) for values in beside)
    peaks = [float(own.max() / own.sum()) for own in (*counts.values(), *others)]
    most = min(math.ceil(40 * float(np.median(peaks))) / 20, math.ceil(20 * max(peaks)) / 20)
    scale, (lane, left, parts) = _bin_scale(what), lanes([*rows], 44, 22)
    drawn, look = [], looks(rows)
    for (name, values), begun in zip(rows.items(), parts, strict=True):
        low, median, high = np.quantile(values, (0.25, 0.5, 0.75)).tolist()
        heights = np.minimum(counts[name] / len(values) / most, 1)
        begun.append(_bars(heights, lane, look[name].color, what.beyond))
        place = scale.at(min(median, scale.high))
        line = {"y1": 5, "y2": lane, "stroke": "var(--ink)", "stroke_width": 2}
        begun.append(element("line", x1=place, x2=place, **line))
        facts = [("median", short(median)), ("middle half", f"{short(low)} to {short(high)}")]
        drawn.append(Row(name, [median, low, high, *counts[name].tolist()], facts, begun))
    cut = ", cut above" if max(peaks) > most else ""
    key = [write(f"Each row: 0 to {100 * most:.0f} % of texts{cut}", 0, 10)]
    columns, axis = _bin_axis(what)
    columns = ["median", "lower quartile", "upper quartile", *columns]
    few = first(rows)
    return Plot(
        columns,
        drawn,
        lane,
        axis,
        left,
        key=key,
        top=18,
        few=distribution(what, few) if few else None,
    )


def _count(what: Distribution, values: Floats) -> NDArray[np.int64]:
    """Return (bins,) the number of values in each bin."""
    # Steps of whole widths are not exact in floats: 0.15 belongs to the bin that begins there.
    bins = np.minimum(np.floor(values / what.width + 1e-9), what.bins - 1).astype(np.int64)
    return np.bincount(bins, minlength=what.bins)


def _bin_scale(what: Distribution) -> Scale:
    return Scale(0, what.width * (what.bins + what.beyond))  # the last bar may stand apart


def _bin_axis(what: Distribution) -> tuple[list[str], Axis]:
    """Return the names of the bins, and their axis."""
    scale, places = _bin_scale(what), 2 if what.width < 1 else 0
    starts = [number(what.width * i, places) for i in range(what.bins + 1)]
    names = [f"{low}–{high}" for low, high in pairwise(starts)]
    ticks = scale.ticks(4)
    if what.beyond:
        names[-1] = f"{starts[-2]}+"
        ticks = {value: t for value, t in ticks.items() if value < scale.high - 4 * what.width}
        ticks[scale.high - what.width / 2] = names[-1]
    return names, Axis(what.axis, {scale.at(value): text for value, text in ticks.items()})


def _bars(shares: Floats, height: float, color: str, beyond: bool) -> str:
    """Draw bars that stand beside each other, of shares of a height; the last may stand apart."""
    path = ""
    for i in np.flatnonzero(shares).tolist():
        start = i + (beyond and i == len(shares) - 1)
        path += f"M{start} 1v{-shares[i]:.3f}h1V1z"
    inner = element("path", d=path, fill=color, opacity=0.85)
    box = {"viewBox": f"0 0 {len(shares) + beyond} 1", "preserveAspectRatio": "none"}
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
    lines, titles = _lines(drawn, scale), [f"{group} {unit}" for group in groups]
    rows = {}
    for name, own in points.items():
        facts = [(label, f"with {100 * confidence:g} % interval")]
        facts += [(title, _bracket(point)) for title, point in zip(titles, own, strict=True)]
        numbers = [number for point in own for number in point]
        rows[name] = Row(name, numbers, facts, lines.get(name, []))
    heights = {_HEIGHT * scale.share(value): text for value, text in scale.ticks(5).items()}
    ticks = {_middle(i, len(groups)): group for i, group in enumerate(groups)}
    return Plot(
        [f"{title}{end}" for title in titles for end in ("", ", low", ", high")],
        [rows[name] for name in drawn],
        0,
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


def _lines(points: Mapping[str, Sequence[Sequence[float]]], scale: Scale) -> dict[str, list[str]]:
    """Draw each row's line with intervals, beside those of others, and a name at its end."""
    ends = sorted(points, key=lambda name: -points[name][-1][0])
    labels, above = dict[str, float](), math.inf
    for i, name in enumerate(ends):
        room = 14.0 * (len(ends) - 1 - i)  # of the names below
        above = min(max(_HEIGHT * scale.share(points[name][-1][0]), room), above - 14)
        labels[name] = above
    drawn = {}
    for k, (name, look) in enumerate(looks(points).items()):
        aside = 0.5 * ((k + 0.5) / len(points) - 0.5)
        places = [_middle(i + aside, len(points[name])) for i in range(len(points[name]))]
        ups = [[-_HEIGHT * scale.share(bound) for bound in point] for point in points[name]]
        line, parts = {"stroke": look.color, "pointer_events": "none"}, list[str]()
        for (x1, x2), (y1, y2) in zip(pairwise(places), pairwise(ups), strict=True):
            parts.append(element("line", x1=x1, x2=x2, y1=y1[0], y2=y2[0], **line))
        for x, (y, *bounds) in zip(places, ups, strict=True):
            if bounds:
                parts.append(element("line", x1=x, x2=x, y1=bounds[0], y2=bounds[1], **line))
            parts.append(element("circle", cx=x, cy=y, r=9, fill="none", pointer_events="all"))
            parts.append(mark(look.glyph, x, y, look.color))
        text = f"{look.glyph} {clip(name)}"
        parts.append(write(text, "100%", 4 - labels[name], look.color, dx=6))
        drawn[name] = parts
    return drawn


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
        key.append(element("rect", x=x, y=y, width=11, height=11, fill=color))
        key.append(write(label, x + 16, y + 10, "var(--ink)"))
    lane, left, parts = lanes([*rows], 26, 17)
    scale, drawn = Scale(0, 100), []
    for (name, shares), begun in zip(rows.items(), parts, strict=True):
        start, facts = 0.0, []
        for label, color in zip(labels, colors, strict=True):
            share = 100 * shares[label]
            box = {"y": 2, "width": scale.at(share), "height": lane - 4}
            begun.append(element("rect", x=scale.at(start), fill=color, **box))
            if share >= 6:
                middle, look = scale.at(start + share / 2), {"text_anchor": "middle"}
                begun.append(
                    write(number(share, 0), middle, lane / 2 + 4, "var(--on-operation)", **look)
                )
            facts.append((label, f"{short(share)} %"))
            start += share
        drawn.append(Row(name, [100 * shares[label] for label in labels], facts, begun))
    ticks = {scale.at(value): text for value, text in scale.ticks(5).items()}
    few = first(rows)
    return Plot(
        [f"{label}, %" for label in labels],
        drawn,
        lane,
        Axis(axis, ticks),
        left,
        key=key,
        top=18 * -(-len(labels) // columns) + 4,
        few=_stacked(few, colors, axis) if few else None,
    )
