"""The section on people: means or strengths, and agreement."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from textsimp.core import tables
from textsimp.core.tables import Cell, Grid
from textsimp.extensions.people import Analysis
from textsimp.extensions.people.report.report_ratings import MEAN, PREFIX
from textsimp.report import plots, score_tables
from textsimp.report.report_rows import Measurements
from textsimp.scoring import headlines
from textsimp.scoring.headlines import join
from textsimp.scoring.ranking import Ranking
from textsimp.scoring.score_columns import Column, number

_AGREEMENT = {
    "alpha": "Krippendorff's α, agreement of raters: 1 is perfect, 0 is by chance",
    "outputs": "rated by several raters, or pairs that several compared",
    "reliability": "of the mean of an output's raters",
    "r with the others": "mean Pearson's r of a rater with another",
    "alpha, repeated": "agreement of raters with themselves",
}


def contents(
    measurements: Measurements, rankings: Mapping[str, Ranking]
) -> tuple[dict[str, Any] | None, dict[str, plots.Plot]]:
    """Return what the template needs, and the plots."""
    people = measurements.people
    if people is None:
        return None, {}
    analysis, criteria = people.analysis, people.ratings.criteria
    by_people = {n: one for n, one in rankings.items() if measurements.is_people(n)}
    names = [row.name for row in measurements.data.rows]
    table, agreement = score_tables.people_table(measurements, people), _agreement_table(analysis)
    drawn, slopes = {}, {}
    metric = measurements.judging.get(measurements.first)
    main = rankings.get(measurements.first)
    reversals = [headlines.describe_reversals(main, one) for one in by_people.values() if main]
    for i, (name, criterion) in enumerate(criteria.items()):
        if metric and not measurements.is_people(measurements.first) and criterion.better:
            scores = score_tables.score_table(measurements)
            sides = ((scores, 0, metric.scores[0].better), (table, i, criterion.better))
            left, right = (plots.Side(one, i, better == "lower") for one, i, better in sides)
            slopes[f"slopes-{i}"] = name
            drawn[f"slopes-{i}"] = plots.slopes(left, right, names)
        drawn[f"people-{i}"] = plots.overview(table, names, i)
    return {
        "analysis": analysis,
        "unmatched": measurements.data.unmatched,
        "in_words": any(isinstance(s, str) for one in criteria.values() for s in one.steps),
        "criteria": criteria,
        "slopes": slopes,
        "reversals": [*filter(None, reversals)],
        "means": table,
        "agreement": agreement,
        "matrices": [*filter(None, (score_tables.matrix(measurements, n) for n in by_people))],
        "detection": headlines.describe_detection(
            by_people.values(), analysis.counts["items"], analysis.confidence
        ),
    }, drawn


def _agreement_table(analysis: Analysis) -> Grid:
    """Return the analysis' table without levels, with what its columns are."""
    grid = analysis.tables()["Agreement of raters"]
    head, *rows = [
        [cell if isinstance(cell, Cell) else Cell(cell) for j, cell in enumerate(row) if j != 1]
        for row in (grid.header, *grid.rows)
    ]
    header = [replace(cell, about=_AGREEMENT.get(cell.text, "")) for cell in head]
    notes, caption = [analysis.signature], "Agreement of raters"
    return Grid([Cell("Criterion"), *header[1:]], rows, notes, id="agreement", caption=caption)


# Sentences ---------------------------------------------------------------------------------------


def judge_strengths(measurements: Measurements) -> list[Ranking]:
    """Judge by people's comparisons of outputs, by each criterion."""
    people = measurements.people
    if people is None or not people.ratings.compares:
        return []
    columns = {name: Column(MEAN, name, decimals=2) for name in people.ratings.criteria}
    return [
        Ranking(measurements.comparisons[f"{PREFIX}{name}"], f"{name} (raters)", column)
        for name, column in columns.items()
    ]


def caution(measurements: Measurements, name: str) -> str:
    """Begin the sentence on the leader by a criterion whose means aren't reliable; or return ""."""
    if measurements.people is None or not measurements.is_people(name):
        return ""
    agreement = measurements.people.analysis.agreement[name.removeprefix(PREFIX)]
    return f"{agreement.caution}: " if agreement.caution else ""


def list_strengths(ranking: Ranking) -> str:
    """List the systems' strengths by people's comparisons."""
    strengths = []
    for name, value in ranking.scores.items():
        interval = ranking.comparison.systems[name].main.interval
        strengths.append(f"{name} {number(value, 2)} {tables.interval(interval, 2, minus='−')}")
    few = ranking.comparison.too_few_examples
    of_few = f", of {few} examples, which are too few to tell" if few else ""
    start = f"By people's comparisons the strengths in {ranking.column.label} are"
    return f"{start} {join(strengths)}{of_few}."
