"""The report's verdict: which system leads, by how much, and whether that is significant.

The data come from the paired tests of `textsimp.report.score_tables`, which also decide the marks
of the table of scores and fill the matrices. So words, marks and tests agree. "Leads", "better" and
"beats" stand for significant differences, "ahead" and "highest" for bare numbers. ``textsimp
score`` and ``compare`` end with the same headline.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, permutations
from statistics import median

import numpy as np

from textsimp.core import significance, tables
from textsimp.core.declarations import REFERENCES
from textsimp.core.metric import Metric
from textsimp.core.scores import Comparison, rank
from textsimp.core.significance import Difference
from textsimp.core.statistics import Statistics
from textsimp.metrics.aligned import LEVEL
from textsimp.report import permalinks, report_rows, score_tables, sentence_links
from textsimp.report.report_ratings import MEAN, PREFIX
from textsimp.report.report_rows import Measurements
from textsimp.report.score_tables import EQUAL, Column, number, p_text

_MAX_NAMES = 3  # systems in a list, the others are counted
_DIFFERENT = "significantly different from"
_NEGATIVE = re.compile(r"−\.\d+ \[−\.\d+, −\.\d+\]")  # a correlation, in `Metric.people`


@dataclass(frozen=True)
class Gap:
    """The difference of two rows, in scores as they are shown; positive if the first is better."""

    to: str  # the other row
    value: float
    interval: tuple[float, float]  # NaN if there was no test
    p: float | None  # Holm's, of the permutation test; None if there was none
    significant: bool

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
    undefined: Sequence[str] = ()  # systems without a score
    best: str = ""  # the system that is significantly better than each other one
    # The system of the best score and those that do not differ significantly from it.
    tied: Sequence[str] = ()
    gaps: Sequence[Gap] = ()  # of the best system to each other one, the next first
    baselines: Mapping[str, float] = field(default_factory=dict)  # their scores
    ahead: Sequence[str] = ()  # baselines whose score is better than every system's
    to_baselines: Mapping[str, Mapping[str, Gap]] = field(default_factory=dict)
    references: float = math.nan  # their score, each against the others
    above: Sequence[str] = ()  # systems whose score is better than that of the references
    people: str = ""  # why people's ratings don't bear the metric out
    # If the order turns with length: of the shorter half of sources, then of the longer one, their
    # number, the system of the best score, and how far it is ahead of that of the other half.
    halves: Sequence[tuple[int, str, Gap]] = ()
    few: int = 0  # number of examples, if there are too few to judge
    detectable: float = 0  # the smallest difference that the tests can detect; 0 if unknown
    # Of Bradley–Terry strengths, which are compared by these, without tests.
    intervals: Mapping[str, Sequence[float]] = field(default_factory=dict)
    beats: Collection[tuple[str, str]] = ()  # (system, another that is significantly worse)

    @property
    def top(self) -> str:
        """The system of the best score; empty if none has one."""
        return next(iter(self.scores), "")

    @property
    def equal(self) -> list[str]:
        """The other systems that have the best score."""
        return [gap.to for gap in self.gaps if abs(gap.value) < EQUAL]

    def unbeaten(self, baseline: str) -> list[str]:
        """The systems that are not significantly better than a baseline."""
        return [name for name, gaps in self.to_baselines.items() if not gaps[baseline].ahead]


def judge(measurements: Measurements) -> list[Judgement]:
    """Judge the systems of a report by each metric, the main one first."""
    labels = _label(measurements.judging)
    judged = [_judge_by(measurements, name, *labels[name]) for name in measurements.judging]
    if measurements.people and measurements.people.ratings.compares:
        judged += [_judge_strengths(measurements, name) for name in measurements.people.metrics]
    return judged


def _judge_strengths(measurements: Measurements, name: str) -> Judgement:
    """Judge by people's comparisons: a system beats those whose intervals are below its own."""
    rows, column = measurements.data.rows, Column(MEAN, name.removeprefix(PREFIX), places=2)
    order = score_tables.rank_rows(column, measurements.values[name], range(len(rows)))
    values = {rows[i].name: measurements.values[name][i][MEAN] for i in order}
    beats = [(a, b) for a, b in permutations(values, 2) if values[a][1][0] > values[b][1][1]]
    few = measurements.few(name)
    return Judgement(
        name,
        f"{column.label} (raters)",
        column,
        scores={system: value for system, (value, _) in values.items()},
        few=few,
        intervals={system: interval for system, (_, interval) in values.items()},
        beats=() if few else beats,
    )


def judge_comparisons(
    statistics: Mapping[str, Statistics], comparisons: Mapping[str, Comparison]
) -> list[Judgement]:
    """Judge compared systems by each metric with a direction."""
    judging = {
        name: one.metric
        for name, one in statistics.items()
        if one.metric.ranks() and not one.metric.scores[0].many
    }
    labels = _label(judging)
    return [_judge_comparison(n, *labels[n], statistics[n], comparisons[n]) for n in judging]


def _label(metrics: Mapping[str, Metric]) -> dict[str, tuple[str, Column]]:
    """Return what sentences call each metric's main score, and its column."""
    titles = [metric.scores[0].title for metric in metrics.values()]
    labels = {}
    for name, metric in metrics.items():
        title, column = metric.scores[0].title, score_tables.columns_of(metric)[0]
        level = f" ({LEVEL})" if sentence_links.aligns(metric) else ""
        label = title + level if titles.count(title) == 1 else column.label
        labels[name] = (label.removesuffix(",\u00a0%"), column)
    return labels


def _judge_by(measurements: Measurements, name: str, label: str, column: Column) -> Judgement:
    data, values = measurements.data, measurements.values[name]
    names = [row.name for row in data.rows]
    systems = data.rows_of("system")
    order = score_tables.rank_rows(column, values, systems)
    baselines = score_tables.rank_rows(column, values, data.rows_of("baseline"))
    tests = score_tables.adjust_tests(measurements, name, column)
    marks = score_tables.best(measurements, name, column)
    significant = {
        pair: not measurements.few(name) and score_tables.differ(test, measurements.sampling)
        for pair, test in tests.items()
    }

    def gap(i: int, j: int) -> Gap:
        return _gap(names[j], column, tests[i, j], significant[i, j])

    # A single system is tested against the baselines only.
    pairs = [*combinations(order, 2)]
    pairs = pairs or [(i, j) for i in order for j in baselines if names[j] == report_rows.UNCHANGED]
    confidence = measurements.sampling.confidence
    sizes = [significance.detectable(tests[p].interval, confidence) for p in pairs if p in tests]
    tied = [i for i in order if marks.get(i, "").startswith("tied")]
    best = next((names[i] for i, mark in marks.items() if mark.startswith("best")), "")
    ahead = score_tables.baselines_ahead(measurements, name, column, order[0]) if order else []
    tested = [j for j in baselines if any((i, j) in tests for i in order)]
    is_main = name == measurements.first
    references = _reference_score(measurements, column) if is_main else math.nan
    leads = {i: score_tables.gain(column, values[i][column.key][0] - references) for i in order}
    return Judgement(
        name,
        label,
        column,
        scores={names[i]: column.scale * values[i][column.key][0] for i in order},
        undefined=[names[i] for i in systems if i not in order],
        best=best,
        tied=[names[i] for i in tied],
        gaps=[gap(order[0], i) for i in order[1:]],
        baselines={names[i]: column.scale * values[i][column.key][0] for i in tested},
        ahead=[names[i] for i in ahead],
        to_baselines={names[i]: {names[j]: gap(i, j) for j in tested} for i in order},
        references=column.scale * references,
        above=[names[i] for i in order if leads[i] >= EQUAL],
        people=_doubt(measurements.judging[name]),
        halves=_compare_halves(measurements, column, order) if is_main else (),
        few=measurements.few(name),
        detectable=column.scale * median([size for size in sizes if size] or [0.0]),
        beats=[(names[i], names[j]) for i, j in combinations(order, 2) if significant[i, j]],
    )


def _gap(to: str, column: Column, test: Difference, significant: bool) -> Gap:
    value, *bounds = (
        column.scale * score_tables.gain(column, number) for number in (test.value, *test.interval)
    )
    return Gap(to, value, (min(bounds), max(bounds)), test.permutation_p_holm, significant)


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
    tops = []
    for half in halves:
        scores = statistics.scores(replace(sampling, resamples=1), half)
        tops.append((*score_tables.rank_rows(column, scores, order), -1)[0])
    if tops[0] == tops[1] or -1 in tops:
        return []
    found = []
    for half, top, other in zip(halves, tops, reversed(tops), strict=True):
        tests = significance.compute_differences(
            statistics.metric.reduce,
            *(statistics.matrices[i][0][half] for i in (other, top)),
            **vars(sampling),
            reduce_resamples=statistics.metric.reduce_resamples,
        )
        test = tests[column.key]
        significant = (test.permutation_p or 0) * 2 * (len(order) - 1) < 1 - sampling.confidence
        gap = replace(_gap(data.rows[other].name, column, test, significant), p=test.permutation_p)
        found.append((len(half), data.rows[top].name, gap))
    return found if any(gap.significant for *_, gap in found) else []


def _judge_comparison(
    name: str, label: str, column: Column, measured: Statistics, comparison: Comparison
) -> Judgement:
    """Judge for a headline: of a leader's gaps only the next system's has an interval."""
    rows = rank(comparison.systems)
    scores = {s: column.scale * comparison.systems[s].main.value for s in rows}
    ranked = [system for system in rows if system not in comparison.baselines]
    order = [system for system in ranked if not math.isnan(scores[system])]
    baselines = {name: scores[name] for name in rows if name in comparison.baselines}
    examples = measured.facts.examples
    few = examples if examples < significance.FEWEST else 0
    tied = [] if few else [system for system in order if system in comparison.best]
    gaps = []
    for other in order[1:]:
        value = score_tables.gain(column, scores[order[0]] - scores[other])
        gaps.append(Gap(other, value, (math.nan, math.nan), None, not few and other not in tied))
    if len(tied) == 1 and gaps:
        gaps[0] = _gap(order[1], column, _test(order[0], order[1], measured, comparison), True)
    return Judgement(
        name,
        label,
        column,
        scores={system: scores[system] for system in order},
        undefined=[system for system in ranked if system not in order],
        best=tied[0] if len(tied) == 1 else "",
        tied=tied if len(tied) > 1 else (),
        gaps=gaps,
        baselines=baselines,
        ahead=[
            name
            for name, score in baselines.items()
            if order and score_tables.gain(column, score - scores[order[0]]) > EQUAL
        ],
        to_baselines={order[0]: _gaps_to_baselines(column, comparison)} if len(order) == 1 else {},
        few=few,
        detectable=column.scale * (comparison.detectable or 0),
    )


def _gaps_to_baselines(column: Column, comparison: Comparison) -> dict[str, Gap]:
    """Return the differences of a single system from the report's baselines."""
    gaps = {}
    for name in rank(comparison.systems):
        if name in comparison.baselines:
            test = comparison.differences[name][column.key].reversed
            p = test.permutation_p_holm
            gaps[name] = _gap(name, column, test, p is not None and p < 1 - comparison.confidence)
    return gaps


def _test(system: str, other: str, measured: Statistics, comparison: Comparison) -> Difference:
    """Test the difference of main scores, unless the comparison has done so."""
    metric, score = measured.metric, measured.metric.scores[0].key
    if other == comparison.baseline:
        return comparison.differences[system][score]
    if system == comparison.baseline:
        return comparison.differences[other][score].reversed
    tests = significance.compute_differences(
        *(metric.reduce, measured.systems[other], measured.systems[system]),
        confidence=comparison.confidence,
        resamples=comparison.resamples,
        seed=comparison.seed,
        reduce_resamples=metric.reduce_resamples,
    )
    return tests[score]


def _doubt(metric: Metric) -> str:
    """Return what is known against ranking by a metric."""
    if against := _NEGATIVE.search(metric.people):
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


def describe(judgement: Judgement) -> Statement:
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
        more.append(f"{judgement.label} is undefined for {_join(judgement.undefined)}.")
    sentences = filter(None, [headline(judgement), _length_sentence(judgement)])
    return Statement(" ".join(sentences), more, people, href, about)


def headline(judgement: Judgement) -> str:
    """Say which system is significantly better by a metric, or that none is."""
    top, label, gaps = judgement.top, judgement.label, judgement.gaps
    if not top:
        return f"{label} is undefined here for every system."
    score = _score(judgement, judgement.scores[top])
    extreme = "lowest" if judgement.column.lower else "highest"
    if judgement.few:
        scores = _list_scores(judgement, [*judgement.scores, *judgement.baselines])
        examples = "1 example is" if judgement.few == 1 else f"{judgement.few} examples are"
        return f"{examples} too few to call a system better or worse by {label}: {scores}."
    if not gaps:
        return _single_system(judgement, score)
    equal = judgement.equal
    highest = [top, *equal]
    if judgement.ahead:
        baselines = f"{_list_scores(judgement, judgement.ahead)} {_are(judgement.ahead)}"
        start = f"By {label} {baselines} ahead of every system"
        if judgement.best:
            return f"{start}, of which {top} is the best ({score})."
        same = ", with the same score" if equal else ""
        which = f"{_join(highest)} {_are(highest)} {extreme}{same}"
        return f"{start}, of which {which} ({score})."
    if judgement.best:
        next_one = gaps[0].to if len(gaps) == 1 else f"the next, {gaps[0].to}"
        margin = _margin(judgement, gaps[0])
        return f"{top} leads significantly by {label}: {score}, {margin} {next_one}."
    rest = [name for name in judgement.tied[1:] if name not in equal]
    start = f"No system leads by {label}: "
    if not equal:
        others = _join(rest, "or")
        return f"{start}{top} is {extreme} with {score}, but not {_DIFFERENT} {others}."
    not_apart = f"; {_join(rest)} {_are(rest)} not {_DIFFERENT} them" if rest else ""
    return f"{start}{_join(highest)} have the same score, {score}{not_apart}."


def _list_strengths(judgement: Judgement) -> str:
    strengths = [
        f"{name} {number(value, 2)} {tables.interval(judgement.intervals[name], 2, minus='−')}"
        for name, value in judgement.scores.items()
    ]
    start = f"By people's comparisons the strengths in {judgement.column.label} are"
    few = f", of {judgement.few} examples, which are too few to tell" if judgement.few else ""
    return f"{start} {_join(strengths)}{few}."


def _single_system(judgement: Judgement, score: str) -> str:
    """The headline of a single system, which is compared with the baselines only."""
    top, label = judgement.top, judgement.label
    if not judgement.baselines:
        return f"{top} has {score} by {label}, and nothing here to be compared with."
    gaps = judgement.to_baselines[top]
    nearest = gaps[next(iter(judgement.baselines))]
    if all(gap.ahead for gap in gaps.values()):
        better = f"the better baseline, {nearest.to}" if len(gaps) > 1 else nearest.to
        margin = _margin(judgement, nearest)
        return f"{top} beats the baselines by {label}: {score}, {margin} {better}."
    unbeaten = [name for name, gap in gaps.items() if not gap.ahead]
    return (
        f"{top} doesn't beat {_list_scores(judgement, unbeaten, 'or')} by {label}: it has {score}."
    )


def _length_sentence(judgement: Judgement) -> str:
    if not judgement.halves:
        return ""
    (short, a, before), (long, b, after) = judgement.halves
    first, second = (f"{_score(judgement, g.value)} ({_worst_p([g])})" for g in (before, after))
    return (
        f"But it depends on length: among the {short:,} shorter sources {a} is ahead by {first}, "
        f"among the {long:,} longer ones {b} by {second}."
    )


def _system_sentences(judgement: Judgement) -> list[str]:
    gaps, tied = judgement.gaps, judgement.tied
    if judgement.best and len(gaps) == 1 and not judgement.ahead:
        return [f"The difference is significant ({_worst_p(gaps)}, paired test)."]
    if judgement.best:
        return [f"It is better than every other system ({_worst_p(gaps)})."]
    sentences = []
    rest = [name for name in tied[1:] if name not in judgement.equal]
    if judgement.ahead and rest:
        sentences.append(f"{judgement.top} is not {_DIFFERENT} {_join(rest, 'or')}.")
    if worse := [gap for gap in gaps if gap.significant]:
        names = _join([gap.to for gap in worse])
        sentences.append(f"{judgement.top} is better than {names} ({_worst_p(worse)}).")
    return sentences


def _worst_p(gaps: Sequence[Gap]) -> str:
    text = p_text(max(gap.p or 0 for gap in gaps), "≤" if len(gaps) > 1 else "=")
    return text.replace(" ", "\u00a0") + (", Holm" if len(gaps) > 1 else "")


def _baseline_sentences(judgement: Judgement) -> list[str]:
    baselines, systems = judgement.baselines, [*judgement.scores]
    of_all = [gap for gaps in judgement.to_baselines.values() for gap in gaps.values()]
    if len(systems) == 1 or not of_all:
        return _warnings(judgement)
    failing: dict[tuple[str, ...], list[str]] = {}
    for name in baselines:
        if name not in judgement.ahead:
            failing.setdefault(tuple(judgement.unbeaten(name)), []).append(name)
    sentences = []
    for names, unbeaten in failing.items():
        if not names:
            both = "Both systems" if len(systems) == 2 else f"All {len(systems)} systems"
            sentences.append(f"{both} beat {_list_scores(judgement, unbeaten)}.")
        elif len(names) == len(systems):
            sentences.append(f"No system beats {_list_scores(judgement, unbeaten, 'or')}.")
        else:
            verb = "don't" if len(names) > 1 else "doesn't"
            sentences.append(
                f"{_join(names)} {verb} beat {_list_scores(judgement, unbeaten, 'or')}."
            )
    return [*sentences, *_warnings(judgement)]


def _warnings(judgement: Judgement) -> list[str]:
    gaps = judgement.to_baselines.get(judgement.top, {}).values()
    if any(gap.value < EQUAL for gap in gaps):
        return [f"Don't read {judgement.label} as quality here."]
    if not judgement.above:
        return []
    score = _score(judgement, judgement.references)
    side = "below" if judgement.column.lower else "above"
    return [
        f"{_join(judgement.above)} {_are(judgement.above)} {side} the references ({score}). That "
        "doesn't mean better than people: references face one reference fewer."
    ]


def describe_raters(judgements: Sequence[Judgement]) -> str:
    """Say where metrics and people disagree on systems; empty without metrics or ratings."""
    raters = [one for one in judgements if one.name.startswith(PREFIX)]
    metrics = [one for one in judgements if not one.name.startswith(PREFIX)]
    if not raters or not metrics:
        return ""
    opposed = [_opposed(metric, raters) for metric in metrics]
    orders = [] if opposed[0] else _orders(metrics[0], raters)
    return " ".join([*orders, *filter(None, opposed)])


def _opposed(metric: Judgement, raters: Sequence[Judgement]) -> str:
    """Name the pairs of systems that a metric and people order differently, significantly."""
    parts = []
    for better, worse in metric.beats:
        labels = [one.label for one in raters if (worse, better) in one.beats]
        if labels:
            parts.append(
                f"{better} is better than {worse} by {metric.label}, worse by {_join(labels)}"
            )
    if not parts:
        return ""
    rest = len(parts) - _MAX_NAMES
    more = f"; and {rest} more pairs" if rest > 1 else ""
    shown = "; ".join(parts[:_MAX_NAMES] if more else parts)
    return f"{metric.label} and people disagree significantly: {shown}{more}."


def _orders(metric: Judgement, raters: Sequence[Judgement]) -> list[str]:
    """Compare the order of systems by a metric with people's."""
    alike: list[str] = []
    others: dict[tuple[str, str, str], list[str]] = {}
    for one in raters:
        order = [name for name in metric.scores if name in one.scores]
        rated = [name for name in one.scores if name in order]
        if order == rated:
            alike += [one.label] * (len(order) > 1)
            continue
        far = max(order, key=lambda name: abs(order.index(name) - rated.index(name)))
        first, second = (_place(names.index(far), len(names)) for names in (order, rated))
        others.setdefault((far, first, second), []).append(one.label)
    both = _join([metric.label, *alike])
    sentences = [f"{both} order the systems alike."] if alike else []
    for (far, first, second), labels in others.items():
        sentences.append(f"{metric.label} puts {far} {first}, {_join(labels)} {second}.")
    return sentences


def _place(index: int, count: int) -> str:
    """
    >>> _place(0, 4), _place(2, 4), _place(3, 4)
    ('first', 'number 3', 'last')
    """
    return {0: "first", count - 1: "last"}.get(index, f"number {index + 1}")


def describe_detection(
    judgements: Iterable[Judgement], examples: int, confidence: float, start: str = "These "
) -> str:
    """Say which differences so many examples can detect; empty if they are unknown."""
    sizes = [
        f"{_two_digits(judgement.detectable)} {unit(judgement)} or more"
        for judgement in judgements
        if judgement.detectable and not judgement.few
    ]
    if not sizes:
        return ""
    return (
        f"{start}{examples:,} examples can detect a difference of {_join(sizes)} "
        f"(in {100 * significance.POWER:.0f}\u00a0% of tries, p < {1 - confidence:.3g})."
    )


def unit(judgement: Judgement) -> str:
    """Return what follows a difference: SARI, or points of something that is shown in percent."""
    if judgement.name.startswith(PREFIX):
        return f"in {judgement.label}"
    return ("points of " if judgement.column.scale == 100 else "") + judgement.label


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


def _score(judgement: Judgement, value: float) -> str:
    unit = "\u00a0%" if judgement.column.scale == 100 else ""
    return number(value, _places(judgement)) + unit


def _list_scores(judgement: Judgement, rows: Iterable[str], last: str = "and") -> str:
    """List systems or baselines with their scores."""
    values = {**judgement.scores, **judgement.baselines}
    return _join([f"{name} ({_score(judgement, values[name])})" for name in rows], last)


def _margin(judgement: Judgement, gap: Gap) -> str:
    decimals = score_tables.visible_places(_places(judgement), [gap.value, *gap.interval])
    bounds = ", ".join(number(bound, decimals) for bound in gap.interval)
    unit = " points" if judgement.column.scale == 100 else ""
    side = "below" if judgement.column.lower else "above"
    return f"{number(gap.value, decimals)} [{bounds}]{unit} {side}"


def _join(names: Sequence[str], last: str = "and") -> str:
    """
    >>> _join(["a"]), _join(["a", "b"]), _join(["a", "b", "c", "d", "e"])
    ('a', 'a and b', 'a, b, c and 2 others')
    """
    items = [*names]
    if len(items) > _MAX_NAMES + 1:
        items = [*items[:_MAX_NAMES], f"{len(items) - _MAX_NAMES} others"]
    *firsts, final = items
    return f"{', '.join(firsts)} {last} {final}" if firsts else final


def _are(names: Sequence[str]) -> str:
    return "are" if len(names) > 1 else "is"
