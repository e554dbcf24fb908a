"""The report's tables: scores, paired tests, unsound outputs, and the test set."""

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np

from textsimp.core.cells import draw_cell
from textsimp.core.comparisons import Comparison
from textsimp.core.draws import Ints
from textsimp.core.metric import Floats, extra_required_columns
from textsimp.core.scores import Value, explain_bold
from textsimp.core.significance import Difference
from textsimp.core.tables import Cell, Grid
from textsimp.corpora.checks import WHAT
from textsimp.corpora.findings import Finding
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.report import examples
from textsimp.report.measurements import DESCRIBING, EDITS, REFERENCES, STATS, Report
from textsimp.scoring import soundness
from textsimp.scoring.headlines import p_text
from textsimp.scoring.ranking import Column, Ranking, visible_places
from textsimp.scoring.systems import UNCHANGED
from textsimp.text.sentences import get_splitter

__all__ = ["matrix", "table"]

_EXTRA = {
    (STATS, "levenshtein_similarity"),
    (EDITS, "change_percentage"),
    ("fkgl_components", "words_per_sentence"),
    ("fkgl_components", "syllables_per_word"),
}
"""Scores of the usual metrics that the table of systems shows only if a reader asks for them."""
_ALIGNMENTS = {  # whether source and reference have several sentences → title and meaning
    (False, False): ("1-to-1, %", "pairs of source and reference with one sentence each"),
    (False, True): ("1-to-n, %", "pairs in which the reference splits one sentence"),
    (True, False): ("n-to-1, %", "pairs in which the reference joins several sentences"),
    (True, True): ("n-to-m, %", "pairs with several sentences each"),
}
_CHANGES = ("compression_ratio", "levenshtein_similarity")

MATRIX_SYSTEMS = 6
"""The number of systems up to which all pairs stand in a matrix."""


def describe_texts(report: Report) -> list[str]:
    """Say how many sources, references and systems there are."""
    sources, systems = len(report.texts), len(report.systems)
    counts = sorted({len(row) for row in report.texts.references or []})
    references = "no references"
    if counts:
        many = "–".join(map(str, dict.fromkeys((counts[0], counts[-1]))))
        references = f"{many} reference{'' if many == '1' else 's'} each"
    return [
        f"{sources:,} source{'s' if sources > 1 else ''}",
        references,
        f"{systems} system{'s' if systems > 1 else ''}",
    ]


def first_pair(report: Report) -> tuple[str, str]:
    """Choose the scores of the first plot: ratings or kept meaning; and the main score or FKGL.

    Ratings beside the main score of a metric have plots of their own.
    """
    labels = {
        (report.metrics[name].name, column.key): column.label
        for name, columns in report.columns.items()
        for column in columns
    }
    main = labels["fkgl_components", "fkgl"] if report.main is None else report.main.label
    judging = [name for name in report.criteria if name in report.judging]
    plotted = report.main is not None and report.judging[0] not in report.criteria
    choices = [] if plotted else [report.columns[name][0].label for name in judging]
    kept = [(metric.name, metric.meaning) for metric in report.metrics.values()]
    kept.append((STATS, "levenshtein_similarity"))
    choices += [labels[pair] for pair in kept if pair in labels]
    return next(label for label in choices if label != main), main


def systems_table(report: Report) -> Grid:
    """Make the table of systems: all scores, with intervals as bars, and differences of many.

    Headings of kind ``extra`` are those that a reader has to ask for.
    """
    scores = {name: report.columns[name] for name in (*report.judging, *report.describing)}
    whole = table(report, "scores", "Systems", scores)
    names, *columns = zip(whole.header, *whole.rows, strict=True)
    drawn = [names]
    shown = [(name, column) for name, own in scores.items() for column in own]
    for (name, column), (head, *cells) in zip(shown, columns, strict=True):
        kind = "extra" if _is_extra(report, name, column) else ""
        drawn.append((replace(head, kind=kind), *_draw_intervals(cells)))
        ranking = report.rankings.get(name)
        if ranking and column.key == ranking.column.key and len(ranking.scores) > MATRIX_SYSTEMS:
            kind = "gap extra" if len(drawn) > 2 else "gap"
            drawn.append(_differences(names[1:], name, ranking, kind))
    header, *rows = map(list, zip(*drawn, strict=True))
    return replace(whole, header=header, rows=rows)


def _is_extra(report: Report, name: str, column: Column) -> bool:
    """Whether a reader has to ask for a score; unusual metrics show their first one."""
    metric = report.metrics[name].name
    if metric in DESCRIBING:
        return (metric, column.key) in _EXTRA
    return column.key != report.columns[name][0].key


def _draw_intervals(cells: Sequence[Cell]) -> list[Cell]:
    """Give cells their intervals as bars, from the column's lowest bound to its highest."""
    bounds = [bound for cell in cells for bound in cell.bounds or ()]
    low, room = min(bounds, default=0), max(bounds, default=0) - min(bounds, default=0)
    drawn = []
    for cell in cells:
        if cell.bounds and room:
            cell = replace(cell, bar=[(bound - low) / room for bound in cell.bounds])
        drawn.append(cell)
    return drawn


def _differences(rows: Sequence[Cell], name: str, ranking: Ranking, kind: str) -> tuple[Cell, ...]:
    """Make a column for a table's rows: each system minus the best one."""
    about = f"{ranking.column.label} minus that of {ranking.top}, with the paired test"
    cells = [Cell(f"minus {ranking.top}", kind=kind, about=about)]
    for row in rows:
        known = row.text in ranking.scores or row.text in ranking.baselines
        cells.append(_test_cell(name, ranking, row.text, ranking.top) if known else Cell(""))
    return tuple(cells)


def table(
    report: Report,
    id: str,
    caption: str,
    columns: Mapping[str, Sequence[Column]],
    notes: Sequence[str] = (),
) -> Grid:
    """Make a table of scores, the best row first, with marks of systems.

    Args:
        report: All numbers.
        id: The table's id on the page.
        caption: What it shows.
        columns: Metric → columns of its scores.
        notes: Further notes below it.
    """
    shown = [(name, column) for name, own in columns.items() for column in own]
    cells = [_column_cells(report, name, column) for name, column in shown]
    names = [
        Cell(row, kind=report.rows[row], about=report.full_names.get(row, ""))
        for row in report.order
    ]
    rows = [list(row) for row in zip(names, *cells, strict=True)]
    signatures = dict.fromkeys(report.signatures[name] for name in columns)
    head = [Cell("Texts"), *(column.head for _, column in shown)]
    meaning = explain_bold(report.sampling["confidence"])
    baselines = [row for row, kind in report.rows.items() if kind != "system"]
    return Grid(
        *(head, rows, [*report.notes, *notes, *signatures], meaning),
        id=id,
        caption=caption,
        baselines=baselines,
    )


def _column_cells(report: Report, name: str, column: Column) -> list[Cell]:
    """Make a column's cells, with the marks of systems if it is a main score that ranks them."""
    values = [report.values[name].get(row, {}).get(column.key) for row in report.order]
    cells, comparison = column.cells(values), report.comparisons.get(name)
    if comparison is None or not comparison.main.better or column.key != comparison.main.key:
        return cells
    ranking, marks, marked = report.rankings.get(name), comparison.marks, []
    for row, cell in zip(report.order, cells, strict=True):
        ahead = []
        if ranking and row in ranking.scores:
            ahead = [name for name in ranking.baselines if ranking.leads(name, row)]
        behind = ahead[0] if ahead else ""
        marked.append(replace(cell, mark=marks.get(row, ""), behind=behind))
    return marked


def matrix(name: str, ranking: Ranking) -> Grid | None:
    """Make the table of tests of a main score: each system minus systems and baselines."""
    comparison, column, systems = ranking.comparison, ranking.column, [*ranking.scores]
    scores = column.cells([comparison.systems[system].main for system in systems])
    against = [*systems, *ranking.baselines]
    heads = [Cell(row, kind="system" if row in systems else "") for row in against]
    rows = []
    for system, score in zip(systems, scores, strict=True):
        cells = [_test_cell(name, ranking, system, other) for other in against]
        rows.append([Cell(system, [score.text]), *cells])
    if all(cell.value is None for _, *cells in rows for cell in cells):
        return None
    id = f"tests-{re.sub(r'[^a-zA-Z0-9_]+', '-', name).strip('-')}"
    caption = f"Paired tests of {column.label}: each row minus each column"
    return Grid([column.head, *heads], rows, id=id, caption=caption)


def _test_cell(name: str, ranking: Ranking, system: str, other: str) -> Cell:
    """Make the cell of a system minus another, or an empty one if they weren't tested."""
    comparison, column = ranking.comparison, ranking.column
    test = comparison.test(system, other)
    if test is None or math.isnan(test.value):
        return Cell("", kind="self")
    cell = difference_cell(comparison, column, test)
    if {system, other} & {*ranking.baselines}:
        return cell
    href = examples.link(a=system, b=other, sort="-gap", score=f"{name}.{column.key}")
    about = f"examples where {system} is furthest above {other}"
    return replace(cell, href=href, about=about)


def tests(report: Report) -> list[dict[str, Any]]:
    """Return the tests of all pairs of ``rows`` by each metric, as cells in HTML."""
    drawn = []
    for name, ranking in report.rankings.items():
        rows = [*ranking.scores, *ranking.baselines]
        cells = [
            [draw_cell(_test_cell(name, ranking, row, other), 1, "row", 1) for other in rows]
            for row in rows
        ]
        drawn.append({"label": ranking.column.label, "rows": rows, "cells": cells})
    return drawn


def difference_cell(comparison: Comparison, column: Column, test: Difference) -> Cell:
    """Make the cell of a difference, with its interval, p-value and mark."""
    ends = [column.scale * number for number in (test.value, *test.interval)]
    decimals = visible_places(2 if column.decimals is None else column.decimals, ends)
    cell = column.cell(Value(test.value, test.interval), decimals, sign=True)
    mark = "alike"
    if comparison.too_few_examples:
        mark = ""
    elif test.is_significant(comparison.confidence):
        mark = "better" if column.gain(test.value) > 0 else "worse"
    small = filter(None, [*cell.small, p_text(test.permutation_p_holm)])
    return replace(cell, small=[*small], mark=mark)


def unsound_outputs(findings: Sequence[Finding], report: Report) -> dict[str, Any] | None:
    """Return shares of unsound outputs, and the ranking without them; None if all are sound."""
    own, runs = report.texts.systems, report.texts.runs
    outputs = {run: own[run] for name in report.systems for run in runs.get(name, [name])}
    texts = replace(report.texts, systems=outputs)
    unsound = soundness.count_unsound(findings, texts)
    kinds = Counter(kind for _, counts in unsound.values() for kind in counts)
    if not kinds:
        return None
    ranking, main = None, report.statistics.get(report.judging[0]) if report.judging else None
    if main is not None and not extra_required_columns(main.metric):
        ranking = soundness.rank_sound(findings, texts, main)
    columns = [kind for kind, _ in kinds.most_common()]
    scored = [ranking.title, f"{ranking.title} of sound outputs"] if ranking else []
    header = ["system", "unsound", *scored, *(WHAT[kind] for kind in columns)]
    rows = []
    for name, (share, counts) in sorted(unsound.items(), key=lambda item: -item[1][0]):
        size = len(texts) * len(runs.get(name, [name]))
        cells = [Cell(name, about=report.full_names.get(name, ""))]
        cells.append(_share_cell(round(share * size), size))
        if ranking:
            every, sound = ranking.scores[name]
            cells.append(Cell.of(every, None, 2))
            cells.append(Cell.of(sound if share < 1 else None, None, 2))
        cells += [_share_cell(counts[kind], size) for kind in columns]
        rows.append(cells)
    caption = "Shares of unsound outputs of each system, by kind"
    return {"table": Grid(header, rows, id="unsound-outputs", caption=caption), "ranking": ranking}


def _share_cell(count: int, outputs: int) -> Cell:
    if not count:
        return Cell("–", value=0)
    about = f"{count} of {outputs} outputs"
    share = count / outputs
    return Cell(f"{100 * share:.1f} %", value=count, about=about, bar=[0, share])


def describe_sources(report: Report) -> Grid:
    """Make a table of sources and references: sizes, alignments of sentences, changes."""
    words, sources = report.example_scores[STATS], report.texts.shared["sources"]
    splitter = get_splitter(cast(SimplificationStats, report.metrics[STATS]).splitter)
    sentences = splitter.count(sources)
    head = [Cell(text) for text in ("Texts", "Number", "Words", "Words each", "Sentences each")]
    rows = [[Cell("sources"), *_sizes(words[UNCHANGED]["words"], sentences)]]
    if report.texts.references is not None:
        counts = [len(texts) for texts in report.texts.references]
        own = splitter.count([text for texts in report.texts.references for text in texts])
        rows.append([Cell("references"), *_sizes(words[REFERENCES]["words"], own)])
        several = zip(np.repeat(sentences, counts) > 1, own > 1, strict=True)
        aligned = Counter((bool(source), bool(reference)) for source, reference in several)
        for kind, (title, about) in _ALIGNMENTS.items():
            head.append(Cell(title, about=about))
            rows[0].append(Cell("–"))
            rows[1].append(Cell.of(100 * aligned[kind] / len(own), None, 1))
        for column in report.columns[STATS]:
            if column.key in _CHANGES:
                head.append(column.head)
                value = report.values[STATS][REFERENCES][column.key]
                for row, cell in zip(rows, column.cells([None, value]), strict=True):
                    row.append(cell)
    return Grid(head, rows, [report.signatures[STATS]], id="test-set", caption="The test set")


def _sizes(words: Floats, sentences: Ints) -> list[Cell]:
    """Return the cells of a number of texts: number, words, words and sentences of each."""
    total = int(words.sum())
    means = [total / len(words), float(sentences.mean())]
    return [Cell.of(len(words), None, 0), Cell.of(total, None, 0)] + [
        Cell.of(mean, None, places) for mean, places in zip(means, (1, 2), strict=True)
    ]
