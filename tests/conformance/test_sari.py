"""SARI against the reference implementations, to 1e-9."""

import pytest

from textsimp.metrics.sari import OPERATIONS, Sari

from .variants import sari_options


def metric(line, **more):
    options = sari_options(line)
    return None if options is None else Sari.preset(**options, **more)


def test_corpus_scores_equal_the_reference_implementations(goldens, columns):
    compared = 0
    for line in goldens("sari"):
        sari = metric(line)
        if sari is None:
            continue
        scores = sari.score(**columns(line["dataset"], line["system"]))
        for ours, theirs in zip(("sari", *OPERATIONS), ("sari", "add", "keep", "del"), strict=True):
            assert scores[ours] == pytest.approx(line[theirs], abs=1e-9), line
        compared += 1
    assert compared == 115


def test_scores_of_each_order_equal_the_reference_implementations(goldens, columns):
    for line in goldens("sari_ngrams"):
        sari = metric(line, per_order=True)
        assert sari is not None
        scores = sari.score(**columns(line["dataset"], line["system"]))
        assert scores["add_f1"] == pytest.approx(line["add_f1"], abs=1e-9), line
        assert scores["keep_f1"] == pytest.approx(line["keep_f1"], abs=1e-9), line
        assert scores["delete_precision"] == pytest.approx(line["del_p"], abs=1e-9), line


def test_sentence_scores_equal_the_reference_implementations(goldens, columns):
    for line in goldens("sari_sentences"):
        sari = metric(line, per_order=True)
        assert sari is not None
        table = columns(line["dataset"], line["system"])
        scores = sari.score(
            **{name: column[line["i"] : line["i"] + 1] for name, column in table.items()}
        )
        assert scores["sari"] == pytest.approx(line["sari"], abs=1e-9), line
        if "ngram_keep_del_add" in line:
            for order, (keep, delete, add) in enumerate(line["ngram_keep_del_add"]):
                assert scores["keep_f1"][order] == pytest.approx(keep, abs=1e-9), line
                assert scores["delete_precision"][order] == pytest.approx(delete, abs=1e-9), line
                assert scores["add_f1"][order] == pytest.approx(add, abs=1e-9), line


def test_odd_small_cases_equal_the_reference_implementations(goldens):
    for line in goldens("sari_toy"):
        sari = metric(line)
        if sari is None:
            continue
        scores = sari.score(
            sources=line["sources"], predictions=line["predictions"], references=line["references"]
        )
        assert scores["sari"] == pytest.approx(line["sari"], abs=1e-9), line
        for ours, theirs in (("add", "add"), ("keep", "keep"), ("delete", "del")):
            if theirs in line:
                assert scores[ours] == pytest.approx(line[theirs], abs=1e-9), line
