"""Whatever the texts, SARI gives scores from 0 to 100 or says what is wrong with them."""

from __future__ import annotations

import itertools
import math
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.metrics.sari import Sari

every_preset = pytest.mark.parametrize("variant", Sari.presets)

characters = st.one_of(
    st.characters(exclude_categories=()),  # lone surrogates included
    st.sampled_from(" \n\u2028\x00\x1c.,-&<>ΣİςA1\ud800\udfff"),
)
texts = st.text(characters, max_size=12)
valid_texts = st.text(st.characters(), max_size=12)


@st.composite
def columns(draw: st.DrawFn, texts: st.SearchStrategy[str]) -> dict[str, list[Any]]:
    n = draw(st.integers(1, 3))
    column = st.lists(texts, min_size=n, max_size=n)
    references = st.lists(st.lists(texts, min_size=1, max_size=5), min_size=n, max_size=n)
    return {"sources": draw(column), "predictions": draw(column), "references": draw(references)}


def assert_sound(scores: dict[str, Any]) -> None:
    """Every number is one, from 0 to 100."""
    numbers = [score for name, score in scores.items() if name != "signature"]
    while numbers:
        number = numbers.pop()
        if isinstance(number, list):
            numbers.extend(number)
        else:
            assert type(number) is float
            assert math.isfinite(number)
            assert 0 <= number <= 100


def has_surrogates(columns: dict[str, list[Any]]) -> bool:
    texts = itertools.chain(columns["sources"], columns["predictions"], *columns["references"])
    return any("\ud800" <= character <= "\udfff" for text in texts for character in text)


@every_preset
@settings(max_examples=80)
@given(columns=st.one_of(columns(texts), columns(valid_texts)))
@example(columns={"sources": ["\u2028"], "predictions": ["\x00"], "references": [[""]]})
@example(columns={"sources": ["a"], "predictions": ["b"], "references": [["c"], ["\ud800"]][1:]})
def test_any_text_is_scored_unless_it_is_no_valid_unicode(
    variant: str, columns: dict[str, list[Any]]
) -> None:
    metric = Sari.preset(variant, per_order=True)
    options: dict[str, Any] = {"per_example": True, "confidence": 0.95, "resamples": 3}
    if has_surrogates(columns):
        with pytest.raises(InputError, match="expected valid Unicode, got a lone surrogate"):
            metric.score(**columns, **options)
    else:
        assert_sound(metric.score(**columns, **options))


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
def test_a_text_of_a_million_characters(variant: str, kind: str) -> None:
    text = LONG[kind]
    columns = {"sources": [text, ""], "predictions": ["ab", text], "references": [[text], ["c"]]}
    assert_sound(Sari.preset(variant).score(**columns))


@every_preset
def test_five_hundred_references(variant: str) -> None:
    columns = {
        "sources": ["a b c d e"] * 3,
        "predictions": ["a b d e", "", "f"],
        "references": [[f"a b {i % 7} e" for i in range(500)], ["f"], ["", "a b"]],
    }
    assert_sound(Sari.preset(variant, per_order=True).score(**columns, per_example=True))
