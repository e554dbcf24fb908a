"""Arguments of the wrong kind: every public function says so by an `InputError` of one line."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st

import textsimp
from textsimp import InputError, documents, hub, report, splits
from textsimp.audits import audit_gaming
from textsimp.corpora import testsets
from textsimp.documents import words
from textsimp.metrics.sari import Sari
from textsimp.trainer import make_compute_metrics

SOURCES = ["A feline sat on it.", "It rained a lot.", "He left.", "She is here now."]
TARGETS = ["A cat sat.", "It rained.", "He left.", "She is here."]
REFERENCES = [list(row) for row in zip(TARGETS, SOURCES, strict=True)]
COLUMNS = {"sources": SOURCES, "references": REFERENCES}
SYSTEMS = {"copy": SOURCES, "ours": TARGETS}
ROWS = {"source": SOURCES, "target": TARGETS, "n": [1, 2, 3, 4]}
CORPUS = DatasetDict(train=Dataset.from_dict(ROWS), test=Dataset.from_dict(ROWS))
SAMPLING = {"confidence": 0.9, "resamples": 2, "seed": 0}
PAIRS = {"source": "source", "target": "target", "edits": "paper"}


class Tokenizer:
    """As much of one as is looked at before the first evaluation."""

    pad_token_id = 0


# Every function with arguments that it takes; one of them at a time is replaced.
FUNCTIONS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "compare": (
        textsimp.compare,
        {
            **COLUMNS,
            **SAMPLING,
            "systems": SYSTEMS,
            "metric": "sari",
            "baseline": "ours",
            "per_example": True,
            "variant": "xu",
        },
    ),
    "compare by several metrics": (
        textsimp.compare,
        {**COLUMNS, "systems": SYSTEMS, "metric": {"sari": {"weight": 8}, "bleu": {}}},
    ),
    "score": (
        Sari.preset().score,
        {**COLUMNS, **SAMPLING, "predictions": TARGETS, "per_example": True},
    ),
    "load": (textsimp.load, {"name": "sari", "weight": 8}),
    "path": (hub.path, {"name": "sari"}),
    "report": (
        report.html,
        {
            **COLUMNS,
            **SAMPLING,
            "systems": SYSTEMS,
            "metrics": ["sari"],
            "title": "a title",
            "description": "a test set",
            "date": "June",
            "examples": 1,
        },
    ),
    "audit": (
        audit_gaming,
        {
            **COLUMNS,
            "predictions": TARGETS,
            "modifications": ["random-the"],
            "shares": [0.5],
            "repeats": 2,
            "seed": 0,
            "confidence": 0.9,
            "metrics": ["fkgl_components", "sari"],
        },
    ),
    "test set": (testsets.load, {"name": "a", "data_dir": "b"}),
    "compute_metrics": (
        make_compute_metrics,
        {
            **COLUMNS,
            "tokenizer": Tokenizer(),
            "metrics": ["sari"],
            "prefix": "a",
            "source_prefix": "b",
            "variant": "xu",
        },
    ),
    "annotate_edits": (splits.annotate_edits, {**PAIRS, "data": CORPUS, "num_proc": None}),
    "annotate_words": (
        words.annotate_words,
        {"data": CORPUS, "source": "source", "prediction": "target", "num_proc": None},
    ),
    "align words": (
        words.align,
        {
            "sources": SOURCES,
            "predictions": TARGETS,
            "variant": "easse",
            "aligner": "lexical",
            "parts": "none",
            "gap": 1,
        },
    ),
    "labels of words": (
        words.labels,
        {"source_words": ["a"], "prediction_words": ["a"], "pairs": [(0, 0)]},
    ),
    "balanced_split": (
        splits.balanced_split,
        {
            **PAIRS,
            "dataset_dict": CORPUS,
            "method": "local_search",
            "variant": "rates",
            "iterations": 5,
            "columns": ["n"],
            "seed": 0,
        },
    ),
    "balance": (
        splits.balance,
        {
            "counts": np.array([[1, 2], [3, 4], [5, 6]]),
            "sizes": [1, 2],
            "method": "local_search",
            "variant": "rates",
            "iterations": 5,
            "seed": 0,
        },
    ),
    "monte_carlo_draw": (splits.monte_carlo_draw, {"sizes": [2, 1], "seed": 0, "number": 1}),
    "divergence": (
        splits.divergence,
        {
            **PAIRS,
            "dataset_dict": CORPUS,
            "column": "n",
            "variant": "shared",
            "bins": 3,
            "smoothing": 0.5,
            "permutations": 3,
            "seed": 0,
        },
    ),
    "drop_poor_alignments": (
        splits.drop_poor_alignments,
        {
            **PAIRS,
            "data": CORPUS,
            "fraction": 0.3,
            "mode": "distinct",
            "ties": "first",
            "duplicates": "keep",
            "variant": "exact",
            "by": "n",
            "seed": 0,
        },
    ),
    "edit_columns": (splits.edit_columns, {**PAIRS, "batch": ROWS}),
    "random_split": (
        splits.random_split,
        {
            "dataset_dict": CORPUS,
            "seed": 1,
            "variant": "numpy",
            "sizes": [0.75, 0.25],
            "together": "n",
        },
    ),
    "stability": (
        splits.stability,
        {
            **PAIRS,
            "dataset_dict": CORPUS,
            "seeds": [1],
            "column": "n",
            "variant": "paper",
            "divergence_variant": "shared",
            "permutations": 2,
        },
    ),
    "corpus_statistics": (
        documents.corpus_statistics,
        {"data": SOURCES, "targets": TARGETS, "tokenizer": "13a", "splitter": "pysbd"},
    ),
    "odds_ratio": (
        documents.odds_ratio,
        {"data": SOURCES, "targets": TARGETS, "words": "it", "tokenizer": "13a"},
    ),
    "drop_long": (documents.drop_long, {"data": SOURCES, "targets": TARGETS, "max_words": 5}),
    "align_sentences": (
        documents.align_sentences,
        {"source_sentences": SOURCES, "target_sentences": TARGETS, "threshold": 0.2},
    ),
    "align_documents": (
        documents.align_documents,
        {"sources": SOURCES, "targets": TARGETS, "aligner": "lexical", "splitter": "pysbd"},
    ),
    "annotate_alignment": (
        documents.annotate_alignment,
        {"data": CORPUS["train"], "source": "source", "threshold": 0.2, "num_proc": None},
    ),
}

texts = st.one_of(st.text(max_size=3), st.sampled_from(["sari", "a\nb", "\x1b[31m", "\ud800"]))
plain = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-2, 3),
    st.floats(),
    st.complex_numbers(),
    texts,
    st.binary(max_size=2),
)
values = st.one_of(
    st.recursive(
        plain,
        lambda inner: st.one_of(
            st.lists(inner, max_size=2),
            st.tuples(inner),
            st.dictionaries(texts, inner, max_size=2),
            st.dictionaries(st.integers(0, 1), inner, max_size=1),
        ),
        max_leaves=4,
    ),
    st.frozensets(texts, max_size=2),
    st.builds(object),
    st.builds(lambda rows: (row for row in rows), st.lists(texts, max_size=2)),
    st.builds(np.array, st.lists(st.floats(), max_size=3)),
    st.sampled_from([np.array(3), np.float64(0.5), Path("a"), DatasetDict(), CORPUS["train"]]),
)


def told(called: str, /, **replaced: Any) -> str:
    """The message of the `InputError` that a function ends with, or nothing."""
    function, arguments = FUNCTIONS[called]
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            function(**{**arguments, **replaced})
    except InputError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("name", FUNCTIONS)
@settings(max_examples=100)
@given(data=st.data())
def test_arguments_of_any_kind_are_taken_or_refused(name: str, data: st.DataObject) -> None:
    argument = data.draw(st.sampled_from(list(FUNCTIONS[name][1])))
    assert told(name, **{argument: data.draw(values)}).isprintable()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_the_arguments_that_are_replaced_were_right(name: str) -> None:
    assert told(name) == ("b/a: no such folder" if name == "test set" else "")


def test_a_message_is_one_line_whatever_it_quotes() -> None:
    error = InputError("no such file: a\nb\x1b[2J\u2028\ud800 ü")
    assert str(error) == r"no such file: a\nb\x1b[2J\u2028\ud800 ü"
    assert str(InputError(str(error))) == str(error)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"systems": [SOURCES, TARGETS]}, "systems: expected a mapping from names to predictions"),
        ({"systems": {"a": SOURCES, 3: TARGETS}}, "systems: expected names, got 3"),
        ({"baseline": 3}, "baseline: expected one of copy, ours, got 3"),
        ({"baseline": []}, "baseline: expected one of copy, ours, got []"),
        ({"metric": []}, "metric: expected a list of names, or a mapping"),
        ({"metric": [3]}, "unknown metric 3: expected one of sari"),
        ({"metric": {"sari": 3}}, "metric: expected a mapping of sari's options, got 3"),
        ({"metric": {"sari": {3: 4}}}, "metric: expected a mapping of sari's options, got {3: 4}"),
        ({"metric": {"sari": {"seed": 4}}}, "unknown option 'seed' of sari: expected one of"),
        ({"metric": ["sari"], "weight": 8}, "weight: options are given with the one metric's name"),
        ({"confidence": None}, "confidence: expected a number between 0 and 1, got None"),
        ({"per_example": "no"}, "per_example: expected True or False, got 'no'"),
    ],
)
def test_compare_says_what_it_expects(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        textsimp.compare(**{"systems": SYSTEMS, **COLUMNS, **arguments})
    assert str(error.value).startswith(message)
