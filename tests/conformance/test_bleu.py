"""BLEU against sacrebleu's and EASSE's outputs, to 1e-9."""

from __future__ import annotations

from typing import Any

import pytest

from textsimp.core.examples import ONE, Examples
from textsimp.metrics.bleu import Bleu


def test_scores_and_precisions_equal_sacrebleu(goldens: Any, corpus: Any, lines: Any) -> None:
    compared = 0
    prepared: dict[tuple[Bleu, str], Any] = {}
    for line in goldens("bleu"):
        sources, references = corpus(line["dataset"])
        path = f"{line['dataset']}/systems/{line['system']}.txt"
        predictions = sources if line["system"] == "identity" else lines(path)
        metric = Bleu.preset(
            "easse" if line["variant"].endswith("lctrue") else "sacrebleu",
            tokenizer="none" if line["variant"] == "sacrebleu_none" else "13a",
        )
        key = (metric, line["dataset"])
        prepared[key] = prepared.get(key) or metric.prepare(None, references)
        statistics = metric.statistics(prepared[key], predictions)
        examples = Examples({"references": references}, {ONE: {"predictions": predictions}})
        scores = metric.score_statistics(statistics, examples)
        assert scores["bleu"] == pytest.approx(line["bleu"], abs=1e-9), line
        if "precisions" in line:
            assert scores["precisions"] == pytest.approx(line["precisions"], abs=1e-9), line
            assert scores["brevity_penalty"] == pytest.approx(line["bp"], abs=1e-9), line
            lengths = [line["sys_len"], line["ref_len"]]
            assert statistics[:, :2].sum(axis=0).tolist() == lengths, line
        compared += 1
    assert compared == 65
