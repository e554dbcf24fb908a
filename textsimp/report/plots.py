"""Plots of the report and the pages: Vega-Lite specifications, and the pictures made of them.

Colours are CSS variables, ``"var(--c0)"``, whose values in light and dark are in ``shared.css``.
Everything is summarised here, so that a plot's size doesn't grow with the corpus. A mark has a text
that says its numbers, made by `_tip`; one that leads to examples has a link, ``href``.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from textwrap import wrap
from typing import Any
from xml.etree import ElementTree

import numpy as np

from textsimp.core import system_names
from textsimp.core.metric import Floats, Metric
from textsimp.core.tables import Grid
from textsimp.metrics.edit_ops import EditOps
from textsimp.report import permalinks
from textsimp.report.report_rows import REFERENCES, TRUNCATED, UNCHANGED
from textsimp.scoring.score_columns import number
from textsimp.support.extras import require
from textsimp.text.alignment import COUNTED

Spec = dict[str, Any]

COLORS = 8
_SHAPES = ("circle", "square", "triangle-up", "diamond", "triangle-down")
_FIXED_LOOKS = {
    REFERENCES: ("var(--ink)", "cross"),
    UNCHANGED: ("var(--muted)", "triangle-left"),
    TRUNCATED: ("var(--muted)", "triangle-right"),
}
GLYPHS = dict(zip((*_SHAPES, "cross", "triangle-left", "triangle-right"), "●■▲◆▼✚◀▶", strict=True))
OPERATIONS = {  # from what stays to what is new
    name: EditOps().find_score(name).title.lower() for name in reversed(COUNTED)
}
_CONFIG: Spec = json.loads(
    resources.files("textsimp.report").joinpath("plots.json").read_text(encoding="utf-8")
)


@dataclass(frozen=True)
class Distribution:
    """A quantity whose distribution is shown."""

    key: str  # the score's name
    metric: str
    label: str
    axis: str  # its title
    width: float  # of a bin
    bins: int
    beyond: bool = False  # whether there may be values behind the last bin


_STATS = "simplification_stats"
_PER_CHARACTER = "characters per character of the source"
_IN_CHARACTERS = "to the source, in characters"
CHANGE = Distribution(
    "change_percentage", "edit_ops", "Change percentage", "% of words changed", 5, 20
)
DISTRIBUTIONS = [
    Distribution("compression_ratio", _STATS, "Compression", _PER_CHARACTER, 0.05, 31, beyond=True),
    Distribution("levenshtein_similarity", _STATS, "Similarity", _IN_CHARACTERS, 0.05, 20),
    CHANGE,
]


def svg(spec: Spec, width: int, text: str) -> str:
    """Draw a plot of this width in pixels as SVG for a page; ``text`` says what it shows."""
    sized = {
        **spec,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        # The reader's font may be wider than the one that texts are measured in here.
        "padding": {"left": 20, "right": 12, "top": 5, "bottom": 5},
    }
    draw = require("vl_convert", extra="report").vegalite_to_svg
    definition = json.dumps(sized, ensure_ascii=False).translate(_LINES_END)
    picture: str = draw(definition, allowed_base_urls=[])  # nothing is fetched
    root = ElementTree.fromstring(picture.replace(_NAMESPACE, "").replace("xlink:href=", "href="))
    links = _clean(root)
    for link in links[1:]:
        link.set("tabindex", "-1")
    for group in root.iter("g") if links else ():
        if "role-mark" in group.get("class", "") and group.find("a") is None:
            group.set("aria-hidden", "true")
    size = {name: root.attrib[name] for name in ("width", "height", "viewBox")}
    role = "group" if links else "img"
    font = {"font-family": _CONFIG["font"]}
    root.attrib = {"role": role, "aria-label": system_names.clean(text), **size, **font}
    return ElementTree.tostring(root, encoding="unicode")


WIDTHS = (360, 780)  # pixels: a phone's, and what can be read on a small screen


def draw(spec: Spec, text: str, widths: Sequence[int] = WIDTHS) -> str:
    """Draw a plot in a width or two; of two the page shows the one that there is room for."""
    kinds = zip(("narrow", "wide"), widths, strict=False)
    return "".join(f'<div class="{kind}">{svg(spec, width, text)}</div>' for kind, width in kinds)


_LINE = 18  # letters of a name on an axis
_LINES_END = {0x2028: "\\n", 0x2029: "\\r"}  # in names; the library fails where it quotes them
_TIP_PREFIX = "tip:"  # begins the texts of marks, unlike those that the library makes up
_NAMESPACE = ' xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
_UNUSED = (
    *("role", "aria-roledescription", "aria-label", "aria-hidden"),
    *("pointer-events", "font-family"),
)


def _clean(parent: ElementTree.Element) -> list[ElementTree.Element]:
    """Remove unused parts, make descriptions titles or labels; return the links."""
    anchors = []
    for child in [*parent]:
        if child.tag == "a":
            # The library makes addresses absolute, as if the page were one of its own.
            _, _, state = child.get("href", "").partition("#?")
            if state:
                child.set("href", f"#?{state}")
                anchors.append(child)
            else:  # a mark that leads nowhere, beside others that do
                (mark,) = child
                parent[[*parent].index(child)] = child = mark
        label = child.get("aria-label", "")
        for name in _UNUSED:
            child.attrib.pop(name, None)
        if child.get("opacity") == "1":
            del child.attrib["opacity"]
        if child.tag == "path" and child.get("class") in ("background", "foreground"):
            parent.remove(child)
        elif "role-axis" in child.get("class", "") or "role-legend" in child.get("class", ""):
            child.set("aria-hidden", "true")
        if label.startswith(_TIP_PREFIX):
            tip = label.removeprefix(_TIP_PREFIX)
            if parent.tag == "a":
                parent.set("aria-label", tip)
            else:
                ElementTree.SubElement(child, "title").text = tip
        anchors += _clean(child)
    return anchors


def legend(names: Sequence[str]) -> list[dict[str, str]]:
    """Name, colour and glyph of each row."""
    return [
        {"name": name, "color": color, "glyph": GLYPHS[shape]}
        for name, (color, shape) in zip(names, looks(names), strict=True)
    ]


def looks(names: Sequence[str]) -> list[tuple[str, str]]:
    """Colour and shape of each row."""
    pairs, systems = [], 0
    for name in names:
        if name in _FIXED_LOOKS:
            pairs.append(_FIXED_LOOKS[name])
        else:
            pairs.append((f"var(--c{systems % COLORS})", _SHAPES[systems % len(_SHAPES)]))
            systems += 1
    return pairs


def overview(
    table: Grid, names: Sequence[str], column: int = 0, domain: list[float] | None = None
) -> Spec:
    """Plot a score of a table with its interval, a line per row, in the colours of ``names``."""
    label = str(table.header[1 + column])
    values = [
        {**point, "label": "\n".join(wrap(system_names.clean(point["row"]), _LINE))}
        for point in _points(table, column, label)
    ]
    y = {
        "field": "label",
        "type": "nominal",
        "sort": None,
        "axis": {"title": None, "labelExpr": "split(datum.label, '\\n')", "labelLimit": 0},
    }
    lines = max((1 + value["label"].count("\n") for value in values), default=1)
    return {
        "height": (18 + 9 * lines) * len(values),
        "config": _CONFIG,
        "data": {"values": values},
        "encoding": {"y": y, "color": _by_row(names, 0), **_DESCRIPTION},
        "layer": _intervals("x", _x(label, "low", domain), names),
    }


def by_length(table: Grid, label: str, names: Sequence[str]) -> Spec:
    """Plot a score of every row by source length; points link to the group's examples."""
    heads = table.header[1:]
    groups = [str(head).removesuffix(" words") for head in heads]
    points = []
    for i, (group, head) in enumerate(zip(groups, heads, strict=True)):
        first, _, last = group.partition("–")
        for point in _points(table, i, label, ("words", group), ("group", head.about)):
            system = None if point["row"] in _FIXED_LOOKS else point["row"]
            href = permalinks.examples(words=f"{first}-{last or first}", system=system)
            points.append({**point, "group": group, "href": href})
    low = _quantity("low", title=label, scale={"zero": False})
    return {
        "height": 300,
        "config": _CONFIG,
        "data": {"values": points},
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
            "color": _by_row(names, 0),
            **_DESCRIPTION,
        },
        "layer": _intervals("y", low, names, href={"field": "href"}),
    }


def distribution(
    what: Distribution,
    values: Sequence[Floats],
    names: Sequence[str],
    systems: Collection[str] = (),
) -> Spec:
    """Plot a histogram with its median for each row; bars of ``systems`` link to examples."""
    last, end = what.bins - 1, what.width * what.bins
    if what.beyond:  # the last bar stands apart, as its values do
        end += what.width
    bars, medians, places = [], [], 3 if what.width < 1 else 0
    for i, (name, row_values) in enumerate(zip(names, values, strict=True)):
        # Steps of whole widths are not exact in floats: 0.15 belongs to the bin that begins there.
        place = np.minimum(np.floor(row_values / what.width + 1e-9), last).astype(int)
        shares = np.bincount(place, minlength=what.bins) / len(row_values)
        for bin_ in np.flatnonzero(shares).tolist():
            low, high = (number(what.width * (bin_ + j), min(2, places)) for j in range(2))
            apart = what.beyond and bin_ == last
            x = what.width * (bin_ + apart)
            to = " and more" if apart else f"–{high}"
            share = f"{number(100 * shares[bin_], 1)} %"
            bars.append(
                {
                    "row": name,
                    "x": round(x, 4),
                    "x2": round(x + what.width, 4),
                    "y": i + 1,
                    "y2": round(i + 1 - 0.6 * shares[bin_] / shares.max(), 4),
                    "href": _to_bin(what, bin_, name) if name in systems else None,
                    "tip": _tip(name, (what.label.lower(), low + to), ("share", share)),
                }
            )
        median = float(np.median(row_values))
        medians.append(
            {
                "row": name,
                "x": round(min(median, end), 4),
                "y": i + 1,
                "y2": i + 0.35,
                "tip": _tip(name, ("median", number(median, min(2, places) or 1))),
            }
        )
    x_axis = _x(what.axis, "x", domain=[0, round(end, 4)])
    if what.beyond:
        ticks = [round(10 * what.width * i, 4) for i in range(last // 10)]
        beyond = f"datum.value > {ticks[-1]} ? '{what.width * last:g}+' : datum.label"
        x_axis["axis"] = {"values": [*ticks, round(end - what.width / 2, 4)], "labelExpr": beyond}
    return {
        "height": 54 * len(names),
        "config": _CONFIG,
        "encoding": {"color": _by_row(names, 0)},
        "layer": [
            _bars(
                bars,
                x_axis,
                _lane(len(names)),
                href={"field": "href"},
                opacity={"value": 0.85},
                stroke={"value": "var(--page)"},
                strokeWidth={"value": 0.5},
            ),
            {
                "data": {"values": medians},
                "mark": {"type": "rule", "strokeWidth": 2, "aria": True},
                "encoding": {
                    "x": _quantity("x"),
                    "y": _lane(len(names)),
                    "y2": {"field": "y2"},
                    "color": {"value": "var(--ink)"},
                    **_DESCRIPTION,
                },
            },
            _labels(names, 0.3),
        ],
    }


def _to_bin(what: Distribution, bin_: int, name: str) -> str:
    """Link to the examples of a bar; the last one has no upper bound."""
    low, high = (f"{round(what.width * (bin_ + i), 4):g}" for i in range(2))
    within = f"{what.metric}.{what.key}:{low}:{'' if bin_ == what.bins - 1 else high}"
    return permalinks.examples(range=within, system=name)


def _bars(values: Sequence[Spec], x: Spec, y: Spec, **encoding: Spec) -> Spec:
    """A layer of bars from x to x2 and from y to y2."""
    places = {"x": x, "x2": {"field": "x2"}, "y": y, "y2": {"field": "y2"}}
    return {
        "data": {"values": values},
        "mark": {"type": "rect", "aria": True},
        "encoding": {**places, **_DESCRIPTION, **encoding},
    }


def operations(shares: Sequence[dict[str, float]], names: Sequence[str]) -> Spec:
    """Plot kept, replaced, deleted and inserted words as shares of all operations."""
    bars = [
        {label: row_shares[name] for name, label in OPERATIONS.items()} for row_shares in shares
    ]
    return stacked(bars, names, [f"var(--{name})" for name in OPERATIONS], "% of operations")


def profiles(
    metric: Metric, rows: Sequence[Mapping[str, float]], names: Sequence[str]
) -> dict[str, Spec]:
    """Plot words by difficulty, from easy to unknown, as shares of all words: caption → plot."""
    bars = {}
    for caption, keys in metric.profiles.items():
        if keys[0] in metric.score_names():
            shares = [{metric.find_score(key).title: row[key] for key in keys} for row in rows]
            colors = [*(f"var(--p{i})" for i in range(len(keys) - 1)), "var(--keep)"]
            bars[caption] = stacked(shares, names, colors, "% of words")
    return bars


def stacked(
    shares: Sequence[dict[str, float]],
    names: Sequence[str],
    colors: Sequence[str],
    axis: str,
    what: str = "words",
) -> Spec:
    """Plot a stacked bar of shares for every row."""
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
                    "tip": _tip(name, (what, label), ("share", f"{number(share, 1)} %")),
                    "shown": f"{number(share, 0)}" if share >= 6 else "",
                    "middle": round(start + share / 2, 3),
                    "centre": i + 0.725,
                }
            )
            start += share
    lane = _lane(len(names))
    widest = 25 + 6 * max(map(len, labels))  # pixels of a label, with its square
    columns = {"expr": f"clamp(floor(width / {widest}), 1, 6)"}
    color = {
        "field": "part",
        "type": "nominal",
        "sort": labels,
        "scale": {"domain": labels, "range": [*colors]},
        "legend": {"orient": "top", "title": None, "columns": columns},
    }
    return {
        "height": 44 * len(names),
        "config": _CONFIG,
        "layer": [
            _bars(bars, _x(axis, "x", domain=[0, 100]), lane, color=color),
            {
                "data": {"values": bars},
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {
                    "x": _quantity("middle"),
                    "y": {**lane, "field": "centre"},
                    "text": {"field": "shown"},
                    "color": {"value": "var(--on-operation)"},
                },
            },
            _labels(names, 0.42),
        ],
    }


def _points(table: Grid, column: int, label: str, *facts: tuple[str, object]) -> list[Spec]:
    """List the scores of a column with the bounds of their intervals; tips have these facts."""
    points = []
    for name, *cells in table.rows:
        cell = cells[column]
        if cell.value is not None and cell.bounds is not None:
            low, high = cell.bounds
            points.append(
                {
                    "row": name.text,
                    "score": round(cell.value, 4),
                    "low": round(low, 4),
                    "high": round(high, 4),
                    "tip": _tip(name.text, (label, cell.text), *facts, ("interval", cell.small[0])),
                }
            )
    return points


def _x(title: str, field: str, domain: list[float] | None = None) -> Spec:
    scale: Spec = (
        {"zero": False, "padding": 8} if domain is None else {"domain": domain, "nice": False}
    )
    return _quantity(field, title=title, scale=scale)


def _lane(count: int) -> Spec:
    """A y axis with a unit for each row, not drawn."""
    scale = {"domain": [0, count], "reverse": True, "nice": False, "zero": False}
    return _quantity("y", scale=scale, axis=None)


def _labels(names: Sequence[str], top: float) -> Spec:
    """A layer with the names of rows above their marks, where phones have room too."""
    labels = [{"label": system_names.clean(x), "top": i + top} for i, x in enumerate(names)]
    return {
        "data": {"values": labels},
        "mark": {"type": "text", "align": "left", "baseline": "bottom"},
        "encoding": {
            "x": {"value": 0},
            "y": {**_lane(len(names)), "field": "top"},
            "text": {"field": "label"},
            "color": {"value": "var(--ink)"},
        },
    }


def _tip(name: str, *lines: tuple[str, object]) -> str:
    """The tooltip of a mark: the name, then lines."""
    text = "\n".join([system_names.clean(name), *(f"{what}: {value}" for what, value in lines)])
    return _TIP_PREFIX + text


_DESCRIPTION: Spec = {"description": {"field": "tip"}}


def _quantity(name: str, **more: Any) -> Spec:
    return {"field": name, "type": "quantitative", **more}


def _intervals(axis: str, low: Spec, names: Sequence[str], **encoding: Spec) -> list[Spec]:
    """The layers of intervals along an axis and of scores, a shape for each row."""
    rule = {"type": "rule", "strokeWidth": 2, "aria": True}
    point = {"type": "point", "filled": True, "size": 70, "opacity": 1, "aria": True}
    score = {axis: _quantity("score"), "shape": _by_row(names, 1), **encoding}
    return [
        {"mark": rule, "encoding": {axis: low, f"{axis}2": {"field": "high"}}},
        {"mark": point, "encoding": score},
    ]


def _by_row(names: Sequence[str], look: int) -> Spec:
    """The colours (0) or shapes (1) of rows; without names one for all."""
    if not names:
        return {"value": ("var(--ink)", "circle")[look]}
    scale = {"domain": [*names], "range": [row[look] for row in looks(names)]}
    return {"field": "row", "type": "nominal", "scale": scale, "legend": None}
