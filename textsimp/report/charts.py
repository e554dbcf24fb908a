"""Charts of figures, as specifications in Vega-Lite: sizes are points, colours differ in grey."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from statistics import median as median_of
from typing import Any

from textsimp.report.label_places import cut, place_labels, spread, text_width

__all__ = ["ARROWS", "Axis", "Chart", "forest", "scatter"]

Spec = dict[str, Any]
Rows = Sequence[Mapping[str, Any]]
Axes = Mapping[str, "Axis"]
"""Metric → its axis."""

INK, MUTED, PALE = "#222222", "#666666", "#dddddd"
LINES = (  # colour, shape and dashes of lines
    ("#0072b2", "circle", [1, 0]),
    ("#d55e00", "square", [4, 2]),
    ("#009e73", "triangle-up", [1, 1.5]),
    ("#aa3377", "diamond", [6, 2, 1, 2]),
    ("#56b4e9", "cross", [2, 2]),
)
BASELINES = (
    (MUTED, "triangle-right", [3, 1]),
    ("#999999", "triangle-left", [3, 3]),
    ("#444444", "triangle-down", [1, 3]),
)
KINDS = {  # kind of a row → colours of its edge and its inside, and its shape
    "system": (LINES[0][0], LINES[0][0], "circle"),
    "published": (LINES[1][0], "white", "diamond"),
    "references": (INK, INK, "cross"),
    "baseline": (MUTED, "white", "triangle-right"),
}
APART = ("references", "baseline")
"""Kinds of rows that stand below the systems."""
ARROWS = {"higher": " ↑", "lower": " ↓", "": ""}
"""What follows the title of a score whose higher or lower values are better."""
OPERATIONS = {  # name → colours of its bar, from light to dark, and of the text in it
    "kept": ("#e8e8e8", INK),
    "replaced": ("#9ecae1", INK),
    "deleted": ("#e08214", INK),
    "inserted": ("#08519c", "white"),
}
CONFIG: Spec = {
    "font": "Arial, Liberation Sans, Helvetica, sans-serif",
    "view": {"stroke": None},
    "axis": {
        **dict.fromkeys(("labelFontSize", "titleFontSize"), 8),
        **dict.fromkeys(("domainWidth", "gridWidth", "tickWidth"), 0.5),
        **dict.fromkeys(("domainColor", "tickColor"), MUTED),
        **dict.fromkeys(("labelColor", "titleColor"), INK),
        **dict.fromkeys(("labelFontWeight", "titleFontWeight"), "normal"),
        "gridColor": PALE,
        "labelPadding": 2,
        "tickSize": 3,
        "titlePadding": 4,
    },
    "header": {"labelFontSize": 8, "labelColor": INK, "title": None},
    "legend": {"labelFontSize": 8, "labelColor": INK, "symbolStrokeWidth": 0.5, "symbolSize": 60},
    "text": {"fontSize": 8, "color": INK},
}
POINT = {"type": "point", "size": 22, "strokeWidth": 0.8, "opacity": 1}
FILLED = {**POINT, "filled": True, "size": 18}
RULE = {"type": "rule", "strokeWidth": 0.9, "color": MUTED}
THIN = {"type": "rule", "strokeWidth": 0.6, "color": "#aaaaaa"}


@dataclass(frozen=True)
class Axis:
    """The axis of a score: its title, and whether it is in percent."""

    title: str
    share: bool = False

    def spec(self, length: float, *, upright: bool = False, **more: Any) -> Spec:
        """Return the axis in Vega-Lite, of a length in points.

        Arrows of an ``upright`` axis are turned with its title.
        """
        title = self.title.replace("↑", "→").replace("↓", "←") if upright else self.title
        start, bracket, end = title.partition(" (")
        lines = [start, f"({end}"] if bracket and text_width(title) > length else title
        percent = {"format": "~%"} if self.share else {}
        axis = {"tickCount": 4, "grid": True, "labelOverlap": "greedy", "labelSeparation": 2}
        return {"title": lines, **axis, **percent, **more}


@dataclass(frozen=True)
class Chart:
    """A figure: panels beside each other, in lines.

    Attributes:
        rows: Its numbers.
        panels: Name of a panel → what it is drawn by, such as its axis.
        draw_panel: Returns the specification of a panel, without the numbers, from its rows, that,
            its width in points, and whether it is the first of its line.
        per_line: The most panels beside each other.
        field: The field of rows that names their panel; rows without it are in all.
    """

    rows: Rows
    panels: Mapping[str, Any]
    draw_panel: Callable[[Rows, Any, float, bool], Spec]
    per_line: int = 1
    field: str = "metric"

    def across(self) -> int:
        """Return how many panels stand beside each other."""
        return min(self.per_line, len(self.panels))

    def draw(self, width: float) -> Spec:
        """Return the specification, from the width of a panel in points."""
        panels = []
        for i, (name, about) in enumerate(self.panels.items()):
            rows = [row for row in self.rows if row.get(self.field, name) == name]
            panels.append(self.draw_panel(rows, about, width, i % self.per_line == 0))
            if len(rows) < len(self.rows):
                panels[-1]["transform"] = [{"filter": {"field": self.field, "equal": name}}]
        if len(panels) == 1:
            return panels[0]
        starts = range(0, len(panels), self.per_line)
        lines = [{"hconcat": panels[i : i + self.per_line], "spacing": 10} for i in starts]
        return lines[0] if len(lines) == 1 else {"vconcat": lines, "spacing": 12}


# Parts of specifications --------------------------------------------------------------------------


def quantity(field: str, domain: Sequence[float], axis: Spec | None) -> Spec:
    """Return the encoding of a number."""
    scale = {"domain": [*domain], "nice": False, "zero": False}
    return {"field": field, "type": "quantitative", "scale": scale, "axis": axis}


def name(field: str, values: Mapping[str, Any], **more: Any) -> Spec:
    """Return the encoding of a name: name → colour, shape or the like."""
    scale = {"domain": [*values], "range": [*values.values()]}
    return {"field": field, "type": "nominal", "scale": scale, "legend": None, **more}


def layer(mark: Spec, encoding: Spec, rows: Rows | None = None) -> Spec:
    """Return a layer: a mark of the rows of its panel, or of other ``rows``."""
    own = {} if rows is None else {"data": {"values": [*rows]}}
    return {**own, "mark": mark, "encoding": encoding}


def by_kind() -> Spec:
    """Return encodings of the look of a row's mark."""
    return {
        channel: name("kind", {kind: look[i] for kind, look in KINDS.items()})
        for i, channel in enumerate(("stroke", "fill", "shape"))
    }


def limits(rows: Rows, low: str = "low", high: str = "high") -> list[float]:
    """Return the domain of a scale that has room for all intervals."""
    least, most = min(row[low] for row in rows), max(row[high] for row in rows)
    room = 0.04 * (most - least) or 0.04 * abs(most) or 1
    return [least - room, most + room]


def names_axis(names: Sequence[str], rows: Rows, labels: bool) -> Spec:
    """Return the vertical axis of names; those of baselines and references stand apart."""
    apart = {row["label"] for row in rows if row["kind"] in APART}
    systems = [name for name in names if name not in apart]
    rest = [name for name in names if name in apart]
    shown = [*systems, " ", *rest] if systems and rest else [*systems, *rest]
    axis = {"title": None, "ticks": False, "domain": False, "labels": labels, "labelLimit": 130}
    return {"field": "label", "type": "nominal", "scale": {"domain": shown}, "axis": axis}


def step(names: Sequence[str]) -> Spec:
    """Return the height of a panel with a row per name."""
    return {"step": 12 if len(names) <= 20 else 10}


# A row per system ---------------------------------------------------------------------------------


def forest(
    rows: Rows, axes: Axes, names: Sequence[str], per_line: int, *, r: bool = False
) -> Chart:
    """Draw a row per name with its interval, and a panel per score.

    Args:
        rows: With ``label``, ``kind``, ``metric``, ``value``, ``low`` and ``high``.
        axes: The panels.
        names: The labels, from the top.
        per_line: The most panels beside each other.
        r: Whether values are correlations: all panels have one scale, and a line at 0.
    """

    def draw_panel(own: Rows, axis: Axis, width: float, labels: bool) -> Spec:
        domain, shown = limits(rows if r else own), axis.spec(width)
        low, value = (quantity(field, domain, shown) for field in ("low", "value"))
        y = names_axis(names, rows, labels)
        layers = [
            layer(RULE, {"x": low, "x2": {"field": "high"}, "y": y}),
            layer(POINT, {"x": value, "y": y, **by_kind()}),
        ]
        if r:
            layers.insert(0, layer({**THIN, "color": INK}, {"x": {"datum": 0}}, rows=[{}]))
        return {"width": width, "height": step(names), "layer": layers}

    return Chart(rows, axes, draw_panel, per_line)


def bars(rows: Rows, names: Sequence[str], columns: int) -> Chart:
    """Draw a bar of operations per name, with percentages; the legend has so many columns."""
    legend = {"orient": "top", "symbolType": "square", "columnPadding": 8, "offset": 2}
    legend |= {"title": None, "columns": columns}
    fills, inks = ({key: look[i] for key, look in OPERATIONS.items()} for i in (0, 1))
    bar = {"type": "bar", "stroke": "white", "strokeWidth": 0.5}
    text = {"type": "text", "fontSize": 7}
    middle = {"calculate": "(datum.start + datum.end) / 2", "as": "middle"}

    def draw_panel(_: Rows, axis: Axis, width: float, labels: bool) -> Spec:
        shown, y = axis.spec(width, grid=False), names_axis(names, rows, labels)
        x = {key: quantity(key, (0, 1), shown) for key in ("start", "middle")}
        fill, ink = name("operation", fills, legend=legend), name("operation", inks)
        share = {"value": {"expr": "format(100 * datum.share, '.0f')"}}
        layers = [
            layer(bar, {"x": x["start"], "x2": {"field": "end"}, "y": y, "color": fill}),
            layer(text, {"x": x["middle"], "y": y, "text": share, "fill": ink}),
        ]
        layers[1]["transform"] = [{"filter": f"datum.share * {width} > 14"}, middle]
        scales = {"scale": {"fill": "independent"}}
        return {"width": width, "height": step(names), "layer": layers, "resolve": scales}

    return Chart(rows, {"": Axis("Share of operations", share=True)}, draw_panel)


def histograms(rows: Rows, axes: Axes, names: Sequence[str], per_line: int) -> Chart:
    """Draw the distribution of each score and system, with its median; a scale per score.

    Bars are cut above twice the median of the highest ones; so a copy doesn't flatten the others.
    """
    bar = {"type": "rect", "color": LINES[0][0], "stroke": "white", "strokeWidth": 0.3}
    line = {"type": "rule", "color": INK, "strokeWidth": 1.2}

    def draw_panel(own: Rows, axis: Axis, width: float, labels: bool) -> Spec:
        domain = [min(row["low"] for row in own), max(row["high"] for row in own)]
        shown = axis.spec(width, grid=False)
        low, median = (quantity(field, domain, shown) for field in ("low", "median"))
        peaks = [max(row["share"] for row in own if row["label"] == n) for n in names]
        y = quantity("share", (0, min(max(peaks), 2 * median_of(peaks))), None)
        for encoding in (low, median, y):
            encoding["scale"]["clamp"] = True
        header = {"labels": labels, "labelAngle": 0, "labelAlign": "left", "labelPadding": 4}
        layers = [
            layer(bar, {"x": low, "x2": {"field": "high"}, "y": y, "y2": {"datum": 0}}),
            layer(line, {"x": median}),
        ]
        facet = {"field": "label", "type": "nominal", "sort": [*names], "header": header}
        height, spacing = (24, 3) if len(names) <= 6 else (16, 3) if len(names) <= 20 else (9, 0)
        spec = {"width": width, "height": height, "layer": layers}
        return {"facet": {"row": facet}, "spec": spec, "spacing": spacing, "bounds": "flush"}

    return Chart(rows, axes, draw_panel, per_line)


# Two scales ---------------------------------------------------------------------------------------


def scatter(rows: Rows, panels: Mapping[str, tuple[Axis, Axis]], per_line: int = 1) -> Chart:
    """Draw a score against another, both with intervals, and names beside the points.

    Args:
        rows: With ``label``, ``kind`` and ``x``, ``x_low``, ``x_high``, ``y`` and so on, and
            ``panel``, unless there is a single one.
        panels: Name of a panel → the horizontal and the vertical axis.
        per_line: The most panels beside each other.
    """

    def draw_panel(own: Rows, axes: tuple[Axis, Axis], width: float, _: bool) -> Spec:
        domains = [limits(own, f"{side}_low", f"{side}_high") for side in "xy"]
        height = round(0.8 * width)
        across, up = axes[0].spec(width), axes[1].spec(height, upright=True)
        x = {key: quantity(key, domains[0], across) for key in ("x", "x_low", "at_x")}
        y = {key: quantity(key, domains[1], up) for key in ("y", "y_low", "at_y")}
        places = place_labels(own, domains, width, height)
        far = [row for row in places if row["far"]]
        text, edge = {"type": "text"}, {"type": "text", "stroke": "white", "strokeWidth": 2}
        label = {"x": x["at_x"], "y": y["at_y"], "text": {"field": "label"}}
        point = {"x": x["x"], "y": y["y"]}
        to = {"x2": {"field": "at_x"}, "y2": {"field": "at_y"}}
        layers = [
            layer(THIN, {"x": x["x_low"], "x2": {"field": "x_high"}, "y": y["y"]}),
            layer(THIN, {"x": x["x"], "y": y["y_low"], "y2": {"field": "y_high"}}),
            layer({**THIN, "color": INK}, {**point, **to}, rows=far),
            layer(POINT, {**point, **by_kind()}),
            layer(edge, label, rows=places),
            layer(text, label, rows=places),
        ]
        return {"width": width, "height": height, "layer": layers}

    return Chart(rows, panels, draw_panel, per_line, "panel")


def lines(
    rows: Rows, axes: Axes, named: Mapping[str, str], unit: str, per_line: int, room: float
) -> Chart:
    """Draw scores by length: a line per name with its intervals, those of other names thin.

    Args:
        rows: With ``label``, ``metric``, ``length``, ``value``, ``low`` and ``high``.
        axes: The panels.
        named: The labels that stand beside lines → their kinds.
        unit: What lengths are counted in.
        per_line: The most panels beside each other.
        room: The most points for a label.
    """
    groups = [*dict.fromkeys(row["length"] for row in rows)]
    about = {"title": f"Length of the source ({unit})", "labelAngle": 0, "grid": False}
    about |= {"labelFontSize": 7, "labelOverlap": False}
    x = {"field": "length", "type": "ordinal", "sort": groups, "axis": about}

    def draw_panel(own: Rows, axis: Axis, width: float, _: bool) -> Spec:
        domain, height = limits(own), min(round(0.75 * width), 150)
        shown = axis.spec(height, upright=True)
        y = {key: quantity(key, domain, shown) for key in ("value", "low", "at")}
        ends = {row["label"]: row["value"] for row in own if row["length"] == groups[-1]}
        places = spread({n: ends[n] for n in named if n in ends}, domain, height)
        labels = [{"label": n, "at": at, "shown": cut(n, room)} for n, at in places.items()]
        layers = _draw_lines(x, y, named, labels, width + 6)
        return {"width": width, "height": height, "layer": layers}

    return Chart(rows, axes, draw_panel, per_line)


def _draw_lines(
    x: Spec, y: Mapping[str, Spec], named: Mapping[str, str], labels: Rows, right: float
) -> list[Spec]:
    """Return layers of lines and, ``right`` of them, names.

    Named lines have marks, and intervals beside each other.
    """
    own, rest = cycle(LINES), cycle(BASELINES)
    looks = {label: next(rest if kind == "baseline" else own) for label, kind in named.items()}
    colour, shape, dash = (
        name("label", {label: look[i] for label, look in looks.items()}) for i in range(3)
    )
    offset: Spec = {"field": "label", "type": "nominal"}
    offset |= {"scale": {"domain": [*named], "paddingOuter": 1}}
    place = {"x": x, "xOffset": offset, "color": colour}
    value, at = {**place, "y": y["value"]}, {"x": {"value": right}, "y": y["at"]}
    stroke = {"type": "line", "strokeWidth": 1.1}
    pale = {"type": "line", "strokeWidth": 0.4, "color": "#bbbbbb"}
    text = {"type": "text", "align": "left", "dx": 5}
    others = layer(pale, {"x": x, "y": y["value"], "detail": {"field": "label"}})
    lines = [
        layer({**RULE, "strokeWidth": 0.7}, {**place, "y": y["low"], "y2": {"field": "high"}}),
        layer(stroke, {**value, "strokeDash": dash}),
        layer(FILLED, {**value, "shape": shape}),
    ]
    condition = {"field": "label", "oneOf": [*named]}
    others["transform"] = [{"filter": {"not": condition}}]
    for line in lines:
        line["transform"] = [{"filter": condition}]
    marks = layer(FILLED, {**at, "color": colour, "shape": shape}, labels)
    return [others, *lines, marks, layer(text, {**at, "text": {"field": "shown"}}, labels)]
