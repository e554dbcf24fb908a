"""Quality-estimation features as EASSE computes them, to 1e-9."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from textsimp.metrics.simplification_stats import SimplificationStats

FEATURES = (
    "compression_ratio",
    "levenshtein_similarity",
    "exact_copies",
    "additions_proportion",
    "deletions_proportion",
)
SPLITTERS = {
    "sentence_splits@nltk-punkt-untrained": "nltk-punkt-untrained",
    "sentence_splits@simple-token": "simple-token",
    "sentence_splits@pysbd-0.3.4": "pysbd",
}
FIRST = {  # names of the values of single sentences
    "compression_ratio": "cr",
    "levenshtein_similarity": "lev",
    "exact_copies": "copy",
    "additions_proportion": "add",
    "deletions_proportion": "dele",
}


@pytest.fixture(scope="module")
def columns(corpus: Any, lines: Any) -> Any:
    def read(line: dict[str, Any]) -> dict[str, Any]:
        sources, _ = corpus(line["dataset"])
        same = line["system"] == "identity"
        path = f"{line['dataset']}/systems/{line['system']}.txt"
        return {"sources": sources, "predictions": sources if same else lines(path)}

    return read


def metric(line: dict[str, Any], **options: Any) -> SimplificationStats:
    return SimplificationStats.preset(
        tokenizer=line["tokenizer"], lowercase=line["lowercase"], **options
    )


def test_means_and_single_sentences_equal_easse(goldens: Any, columns: Any) -> None:
    rows = goldens("qe")
    assert len(rows) == 20
    for line in rows:
        scores = metric(line, splitter="simple-token").score(**columns(line), per_example=True)
        for name in FEATURES:
            assert scores[name] == pytest.approx(line[name], abs=1e-9), (line["system"], name)
        for i, sentence in enumerate(line.get("first10", [])):
            for name, key in FIRST.items():
                found = scores[f"{name}_per_example"][i]
                assert found == pytest.approx(float(sentence[key]), abs=1e-9), (
                    line["system"],
                    name,
                    i,
                )


def test_sentence_splits_equal_easse(goldens: Any, columns: Any) -> None:
    compared = 0
    for line in goldens("qe"):
        for key in SPLITTERS.keys() & line.keys():
            if "pysbd" in key:
                continue
            texts = columns(line)
            scores = metric(line, splitter=SPLITTERS[key]).score(**texts)
            assert scores["sentence_splits"] == pytest.approx(line[key], abs=1e-9), line["system"]
            compared += 1
    assert compared == 20


def test_sentence_splits_by_pysbd_equal_easse(goldens: Any, columns: Any) -> None:
    (line,) = (
        row
        for row in goldens("qe")
        if (row["dataset"], row["system"], row["lowercase"]) == ("turkcorpus_test", "UNTS", True)
    )
    scores = metric(line, splitter="pysbd").score(**columns(line))
    assert scores["sentence_splits"] == pytest.approx(line["sentence_splits@pysbd-0.3.4"], abs=1e-9)


def test_small_cases_equal_easse(goldens: Any) -> None:
    for line in goldens("qe_toy"):  # whose texts are normalised already, or not at all
        scores = SimplificationStats.preset(
            tokenizer="none", lowercase=False, splitter=line["splitter"]
        ).score(sources=[line["source"]], predictions=[line["output"]])
        for name in (*FEATURES, "sentence_splits"):
            expected = line[name]
            if isinstance(expected, str):  # it divides by zero
                expected = 0
            assert scores[name] == pytest.approx(expected, abs=1e-9), (line["case"], name)


def test_normalising_a_small_case_gives_its_normalised_form(goldens: Any) -> None:
    by_case: dict[str, list[dict[str, Any]]] = {}
    for line in goldens("qe_toy"):
        by_case.setdefault(line["case"], []).append(line)
    for raw, normalised in by_case.values():
        scores = SimplificationStats.preset().score(
            sources=[raw["source"]], predictions=[raw["output"]]
        )
        for name in (*FEATURES, "sentence_splits"):
            if not isinstance(normalised[name], str):
                assert scores[name] == pytest.approx(normalised[name], abs=1e-9)


def test_a_mean_is_the_mean_of_single_sentences(columns: Any) -> None:
    texts = columns({"dataset": "asset_test", "system": "ACCESS"})
    scores = SimplificationStats.preset(splitter="simple-token").score(**texts, per_example=True)
    for name in (*FEATURES, "jaccard_similarity", "novel_2grams"):
        assert scores[name] == pytest.approx(np.mean(scores[f"{name}_per_example"]), abs=1e-12)
