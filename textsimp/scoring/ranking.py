"""Systems ranked by a metric: scores as tables show them, and who is significantly better."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from textsimp.core import significance, tables
from textsimp.core.comparisons import EQUAL as EQUAL
from textsimp.core.comparisons import Comparison
from textsimp.core.declarations import Declarations
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.core.tables import Cell
from textsimp.metrics.aligned import LEVEL, Aligned

__all__ = ["Column", "number"]

_MOST_PLACES = 6  # decimals that a small difference may take


@dataclass(frozen=True)
class Column:
    """A column of scores."""

    key: str  # the score's name
    label: str  # what people call it
    help: str = ""  # what it is
    scale: float = 1  # what values are multiplied by
    decimals: int | None = None  # decimals; None for what its numbers ask for
    lower: bool = False  # whether lower values are better

    def gain(self, difference: float) -> float:
        """Turn the sign of a score or difference where lower is better."""
        return -difference if self.lower else difference

    @property
    def head(self) -> Cell:
        """The heading."""
        return Cell(self.label, about=self.help)

    def cells(self, values: Sequence[Value | None]) -> list[Cell]:
        """Format scores with their intervals, all with the same number of decimals."""
        defined = [None if value is None or math.isnan(value.value) else value for value in values]
        shown = [self.scale * value.value for value in defined if value is not None]
        decimals = (
            tables.count_decimals(map(float, shown)) if self.decimals is None else self.decimals
        )
        return [Cell("–") if value is None else self.cell(value, decimals) for value in defined]

    def cell(self, value: Value, decimals: int, sign: bool = False) -> Cell:
        """Format a score or difference with its interval."""
        bounds = None
        if value.interval is not None:
            bounds = [self.scale * bound for bound in value.interval]
        spread = None if value.spread is None else self.scale * value.spread
        number = self.scale * float(value.value)
        return Cell.of(number, bounds, decimals, sign, minus="−", spread=spread)


class Ranking:
    """A comparison by a metric with a direction, in numbers as they are shown.

    Attributes:
        comparison: The comparison.
        label: What its main score is called.
        column: The column of its main score.
        scores: Ranked system → score, the best first.
        baselines: Baseline → score, the best first.
        ahead: Baseline that no system is ahead of → score.
        top: The system of the best score; empty if none has one.
        others: The other systems, the next first.
        following: The next system, or the best baseline of a single system; empty if none is.
        equal: Other systems that have the best score, too.
        undecided: Systems with other scores that do not differ significantly from the best one.
        best: The system that leads: it is ahead of the baselines, and significantly better than
            each other system; empty if none is.
        tests: Other system or baseline → how much better the top system is.
        beaten: Baselines that the top system is significantly better than.
        unbeaten: The other baselines.
        unit: What follows a difference: SARI, or points of something that is shown in percent.
        decimals: One less than the table has, unless the first two systems would look equal.
    """

    def __init__(self, comparison: Comparison, label: str, column: Column) -> None:
        self.comparison, self.label, self.column = comparison, label, column
        shown = {
            name: column.scale * float(comparison.systems[name].main.value)
            for name in [*comparison.ranked, *comparison.baselines]
        }
        self.scores = {name: shown[name] for name in comparison.ranked}
        defined = [name for name in comparison.baselines if not math.isnan(shown[name])]
        defined.sort(key=lambda name: -column.gain(shown[name]))
        self.baselines = {name: shown[name] for name in defined}
        self.ahead = {name: column.scale * score for name, score in comparison.ahead.items()}
        self.top, *self.others = [*self.scores] or [""]
        self.following = next(iter(self.others or self.baselines), "")
        gaps = {name: abs(self.scores[name] - self.scores[self.top]) for name in self.others}
        self.equal = [name for name in self.others if gaps[name] < EQUAL]
        apart = [name for name in self.others if name not in self.equal]
        self.undecided = [name for name in apart if not comparison.differ(self.top, name)]
        best = [] if comparison.too_few_examples else comparison.best
        self.best = best[0] if len(best) == 1 else ""
        pairs = {name: self.test(self.top, name) for name in [*self.others, *self.baselines]}
        self.tests = {name: test for name, test in pairs.items() if test is not None}
        tested = [name for name in self.baselines if name in self.tests]
        self.beaten = [name for name in tested if self.beats(self.top, name)]
        self.unbeaten = [name for name in self.baselines if name not in self.beaten]
        if comparison.by_people:
            self.unit = f"in {label}"
        else:
            self.unit = f"points of {label}" if column.scale == 100 else label
        decimals = column.decimals
        if decimals is None:
            decimals = tables.count_decimals([*self.scores.values(), *self.baselines.values()])
        near = gaps[self.others[0]] if self.others else 0
        self.decimals = decimals if 0 < near < 10 ** (1 - decimals) else max(0, decimals - 1)

    def leads(self, row: str, other: str) -> bool:
        """Whether a system or baseline has a better score than another, by more than rounding."""
        scores = {**self.scores, **self.baselines}
        return self.column.gain(scores[row] - scores[other]) > EQUAL

    def test(self, system: str, other: str) -> Difference | None:
        """Return how much better a system is than another, as it is shown."""
        test = self.comparison.test(system, other)
        return None if test is None else self.as_gain(test)

    def as_gain(self, test: Difference) -> Difference:
        """Return a difference as it is shown, which is positive if the first system is better."""
        scale = self.column.gain(self.column.scale)
        interval = sorted(scale * bound for bound in test.interval)
        return replace(test, value=scale * test.value, interval=interval)

    def beats(self, system: str, other: str, metrics: int = 1) -> bool:
        """Whether a system is significantly better than another, as one of so many metrics."""
        return self.leads(system, other) and self.comparison.beats(system, other, metrics)

    def leads_by_one_of(self, metrics: int) -> bool:
        """Whether a system leads although p-values are adjusted for so many metrics, too."""
        return bool(self.best) and all(self.beats(self.best, x, metrics) for x in self.others)

    def detectable(self, examples: int | None = None) -> float:
        """Return the smallest difference that tests can detect, or 0 if it is unknown.

        They are of so many examples; by default of those that there are.
        """
        smallest = self.comparison.detectable_with(examples or self.comparison.examples)
        return self.column.scale * (smallest or 0)

    def detectable_from(self, other: str) -> float:
        """Return the smallest difference of the top system from another that a test can detect.

        It is 0 if the test has found one, or nothing is known.
        """
        test, confidence = self.tests.get(other), self.comparison.confidence
        if test is None or test.is_significant(confidence):
            return 0
        return significance.detectable(test, confidence) or 0


def judge(comparisons: Mapping[str, Comparison]) -> dict[str, Ranking]:
    """Rank systems by each metric with a direction.

    Sentences call a score by its title, or by the label of its column if several have this title.
    """
    judging = {
        name: x
        for name, x in comparisons.items()
        if x.main.better and not x.main.many and (x.ranked or not x.unranked)
    }
    titles = [x.main.title for x in judging.values()]
    rankings = {}
    for name, x in judging.items():
        label, column = x.main.title, column_of(x.metric, x.main.key)
        if titles.count(label) > 1:
            label = column.label
        elif isinstance(x.metric, Aligned):
            label += f" ({LEVEL})"
        rankings[name] = Ranking(x, label.removesuffix(",\u00a0%"), column)
    return rankings


def aligns(metric: Declarations) -> bool:
    """Whether a metric aligns the sentences of documents."""
    return isinstance(metric, Aligned)


# Scores as tables show them ----------------------------------------------------------------------


def column_of(metric: Declarations, name: str) -> Column:
    """Make the column of a score; the label of the main score names the variant."""
    score = metric.find_score(name)
    label = metric.heading(score.title) if score is metric.scores[0] else score.title
    lower = score.better == "lower"
    if score.unit == "share":
        return Column(name, f"{label},\u00a0%", score.about, 100, score.decimals, lower=lower)
    limits = "" if None in (score.least, score.most) else f"{score.least:g}–{score.most:g}"
    direction = f"{score.better} is better" if score is metric.scores[0] and score.better else ""
    help = "; ".join(filter(None, (", ".join(filter(None, (score.about, limits))), direction)))
    return Column(name, label, help, 1, score.decimals, lower=lower)


def number(value: float, decimals: int, sign: bool = False) -> str:
    """Format a number, with a real minus sign.

    >>> number(-1234.5, 1)
    '−1,234.5'
    """
    return tables.number(value, decimals, sign, minus="−")


def visible_places(decimals: int, values: Sequence[float]) -> int:
    """Return more decimals where a number other than 0 would look like 0.

    >>> visible_places(1, [2.0, 0.04]), visible_places(1, [2.0, 0.0])
    (2, 1)
    """
    while decimals < _MOST_PLACES and any(
        abs(value) >= EQUAL and round(value, decimals) == 0 for value in values
    ):
        decimals += 1
    return decimals
