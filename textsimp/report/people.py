"""The section on people: means or strengths, how often each step was chosen, agreement."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from textsimp.meta.raters import RaterAgreement
from textsimp.ratings import Analysis, Criterion
from textsimp.report import plots, score_tables, verdict
from textsimp.report.report_ratings import PREFIX, People
from textsimp.report.report_rows import Measurements
from textsimp.report.score_tables import Cell, Column, Line, Table
from textsimp.report.verdict import Judgement

MAX_STEPS = 6  # that have a colour
_RANGES = 5  # of a scale with more steps
_PREFERENCES = {0.0: "worse", 0.5: "equal", 1.0: "better"}


def contents(
    measurements: Measurements, judgements: Sequence[Judgement]
) -> tuple[dict[str, Any] | None, dict[str, plots.Spec]]:
    """Return what the template needs, and the plots."""
    people = measurements.people
    if people is None:
        return None, {}
    analysis, criteria = people.analysis, people.ratings.criteria
    by_people = [one for one in judgements if measurements.is_people(one.name)]
    names = [row.name for row in measurements.data.rows]
    table, agreement = score_tables.people_table(measurements, people), _agreement_table(analysis)
    drawn = {}
    for i, name in enumerate(criteria):
        drawn[f"people-{i}"] = plots.overview(table, names, i)
        drawn[f"steps-{i}"] = _steps(people, name, [line.name for line in table.lines])
    lows = [line.cells[0].bounds[0] for line in agreement.lines if line.cells[0].bounds]
    least = np.floor(10 * min([0.0, *lows])) / 10
    drawn["agreement"] = plots.overview(agreement, [], domain=[float(least), 1])
    return {
        "heading": analysis.heading(),
        "unmatched": measurements.data.unmatched,
        "notes": analysis.notes,
        "in_words": any(isinstance(s, str) for one in criteria.values() for s in one.steps),
        "criteria": criteria,
        "asked": any(one.question for one in criteria.values()),
        "compares": people.ratings.compares,
        "means": table,
        "agreement": agreement,
        "matrices": [score_tables.matrix(measurements, one.name) for one in by_people if one.gaps],
        "detection": verdict.describe_detection(
            *(by_people, analysis.counts["items"], analysis.confidence, "People's ratings of ")
        ),
    }, drawn


def _agreement_table(analysis: Analysis) -> Table:
    columns = [
        Column("alpha", "Krippendorff's α", "agreement of raters: 1 is perfect, 0 is by chance"),
        Column("outputs", "Outputs", "rated by several raters, or pairs that several compared"),
        Column("r", "r with the others", "mean Pearson's r of a rater with another")
        if not analysis.compares
        else Column(
            "order", "In order", "share of preferences that the order of strengths has right"
        ),
        Column("repeated", "α, repeated", "agreement of raters with themselves"),
    ]
    lines = []
    for name, one in analysis.agreement.items():
        cells = [_alpha(one.raters), Cell(f"{one.raters.outputs:,}", one.raters.outputs)]
        r = analysis.consistency[name] if analysis.compares else one.correlation
        cells += [Cell("–") if r is None else Cell(score_tables.number(r, 2), r)]
        lines.append(Line(name, "system", [*cells, _alpha(one.repeated)]))
    ids = [f"{PREFIX}{name}" for name in analysis.agreement]
    return Table("agreement", "Agreement of raters", columns, lines, ids, "Criterion")


def _alpha(agreement: RaterAgreement) -> Cell:
    if agreement.alpha is None:
        return Cell("–")
    alpha, interval = agreement.alpha, agreement.interval or [agreement.alpha] * 2
    (cell,) = score_tables.make_cells(Column("", "", places=2), [{"": (alpha, interval)}])
    return cell


def _steps(people: People, name: str, names: Sequence[str]) -> plots.Spec:
    """Plot how often each system's outputs were given each step of the scale."""
    systems = {
        system: np.array([rating for row in people.by_output[name][system] for rating in row])
        for system in names
    }
    values = np.concatenate([*systems.values()])
    labels, edges = _bins(people.ratings.criteria[name], values, people.ratings.compares)
    shares = []
    for ratings in systems.values():
        counts = np.histogram(ratings, edges)[0] / max(1, len(ratings))
        shares.append(dict(zip(labels, counts.tolist(), strict=True)))
    at = np.linspace(0, MAX_STEPS - 1, len(labels)).round().astype(int)
    what = "comparison" if people.ratings.compares else "rating"
    colors = [f"var(--p{i})" for i in at.tolist()]
    return plots.stacked(shares, [*systems], colors, f"% of {what}s", what)


def _bins(
    criterion: Criterion, values: np.ndarray[Any, Any], compares: bool
) -> tuple[list[str], list[float]]:
    """Return the labels of a scale's steps, or of ranges of it, and the edges between them."""
    if compares:
        steps = _PREFERENCES
    elif criterion.steps:
        steps = {code: str(step) for step, code in criterion.codes.items()}
    else:
        steps = {value: f"{value:g}" for value in np.unique(values).tolist()}
    codes = sorted(steps)
    if criterion.slider or len(codes) > MAX_STEPS:
        size = (codes[-1] - codes[0]) / _RANGES
        digit = 10 ** np.floor(np.log10(size))
        width = digit * next(k for k in (1, 2, 5, 10) if k * digit >= size)
        places = np.arange(np.floor(codes[0] / width), np.ceil(codes[-1] / width) + 1)
        edges = (width * places).tolist()
        to = " to " if edges[0] < 0 else "–"
        labels = [f"{low:.3g}{to}{high:.3g}" for low, high in pairwise(edges)]
        return [label.replace("-", "−") for label in labels], edges
    between = [(low + high) / 2 for low, high in pairwise(codes)]
    return [steps[code].replace("-", "−") for code in codes], [-np.inf, *between, np.inf]
