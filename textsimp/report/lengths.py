"""Scores by length of the source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from textsimp.core import significance
from textsimp.core.tables import Grid
from textsimp.report import score_tables
from textsimp.report.report_rows import REFERENCES, Measurements
from textsimp.scoring import comparison
from textsimp.scoring.headlines import Ranking, p_text
from textsimp.scoring.score_columns import Column

MAX_GROUPS = 5  # of sources
_MIN_SOURCES = 10  # in a group

Ints = NDArray[np.int64]


def group(sources: Sequence[str]) -> list[tuple[str, Ints]]:
    """Divide sources by length into groups of about equal size: a label, as "12–17", and rows."""
    lengths = np.array([len(text.split()) for text in sources])
    groups = min(MAX_GROUPS, max(1, len(lengths) // _MIN_SOURCES))
    edges = np.unique(np.quantile(lengths, np.arange(1, groups) / groups, method="lower"))
    place = np.searchsorted(edges, lengths, side="left")
    group_list = []
    for i in np.unique(place):
        examples = np.flatnonzero(place == i)
        low, high = lengths[examples].min(), lengths[examples].max()
        group_list.append((f"{low}–{high}" if low < high else f"{low}", examples))
    return group_list


def make_table(measurements: Measurements) -> Grid:
    """Make the table of the main score by groups of sources."""
    data, name, sampling = measurements.data, measurements.first, vars(measurements.sampling)
    measured, references = measurements.statistics[name], measurements.references.get(name)
    main = score_tables.columns_of(measured.metric)[0]
    heads, columns = [], []
    for label, examples in group(data.sources):
        systems = {system: rows[examples] for system, rows in measured.systems.items()}
        scores = comparison.score_systems(replace(measured, systems=systems), **sampling)
        values = {system: own.predictions[main.key] for system, own in scores.items()}
        if references is not None:
            part = references.take(examples)
            of_group = comparison.score_references(measured.metric, part, **sampling)
            values[REFERENCES] = of_group[main.key]
        heads.append(Column(main.key, f"{label} words", f"{len(examples):,} sources").head)
        columns.append(
            replace(main, decimals=None).cells([values.get(row.name) for row in data.rows])
        )
    rows = score_tables.make_rows(data.rows, columns)
    caption, notes = f"{main.label} by length of the source", [measurements.signature(name)]
    return Grid(["Texts", *heads], rows, notes, id="lengths", caption=caption)


def compare_halves(measurements: Measurements, ranking: Ranking) -> str:
    """Say that the best systems of short and long sources differ significantly, or nothing."""
    name, sampling = measurements.first, measurements.sampling
    measured, column = measurements.statistics[name], ranking.column
    lengths = np.array([len(text.split()) for text in measurements.data.sources])
    long = lengths > np.median(lengths)
    halves = [np.flatnonzero(~long), np.flatnonzero(long)]
    ranked = [*ranking.scores]
    if len(ranked) < 2 or min(map(len, halves)) < significance.FEWEST:
        return ""
    tops = []
    for half in halves:
        samples = {name: one.take(half) for name, one in measured.samples.items()}
        gains = {one: column.gain(float(samples[one].value()[column.key])) for one in ranked}
        tops.append(max(gains, key=lambda one: -math.inf if math.isnan(gains[one]) else gains[one]))
    if tops[0] == tops[1]:
        return ""
    parts, significant = [], False
    for half, top, other in zip(halves, tops, reversed(tops), strict=True):
        systems = {one: rows[half] for one, rows in measured.systems.items() if one in tops}
        part = replace(measured, systems=systems)
        test = comparison.make_comparison(part, other, **vars(sampling)).test(top, other)
        assert test is not None
        p = test.permutation_p or 0
        significant |= p * 2 * (len(ranked) - 1) < 1 - sampling.confidence
        gap = ranking.cite(column.scale * column.gain(test.value))
        parts.append((f"{len(half):,}", f"{gap} ({p_text(p)})".replace(" ", "\u00a0")))
    (short, before), (others, after) = parts
    return significant * (
        f"But it depends on length: among the {short} shorter sources {tops[0]} is ahead by "
        f"{before}, among the {others} longer ones {tops[1]} by {after}."
    )
