"""The readability level is what its definition says."""

import csv
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.project import PROJECT
from tests.strategies import sentence_texts
from textsimp import Readability
from textsimp.metrics.readability_level import WEIGHTS
from textsimp.text.sentences import get_splitter

pytest.importorskip("wordfreq", reason="needs the extra languages")
from tests.literal import readability_level as literal

ROWS = (PROJECT / "textsimp/metrics/readability_level.csv").read_text(encoding="utf-8").splitlines()
OF_LANGUAGE = {row["language"]: row for row in csv.DictReader(ROWS)}

WORDS = "The cat's don't DON'T feline xqzt 1990 3rd n't 's -lrb- well-known U.S. ."
SEQUENCES = st.lists(st.sampled_from(WORDS.split()), max_size=9)
TEXTS = st.one_of(sentence_texts, SEQUENCES.map(" ".join))


def score(metric=None, **columns):
    return (metric or Readability(cefr=True)).score(**columns, per_example=True)


@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_levels_equal_the_literal_definition(texts):
    split = get_splitter().sentences
    levels = [literal.level(text, split, OF_LANGUAGE["en"]) for text in texts]
    found = score(predictions=texts)
    assert found["level_per_example"] == pytest.approx([level or 0 for level in levels], abs=1e-9)
    defined = [level for level in levels if level is not None]
    mean = sum(defined) / len(defined) if defined else 0
    assert found["level"] == pytest.approx(mean, abs=1e-9)


def test_a_sentence_by_hand():
    """ln 2 is 0.693; the 7.73 and 1 syllable, feline 3.12 and 2; 9 letters; none is rare."""
    found = score(predictions=["The feline."])
    expected = -1.031 + 1.17 * 0.693147 + 0.004 * 2 + 0.44 * 1.5 + 0.176 * 4.5 - 0.123 * 5.425
    assert found["level"] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("language", WEIGHTS)
def test_a_long_sentence_of_rare_words_has_a_higher_level(language):
    pytest.importorskip("pyphen", reason="needs the extra languages")
    pairs = {
        "en": ("The dog sleeps.", "Epistemological scepticism permeates contemporary discourse."),
        "fr": ("Le chien dort.", "Le scepticisme épistémologique imprègne la modernité."),
        "ru": ("Собака спит.", "Эпистемологический скептицизм пронизывает современный дискурс."),
    }
    easy, hard = pairs[language]
    found = score(Readability(language=language, cefr=True), sources=[hard], predictions=[easy])
    assert found["level"] + 2 < found["source_level"]
    assert found["level_gain"] == found["source_level"] - found["level"]


def test_an_output_without_words_has_neither_level_nor_gain():
    found = score(
        sources=["The dog sleeps."] * 2,
        predictions=["...", "It sleeps."],
        references=[["It sleeps.", ""]] * 2,
    )
    assert found["level_per_example"] == [0, found["level"]]
    assert found["level_gain_per_example"] == [0, found["source_level"] - found["level"]]
    assert found["reference_level"] == found["level"]
    assert found["reference_level_gain"] == found["level_gain"]


def test_there_is_no_gain_without_sources():
    assert not any("level_gain" in name for name in score(predictions=["It sleeps."]))


def test_without_wordfreq_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(ImportError, match=r"pip install 'textsimp\[languages\]'"):
        Readability(cefr=True)
