"""Words that carry facts."""

from textsimp.text import facts


def test_numbers_names_and_negations_are_found():
    words = facts.words("Ann didn't pay Bob 1,984.50 dollars, nor 3rd parties.")
    assert facts.numbers(words) == {"1,984.50", "3rd"}
    assert facts.names(words) == {"bob"}
    assert facts.negations(words) == {"didn't", "nor"}
