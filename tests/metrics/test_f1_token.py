"""Token F1 is what its definition says."""

from statistics import fmean

import pytest
from hypothesis import example, given

from tests import strategies
from tests.literal.f1_token import f1_token
from textsimp.metrics.f1_token import F1Token


@given(columns=strategies.columns())
@example({"predictions": ["a a a b", "a b"], "references": [["a a c d"], ["c d", "a b", "a"]]})
@example({"predictions": ["", "", "a"], "references": [[""], ["a"], [""]]})
def test_scores_equal_the_literal_definition(columns):
    rows = zip(columns["predictions"], columns["references"], strict=True)
    expected = [f1_token(prediction, references) for prediction, references in rows]
    found = F1Token(tokenizer="none", lowercase=False).score(**columns, per_example=True)
    assert found["f1_token_per_example"] == pytest.approx(expected, abs=1e-9)
    assert found["f1_token"] == pytest.approx(fmean(expected), abs=1e-9)
