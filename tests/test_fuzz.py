"""However long the texts and many the references, SARI gives scores from 0 to 100."""

import numpy as np
import pytest

from textsimp.metrics.sari import Sari

every_preset = pytest.mark.parametrize("variant", Sari.presets)


def assert_sound(scores):
    """Every number is one, from 0 to 100."""
    for name, score in scores.items():
        if name != "signature":
            assert np.isfinite(score).all()
            assert ((np.array(score) >= 0) & (np.array(score) <= 100)).all()


LONG = {
    "one word": "x" * 10**6,
    "words": "ab c " * 200_000,
    "different words": " ".join(map(str, range(150_000))),
    "punctuation": "a.,-&lt;" * 125_000,
    "lines": "word-\nword\n" * 90_000,
    "spaces": " " * 10**6,
}


@pytest.mark.parametrize("variant", ["easse", "xu"])
@pytest.mark.parametrize("kind", LONG)
def test_a_text_of_a_million_characters(variant, kind):
    text = LONG[kind]
    columns = {"sources": [text, ""], "predictions": ["ab", text], "references": [[text], ["c"]]}
    assert_sound(Sari.preset(variant).score(**columns))


@every_preset
def test_five_hundred_references(variant):
    columns = {
        "sources": ["a b c d e"] * 3,
        "predictions": ["a b d e", "", "f"],
        "references": [[f"a b {i % 7} e" for i in range(500)], ["f"], ["", "a b"]],
    }
    assert_sound(Sari.preset(variant, per_order=True).score(**columns, per_example=True))
