"""The report's tables as plain data."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.core import significance, tables
from textsimp.core.metric import Metric
from textsimp.core.scores import BEST, UNDECIDED
from textsimp.core.significance import NO_DIFFERENCE, Difference
from textsimp.core.tables import p_value
from textsimp.metrics.information_errors import CATEGORIES
from textsimp.report import permalinks
from textsimp.report.report_ratings import MEAN, PREFIX, People
from textsimp.report.report_rows import DESCRIBING, Data, Measurements, Pair, Row, Values
from textsimp.scoring.score_columns import EQUAL, Column, column_of, number, visible_places
from textsimp.text.alignment import COUNTED

Mark = str  # "best", "undecided" or "unranked", see `best`; or empty

_SIGNS = {  # of marks
    "best": (BEST, "best"),
    "undecided": (UNDECIDED, "not significantly different"),
    "unranked": ("⚠", "not ranked"),
}

MAX_LENGTH_GROUPS = 5  # groups of sources at most
_MIN_SOURCES = 10  # sources in a group at least


@dataclass(frozen=True)
class Cell:
    """A cell of a table."""

    text: str  # the number
    value: float | None = None  # what it is sorted by
    bounds: tuple[float, float] | None = None  # of its interval
    interval: str = ""  # the same as text
    mark: Mark = ""  # of the best system, and of those that do not differ significantly from it
    signs: Sequence[tuple[str, str, str]] = ()  # class, sign and words that show the mark
    # Of a difference: Holm's p-value such as "p = 0.012", what the test says, and examples.
    p: str = ""
    verdict: Literal["", "better", "worse", "alike"] = ""  # "alike" if it isn't significant
    href: str = ""  # the examples that explain it; empty where there are none
    about: str = ""  # what they are


@dataclass(frozen=True)
class Line:
    """A line of a table, with the name and kind of its row."""

    name: str
    kind: str
    cells: list[Cell]


@dataclass(frozen=True)
class Table:
    """A table whose first column has names."""

    id: str
    caption: str  # what it is called
    columns: list[Column]  # all but the names
    lines: list[Line]  # one below the other
    metrics: Sequence[str] = ()  # whose scores it has, by name
    head: str = "Texts"  # of the names


@dataclass(frozen=True)
class Matrix:
    """Paired tests of one score, each system minus every other row."""

    id: str  # of the table
    column: Column  # the score
    heads: Sequence[tuple[str, str]]  # name and kind of each column's row of the report
    # A system's name and score, and its tests; None against itself.
    lines: Sequence[tuple[str, str, Sequence[Cell | None]]]
    tests: int  # how many there are


_SHOWN = {
    "word_difficulty": ("rare_share",),
    "information_errors": ("information_errors", *(f"{category}_rate" for category in CATEGORIES)),
}
"""Metric that may be asked for → its scores that are shown, unless all that judge."""
_STATS = "simplification_stats"
_OVERVIEW = (  # metric; score, its label beside others (else its own), factor, decimals
    ("fkgl_components", ("fkgl", "", 1, 1)),
    (_STATS, ("compression_ratio", "Length,\u00a0%", 100, 0)),
    (_STATS, ("sentence_splits", "Splits", 1, 2)),
    (_STATS, ("exact_copies", "Copies,\u00a0%", 100, 0)),
    (_STATS, ("additions_proportion", "Added,\u00a0%", 100, 0)),
    (_STATS, ("deletions_proportion", "Deleted,\u00a0%", 100, 0)),
    ("word_difficulty", ("rare_share", "Rare words,\u00a0%", 100, 1)),
)


def _interval(bounds: tuple[float, float], places: int, sign: bool = False) -> str:
    return tables.interval(bounds, places, sign, minus="−")


def columns_of(metric: Metric) -> list[Column]:
    """Choose the columns of a metric: scores with a direction, unless others are declared."""
    single = [name for name in metric.score_names(()) if not metric.find_score(name).many]
    judging = [name for name in single if metric.find_score(name).better]
    names = (DESCRIBING | _SHOWN).get(metric.name, judging or single)
    return [column_of(metric, name) for name in names]


def overview_table(measurements: Measurements) -> Table:
    """Make the table of what people compare first: main scores, length, edits, difficulty."""
    pairs = [(name, columns_of(metric)[0]) for name, metric in measurements.judging.items()]
    for name, (key, label, scale, places) in _OVERVIEW:
        if name in measurements.describing:
            column = column_of(measurements.describing[name], key)
            label = label or column.label
            pairs.append((name, replace(column, label=label, scale=scale, places=places)))
    return _table("overview", "Systems at a glance", pairs, measurements)


def score_table(measurements: Measurements) -> Table:
    """Make the table of scores of metrics with a direction."""
    labels, raters = measurements.data.labels, map(measurements.is_people, measurements.judging)
    parts = ["references"] + ["labels"] * bool(labels) + ["raters"] * any(raters)
    pairs = [(n, column) for n, m in measurements.judging.items() for column in columns_of(m)]
    return _table("scores", f"Scores by {', and by '.join(parts)}", pairs, measurements)


def people_table(measurements: Measurements, people: People) -> Table:
    """Make the table of people's mean ratings of the systems, or of their strengths."""
    criteria = people.ratings.criteria
    what = "Bradley–Terry strengths" if people.ratings.compares else "Mean ratings"
    pairs = [(f"{PREFIX}{n}", Column(MEAN, n, one.question)) for n, one in criteria.items()]
    table = _table("people", f"{what} of systems", pairs, measurements)
    return replace(table, lines=[line for line in table.lines if line.kind == "system"])


def description_table(measurements: Measurements) -> Table:
    """Make the table that describes every row's texts."""
    pairs = [(n, column) for n, m in measurements.describing.items() for column in columns_of(m)]
    return _table("description", "What the texts are like", pairs, measurements)


def _table(
    id: str, caption: str, pairs: Sequence[tuple[str, Column]], measurements: Measurements
) -> Table:
    """Make a table of metrics' scores, the best row first, with marks of systems."""
    cells = [
        _marked_cells(measurements, name, column)
        if name in measurements.judging
        else make_cells(column, measurements.values[name])
        for name, column in pairs
    ]
    lines = _lines(measurements.data.rows, cells)
    columns = [column for _, column in pairs]
    metrics = [*dict.fromkeys(name for name, _ in pairs)]
    return Table(id, caption, columns, [lines[i] for i in _by_score(measurements)], metrics)


def _marked_cells(measurements: Measurements, name: str, column: Column) -> list[Cell]:
    """Make a column's cells with the marks of systems."""
    rows, marks = measurements.data.rows, best(measurements, name, column)
    cells = make_cells(column, measurements.values[name], marks)
    for i, mark in marks.items():
        ahead = [] if mark == "unranked" else baselines_ahead(measurements, name, column, i)
        signs = signs_of(mark, [rows[j].name for j in ahead])
        cells[i] = replace(cells[i], signs=signs)
    return cells


def _by_score(measurements: Measurements) -> list[int]:
    """Order all rows by the main score, the best first, those without one last."""
    everything = range(len(measurements.data.rows))
    if not measurements.judging:
        return [*everything]
    main = columns_of(measurements.judging[measurements.first])[0]
    order = rank_rows(main, measurements.values[measurements.first], everything)
    return order + [i for i in everything if i not in order]


def rank_rows(column: Column, values: Sequence[Values], rows: Sequence[int]) -> list[int]:
    """Sort the rows that have this score, the best first; ties keep their order."""
    defined = [i for i in rows if not math.isnan(_score(column, values[i]))]
    return sorted(defined, key=lambda i: -column.gain(_score(column, values[i])))


def _score(column: Column, values: Values) -> float:
    return values[column.key][0] if column.key in values else math.nan


def adjust_tests(measurements: Measurements, name: str, column: Column) -> dict[Pair, Difference]:
    """Return (row, other row), either way → difference, adjusted for the tests of a question.

    Those of ratings are adjusted for all pairs of systems, as `textsimp ratings` does.
    """
    values, differences = measurements.values[name], measurements.differences[name]
    order = rank_rows(column, values, measurements.ranked)
    baselines = rank_rows(column, values, measurements.data.rows_of("baseline"))
    tests_by_pair = {}
    if measurements.is_people(name):
        for i, j in combinations(sorted(order), 2):
            own = differences[i, j][column.key] if (i, j) in differences else NO_DIFFERENCE
            tests_by_pair[j, i], tests_by_pair[i, j] = own, own.reversed
        return tests_by_pair
    for place, i in enumerate(order):
        for others in (order[place + 1 :], baselines):
            pairs = {j: (min(i, j), max(i, j)) for j in others}
            tests = {
                j: {"": differences[pair][column.key]}
                for j, pair in pairs.items()
                if pair in differences
            }
            for j, test in significance.adjust(tests).items():
                tests_by_pair[max(i, j), min(i, j)] = test[""]
                tests_by_pair[min(i, j), max(i, j)] = test[""].reversed
    return tests_by_pair


def differ(measurements: Measurements, name: str, test: Difference) -> bool:
    """Whether two rows differ significantly by the permutation test, with Holm's p-value.

    Intervals of ratings resample raters, too, so that they may contain 0 although p is small.
    """
    low, high = test.interval
    significant = test.is_significant(measurements.sampling.confidence)
    return significant and not (measurements.is_people(name) and low <= 0 <= high)


def best(measurements: Measurements, name: str, column: Column) -> dict[int, Mark]:
    """Mark the best system, or those that the tests don't tell apart; and those with errors."""
    values, ranked = measurements.values[name], measurements.ranked
    marks = dict.fromkeys({*measurements.data.rows_of("system")}.difference(ranked), "unranked")
    top, *others = rank_rows(column, values, ranked) or [-1]
    tests = adjust_tests(measurements, name, column)
    zeros = all(abs(_score(column, values[i])) < EQUAL for i in (top, *others))
    if not others or measurements.few(name) or zeros:
        return marks
    alike = [i for i in others if not differ(measurements, name, tests[top, i])]
    return marks | (dict.fromkeys([top, *alike], "undecided") if alike else {top: "best"})


def baselines_ahead(
    measurements: Measurements, name: str, column: Column, system: int
) -> list[int]:
    """List the baselines with a better score than a system, the best first."""
    values = measurements.values[name]
    least = column.gain(_score(column, values[system])) + EQUAL
    order = rank_rows(column, values, measurements.data.rows_of("baseline"))
    return [i for i in order if column.gain(_score(column, values[i])) > least]


def signs_of(mark: Mark, ahead: Sequence[str] = ()) -> list[tuple[str, str, str]]:
    """Return class, sign and words of each part of a mark, behind these baselines.

    >>> signs_of("best"), signs_of("best", ["source unchanged"])
    ([('best', '★', 'best')], [('behind', '▽', 'behind source unchanged')])
    """
    signs = [] if mark == "best" and ahead else [(mark, *_SIGNS[mark])]
    return signs + [("behind", "▽", f"behind {baseline}") for baseline in ahead[:1]]


def matrix(measurements: Measurements, name: str) -> Matrix:
    """Make the matrix of tests of a metric's main score: systems minus systems and baselines."""
    rows, values = measurements.data.rows, measurements.values[name]
    column = columns_of(measurements.judging[name])[0]
    order = rank_rows(column, values, measurements.ranked)
    baselines = rank_rows(column, values, measurements.data.rows_of("baseline"))
    tests = adjust_tests(measurements, name, column)
    against = [*order, *(j for j in baselines if any((i, j) in tests for i in order))]
    scores = make_cells(column, values)
    lines = []
    for i in order:
        cells = [
            _test_cell(name, column, tests[i, j], rows[i], rows[j], measurements)
            if (i, j) in tests and not math.isnan(tests[i, j].value)
            else None
            for j in against
        ]
        lines.append((rows[i].name, scores[i].text, cells))
    id = f"tests-{re.sub(r'[^a-zA-Z0-9_]+', '-', name).strip('-')}"
    heads = [(rows[j].name, rows[j].kind) for j in against]
    return Matrix(id, column, heads, lines, len(tests) // 2)


def _test_cell(
    name: str, column: Column, test: Difference, row: Row, other: Row, measurements: Measurements
) -> Cell:
    value, (low, high) = column.scale * test.value, (column.scale * b for b in test.interval)
    places = visible_places(2 if column.places is None else column.places, [value, low, high])
    href = about = ""
    if other.kind == "system":
        state = {"a": row.name, "b": other.name, "sort": "-gap", "score": f"{name}.{column.key}"}
        href = permalinks.examples(**state)
        about = f"examples where {row.name} is furthest above {other.name}"
    verdict: Literal["", "better", "worse", "alike"] = ""
    if not measurements.few(name):
        verdict = "better" if column.gain(value) > 0 else "worse"
        if not differ(measurements, name, test):
            verdict = "alike"
    interval, p = _interval((low, high), places, sign=True), p_text(test.permutation_p_holm)
    shown = number(value, places, sign=True)
    return Cell(shown, interval=interval, p=p, verdict=verdict, href=href, about=about)


def p_text(p: float | None, relation: Literal["=", "≤"] = "=") -> str:
    """Write a p-value in words.

    >>> p_text(0.0123), p_text(0.0001), p_text(0.02, "≤"), p_text(None)
    ('p = 0.012', 'p < 0.001', 'p ≤ 0.020', '')
    """
    if p is None:
        return ""
    text = p_value(p)
    return f"p {text.replace('<', '< ')}" if text.startswith("<") else f"p {relation} {text}"


def operation_shares(values: Values) -> dict[str, float]:
    """Operation → its share of insertions, deletions, replacements and keeps."""
    sums = {name: values[name][0] for name in COUNTED}
    return {name: value / sum(sums.values()) for name, value in sums.items()}


def head(data: Data) -> list[str]:
    """List what the page's head says of the data."""
    n, systems = len(data.sources), len(data.systems)
    sizes = dict.fromkeys(sorted({len(row) for row in data.references or []}))
    many = "–".join(str(size) for size in [*sizes][:: max(1, len(sizes) - 1)])
    references = f"{many} reference{'s' * (many != '1')} each" if sizes else "no references"
    return [f"{n:,} source{'s' * (n > 1)}", references, f"{systems} system{'s' * (systems > 1)}"]


def facts(data: Data, values: Mapping[str, list[Values]]) -> list[tuple[str, str]]:
    """List facts about the test set."""
    n = len(data.sources)
    fkgl = values["fkgl_components"]
    lines = [
        ("Sources", f"{n:,}"),
        ("Words of a source", _spread(data.sources)),
        ("Sentences of a source", f"{fkgl[0]['source_sentences'][0] / n:.2f} (mean)"),
    ]
    if data.references is not None:
        sizes = sorted(map(len, data.references))
        sentences, _ = fkgl[data.rows_of("references")[0]]["sentences"]
        lines += [
            ("References of each", "–".join(map(str, dict.fromkeys((sizes[0], sizes[-1]))))),
            ("Words of a reference", _spread([text for row in data.references for text in row])),
            ("Sentences of a reference", f"{sentences / n:.2f} (mean)"),
        ]
    return lines


def _spread(texts: Sequence[str]) -> str:
    words = [len(text.split()) for text in texts]
    return f"{np.median(words):.0f} (median), {min(words)} to {max(words)}"


def length_groups(sources: Sequence[str]) -> list[tuple[str, NDArray[np.int64]]]:
    """Divide sources by length into groups of about equal size: a label, as "12–17", and rows."""
    lengths = np.array([len(text.split()) for text in sources])
    groups = min(MAX_LENGTH_GROUPS, max(1, len(lengths) // _MIN_SOURCES))
    edges = np.unique(np.quantile(lengths, np.arange(1, groups) / groups, method="lower"))
    place = np.searchsorted(edges, lengths, side="left")
    group_list = []
    for i in np.unique(place):
        examples = np.flatnonzero(place == i)
        low, high = lengths[examples].min(), lengths[examples].max()
        group_list.append((f"{low}–{high}" if low < high else f"{low}", examples))
    return group_list


def by_length(measurements: Measurements) -> Table:
    """Make the table of the main score by groups of sources."""
    data, name = measurements.data, measurements.first
    main = columns_of(measurements.judging[name])[0]
    columns, cells = [], []
    for label, examples in length_groups(data.sources):
        values = measurements.statistics[name].take(examples).scores(measurements.sampling)
        columns.append(Column(main.key, f"{label} words", f"{len(examples):,} sources"))
        cells.append(make_cells(columns[-1], values))
    caption = f"{main.label} by length of the source"
    return Table("lengths", caption, columns, _lines(data.rows, cells), [name])


def make_cells(
    column: Column, values: Sequence[Values], marks: Mapping[int, Mark] | None = None
) -> list[Cell]:
    """Make a column's cells, all with the same number of decimals."""
    scores = [of_row.get(column.key) for of_row in values]
    places = column.places
    if places is None:
        places = tables.places(column.scale * value[0] for value in scores if value is not None)
    cells = []
    for i, value in enumerate(scores):
        if value is None or math.isnan(value[0]):
            cells.append(Cell("–"))
            continue
        score, (low, high) = column.scale * value[0], (column.scale * bound for bound in value[1])
        interval = _interval((low, high), places)
        mark = (marks or {}).get(i, "")
        cells.append(Cell(number(score, places), score, (low, high), interval, mark))
    return cells


def _lines(rows: Sequence[Row], columns: Sequence[Sequence[Cell]]) -> list[Line]:
    return [
        Line(row.name, row.kind, list(cells))
        for row, cells in zip(rows, zip(*columns, strict=True), strict=True)
    ]
