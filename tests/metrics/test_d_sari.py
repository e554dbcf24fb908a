"""D-SARI (Sun, Jin & Wan 2021)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.literal.d_sari import d_sari
from textsimp.metrics.d_sari import DSari
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import tokenize_13a

words = st.lists(st.sampled_from(["a", "A", "b", "ß", ".", "!", ",", ""]), max_size=12)
documents = words.map(" ".join)
count = get_splitter("simple-token").count


def score(source, output, *references, **options):
    options = {"splitter": "simple-token", "penalties": True, **options}
    metric = DSari.preset(**options)  # type: ignore[arg-type]
    return metric.score(sources=[source], predictions=[output], references=[list(references)])


@pytest.mark.parametrize(
    ("variant", "tokenize"),
    [("sun", lambda t: t.split(" ")), ("corrected", lambda t: tokenize_13a(t).split())],
    ids=["sun", "corrected"],
)
@given(documents, documents, st.lists(documents, min_size=1, max_size=4), st.booleans())
@example("a b c .", "", ["a ."], True)  # it keeps and adds nothing
@example("a b .", "", [""], True)  # no sentence
def test_a_variant_equals_its_equations(variant, tokenize, source, output, references, lowercase):
    expected = d_sari(
        *(source, output, references, tokenize, lambda t: int(count([t])[0])),
        corrected=variant == "corrected",
        lowercase=lowercase,
    )
    scores = score(source, output, *references, variant=variant, lowercase=lowercase)
    for name, value in expected.items():
        assert scores[name] == pytest.approx(value, abs=1e-9), name


def test_natural_and_tokenised_text_score_alike_when_corrected():
    natural = (
        "The cat, the old one, sat. It slept.",
        "The cat sat. It slept.",
        "A cat sat. It slept.",
    )
    tokenised = [text.replace(".", " .").replace(",", " ,") for text in natural]
    options = {"variant": "corrected", "splitter": "punkt-untrained"}
    assert score(*natural, **options) == score(*tokenised, **options)
