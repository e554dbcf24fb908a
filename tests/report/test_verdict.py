"""The report's verdict: what it says of whom, and that words, marks and tests agree."""

from __future__ import annotations

import html
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.given import EXAMPLES, lines
from textsimp import report
from textsimp.core import significance
from textsimp.core.declarations import PREDICTIONS, SOURCES, Preset, Score
from textsimp.core.metric import Floats, Metric
from textsimp.metrics import catalogue
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari
from textsimp.report import exports, report_rows, score_tables, verdict
from textsimp.report.verdict import Verdict
from textsimp.scoring import headlines
from textsimp.scoring.headlines import Gap
from textsimp.scoring.score_columns import Column

pytestmark = pytest.mark.usefixtures("undrawn")

SENTENCES = report_rows.check({"a": ["A cat."]}, ["A cat sat."], None)
DOCUMENTS = report_rows.check({"a": ["A cat."]}, ["A cat sat. It rained. We left."], None)

N = 10  # examples: 1,024 ways to swap outputs, so permutation tests of 2,000 resamples are exact


@dataclass(frozen=True)
class Number(Metric):
    """The mean of the numbers that the outputs begin with."""

    name: ClassVar[str] = "number"
    about: ClassVar[str] = "what outputs say"
    description: ClassVar[str] = "Numbers."
    papers: ClassVar[tuple[str, ...]] = ()
    people: ClassVar[str] = "it is what it is"
    columns: ClassVar = (SOURCES, PREDICTIONS)
    presets: ClassVar[Mapping[str, Preset]] = {"usual": Preset("as they are")}
    scores: ClassVar = (Score("number", "Number", "a mean", None, None, "higher", places=2),)

    variant: str = "usual"

    def prepare(self, sources: list[str]) -> None:
        return None

    def statistics(self, prepared: None, predictions: list[str]) -> Floats:
        return np.array([[float(text.split()[0]), 1.0] for text in predictions])

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        return {"number": totals[..., 0] / totals[..., 1]}


@dataclass(frozen=True)
class Fewer(Number):
    """The same, of which less is better."""

    name: ClassVar[str] = "fewer"
    scores: ClassVar = (Score("number", "Fewer", "a mean", None, None, "lower", places=2),)


def measured(
    systems: Mapping[str, Sequence[float]],
    sources: float | Sequence[float] | Sequence[str] = 0,
    *,
    metrics: Sequence[Metric] = (Number(),),
    resamples: int = 2000,
    confidence: float = 0.95,
) -> report_rows.Measurements:
    """What the report measures of numbers."""
    n = len(next(iter(systems.values())))
    texts = [str(x) for x in (sources if isinstance(sources, Sequence) else [sources] * n)]
    given = {name: [str(x) for x in of] for name, of in systems.items()}
    data = report_rows.check(given, texts, None)
    sampling = report_rows.Sampling(confidence, resamples, 0)
    judged = {metric.name: report_rows.measure_scores(metric, data) for metric in metrics}
    values = {name: of.scores(sampling) for name, of in judged.items()}
    judging = {metric.name: metric for metric in metrics if metric.ranks()}
    return report_rows.Measurements(data, sampling, judging, {}, judged, values, {})


def judged(*args: Any, **options: Any) -> list[Verdict]:
    return verdict.judge(measured(*args, **options))


def told(*args: Any, **options: Any) -> str:
    """All that is said of the first metric."""
    first = verdict.describe(judged(*args, **options)[0])
    return " ".join([first.headline, *first.more]).replace("\u00a0", " ")


def around(mean: float, spread: float = 0) -> list[float]:
    """Numbers with this mean, half of them above and half below."""
    return [mean + spread, mean - spread] * (N // 2)


# What is said ------------------------------------------------------------------------------------


def test_a_leader_is_named_with_its_score_and_how_far_the_next_is():
    systems = {"b": around(4), "a": around(5.5), "c": around(3)}
    assert told(systems) == (
        "a leads significantly by Number: 5.5, 1.5 [1.5, 1.5] above the next, b. "
        "It is better than every other system (p ≤ 0.004, Holm). "
        "All 3 systems beat source unchanged (0.0) and source truncated (0.0)."
    )


def test_of_two_systems_there_is_no_next():
    assert told({"a": around(5), "b": around(3)}).startswith(
        "a leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above b. "
        "The difference is significant (p = 0.002, paired test). Both systems beat"
    )


def test_small_differences_have_the_decimals_of_the_table():
    assert "5.04, 0.04 [0.04, 0.04] above b" in told({"a": around(5.04), "b": around(5)})


def test_an_interval_above_zero_does_not_look_as_if_it_began_there():
    gap = Gap("b", 1.0, (0.004, 2.0), 0.04996, True)
    judgement = Verdict("x", "X", Column("x", "X"), {"a": 5.0, "b": 4.0})
    assert headlines._margin(judgement, gap) == "1.000 [0.004, 2.000] above"
    assert verdict._worst_p([gap]) == "p\u00a0=\u00a00.04996"


def test_nobody_leads_where_tests_tell_nobody_apart():
    systems = {"a": around(5.2, 2), "b": around(5, 1), "c": around(4.9, 3)}
    assert told(systems).startswith(
        "No system leads by Number: a is highest with 5.2, but not significantly different from b "
        "or c (smallest detectable difference: 0.86 Number). All 3 systems beat"
    )


def test_systems_that_score_the_same_share_the_place():
    systems = {"a": around(3), "b": around(3), "c": around(2)}
    assert told(systems).startswith(
        "No system leads by Number: a and b have the same score, 3.0. a is better than c ("
    )
    noisy = told({**systems, "d": around(2.9, 3)})
    assert "a and b have the same score, 3.0; d is not significantly different from them (" in noisy


def test_many_names_are_counted():
    systems = {f"s{i}": around(3 - i / 100, i) for i in range(12)}
    assert "not significantly different from s1, s2, s3 or 8 others (" in told(systems)


def test_baselines_that_are_ahead_come_first():
    assert told({"a": around(3), "b": around(2)}, sources=4) == (
        "By Number source unchanged (4.0) and source truncated (4.0) are ahead of every system, of "
        "which a is the best (3.0). It is better than every other system (p = 0.002). Don't read "
        "Number as quality here."
    )


def test_baselines_may_be_ahead_of_systems_that_no_test_tells_apart():
    text = told({"a": around(3, 1), "b": around(2.9, 2)}, sources=4)
    assert "are ahead of every system, of which a is highest (3.0). " in text
    assert "a is not significantly different from b (smallest detectable difference: " in text


def test_a_leader_that_does_not_beat_the_baselines_is_told_so():
    text = told({"a": around(3), "b": around(2)}, sources=around(2.9, 3))
    assert text.startswith("a leads significantly by Number: 3.0")
    assert text.endswith("No system beats source unchanged (2.9) or source truncated (2.9).")
    systems = {"a": around(5), "b": around(3), "c": around(2.9, 1)}
    assert "b and c don't beat source unchanged (3.0) or" in told(systems, sources=3)


def test_a_copy_of_the_source_does_not_beat_it():
    text = told({"a": around(3), "copy": around(4)}, sources=4)
    assert "No system beats source unchanged (4.0)" in text
    assert "Don't read Number as quality here." in text


def test_a_single_system_is_compared_with_the_baselines():
    assert told({"a": around(5)}, sources=3) == (
        "a beats the baselines by Number: 5.0, 2.0 [2.0, 2.0] above the better baseline, "
        "source unchanged."
    )
    assert told({"a": around(3, 1)}, sources=3).startswith(
        "a doesn't beat source unchanged (3.0) or source truncated (3.0) by Number: it has 3.0."
    )


def test_scores_above_the_references_are_not_called_better_than_people():
    judgement = Verdict(
        "x", "X", Column("x", "X"), {"a": 5.0, "b": 4.0}, references=4.5, above=["a"]
    )
    assert verdict.describe(judgement).more == [
        "a is above the references (4.5). That doesn't mean better than people: references face "
        "one reference fewer."
    ]


def test_references_are_compared_where_they_have_been_scored():
    systems = {"copied": [references[0] for references in REFERENCES]}
    data = report_rows.check(systems, lines("source.txt"), REFERENCES, [Sari()])
    found = report_rows.measure(data, {"sari": Sari()}, report_rows.Sampling(0.95, 2, 0))
    (judgement,) = verdict.judge(found)
    assert judgement.above == ["copied"]
    assert judgement.scores["copied"] > judgement.references > 0
    assert verdict.judge(measured({"a": around(5)}))[0].above == []  # its metric reads none


def by_length(short: float, long: float) -> str:
    """What is said if b has 5 for every text, and a these numbers for short and long ones."""
    systems = {"a": [short] * N + [long] * N, "b": [5] * (2 * N)}
    sources = [*["0"] * N, *["0 words"] * N]
    return verdict.describe(judged(systems, sources)[0]).headline.replace("\u00a0", " ")


def test_the_headline_says_if_the_order_turns_with_length():
    assert by_length(8, 4).endswith(
        " But it depends on length: among the 10 shorter sources a is ahead by 3.0 (p = 0.002), "
        "among the 10 longer ones b by 1.0 (p = 0.002)."
    )
    assert "length" not in by_length(8, 7)


def test_less_is_better_where_it_is():
    systems = {"b": around(4), "a": around(2.5), "c": around(5)}
    text = told(systems, sources=9, metrics=[Fewer()])
    assert text.startswith(
        "a leads significantly by Fewer: 2.5, 1.5 [1.5, 1.5] below the next, b. It is better"
    )
    noisy = {"a": around(2, 1), "b": around(2.1, 2)}
    assert "a is lowest with 2.0" in told(noisy, sources=9, metrics=[Fewer()])
    assert "ahead of every system, of which a is the best (2.5)." in told(
        systems, sources=1, metrics=[Fewer()]
    )


def test_undefined_scores_are_nobodys():
    systems = {"a": around(5), "b": around(3), "none": [math.nan] * N}
    text = told(systems)
    assert text.startswith("a leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above b.")
    assert text.endswith("Number is undefined for none.")
    assert told({"none": [math.nan] * N}) == "Number is undefined here for every system."


def test_of_many_scores_of_few_examples_the_highest_are_listed():
    systems = {f"s{i}": [5 - i] * 9 for i in range(4)}
    assert told(systems, [6] * 9).endswith(
        "by Number: source unchanged (6.0), source truncated (6.0), s0 (5.0) and 3 others."
    )
    assert told(systems, [6] * 9, metrics=[Fewer()]).endswith(
        "by Fewer: s3 (2.0), s2 (3.0), s1 (4.0) and 3 others."
    )


def test_fewer_than_ten_examples_call_nothing_better_or_worse():
    systems = {"a": [5] * 9, "b": [3] * 9}
    assert told(systems, [2] * 9) == (
        "9 examples are too few to call a system better or worse by Number: "
        "a (5.0), b (3.0), source unchanged (2.0) and source truncated (2.0)."
    )
    assert told({"a": [5]}, 6).startswith("1 example is too few to call a system better or worse")
    found = measured(systems)
    assert score_tables.best(found, "number", score_tables.columns_of(Number())[0]) == {}
    verdicts = {cell.verdict for *_, cells in matrix(found).lines for cell in cells if cell}
    assert verdicts == {""}


def test_equal_systems_behind_a_baseline_are_highest_together():
    text = told({"a": around(5), "b": around(5), "c": around(3)}, sources=6)
    assert ", of which a and b are highest, with the same score (5.0)." in text
    assert "is not significantly different" not in text


def test_rates_of_labelled_errors_are_in_percent_and_have_no_baselines():
    n = 20
    texts = ["a b"] * n
    none, all_ = [0] * n, [1] * n
    labels = {"insertion": all_, "deletion": none, "substitution": none}
    bad = {"predictions": texts, **labels}
    good = {"predictions": texts, **labels, "insertion": none}
    data = report_rows.check({"bad": bad, "good": good}, texts, None)
    found = report_rows.measure(data, {}, report_rows.Sampling(0.95, 200, 0))
    first = verdict.describe(verdict.judge(found)[0])
    assert first.headline.startswith("good leads significantly by Information errors: 0")
    assert first.headline.endswith("0.0\u00a0%, 100.0 [100.0, 100.0] points below bad.")
    assert not any("source" in text for text in first.more)


# People -------------------------------------------------------------------------------------


def test_orders_of_a_metric_and_of_raters_are_compared():
    def judgement(name: str, *order: str) -> Verdict:
        scores = {system: float(-i) for i, system in enumerate(order)}
        return Verdict(
            name, name.title(), Column("x", "X"), scores, rated=name.startswith("ratings.")
        )

    metric, rated = judgement("sari", *"abcd"), judgement("ratings.x", *"dabc")
    same = judgement("ratings.y", *"abcd")
    assert verdict.describe_raters([metric, rated, replace(rated, label="Z")]) == (
        "Sari puts d last, Ratings.X and Z first."
    )
    assert verdict.describe_raters([metric, same]) == "Sari and Ratings.Y order the systems alike."
    assert verdict.describe_raters([metric]) == ""
    assert verdict.describe_raters([same]) == ""


@pytest.mark.parametrize(
    ("systems", "sources", "expected"),
    [
        ("abc", 4, "4 rated sources are too few to compare the order of systems by Sari with "),
        ("abc", 1, "1 rated source is too few to compare the order of systems by Sari with "),
        ("ab", 0, "2 rated systems are too few to compare the order of systems by Sari with "),
        ("ab", 4, "4 rated sources are too few to compare the order of systems by Sari with "),
        ("a", 0, ""),
        ("abc", 0, "Sari and X order the systems alike."),
    ],
)
def test_orders_of_few_sources_or_systems_are_not_compared(
    systems: str, sources: int, expected: str
) -> None:
    scores = {system: float(-i) for i, system in enumerate(systems)}
    metric, people = (
        Verdict(name, label, Column("x", "X"), scores, rated=rated, few=few)
        for name, label, rated, few in (
            ("sari", "Sari", False, 0),
            ("ratings.x", "X", True, sources),
        )
    )
    found = verdict.describe_raters([metric, people])
    assert found.startswith(expected)
    assert bool(found) == bool(expected)


def test_pairs_in_another_order_with_significance_are_named():
    def judgement(name: str, *beats: tuple[str, str]) -> Verdict:
        column = Column("x", "X")
        rated = name.startswith("ratings.")
        scores = {"a": 2.0, "b": 1.0, "c": 0.0}
        return Verdict(name, name, column, scores, rated=rated, beats=beats)

    metric = judgement("sari", ("a", "b"), ("a", "c"), ("a", "d"), ("a", "e"), ("a", "f"))
    rated = judgement("ratings.x", ("b", "a"), ("c", "d"))
    assert verdict.describe_raters([metric, rated, replace(rated, label="z")]) == (
        "sari and people disagree significantly: a is better than b by sari, worse by ratings.x "
        "and z."
    )
    against = judgement("ratings.x", *((b, a) for a, b in metric.beats))
    assert verdict.describe_raters([metric, against]).endswith("; and 2 more pairs.")
    other = judgement("bleu", ("b", "a"))
    assert verdict.describe_raters([other, metric, rated]) == (
        "bleu and ratings.x order the systems alike. sari and people disagree significantly: a is "
        "better than b by sari, worse by ratings.x."
    )


# What is known of people -------------------------------------------------------------------------


def test_metrics_that_went_against_people_say_so():
    against = {
        name
        for name, metric in ((n, catalogue.metric_class(n)()) for n in catalogue.names())
        if metric.ranks() and "against" in verdict._doubt(metric, SENTENCES)
    }
    assert against == {"bleu", "d_sari"}
    assert verdict._doubt(Sari(), SENTENCES) == ""
    assert "(−.16 [−.27, −.05])" in verdict._doubt(Bleu(), SENTENCES)


def test_ratings_of_sentences_say_nothing_against_a_metric_on_documents():
    assert "−.16" not in verdict._doubt(Bleu(), DOCUMENTS)
    assert "−.16" not in verdict._doubt(Bleu(level="aligned"), DOCUMENTS)
    assert "against" in verdict._doubt(DSari(), DOCUMENTS)  # whose ratings were of documents
    texts = lines("documents/source.txt")
    references = lines("documents/references/0.txt")
    page = report.html({"a": texts}, sources=texts, references=references, resamples=20)
    assert "has gone against people" not in page
    assert "on newer ones; on sentences, not documents." in html.unescape(page)


# Words, marks and tests agree --------------------------------------------------------------------

numbers = st.lists(st.integers(0, 3), min_size=2, max_size=8)


@st.composite
def corpora(draw: Any) -> tuple[dict[str, list[float]], list[float]]:
    n = draw(st.integers(significance.FEWEST, 12))
    few = st.lists(st.sampled_from([0, 1, 2, 3, 7]), min_size=n, max_size=n)
    systems = draw(st.lists(few, min_size=1, max_size=4))
    if len(systems) > 1 and draw(st.booleans()):
        systems[-1] = [x + 2 for x in systems[0]]
    return {f"s{i}": of for i, of in enumerate(systems)}, draw(few)


@settings(max_examples=40)
@given(corpora(), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([Number(), Fewer()]))
def test_words_marks_and_tests_agree(corpus, confidence, metric):
    systems, sources = corpus
    found = measured(systems, sources, metrics=[metric], resamples=300, confidence=confidence)
    column = score_tables.columns_of(metric)[0]
    (judgement,) = verdict.judge(found)
    words = verdict.describe(judgement)

    # The marks are what tables for papers have in bold.
    marks = score_tables.best(found, metric.name, column)
    bold = significance.best(
        metric.reduce,
        {name: found.statistics[metric.name].matrices[i][0] for i, name in enumerate(systems)},
        "number",
        lower=column.lower,
        **vars(found.sampling),
    )
    named = {found.data.rows[i].name: mark for i, mark in marks.items()}
    assert {*named} == {*bold}

    # The data are what the marks are.
    assert [*judgement.leading] == [n for n in judgement.scores if named.get(n)]
    assert judgement.best == next((n for n, m in named.items() if m == "best"), "")
    leader = "" if judgement.ahead else judgement.best
    scores = score_tables.score_table(found)
    stars = [line.name for line in scores.lines if any(s[1] == "★" for s in line.cells[0].signs)]
    assert stars == [leader] * bool(leader)
    top = column.gain(judgement.scores[judgement.top])
    behind = any(column.gain(x) > top for x in judgement.baselines.values())
    assert behind == bool(judgement.ahead)
    assert not (stars and behind)

    # The words say no more.
    leads = leader and len(systems) > 1
    assert words.headline.startswith(f"{leader} leads significantly by") == bool(leads)
    assert ("are ahead of every system" in words.headline) == (behind and len(systems) > 1)

    # The matrix has the same tests, either way round.
    matrix = score_tables.matrix(found, metric.name)
    at = {
        (name, other): cell
        for name, _, cells in matrix.lines
        for (other, _), cell in zip(matrix.heads, cells, strict=True)
        if cell is not None
    }
    opposite = {"better": "worse", "worse": "better", "alike": "alike"}
    for (name, other), cell in at.items():
        if (other, name) in at:
            assert at[other, name].verdict == opposite[cell.verdict]
            assert at[other, name].p == cell.p
    for gap in judgement.gaps:
        cell = at[judgement.top, gap.to]
        assert (cell.verdict == "better") == gap.ahead == (gap.to not in named)
        assert cell.p == score_tables.p_text(gap.p)
    for name in judgement.scores:
        for gap in judgement.gaps_to(name, judgement.baselines):
            assert (at[name, gap.to].verdict == "better") == gap.ahead
            assert (at[name, gap.to].verdict == "alike") != gap.significant


def test_what_the_examples_can_detect_is_the_median_of_pairs_or_against_the_sources():
    spread = np.random.default_rng(0).normal(0, 1, (3, N))

    def detection(*rows: int, **options: Any) -> str:
        systems = {f"system {i}": [*spread[i]] for i in rows}
        return headlines.describe_detection(judged(systems, **options), N, 0.95)

    def size(a: Any, b: Any) -> float:
        found = significance.paired_bootstrap(
            Number().reduce, *(np.stack([x, np.ones(N)], axis=1) for x in (a, b)), 2000, 0
        )
        interval = significance.intervals(found[1], 0.95)["number"]
        return significance.detectable(interval, 0.95) or 0

    pairs = [size(spread[i], spread[j]) for i, j in ((0, 1), (0, 2), (1, 2))]
    end = " Number or more (in 80\u00a0% of tries, p < 0.05)."
    for told, expected in (
        (detection(0, 1, 2), np.median(pairs)),
        (detection(0), size(spread[0], np.zeros(N))),
        (detection(1, metrics=[Fewer()]).replace("Fewer", "Number"), size(spread[1], np.zeros(N))),
    ):
        digits = headlines._two_digits(float(expected))
        assert told == f"These 10 examples can detect a difference of {digits}{end}"
    assert headlines.describe_detection(judged({"a": around(5)}), N, 0.95) == ""


# Tables ------------------------------------------------------------------------------------------


def test_rows_stand_in_the_order_of_the_main_score_and_undefined_ones_last():
    systems = {"low": around(1), "none": [math.nan] * N, "high": around(9)}
    for metric, order in (
        (Number(), ["high", "source unchanged", "source truncated", "low", "none"]),
        (Fewer(), ["low", "source unchanged", "source truncated", "high", "none"]),
    ):
        found = measured(systems, 5, metrics=[metric])
        table = score_tables.score_table(found)
        assert [line.name for line in table.lines] == order
        assert table.lines[-1].cells[0].text == "–"


def test_systems_that_no_test_tells_apart_are_not_called_tied():
    def signs(**systems: list[float]) -> dict[str, list[str]]:
        found = measured(systems, 9)
        table = score_tables.score_table(found)
        kinds = {line.name: [words for *_, words in line.cells[0].signs] for line in table.lines}
        return {name: kinds[name] for name in systems}

    assert signs(a=around(3, 2), b=around(2.9)) == {
        "a": ["not significantly different", "behind source unchanged"],
        "b": ["not significantly different", "behind source unchanged"],
    }
    assert signs(a=around(3), b=around(3)) == {
        "a": ["not significantly different", "behind source unchanged"],
        "b": ["not significantly different", "behind source unchanged"],
    }
    assert signs(a=around(3), b=around(2)) == {"a": ["behind source unchanged"], "b": []}
    assert signs(a=around(0), b=around(0)) == {"a": [], "b": []}


def matrix(found: report_rows.Measurements) -> score_tables.Matrix:
    (name,) = found.judging
    return score_tables.matrix(found, name)


def test_a_matrix_has_systems_by_score_and_baselines_behind_them():
    found = matrix(measured({"b": around(4), "a": around(5)}, 3))
    assert [name for name, _ in found.heads] == ["a", "b", "source unchanged", "source truncated"]
    assert [(name, score) for name, score, _ in found.lines] == [("a", "5.00"), ("b", "4.00")]
    (_, _, first), (_, _, second) = found.lines
    assert (first[0], second[1]) == (None, None)
    assert [cell.text for cell in first[1:]] == ["+1.00", "+2.00", "+2.00"]
    assert (second[0].text, second[0].interval) == ("−1.00", "[−1.00, −1.00]")
    assert found.tests == 5


def test_p_values_are_adjusted_for_those_that_score_worse_and_for_the_baselines():
    found = measured({f"s{i}": around(5 - i / 3, i) for i in range(4)}, around(2, 2))
    column = score_tables.columns_of(Number())[0]
    of = found.differences["number"]
    tests = score_tables.adjust_tests(found, "number", column)
    for i in range(4):
        for others in ([*range(i + 1, 4)], [4, 5]):
            raw = [of[i, j]["number"].permutation_p for j in others]
            assert [tests[i, j].permutation_p for j in others] == raw
            assert [tests[i, j].permutation_p_holm for j in others] == significance.holm(raw)
    assert tests[0, 1].value == -tests[1, 0].value == pytest.approx(1 / 3)


def test_a_cell_leads_to_the_examples_that_explain_it_and_one_of_a_baseline_nowhere():
    (_, _, cells), *_ = matrix(measured({"a & b": around(5), "c?": around(3)})).lines
    state = parse_qs(cells[1].href.removeprefix("#?"))
    assert state == {"a": ["a & b"], "b": ["c?"], "sort": ["-gap"], "score": ["number.number"]}
    assert [cell.href for cell in cells[2:]] == ["", ""]


def test_tests_that_share_resamples_are_those_of_each_pair():
    found = measured({"a": around(5, 2), "b": around(4, 3), "c": around(3, 1)}, 2)
    of = found.statistics["number"]
    for (i, j), test in found.differences["number"].items():
        (first,), (second,) = of.matrices[i], of.matrices[j]
        alone = significance.compute_differences(
            of.metric.reduce, first, second, **vars(found.sampling)
        )
        assert test["number"].bootstrap_p == alone["number"].bootstrap_p
        assert test["number"].permutation_p == alone["number"].permutation_p
        assert test["number"].interval == pytest.approx(alone["number"].interval, abs=1e-9)


def test_twelve_systems_differ_significantly_with_the_usual_number_of_resamples():
    systems = {f"s{i}": [20 - i + j % 2 for j in range(30)] for i in range(12)}
    found = matrix(measured(systems, resamples=1000))
    assert all(
        cell is None or cell.verdict != "alike" for *_, cells in found.lines for cell in cells
    )


# Errors of the data ------------------------------------------------------------------------------


def erroneous(*names: str, **systems: list[float]) -> report_rows.Measurements:
    """What is measured where the data checks have found errors of some systems."""
    return replace(measured(systems, 1), unranked={name: f"{name} seems shifted" for name in names})


def test_a_system_with_an_error_is_neither_marked_nor_tested_nor_named_as_the_best():
    found = erroneous("a", a=around(9), b=around(5), c=around(3))
    (judgement,) = verdict.judge(found)
    assert headlines.headline(judgement) == (
        "b leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above c."
    )
    tested = {name for pair in judgement.tests for name in pair}
    assert "a" not in {*judgement.scores, *judgement.leading, *tested}
    signs = {
        line.name: [words for *_, words in line.cells[0].signs]
        for line in score_tables.score_table(found).lines
    }
    assert (signs["a"], signs["b"], signs["c"]) == (["not ranked"], ["best"], [])
    assert [name for name, *_ in matrix(found).lines] == ["b", "c"]
    assert "a" not in [name for name, _ in matrix(found).heads]


def test_beside_a_system_with_an_error_a_single_one_is_compared_with_the_baselines():
    (judgement,) = verdict.judge(erroneous("a", a=around(9), b=around(5)))
    assert headlines.headline(judgement).startswith("b beats the baselines by Number: 5.0, 4.0 [")


# The page ----------------------------------------------------------------------------------------


def section(page: str) -> str:
    """The verdict as text."""
    start = page.index('<section id="verdict"')
    text = re.sub("<[^>]+>", " ", page[start : page.index("</section>", start)])
    return re.sub(r"\s+", " ", html.unescape(text)).strip()


def write(metrics: Any, systems: Mapping[str, Any] | None = None, n: int = 48, **given: Any) -> str:
    names = ("splitter", "substituter")
    chosen = systems or {name: lines(f"systems/{name}.txt")[:n] for name in names}
    given.setdefault("resamples", 200)
    return report.html(chosen, sources=lines("source.txt")[:n], metrics=metrics, **given)


REFERENCES = [
    list(of) for of in zip(*(lines(f"references/{i}.txt") for i in range(3)), strict=True)
]


def test_the_page_begins_with_the_verdict_and_has_a_matrix_for_each_metric(whole):
    page = whole
    assert page.index('id="verdict"') < page.index('id="test-set-section"')
    text = section(page)
    assert "substituter leads significantly by SARI: 41.5, 7.1 [" in text
    assert "By BLEU source unchanged (62.9) and source truncated (61.1) are ahead of" in text
    assert "Don't read BLEU as quality here. BLEU has gone against people's ratings" in text
    assert '<a href="#people-1">' in page
    assert '<p id="people-1">' in page
    assert page.count('class="matrix"') == 2
    assert page.count("<details open>") == 1
    assert "▽<span" in page


def test_the_docs_quote_the_verdict_on_the_example_corpus():
    docs = (EXAMPLES.parent / "docs" / "report.md").read_text(encoding="utf-8")
    quoted = re.sub(r"\s+", " ", re.sub(r"^> |\*\*", "", docs, flags=re.MULTILINE))
    said = section(write(["sari"], references=REFERENCES, resamples=1000))
    told = said.removeprefix("Verdict ").partition(" Examples where ")[0].replace("\u00a0", " ")
    assert told.startswith("substituter leads significantly by SARI")
    assert told in quoted


def test_forms_of_a_metric_have_names_and_places_of_their_own():
    page = write([Sari(), Sari("xu")], references=REFERENCES, resamples=20)
    assert re.search(r"leads?.* by SARI \(easse\):.*leads?.* by SARI \(xu\):", section(page))
    ids = re.findall(r'<[^>]* id="([^"]*)"', page.partition("<script")[0])
    assert len({*ids}) == len(ids)
    assert not any(re.search(r"\s", id) for id in ids)
    assert 'score=sari%20%28xu%29.sari"' in page


def test_without_a_metric_that_judges_it_is_said_what_to_read_instead():
    text = section(write(["fkgl_components"]))
    assert text.startswith("Verdict Nothing here says which system is better.")
    assert "most need references, and there are none" in text
    text = section(write(["fkgl_components"], references=REFERENCES))
    assert "No score that judges was asked for. Read instead" in text


def shifted(texts: Sequence[str]) -> list[str]:
    """Outputs of which the first line is lost."""
    return [*texts[1:], "It rained."]


def test_the_verdict_says_first_that_a_shifted_system_cannot_be_ranked_and_why():
    systems = {"ours": shifted(lines("systems/substituter.txt")), "theirs": lines("source.txt")}
    page = write(["sari"], systems, references=REFERENCES)
    text = section(page)
    start = "Verdict ours can't be ranked. ours seems shifted: its outputs match the sources one"
    assert text.startswith(start)
    assert "ours leads" not in text
    rows = re.findall(r'<tr class="system">.*?</tr>', page, re.DOTALL)
    own = [re.sub("<[^>]+>", "", row) for row in rows if "ours" in row]
    assert any("⚠ not ranked" in row for row in own)
    assert not any(sign in row for row in own for sign in "★☆≈")
    unchecked = section(write(["sari"], systems, references=REFERENCES, check=False))
    assert unchecked.startswith("Verdict ours leads significantly by SARI")


def test_of_a_single_shifted_system_nothing_is_said_but_that():
    systems = {"ours": shifted(lines("systems/substituter.txt"))}
    text = section(write(["sari"], systems, references=REFERENCES))
    assert re.fullmatch(r"Verdict ours can't be ranked\. ours seems shifted: [^.]* before\.", text)


def test_where_references_are_shifted_no_system_can_be_ranked():
    first, *others = zip(*REFERENCES, strict=True)
    moved = [list(row) for row in zip(shifted(first), *others, strict=True)]
    text = section(write(["sari"], references=moved))
    assert text.startswith("Verdict substituter and splitter can't be ranked. reference 1 seems ")
    assert "leads" not in text


def test_bold_in_downloads_leaves_out_systems_that_are_not_ranked():
    found = erroneous("a", a=around(9), b=around(5), c=around(3))
    csv, latex, _ = exports.files(score_tables.score_table(found), [], 0.95)
    assert re.findall(r"(\w+) & \\textbf", latex.text) == ["b"]
    assert '"unranked"' in csv.text
