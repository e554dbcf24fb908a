"""ROUGE is that of rouge_score, in plain loops and in numbers that it printed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import rouge as literal
from textsimp import Rouge
from textsimp.metrics.rouge import f1_scores

words = st.sampled_from(["a", "the", "cats", "cat's", "running", "runs", "3.5", "Über", "IL-6"])
texts = st.lists(st.lists(words, max_size=6).map(" ".join), max_size=4).map("\n".join)


@given(texts, texts, st.booleans())
def test_scores_equal_plain_loops(reference, output, stem):
    found = f1_scores(reference, output, str.splitlines, stem)
    expected = [literal.rouge_n(reference, output, n, stem) for n in (1, 2)]
    expected.append(literal.rouge_l(reference, output, stem))
    expected.append(literal.rouge_lsum(reference, output, str.splitlines, stem))
    assert found == pytest.approx(expected, abs=1e-12)


def test_words_are_stemmed_and_lowercased():
    assert f1_scores("Cats RUNNING", "cat ran", str.splitlines)[0] == 0.5
    assert f1_scores("The cats", "the CATS!", str.splitlines) == [1, 1, 1, 1]


@pytest.mark.parametrize(
    ("variant", "expected"),  # printed by rouge_score 0.1.2, each sentence a line
    [
        ("stemmed", [63.6364, 30.0, 27.2727, 63.6364]),
        ("evaluate", [54.5455, 20.0, 27.2727, 54.5455]),
    ],
)
def test_each_score_takes_its_best_reference(variant, expected):
    scores = Rouge.preset(variant).score(
        predictions=["It slept on a mat. The cats sat, and the cats sat."],
        references=[["The old cat sat on a mat. It was sleeping.", "Dogs sat."]],
    )
    names = ("rouge1", "rouge2", "rougeL", "rougeLsum")
    assert [scores[name] for name in names] == pytest.approx(expected, abs=1e-4)


def test_an_empty_text_has_nothing_in_common():
    scores = Rouge().score(predictions=["", "a"], references=[["a", ""], [""]])
    assert scores["rouge1"] == scores["rougeLsum"] == 0
