"""The test set in a report: its facts, and scores by length of the source."""

import math
from collections import Counter
from typing import Any, cast

import numpy as np

from textsimp.core.draws import Ints
from textsimp.core.metric import Floats
from textsimp.core.tables import Cell, Grid
from textsimp.metrics.simplification_stats import SimplificationStats
from textsimp.report import plots
from textsimp.report.measurements import REFERENCES, STATS, Report
from textsimp.scoring.lengths import score_by_length, unit
from textsimp.scoring.systems import UNCHANGED
from textsimp.text.sentences import get_splitter

_ALIGNMENTS = {  # whether source and reference have several sentences → title and meaning
    (False, False): ("1-to-1, %", "pairs of source and reference with one sentence each"),
    (False, True): ("1-to-n, %", "pairs in which the reference splits one sentence"),
    (True, False): ("n-to-1, %", "pairs in which the reference joins several sentences"),
    (True, True): ("n-to-m, %", "pairs with several sentences each"),
}
_CHANGES = ("compression_ratio", "levenshtein_similarity")


def contents(report: Report) -> dict[str, Any]:
    """Return what the template reads."""
    return {"facts": describe(report), "lengths": draw_lengths(report)}


def describe(report: Report) -> Grid:
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


def draw_lengths(report: Report) -> plots.Plot | None:
    """Plot the first metric's score by length of the source; None if that can't be."""
    name = next(iter(report.ranked_by), "")
    if not name or not report.metrics[name].independent_rows:
        return None
    column, sources = report.columns[name][0], report.texts.shared["sources"]
    scored = score_by_length(report.statistics[name], sources, **report.sampling)
    if len(scored) < 2:
        return None
    points = dict[str, list[list[float]]]()
    for row in report.order:
        values = [own[row].main for own in scored.values() if row in own]
        if values and not any(math.isnan(value.value) for value in values):
            bounds = [(value.value, *(value.interval or (value.value,) * 2)) for value in values]
            points[row] = [[column.scale * float(bound) for bound in own] for own in bounds]
    confidence = report.sampling["confidence"]
    return plots.lengths(column.label, unit(sources), [*scored], points, confidence)
