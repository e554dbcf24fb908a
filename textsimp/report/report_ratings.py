"""People's ratings of a report's outputs, as scores beside those of metrics."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from textsimp.core import significance
from textsimp.core.columns import is_sequence
from textsimp.core.declarations import Column, Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.significance import Difference
from textsimp.corpora.tables import json_list
from textsimp.ratings import Analysis, Criterion, Ratings, strengths
from textsimp.ratings.answers import Outputs
from textsimp.support.errors import InputError, listed, shown

RATING = "rating"
"""The column of ratings, unless others are named."""
MEAN = "mean"
"""The only score of `RatingMeans`."""
PREFIX = "ratings."
"""Begins the name of a criterion among metrics."""
_RATINGS = Column("ratings", "ratings", "people's ratings", own=True)

ByOutput = Mapping[str, Mapping[str, list[list[float]]]]
"""Criterion → system → ratings of each output."""


def columns(questions: Sequence[str]) -> tuple[Column, ...]:
    """Return the columns of ratings; without names ``rating``, which need not be there."""
    names = questions or [RATING]
    return tuple(replace(_RATINGS, name=name, required=bool(questions)) for name in names)


@dataclass(frozen=True)
class RatingMeans(Metric):
    """The mean of all ratings of a criterion; of comparisons, the share of those won."""

    name: ClassVar[str] = "ratings"
    about: ClassVar[str] = "what people think of outputs"
    description: ClassVar[str] = "The mean of people's ratings."
    papers: ClassVar = ()
    people: ClassVar[str] = "it is what people said, and as good as their agreement"
    columns: ClassVar = (_RATINGS,)
    presets: ClassVar = {"mean": Preset("each rating counts once")}
    scores: ClassVar[tuple[Score, ...]] = ()

    def prepare(self) -> None:
        pass

    def statistics(self, prepared: None, ratings: list[list[float]]) -> Floats:
        """(n, 2) the sum of each output's ratings, and their number."""
        return np.array([[sum(row), len(row)] for row in ratings], np.float64)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        return {MEAN: divide(totals[..., 0], totals[..., 1], np.nan)}


def declare(**declarations: Any) -> RatingMeans:
    """Return the metric with other columns or scores."""
    kind = type(RatingMeans.__name__, (RatingMeans,), declarations)
    metric: RatingMeans = kind("mean")
    return metric


@dataclass(frozen=True)
class People:
    """What people say of a report's outputs."""

    ratings: Ratings  # items are examples, counted from 0
    analysis: Analysis
    by_output: ByOutput

    @property
    def metrics(self) -> dict[str, RatingMeans]:
        """Each criterion as a metric; those of texts and comparisons have no direction."""
        return {f"{PREFIX}{name}": self._metric(name) for name in self.ratings.criteria}

    def _metric(self, name: str) -> RatingMeans:
        title = "people's rating" if name == RATING else f"{name} (raters)"
        score = Score(MEAN, title, "mean of people's ratings", None, None, "higher")
        if self.ratings.compares:
            score = Score.share(MEAN, f"{name} (raters): preferred", "share of comparisons won")
        elif any(isinstance(step, str) for step in self.ratings.criteria[name].steps):
            score = replace(score, better="")
        return declare(scores=(score,))

    @property
    def few(self) -> int:
        """The number of rated sources, if too few to call a system better; else 0."""
        items = self.analysis.counts["items"]
        return items if items < significance.FEWEST else 0

    def single_ratings(self) -> dict[str, dict[str, list[str]]]:
        """Return criterion → system → what the raters of each output said, if there are several."""
        found = {}
        for name, systems in self.by_output.items() if not self.ratings.compares else ():
            steps = {code: str(step) for step, code in self.ratings.criteria[name].codes.items()}
            found[name] = {
                system: [
                    ", ".join(steps.get(rating, f"{rating:g}") for rating in row)
                    if len(row) > 1
                    else ""
                    for row in rows
                ]
                for system, rows in systems.items()
            }
        return found

    def values(
        self, metric: str, rows: Sequence[str]
    ) -> list[dict[str, tuple[float, list[float]]]]:
        """Return the mean or strength of each row, with its interval."""
        values: list[dict[str, tuple[float, list[float]]]] = []
        for row in rows:
            one = self.analysis.systems.get(row, {}).get(metric.removeprefix(PREFIX))
            if one is None or one.value is None:
                values.append({})
            else:
                values.append({MEAN: (one.value, one.interval or [one.value] * 2)})
        return values

    def differences(
        self, metric: str, rows: Sequence[str]
    ) -> dict[tuple[int, int], dict[str, Difference]]:
        """Return pair of rows → the second row's mean minus the first's."""
        name = metric.removeprefix(PREFIX)
        found = {}
        for (system, other), tests in self.analysis.differences.items():
            if name in tests:
                first, second = rows.index(system), rows.index(other)
                sign = 1 if first > second else -1
                test = tests[name]
                interval = sorted(sign * bound for bound in test.interval)
                test = replace(test, value=sign * test.value, interval=interval)
                found[min(first, second), max(first, second)] = {MEAN: test}
        return found


def of_columns(systems: Mapping[str, Mapping[str, list[list[float]]]]) -> Ratings:
    """Return the ratings in columns: system → criterion → ratings of each output.

    The first rating of each output is of rater 1, and so on.
    """
    names = list(next(iter(systems.values())))
    raters, items, values = [], [], []
    outputs: list[Outputs] = []
    for system, own in systems.items():
        for i, row in enumerate(zip(*own.values(), strict=True)):
            for place in range(max(map(len, row))):
                raters.append(str(place + 1))
                items.append(str(i))
                outputs.append(((system,),))
                values.append([one[place] if place < len(one) else np.nan for one in row])
    table = np.array(values, np.float64).reshape(-1, len(names))
    return Ratings(
        scheme="",
        grouping="output",
        criteria={name: Criterion("", "interval") for name in names},
        raters=raters,
        items=items,
        outputs=outputs,
        controls=[""] * len(raters),
        values=dict(zip(names, table.T, strict=True)),
        seconds=np.full(len(raters), np.nan),
        texts={},
    )


def match(
    ratings: Ratings,
    sources: Sequence[str],
    systems: Mapping[str, Sequence[str]],
    names: Mapping[str, str],
) -> tuple[Ratings, str]:
    """Return the ratings of these systems' outputs, and a sentence on those left out, if any.

    They are found by source and text, whose white space doesn't matter. A text counts for all
    systems that wrote it. ``names`` are what the report calls the systems.
    """
    for name in ("source", "prediction"):
        if name not in ratings.texts:
            raise InputError(
                f"ratings: expected the column {name!r}, as ratings are matched by source and "
                f"text; the texts are {listed(ratings.texts) if ratings.texts else 'missing'}"
            )
    places: dict[str, list[int]] = {}
    writers: dict[tuple[int, str], list[str]] = {}
    for i, source in enumerate(map(_plain, sources)):
        places.setdefault(source, []).append(i)
        for system, outputs in systems.items():
            writers.setdefault((i, _plain(outputs[i])), []).append(system)
    rows, items, found = [], [], []
    elsewhere, other, wrong = 0, 0, []
    for row, (source, text) in enumerate(
        zip(ratings.texts["source"], ratings.texts["prediction"], strict=True)
    ):
        examples = places.get(_plain(source), [])
        texts = [*map(_plain, _list(text) if ratings.compares else [text])]
        own = [i for i in examples if all((i, one) in writers for one in texts)]
        control = ratings.controls[row]
        if own and control in ("", "repeat"):
            items.append(str(own[0]))
            found.append(tuple(tuple(names[s] for s in writers[own[0], t]) for t in texts))
        elif control:
            items.append(ratings.items[row])
            found.append(ratings.outputs[row])
        else:
            elsewhere += not examples
            other += bool(examples)
            named = {system for output in ratings.outputs[row] for system in output}
            wrong += [(system, examples[0]) for system in named & {*systems} if examples]
            continue
        rows.append(row)
    total = sum(not control for control in ratings.controls)
    if wrong:
        system, example = min(wrong)
        raise InputError(
            f"ratings: {len(wrong):,} of {total:,} are of other texts than the outputs of the "
            f"systems that they name; the first is of {system} on example {example + 1}, whose "
            f"output here is {shown(systems[system][example])}"
        )
    reasons = [f"{elsewhere:,} of other sources"] * bool(elsewhere)
    reasons += [f"{other:,} of texts that no system wrote"] * bool(other)
    if elsewhere + other == total:
        raise InputError(f"ratings: none of {total:,} is of an output here: {', '.join(reasons)}")
    left = f"Left out of {total:,} ratings: {', '.join(reasons)}." if reasons else ""
    return replace(ratings.take(rows), items=items, outputs=found), left


def _plain(text: str) -> str:
    return " ".join(text.split())


def _list(cell: object) -> list[str]:
    return list(cell) if is_sequence(cell) else json_list(cell) or [str(cell)]  # type: ignore


def by_output(ratings: Ratings, systems: Sequence[str], examples: int) -> ByOutput:
    """Return the ratings of each output; of comparisons 1 for each one won, ½ for equal, 0."""
    found: dict[str, dict[str, list[list[float]]]] = {}
    for name in ratings.criteria:
        found[name] = {system: [[] for _ in range(examples)] for system in systems}
        for row, output, value in _judgements(ratings, name):
            for system in ratings.outputs[row][output] if not ratings.controls[row] else ():
                found[name][system][int(ratings.items[row])].append(value)
    return found


def _judgements(ratings: Ratings, name: str) -> Iterator[tuple[int, int, float]]:
    """Yield row, output of the row, and its rating."""
    if not ratings.compares:
        values = ratings.values[name]
        for row in np.flatnonzero(~np.isnan(values)).tolist():
            yield row, 0, float(values[row])
        return
    lists = (part.tolist() for part in strengths.list_preferences(ratings, name))
    for row, winner, loser, weight in zip(*lists, strict=True):
        yield row, winner, weight
        if weight == 1:  # a tie comes twice
            yield row, loser, 0.0
