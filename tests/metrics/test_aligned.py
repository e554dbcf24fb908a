"""Level aligned of every metric of sentences."""

from __future__ import annotations

import itertools
import pickle
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import textsimp
from tests.literal import aligned as literal
from textsimp import Bleu, F1Token, InputError, Sari, SimplificationStats
from textsimp.metric import Metric
from textsimp.metrics import aligned
from textsimp.prepared import PreparedSides

VARIANTS = ("easse", "easse_paper", "xu", "huggingface", "joshua")
PUBLISHED = {
    "links": "all",
    "monotone": False,
    "group_weights": "equal",
    "repetition": "ignored",
}
METRICS: list[Metric] = [
    *(Sari(variant, per_order=True) for variant in VARIANTS),
    Sari(orders="existing", delete="precision"),
    Bleu(),
    Bleu("sacrebleu"),
    F1Token(),
]


def by_line(text: str) -> list[str]:
    return text.split("\n")


def one_to_one(source: list[str], target: list[str]) -> list[tuple[int, int]]:
    return [(i, i) for i in range(min(len(source), len(target)))]


def document(*sentences: str) -> str:
    return "\n".join(sentences)


_SENTENCES = st.lists(
    st.lists(st.sampled_from("ab cd ef gh Ab . ij".split()), max_size=4).map(" ".join), max_size=4
)
DOCUMENTS = _SENTENCES.map("\n".join)


@st.composite
def columns(draw: st.DrawFn, most: int = 3) -> dict[str, list[Any]]:
    n = draw(st.integers(1, 2))
    texts = st.lists(DOCUMENTS, min_size=n, max_size=n)
    return {
        "sources": draw(texts),
        "predictions": draw(texts),
        "references": [draw(st.lists(DOCUMENTS, min_size=1, max_size=most)) for _ in range(n)],
    }


OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "threshold": st.sampled_from([0.05, 0.3, 0.6, 1]),
        "links": st.sampled_from(["best", "mutual", "all"]),
        "monotone": st.booleans(),
        "group_weights": st.sampled_from(["words", "equal"]),
        "repetition": st.sampled_from(["penalised", "ignored"]),
    },
)


def of_example(metric: Metric) -> Callable[[str, str, str], literal.Scores]:
    """The metric's own scores of one example."""

    def score(source: str, output: str, reference: str) -> literal.Scores:
        found = metric.score(
            sources=[source], predictions=[output], references=[[reference]], per_example=True
        )
        return {
            name.removesuffix("_per_example"): [*np.ravel(values[0])]
            for name, values in found.to_dict().items()
            if name.endswith("_per_example")
        }

    return score


def in_documents(metric: Metric, **options: Any) -> Metric:
    return replace(metric, level="aligned", splitter=by_line, **options)


def per_document(metric: Metric, **columns: Any) -> list[literal.Scores]:
    found = metric.score(**columns, per_example=True)
    names = [name for name in found.to_dict() if name.endswith("_per_example")]
    return [
        {name.removesuffix("_per_example"): [*np.ravel(found[name][i])] for name in names}
        for i in range(len(columns["predictions"]))
    ]


def judging(metric: Metric) -> set[str]:
    return {score.key for score in metric.scores if score.better}


def candidates(metric: Metric, row: Any, **options: Any) -> list[literal.Scores]:
    """What a document may score, where links or references are a tie."""
    source, output, references = row
    of_references = [
        literal.document(
            source,
            output,
            reference,
            score=of_example(metric),
            split=lambda text: [s.strip() for s in by_line(text) if s.strip()],
            judging=judging(metric),
            **options,
        )
        for reference in references
    ]
    main = metric.scores[0].key
    return [
        one for tried in itertools.product(*of_references) for one in literal.best([*tried], main)
    ]


def rows(columns: dict[str, list[Any]]) -> list[tuple[Any, ...]]:
    return [
        *zip(*(columns[name] for name in ("sources", "predictions", "references")), strict=True)
    ]


def alike(one: literal.Scores, other: literal.Scores) -> bool:
    assert one.keys() == other.keys()
    return all(np.allclose(one[name], other[name], rtol=0, atol=1e-9) for name in one)


# The definition


@pytest.mark.parametrize("metric", METRICS, ids=lambda m: f"{m.name}-{m.variant}")
@settings(max_examples=30)
@given(columns=columns(), options=OPTIONS)
def test_a_document_scores_as_it_is_defined(
    metric: Metric, columns: dict[str, list[Any]], options: dict[str, Any]
) -> None:
    found = per_document(in_documents(metric, **options), **columns)
    for row, scores in zip(rows(columns), found, strict=True):
        expected = candidates(metric, row, **options)
        assert any(alike(scores, one) for one in expected), (scores, expected)


@settings(max_examples=30)
@given(columns=columns(), options=OPTIONS.filter(lambda o: not {"threshold", "links"} & {*o}))
def test_a_function_may_align(columns: dict[str, list[Any]], options: dict[str, Any]) -> None:
    def align(source: list[str], target: list[str]) -> literal.Pairs:
        return dict.fromkeys(one_to_one(source, target), 1.0)

    found = per_document(in_documents(F1Token(), aligner=one_to_one, **options), **columns)
    for row, scores in zip(rows(columns), found, strict=True):
        expected = candidates(F1Token(), row, align=align, **options)
        assert any(alike(scores, one) for one in expected)
