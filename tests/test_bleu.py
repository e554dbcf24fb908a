"""BLEU is sacrebleu's."""

from __future__ import annotations

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.bleu import Bleu

TEXTS = st.lists(st.sampled_from(["a", "b", "B", "c", ".", "a.b", "é"]), max_size=8).map(" ".join)
EXAMPLES = st.integers(1, 3).flatmap(
    lambda n: st.lists(
        st.tuples(TEXTS, st.lists(TEXTS, min_size=n, max_size=n)), min_size=1, max_size=5
    )
)


@given(EXAMPLES, st.booleans())
def test_scores_equal_corpus_bleu(examples: list[tuple[str, list[str]]], lowercase: bool) -> None:
    predictions = [prediction for prediction, _ in examples]
    references = [texts for _, texts in examples]
    scores = Bleu.preset(lowercase=lowercase).score(predictions=predictions, references=references)
    theirs = sacrebleu.corpus_bleu(
        predictions, list(zip(*references, strict=True)), lowercase=lowercase
    )
    assert scores["bleu"] == pytest.approx(theirs.score, abs=1e-9)
    assert scores["precisions"] == pytest.approx(theirs.precisions, abs=1e-9)
    assert scores["brevity_penalty"] == pytest.approx(theirs.bp, abs=1e-9)
    assert scores["length_ratio"] == pytest.approx(theirs.ratio, abs=1e-9)


def test_an_example_scores_as_a_corpus_of_one() -> None:
    predictions, references = ["a b c d", "a b x d e", "a b"], ["a b c d", "a b c d e", "a b"]
    scores = Bleu.preset().score(predictions=predictions, references=references, per_example=True)
    for i, score in enumerate(scores["bleu_per_example"]):
        alone = sacrebleu.corpus_bleu([predictions[i]], [[references[i]]]).score
        assert score == pytest.approx(alone, abs=1e-9)


def test_examples_may_differ_in_their_number_of_references() -> None:
    scores = Bleu.preset().score(
        predictions=["a b c d e", "a b c d"], references=[["a b c d", "a b c d e"], ["a b c d"]]
    )
    assert scores["bleu"] == pytest.approx(100)
    assert "|nrefs:var|" in scores["signature"]


def test_the_signature_is_sacrebleus_own() -> None:
    metric = sacrebleu.BLEU(lowercase=True, tokenize="intl")
    metric.corpus_score(["a"], [["a"], ["b"]])
    ours = Bleu.preset(lowercase=True, tokenizer="intl").signature([["a", "b"]])
    assert ours == f"BLEU|{metric.get_signature()}"


def test_an_unknown_tokenizer_is_told_with_those_there_are() -> None:
    with pytest.raises(InputError, match="tokenizer: expected one of '13a', 'intl'"):
        Bleu.preset(tokenizer="13b")
