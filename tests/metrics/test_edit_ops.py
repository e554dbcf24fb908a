"""Edit operations as a metric."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from tests import strategies
from tests.literal import edits as literal
from textsimp.metrics.edit_ops import EditOps
from textsimp.text.alignment import OPERATIONS

worded = st.lists(st.sampled_from(["a", "b", "A", "c", ""]), max_size=8).map(" ".join)
texts = st.one_of(worded, strategies.texts)
moved = strategies.moved(st.sampled_from([*"abcdefgh", ""])).map(
    lambda pair: (" ".join(pair[0]), " ".join(pair[1]))
)
pairs = st.one_of(st.tuples(texts, texts), moved)


def score(sources, predictions, **options):
    metric = EditOps(**options)
    return metric.score(sources=sources, predictions=predictions, per_example=True)


def by_13a(text):
    return Tokenizer13a()(text.lower()).split() or [""]


def cased_words(text):
    return text.strip().split(" ")


@pytest.mark.parametrize(
    ("options", "split"),
    [({}, literal.words), ({"tokenizer": "13a"}, by_13a), ({"lowercase": False}, cased_words)],
)
@given(pairs=st.lists(pairs, min_size=1, max_size=6))
@example(
    pairs=[("", ""), ("a", ""), ("", "a b"), ("a  b", "a b"), (" A b ", "a B"), ("a b", "b a")]
)
def test_scores_equal_the_definition(options, split, pairs):
    expected = [literal.edit_ops(*pair, split) for pair in pairs]
    scores = score(*zip(*pairs, strict=True), **options)
    for name in (*OPERATIONS, "change_percentage"):
        assert scores[f"{name}_per_example"] == pytest.approx([row[name] for row in expected])
    of_rows = scores["corpus_change_percentage_per_example"]  # a corpus of one example
    assert of_rows == pytest.approx([row["change_percentage"] for row in expected])
    for name in OPERATIONS:
        assert scores[name] == sum(row[name] for row in expected)
    percentages = [row["change_percentage"] for row in expected]
    assert scores["change_percentage"] == pytest.approx(np.mean(percentages))
    changed = sum(row["insert"] + row["delete"] + row["replace"] for row in expected)
    total = changed + sum(row["keep"] for row in expected)
    assert scores["corpus_change_percentage"] == pytest.approx(100 * changed / total)


def test_moves_that_are_asked_for_stand_among_the_operations():
    pair = ["the x y z w"], ["x y z w the the"]
    one_to_one, paper = score(*pair, moves="one_to_one"), score(*pair, moves="paper")
    assert one_to_one["operations_per_example"] == ["5-2-"]
    assert paper["operations_per_example"] == ["5-5-"]
    assert (one_to_one["move"], paper["move"]) == (1, 2)
    assert one_to_one["change_percentage"] == paper["change_percentage"]
