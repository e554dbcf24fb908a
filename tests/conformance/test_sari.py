"""SARI against the reference implementations, to 1e-9."""

import pytest

from textsimp.core.metric import COLUMNS
from textsimp.metrics.sari import Sari

from .variants import sari_options

NAMES = {"sari": "sari", "add": "add", "keep": "keep", "delete": "del"}


def lines_of(goldens, name):
    """Lines of goldens, each with the metric that is meant, if it is one of known standing."""
    options = [(line, sari_options(line)) for line in goldens(name)]
    return [(line, Sari.preset(**of, per_order=True)) for line, of in options if of is not None]


def test_corpus_scores_equal_the_reference_implementations(goldens, columns):
    rows = lines_of(goldens, "sari")
    assert len(rows) == 115
    for line, sari in rows:
        scores = sari.score(**columns(line["dataset"], line["system"]))
        for ours, theirs in NAMES.items():
            assert scores[ours] == pytest.approx(line[theirs], abs=1e-9), line


def test_scores_of_each_order_equal_the_reference_implementations(goldens, columns):
    for line, sari in lines_of(goldens, "sari_ngrams"):
        scores = sari.score(**columns(line["dataset"], line["system"]))
        assert scores["add_f1"] == pytest.approx(line["add_f1"], abs=1e-9), line
        assert scores["keep_f1"] == pytest.approx(line["keep_f1"], abs=1e-9), line
        assert scores["delete_precision"] == pytest.approx(line["del_p"], abs=1e-9), line


def test_sentence_scores_equal_the_reference_implementations(goldens, columns):
    for line, sari in lines_of(goldens, "sari_sentences"):
        table, i = columns(line["dataset"], line["system"]), line["i"]
        scores = sari.score(**{name: column[i : i + 1] for name, column in table.items()})
        assert scores["sari"] == pytest.approx(line["sari"], abs=1e-9), line
        if "ngram_keep_del_add" in line:
            for order, (keep, delete, add) in enumerate(line["ngram_keep_del_add"]):
                assert scores["keep_f1"][order] == pytest.approx(keep, abs=1e-9), line
                assert scores["delete_precision"][order] == pytest.approx(delete, abs=1e-9), line
                assert scores["add_f1"][order] == pytest.approx(add, abs=1e-9), line


def test_odd_small_cases_equal_the_reference_implementations(goldens):
    for line, sari in lines_of(goldens, "sari_toy"):
        scores = sari.score(**{name: line[name] for name in COLUMNS})
        for ours, theirs in NAMES.items():
            if theirs in line:
                assert scores[ours] == pytest.approx(line[theirs], abs=1e-9), line
