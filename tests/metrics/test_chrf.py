"""chrF and TER are sacrebleu's, corpus by corpus and sentence by sentence."""

import pytest
import sacrebleu
from hypothesis import example, given
from hypothesis import strategies as st

import textsimp
from tests.strategies import tokenizer_texts

ROWS = st.tuples(tokenizer_texts, st.lists(tokenizer_texts, min_size=1, max_size=3))
METRICS = {
    "chrf": lambda: sacrebleu.CHRF(),
    "chrf(lowercase=True)": lambda: sacrebleu.CHRF(lowercase=True),
    "chrf(chrf++)": lambda: sacrebleu.CHRF(word_order=2),
    "ter": lambda: sacrebleu.TER(),
    "ter(lowercase=False)": lambda: sacrebleu.TER(case_sensitive=True),
}


@pytest.mark.parametrize("name", METRICS)
@given(rows=st.lists(ROWS, min_size=1, max_size=4))
@example([("a", [""]), ("", [""])])
def test_scores_equal_those_of_sacrebleu(name, rows):
    metric = textsimp.metric(name)
    predictions, references = map(list, zip(*rows, strict=True))
    found = metric.score(predictions=predictions, references=references, per_example=True)
    most = max(map(len, references))
    columns = [[row[i] if i < len(row) else None for row in references] for i in range(most)]
    theirs = METRICS[name]()
    assert found[metric.name] == pytest.approx(
        theirs.corpus_score(predictions, columns).score, abs=1e-9
    )
    alone = [METRICS[name]().sentence_score(*row).score for row in rows]
    assert found[f"{metric.name}_per_example"] == pytest.approx(alone, abs=1e-9)


BLEU = {
    "bleu(tokenizer=intl)": lambda: sacrebleu.BLEU(lowercase=True, tokenize="intl"),
    "bleu(sacrebleu)": lambda: sacrebleu.BLEU(),
}


@pytest.mark.parametrize("name", [*METRICS, *BLEU])
def test_a_signature_ends_with_that_of_sacrebleu(name):
    theirs = (METRICS | BLEU)[name]()
    theirs.corpus_score(["a"], [["a"], ["b"]])
    metric = textsimp.metric(name)
    signature = metric.signature([["a", "b"]])
    assert signature.endswith(f"|{theirs.get_signature().format()}")
    assert textsimp.metric(signature) == metric
