"""The report's verdict: which system leads, by how much, and whether that is significant.

The data come from the paired tests of `textsimp.report.score_tables`, which also decide the marks
of the table of scores and fill the matrices. So words, marks and tests agree.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from statistics import median

import numpy as np

from textsimp.core import significance, tables
from textsimp.core.declarations import REFERENCES
from textsimp.core.metric import Metric
from textsimp.report import permalinks, report_rows, score_tables
from textsimp.report.report_ratings import MEAN, PREFIX
from textsimp.report.report_rows import Data, Measurements
from textsimp.report.score_tables import p_text
from textsimp.scoring.headlines import (
    DIFFERENT,
    MAX_NAMES,
    Gap,
    Judgement,
    aligns,
    are,
    headline,
    join,
    label_scores,
)
from textsimp.scoring.score_columns import EQUAL, Column, number

LEAST_ORDERED = 3  # systems whose order is compared
_NEGATIVE = re.compile(r"−\.\d+ \[−\.\d+, −\.\d+\]")  # a correlation, in `Metric.people`


@dataclass(frozen=True)
class Verdict(Judgement):
    """A judgement with what only the report knows."""

    rated: bool = False  # whether people have judged
    undefined: Sequence[str] = ()  # systems without a score
    references: float = math.nan  # their score, each against the others
    above: Sequence[str] = ()  # systems whose score is better than that of the references
    people: str = ""  # why people's ratings don't bear the metric out
    # If the order turns with length: of the shorter half of sources, then of the longer one, their
    # number, the system of the best score, and how far it is ahead of that of the other half.
    halves: Sequence[tuple[int, str, Gap]] = ()
    # Of Bradley–Terry strengths, which are compared by these, without tests.
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    beats: Collection[tuple[str, str]] = ()  # (system, another that is significantly worse)

    @property
    def unit(self) -> str:
        return f"in {self.label}" if self.rated else super().unit


def judge(measurements: Measurements) -> list[Verdict]:
    """Judge the systems of a report by each metric, the main one first."""
    labels = label_scores(measurements.judging)
    judged = [_judge_by(measurements, name, *labels[name]) for name in measurements.judging]
    if measurements.people and measurements.people.ratings.compares:
        judged += [_judge_strengths(measurements, name) for name in measurements.people.metrics]
    return judged


def _judge_strengths(measurements: Measurements, name: str) -> Verdict:
    """Judge by people's comparisons: a system beats those whose intervals are below its own."""
    rows, column = measurements.data.rows, Column(MEAN, name.removeprefix(PREFIX), places=2)
    order = score_tables.rank_rows(column, measurements.values[name], range(len(rows)))
    values = {rows[i].name: measurements.values[name][i][MEAN] for i in order}
    beats = [(a, b) for a, b in permutations(values, 2) if values[a][1][0] > values[b][1][1]]
    few = measurements.few(name)
    return Verdict(
        name,
        f"{column.label} (raters)",
        column,
        scores={system: value for system, (value, _) in values.items()},
        few=few,
        rated=True,
        intervals={system: interval for system, (_, interval) in values.items()},
        beats=() if few else beats,
    )


def _judge_by(measurements: Measurements, name: str, label: str, column: Column) -> Verdict:
    data, values = measurements.data, measurements.values[name]
    names = [row.name for row in data.rows]
    systems = measurements.ranked
    order = score_tables.rank_rows(column, values, systems)
    baselines = score_tables.rank_rows(column, values, data.rows_of("baseline"))
    tests = score_tables.adjust_tests(measurements, name, column)
    marks = score_tables.best(measurements, name, column)
    confidence, few = measurements.sampling.confidence, measurements.few(name)
    gaps = {
        (names[i], names[j]): Gap.of_test(
            names[j], column, test, not few and score_tables.differ(measurements, name, test)
        )
        for (i, j), test in tests.items()
    }
    # A single system is tested against the baselines only.
    pairs = [*combinations(order, 2)]
    pairs = pairs or [(i, j) for i in order for j in baselines if names[j] == report_rows.UNCHANGED]
    sizes = [significance.detectable(tests[p].interval, confidence) for p in pairs if p in tests]
    tested = [j for j in baselines if any((i, j) in tests for i in order)]
    is_main = name == measurements.first
    references = _reference_score(measurements, column) if is_main else math.nan
    leads = {i: column.gain(values[i][column.key][0] - references) for i in order}
    ranked = [names[i] for i in order]
    return Verdict(
        name,
        label,
        column,
        scores={names[i]: column.scale * values[i][column.key][0] for i in order},
        undefined=[names[i] for i in systems if i not in order],
        leading=[names[i] for i in order if i in marks],
        baselines={names[i]: column.scale * values[i][column.key][0] for i in tested},
        tests=gaps,
        rated=measurements.is_people(name),
        references=column.scale * references,
        above=[names[i] for i in order if leads[i] >= EQUAL],
        people=_doubt(measurements.judging[name], data),
        halves=_compare_halves(measurements, column, order) if is_main else (),
        few=few,
        detectable=column.scale * median([size for size in sizes if size] or [0.0]),
        beats=[pair for pair in combinations(ranked, 2) if gaps[pair].significant],
    )


def _reference_score(measurements: Measurements, column: Column) -> float:
    """Return the main score of references against each other; NaN if it compares none."""
    declared = measurements.judging[measurements.first].columns
    places = measurements.data.rows_of("references")
    values = measurements.values[measurements.first][places[0]] if places else {}
    compared = column.key in values and REFERENCES.name in {one.name for one in declared}
    return values[column.key][0] if compared else math.nan


def _compare_halves(
    measurements: Measurements, column: Column, order: Sequence[int]
) -> list[tuple[int, str, Gap]]:
    """Compare the best systems of short and of long sources, if these differ significantly."""
    data, sampling = measurements.data, measurements.sampling
    statistics = measurements.statistics[measurements.first]
    lengths = np.array([len(text.split()) for text in data.sources])
    long = lengths > np.median(lengths)
    halves = [np.flatnonzero(~long), np.flatnonzero(long)]
    if len(order) < 2 or min(map(len, halves)) < significance.FEWEST:
        return []
    parts = [statistics.take(half) for half in halves]
    ranked = [
        score_tables.rank_rows(column, part.scores(replace(sampling, resamples=1)), order)
        for part in parts
    ]
    if not all(ranked) or ranked[0][0] == ranked[1][0]:
        return []
    tops = [of_half[0] for of_half in ranked]
    found = []
    for half, part, top, other in zip(halves, parts, tops, reversed(tops), strict=True):
        test = part.compare([(other, top)], sampling)[other, top][column.key]
        significant = (test.permutation_p or 0) * 2 * (len(order) - 1) < 1 - sampling.confidence
        gap = replace(
            Gap.of_test(data.rows[other].name, column, test, significant), p=test.permutation_p
        )
        found.append((len(half), data.rows[top].name, gap))
    return found if any(gap.significant for *_, gap in found) else []


def unlike(metric: Metric, data: Data) -> bool:
    """Whether texts are documents, while people's ratings of a metric were of sentences."""
    return metric.reads == "sentences" and (data.documents or aligns(metric))


def _doubt(metric: Metric, data: Data) -> str:
    """Return what is known against ranking such texts by a metric."""
    against = _NEGATIVE.search(metric.people)
    if against and not unlike(metric, data):
        return f"has gone against people's ratings ({against[0]})"
    if metric.people == Metric.people:
        return "has not been compared with people's ratings here"
    return ""


# Words -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Statement:
    """A judgement in words."""

    headline: str
    more: Sequence[str]
    people: str = ""  # what speaks against ranking by the metric
    href: str = ""  # examples that explain it, empty if there are none
    about: str = ""  # what these are


def describe(judgement: Verdict) -> Statement:
    """Describe a judgement."""
    if judgement.intervals:
        return Statement(_list_strengths(judgement), [])
    href = about = ""
    if different := [gap.to for gap in judgement.gaps if abs(gap.value) >= EQUAL]:
        a, b = judgement.top, different[0]
        if judgement.column.lower:
            a, b = b, a
        score = f"{judgement.name}.{judgement.column.key}"
        href = permalinks.examples(a=a, b=b, sort="-gap", score=score)
        about = f"Examples where {a} is furthest above {b}"
    people = f"{judgement.label} {judgement.people}" if judgement.people else ""
    more = [] if judgement.few else _system_sentences(judgement) + _baseline_sentences(judgement)
    if judgement.undefined and judgement.scores:
        more.append(f"{judgement.label} is undefined for {join(judgement.undefined)}.")
    sentences = filter(None, [headline(judgement), _length_sentence(judgement)])
    return Statement(" ".join(sentences), more, people, href, about)


def _list_strengths(judgement: Verdict) -> str:
    strengths = [
        f"{name} {number(value, 2)} {tables.interval(judgement.intervals[name], 2, minus='−')}"
        for name, value in judgement.scores.items()
    ]
    start = f"By people's comparisons the strengths in {judgement.column.label} are"
    few = f", of {judgement.few} examples, which are too few to tell" if judgement.few else ""
    return f"{start} {join(strengths)}{few}."


def _length_sentence(judgement: Verdict) -> str:
    if not judgement.halves:
        return ""
    (short, a, before), (long, b, after) = judgement.halves
    first, second = (f"{judgement.cite(g.value)} ({_worst_p([g])})" for g in (before, after))
    return (
        f"But it depends on length: among the {short:,} shorter sources {a} is ahead by {first}, "
        f"among the {long:,} longer ones {b} by {second}."
    )


def _system_sentences(judgement: Verdict) -> list[str]:
    gaps, leading = judgement.gaps, judgement.leading
    if judgement.best and len(gaps) == 1 and not judgement.ahead:
        return [f"The difference is significant ({_worst_p(gaps)}, paired test)."]
    if judgement.best:
        return [f"It is better than every other system ({_worst_p(gaps)})."]
    sentences = []
    rest = [name for name in leading[1:] if name not in judgement.equal]
    if judgement.ahead and rest:
        different = f"{DIFFERENT} {join(rest, 'or')}{judgement.limit}"
        sentences.append(f"{judgement.top} is not {different}.")
    if worse := [gap for gap in gaps if gap.significant]:
        names = join([gap.to for gap in worse])
        sentences.append(f"{judgement.top} is better than {names} ({_worst_p(worse)}).")
    return sentences


def _worst_p(gaps: Sequence[Gap]) -> str:
    text = p_text(max(gap.p or 0 for gap in gaps), "≤" if len(gaps) > 1 else "=")
    return text.replace(" ", "\u00a0") + (", Holm" if len(gaps) > 1 else "")


def _baseline_sentences(judgement: Verdict) -> list[str]:
    baselines, systems = judgement.baselines, [*judgement.scores]
    if len(systems) == 1:
        return _warnings(judgement)
    failing: dict[tuple[str, ...], list[str]] = {}
    for name in baselines:
        if name not in judgement.ahead:
            behind = tuple(s for s in systems if not judgement.tests[s, name].ahead)
            failing.setdefault(behind, []).append(name)
    sentences = []
    for names, unbeaten in failing.items():
        if not names:
            both = "Both systems" if len(systems) == 2 else f"All {len(systems)} systems"
            sentences.append(f"{both} beat {judgement.list_scores(unbeaten)}.")
        elif len(names) == len(systems):
            sentences.append(f"No system beats {judgement.list_scores(unbeaten, 'or')}.")
        else:
            verb = "don't" if len(names) > 1 else "doesn't"
            sentences.append(f"{join(names)} {verb} beat {judgement.list_scores(unbeaten, 'or')}.")
    return [*sentences, *_warnings(judgement)]


def _warnings(judgement: Verdict) -> list[str]:
    gaps = judgement.gaps_to(judgement.top, judgement.baselines)
    if any(gap.value < EQUAL for gap in gaps):
        return [f"Don't read {judgement.label} as quality here."]
    if not judgement.above:
        return []
    score = judgement.cite(judgement.references)
    side = "below" if judgement.column.lower else "above"
    return [
        f"{join(judgement.above)} {are(judgement.above)} {side} the references ({score}). That "
        "doesn't mean better than people: references face one reference fewer."
    ]


def describe_raters(judgements: Sequence[Verdict]) -> str:
    """Say where metrics and people disagree on systems; empty without metrics or ratings."""
    raters = [one for one in judgements if one.rated]
    metrics = [one for one in judgements if not one.rated]
    if not raters or not metrics:
        return ""
    opposed = [_opposed(metric, raters) for metric in metrics]
    orders = [] if opposed[0] else _orders(metrics[0], raters)
    return " ".join([*orders, *filter(None, opposed)])


def _opposed(metric: Verdict, raters: Sequence[Verdict]) -> str:
    """Name the pairs of systems that a metric and people order differently, significantly."""
    parts = []
    for better, worse in metric.beats:
        labels = [one.label for one in raters if (worse, better) in one.beats]
        if labels:
            parts.append(
                f"{better} is better than {worse} by {metric.label}, worse by {join(labels)}"
            )
    if not parts:
        return ""
    rest = len(parts) - MAX_NAMES
    more = f"; and {rest} more pairs" if rest > 1 else ""
    shown = "; ".join(parts[:MAX_NAMES] if more else parts)
    return f"{metric.label} and people disagree significantly: {shown}{more}."


def _orders(metric: Verdict, raters: Sequence[Verdict]) -> list[str]:
    """Compare the order of systems by a metric with people's, or say that there are too few."""
    sources, systems = raters[0].few, max(len({*metric.scores} & {*one.scores}) for one in raters)
    if sources or systems < LEAST_ORDERED:
        few = f"{sources} rated source{'s are' if sources > 1 else ' is'}"
        few = few if sources else f"{systems} rated systems are"
        start = f"{few} too few to compare the order of systems by {metric.label} with people's."
        return [start] if systems > 1 else []
    alike: list[str] = []
    others: dict[tuple[str, str, str], list[str]] = {}
    for one in raters:
        order = [name for name in metric.scores if name in one.scores]
        rated = [name for name in one.scores if name in order]
        if len(order) < LEAST_ORDERED:
            continue
        if order == rated:
            alike.append(one.label)
            continue
        far = max(order, key=lambda name: abs(order.index(name) - rated.index(name)))
        first, second = (_place(names.index(far), len(names)) for names in (order, rated))
        others.setdefault((far, first, second), []).append(one.label)
    both = join([metric.label, *alike])
    sentences = [f"{both} order the systems alike."] if alike else []
    for (far, first, second), labels in others.items():
        sentences.append(f"{metric.label} puts {far} {first}, {join(labels)} {second}.")
    return sentences


def _place(index: int, count: int) -> str:
    """
    >>> _place(0, 4), _place(2, 4), _place(3, 4)
    ('first', 'number 3', 'last')
    """
    return {0: "first", count - 1: "last"}.get(index, f"number {index + 1}")
