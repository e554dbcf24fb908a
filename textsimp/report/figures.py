"""Figures for papers: charts of scores, in the width of a column or page, and their files."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.tables import format_records
from textsimp.corpora.row_ids import Missing
from textsimp.metrics.catalogue import Metrics
from textsimp.report import chart_rows, charts
from textsimp.report.chart_rows import Measured, measure_systems
from textsimp.report.charts import APART, Chart
from textsimp.scoring import lengths
from textsimp.support import extensions
from textsimp.support.errors import InputError, check_choice, check_switch, take_either
from textsimp.support.files import check_new, write_files
from textsimp.support.imports import require

__all__ = ["check_paths", "figure", "finish", "join_axes", "write"]

Width = Literal["column", "page"]
WIDTHS = {"column": 219, "page": 455}
"""Width of a paper's column or page, in points of TeX, of which an inch has 72.27."""
POINT = 72 / 72.27  # in points of PDF and CSS
KINDS = {
    "scores": "Scores of systems with intervals, a row per system.",
    "two": "One score of systems against another.",
    "operations": "Shares of words that systems keep, replace, delete and insert.",
    "lengths": "Scores of systems by length of the source.",
    "distributions": "Distributions of the scores of single outputs.",
}
"""Kind → a line on it; extensions have others."""
ENDINGS = (".pdf", ".svg", ".png", ".html")
MOST_LINES = 4  # of systems with names
PIXELS = 300 / 72.27  # of .png, for each point: 300 dpi

_DEFAULTS = {
    "operations": "edit_ops(tokenizer=13a)",
    "distributions": "simplification_stats.compression_ratio, "
    "simplification_stats.levenshtein_similarity",
}
"""Kind → its metrics, unless others are chosen."""


@take_either("metrics", "metric")
def figure(
    kind: str,
    systems: Mapping[str, Any] | Examples,
    *,
    sources: Any = None,
    references: Any = None,
    ids: Any = None,
    missing: Missing = "error",
    metrics: Metrics | None = None,
    published: bool = False,
    baselines: bool = True,
    width: Width = "column",
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Any:
    """Draw a figure for a paper.

    `textsimp.report.figures.write` writes it to a file.

    Args:
        kind: ``"scores"``, a row per system; ``"two"``, one score against another;
            ``"operations"``, the words that systems keep, replace, delete and insert;
            ``"lengths"``, scores by length of the source; ``"distributions"``, of the scores of
            single outputs; or a kind of an extension, such as ``"people"``.
        systems: Name → predictions, one per source, see `textsimp.score`; or all columns as
            `Examples`.
        sources: The original texts.
        references: One or more reference simplifications per source.
        ids: An id of each source, see `textsimp.score`.
        missing: What becomes of ids that a system lacks, see `textsimp.score`.
        metrics: Metrics or their scores, such as ``"sari, sari.keep"``, a panel each. By default
            SARI; of ``"distributions"`` compression and similarity to the source.
        published: Also the published systems with the nearest scores, if the test set is ASSET,
            TurkCorpus or WikiSmall; of kind ``"scores"``.
        baselines: Also the sources, unchanged and truncated, if there are any; of kinds
            ``"scores"``, ``"two"`` and ``"lengths"``.
        width: ``"column"``, 219 pt, or ``"page"``, 455 pt.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples.
        seed: Seed of the resamples.
        **options: ``variant``, ``language`` and other options of the metrics, see
            `textsimp.score`; and of an extension's kind what it reads, such as ``ratings``.

    Returns:
        An Altair chart. Its data are the numbers, a row for each mark.

    Example:
        >>> import textsimp
        >>> chart = textsimp.figure(
        ...     "scores",
        ...     {"ours": ["A cat sat on it."], "theirs": ["A cat sat."]},
        ...     sources=["A feline sat on it."],
        ...     references=["A cat sat on it."],
        ... )
        >>> [(row["system"], round(row["value"], 1)) for row in chart.data.values][:2]
        [('ours', 100.0), ('theirs', 46.6)]
    """
    check_choice("width", width, [*WIDTHS])
    check_switch("published", published)
    arguments = {
        "sources": sources,
        "references": references,
        "ids": ids,
        "missing": missing,
        "confidence": confidence,
        "resamples": resamples,
        "seed": seed,
        **options,
    }
    own = extensions.load("figures", kind) if kind not in KINDS else None
    if own is not None:
        arguments |= {"metrics": metrics, "width": width, "baselines": baselines}
        return finish(own(systems, **arguments), WIDTHS[width], kind)
    check_choice("kind", kind, [*KINDS, *extensions.declarations("figures")])
    if published and kind != "scores":
        raise InputError(f"published: expected the kind 'scores', got {kind!r}")
    baselines = baselines and kind not in ("operations", "distributions")
    chosen = _DEFAULTS.get(kind, "sari") if metrics is None else metrics
    measured = measure_systems(systems, chosen, baselines=baselines, **arguments)
    chart = draw(kind, measured, width, published=published)
    return finish(chart, WIDTHS[width], KINDS[kind])


def draw(kind: str, measured: Measured, width: Width, *, published: bool = False) -> Chart:
    """Return a chart of a kind of the core."""
    axes = measured.axes()
    per_line = 2 if width == "column" else 4
    if kind == "operations":
        return _operations(measured, per_line)
    if kind == "lengths":
        rows = chart_rows.length_rows(measured)
        unit = lengths.unit(measured.sources())
        room = 75 if width == "page" else 68
        return charts.lines(rows, axes, _leaders(measured), unit, per_line // 2, room)
    if kind == "distributions":
        rows = chart_rows.distribution_rows(measured)
        return charts.histograms(rows, axes, measured.order(rows), per_line)
    rows = chart_rows.score_rows(measured, published=published)
    if kind == "two":
        if len(axes) != 2:
            raise InputError(f"metrics: expected two for the kind 'two', got {len(axes)}")
        x, y = axes.values()
        return charts.scatter(join_axes(rows, [*axes]), {"": (x, y)})
    return charts.forest(rows, axes, measured.order(rows), per_line)


def join_axes(rows: charts.Rows, names: list[str]) -> list[dict[str, Any]]:
    """Return a row per system, with a score as x and another as y, from rows of both."""
    joined: dict[str, dict[str, Any]] = {}
    for name, side in zip(names, "xy", strict=True):
        for row in rows:
            if row["metric"] == name:
                about = {key: row[key] for key in ("system", "label", "kind")}
                own = joined.setdefault(row["system"], about)
                own |= {side: row["value"], f"{side}_low": row["low"], f"{side}_high": row["high"]}
    both = [row for row in joined.values() if "x" in row and "y" in row]
    return sorted(both, key=lambda row: (row["kind"] != "baseline", -row["x"]))


def _operations(measured: Measured, columns: int) -> Chart:
    """Return the chart of operations, systems in the order of what they keep."""
    for quantity in measured.quantities:
        if quantity.measured.metric.name != "edit_ops" or len(measured.quantities) > 1:
            raise InputError(f"metrics: expected edit_ops, got {quantity.name}")
    rows = chart_rows.operation_rows(measured)
    names = [*dict.fromkeys(row["label"] for row in rows)]
    return charts.bars(rows, names, columns)


def _leaders(measured: Measured) -> dict[str, str]:
    """Return label → kind of those that are named beside lines: the best systems, baselines."""
    scores = chart_rows.score_rows(replace(measured, sampling={}))
    order, kinds = measured.order(scores), {row["label"]: row["kind"] for row in scores}
    apart = [name for name in order if kinds[name] in APART]
    systems = [name for name in order if name not in apart]
    return {name: kinds[name] for name in [*systems[:MOST_LINES], *apart]}


# Sizes and files ----------------------------------------------------------------------------------


def finish(chart: Chart, width: int, about: str = "") -> Any:
    """Return an Altair chart of a width in points: the panels fill what axes and names leave.

    Screen readers read what it is ``about``.
    """
    altair, convert = require("altair", "figures"), require("vl_convert", "figures")
    rows = {"values": [*chart.rows]}
    panel = width // (chart.across() + 1)
    for _ in range(6):
        spec = {**chart.draw(panel), "config": charts.CONFIG, "padding": 1, "description": about}
        picture = convert.vegalite_to_svg({**spec, "data": rows})
        rest = width - int(re.findall(r'<svg[^>]* width="(\d+)"', picture)[0])
        if 0 <= rest < 2 * chart.across():
            break
        panel += rest // chart.across()
    spec["padding"] = {**dict.fromkeys(("left", "top", "bottom"), 1), "right": 1 + rest}
    drawn = altair.Chart.from_dict({**spec, "data": {"values": []}})
    drawn.data = altair.InlineData(**rows)  # numbers needn't be validated, which is slow
    return drawn


def write(chart: Any, path: str | Path, *, overwrite: bool = True) -> None:
    """Write a figure to a file, and its numbers to a .csv file beside it.

    Args:
        chart: What `textsimp.figure` returned.
        path: A name that ends in .pdf, .svg, .png (300 dpi) or .html, which needs no network.
        overwrite: Whether the files may be there already.
    """
    check_switch("overwrite", overwrite)
    path, numbers = check_paths(path, overwrite=overwrite)
    table = format_records(str(numbers), chart.data.to_dict()["values"])
    write_files({path: render(chart, path.suffix), numbers: table.encode()}, overwrite=overwrite)


def check_paths(path: str | Path, *, overwrite: bool) -> tuple[Path, Path]:
    """Check the name of a figure's file, and return it and that of its numbers."""
    path = Path(path)
    if path.suffix not in ENDINGS:
        raise InputError(f"{path}: expected a name that ends in {', '.join(ENDINGS)}")
    paths = path, path.with_suffix(".csv")
    check_new(paths, overwrite=overwrite)
    return paths


def render(chart: Any, ending: str) -> bytes:
    """Return the file of a figure."""
    if ending == ".html":
        page = str(chart.to_html(inline=True, json_kwds={"cls": _ScriptEncoder}))
        # Letters are small for a screen.
        return page.replace("<head>", "<head><style>body { zoom: 1.75 }</style>", 1).encode()
    convert = require("vl_convert", "figures")
    picture = convert.vegalite_to_svg(chart.to_dict())
    if ending == ".svg":
        return _resize(picture, "pt").encode()
    if ending == ".png":
        return bytes(convert.svg_to_png(picture, PIXELS))
    return bytes(convert.svg_to_pdf(_resize(picture)))


class _ScriptEncoder(json.JSONEncoder):
    """Write JSON within a script, which no text of it ends."""

    def encode(self, o: Any) -> str:
        return super().encode(o).replace("<", r"\u003c")


def _resize(picture: str, unit: str = "") -> str:
    """Write the size of a picture in another unit; without one it is points of PDF."""
    for side in ("width", "height"):
        picture = re.sub(
            rf' {side}="(\d+)"',
            lambda size: f' {side}="{POINT * int(size[1]):.2f}{unit}"',  # noqa: B023
            picture,
            count=1,
        )
    return picture
