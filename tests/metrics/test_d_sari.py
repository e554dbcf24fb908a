"""D-SARI (Sun, Jin & Wan 2021)."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal.d_sari import d_sari
from textsimp.metrics.d_sari import DSari
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import tokenize_13a

words = st.lists(st.sampled_from(["a", "A", "b", "ß", ".", "!", ",", ""]), max_size=12)
documents = words.map(" ".join)
count = get_splitter("simple-token").count


def score(source: str, output: str, *references: str, **options: object) -> dict[str, float]:
    options = {"splitter": "simple-token", "penalties": True, **options}
    metric = DSari.preset(**options)  # type: ignore[arg-type]
    return metric.score(sources=[source], predictions=[output], references=[list(references)])


@given(documents, documents, st.lists(documents, min_size=1, max_size=4), st.booleans())
def test_the_published_variant_equals_the_equations(
    source: str, output: str, references: list[str], lowercase: bool
) -> None:
    expected = d_sari(
        source,
        output,
        references,
        lambda t: t.split(" "),
        lambda t: int(count([t])[0]),
        corrected=False,
        lowercase=lowercase,
    )
    scores = score(source, output, *references, variant="sun", lowercase=lowercase)
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-9), name


@given(documents, documents, st.lists(documents, min_size=1, max_size=4))
def test_the_corrected_variant_equals_its_equations(
    source: str, output: str, references: list[str]
) -> None:
    expected = d_sari(
        source,
        output,
        references,
        lambda t: tokenize_13a(t).split(),
        lambda t: int(count([t])[0]),
        corrected=True,
    )
    scores = score(source, output, *references, variant="corrected")
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-9), name


def test_an_empty_output_keeps_and_adds_nothing() -> None:
    scores = score("a b c .", "", "a .", variant="corrected")
    assert (scores["d_keep"], scores["d_add"], scores["lp1"]) == (0, 0, 0)


def test_texts_without_sentences_differ_in_none() -> None:
    for variant in ("sun", "corrected"):
        scores = score("a b .", "", "", variant=variant)
        assert scores["slp"] == 1
        assert not any(math.isnan(value) for value in scores.values() if isinstance(value, float))


def test_a_few_words_too_many_cost_little_however_long_the_reference() -> None:
    source = " ".join(f"w{i}" for i in range(100))
    for length in (90, 98, 99, 100, 101, 120):
        reference = " ".join(f"w{i}" for i in range(length))
        assert score(source, f"{reference} x y z", reference, variant="corrected")["lp2"] > 0.95
    assert score(source, f"{reference} x y z", reference, variant="sun")["lp2"] < 0.05


def test_natural_and_tokenised_text_score_alike_when_corrected() -> None:
    natural = (
        "The cat, the old one, sat. It slept.",
        "The cat sat. It slept.",
        "A cat sat. It slept.",
    )
    tokenised = [text.replace(".", " .").replace(",", " ,") for text in natural]
    options = {"variant": "corrected", "splitter": "nltk-punkt-untrained"}
    assert score(*natural, **options) == score(*tokenised, **options)


def test_users_can_bring_a_splitter_and_the_signature_names_it() -> None:
    def semicolons(text: str) -> list[str]:
        return text.split(";")

    scores = score("a ; b ; c", "a ; b", "a", splitter=semicolons)
    assert "splitter:custom-semicolons" in str(scores["signature"])
    assert scores["slp"] == pytest.approx(math.exp(-1 / 2))
