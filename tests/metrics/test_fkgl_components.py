"""FKGL and its components (Tanprasert & Kauchak 2021)."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import textsimp
from tests.literal import fkgl as literal
from tests.strategies import sentence_texts
from textsimp.metrics.fkgl_components import RATIOS, SUMS, FkglComponents
from textsimp.text.sentences import get_splitter

corpora = st.lists(sentence_texts, min_size=1, max_size=5)


def score(variant="default", *, predictions, **options):
    return FkglComponents(variant, **options).score(predictions=predictions)


def components(scores):
    return {name: scores[name] for name in (*RATIOS, *SUMS)}


# Presets, against the programs they stand for --------------------------------------------------


@pytest.mark.parametrize("variant", ["default", "easse", "textstat"])
@given(corpora)
@example(["", "   ", "...", "\n", "-lrb- -rrb-", "'s"])
@example(["just some words"])
@example(["The cat sat on the mat. It was a very old animal."])  # it rounds
def test_a_variant_equals_its_program_on_all_lines_as_one_text(variant, lines):
    if variant == "textstat":
        pyphen = pytest.importorskip("pyphen", reason="needs the extra languages")
        expected = literal.textstat(lines, pyphen.Pyphen(lang="en_US").positions)
    else:
        expected = getattr(literal, variant)(lines, get_splitter().sentences)
    assert components(score(variant, predictions=lines)) == pytest.approx(expected, abs=1e-9)


@given(corpora, st.none() | st.integers(1, 40))
@example([" ", "\n"], None)
@example(["just some words"], None)
def test_paper_equals_the_script_on_all_lines_as_one_text(lines, sentences):
    expected = literal.paper(lines, sentences)
    scores = score("paper", predictions=lines, sentences=sentences)
    assert components(scores) == pytest.approx(expected, abs=1e-9)
    if sentences:
        assert scores["words_per_sentence"] == expected["words"] / sentences


@pytest.mark.filterwarnings("ignore:.*other versions")
def test_the_signature_of_textstat_names_its_version():
    metric = FkglComponents("textstat")
    signature = metric.signature()
    assert signature.startswith("fkgl_components|variant:textstat-0.7.4|splitter:textstat|")
    for written in (signature, signature.replace("-0.7.4|", "|")):  # the old one, too
        assert textsimp.metric(written) == metric


# Sums -------------------------------------------------------------------------------------------


def test_a_splitter_that_finds_no_sentence_gives_one():
    scores = score(predictions=["Just some words."], splitter=lambda text: [])
    assert (scores["sentences"], scores["words_per_sentence"]) == (1, 3)


def test_words_per_sentence_that_are_an_integer_are_not_cut_down():
    """6 texts share 7 sentences: 7/6 each, whose sum is above 7 by a rounding error."""
    scores = score("paper", predictions=["Cats"] * 4 + ["Cats sat"] * 2, sentences=7)
    assert (scores["words"], scores["sentences"]) == (14, 7)  # line breaks are words of the script
    assert scores["fkgl"] == pytest.approx(0.39 * 2 + 11.8 * 8 / 14 - 15.59)  # not 0.39 * 1


def test_words_per_sentence_just_below_an_integer_are_cut_down():
    scores = score("paper", predictions=[" ".join(["cats"] * 2998)], sentences=1000)
    assert scores["words_per_sentence"] == 2.999
    assert scores["fkgl"] == pytest.approx(0.39 * 2 + 11.8 * 2998 / 2999 - 15.59)


# Options ----------------------------------------------------------------------------------------


def test_other_languages_by_hyphenation():
    scores = score(predictions=["Die Katze schläft im Garten."], syllables="pyphen-de")
    assert scores["syllables"] == 7
    assert "|syll:pyphen-de|" in scores["signature"]
