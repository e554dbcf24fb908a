"""Parts of speech are those of TextBlob's lexicon, of short lists, or of a user's function."""

import pytest

from textsimp import InputError, name_function
from textsimp.text.parts_of_speech import get_parts, has_content, word_class


def test_words_have_their_usual_part_of_speech_whatever_their_form():
    words = ["house", "Houses", "bought", "buy", "quickly", "bigger"]
    assert get_parts().of(words) == ["NN", "NN", "VB", "VB", "RB", "JJ"]


def test_a_word_that_the_lexicon_lacks_is_told_by_its_ending():
    assert get_parts().of(["blorfing", "blorfly", "blorf"]) == ["VB", "RB", "NN"]


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("The", "determiner"),
        ("of", "preposition"),
        ("'s", "auxiliary"),
        ("...", "punctuation"),
        ("", "punctuation"),
        ("1,000", "number"),
        ("3rd", "number"),
        ("house", "open"),
        ("猫", "open"),
    ],
)
def test_closed_classes_numbers_and_punctuation_need_no_lexicon(word, expected):
    assert word_class(word) == expected
    assert get_parts("none").of([word]) == [expected]
    assert has_content(word) is (expected in ("open", "number"))


def test_a_function_has_its_own():
    def tagged(words):
        return ["X"] * len(words)

    parts = get_parts(tagged)
    assert (parts.name, parts.distinct, parts.of(["a", "b"])) == ("custom-tagged", True, ["X", "X"])


@pytest.mark.parametrize("found", [["X"], ["X", "Y", "Z"], "XY", None, [1, 2]])
def test_a_function_that_returns_other_than_a_string_per_word_is_told_so(found):
    with pytest.raises(InputError):
        get_parts(name_function(lambda words: found, "odd")).of(["a", "b"])
