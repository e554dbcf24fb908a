"""Words that carry facts: numbers, names and English negations."""

import re
from collections.abc import Sequence

_WORD = re.compile(r"\d[\d.,]*\d|\w+(?:['’]\w+)?")
_NEGATION = re.compile(r"(no|not|never|none|nor|nothing|nobody|neither|without|cannot|.+n['’]t)")


def words(text: str) -> list[str]:
    """Return a text's words and numbers.

    >>> words("In 1,984 Ann didn't leave.")
    ['In', '1,984', 'Ann', "didn't", 'leave']
    """
    return _WORD.findall(text)


def numbers(words: Sequence[str]) -> set[str]:
    return {word.casefold() for word in words if any(map(str.isdigit, word))}


def negations(words: Sequence[str]) -> set[str]:
    return {word for word in map(str.casefold, words) if _NEGATION.fullmatch(word)}


def names(words: Sequence[str]) -> set[str]:
    """Return the words with a capital, but for the first."""
    return {word.casefold() for word in words[1:] if word[:1].isupper()}
