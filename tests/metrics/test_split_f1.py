"""Split F1 is what its definition says."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import split_f1 as literal
from textsimp import SplitF1
from textsimp.metrics.split_f1 import match_places

SOURCE = "aa bb cc dd ee ff"  # a letter before a full stop would be an initial


def score(prediction: str, *references: str, source: str = SOURCE, **options: Any) -> Any:
    return SplitF1(**options).score(
        sources=[source], predictions=[prediction], references=[[*references]]
    )


def tokenized(text: literal.Text) -> str:
    return " ".join(" ".join([*sentence, "."]) for sentence in text)


sentences = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3), min_size=1, max_size=4
)
split_rows = st.lists(
    st.tuples(sentences, sentences, st.lists(sentences, min_size=1, max_size=3)),
    min_size=1,
    max_size=3,
)


@given(rows=split_rows)
def test_scores_equal_the_literal_definition(rows: list[Any]) -> None:
    metric = SplitF1(tokenizer="none", splitter="simple-token")
    found = metric.score(
        sources=[tokenized(source) for source, _, _ in rows],
        predictions=[tokenized(output) for _, output, _ in rows],
        references=[[*map(tokenized, references)] for _, _, references in rows],
        per_example=True,
    )
    assert found["split_f1"] == pytest.approx(literal.split_f1(rows), abs=1e-9)
    expected = [literal.split_f1([row]) for row in rows]
    assert found["split_f1_per_example"] == pytest.approx(expected, abs=1e-9)


@given(
    gaps=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)).map(sorted), max_size=4),
    ends=st.sets(st.integers(0, 6), max_size=4),
)
def test_as_many_places_hold_an_end_as_can(gaps: list[list[int]], ends: set[int]) -> None:
    lows, highs = (sorted(side) for side in zip(*gaps, strict=True)) if gaps else ([], [])
    places = [*zip(lows, highs, strict=True)]
    possible = {
        (i, end) for i, (low, high) in enumerate(places) for end in ends if low <= end <= high
    }
    assert len(match_places(places, sorted(ends))) == literal.most(possible)


def test_a_split_at_the_place_of_the_references_counts_whatever_else_changes() -> None:
    assert score("aa bb xx. dd yy ff.", "zz aa bb. cc dd ee ff.")["split_f1"] == 100


def test_a_split_at_another_place_does_not_count() -> None:
    found = score("aa. bb cc dd ee ff.", "aa bb cc dd. ee ff.")
    assert (found["split_f1"], found["splits"], found["reference_splits"]) == (0, 1, 1)


def test_deleted_words_leave_open_where_between_them_a_split_is() -> None:
    assert score("aa bb. ff.", "aa bb cc dd. ee ff.")["split_f1"] == 100
    assert score("aa bb cc. ff.", "aa bb. cc dd ee ff.")["split_f1"] == 0


def test_a_split_is_the_same_as_one_other_at_most() -> None:
    found = score("aa bb. xx yy. ee ff.", "aa bb. cc dd ee ff.")
    assert (found["split_precision"], found["split_recall"]) == (50, 100)


def test_a_split_with_nothing_in_common_on_a_side_is_like_none() -> None:
    assert score("xx yy. ee ff.", "aa bb cc dd. ee ff.")["split_f1"] == 0


def test_references_count_as_often_as_they_have_it() -> None:
    found = score(
        "aa bb. cc dd ee ff.", "aa bb. cc dd ee ff.", "aa bb cc dd ee ff.", "aa bb cc dd. ee ff."
    )
    assert found["split_precision"] == pytest.approx(100 / 3)
    assert found["split_recall"] == pytest.approx(50)  # 1/3 of 2/3
    assert found["split_f1"] == pytest.approx(40)


def test_an_end_that_the_source_has_is_no_split() -> None:
    found = score("aa bb cc. dd. ee ff.", "aa bb. cc. dd ee ff.", source="aa bb cc. dd ee ff.")
    assert (found["splits"], found["reference_splits"], found["split_f1"]) == (1, 1, 0)


def test_splits_are_summed_over_the_corpus() -> None:
    found = SplitF1().score(
        sources=[SOURCE] * 3,
        predictions=["aa bb. cc dd ee ff.", "aa bb cc dd. ee ff.", "aa bb cc dd ee ff."],
        references=[["aa bb. cc dd ee ff."], ["aa bb. cc. dd ee ff."], ["aa bb cc. dd ee ff."]],
        per_example=True,
    )
    assert found["split_precision"] == 50
    assert found["split_recall"] == 25
    assert found["split_f1"] == pytest.approx(100 / 3)
    assert found["split_f1_per_example"] == [100, 0, 0]
    assert found["splits"] == pytest.approx(2 / 3)


@pytest.mark.parametrize(
    ("source", "prediction", "reference"),
    [("", "", ""), (SOURCE, "", "aa. bb."), ("", "aa. bb.", "cc. dd."), (SOURCE, SOURCE, SOURCE)],
)
def test_without_a_split_in_common_all_is_0(source: str, prediction: str, reference: str) -> None:
    found = score(prediction, reference, source=source)
    assert [found[f"split_{key}"] for key in ("f1", "precision", "recall")] == [0, 0, 0]


def test_a_sentence_without_a_word_is_none() -> None:
    assert score("aa bb cc. ... dd ee ff.", "aa bb cc. dd ee ff.")["splits"] == 1


def test_case_and_punctuation_do_not_count() -> None:
    assert score("Aa, bb; Cc! (Dd) ee ff", "aa bb cc. dd ee ff.")["split_f1"] == 100
