"""BLEU is sacrebleu's, corpus by corpus and sentence by sentence."""

import numpy as np
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


NAMES = {"score": "bleu", "precisions": "precisions", "bp": "brevity_penalty"}
NAMES |= {"ratio": "length_ratio"}


@pytest.mark.parametrize(
    ("variant", "lowercase", "smoothing"),
    [("easse", True, "floor"), ("easse_sentence", True, "floor"), ("sacrebleu", False, "exp")],
)
@given(EXAMPLES)
def test_scores_equal_those_of_sacrebleu(variant, lowercase, smoothing, examples):
    predictions, references = map(list, zip(*examples, strict=True))
    columns = {"predictions": predictions, "references": references}
    scores = Bleu(variant).score(**columns, per_example=True)
    theirs = sacrebleu.corpus_bleu(
        predictions, [*zip(*references, strict=True)], lowercase=lowercase
    )
    options = {"smooth_method": smoothing, "lowercase": lowercase, "use_effective_order": True}
    alone = [sacrebleu.sentence_bleu(*example, **options) for example in examples]
    for their_name, name in NAMES.items():
        values = [getattr(sentence, their_name) for sentence in alone]
        whole = getattr(theirs, their_name)
        if variant == "easse_sentence":
            whole = np.mean(values, axis=0)
        assert scores[name] == pytest.approx(whole, abs=1e-9)
        found = scores[f"{name}_per_example"]
        assert np.array(found) == pytest.approx(np.array(values), abs=1e-9)


def test_examples_may_differ_in_their_number_of_references():
    references = [["a b c d", "a b c d e"], ["a b c d"]]
    scores = Bleu().score(predictions=["a b c d e", "a b c d"], references=references)
    assert scores["bleu"] == pytest.approx(100)
    assert "|nrefs:var|" in scores["signature"]
