"""The example that puts a masked language model's guesses into outputs, with models made up."""

from tests.given import load_file
from tests.project import EXAMPLES

example = load_file(EXAMPLES / "mask_model.py")


def guesses(text, places):
    """Eight words for any place, of which the second is the one that stands there."""
    return [
        ["one", text[a:b].lower(), "two", "three", "four", "five", "six", "seven"]
        for a, b in places
    ]


def changes(model, level, text):
    """What becomes of a text, with some seeds."""
    rows = [example.masked_words(model, level).row("", text, seed) for seed in range(40)]
    return {row["target"] for row in rows}


def test_two_words_become_the_third_guess():
    found = changes(guesses, 1, "A cat sat on mats.")
    assert "A two sat on two." in found  # the second guess is the word itself, and counts
    assert all((text or "").lower().count("two") == 2 for text in found)


def test_every_fifth_word_becomes_the_fifth_guess():
    text = "A cat sat on Mats , and then it got up ."
    assert changes(guesses, 2, text) == {"A cat sat on Four , and then it got four ."}


def test_a_guess_that_is_the_word_itself_is_passed_over():
    def third(text, places):
        return [["x", "y", text[a:b].upper(), "z"] for a, b in places]

    assert changes(third, 1, "old cat") == {"z z"}
