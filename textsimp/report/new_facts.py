"""Facts of an output that neither its source nor a reference has.

Scores count words, so that an output with another number, name or meaning may score high.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textsimp.text import facts
from textsimp.text.languages import FUNCTION_WORDS

_SENTENCE_END = re.compile(r"[.!?:;…][\"”’)]*\s+")
_LETTERS = 4  # of a word that can be new, and that tell words from their inflections
_WEIGHT = 3  # of a number, a name or a negation, in words
_FUNCTION_WORDS = frozenset().union(*FUNCTION_WORDS.values())


@dataclass(frozen=True)
class NewFacts:
    """What only the output has: numbers, names, a negation (or that it lacks one); and words."""

    facts: list[str]
    words: list[str]

    @property
    def weight(self) -> int:
        """How much is new."""
        return _WEIGHT * len(self.facts) + len(self.words)

    def __str__(self) -> str:
        return ", ".join([*self.facts, *self.words])


def find(source: str, output: str, references: Sequence[str]) -> NewFacts:
    """Find what neither the source nor a reference has.

    >>> print(find("Ann left in 1984 and never came back.", "She left Bonn in 1985.", []))
    1985, bonn, no negation
    >>> print(find("It explodes.", "It is a white explosive.", []))
    white
    """
    others = (source, *references)
    known = {word for text in others for word in _words(text)}
    stems = {word[:_LETTERS] for word in known}
    sentences = map(facts.words, _SENTENCE_END.split(output))
    names = {_plain(name) for sentence in sentences for name in facts.names(sentence)}
    new = sorted((facts.numbers(facts.words(output)) | names) - known)
    words = [
        word
        for word in dict.fromkeys(_words(output))
        if word[:_LETTERS] not in stems and word not in new and _tells(word)
    ]
    negative = _negates(output)
    deleted = not negative and len(_SENTENCE_END.split(source.strip())) > 1  # with its sentence
    if negative not in map(_negates, others) and not deleted:
        new.append("a negation" if negative else "no negation")
    return NewFacts(new, words)


def _words(text: str) -> list[str]:
    return [*map(_plain, facts.words(text))]


def _plain(word: str) -> str:
    return word.casefold().replace("’", "'").removesuffix("'s")


def _negates(text: str) -> bool:
    return bool(facts.negations(facts.words(text)))


def _tells(word: str) -> bool:
    """Whether a new word says something. Scripts without case may have no spaces between words."""
    long = len(word) >= _LETTERS and word.isalpha() and word != word.upper()
    return long and word not in _FUNCTION_WORDS and not facts.negations([word])
