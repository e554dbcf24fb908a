"""FKGL against EASSE's, to 1e-9."""

import pytest

from textsimp.metrics.fkgl_components import FkglComponents


def test_fkgl_equals_the_reference_implementation(goldens, lines):
    compared = 0
    for line in goldens("fkgl"):
        splitter = line["splitter"]
        if splitter.startswith("pysbd"):
            pytest.importorskip("pysbd", reason="needs the extra languages")
            splitter = "pysbd"
        kind, _, i = line["text"].partition(" ")
        path = f"{line['dataset']}/{'source' if kind == 'orig' else f'references/{i}'}.txt"
        scores = FkglComponents.preset("easse", splitter=splitter).score(predictions=lines(path))
        assert scores["fkgl"] == pytest.approx(line["fkgl"], abs=1e-9), line
        compared += 1
    assert compared == 6


def test_tokenized_and_natural_text_score_nearly_the_same(lines):
    """The sources of TurkCorpus exist as both; by tokens with a letter they differ by 0.3."""
    metric = FkglComponents.preset()
    natural, tokenized = (
        metric.score(predictions=lines(f"{name}/source.txt"))
        for name in ("turkcorpus_test", "turkcorpus_test_legacy")
    )
    assert natural["sentences"] == tokenized["sentences"]
    assert natural["syllables"] == tokenized["syllables"]
    assert natural["fkgl"] == pytest.approx(tokenized["fkgl"], abs=0.02)
