"""Sentences on comparisons: which system leads by a metric, and what a test set can detect.

"Leads", "better" and "beats" stand for significant differences, "ahead" and "highest" for bare
numbers. ``textsimp score``, ``compare``, ``power`` and the report say the same. `verdict` chooses
among these sentences.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Literal

from textsimp.core import cells, significance, tables
from textsimp.scoring.ranking import EQUAL, Ranking, number, visible_places

__all__ = ["describe_detection", "describe_reversals", "join"]

MAX_NAMES = 3  # systems in a list, the others are counted


def describe(ranking: Ranking) -> list[str]:
    """Say which system is significantly better by a metric, or that none is; then what it beats."""
    sentences = [headline(ranking)]
    if ranking.comparison.too_few_examples or not ranking.scores:
        return sentences
    if ranking.ahead and ranking.undecided:  # else the headline names them
        rest = join(ranking.undecided, "or")
        sentences.append(
            f"{ranking.top} is not significantly different from {rest}{_limit(ranking)}."
        )
    worse = [name for name in ranking.others if ranking.beats(ranking.top, name)]
    if worse and not ranking.best:
        p = _cite_worst_p(ranking, worse)
        sentences.append(f"{ranking.top} is better than {join(worse)} ({p}).")
    sentences += [*name_baselines(ranking), _name_above_references(ranking)]
    return [sentence for sentence in sentences if sentence]


def headline(ranking: Ranking) -> str:
    """Say who leads, or that nobody does."""
    top, label, others, ahead = ranking.top, ranking.label, ranking.others, ranking.ahead
    if not top:
        return f"{label} is undefined here for every system."
    if ranking.comparison.too_few_examples:
        return _refuse(ranking)
    if not others:
        return _single_system(ranking)
    score = cite(ranking, ranking.scores[top])
    above = [
        name for name in ahead if ranking.column.gain(ahead[name] - ranking.scores[top]) > EQUAL
    ]
    if above:
        listed = f"{list_scores(ranking, above)} {are(above)} ahead of every system"
        return f"By {label} {listed}, of which {_name_highest(ranking)} ({score})."
    if ranking.best:
        following = others[0] if len(others) == 1 else f"the next, {others[0]}"
        margin, p = cite_margin(ranking, others[0]), _cite_worst_p(ranking, others)
        return f"{top} leads significantly by {label}: {score}, {margin} {following} ({p})."
    start = f"No system leads by {label}: {_name_highest(ranking)} with {score}"
    if ahead:
        return f"{start}, which a baseline has, too."
    if ranking.comparison.better:
        other = ranking.comparison.better[0]
        test, p = ranking.tests[other], _cite_worst_p(ranking, [other])
        by = number(-test.value, visible_places(ranking.decimals, [test.value]))
        both = f"on the {test.units:,} examples that both have"
        return f"{start}, but {both} {other} is better by {by} ({p})."
    limit = _limit(ranking)
    if ranking.undecided:
        rest = join(ranking.undecided, "or")
        return f"{start}, but not significantly different from {rest}{limit}."
    return f"{start}{limit}."


def _refuse(ranking: Ranking) -> str:
    """The headline of too few examples."""
    examples = cells.quantity(ranking.comparison.examples, "example")
    verb = "is" if ranking.comparison.examples == 1 else "are"
    return (
        f"Nothing can be ranked: {examples} {verb} too few to call a system better or worse by "
        f"{ranking.label}: {list_scores(ranking, [*ranking.scores, *ranking.baselines])}."
    )


def _single_system(ranking: Ranking) -> str:
    """The headline of a single system, which is compared with the baselines only."""
    top, label, score = ranking.top, ranking.label, cite(ranking, ranking.scores[ranking.top])
    if not ranking.baselines:
        return f"{top} has {score} by {label}, and nothing here to be compared with."
    if ranking.unbeaten:
        unbeaten = list_scores(ranking, ranking.unbeaten, "or")
        return f"{top} doesn't beat {unbeaten} by {label}: it has {score}."
    nearest = next(iter(ranking.baselines))
    better = f"the better baseline, {nearest}" if len(ranking.baselines) > 1 else nearest
    margin, p = cite_margin(ranking, nearest), _cite_worst_p(ranking, [nearest])
    return f"{top} beats the baselines by {label}: {score}, {margin} {better} ({p})."


def _name_highest(ranking: Ranking) -> str:
    """Name the systems of the best score, as part of a sentence."""
    extreme = "lowest" if ranking.column.lower else "highest"
    highest = [ranking.top, *ranking.equal]
    return f"{join(highest)} {are(highest)} {extreme}"


def _limit(ranking: Ranking) -> str:
    """Write the p-value of the next undecided system, and what could be detected, in brackets."""
    parts = []
    if ranking.undecided:
        other = ranking.undecided[0]
        test, level = ranking.tests.get(other), 1 - ranking.comparison.confidence
        size = ranking.detectable_from(other)
        tested = test is not None and test.permutation_p is not None
        few = f"fewer than {significance.FEWEST} examples have both scores"
        parts.append(_cite_worst_p(ranking, [other]) if tested else few)
        if test is not None and test.interval_decides and (test.permutation_p_holm or 1) < level:
            drawn = "raters" if ranking.comparison.by_people else "runs"
            p = p_text(test.both_p_holm)
            parts.append(f"with other {drawn} {cite_margin(ranking, other)} {other}, {p}")
    else:
        size = ranking.detectable()
    if size:
        parts.append(f"smallest detectable difference: {two_digits(size)} {ranking.unit}")
    return f" ({'; '.join(parts)})" if parts else ""


def name_baselines(ranking: Ranking) -> tuple[str, str]:
    """Say which baselines the best of several systems doesn't beat, and which it beats."""
    unbeaten = beaten = ""
    if ranking.ahead:
        unbeaten = f"Don't read {ranking.label} as quality here."
    elif ranking.others and ranking.unbeaten:
        unbeaten = f"{ranking.top} doesn't beat {list_scores(ranking, ranking.unbeaten, 'or')}."
    if ranking.others and ranking.beaten:
        beaten = f"{ranking.top} beats {list_scores(ranking, ranking.beaten)}."
    return unbeaten, beaten


def _name_above_references(ranking: Ranking) -> str:
    """Say which systems score above the references, if the metric compares with these."""
    comparison, column = ranking.comparison, ranking.column
    if ranking.ahead or not comparison.metric.reads_references():
        return ""
    if column.key not in comparison.references:
        return ""
    score = column.scale * float(comparison.references[column.key].value)
    above = [name for name, x in ranking.scores.items() if column.gain(x - score) >= EQUAL]
    if not above:
        return ""
    side = "below" if column.lower else "above"
    return (
        f"{join(above)} {are(above)} {side} the references ({cite(ranking, score)}). That doesn't "
        "mean better than people: references face one reference fewer."
    )


def describe_unranked(unranked: Mapping[str, str]) -> list[str]:
    """Say which systems can't be ranked, and why.

    >>> describe_unranked({"a": "a seems shifted", "b": "b: are the rows in order?"})
    ["a can't be ranked. a seems shifted.", "b can't be ranked. b: are the rows in order?"]
    """
    names: dict[str, list[str]] = {}
    for name, text in unranked.items():
        names.setdefault(end(text), []).append(name)
    return [f"{join(systems)} can't be ranked. {text}" for text, systems in names.items()]


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
    undecided = [
        ranking
        for ranking in rankings
        if not ranking.best and not ranking.comparison.too_few_examples
    ]
    sizes = [
        f"{two_digits(ranking.detectable())} {ranking.unit} or more"
        for ranking in undecided
        if ranking.detectable()
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
    sentences = [f"We report {join([*signatures])} on {these}, with {intervals}."]
    if tests:
        sentences.append(
            "Systems are compared by paired permutation tests; p-values are adjusted by Holm's "
            "method."
        )
    if tests and runs:
        sentences.append(
            "Intervals draw examples and runs; systems of several runs differ significantly only "
            "if the interval of the difference, adjusted likewise, doesn't contain 0, either."
        )
    return " ".join(sentences)


# Numbers and names in sentences ------------------------------------------------------------------


def cite(ranking: Ranking, value: float) -> str:
    """Write a score or difference."""
    unit = "\u00a0%" if ranking.column.scale == 100 else ""
    return number(value, ranking.decimals) + unit


def cite_margin(ranking: Ranking, other: str) -> str:
    """Write how far the best system is from another."""
    test = ranking.tests[other]
    unit = " points" if ranking.column.scale == 100 else ""
    side = "below" if ranking.column.lower else "above"
    return f"{cite_interval(ranking, test.value, test.interval)}{unit} {side}"


def cite_interval(ranking: Ranking, value: float, ends: Sequence[float]) -> str:
    """Write a difference with its interval."""
    decimals = visible_places(ranking.decimals, [value, *ends])
    bounds = ", ".join(number(end, decimals) for end in ends)
    return f"{number(value, decimals)} [{bounds}]"


def _cite_worst_p(ranking: Ranking, others: Sequence[str]) -> str:
    """Write the largest p-value of tests of the best system."""
    tests = [ranking.tests[name] for name in others if name in ranking.tests]
    largest = max(test.permutation_p_holm or 0 for test in tests)
    p = p_text(largest, "≤" if len(tests) > 1 else "=").replace(" ", "\u00a0")
    runs = any(test.interval_decides for test in tests)
    return f"{p} of these runs" if runs and not ranking.comparison.by_people else p


def list_scores(ranking: Ranking, rows: Iterable[str], last: str = "and") -> str:
    """List systems or baselines with their scores, the best first."""
    values = {**ranking.ahead, **ranking.scores, **ranking.baselines}
    order = sorted(rows, key=lambda name: -ranking.column.gain(values[name]))
    return join([f"{name} ({cite(ranking, values[name])})" for name in order], last)


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


def end(text: str) -> str:
    """End a sentence, unless it is a question."""
    return text if text.endswith("?") else f"{text}."
