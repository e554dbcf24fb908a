"""Scores of the reference implementations, as papers print them, are those of their variants."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from textsimp.core.examples import ONE, Examples
from textsimp.core.metric import Metric
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.sari import Sari
from textsimp.scoring import explanation
from textsimp.scoring.explanation import Configuration, explain
from textsimp.text.memory import remembering

SARI: dict[str, dict[str, Any]] = {  # a golden's variant → how it is said here
    "easse": {},
    "easse_delp": {"delete": "precision"},
    "easse_paper": {"variant": "easse_paper"},
    "easse_paper_delp": {"variant": "easse_paper", "delete": "precision"},
    "easse_legacy": {"variant": "easse_legacy"},
    "easse_legacy_delp": {"variant": "easse_legacy", "delete": "precision"},
    "easse_none": {"tokenizer": "none"},
    "easse_none_nolc": {"tokenizer": "none", "lowercase": False},
    "xu_sentence": {"variant": "xu", "tokenizer": "13a"},
    "xu_sentence_13a": {"variant": "xu", "tokenizer": "13a"},
    "huggingface": {"variant": "huggingface"},
}
BLEU: dict[str, dict[str, Any]] = {
    "easse_lctrue": {},
    "easse_lcfalse": {"variant": "sacrebleu"},
    "sacrebleu_13a_lctrue": {},
    "sacrebleu_13a_lcfalse": {"variant": "sacrebleu"},
    "sacrebleu_none": {"variant": "sacrebleu", "tokenizer": "none"},
}


SAMPLE = {
    "asset_test": "ACCESS",
    "turkcorpus_test": "identity",
    "turkcorpus_test_legacy": "Dress-Ls",
}


def same(configuration: Configuration, options: dict[str, Any]) -> bool:
    """Whether a configuration has these options and all references, under any variant."""
    meant = type(configuration.metric).preset(**options)
    names = meant.option_names()
    alike = all(getattr(configuration.metric, name) == getattr(meant, name) for name in names)
    return alike and configuration.reference is None


def rounds_to(value: float, printed: str, configuration: Configuration) -> bool:
    readings = explanation.parse_score(printed, configuration.metric.scores[0])
    return any(abs(value - number) <= half + 1e-9 for number, half, _ in readings)


@pytest.fixture(scope="module")
def values(corpus: Any, lines: Any) -> Any:
    """``values(Sari, "asset_test")`` → (score, configuration) of all with all references."""

    @cache
    def compute(cls: type[Metric], dataset: str) -> list[tuple[float, Configuration]]:
        examples = texts(corpus, lines, dataset, SAMPLE[dataset])
        configurations = [
            f for f in explanation.make_configurations(cls, examples, {}) if f.reference is None
        ]
        key = cls.scores[0].key
        with remembering():
            return [*explanation.compute_scores(configurations, examples, key, {})]

    return compute


def texts(corpus: Any, lines: Any, dataset: str, system: str) -> Examples:
    sources, references = corpus(dataset)
    path = f"{dataset}/systems/{system}.txt"
    predictions = sources if system == "identity" else lines(path)
    shared = {"sources": sources, "references": references}
    return Examples(shared, {ONE: {"predictions": predictions}})


@pytest.mark.parametrize(("cls", "known"), [(Sari, SARI), (Bleu, BLEU)])
@pytest.mark.parametrize("dataset", SAMPLE)
def test_a_score_of_a_reference_implementation_is_that_of_its_variant(
    goldens: Any, values: Any, cls: Any, known: dict[str, Any], dataset: str
) -> None:
    compared = 0
    for line in goldens(cls.name):
        if (line["dataset"], line["system"]) != (dataset, SAMPLE[dataset]):
            continue
        if line["variant"] == "xu_modified":  # a script of unclear standing, left out
            continue
        options = known[line["variant"]]
        if line["variant"] == "xu_sentence" and dataset == "turkcorpus_test_legacy":
            options = {"variant": "xu"}  # of the text as it is stored
        printed = f"{line[cls.name]:.2f}"
        assert any(
            same(configuration, options) and rounds_to(value, printed, configuration)
            for value, configuration in values(cls, dataset)
        ), line
        compared += 1
    assert compared >= 4


def test_the_simplest_explanation_of_the_published_score_of_access_is_easse(values: Any) -> None:
    found = [
        configuration
        for value, configuration in values(Sari, "asset_test")
        if rounds_to(value, "40.13", configuration)
    ]
    assert str(min(found, key=lambda configuration: configuration.simplicity)) == "the default"


@pytest.mark.parametrize("article", range(4))
def test_table_6_of_the_d_sari_paper_is_explained_by_its_variant(
    goldens: Any, article: int
) -> None:
    line = [
        line
        for line in goldens("d_sari")
        if (line["kind"], line["splitter"]) == ("table6", "nltk-punkt-untrained")
    ][article]
    found = explain(
        f"{line['published'][4]:.2f}",
        sources=[line["source"]],
        predictions=[line["output"]],
        references=[line["references"]],
        metrics="d_sari",
    )
    assert any(
        same(configuration, {})
        for match in found.matches
        for configuration in (match.configuration, *match.also)
    )


@pytest.mark.parametrize("i", range(6))
def test_fkgl_is_explained_by_its_splitter(goldens: Any, lines: Any, i: int) -> None:
    line = goldens("fkgl")[i]
    splitter = line["splitter"].removesuffix("-0.3.4")
    if splitter == "pysbd":
        pytest.importorskip("pysbd", reason="needs the extra languages")
    kind, _, reference = line["text"].partition(" ")
    name = "source" if kind == "orig" else f"references/{reference}"
    found = explain(
        f"{line['fkgl']:.2f}",
        predictions=lines(f"{line['dataset']}/{name}.txt"),
        metrics="fkgl_components",
    )
    options = {"variant": "easse", "splitter": splitter}
    assert any(
        same(configuration, options)
        for match in found.matches
        for configuration in (match.configuration, *match.also)
    )
