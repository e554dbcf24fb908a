"""BLEU against sacrebleu's and EASSE's outputs, to 1e-9."""

import pytest

from textsimp.metrics.bleu import Bleu

from .variants import BLEU


def test_scores_and_precisions_equal_sacrebleu(goldens, columns):
    rows = goldens("bleu")
    assert len(rows) == 65
    for line in rows:
        metric = Bleu.preset(**BLEU[line["variant"]])
        measured = metric.measure(metric.check(**columns(line["dataset"], line["system"])))
        ((statistics, scores),) = zip(
            measured.systems.values(), measured.score().values(), strict=True
        )
        assert scores["bleu"] == pytest.approx(line["bleu"], abs=1e-9), line
        if "precisions" in line:
            assert scores["precisions"] == pytest.approx(line["precisions"], abs=1e-9), line
            assert scores["brevity_penalty"] == pytest.approx(line["bp"], abs=1e-9), line
            lengths = [line["sys_len"], line["ref_len"]]
            assert statistics[:, :2].sum(axis=0).tolist() == lengths, line
