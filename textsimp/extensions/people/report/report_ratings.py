"""People's ratings of a report's outputs, as scores beside those of metrics."""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.comparisons import Comparison, between
from textsimp.core.declarations import Column, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.scores import Scores, Value, rank
from textsimp.extensions.people import Analysis, Judgements
from textsimp.extensions.people.judgements.judgements import index_outputs, plain
from textsimp.support.errors import InputError

MEAN = "mean"
"""The only score of `RatingMeans`."""
PREFIX = "ratings."
"""Begins the name of a criterion among metrics."""


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
        return np.array([math.fsum(row) / len(row) if row else np.nan for row in ratings])


@dataclass(frozen=True)
class People:
    """What people say of a report's outputs."""

    ratings: Judgements  # items are examples, counted from 0
    analysis: Analysis
    examples: int

    def values(self, name: str, systems: Iterable[str]) -> dict[str, list[list[float]]]:
        """Return system → all values of each output by a criterion; of comparisons 1, ½ and 0."""
        rated = self.ratings.rated
        numbers = rated.on_scale(name).tolist()
        if all(map(math.isnan, numbers)):
            raise InputError(f"ratings: expected some by {name!r}, got none: name other criteria")
        found: dict[str, list[list[float]]] = {
            one: [[] for _ in range(self.examples)] for one in systems
        }
        rows = zip(rated.frame["item"], rated.frame["system"], numbers, strict=True)
        for item, writers, value in rows:
            for system in () if math.isnan(value) else found.keys() & writers:
                found[system][int(item)].append(value)
        return found

    @property
    def metrics(self) -> dict[str, RatingMeans]:
        """Each criterion as a metric. Comparisons have no direction: strengths are no scores."""
        return {f"{PREFIX}{name}": self._metric(name) for name in self.ratings.criteria}

    def _metric(self, name: str) -> RatingMeans:
        if self.ratings.compares:
            share = Score.share(MEAN, f"{name} (raters): preferred", "share of comparisons won")
            return RatingMeans().declare(scores=(share,))
        title = "people's rating" if name == "rating" else f"{name} (raters)"
        criterion = self.ratings.criteria[name]
        better = "" if criterion.level == "nominal" else criterion.better
        score = Score(MEAN, title, "mean", None, None, better)
        return RatingMeans().declare(scores=(score,))

    def compare(self, metric: str, unranked: Collection[str], **sampling: Any) -> Comparison:
        """Return what the analysis says of systems by a criterion, as a comparison."""
        name, analysis = metric.removeprefix(PREFIX), self.analysis
        about = {"signature": analysis.signature, "examples": analysis.counts["items"]}
        alone: dict[str, Any] = {"sources": {}, "references": {}, "details": {}, **about}
        systems = {}
        for system, own in analysis.systems.items():
            if name in own and own[name].value is not None:
                value = Value(own[name].value, own[name].interval or [own[name].value] * 2)
                systems[system] = Scores(
                    metric=self.metrics[metric], predictions={MEAN: value}, **alone
                )
        tests = {
            pair: {MEAN: own[name]} for pair, own in analysis.differences.items() if name in own
        }
        baseline = rank(systems)[0]
        return Comparison(
            systems=systems,
            differences={one: between(tests, one, baseline) for one in systems if one != baseline},
            signature=analysis.signature,
            baseline=baseline,
            tests=tests,
            unranked=unranked,
            by_people=True,
            **sampling,
        )


def match(
    ratings: Judgements,
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> tuple[Judgements, str]:
    """Return the ratings of these systems' outputs, and a sentence on those left out, if any.

    They are found by source and text, whose white space doesn't matter. A text counts for all
    systems that wrote it. ``names`` are what the report calls the systems.
    """
    outputs = [
        (i, source, texts[i], [names[system]])
        for i, source in enumerate(sources)
        for system, texts in systems.items()
    ]
    known = {*map(plain, sources)}
    rows, items, found = [], [], []
    elsewhere = other = total = 0
    matches = ratings.find(index_outputs(outputs))
    answers = zip(ratings.answers["source"], ratings.subjects(), matches, strict=True)
    for row, (source, subject, match) in enumerate(answers):
        item, writers = subject.item, subject.systems
        total += not subject.control
        if match is not None and subject.control in ("", "repeat"):
            item, writers = str(match[0]), match[1]
        elif not subject.control:
            elsewhere += plain(source) not in known
            other += plain(source) in known
            continue
        rows.append(row)
        items.append(item)
        found.append(writers)
    reasons = [f"{elsewhere:,} of other sources"] * bool(elsewhere)
    reasons += [f"{other:,} of texts that no system wrote"] * bool(other)
    if elsewhere + other == total:
        raise InputError(f"ratings: none of {total:,} is of an output here: {', '.join(reasons)}")
    left = f"Left out of {total:,} ratings: {', '.join(reasons)}." if reasons else ""
    return ratings.take(rows).assign(items, found), left
