"""Stems are those of NLTK's Porter stemmer."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from nltk.stem.porter import PorterStemmer

from textsimp.text import stems, syllables

theirs = PorterStemmer().stem

endings = st.sampled_from(
    [
        *("s", "es", "ies", "sses", "ed", "ied", "eed", "ing", "y", "e", "ll", "ion", "sion", "'s"),
        *stems._STEP_2,
        *stems._STEP_3,
        *stems._STEP_4,
        *("alli", "allialli", "logi", "ology", "bl", "at", "iz", "oo", "yy", "é", "1"),
    ]
)
beginnings = st.text("abcdeilnostvwxyz", max_size=6)
words = st.tuples(beginnings, st.lists(endings, max_size=3)).map(lambda x: x[0] + "".join(x[1]))


@given(words)
@example("Hopping")
@example("yyyyed")
def test_stems_are_nltks(word):
    assert stems.stem(word) == theirs(word)


def test_stems_of_a_dictionary_are_nltks():
    _, dictionary = syllables._english()
    forms = [word + ending for word in dictionary for ending in ("", "s", "ed", "ing", "ly")]
    assert {w: stems.stem(w) for w in forms} == {w: theirs(w) for w in forms}


@pytest.mark.parametrize("word", [*stems._IRREGULAR, "died", "ties", "feed", "sing", "roll", "by"])
def test_irregular_and_short_words_are_nltks(word):
    assert stems.stem(word) == theirs(word)
