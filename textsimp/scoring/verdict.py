"""The verdict on a comparison: who leads, or why nothing can be ranked.

The terminal, JSON, the report and its page begin with these sentences.
"""

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from types import MappingProxyType

from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics, extra_required_columns
from textsimp.corpora.checks import SOUND, Finding
from textsimp.corpora.source_lines import realign
from textsimp.scoring import headlines, published
from textsimp.scoring.headlines import Ranking, are, join, two_digits
from textsimp.scoring.runs import Runs
from textsimp.scoring.score_columns import EQUAL

MAX_SENTENCES, MAX_WORDS = 3, 60
_REFUSING = ("empty", "refusals")  # kinds of outputs that can't be ranked, if there are many
_MANY = 0.05  # share of outputs
_MIN_PUBLIC = 10  # systems that make a scale


def find_unranked(
    findings: Iterable[Finding], systems: Iterable[str], examples: int, runs: Runs | None = None
) -> dict[str, str]:
    """Return the systems that can't be ranked, with the reason.

    They have an error, or many outputs that are empty or refusals, if only in one of their runs. An
    error of sources or references is one of all systems.
    """
    reasons: dict[str, str] = {}
    of_run = {run: name for name, own in (runs or {}).items() for run in own}
    for one in findings:
        many = one.kind in _REFUSING and one.systems
        if one.gravity == "error" or (many and len(one.examples) >= _MANY * examples):
            for name in one.systems or systems:
                reasons.setdefault(of_run.get(name, name), one.text)
    return reasons


def score_realigned(
    findings: Iterable[Finding], examples: Examples, measured: Statistics
) -> dict[str, float]:
    """Return what the main score of each shifted system would be with its lines moved back."""
    scores: dict[str, float] = {}
    shifted = {name for one in findings if one.kind == "shifted" for name in one.systems}
    if extra_required_columns(measured.metric) or not measured.metric.ranks():
        return scores
    for name in sorted(shifted):
        texts = realign(examples.sources or [], examples.predictions(name))
        moved = Examples(examples.shared, {name: {"predictions": texts}})
        rows = measured.metric.measure(moved).systems[name]
        main = measured.metric.scores[0].key
        scores[name] = float(measured.metric.reduce(rows.sum(0))[main])
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
    if unranked:
        sentences = _refuse(judged, unranked, realigned)
    elif not judged:
        return []
    else:
        sentences = _judge(judged, findings)
    if judged and not judged[0].comparison.too_few_examples:
        sentences[1:1] = name_published(judged[0], field)
    kept, words = sentences[:1], len(sentences[0].split())
    for sentence in sentences[1:MAX_SENTENCES]:
        words += len(sentence.split())
        if words <= MAX_WORDS:
            kept.append(sentence)
    return kept


def _refuse(
    rankings: Sequence[Ranking], unranked: Mapping[str, str], realigned: Mapping[str, float]
) -> list[str]:
    """Say who can't be ranked and why, and who leads among the others, if there are two."""
    main = rankings[0] if rankings else None
    others = main is not None and len(main.scores) > 1
    what = f"{join([*unranked])} can't be ranked" if others else "Nothing can be ranked"
    name, text = next(iter(unranked.items()))
    if others and len(unranked) == 1:
        text = re.sub(f"^{re.escape(name)} ", "it ", text.removeprefix(f"{name}: "))
    sentences = [f"{what}: {text}{'.' * (not text.endswith('?'))}"]
    for name, score in [*realigned.items()][:1]:
        shown = f" {main.cite(main.column.scale * score)} {main.label}" if main else f" {score:.1f}"
        sentences.append(f"Realigned, {name} would score{shown}: textsimp check --fix moves lines.")
    return [*sentences, headlines.describe(main)[0]] if main and others else sentences


def name_published(main: Ranking, field: Mapping[str, float]) -> list[str]:
    """Name published systems with better scores than the best one, which no test compares."""
    scores = {name: main.column.scale * score for name, score in field.items()}
    best = main.scores.get(main.top, math.nan)
    ahead = [name for name, score in scores.items() if main.column.gain(score - best) > EQUAL]
    if not ahead:
        return []
    ahead.sort(key=lambda name: -main.column.gain(scores[name]))
    # without the paper, which the table has
    named = [f"{name.rpartition(' (')[0]} ({main.cite(scores[name])})" for name in ahead[:2]]
    others = [f"{len(ahead) - 2:,} other{'s' * (len(ahead) > 3)}"] if ahead[2:] else []
    published = f"{len(ahead):,} published system{'s' * (len(ahead) > 1)}"
    return [f"{published} {are(ahead)} ahead of {main.top}, untested: {join([*named, *others])}."]


def _judge(rankings: Sequence[Ranking], findings: Iterable[Finding]) -> list[str]:
    """Say who leads by the main metric, or what it takes to show that, and what speaks against."""
    main = rankings[0]
    headline = headlines.describe(main)[0]
    if main.comparison.too_few_examples or not main.scores:
        return [headline]
    other = next(iter(main.others or main.baselines), "")
    systems, gap = public_gap(main)
    test = main.test(main.top, other) if other else None
    reversed_by = _disagree(main, rankings[1:])
    if main.best and test is not None and 0 < test.value < gap:
        told = (
            f"That is small: neighbours among {systems} public systems on ASSET are "
            f"{two_digits(gap)} {main.unit} apart."
        )
        return [headline, told, *reversed_by, *_says_more(main, rankings[1:], findings)]
    size, second = main.detectable_from(other), list[str]()
    if size and "detectable" not in headline:
        examples = f"These {main.comparison.examples:,} examples can show"
        second = [f"{examples} {two_digits(size)} {main.unit} or more."]
    unbeaten, beaten = headlines.describe_unbeaten(main), headlines.describe_beaten(main)
    led_by = _name_other_leader(main, rankings[1:])
    return [headline, *second, *unbeaten, *reversed_by, *led_by, *beaten]


def _disagree(main: Ranking, others: Iterable[Ranking]) -> list[str]:
    """Say where raters disagree with the main metric, by the first criterion of which they do."""
    by_people = [one for one in others if one.comparison.by_people]
    told = [headlines.describe_reversals(main, one) for one in by_people]
    return [*filter(None, told)][:1]


def _name_other_leader(main: Ranking, others: Iterable[Ranking]) -> list[str]:
    """Name a metric, people first, by which another system leads.

    Any of them may, so p-values are adjusted for the number of metrics.
    """
    metrics = [main, *others]
    apart = [
        one
        for one in metrics[1:]
        if one.leads_by_one_of(len(metrics)) and one.best != main.best and one.best in main.scores
    ]
    apart.sort(key=lambda one: not one.comparison.by_people)
    return [f"By {one.label} {one.best} leads significantly." for one in apart[:1]]


def _says_more(main: Ranking, others: Sequence[Ranking], findings: Iterable[Finding]) -> list[str]:
    """Name a finding on the first two systems, or a metric by which they differ more."""
    first = {main.top, main.others[0]} if main.others else {main.top}
    for finding in findings:
        if finding.gravity != "note" and finding.kind not in SOUND and first & {*finding.systems}:
            return [f"The data checks say more: {finding.text}."]
    for one in others:
        _, gap = public_gap(one)
        if gap and {*first} <= {*one.scores} and len(first) == 2:
            better, worse = sorted(first, key=[*one.scores].index)
            test = one.test(better, worse)
            if test is not None and one.beats(better, worse, 1 + len(others)) and test.value >= gap:
                return [f"{one.label} says more: {better} is {one.cite(test.value)} ahead."]
    return []


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
