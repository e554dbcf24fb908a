"""The verdict on a comparison: who leads, or why nothing can be ranked.

The terminal, JSON, the report and its page begin with these sentences. `write` chooses them; those
on a single metric are worded in `headlines`.
"""

import functools
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from statistics import median
from types import MappingProxyType

from textsimp.core.cells import quantity
from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics, extra_required_columns
from textsimp.corpora.checks import SOUND, Finding
from textsimp.corpora.source_lines import realign
from textsimp.scoring import headlines, published
from textsimp.scoring.headlines import are, join, two_digits
from textsimp.scoring.ranking import Ranking
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

    They have an error, or many outputs that are empty or refusals; one of several runs is enough.
    An error of sources or references concerns all systems.
    """
    reasons: dict[str, str] = {}
    systems_of_runs = {run: system for system, names in (runs or {}).items() for run in names}
    for finding in findings:
        refused = finding.kind in _REFUSING and bool(finding.systems)
        many = refused and len(finding.examples) >= _MANY * examples
        if many or finding.gravity == "error":
            for name in finding.systems or systems:
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
    main = judged[0] if judged else None
    if unranked:
        sentences = _refuse(main, unranked, realigned)
    elif main is None:
        return []
    elif main.comparison.too_few_examples or not main.scores:
        sentences = [headlines.headline(main)]
    else:
        sentences = _judge(main, judged[1:], findings)
    if main is not None and not main.comparison.too_few_examples:
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
    headline, small = headlines.headline(main), _say_small(main)
    if small:
        return [
            headline,
            small,
            _name_disagreement(main, others),
            _say_more(main, others, findings),
        ]
    return [
        headline,
        "" if "detectable" in headline else _say_detectable(main),
        headlines.name_unbeaten(main),
        _name_disagreement(main, others),
        _name_other_leader(main, others),
        headlines.name_beaten(main),
    ]


def _say_small(main: Ranking) -> str:
    """Say that the lead is less than what neighbours among public systems are apart."""
    following = next(iter(main.others or main.baselines), "")
    test, (systems, gap) = main.tests.get(following), public_gap(main)
    if not main.best or test is None or not 0 < test.value < gap:
        return ""
    return (
        f"That is small: neighbours among {systems} public systems on ASSET are "
        f"{two_digits(gap)} {main.unit} apart."
    )


def _say_detectable(main: Ranking) -> str:
    """Say which difference from the next system could be shown, if none was."""
    size = main.detectable_from(next(iter(main.others or main.baselines), ""))
    if not size:
        return ""
    examples = f"These {main.comparison.examples:,} examples"
    return f"{examples} can show {two_digits(size)} {main.unit} or more."


def _name_disagreement(main: Ranking, others: Iterable[Ranking]) -> str:
    """Say where raters disagree with the main metric, by the first criterion of which they do."""
    for ranking in others:
        if ranking.comparison.by_people:
            sentence = headlines.describe_reversals(main, ranking)
            if sentence:
                return sentence
    return ""


def _name_other_leader(main: Ranking, others: Sequence[Ranking]) -> str:
    """Name a metric, people first, by which another system leads.

    Any of them may, so p-values are adjusted for the number of metrics.
    """
    metrics = 1 + len(others)
    for ranking in sorted(others, key=lambda ranking: not ranking.comparison.by_people):
        another = ranking.best != main.best and ranking.best in main.scores
        if another and ranking.leads_by_one_of(metrics):
            return f"By {ranking.label} {ranking.best} leads significantly."
    return ""


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
