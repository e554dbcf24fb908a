"""Untrained Punkt without NLTK is NLTK's, of the installed version."""

from importlib.metadata import version

from hypothesis import given
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktSentenceTokenizer

from textsimp.text.punkt import Untrained

from ..strategies import texts

# Stops, what Punkt looks at around them, and characters on which regex engines disagree.
pieces = st.sampled_from(
    [
        *"abzABß019٣².?!.?!   \n\t\r\x0b\x0c,:;-\"'()[]{}é*@&#`_—",
        *"\xa0\x1c\x85\u2028\u0301“”‘’«»ीǅ",
        *["..", ". . .", "--", " . ", " ! ", " ? ", "3.5", "-5.", ",5.", "1990.", "e.", "J."],
        *["word", "Word", "U.S.", "Mr.", "yes.”", "##number##."],
    ]
)
messy_texts = st.lists(pieces, max_size=30).map("".join)


@given(st.one_of(messy_texts, texts))
def test_sentences_are_those_of_nltk(text):
    expected = [sentence for sentence in PunktSentenceTokenizer().tokenize(text) if sentence]
    assert Untrained(version("nltk")).split(text) == expected


def test_a_stop_before_a_curly_quote_ends_a_sentence_since_3_10_2():
    text = "He said “yes.” She left."
    assert Untrained("3.10.1").split(text) == [text]
    assert Untrained("3.10.2").split(text) == ["He said “yes.”", "She left."]
