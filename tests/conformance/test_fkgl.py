"""FKGL of texts as they are written and tokenized; EASSE's is in test_easse.py."""

import pytest

from textsimp.metrics.fkgl_components import FkglComponents


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
