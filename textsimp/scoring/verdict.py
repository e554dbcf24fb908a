"""The verdict on a comparison: who leads, or why nothing can be ranked, and who fails a gate.

The terminal, JSON, the report and its page begin with these sentences. `write` chooses them; those
on a single metric are worded in `headlines`. `find_failures` is the gate of a pipeline.
"""

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from types import MappingProxyType
from typing import Literal

from textsimp.core import significance
from textsimp.core.cells import quantity
from textsimp.core.comparisons import Comparison
from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics, extra_required_columns
from textsimp.core.significance import NO_DIFFERENCE, Difference
from textsimp.corpora.checks import SOUND, Finding
from textsimp.corpora.cleaning import realign
from textsimp.scoring import headlines, published
from textsimp.scoring.headlines import are, join, two_digits
from textsimp.scoring.ranking import EQUAL, Ranking, judge
from textsimp.scoring.systems import Runs

Rule = Literal["worse", "not-better"]
"""What makes a system fail against the baseline."""

MAX_SENTENCES, MAX_WORDS = 3, 60
_REFUSING = ("empty", "refusals")  # kinds of outputs that can't be ranked, if there are many
_MANY = 0.05  # share of outputs
_MIN_PUBLIC = 10  # systems that make a scale


def find_unranked(
    findings: Iterable[Finding], systems: Iterable[str], examples: int, runs: Runs | None = None
) -> dict[str, str]:
    """Return the systems that can't be ranked, with the reason.

    They have an error, or many outputs that are empty or refusals; one of several runs is enough.
    An error of sources or references concerns all systems.
    """
    reasons: dict[str, str] = {}
    systems_of_runs = {run: system for system, names in (runs or {}).items() for run in names}
    for finding in findings:
        for name in finding.systems or systems:
            number = len(finding.rows.get(name, ())) if finding.kind in _REFUSING else 0
            if finding.gravity == "error" or number >= max(1, _MANY * examples):
                reasons.setdefault(systems_of_runs.get(name, name), finding.text)
    return reasons


def score_realigned(
    findings: Iterable[Finding], examples: Examples, measured: Statistics
) -> dict[str, float]:
    """Return what the main score of each shifted system would be with its lines moved back."""
    scores: dict[str, float] = {}
    shifted = {
        name for finding in findings if finding.kind == "shifted" for name in finding.systems
    }
    if not shifted or extra_required_columns(measured.metric) or not measured.metric.ranks():
        return scores
    for name in sorted(shifted):
        texts = realign(examples.sources or [], examples.predictions(name))
        moved = Examples(examples.shared, {name: {"predictions": texts}})
        rows = measured.metric.measure(moved).systems[name]
        main = measured.metric.scores[0].key
        scores[name] = float(measured.metric.sample(rows).value()[main])
    return scores


def write(
    rankings: Iterable[Ranking],
    unranked: Mapping[str, str],
    realigned: Mapping[str, float],
    findings: Iterable[Finding] = (),
    field: Mapping[str, float] = MappingProxyType({}),
) -> list[str]:
    """Write at most three sentences and 60 words; none if no metric has a direction.

    Args:
        rankings: Systems by each metric with a direction, the main one first.
        unranked: What `find_unranked` returns.
        realigned: What `score_realigned` returns.
        findings: Those of the data checks.
        field: Published system → main score by the main metric.
    """
    judged = [*rankings]
    main = judged[0] if judged else None
    if unranked:
        sentences = _refuse(main, unranked, realigned)
    elif main is None:
        return []
    elif main.comparison.too_few_examples or not main.scores:
        sentences = [headlines.headline(main)]
    else:
        sentences = _judge(main, judged[1:], findings)
    if main is not None and field and not main.comparison.too_few_examples:
        sentences.insert(1, name_published(main, field))
    first, *others = [sentence for sentence in sentences if sentence]
    kept, words = [first], len(first.split())
    for sentence in others[: MAX_SENTENCES - 1]:
        words += len(sentence.split())
        if words <= MAX_WORDS:
            kept.append(sentence)
    return kept


def _refuse(
    main: Ranking | None, unranked: Mapping[str, str], realigned: Mapping[str, float]
) -> list[str]:
    """Say who can't be ranked and why, and who leads among the others, if there are two."""
    name, text = next(iter(unranked.items()))
    if main is None or len(main.scores) < 2:
        sentences = [f"Nothing can be ranked: {headlines.end(text)}"]
    else:
        if len(unranked) == 1:
            text = re.sub(f"^{re.escape(name)} ", "it ", text.removeprefix(f"{name}: "))
        sentences = [f"{join([*unranked])} can't be ranked: {headlines.end(text)}"]
    for name, score in [*realigned.items()][:1]:
        shown = f"{score:.1f}"
        if main is not None:
            shown = f"{headlines.cite(main, main.column.scale * score)} {main.label}"
        sentences.append(
            f"Realigned, {name} would score {shown}: textsimp check --fix moves lines."
        )
    if main is not None and len(main.scores) > 1:
        sentences.append(headlines.headline(main))
    return sentences


def name_published(main: Ranking, field: Mapping[str, float]) -> str:
    """Name published systems with better scores than the best one, which no test compares."""
    column, scores = main.column, {name: main.column.scale * x for name, x in field.items()}
    best = main.scores.get(main.top, math.nan)
    ahead = [name for name in scores if column.gain(scores[name] - best) > EQUAL]
    if not ahead:
        return ""
    ahead.sort(key=lambda name: -column.gain(scores[name]))
    listed = []
    for name in ahead[:2]:
        without_paper = name.rpartition(" (")[0]
        listed.append(f"{without_paper} ({headlines.cite(main, scores[name])})")
    if len(ahead) > 2:
        listed.append(quantity(len(ahead) - 2, "other"))
    published = quantity(len(ahead), "published system")
    return f"{published} {are(ahead)} ahead of {main.top}, untested: {join(listed)}."


def _judge(main: Ranking, others: Sequence[Ranking], findings: Iterable[Finding]) -> list[str]:
    """Say who leads by the main metric, or what it takes to show that, and what speaks against."""
    sentences = [headlines.headline(main)]
    people = [ranking for ranking in others if ranking.comparison.by_people]
    disagreements = [headlines.describe_reversals(main, ranking) for ranking in people]
    disagreements = [sentence for sentence in disagreements if sentence][:1]
    test, (systems, gap) = main.tests.get(main.following), public_gap(main)
    if main.best and test is not None and 0 < test.value < gap:
        sentences.append(
            f"That is small: neighbours among {systems} public systems on ASSET are "
            f"{two_digits(gap)} {main.unit} apart."
        )
        return [*sentences, *disagreements, _say_more(main, others, findings)]
    size = main.detectable_from(main.following)
    if size and "detectable" not in sentences[0]:
        examples = f"These {main.comparison.examples:,} examples"
        sentences.append(f"{examples} can show {two_digits(size)} {main.unit} or more.")
    unbeaten, beaten = headlines.name_baselines(main)
    sentences += [unbeaten, *disagreements]
    for ranking in [*people, *others]:
        another = ranking.best != main.best and ranking.best in main.scores
        if another and ranking.leads_by_one_of(1 + len(others)):  # any of them may
            sentences.append(f"By {ranking.label} {ranking.best} leads significantly.")
            break
    return [*sentences, beaten]


def _say_more(main: Ranking, others: Sequence[Ranking], findings: Iterable[Finding]) -> str:
    """Name a finding on the first two systems, or a metric by which they differ more."""
    first = [main.top, *main.others[:1]]
    for finding in findings:
        sound = finding.gravity == "note" or finding.kind in SOUND
        if not sound and not {*first}.isdisjoint(finding.systems):
            return f"The data checks say more: {finding.text}."
    for ranking in others:
        _, gap = public_gap(ranking)
        if not gap or len(first) < 2 or not {*first} <= {*ranking.scores}:
            continue
        better, worse = sorted(first, key=[*ranking.scores].index)
        test = ranking.test(better, worse)
        differ = ranking.beats(better, worse, 1 + len(others))
        if test is not None and differ and test.value >= gap:
            margin = headlines.cite(ranking, test.value)
            return f"{ranking.label} says more: {better} is {margin} ahead."
    return ""


def public_gap(ranking: Ranking) -> tuple[int, float]:
    """Return the number of public systems on ASSET, and how far neighbours are apart by a metric.

    That is the median of their differences. Both are 0 if too few systems are known.
    """
    systems, gap = _public_gap("|".join(ranking.comparison.signature.split("|")[:2]))
    return systems, ranking.column.scale * gap


@functools.cache
def _public_gap(start: str) -> tuple[int, float]:
    """Return the same for a metric's variant, as a signature begins."""
    scores = sorted(
        float(row["value"])
        for row in published.table("field")
        if row["test_set"] == "ASSET" and f"{row['signature']}|".startswith(f"{start}|")
    )
    if len(scores) < _MIN_PUBLIC:
        return 0, 0.0
    return len(scores), median(b - a for a, b in pairwise(scores))


def find_failures(
    comparison: Comparison, rule: Rule, by: float = 0.0, unranked: Mapping[str, str] | None = None
) -> list[str]:
    """Return a sentence on each system that fails, compared with the baseline by the main score.

    Args:
        comparison: The systems.
        rule: ``worse``: a system fails if it is significantly worse than the baseline, by the
            paired permutation test. ``not-better``: unless it is significantly better.
        by: The difference that doesn't count yet, in points of the main score as it is printed. A
            system is then worse, or better, if the whole interval of its difference lies beyond.
        unranked: Systems with errors in their outputs, which fail, with what these are.
    """
    sentences = headlines.describe_unranked(unranked or {})
    rest = {comparison.baseline, *comparison.baselines, *(unranked or {})}
    for ranking in judge({"": comparison}).values():
        for name, tests in comparison.differences.items():
            if name not in rest:
                test = tests.get(comparison.main.key, NO_DIFFERENCE)
                sentences += _find_failure(ranking, name, test, rule, by)
    return sentences


def _find_failure(
    ranking: Ranking, name: str, test: Difference, rule: Rule, by: float
) -> list[str]:
    baseline, confidence = ranking.comparison.baseline, ranking.comparison.confidence
    if ranking.comparison.too_few_examples or test.permutation_p_holm is None:
        return [f"{name} can't be tested against {baseline}: too few examples have both scores."]
    gain, significant = ranking.as_gain(test), test.is_significant(confidence)
    low, high = gain.interval if by else (gain.value, gain.value)
    better, worse = significant and low > by, significant and high < -by
    if not worse and (rule == "worse" or better):
        return []
    verdict = "is worse than" if worse else "isn't better than"
    side = "below" if test.value < 0 else "above" if test.value > 0 else "apart"
    details = headlines.p_text(test.permutation_p_holm)
    if test.interval_decides:
        details += " of these runs"
    size = significance.detectable(gain, confidence)
    if size and not significant:
        details += f"; smallest detectable difference: {two_digits(size)} {ranking.unit}"
    if by:
        baseline += f" by more than {by:g}"
    ends = gain.interval if gain.value >= 0 else [-end for end in reversed(gain.interval)]
    margin = headlines.cite_interval(ranking, abs(gain.value), ends)
    return [f"{name} {verdict} {baseline}: {margin} {ranking.unit} {side} ({details})."]
