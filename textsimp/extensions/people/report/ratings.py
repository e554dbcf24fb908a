"""People's ratings in a report: as scores beside those of metrics, and in a section of the page."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import starmap
from typing import Any, ClassVar

from textsimp.core import cells
from textsimp.core.comparisons import Comparison, between
from textsimp.core.declarations import Column, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.scores import Scores, Value, rank
from textsimp.core.tables import Cell, Grid
from textsimp.extensions.people.judgements.analysis import analyse
from textsimp.extensions.people.judgements.analysis_results import INTERVALS, Analysis
from textsimp.extensions.people.judgements.judgements import Judgements, index_outputs, plain
from textsimp.extensions.people.judgements.numbers import list_means
from textsimp.report import plots, score_tables
from textsimp.report.measurements import MEAN, Report
from textsimp.scoring import headlines
from textsimp.scoring.headlines import join
from textsimp.scoring.ranking import Column as ScoreColumn
from textsimp.scoring.ranking import number
from textsimp.support.errors import InputError
from textsimp.support.progress import note

PREFIX = "ratings."
"""Begins the names of criteria among metrics."""

_AGREEMENT = {
    "alpha": "Krippendorff's α, agreement of raters: 1 is perfect, 0 is by chance",
    "outputs": "rated by several raters, or pairs that several compared",
    "reliability": "of the mean of an output's raters",
    "r with the others": "mean Pearson's r of a rater with another",
    "alpha, repeated": "agreement of raters with themselves",
}


@dataclass(frozen=True)
class RatingMeans(MeanMetric):
    """The mean of a criterion over outputs; of comparisons, the share of those won."""

    name: ClassVar[str] = "ratings"
    about: ClassVar[str] = "what people think of outputs"
    description: ClassVar[str] = "The mean over outputs of the mean of people's ratings."
    papers: ClassVar = ()
    people: ClassVar[str] = "it is what people said, and as good as their agreement"
    columns: ClassVar = (Column("ratings", "ratings", "people's ratings", own=True),)
    presets: ClassVar = {"mean": Preset("each output counts once, by the mean of its raters")}
    incomplete: ClassVar = True
    scores: ClassVar[tuple[Score, ...]] = ()

    def mean_names(self) -> tuple[str, ...]:
        return (MEAN,)

    def numbers(self, prepared: None, ratings: list[list[float]]) -> Floats:
        """Return (n,) means of each output's ratings; NaN without any."""
        return list_means(ratings)


@dataclass(frozen=True)
class ReportedRatings:
    """People's ratings of a report's outputs, see `textsimp.report.measurements.Ratings`.

    Attributes:
        judgements: The ratings; items are examples, counted from 0.
        unmatched: A sentence on those that were left out, or "".
        systems: The names of the report's systems.
        examples: Number of examples.
        sampling: ``confidence``, ``resamples`` and ``seed``.
    """

    judgements: Judgements
    unmatched: str
    systems: Sequence[str]
    examples: int
    sampling: Mapping[str, Any]
    note: ClassVar[str] = INTERVALS
    template: ClassVar[str] = f"{__package__}:people.html"

    @cached_property
    def analysis(self) -> Analysis:
        """What raters say of systems, and how far they agree."""
        return analyse(self.judgements, **self.sampling)

    @cached_property
    def metrics(self) -> dict[str, RatingMeans]:
        """Each criterion as a metric. Comparisons have no direction: strengths are no scores."""
        metrics = {}
        for name, criterion in self.judgements.criteria.items():
            title = "people's rating" if name == "rating" else f"{name} (raters)"
            better = "" if criterion.level == "nominal" else criterion.better
            score = Score(MEAN, title, "mean", None, None, better)
            if self.judgements.compares:
                score = Score.share(MEAN, f"{title}: preferred", "share of comparisons won")
            metrics[f"{PREFIX}{name}"] = RatingMeans().declare(scores=(score,))
        return metrics

    def values(self, name: str) -> dict[str, list[list[float]]]:
        """Return system → all values of each output by a criterion; of comparisons 1, ½ and 0."""
        criterion, rated = name.removeprefix(PREFIX), self.judgements.rated
        numbers = rated.on_scale(criterion).tolist()
        if all(map(math.isnan, numbers)):
            raise InputError(
                f"ratings: expected some by {criterion!r}, got none: name other criteria"
            )
        values: dict[str, list[list[float]]] = {
            system: [[] for _ in range(self.examples)] for system in self.systems
        }
        for item, writers, value in zip(
            rated.frame["item"], rated.frame["system"], numbers, strict=True
        ):
            if not math.isnan(value):
                for system in values.keys() & writers:
                    values[system][int(item)].append(value)
        return values

    def compare(self, name: str, unranked: Mapping[str, str]) -> Comparison:
        """Return the analysis of systems by a criterion as a comparison."""
        criterion, analysis = name.removeprefix(PREFIX), self.analysis
        systems = {}
        for system, own in analysis.systems.items():
            if criterion in own and own[criterion].value is not None:
                mean = own[criterion]
                systems[system] = Scores(
                    metric=self.metrics[name],
                    predictions={MEAN: Value(mean.value, mean.interval or [mean.value] * 2)},
                    sources={},
                    references={},
                    details={},
                    signature=analysis.signature,
                    examples=analysis.counts["items"],
                )
        tests = {
            pair: {MEAN: own[criterion]}
            for pair, own in analysis.differences.items()
            if criterion in own
        }
        baseline = rank(systems)[0]
        return Comparison(
            systems=systems,
            differences={
                system: between(tests, system, baseline) for system in systems if system != baseline
            },
            signature=analysis.signature,
            baseline=baseline,
            tests=tests,
            unranked=unranked,
            by_people=True,
            **self.sampling,
        )

    def caution(self, name: str) -> str:
        """Begin the sentence on the best system by a criterion whose means aren't reliable."""
        if name not in self.metrics:
            return ""
        caution = self.analysis.agreement[name.removeprefix(PREFIX)].caution
        return f"{caution}: " if caution else ""

    def sentences(self, report: Report) -> list[str]:
        """List the systems' strengths by people's comparisons, by each criterion."""
        if not self.judgements.compares:
            return []
        criteria = self.judgements.criteria
        return [_list_strengths(report.comparisons[f"{PREFIX}{name}"], name) for name in criteria]

    def contents(self, report: Report) -> dict[str, Any]:
        """Return what the template reads: tables, plots and sentences."""
        criteria, main = (
            self.judgements.criteria,
            report.rankings.get(next(iter(report.judging), "")),
        )
        columns = {
            f"{PREFIX}{name}": [ScoreColumn(MEAN, name, criterion.question)]
            for name, criterion in criteria.items()
        }
        what = "Bradley–Terry strengths" if self.judgements.compares else "Mean ratings"
        means = score_tables.table(report, "people", f"{what} of systems", columns, [self.note])
        drawn = {}
        for name, criterion in criteria.items():
            own = {f"{PREFIX}{name}": columns[f"{PREFIX}{name}"]}
            table = _best_first(score_tables.table(report, "", "", own), criterion.better)
            drawn[name] = plots.overview(table, report.rows, self.analysis.confidence)
        pairs = []
        if report.main is not None and report.judging[0] not in self.metrics:
            pairs = [report.columns[name][0].label for name in columns if name in report.judging]
        rankings = {name: own for name, own in report.rankings.items() if name in self.metrics}
        reversals = [
            headlines.describe_reversals(main, own) for own in rankings.values() if main is not None
        ]
        return {
            "analysis": self.analysis,
            "unmatched": self.unmatched,
            "in_words": any(isinstance(s, str) for own in criteria.values() for s in own.steps),
            "criteria": drawn,
            "pairs": pairs,
            "reversals": [*filter(None, reversals)],
            "means": replace(means, rows=[row for row in means.rows if row[0].kind == "system"]),
            "agreement": _agreement_table(self.analysis),
            "matrices": [*filter(None, starmap(score_tables.matrix, rankings.items()))],
            "detection": headlines.describe_detection(
                rankings.values(), self.analysis.counts["items"], self.analysis.confidence
            ),
        }


def match(
    judgements: Judgements,
    sources: Sequence[str],
    outputs: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
    **sampling: Any,
) -> ReportedRatings:
    """Return the ratings of these outputs, and print a sentence on those left out, if any.

    Ratings are matched by source and text, whose white space doesn't matter. A text counts for all
    systems that wrote it.

    Args:
        judgements: Ratings with texts.
        sources: The sources of the report.
        outputs: System → its outputs.
        names: System → its name in the report.
        **sampling: ``confidence``, ``resamples`` and ``seed``.
    """
    index = index_outputs(
        (i, source, texts[i], [names[system]])
        for i, source in enumerate(sources)
        for system, texts in outputs.items()
    )
    own_sources = {*map(plain, sources)}
    kept: list[tuple[int, str, Any]] = []  # answer, item and systems
    elsewhere = other = total = 0
    matches = judgements.find(index)
    answers = zip(judgements.answers["source"], judgements.subjects(), matches, strict=True)
    for row, (source, subject, match) in enumerate(answers):
        total += not subject.control
        if match is not None and subject.control in ("", "repeat"):
            kept.append((row, str(match[0]), match[1]))
        elif subject.control:
            kept.append((row, subject.item, subject.systems))
        elif plain(source) in own_sources:
            other += 1
        else:
            elsewhere += 1
    reasons = []
    if elsewhere:
        reasons.append(f"{elsewhere:,} of other sources")
    if other:
        reasons.append(f"{other:,} of texts that no system wrote")
    if elsewhere + other == total:
        raise InputError(f"ratings: none of {total:,} is of an output here: {', '.join(reasons)}")
    unmatched = f"Left out of {total:,} ratings: {', '.join(reasons)}." if reasons else ""
    if unmatched:
        note(unmatched)
    rows, items, systems = zip(*kept, strict=True)
    own = judgements.take([*rows]).assign(items, systems)
    return ReportedRatings(own, unmatched, [*names.values()], len(sources), sampling)


def _best_first(table: Grid, better: str) -> Grid:
    """Sort a table by its first score."""
    sign = 1 if better == "lower" else -1
    return replace(table, rows=sorted(table.rows, key=lambda row: sign * (row[1].value or 0)))


def _list_strengths(comparison: Comparison, criterion: str) -> str:
    """Write the systems' strengths by people's comparisons."""
    strengths = []
    for name in comparison.ranked:
        main = comparison.systems[name].main
        interval = cells.interval(main.interval, 2, minus="−")
        strengths.append(f"{name} {number(main.value, 2)} {interval}")
    few = comparison.too_few_examples
    examples = f", of {few} examples, which are too few to tell" if few else ""
    return f"By people's comparisons the strengths in {criterion} are {join(strengths)}{examples}."


def _agreement_table(analysis: Analysis) -> Grid:
    """Return the analysis' table without levels, with explained columns."""
    grid = analysis.tables()["Agreement of raters"]
    head, *rows = [
        [cell if isinstance(cell, Cell) else Cell(cell) for j, cell in enumerate(row) if j != 1]
        for row in (grid.header, *grid.rows)
    ]
    header = [replace(cell, about=_AGREEMENT.get(cell.text, "")) for cell in head]
    notes, caption = [analysis.signature], "Agreement of raters"
    return Grid([Cell("Criterion"), *header[1:]], rows, notes, id="agreement", caption=caption)
