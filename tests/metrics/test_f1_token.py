"""Token F1 is what its definition says."""

from statistics import fmean

import pytest
from hypothesis import example, given

from tests import strategies
from tests.literal.f1_token import f1_token
from textsimp.metrics.f1_token import F1Token
from textsimp.text.tokenizers import tokenize_13a


@given(columns=strategies.columns())
@example({"predictions": ["a a a b", "a b"], "references": [["a a c d"], ["c d", "a b", "a"]]})
@example({"predictions": ["", "", "a"], "references": [[""], ["a"], [""]]})
def test_scores_equal_the_literal_definition(columns):
    rows = zip(columns["predictions"], columns["references"], strict=True)
    expected = [f1_token(prediction, references) for prediction, references in rows]
    found = F1Token(tokenizer="none", lowercase=False).score(**columns, per_example=True)
    assert found["f1_token_per_example"] == pytest.approx(expected, abs=1e-9)
    assert found["f1_token"] == pytest.approx(fmean(expected), abs=1e-9)


@given(columns=strategies.columns())
def test_words_are_lowercased_13a_tokens(columns):
    def tokenized(text):
        return tokenize_13a(text.lower())

    made = {
        "predictions": [*map(tokenized, columns["predictions"])],
        "references": [[*map(tokenized, row)] for row in columns["references"]],
    }
    columns = {name: columns[name] for name in made}
    expected = F1Token(tokenizer="none", lowercase=False).score(**made)
    assert F1Token().score(**columns)["f1_token"] == pytest.approx(expected["f1_token"], abs=1e-9)
