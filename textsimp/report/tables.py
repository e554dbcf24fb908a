"""The report's tables, as plain data: the template only lays them out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from textsimp import significance, tables
from textsimp.metric import Floats, Metric
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.report.rows import DESCRIBING, Data, Measured, Measurements, Row, Sampling, Values
from textsimp.significance import Difference
from textsimp.tables import p_value
from textsimp.text.alignment import COUNTED

Pair = tuple[int, int]
Mark = Literal["", "best", "tied"]

LENGTHS = 5  # groups of sources at most
_LEAST = 10  # sources in a group at least


@dataclass(frozen=True)
class Column:
    """A column of scores.

    Attributes:
        key: The score's name.
        label: What people call it.
        help: What it is.
        scale: What values are multiplied by.
        places: Decimals; None for what its numbers ask for.
        text: Whether it has texts, not numbers.
        lower: Whether lower values are better.
    """

    key: str
    label: str
    help: str = ""
    scale: float = 1
    places: int | None = None
    text: bool = False
    lower: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell: what is shown, what it is sorted by, and what goes with it."""

    text: str
    value: float | None = None
    bounds: tuple[float, float] | None = None
    interval: str = ""
    mark: Mark = ""


@dataclass(frozen=True)
class Line:
    """A line of a table; its kind says what it is about."""

    name: str
    kind: str
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    """A table whose first column has names."""

    id: str
    caption: str
    first: str
    columns: list[Column]
    lines: list[Line]


_SHOWN = {
    "word_difficulty": ("mean_zipf", "rare_share"),
    "information_errors": ("information_errors", *(f"{category}_rate" for category in CATEGORIES)),
}
"""Metric that may be asked for → its scores that are shown, unless all that judge."""


def number(value: float, places: int, sign: bool = False) -> str:
    """A number, with a real minus sign.

    >>> number(-1234.5, 1)
    '−1,234.5'
    """
    return tables.number(value, places, sign, minus="−")


def _interval(bounds: tuple[float, float], places: int, sign: bool = False) -> str:
    return tables.interval(bounds, places, sign, minus="−")


def columns_of(metric: Metric) -> list[Column]:
    """The columns that show a metric: scores that describe, or else those that judge."""
    single = [name for name in metric.reported(()) if not metric.score_named(name).many]
    judging = [name for name in single if metric.score_named(name).better]
    shown = (DESCRIBING | _SHOWN).get(metric.name, judging or single)
    return [column_of(metric, name) for name in shown]


def column_of(metric: Metric, name: str) -> Column:
    """The column of a score, the main one labelled by the metric's variant."""
    score = metric.score_named(name)
    label = metric.titled(score.title) if score is metric.scores[0] else score.title
    lower = score.better == "lower"
    if score.unit == "share":
        return Column(name, f"{label},\u00a0%", score.about, 100, score.places, lower=lower)
    limits = "" if None in (score.least, score.most) else f"{score.least:g}–{score.most:g}"
    judged = f"{score.better} is better" if score is metric.scores[0] and score.better else ""
    help = "; ".join(filter(None, (", ".join(filter(None, (score.about, limits))), judged)))
    return Column(name, label, help, 1, score.places, lower=lower)


def score_table(
    metrics: Mapping[str, Metric],
    values: Mapping[str, list[Values]],
    differences: Mapping[str, Mapping[Pair, Mapping[str, Difference]]],
    data: Data,
    sampling: Sampling,
) -> Table:
    """Scores of metrics that judge; the best of a column marked if tests support it."""
    columns: list[Column] = []
    cells: list[list[Cell]] = []
    for name, metric in metrics.items():
        found = values[name]
        for column in columns_of(metric):
            marks = best(column, found, differences[name], data, sampling)
            columns.append(column)
            cells.append(_cells(column, found, marks))
    caption = f"Scores by references{', and by labels' if data.labels else ''}"
    return Table("scores", caption, "", columns, _lines(data.rows, cells))


def description_table(found: Measurements) -> Table:
    """What every row's texts are like."""
    named = [
        (name, column) for name, metric in found.describing.items() for column in columns_of(metric)
    ]
    columns = [column for _, column in named]
    cells = [_cells(column, found.values[name]) for name, column in named]
    lines = _lines(found.data.rows, cells)
    return Table("description", "What the texts are like", "", columns, lines)


def best(
    column: Column,
    values: Sequence[Values],
    differences: Mapping[Pair, Mapping[str, Difference]],
    data: Data,
    sampling: Sampling,
) -> dict[int, Mark]:
    """The best system if it differs from each other one, else those that don't differ from it.

    They differ where the paired permutation test's p-value, by Holm's method adjusted for the
    number of other systems, is below 1 − confidence; as in `textsimp.significance.best`.
    """
    systems = [i for i, row in enumerate(data.rows) if row.kind == "system"]
    if len(systems) < 2:
        return {}
    sign = -1 if column.lower else 1
    top = max(systems, key=lambda i: sign * values[i][column.key][0])
    tests = {
        i: {column.key: differences[min(i, top), max(i, top)][column.key]}
        for i in systems
        if i != top
    }
    p_values = {
        i: test[column.key].permutation_p_holm for i, test in significance.adjusted(tests).items()
    }
    level = 1 - sampling.confidence
    tied = [i for i, p in p_values.items() if p is None or p >= level]
    return dict.fromkeys([top, *tied], "tied") if tied else {top: "best"}


def compare(
    measured: Measured, data: Data, sampling: Sampling, baselines: bool
) -> dict[Pair, dict[str, Difference]]:
    """Paired tests of all pairs of systems, and of systems and baselines: second − first row."""
    kinds = [row.kind for row in data.rows]
    kept = ("system", "baseline") if baselines else ("system",)
    found = {}
    for first, second in combinations([i for i, kind in enumerate(kinds) if kind in kept], 2):
        if kinds[first] != "system":
            continue
        (a,), (b,) = measured.matrices[first], measured.matrices[second]
        found[first, second] = significance.paired(
            measured.metric.reduce,
            a,
            b,
            confidence=sampling.confidence,
            resamples=sampling.resamples,
            seed=sampling.seed,
            of_resamples=measured.metric.reduce_resamples,
        )
    return found


def test_table(
    column: Column,
    differences: Mapping[Pair, Mapping[str, Difference]],
    values: Sequence[Values],
    data: Data,
) -> Table:
    """Paired tests of one score, the higher of two first."""
    lines = []
    tests = significance.adjusted(
        {pair: {column.key: found[column.key]} for pair, found in differences.items()}
    )
    several = len(tests) > 1
    for pair, found in tests.items():
        higher, lower = sorted(pair, key=lambda i: -values[i][column.key][0])
        sign = 1 if (higher, lower) == pair[::-1] else -1
        of_score = found[column.key]
        difference = sign * of_score.value
        least, most = sorted(sign * bound for bound in of_score.interval)
        lines.append(
            Line(
                data.rows[higher].name,
                "test",
                [
                    Cell(data.rows[lower].name),
                    Cell(
                        number(difference, 2, sign=True),
                        difference,
                        (least, most),
                        _interval((least, most), 2, sign=True),
                    ),
                    *(Cell(p_value(p), p) for p in of_score.p_values(several)),
                ],
            )
        )
    heads = significance.p_heads("p (bootstrap)", "p (permutation)", several)
    columns = [
        Column("", "Lower", text=True),
        Column("", "Difference"),
        *(Column("", head) for head in heads),
    ]
    return Table("tests", f"Paired tests of {column.label}", "Higher", columns, lines)


def operations_table(values: Sequence[Values], data: Data) -> Table:
    """Words inserted, deleted, replaced and kept, per example."""
    per_example = 1 / len(data.sources)
    columns = [
        Column(name, EditOps.score_named(name).title, "words per example", per_example, 1)
        for name in COUNTED
    ]
    moved = "words per example, counted as inserted and deleted too"
    columns += [
        Column("move", EditOps.score_named("move").title, moved, per_example, 1),
        Column("corpus_change_percentage", "Change percentage", "of all operations together", 1, 1),
    ]
    cells = [_cells(column, values) for column in columns]
    return Table("operations", "Edit operations", "", columns, _lines(data.rows, cells))


def profile_table(
    id: str, caption: str, metric: Metric, values: Sequence[Values], data: Data
) -> Table:
    """The shares of one of a metric's profiles."""
    columns = [column_of(metric, name) for name in metric.profiles[caption]]
    cells = [_cells(column, values) for column in columns]
    return Table(id, caption, "", columns, _lines(data.rows, cells))


def profile_shares(metric: Metric, caption: str, values: Values) -> dict[str, float]:
    """Title of a score → share."""
    return {metric.score_named(n).title: values[n][0] for n in metric.profiles[caption]}


def operation_shares(values: Values) -> dict[str, float]:
    """Operation → its share of insertions, deletions, replacements and keeps."""
    sums = {name: values[name][0] for name in COUNTED}
    return {name: value / sum(sums.values()) for name, value in sums.items()}


def quantile_table(
    key: str, label: str, places: int, values: Sequence[Floats], rows: Sequence[Row]
) -> Table:
    """Mean and quantiles of a quantity over all texts of every row."""
    shares = (5, 25, 50, 75, 95)
    columns = [Column("", "Mean"), *(Column("", f"{share} %") for share in shares)]
    lines = [
        Line(
            row.name,
            row.kind,
            [
                Cell(number(value, places), float(value))
                for value in (of_row.mean(), *np.percentile(of_row, shares))
            ],
        )
        for row, of_row in zip(rows, values, strict=True)
    ]
    return Table(f"{key}-table", f"{label}: mean and quantiles", "", columns, lines)


def facts(data: Data, values: Mapping[str, list[Values]]) -> list[tuple[str, str]]:
    """What the test set is like."""
    n = len(data.sources)
    words = [len(text.split()) for text in data.sources]
    source_sentences, _ = values["fkgl_components"][0]["source_sentences"]
    found = [
        ("Sources", f"{n:,}"),
        ("Words of a source", _spread(words)),
        ("Sentences of a source", f"{source_sentences / n:.2f} (mean)"),
    ]
    if data.references is not None:
        sizes = sorted(map(len, data.references))
        of_references = [len(text.split()) for row in data.references for text in row]
        at = [row.kind for row in data.rows].index("references")
        copies, _ = values["simplification_stats"][at]["exact_copies"]
        sentences, _ = values["fkgl_components"][at]["sentences"]
        found += [
            ("References of each", "–".join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))),
            ("Words of a reference", _spread(of_references)),
            ("Sentences of a reference", f"{sentences / n:.2f} (mean)"),
            ("References equal to their source", f"{100 * copies:.1f} %"),
        ]
    repeated = n - len(set(data.sources))
    return [*found, ("Repeated sources", f"{repeated:,}")] if repeated else found


def _spread(values: Sequence[int]) -> str:
    return f"{np.median(values):.0f} (median), {min(values)} to {max(values)}"


def length_groups(sources: Sequence[str]) -> list[tuple[str, NDArray[np.int64]]]:
    """Sources in up to five groups of about equal size by their number of words.

    Returns:
        The label of each, such as "12–17", and its examples.
    """
    lengths = np.array([len(text.split()) for text in sources])
    groups = min(LENGTHS, max(1, len(lengths) // _LEAST))
    edges = np.unique(np.quantile(lengths, np.arange(1, groups) / groups, method="lower"))
    place = np.searchsorted(edges, lengths, side="left")
    found = []
    for i in np.unique(place):
        examples = np.flatnonzero(place == i)
        low, high = lengths[examples].min(), lengths[examples].max()
        found.append((f"{low}–{high}" if low < high else f"{low}", examples))
    return found


def by_length(column: Column, measured: Measured, data: Data, sampling: Sampling) -> Table:
    """A score of every row in each group of sources."""
    groups = length_groups(data.sources)
    values = [measured.scores(sampling, chosen) for _, chosen in groups]
    columns = [
        Column(column.key, f"{label} words", f"{len(examples):,} sources")
        for label, examples in groups
    ]
    cells = [_cells(column, of_group) for column, of_group in zip(columns, values, strict=True)]
    return Table(
        "lengths", f"{column.label} by length of the source", "", columns, _lines(data.rows, cells)
    )


def _cells(
    column: Column, values: Sequence[Values], marks: Mapping[int, Mark] | None = None
) -> list[Cell]:
    """A column's cells, all with as many decimals; values: row → scores."""
    found = [of_row.get(column.key) for of_row in values]
    places = column.places
    if places is None:
        places = tables.places(column.scale * value[0] for value in found if value is not None)
    cells = []
    for i, value in enumerate(found):
        if value is None:
            cells.append(Cell("–"))
            continue
        score, (low, high) = column.scale * value[0], (column.scale * bound for bound in value[1])
        interval = _interval((low, high), places)
        mark = (marks or {}).get(i, "")
        cells.append(Cell(number(score, places), score, (low, high), interval, mark))
    return cells


def _lines(rows: Sequence[Row], columns: Sequence[Sequence[Cell]]) -> list[Line]:
    """Lines of a table from its columns."""
    return [
        Line(row.name, row.kind, list(cells))
        for row, cells in zip(rows, zip(*columns, strict=True), strict=True)
    ]
