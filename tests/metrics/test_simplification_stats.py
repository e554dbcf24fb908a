"""Simplification statistics."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from tests.literal import stats as literal
from textsimp.metrics.simplification_stats import SimplificationStats, word_ranks
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import tokenize_13a

worded = st.lists(st.sampled_from(["a", "b", "A", "c", ".", "!", ",", "a-1", ".,5"]), max_size=9)
texts = st.one_of(worded.map(" ".join), strategies.texts)
pairs = st.lists(st.tuples(texts, texts), min_size=1, max_size=5)


def score(sources, predictions, **options):
    metric = SimplificationStats(splitter="simple-token", **options)
    return metric.score(sources=sources, predictions=predictions, per_example=True)


def sentences(text):
    return int(get_splitter("simple-token").count([text])[0])


@given(pairs=pairs)
@example(pairs=[("b c a", "b"), ("c", "b"), ("b", "c")])  # words of two examples don't meet
@example(pairs=[("", ""), ("", "a b"), ("a b", "")])  # what would be divided by zero
@example(pairs=[("the cat sat on a mat", "on a mat the cat sat"), ("a b a b", "a b x y x y")])
@example(pairs=[("a .,5 b", "")])  # 13a makes ". ,5" of it, and three tokens of that
@pytest.mark.parametrize("tokenizer", ["13a", "none"])
def test_every_example_is_scored_as_defined(tokenizer, pairs):
    plain = tokenizer == "none"
    options = {"tokenizer": tokenizer, "lowercase": not plain}
    scores = score(*zip(*pairs, strict=True), **options)
    for i, pair in enumerate(pairs):
        if plain and any(mark in text for text in pair for mark in ("&", "-\n")):
            continue  # which NLTK's NIST tokeniser and 13a take for different things
        normalised = pair if plain else [tokenize_13a(text.lower()) for text in pair]
        for name, value in literal.stats(*normalised, sentences).items():
            found = scores[f"{name}_per_example"][i]
            assert found == pytest.approx(value, abs=1e-9), name


@given(st.lists(texts.map(lambda text: f"{text} zebra house"), min_size=1, max_size=4), st.data())
def test_quartiles_are_numpys(column, data):
    column = [data.draw(st.sampled_from([text, text.replace("a", "cat ")])) for text in column]
    ranks = word_ranks("en")
    scores = score(column, column, lexical_complexity=True)
    for text, found in zip(column, scores["lexical_complexity_per_example"], strict=True):
        known = [ranks[word] for word in tokenize_13a(text.lower()).split() if word in ranks]
        assert found == pytest.approx(np.quantile(np.log1p(known), 0.75), abs=1e-12)


def test_texts_without_a_ranked_word_are_left_out_of_the_mean():
    scores = score(["a"] * 3, ["zebra", "the , 1995 !", "xqzzt"], lexical_complexity=True)
    assert scores["lexical_complexity"] == scores["lexical_complexity_per_example"][0]
    assert scores["lexical_complexity_per_example"][1:] == [0, 0]


def test_words_are_ranked_from_the_most_frequent_on():
    ranks = word_ranks("en")
    assert "the" not in ranks  # a stop word
    assert "," not in ranks
    assert ranks["house"] < ranks["zebra"] < ranks["zoologist"]
    assert min(ranks.values()) == 100
    assert "wouldn't" in ranks  # has a letter
    assert not any(word.isdigit() for word in ranks)
