"""Headlines: which system leads by a metric, and what a test set can detect.

"Leads", "better" and "beats" stand for significant differences, "ahead" and "highest" for bare
numbers. ``textsimp score``, ``compare``, ``power`` and the report say the same.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from textsimp.core import significance, tables
from textsimp.core.metric import Metric
from textsimp.core.scores import Comparison, rank
from textsimp.core.significance import Difference
from textsimp.core.statistics import Statistics
from textsimp.corpora.checks import Finding
from textsimp.metrics.aligned import LEVEL, SentenceMetric
from textsimp.scoring.score_columns import EQUAL, Column, column_of, number, visible_places

MAX_NAMES = 3  # systems in a list, the others are counted
DIFFERENT = "significantly different from"


@dataclass(frozen=True)
class Gap:
    """The difference of two rows, in scores as they are shown; positive if the first is better."""

    to: str  # the other row
    value: float
    interval: tuple[float, float]  # NaN if there was no test
    p: float | None  # Holm's, of the permutation test; None if there was none
    significant: bool

    @classmethod
    def of_test(cls, to: str, column: Column, test: Difference, significant: bool) -> Gap:
        """Make the gap to a row from a test."""
        value, low, high = (
            column.scale * column.gain(number) for number in (test.value, *test.interval)
        )
        interval = (min(low, high), max(low, high))
        return cls(to, value, interval, test.permutation_p_holm, significant)

    @property
    def ahead(self) -> bool:
        """Whether the first row is significantly better."""
        return self.significant and self.value > 0


@dataclass(frozen=True)
class Judgement:
    """The result of one metric. Systems and baselines stand with the best one first."""

    name: str  # the metric's, as the report calls it
    label: str  # what its main score is called
    column: Column
    scores: Mapping[str, float]  # of systems, as they are shown; without undefined ones
    # The system of the best score and those that do not differ significantly from it.
    leading: Sequence[str] = ()
    baselines: Mapping[str, float] = field(default_factory=dict)  # their scores
    tests: Mapping[tuple[str, str], Gap] = field(default_factory=dict)  # of a system and another
    few: int = 0  # number of examples, if there are too few to judge
    detectable: float = 0  # the smallest difference that the tests can detect; 0 if unknown

    @property
    def top(self) -> str:
        """The system of the best score; empty if none has one."""
        return next(iter(self.scores), "")

    @property
    def best(self) -> str:
        """The system that is significantly better than each other one; empty if none is."""
        return self.leading[0] if len(self.leading) == 1 else ""

    @property
    def gaps(self) -> list[Gap]:
        """The gaps of the best system to each other one, the next first."""
        return self.gaps_to(self.top, self.scores)

    @property
    def ahead(self) -> list[str]:
        """Baselines whose score is better than every system's."""
        top, column = self.scores.get(self.top, math.nan), self.column
        return [name for name, x in self.baselines.items() if column.gain(x - top) > EQUAL]

    def gaps_to(self, system: str, others: Iterable[str]) -> list[Gap]:
        """Return the gaps of a system to those of the others that it was tested against."""
        return [self.tests[system, name] for name in others if (system, name) in self.tests]

    @property
    def equal(self) -> list[str]:
        """The other systems that have the best score."""
        return [gap.to for gap in self.gaps if abs(gap.value) < EQUAL]

    @property
    def unit(self) -> str:
        """What follows a difference: SARI, or points of something that is shown in percent."""
        return ("points of " if self.column.scale == 100 else "") + self.label

    @property
    def limit(self) -> str:
        """The smallest detectable difference, in brackets; empty if it is unknown."""
        if not self.detectable:
            return ""
        return f" (smallest detectable difference: {_two_digits(self.detectable)} {self.unit})"

    def cite(self, value: float) -> str:
        """Write a score or difference."""
        unit = "\u00a0%" if self.column.scale == 100 else ""
        return number(value, _places(self)) + unit

    def list_scores(self, rows: Iterable[str], last: str = "and") -> str:
        """List systems or baselines with their scores, the best first."""
        values = {**self.scores, **self.baselines}
        order = sorted(rows, key=lambda name: -self.column.gain(values[name]))
        return join([f"{name} ({self.cite(values[name])})" for name in order], last)


def find_unranked(findings: Iterable[Finding], systems: Collection[str]) -> dict[str, str]:
    """Return the systems with an error, with what it is; one of sources or references is of all."""
    errors = [finding for finding in findings if finding.gravity == "error"]
    return {name: one.text for one in errors for name in one.systems or systems}


def describe_unranked(unranked: Mapping[str, str]) -> list[str]:
    """Say which systems can't be ranked, and why.

    >>> describe_unranked({"a": "a seems shifted", "b": "b: are the rows in order?"})
    ["a can't be ranked. a seems shifted.", "b can't be ranked. b: are the rows in order?"]
    """
    names: dict[str, list[str]] = {}
    for name, text in unranked.items():
        names.setdefault(text + "." * (not text.endswith("?")), []).append(name)
    return [f"{join(of_text)} can't be ranked. {text}" for text, of_text in names.items()]


def judge_comparisons(
    statistics: Mapping[str, Statistics],
    comparisons: Mapping[str, Comparison],
    unranked: Collection[str] = (),
) -> list[Judgement]:
    """Judge compared systems, but for unranked ones, by each metric with a direction."""
    metrics = {name: statistics[name].metric for name in comparisons}
    main = {name: metric.scores[0] for name, metric in metrics.items()}
    judging = {n: one for n, one in metrics.items() if main[n].better and not main[n].many}
    labels = label_scores(judging)
    judgements = [
        _judge_comparison(n, *labels[n], statistics[n], comparisons[n], unranked) for n in judging
    ]
    return [one for one in judgements if one.top or not unranked]


def aligns(metric: Metric) -> bool:
    """Whether a metric aligns the sentences of documents."""
    return isinstance(metric, SentenceMetric) and metric.aligned


def label_scores(metrics: Mapping[str, Metric]) -> dict[str, tuple[str, Column]]:
    """Return what sentences call each metric's main score, and its column."""
    titles = [metric.scores[0].title for metric in metrics.values()]
    labels = {}
    for name, metric in metrics.items():
        title, column = metric.scores[0].title, column_of(metric, metric.scores[0].key)
        level = f" ({LEVEL})" if aligns(metric) else ""
        label = title + level if titles.count(title) == 1 else column.label
        labels[name] = (label.removesuffix(",\u00a0%"), column)
    return labels


def _judge_comparison(
    name: str,
    label: str,
    column: Column,
    measured: Statistics,
    comparison: Comparison,
    unranked: Collection[str],
) -> Judgement:
    """Judge for a headline: of a leader's gaps only the next system's has an interval."""
    rows = [system for system in rank(comparison.systems) if system not in unranked]
    shown = {system: column.scale * comparison.systems[system].main.value for system in rows}
    baselines = {system: shown[system] for system in rows if system in comparison.baselines}
    scores = {s: x for s, x in shown.items() if s not in baselines and not math.isnan(x)}
    examples = measured.facts.examples
    few = examples if examples < significance.FEWEST else 0
    leading = [] if few else [system for system in scores if system in comparison.best]
    top, *others = [*scores] or [""]
    tests = {}
    for other in others:
        value = column.gain(scores[top] - scores[other])
        significant = not few and other not in leading
        tests[top, other] = Gap(other, value, (math.nan, math.nan), None, significant)
    if len(leading) == 1 and others:
        test = _test(top, others[0], measured, comparison)
        tests[top, others[0]] = Gap.of_test(others[0], column, test, True)
    if scores and not others:
        to_baselines = {b: {"": _test(top, b, measured, comparison)} for b in comparison.baselines}
        for name, adjusted in significance.adjust(to_baselines).items():
            significant = adjusted[""].is_significant(comparison.confidence)
            tests[top, name] = Gap.of_test(name, column, adjusted[""], significant)
    detectable = column.scale * (comparison.detectable or 0)
    return Judgement(name, label, column, scores, leading, baselines, tests, few, detectable)


def _test(system: str, other: str, measured: Statistics, comparison: Comparison) -> Difference:
    """Test the difference of main scores, unless the comparison has done so."""
    score = measured.metric.scores[0].key
    if other == comparison.baseline:
        return comparison.differences[system][score]
    if system == comparison.baseline:
        return comparison.differences[other][score].reversed
    samples = measured.samples
    tests = samples[system].minus(
        samples[other],
        confidence=comparison.confidence,
        resamples=comparison.resamples,
        seed=comparison.seed,
    )
    return tests[score]


def headline(judgement: Judgement) -> str:
    """Say which system is significantly better by a metric, or that none is."""
    top, label, gaps = judgement.top, judgement.label, judgement.gaps
    if not top:
        return f"{label} is undefined here for every system."
    score = judgement.cite(judgement.scores[top])
    extreme = "lowest" if judgement.column.lower else "highest"
    if judgement.few:
        scores = judgement.list_scores([*judgement.scores, *judgement.baselines])
        examples = "1 example is" if judgement.few == 1 else f"{judgement.few} examples are"
        return f"{examples} too few to call a system better or worse by {label}: {scores}."
    if not gaps:
        return _single_system(judgement, score)
    equal = judgement.equal
    highest = [top, *equal]
    if judgement.ahead:
        baselines = f"{judgement.list_scores(judgement.ahead)} {are(judgement.ahead)}"
        start = f"By {label} {baselines} ahead of every system"
        if judgement.best:
            return f"{start}, of which {top} is the best ({score})."
        same = ", with the same score" if equal else ""
        which = f"{join(highest)} {are(highest)} {extreme}{same}"
        return f"{start}, of which {which} ({score})."
    if judgement.best:
        next_one = gaps[0].to if len(gaps) == 1 else f"the next, {gaps[0].to}"
        margin = _margin(judgement, gaps[0])
        return f"{top} leads significantly by {label}: {score}, {margin} {next_one}."
    rest = [name for name in judgement.leading[1:] if name not in equal]
    start = f"No system leads by {label}: "
    if not equal:
        others = join(rest, "or")
        different = f"but not {DIFFERENT} {others}{judgement.limit}"
        return f"{start}{top} is {extreme} with {score}, {different}."
    not_apart = f"; {join(rest)} {are(rest)} not {DIFFERENT} them{judgement.limit}" if rest else ""
    return f"{start}{join(highest)} have the same score, {score}{not_apart}."


def _single_system(judgement: Judgement, score: str) -> str:
    """The headline of a single system, which is compared with the baselines only."""
    top, label = judgement.top, judgement.label
    if not judgement.baselines:
        return f"{top} has {score} by {label}, and nothing here to be compared with."
    gaps = judgement.gaps_to(top, judgement.baselines)
    nearest = gaps[0]
    if all(gap.ahead for gap in gaps):
        better = f"the better baseline, {nearest.to}" if len(gaps) > 1 else nearest.to
        margin = _margin(judgement, nearest)
        return f"{top} beats the baselines by {label}: {score}, {margin} {better}."
    unbeaten = [gap.to for gap in gaps if not gap.ahead]
    return f"{top} doesn't beat {judgement.list_scores(unbeaten, 'or')} by {label}: it has {score}."


def describe_detection(
    judgements: Iterable[Judgement], examples: int, confidence: float, start: str = "These "
) -> str:
    """Say which differences so many examples can detect; empty if they are unknown."""
    sizes = [
        f"{_two_digits(judgement.detectable)} {judgement.unit} or more"
        for judgement in judgements
        if judgement.detectable and not judgement.few
    ]
    if not sizes:
        return ""
    return (
        f"{start}{examples:,} examples can detect a difference of {join(sizes)} "
        f"(in {100 * significance.POWER:.0f}\u00a0% of tries, p < {1 - confidence:.3g})."
    )


def _two_digits(size: float) -> str:
    """
    >>> _two_digits(1.549), _two_digits(0.0123), _two_digits(12.3)
    ('1.5', '0.012', '12')
    """
    return number(size, max(0, 1 - math.floor(math.log10(size))))


def _places(judgement: Judgement) -> int:
    """One decimal less than the table has, unless the first two systems would look equal."""
    decimals = judgement.column.places
    if decimals is None:
        decimals = tables.places([*judgement.scores.values(), *judgement.baselines.values()])
    near = [abs(gap.value) for gap in judgement.gaps[:1] if gap.value]
    return max(0, decimals if near and near[0] < 10 ** (1 - decimals) else decimals - 1)


def _margin(judgement: Judgement, gap: Gap) -> str:
    decimals = visible_places(_places(judgement), [gap.value, *gap.interval])
    bounds = ", ".join(number(bound, decimals) for bound in gap.interval)
    unit = " points" if judgement.column.scale == 100 else ""
    side = "below" if judgement.column.lower else "above"
    return f"{number(gap.value, decimals)} [{bounds}]{unit} {side}"


def join(names: Sequence[str], last: str = "and") -> str:
    """
    >>> join(["a"]), join(["a", "b"]), join(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 others')
    """
    items = [*names]
    if len(items) > MAX_NAMES + 1:
        items = [*items[:MAX_NAMES], f"{len(items) - MAX_NAMES} others"]
    *firsts, final = items
    return f"{', '.join(firsts)} {last} {final}" if firsts else final


def are(names: Sequence[str]) -> str:
    """Return the verb of one name or of several."""
    return "are" if len(names) > 1 else "is"
