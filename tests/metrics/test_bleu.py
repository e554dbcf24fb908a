"""BLEU is sacrebleu's, corpus by corpus and sentence by sentence."""

import pytest
import sacrebleu
from hypothesis import given
from hypothesis import strategies as st

from tests.strategies import tokenizer_texts
from textsimp.metrics.bleu import Bleu

EXAMPLES = st.integers(1, 3).flatmap(
    lambda n: st.lists(
        st.tuples(tokenizer_texts, st.lists(tokenizer_texts, min_size=n, max_size=n)),
        min_size=1,
        max_size=5,
    )
)


@given(EXAMPLES, st.booleans(), st.sampled_from(["13a", "intl", "char", "zh", "none"]))
def test_statistics_are_the_counts_of_sacrebleu(examples, lowercase, tokenizer):
    predictions, references = map(list, zip(*examples, strict=True))
    columns = [*zip(*references, strict=True)]
    theirs = sacrebleu.BLEU(lowercase, tokenize=tokenizer, references=columns)
    ours = Bleu(lowercase=lowercase, tokenizer=tokenizer)
    counts = ours.statistics(ours.prepare(None, references), predictions)
    assert counts.tolist() == theirs._extract_corpus_statistics(predictions, None)


@given(EXAMPLES, st.booleans())
def test_scores_equal_corpus_bleu(examples, lowercase):
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


@given(
    EXAMPLES,
    st.sampled_from(
        [("easse", True, "floor"), ("easse_sentence", True, "floor"), ("sacrebleu", False, "exp")]
    ),
)
def test_examples_score_as_sentence_bleu(examples, variant):
    name, lowercase, smoothing = variant
    scores = Bleu.preset(name).score(
        predictions=[prediction for prediction, _ in examples],
        references=[texts for _, texts in examples],
        per_example=True,
    )
    options = {"smooth_method": smoothing, "lowercase": lowercase, "use_effective_order": True}
    for i, (prediction, texts) in enumerate(examples):
        alone = sacrebleu.sentence_bleu(prediction, texts, **options)
        assert scores["bleu_per_example"][i] == pytest.approx(alone.score, abs=1e-9)
        assert scores["precisions_per_example"][i] == pytest.approx(alone.precisions, abs=1e-9)
        assert scores["brevity_penalty_per_example"][i] == pytest.approx(alone.bp, abs=1e-9)
    if name == "easse_sentence":
        mean = sum(scores["bleu_per_example"]) / len(examples)
        assert scores["bleu"] == pytest.approx(mean, abs=1e-9)


def test_examples_may_differ_in_their_number_of_references():
    scores = Bleu.preset().score(
        predictions=["a b c d e", "a b c d"], references=[["a b c d", "a b c d e"], ["a b c d"]]
    )
    assert scores["bleu"] == pytest.approx(100)
    assert "|nrefs:var|" in scores["signature"]


@pytest.mark.parametrize(("variant", "lowercase"), [("easse", True), ("sacrebleu", False)])
def test_the_signature_is_sacrebleus_after_name_and_variant(variant, lowercase):
    metric = sacrebleu.BLEU(lowercase=lowercase, tokenize="intl")
    metric.corpus_score(["a"], [["a"], ["b"]])
    ours = Bleu.preset(variant, tokenizer="intl").signature([["a", "b"]])
    assert ours == f"bleu|variant:{variant}|{metric.get_signature()}"
