"""The report's tables of scores and of paired tests."""

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from textsimp.core.comparisons import Comparison
from textsimp.core.declarations import Declarations
from textsimp.core.scores import Value, explain_bold
from textsimp.core.significance import Difference
from textsimp.core.tables import Cell, Grid
from textsimp.extensions.people.judgements.analysis_results import INTERVALS
from textsimp.extensions.people.report.report_ratings import MEAN, PREFIX, People
from textsimp.report import permalinks
from textsimp.report.report_rows import DESCRIBING, Data, Measurements, Row
from textsimp.scoring.headlines import p_text
from textsimp.scoring.ranking import Ranking
from textsimp.scoring.score_columns import Column, column_of, visible_places
from textsimp.text.alignment import COUNTED

__all__ = ["matrix", "people_table", "score_table"]

_SHOWN = {"word_difficulty": ("rare_share",)}
"""Metric that may be asked for → its scores that are shown, unless all that judge."""
MEANING = {
    "embedding_similarity": "similarity_to_source",
    "bertscore": "bertscore_to_source",
    "entailment": "supported",
}
"""Metric → its score that says how much of the source's meaning is kept, best ones first."""
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


def columns_of(metric: Declarations) -> list[Column]:
    """Choose the columns of a metric: scores with a direction, unless others are declared."""
    single = [name for name in metric.score_names(()) if not metric.find_score(name).many]
    judging = [name for name in single if metric.find_score(name).better]
    kept = MEANING.get(metric.name)
    judging += [name for name in single if name == kept and name not in judging]
    names = (DESCRIBING | _SHOWN).get(metric.name, judging or single)
    return [column_of(metric, name) for name in names]


def first_pair(measurements: Measurements) -> tuple[str, str]:
    """Choose two scores of a plot: ratings or how much is kept; and the main score, else FKGL."""
    columns = {
        (metric.name, column.key): column.label
        for metric in measurements.metrics.values()
        for column in columns_of(metric)
    }
    labels = {name: columns_of(metric)[0].label for name, metric in measurements.judging.items()}
    main = labels.get(measurements.first, columns["fkgl_components", "fkgl"])
    kept = (MEANING | {_STATS: "levenshtein_similarity"}).items()
    choices = [label for name, label in labels.items() if measurements.is_people(name)]
    choices += [columns[pair] for pair in kept if pair in columns]
    return next(label for label in choices if label != main), main


def overview_table(measurements: Measurements) -> Grid:
    """Make the table of what people compare first: main scores, length, edits, difficulty."""
    pairs = [(name, columns_of(metric)[0]) for name, metric in measurements.judging.items()]
    for name, (key, label, scale, decimals) in _OVERVIEW:
        if name in measurements.describing:
            column = column_of(measurements.metrics[name], key)
            label = label or column.label
            pairs.append((name, replace(column, label=label, scale=scale, decimals=decimals)))
    return _table("overview", "Systems at a glance", pairs, measurements)


def score_table(measurements: Measurements) -> Grid:
    """Make the table of scores of metrics with a direction."""
    raters = any(map(measurements.is_people, measurements.judging))
    pairs = [(n, column) for n, m in measurements.judging.items() for column in columns_of(m)]
    caption = "Scores by references" + ", and by raters" * raters
    table = _table("scores", caption, pairs, measurements)
    return replace(table, notes=[INTERVALS, *table.notes]) if raters else table


def people_table(measurements: Measurements, people: People) -> Grid:
    """Make the table of people's mean ratings of the systems, or of their strengths."""
    criteria = people.ratings.criteria
    what = "Bradley–Terry strengths" if people.ratings.compares else "Mean ratings"
    pairs = [(f"{PREFIX}{n}", Column(MEAN, n, one.question)) for n, one in criteria.items()]
    table = _table("people", f"{what} of systems", pairs, measurements)
    rows = [row for row in table.rows if row[0].kind == "system"]
    return replace(table, rows=rows, notes=[INTERVALS, *table.notes])


def description_table(measurements: Measurements) -> Grid:
    """Make the table that describes every row's texts."""
    pairs = [
        (name, column)
        for name in measurements.describing
        for column in columns_of(measurements.metrics[name])
    ]
    return _table("description", "What the texts are like", pairs, measurements)


def _table(
    id: str, caption: str, pairs: Sequence[tuple[str, Column]], measurements: Measurements
) -> Grid:
    """Make a table of metrics' scores, the best row first, with marks of systems."""
    columns = [_column(measurements, name, column) for name, column in pairs]
    rows = make_rows(measurements.data.rows, columns)
    if measurements.first:  # the best row first, those without a score last
        main = columns_of(measurements.judging[measurements.first])[0]
        gains = [
            main.gain(own[main.key].value) if main.key in own else math.nan
            for own in measurements.values(measurements.first)
        ]
        order = sorted(range(len(rows)), key=lambda i: (math.isnan(gains[i]), -gains[i]))
        rows = [rows[i] for i in order]
    head = [Cell("Texts"), *(column.head for _, column in pairs)]
    names = list(dict.fromkeys(name for name, _ in pairs))
    notes = list(dict.fromkeys(measurements.signature(name) for name in names))
    meaning = explain_bold(measurements.sampling.confidence)
    return Grid(head, rows, notes, meaning, id=id, caption=caption)


def make_rows(rows: Sequence[Row], columns: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """Put the names of rows before their cells."""
    names = [Cell(row.name, kind=row.kind, about=row.full * (row.full != row.name)) for row in rows]
    return [list(cells) for cells in zip(names, *columns, strict=True)]


def _column(measurements: Measurements, name: str, column: Column) -> list[Cell]:
    """Make a column's cells, with the marks of systems if it is a main score that judges."""
    cells = column.cells([own.get(column.key) for own in measurements.values(name)])
    comparison = measurements.comparisons.get(name)
    if comparison is None or not comparison.main.better or column.key != comparison.main.key:
        return cells
    ranking, marked = Ranking(comparison, "", column), []
    for row, cell in zip(measurements.data.rows, cells, strict=True):
        ranked = row.name in ranking.scores
        ahead = [n for n in ranking.baselines if ranked and ranking.leads(n, row.name)]
        mark = comparison.marks.get(row.name, "")
        marked.append(replace(cell, mark=mark, behind=ahead[0] if ahead else ""))
    return marked


def matrix(measurements: Measurements, name: str) -> Grid | None:
    """Make the table of tests of a main score: each system minus systems and baselines."""
    comparison = measurements.comparisons[name]
    column = column_of(comparison.metric, comparison.main.key)
    ranking = Ranking(comparison, "", column)
    systems = [*ranking.scores]
    scores = column.cells([comparison.systems[system].main for system in systems])
    against = [*systems, *ranking.baselines]
    head = [column.head, *(Cell(row, kind="system" * (row in systems)) for row in against)]
    rows = []
    for system, score in zip(systems, scores, strict=True):
        cells = [_test_cell(name, ranking, system, other) for other in against]
        rows.append([Cell(system, [score.text]), *cells])
    if all(cell.value is None for _, *cells in rows for cell in cells):
        return None
    id = f"tests-{re.sub(r'[^a-zA-Z0-9_]+', '-', name).strip('-')}"
    caption = f"Paired tests of {column.label}: each row minus each column"
    return Grid(head, rows, id=id, caption=caption)


def _test_cell(name: str, ranking: Ranking, system: str, other: str) -> Cell:
    """Make the cell of a system minus another, or an empty one if they weren't tested."""
    comparison, column = ranking.comparison, ranking.column
    test = comparison.test(system, other)
    if test is None or math.isnan(test.value):
        return Cell("", kind="self")
    cell = difference_cell(comparison, column, test)
    if other in ranking.baselines:
        return cell
    state = {"a": system, "b": other, "sort": "-gap", "score": f"{name}.{column.key}"}
    about = f"examples where {system} is furthest above {other}"
    return replace(cell, href=permalinks.examples(**state), about=about)


def difference_cell(comparison: Comparison, column: Column, test: Difference) -> Cell:
    """Make the cell of a difference, with its interval, p-value and mark."""
    ends = [column.scale * number for number in (test.value, *test.interval)]
    decimals = visible_places(2 if column.decimals is None else column.decimals, ends)
    cell = column.cell(Value(test.value, test.interval), decimals, sign=True)
    mark = "alike"
    if test.is_significant(comparison.confidence):
        mark = "better" if column.gain(test.value) > 0 else "worse"
    small = filter(None, [*cell.small, p_text(test.permutation_p_holm)])
    return replace(cell, small=[*small], mark="" if comparison.too_few_examples else mark)


def operation_shares(values: Mapping[str, Value]) -> dict[str, float]:
    """Operation → its share of insertions, deletions, replacements and keeps."""
    sums = {name: values[name].value for name in COUNTED}
    return {name: value / sum(sums.values()) for name, value in sums.items()}


def head(data: Data) -> list[str]:
    """List what the page's head says of the data."""
    n, systems = len(data.sources), len(data.systems)
    sizes = dict.fromkeys(sorted({len(row) for row in data.references or []}))
    many = "–".join(str(size) for size in [*sizes][:: max(1, len(sizes) - 1)])
    references = f"{many} reference{'s' * (many != '1')} each" if sizes else "no references"
    return [f"{n:,} source{'s' * (n > 1)}", references, f"{systems} system{'s' * (systems > 1)}"]
