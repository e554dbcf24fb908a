"""The section on people: means or strengths, how often each step was chosen, agreement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from textsimp.meta.raters import RaterAgreement
from textsimp.ratings import Analysis
from textsimp.report import plots, score_tables
from textsimp.report.report_ratings import PREFIX, People
from textsimp.report.report_rows import Measurements
from textsimp.report.score_tables import Cell, Line, Table
from textsimp.report.verdict import Verdict
from textsimp.scoring import headlines
from textsimp.scoring.score_columns import Column, number

MAX_STEPS = 6  # that have a colour


def contents(
    measurements: Measurements, judgements: Sequence[Verdict]
) -> tuple[dict[str, Any] | None, dict[str, plots.Spec]]:
    """Return what the template needs, and the plots."""
    people = measurements.people
    if people is None:
        return None, {}
    analysis, criteria = people.analysis, people.ratings.criteria
    by_people = [one for one in judgements if one.rated]
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
        "analysis": analysis,
        "unmatched": measurements.data.unmatched,
        "in_words": any(isinstance(s, str) for one in criteria.values() for s in one.steps),
        "criteria": criteria,
        "means": table,
        "agreement": agreement,
        "matrices": [score_tables.matrix(measurements, one.name) for one in by_people if one.gaps],
        "detection": headlines.describe_detection(
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
        cells += [Cell("–") if r is None else Cell(number(r, 2), r)]
        lines.append(Line(name, "system", [*cells, _alpha(one.repeated)]))
    ids = [f"{PREFIX}{name}" for name in analysis.agreement]
    return Table("agreement", "Agreement of raters", columns, lines, ids, "Criterion")


def _alpha(agreement: RaterAgreement) -> Cell:
    if agreement.alpha is None:
        return Cell("–")
    alpha, interval = agreement.alpha, agreement.interval or [agreement.alpha] * 2
    (cell,) = score_tables.make_cells(Column("", "", places=2), [{"": (alpha, interval)}])
    return cell


def _steps(people: People, name: str, systems: Sequence[str]) -> plots.Spec:
    """Plot how often each system's outputs were given each step of the scale."""
    shares = [people.analysis.distributions.get(one, {}).get(name, {}) for one in systems]
    steps = next(filter(None, shares))
    size = -(-len(steps) // MAX_STEPS)  # steps that share a colour
    groups = [[*steps][i : i + size] for i in range(0, len(steps), size)]
    to = " to " if any("-" in step for step in steps) else "–"
    ends = [dict.fromkeys((group[0].split("–")[0], group[-1].split("–")[-1])) for group in groups]
    labels = [to.join(pair).replace("-", "−") for pair in ends]
    bars = [
        {
            label: sum(of_system.get(step, 0.0) for step in group)
            for label, group in zip(labels, groups, strict=True)
        }
        for of_system in shares
    ]
    aside = str(people.ratings.criteria[name].aside).replace("-", "−")
    scale = [label for label in labels if label != aside]
    at = np.linspace(0, MAX_STEPS - 1, len(scale)).round().astype(int).tolist()
    colors = {
        aside: "var(--keep)",
        **{one: f"var(--p{i})" for one, i in zip(scale, at, strict=True)},
    }
    what = "comparison" if people.ratings.compares else "rating"
    return plots.stacked(bars, systems, [colors[one] for one in labels], f"% of {what}s", what)
