"""Sentences on comparisons: which system leads by a metric, and what a test set can detect.

"Leads", "better" and "beats" stand for significant differences, "ahead" and "highest" for bare
numbers. ``textsimp score``, ``compare``, ``power`` and the report say the same.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Literal

from textsimp.core import significance, tables
from textsimp.core.comparisons import Comparison
from textsimp.core.declarations import Declarations
from textsimp.core.significance import Difference
from textsimp.metrics.aligned import LEVEL, SentenceMetric
from textsimp.scoring.score_columns import EQUAL, Column, column_of, number, visible_places

__all__ = ["Ranking", "describe_detection", "describe_reversals", "join"]

MAX_NAMES = 3  # systems in a list, the others are counted
DIFFERENT = "significantly different from"


@dataclass(frozen=True)
class Ranking:
    """A comparison by a metric with a direction, in numbers as they are shown."""

    comparison: Comparison
    label: str  # what its main score is called
    column: Column

    @cached_property
    def scores(self) -> dict[str, float]:
        """The scores of ranked systems, the best first."""
        return {name: self._score(name) for name in self.comparison.ranked}

    @cached_property
    def baselines(self) -> dict[str, float]:
        """The scores of baselines, the best first."""
        baselines = {name: self._score(name) for name in self.comparison.baselines}
        known = [name for name in baselines if not math.isnan(baselines[name])]
        ordered = sorted(known, key=lambda name: -self.column.gain(baselines[name]))
        return {name: baselines[name] for name in ordered}

    def _score(self, name: str) -> float:
        return self.column.scale * float(self.comparison.systems[name].main.value)

    @property
    def top(self) -> str:
        """The system of the best score; empty if none has one."""
        return next(iter(self.scores), "")

    @property
    def best(self) -> str:
        """The system that leads: it is ahead of the baselines, and significantly better than each
        other system; empty if none is."""
        best = [] if self.comparison.too_few_examples else self.comparison.best
        return best[0] if len(best) == 1 else ""

    @property
    def undecided(self) -> list[str]:
        """Systems with other scores that do not differ significantly from the best one."""
        rest = [name for name in self.others if name not in self.equal]
        return [name for name in rest if not self.comparison.differ(self.top, name)]

    @property
    def others(self) -> list[str]:
        """The other systems, the next first."""
        return [*self.scores][1:]

    @property
    def equal(self) -> list[str]:
        """The other systems that have the best score."""
        top = self.scores[self.top]
        return [name for name in self.others if abs(self.scores[name] - top) < EQUAL]

    @property
    def ahead(self) -> dict[str, float]:
        """The scores of baselines that no system is ahead of."""
        return {name: self.column.scale * x for name, x in self.comparison.ahead.items()}

    def leads(self, row: str, other: str) -> bool:
        """Whether a system or baseline has a better score than another, by more than rounding."""
        return self.column.gain(self._score(row) - self._score(other)) > EQUAL

    def test(self, system: str, other: str) -> Difference | None:
        """Return how much better a system is than another, as it is shown."""
        test, scale = self.comparison.test(system, other), self.column.gain(self.column.scale)
        if test is None:
            return None
        interval = sorted(scale * bound for bound in test.interval)
        return replace(test, value=scale * test.value, interval=interval)

    def beats(self, system: str, other: str, metrics: int = 1) -> bool:
        """Whether a system is significantly better than another, as one of so many metrics."""
        return self.leads(system, other) and self.comparison.differ(system, other, metrics)

    def leads_by_one_of(self, metrics: int) -> bool:
        """Whether a system leads although p-values are adjusted for so many metrics, too."""
        best, others = self.best, self.others
        return bool(best) and all(self.beats(best, other, metrics) for other in others)

    def within_interval(self, other: str) -> bool:
        """Whether only an interval over runs or raters contains 0, not the test of these."""
        test, level = self.test(self.top, other), 1 - self.comparison.confidence
        return test is not None and test.contains_zero and (test.permutation_p_holm or 1) < level

    @property
    def unit(self) -> str:
        """What follows a difference: SARI, or points of something that is shown in percent."""
        if self.comparison.by_people:
            return f"in {self.label}"
        return ("points of " if self.column.scale == 100 else "") + self.label

    @property
    def detectable(self) -> float:
        """The smallest difference that the tests can detect; 0 if it is unknown."""
        return self.detectable_with(self.comparison.examples)

    def detectable_with(self, examples: int) -> float:
        """Return the smallest difference that tests of so many examples can detect, or 0."""
        return self.column.scale * (self.comparison.detectable_with(examples) or 0)

    def detectable_from(self, other: str) -> float:
        """The smallest difference of the best system from another that a test can detect.

        It is 0 if the test has found one, or nothing is known.
        """
        test, confidence = self.test(self.top, other), self.comparison.confidence
        if test is None or test.is_significant(confidence):
            return 0
        return significance.detectable(test, confidence) or 0

    def cite(self, value: float) -> str:
        """Write a score or difference."""
        unit = "\u00a0%" if self.column.scale == 100 else ""
        return number(value, self._places()) + unit

    def cite_margin(self, other: str) -> str:
        """Write how far the best system is from another."""
        test = self.test(self.top, other)
        assert test is not None
        unit = " points" if self.column.scale == 100 else ""
        side = "below" if self.column.lower else "above"
        return f"{self._cite_interval(test.value, test.interval)}{unit} {side}"

    def cite_size(self, test: Difference) -> str:
        """Write the size of a difference, of which the test is given, with its interval."""
        scale = math.copysign(self.column.scale, test.value)
        return self._cite_interval(scale * test.value, sorted(scale * end for end in test.interval))

    def _cite_interval(self, value: float, ends: Sequence[float]) -> str:
        decimals = visible_places(self._places(), [value, *ends])
        bounds = ", ".join(number(end, decimals) for end in ends)
        return f"{number(value, decimals)} [{bounds}]"

    def cite_worst_p(self, others: Sequence[str]) -> str:
        """Write the largest p-value of tests of the best system."""
        tests = [self.test(self.top, name) for name in others]
        p_values = [test.permutation_p_holm or 0 for test in tests if test is not None]
        p = p_text(max(p_values), "≤" if len(p_values) > 1 else "=").replace(" ", "\u00a0")
        runs = any(test is not None and test.interval_decides for test in tests)
        return f"{p} of these runs" if runs and not self.comparison.by_people else p

    def _places(self) -> int:
        """One decimal less than the table has, unless the first two systems would look equal."""
        decimals = self.column.decimals
        if decimals is None:
            decimals = tables.count_decimals([*self.scores.values(), *self.baselines.values()])
        near = [abs(self.scores[self.top] - self.scores[name]) for name in self.others[:1]]
        return max(0, decimals if 0 < min(near, default=0) < 10 ** (1 - decimals) else decimals - 1)

    def list_scores(self, rows: Iterable[str], last: str = "and") -> str:
        """List systems or baselines with their scores, the best first."""
        values = {**self.ahead, **self.scores, **self.baselines}
        order = sorted(rows, key=lambda name: -self.column.gain(values[name]))
        return join([f"{name} ({self.cite(values[name])})" for name in order], last)


def judge(comparisons: Mapping[str, Comparison]) -> dict[str, Ranking]:
    """Judge systems by each metric with a direction."""
    judging = {
        name: one.metric
        for name, one in comparisons.items()
        if one.main.better and not one.main.many and (one.ranked or not one.unranked)
    }
    labels = label_scores(judging)
    return {name: Ranking(comparisons[name], *labels[name]) for name in judging}


def describe_unranked(unranked: Mapping[str, str]) -> list[str]:
    """Say which systems can't be ranked, and why.

    >>> describe_unranked({"a": "a seems shifted", "b": "b: are the rows in order?"})
    ["a can't be ranked. a seems shifted.", "b can't be ranked. b: are the rows in order?"]
    """
    names: dict[str, list[str]] = {}
    for name, text in unranked.items():
        names.setdefault(text + "." * (not text.endswith("?")), []).append(name)
    return [f"{join(of_text)} can't be ranked. {text}" for text, of_text in names.items()]


def aligns(metric: Declarations) -> bool:
    """Whether a metric aligns the sentences of documents."""
    return isinstance(metric, SentenceMetric) and metric.aligned


def label_scores(metrics: Mapping[str, Declarations]) -> dict[str, tuple[str, Column]]:
    """Return what sentences call each metric's main score, and its column."""
    titles = [metric.scores[0].title for metric in metrics.values()]
    labels = {}
    for name, metric in metrics.items():
        title, column = metric.scores[0].title, column_of(metric, metric.scores[0].key)
        level = f" ({LEVEL})" if aligns(metric) else ""
        label = title + level if titles.count(title) == 1 else column.label
        labels[name] = (label.removesuffix(",\u00a0%"), column)
    return labels


def describe(ranking: Ranking) -> list[str]:
    """Say which system is significantly better by a metric, or that none is; then what it beats."""
    headline = _headline(ranking)
    if ranking.comparison.too_few_examples or not ranking.scores:
        return [headline]
    baselines = [*describe_unbeaten(ranking), *describe_beaten(ranking)]
    references = [] if ranking.ahead else _reference_sentence(ranking)
    return [headline, *_system_sentences(ranking), *baselines, *references]


def _headline(ranking: Ranking) -> str:
    top, label, others = ranking.top, ranking.label, ranking.others
    if not top:
        return f"{label} is undefined here for every system."
    score = ranking.cite(ranking.scores[top])
    extreme = "lowest" if ranking.column.lower else "highest"
    if few := ranking.comparison.too_few_examples:
        scores = ranking.list_scores([*ranking.scores, *ranking.baselines])
        examples = "1 example is" if few == 1 else f"{few} examples are"
        start = f"Nothing can be ranked: {examples} too few"
        return f"{start} to call a system better or worse by {label}: {scores}."
    if not others:
        return _single_system(ranking, score)
    equal = [top, *ranking.equal]
    highest = f"{join(equal)} {are(equal)} {extreme}"
    if ranking.ahead:
        gaps = {name: x - ranking.scores[top] for name, x in ranking.ahead.items()}
        above = [name for name in gaps if ranking.column.gain(gaps[name]) > EQUAL]
        if above:
            start = f"By {label} {ranking.list_scores(above)} {are(above)} ahead of every system"
            return f"{start}, of which {highest} ({score})."
        return f"No system leads by {label}: {highest} with {score}, which a baseline has, too."
    if ranking.best:
        next_one = others[0] if len(others) == 1 else f"the next, {others[0]}"
        margin, p = ranking.cite_margin(others[0]), ranking.cite_worst_p(others)
        return f"{top} leads significantly by {label}: {score}, {margin} {next_one} ({p})."
    rest = ranking.undecided
    start = f"No system leads by {label}: "
    different = f", but not {DIFFERENT} {join(rest, 'or')}" if rest else ""
    limit = _limit(ranking, rest)
    return f"{start}{highest} with {score}{different}{limit}."


def _limit(ranking: Ranking, others: Sequence[str] = ()) -> str:
    """Write the p-value of the next system and the smallest detectable difference, in brackets."""
    size = ranking.detectable_from(others[0]) if others else ranking.detectable
    unit = ranking.unit
    parts = [ranking.cite_worst_p(others[:1])] if others else []
    if others and ranking.within_interval(others[0]):
        drawn = "raters" if ranking.comparison.by_people else "runs"
        parts.append(f"with other {drawn} {ranking.cite_margin(others[0])}")
    parts += [f"smallest detectable difference: {two_digits(size)} {unit}"] if size else []
    return f" ({'; '.join(parts)})" if parts else ""


def _single_system(ranking: Ranking, score: str) -> str:
    """The headline of a single system, which is compared with the baselines only."""
    top, label = ranking.top, ranking.label
    if not ranking.baselines:
        return f"{top} has {score} by {label}, and nothing here to be compared with."
    unbeaten = [name for name in ranking.baselines if not ranking.beats(top, name)]
    if unbeaten:
        listed = ranking.list_scores(unbeaten, "or")
        return f"{top} doesn't beat {listed} by {label}: it has {score}."
    nearest = next(iter(ranking.baselines))
    better = f"the better baseline, {nearest}" if len(ranking.baselines) > 1 else nearest
    margin, p = ranking.cite_margin(nearest), ranking.cite_worst_p([nearest])
    return f"{top} beats the baselines by {label}: {score}, {margin} {better} ({p})."


def _system_sentences(ranking: Ranking) -> list[str]:
    """Say which systems the best one is better than, if the headline doesn't."""
    top, sentences = ranking.top, []
    if ranking.best:
        return []
    if ranking.ahead and (rest := ranking.undecided):
        sentences.append(f"{top} is not {DIFFERENT} {join(rest, 'or')}{_limit(ranking, rest)}.")
    if worse := [name for name in ranking.others if ranking.beats(top, name)]:
        sentences.append(f"{top} is better than {join(worse)} ({ranking.cite_worst_p(worse)}).")
    return sentences


def describe_unbeaten(ranking: Ranking) -> list[str]:
    """Say which baselines the best system doesn't beat, if they aren't ahead of it."""
    names = [name for name in ranking.baselines if not ranking.beats(ranking.top, name)]
    if ranking.ahead or not ranking.others or not names:
        return [f"Don't read {ranking.label} as quality here."] * bool(ranking.ahead)
    return [f"{ranking.top} doesn't beat {ranking.list_scores(names, 'or')}."]


def describe_beaten(ranking: Ranking) -> list[str]:
    """Say which baselines the best system beats."""
    names = [name for name in ranking.baselines if ranking.beats(ranking.top, name)]
    beats = ranking.others and names
    return [f"{ranking.top} beats {ranking.list_scores(names)}."] if beats else []


def _reference_sentence(ranking: Ranking) -> list[str]:
    """Say which systems score above the references, if the metric compares with these."""
    comparison, column = ranking.comparison, ranking.column
    if not comparison.metric.reads_references() or column.key not in comparison.references:
        return []
    score = column.scale * float(comparison.references[column.key].value)
    above = [name for name, x in ranking.scores.items() if column.gain(x - score) >= EQUAL]
    if not above:
        return []
    side = "below" if column.lower else "above"
    return [
        f"{join(above)} {are(above)} {side} the references ({ranking.cite(score)}). That doesn't "
        "mean better than people: references face one reference fewer."
    ]


def describe_reversals(main: Ranking, people: Ranking) -> str:
    """Say of which systems raters significantly say the opposite of a metric; empty if of none."""
    rated = [name for name in main.scores if name in people.scores]
    pairs = [
        f"{worse} is better than {better}"
        for better, worse in combinations(rated, 2)
        if main.beats(better, worse) and people.beats(worse, better)
    ]
    criterion = people.label.removesuffix(" (raters)")
    return f"Raters disagree with {main.label}: in {criterion} {join(pairs)}." if pairs else ""


def describe_detection(rankings: Iterable[Ranking], examples: int, confidence: float) -> str:
    """Say which differences people's ratings can detect by criteria of which nobody leads."""
    sizes = [
        f"{two_digits(ranking.detectable)} {ranking.unit} or more"
        for ranking in rankings
        if ranking.detectable and not ranking.best and not ranking.comparison.too_few_examples
    ]
    if not sizes:
        return ""
    return (
        f"People's ratings of {examples:,} examples can detect a difference of {join(sizes)} "
        f"(in {100 * significance.POWER:.0f}\u00a0% of tries, p < {1 - confidence:.3g})."
    )


def describe_methods(
    signatures: Iterable[str],
    these: str,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    tests: bool = True,
    runs: bool = False,
) -> str:
    """Write the sentences for a paper's section on methods.

    >>> describe_methods(
    ...     ["f1|v:1"], "48 examples, 3 references each", confidence=0.95, resamples=1000, seed=0
    ... )
    "We report f1|v:1 on 48 examples, 3 references each, with 95 % bootstrap intervals (1,000 \
resamples, seed 0). Systems are compared by paired permutation tests; p-values are adjusted by \
Holm's method."
    """
    intervals = f"{100 * confidence:g} % bootstrap intervals ({resamples:,} resamples, seed {seed})"
    sentence = f"We report {join([*signatures])} on {these}, with {intervals}."
    if not tests:
        return sentence
    tested = "Systems are compared by paired permutation tests"
    sentence += f" {tested}; p-values are adjusted by Holm's method."
    if runs:
        sentence += (
            " Intervals draw examples and runs; systems of several runs differ significantly only "
            "if the interval of the difference doesn't contain 0, either."
        )
    return sentence


def p_text(p: float | None, relation: Literal["=", "≤"] = "=") -> str:
    """Write a p-value in words.

    >>> p_text(0.0123), p_text(0.0001), p_text(0.02, "≤"), p_text(None)
    ('p = 0.012', 'p < 0.001', 'p ≤ 0.020', '')
    """
    text = tables.p_value(p)
    if text.startswith("<"):
        return f"p {text.replace('<', '< ')}"
    return text and f"p {relation} {text}"


def two_digits(size: float) -> str:
    """Format a size with two significant digits.

    >>> two_digits(1.549), two_digits(0.0123), two_digits(12.3)
    ('1.5', '0.012', '12')
    """
    return number(size, max(0, 1 - math.floor(math.log10(size))))


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
