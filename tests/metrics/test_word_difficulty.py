"""Word difficulty is what its definition says."""

import string
import sys

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests import strategies
from textsimp.metrics.simplification_stats import word_ranks
from textsimp.metrics.word_difficulty import LEVELS, WordDifficulty, _level, _stop_words
from textsimp.text.tokenizers import tokenize_13a

wordfreq = pytest.importorskip("wordfreq", reason="needs the extra languages")
cefrpy = pytest.importorskip("cefrpy", reason="needs the extra languages")
from tests.literal import word_difficulty as literal  # noqa: E402

BANDS = ("zipf_6_up", "zipf_5_6", "zipf_4_5", "zipf_3_4", "zipf_2_3", "zipf_below_2")
SHARES = (*BANDS, "zipf_unknown")
OF_LEVELS = (*(f"cefr_{level.lower()}" for level in LEVELS), "cefr_unknown")

PIECES = (
    "The cat sat feline quay photosynthesis London xqzt café don't can’t dog's n't 's WON'T it's "
    "-lrb- -RRB- cats' well-known mother-in-law 1990s h2o 95 . , “the” of ’ U.S."
)
pieces = st.sampled_from(PIECES.split())
texts = st.one_of(st.lists(pieces, max_size=9).map(" ".join), strategies.texts)


def score(*predictions, **options):
    metric, given = WordDifficulty.configure(
        {"cefr": options.get("language", "en") == "en"} | options
    )
    return metric.score(predictions=[*predictions], **given)


# The definition -----------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de", "tr", "hi"])
@given(st.lists(texts, min_size=1, max_size=4))
@example(["", " ", "95 , . % 3.14", "-LRB- -rrb- -lsb-", "'s n't ’ve '"])  # without words
@example(["can't", "Won’t", "shan't", "cat-feline", "cat-xqzt", "cat xqztv"])
def test_scores_equal_the_literal_definition(language, column):
    found = score(*column, language=language, per_example=True)
    for i, text in enumerate(column):
        expected = literal.word_difficulty(tokenize_13a(text), language)
        for name in found.metric.score_names():
            value = found[f"{name}_per_example"][i]
            assert value == pytest.approx(expected.get(name, 0), abs=1e-9), (text, name)


def test_an_example_by_hand():
    """the 7.73, of 7.4, cat 4.78, feline 3.12: two of Zipf 6 and more, and so on."""
    found = score("The cat of the feline.")
    zipf = [7.73, 4.78, 7.4, 7.73, 3.12]
    assert found["mean_zipf"] == pytest.approx(sum(zipf) / 5)
    assert [found[name] for name in SHARES] == [0.6, 0, 0.2, 0.2, 0, 0, 0]
    assert [found[name] for name in OF_LEVELS] == [0.8, 0, 0, 0, 0, 0.2, 0]
    assert (found["words"], found["rare_share"]) == (5, 0)
    assert found["mean_cefr"] == (4 * 1 + 6) / 5


# Words --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("tokenized", "natural"),
    [
        ("the dog 's bone -lrb- old -rrb- .", "The dog's bone (old)."),
        ("they do n't ; it 's fine", "They don't; it’s fine"),
        ("we ca n't , wo n’t , Sha n't", "We can't, won’t, shan't"),
    ],
)
def test_a_text_scores_the_same_tokenized_and_detokenized(tokenized, natural):
    assert score(tokenized).to_dict() == score(natural).to_dict()


def test_accents_do_not_change_a_level():
    for text in ("café", "cafe\u0301", "Cafe"):
        assert score(text)["cefr_a1"] == 1


@example("phosphatidylethanolamines")
@example("Kommunikationsunternehmen")
@given(
    st.integers(1, 60).flatmap(
        lambda n: (
            st.text(string.ascii_letters, min_size=n, max_size=n)
            | st.sampled_from(string.ascii_letters).map(lambda letter: letter * n)
        )
    )
)
def test_words_of_any_length_have_a_level_if_the_list_has_them(word):
    levels = cefrpy.CEFRAnalyzer()
    of_this_length = levels.yield_words_with_length(len(word)) if len(word) <= 25 else ()
    assert (_level(word) > len(LEVELS)) == (word.lower() not in of_this_length)


def test_case_does_not_count():
    assert score("THE CAT SAT").to_dict() == score("the cat sat").to_dict()
    assert score("IŞIK", language="tr")["zipf_unknown"] == 0  # ışık; lower() makes işik of it


def test_content_words_are_those_beyond_the_100_most_frequent():
    found = score("The cat of the “THE” photosynthesis.", content_words=True)
    assert found["words"] == 2
    assert found["mean_zipf"] == pytest.approx((4.78 + 3.03) / 2)
    first = _stop_words("en")
    assert len(first) == 100
    assert not first & word_ranks("en").keys()  # as in lexical complexity


# Options ------------------------------------------------------------------------------------------


def test_it_can_be_told_of_without_its_extras(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    assert WordDifficulty().score_names(["sources"])[0] == "mean_zipf"
