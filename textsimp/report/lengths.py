"""Scores by length of the source."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from textsimp.core.tables import Grid
from textsimp.report import score_tables
from textsimp.report.report_rows import REFERENCES, Measurements
from textsimp.scoring import comparison
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
