"""Sentences on comparisons: what they say of whom, and that they agree with tests and marks."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.number_texts import Fewer, N, Number, around, compared
from textsimp.core import significance
from textsimp.core.declarations import REFERENCES
from textsimp.core.sample import means_of
from textsimp.core.scores import Value
from textsimp.scoring import headlines
from textsimp.scoring.ranking import judge


def judged(*args, **options):
    return judge({"": compared(*args, **options)})[""]


def told(*args, **options):
    """All that is said."""
    return " ".join(headlines.describe(judged(*args, **options))).replace("\u00a0", " ")


def test_a_leader_is_named_with_its_score_how_far_the_next_is_and_p():
    systems = {"b": around(4), "a": around(5.5), "c": around(3)}
    assert told(systems) == (
        "a leads significantly by Number: 5.5, 1.5 [1.5, 1.5] above the next, b (p ≤ 0.006). "
        "a beats source unchanged (0.0) and source truncated (0.0)."
    )


def test_of_two_systems_there_is_no_next():
    assert told({"a": around(5), "b": around(3)}).startswith(
        "a leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above b (p = 0.002). a beats"
    )


def test_what_ratings_can_detect_is_not_said_where_somebody_leads():
    spread = np.random.default_rng(0).normal(0, 1, (4, N))
    found = judged({f"s{i}": [*(spread[i] + 9 - 3 * i)] for i in range(4)})
    first = headlines.describe(found)[0]
    assert first.startswith("s0 leads significantly by Number: 9.1, 3.5 [2.5, 4.6] above the next")
    assert "p\u00a0≤\u00a00.012" in first
    assert headlines.describe_detection([found], N, 0.95) == ""  # a difference was found


def test_small_differences_have_the_decimals_of_the_table():
    assert "5.04, 0.04 [0.04, 0.04] above b" in told({"a": around(5.04), "b": around(5)})


def test_an_interval_above_zero_does_not_look_as_if_it_began_there():
    apart = [1.0] * 9 + [0.004]
    found = judged({"a": [5 + x for x in apart], "b": around(5)})
    assert headlines.cite_margin(found, "b").startswith("0.9 [0.6")
    tiny = judged({"a": [5.004] * 9 + [6], "b": around(5)})
    assert headlines.cite_margin(tiny, "b").startswith("0.104 [0.004, ")
    assert headlines.p_text(0.04996) == "p = 0.04996"


def test_nobody_leads_where_tests_tell_nobody_apart():
    systems = {"a": around(5.2, 2), "b": around(5, 1), "c": around(4.9, 3)}
    assert told(systems).startswith(
        "No system leads by Number: a is highest with 5.2, but not significantly different from b "
        "or c (p = 1.000; smallest detectable difference: "
    )


def test_systems_that_score_the_same_share_the_place():
    systems = {"a": around(3), "b": around(3), "c": around(2)}
    assert told(systems).startswith(
        "No system leads by Number: a and b are highest with 3.0. a is better than c ("
    )
    noisy = told({**systems, "d": around(2.9, 3)})
    assert "a and b are highest with 3.0, but not significantly different from d (p = " in noisy


def test_many_names_are_counted():
    systems = {f"s{i}": around(3 - i / 100, i) for i in range(12)}
    assert "not significantly different from s1, s2, s3 or 8 others (" in told(systems)


def test_baselines_that_are_ahead_come_first():
    assert told({"a": around(3), "b": around(2)}, 4) == (
        "By Number source unchanged (4.0) and source truncated (4.0) are ahead of every system, of "
        "which a is highest (3.0). a is better than b (p = 0.002). Don't read Number as quality "
        "here."
    )
    text = told({"a": around(3, 1), "b": around(2.9, 2)}, 4)
    assert "are ahead of every system, of which a is highest (3.0). " in text
    assert "a is not significantly different from b (p = " in text


def test_who_scores_as_a_baseline_does_not_lead():
    assert told({"a": around(3), "b": around(2)}, around(3)) == (
        "No system leads by Number: a is highest with 3.0, which a baseline has, too. "
        "a is better than b (p = 0.002). Don't read Number as quality here."
    )
    assert told({"a": around(3), "b": around(2)}, 3).startswith("No system leads by Number")


def test_a_leader_that_does_not_beat_the_baselines_is_told_so():
    text = told({"a": around(3), "b": around(2)}, around(2.9, 3))
    assert text.startswith("a leads significantly by Number: 3.0")
    assert text.endswith("a doesn't beat source unchanged (2.9) or source truncated (2.9).")


def test_a_single_system_is_compared_with_the_baselines():
    assert told({"a": around(5)}, 3) == (
        "a beats the baselines by Number: 5.0, 2.0 [2.0, 2.0] above the better baseline, "
        "source unchanged (p = 0.004)."
    )
    assert told({"a": around(3, 1)}, 3).startswith(
        "a doesn't beat source unchanged (3.0) or source truncated (3.0) by Number: it has 3.0."
    )
    assert told({"a": around(3)}, 3, baselines=False) == (
        "a has 3.0 by Number, and nothing here to be compared with."
    )


def test_scores_above_the_references_are_not_called_better_than_people(monkeypatch):
    found = judged({"a": around(5), "b": around(4)})
    found.comparison.references = {"number": Value(4.5)}
    assert "references" not in " ".join(headlines.describe(found))  # the metric reads none
    monkeypatch.setattr(Number, "columns", (*Number.columns, REFERENCES))
    assert headlines.describe(found)[-1] == (
        "a is above the references (4.5). That doesn't mean better than people: references face "
        "one reference fewer."
    )


def test_who_is_best_is_decided_by_holms_p_values():
    top, other = [1.0] * 9 + [-1], [0.0] * N  # in 22 of 1,024 ways they differ as much
    assert compared({"top": top, "next": other}).best == ["top"]
    many = {f"s{i}": other for i in range(10)}
    assert compared({"top": top, **many}).best == ["top", *many]
    assert compared({"top": top[:1], "next": other[:1]}).best == compared({"only": top}).best == []


def test_less_is_better_where_it_is():
    systems = {"b": around(4), "a": around(2.5), "c": around(5)}
    assert told(systems, 9, Fewer()).startswith(
        "a leads significantly by Fewer: 2.5, 1.5 [1.5, 1.5] below the next, b (p ≤ 0.006)."
    )
    noisy = {"a": around(2, 1), "b": around(2.1, 2)}
    assert "a is lowest with 2.0" in told(noisy, 9, Fewer())
    assert "ahead of every system, of which a is lowest (2.5). a is" in told(systems, 1, Fewer())


def test_who_is_worse_on_the_examples_that_both_have_does_not_lead():
    easy, hard = [5.0, 7.0] * 6, [1.0, 2.0] * 6
    systems = {"a": easy + [math.nan] * 12, "b": [x + 1 for x in easy + hard]}
    found = judged(systems, baselines=False)
    assert found.comparison.best == []
    assert headlines.headline(found).replace("\u00a0", " ") == (
        "No system leads by Number: a is highest with 6.0, but on the 12 examples that both have "
        "b is better by 1.0 (p = 0.001)."
    )


def test_a_difference_without_a_test_has_no_p_value():
    systems = {"a": [5.0] * 12, "b": [4.0] * 9 + [math.nan] * 3}
    assert headlines.headline(judged(systems, baselines=False)) == (
        "No system leads by Number: a is highest with 5.0, but not significantly different from b "
        "(fewer than 10 examples have both scores)."
    )


def test_undefined_scores_are_nobodys():
    systems = {"a": around(5), "b": around(3), "none": [math.nan] * N}
    assert told(systems).startswith("a leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above b")
    assert told({"none": [math.nan] * N}) == "Number is undefined here for every system."


def test_fewer_than_ten_examples_call_nothing_better_or_worse():
    assert told({"a": [5] * 9, "b": [3] * 9}, 2) == (
        "Nothing can be ranked: 9 examples are too few to call a system better or worse by Number: "
        "a (5.0), b (3.0), source unchanged (2.0) and source truncated (2.0)."
    )
    assert told({"a": [5]}, 6).startswith("Nothing can be ranked: 1 example is too few")
    systems = {f"s{i}": [5 - i] * 9 for i in range(4)}
    assert told(systems, 6, Fewer()).endswith(
        "by Fewer: s3 (2.0), s2 (3.0), s1 (4.0) and 3 others."
    )


def test_a_system_with_an_error_is_neither_compared_nor_named_as_the_best():
    systems = {"a": around(9), "b": around(5), "c": around(3)}
    assert told(systems, unranked=["a"]).startswith(
        "b leads significantly by Number: 5.0, 2.0 [2.0, 2.0] above c"
    )
    single = {"a": around(9), "b": around(5)}
    assert told(single, unranked=["a"]).startswith("b beats the baselines by Number: 5.0, 5.0 [")
    assert judge({"": compared(single, unranked=["a", "b"])}) == {}


@pytest.mark.parametrize("metric", [Number(), Fewer()])
def test_what_examples_can_detect_is_the_median_of_the_tests_against_the_best(metric):
    spread = np.random.default_rng(0).normal(0, 1, (3, N))

    def size(first, second, family):
        sampling = {"confidence": 0.95, "resamples": 2000, "seed": 0}
        test = means_of({"": first}).minus(means_of({"": second}), **sampling)[""]
        return significance.detectable(replace(test, family=family), 0.95) or 0

    order = sorted(range(3), key=lambda i: spread[i].mean(), reverse=metric.name == "number")
    best, *others = (spread[i] for i in order)
    for found, expected, family in (
        (judged({str(i): [*spread[i]] for i in range(3)}, metric=metric), [*others], 3),
        (judged({"0": [*best]}, metric=metric), [np.zeros(N)], 2),
    ):
        digits = headlines.two_digits(
            float(np.median([size(best, one, family) for one in expected]))
        )
        assert headlines.describe_detection([found], N, 0.95) == (
            f"People's ratings of 10 examples can detect a difference of {digits} {found.label} "
            "or more (in 80\u00a0% of tries, p < 0.05)."
        )
    assert headlines.describe_detection([judged({"a": around(5)})], N, 0.95) == ""


@st.composite
def corpora(draw):
    n = draw(st.integers(significance.FEWEST, 12))
    few = st.lists(st.sampled_from([0, 1, 2, 3, 7]), min_size=n, max_size=n)
    systems = draw(st.lists(few, min_size=1, max_size=4))
    if len(systems) > 1 and draw(st.booleans()):
        systems[-1] = [x + 2 for x in systems[0]]
    return {f"s{i}": own for i, own in enumerate(systems)}, draw(few)


@given(corpora(), st.sampled_from([0.5, 0.8, 0.95]), st.sampled_from([Number(), Fewer()]))
def test_words_marks_and_tests_agree(corpus, confidence, metric):
    systems, sources = corpus
    options = {"confidence": confidence, "resamples": 300}
    found = judged(systems, sources, metric, **options)
    comparison, first = found.comparison, headlines.describe(found)[0]
    leaders = {found.top, *found.equal, *found.undecided}
    assert {*comparison.best} == ({*leaders} if found.others and not found.ahead else {*()})
    for other in found.others:
        apart = other not in leaders
        assert comparison.differ(found.top, other) == found.beats(found.top, other) == apart
    assert first.startswith(f"{found.best} leads significantly by") == bool(found.best)
    ahead = [n for n in found.ahead if n in found.baselines and found.leads(n, found.top)]
    assert ("ahead of every system" in first) == bool(ahead and found.others)
    if len(comparison.best) and any(systems[name] != [0] * len(sources) for name in systems):
        marks = {comparison.marks.get(name) for name in comparison.best}
        assert marks <= ({"best"} if found.best else {"undecided", None})
