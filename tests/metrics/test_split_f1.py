"""Split F1 is what its definition says."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.literal import split_f1 as literal
from textsimp import SplitF1
from textsimp.metrics.split_f1 import match_places

SOURCE = "aa bb cc dd ee ff"  # a letter before a full stop would be an initial


def score(prediction, *references, source=SOURCE, **options):
    return SplitF1(**options).score(
        sources=[source], predictions=[prediction], references=[[*references]]
    )


def tokenized(text):
    return " ".join(" ".join([*sentence, "."]) for sentence in text)


sentences = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3), min_size=1, max_size=4
)
split_rows = st.lists(
    st.tuples(sentences, sentences, st.lists(sentences, min_size=1, max_size=3)),
    min_size=1,
    max_size=3,
)


def written(*texts):
    """A row, whose sentences are written with stops between them."""
    source, output, *references = ([s.split() for s in text.split(".")] for text in texts)
    return source, output, references


@given(rows=split_rows)
@example([written("aa bb cc. dd ee ff", "aa bb cc. dd. ee ff", "aa bb. cc. dd ee ff")])
@example([written("aa bb cc dd ee ff", "aa bb. xx yy. ee ff", "aa bb. cc dd ee ff")])
@example([written("aa bb cc dd ee ff", "xx yy. ee ff", "aa bb cc dd. ee ff")])
@example([written("", "", ""), written("", "aa. bb", "cc. dd"), written("aa bb", "", "aa. bb")])
def test_scores_equal_the_literal_definition(rows):
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
def test_as_many_places_hold_an_end_as_can(gaps, ends):
    lows, highs = (sorted(side) for side in zip(*gaps, strict=True)) if gaps else ([], [])
    places = [*zip(lows, highs, strict=True)]
    possible = {
        (i, end) for i, (low, high) in enumerate(places) for end in ends if low <= end <= high
    }
    assert len(match_places(places, sorted(ends))) == literal.most(possible)


def test_a_split_at_the_place_of_the_references_counts_whatever_else_changes():
    assert score("aa bb xx. dd yy ff.", "zz aa bb. cc dd ee ff.")["split_f1"] == 100


def test_deleted_words_leave_open_where_between_them_a_split_is():
    assert score("aa bb. ff.", "aa bb cc dd. ee ff.")["split_f1"] == 100
    assert score("aa bb cc. ff.", "aa bb. cc dd ee ff.")["split_f1"] == 0


def test_references_count_as_often_as_they_have_it():
    found = score(
        "aa bb. cc dd ee ff.", "aa bb. cc dd ee ff.", "aa bb cc dd ee ff.", "aa bb cc dd. ee ff."
    )
    assert found["split_precision"] == pytest.approx(100 / 3)
    assert found["split_recall"] == pytest.approx(50)  # 1/3 of 2/3
    assert found["split_f1"] == pytest.approx(40)


def test_a_sentence_without_a_word_is_none():
    assert score("aa bb cc. ... dd ee ff.", "aa bb cc. dd ee ff.")["splits"] == 1


def test_case_and_punctuation_do_not_count():
    assert score("Aa, bb; Cc! (Dd) ee ff", "aa bb cc. dd ee ff.")["split_f1"] == 100
