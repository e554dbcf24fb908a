"""BLEU against sacrebleu's and EASSE's outputs, to 1e-9."""

import pytest

from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.metrics.bleu import Bleu

from .variants import BLEU


def test_scores_and_precisions_equal_sacrebleu(goldens, columns):
    compared = 0
    prepared = {}
    for line in goldens("bleu"):
        _, predictions, references = columns(line["dataset"], line["system"]).values()
        metric = Bleu.preset(**BLEU[line["variant"]])
        key = (metric, line["dataset"])
        prepared[key] = prepared.get(key) or metric.prepare(None, references)
        statistics = metric.statistics(prepared[key], predictions)
        examples = Examples(
            {"references": references}, {UNNAMED_SYSTEM: {"predictions": predictions}}
        )
        scores = metric.measure(examples).score()[UNNAMED_SYSTEM]
        assert scores["bleu"] == pytest.approx(line["bleu"], abs=1e-9), line
        if "precisions" in line:
            assert scores["precisions"] == pytest.approx(line["precisions"], abs=1e-9), line
            assert scores["brevity_penalty"] == pytest.approx(line["bp"], abs=1e-9), line
            lengths = [line["sys_len"], line["ref_len"]]
            assert statistics[:, :2].sum(axis=0).tolist() == lengths, line
        compared += 1
    assert compared == 65
