"""Quality-estimation features as EASSE computes them, to 1e-9."""

import pytest

from textsimp.metrics.simplification_stats import SimplificationStats

FEATURES = {  # and their names among the values of single sentences
    "compression_ratio": "cr",
    "levenshtein_similarity": "lev",
    "exact_copies": "copy",
    "additions_proportion": "add",
    "deletions_proportion": "dele",
}
SPLITTERS = ("nltk-punkt-untrained", "simple-token", "pysbd-0.3.4")


def score(columns, line, splitter, **options):
    metric = SimplificationStats(
        tokenizer=line["tokenizer"], lowercase=line["lowercase"], splitter=splitter
    )
    texts = columns(line["dataset"], line["system"])
    return metric.score(sources=texts["sources"], predictions=texts["predictions"], **options)


def test_means_and_single_sentences_equal_easse(goldens, columns):
    rows = goldens("qe")
    assert len(rows) == 20
    for line in rows:
        scores = score(columns, line, "simple-token", per_example=True)
        for name in FEATURES:
            assert scores[name] == pytest.approx(line[name], abs=1e-9), (line["system"], name)
        for i, sentence in enumerate(line.get("first10", [])):
            for name, key in FEATURES.items():
                found = scores[f"{name}_per_example"][i]
                assert found == pytest.approx(float(sentence[key]), abs=1e-9), (line, name, i)


@pytest.mark.parametrize(
    "splitter", [*SPLITTERS[:2], pytest.param(SPLITTERS[2], marks=pytest.mark.slow)]
)
def test_sentence_splits_equal_easse(goldens, columns, splitter):
    key = f"sentence_splits@{splitter}"
    rows = [line for line in goldens("qe") if key in line]
    assert len(rows) == 10
    for line in rows:
        found = score(columns, line, splitter)["sentence_splits"]
        assert found == pytest.approx(line[key], abs=1e-9), line["system"]


def test_small_cases_equal_easse(goldens):
    for line in goldens("qe_toy"):  # whose texts are normalised already, or not at all
        metric = SimplificationStats(tokenizer="none", lowercase=False, splitter=line["splitter"])
        scores = metric.score(sources=[line["source"]], predictions=[line["output"]])
        for name in (*FEATURES, "sentence_splits"):
            expected = 0 if isinstance(line[name], str) else line[name]  # it divides by zero
            assert scores[name] == pytest.approx(expected, abs=1e-9), (line["case"], name)
