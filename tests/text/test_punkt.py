"""Untrained Punkt without NLTK is NLTK's of 3.10.4, whichever is installed."""

from importlib.metadata import version

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktSentenceTokenizer

from textsimp.text.sentences import UntrainedPunkt

from ..strategies import texts

# Stops, what Punkt looks at around them, and characters on which regex engines disagree.
pieces = st.sampled_from(
    [
        *"abzABß019٣².?!.?!   \n\t\r\x0b\x0c,:;-\"'()[]{}é*@&#`_—",
        *"猫。！？।۔؟",
        *"\xa0\x1c\x85\u2028\u0301“”‘’«»ीǅ",
        *["..", ". . .", "--", " . ", " ! ", " ? ", "3.5", "-5.", ",5.", "1990.", "e.", "J."],
        *["word", "Word", "U.S.", "Mr.", "yes.”", "##number##."],
    ]
)
messy_texts = st.lists(pieces, max_size=30).map("".join)


split = UntrainedPunkt().split
old = [*map(int, version("nltk").split(".")[:3])] < [3, 10, 4]


@pytest.mark.skipif(old, reason="older versions know no curly quotes, and use another engine")
@given(st.one_of(messy_texts, texts))
def test_sentences_are_those_of_nltk(text):
    expected = [sentence for sentence in PunktSentenceTokenizer().tokenize(text) if sentence]
    assert split(text) == expected


def test_a_stop_before_a_curly_quote_ends_a_sentence():
    assert split("He said “yes.” She left.") == ["He said “yes.”", "She left."]


def test_marks_of_other_scripts_end_no_sentence():
    text = "猫坐。狗跑！谁？ वह गया। هل أنت هنا؟ 好。"
    assert split(text) == PunktSentenceTokenizer().tokenize(text) == [text]
