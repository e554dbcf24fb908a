"""Split F1 is what its definition says."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.literal import split_f1 as literal
from textsimp import SplitF1
from textsimp.metrics.split_f1 import match_places


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
