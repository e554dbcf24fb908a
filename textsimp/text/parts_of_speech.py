"""Parts of speech of words, and which words carry a sentence's content.

The closed classes of English are listed here: articles, prepositions, conjunctions, pronouns and
auxiliaries, whose words are few and tell little about which words of two texts belong together.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass

from textsimp.support.errors import InputError, check_choice
from textsimp.text.functions import check_strings, custom_name

PartsLike = str | Callable[[list[str]], list[str]]
"""A name, or a function from the words of a text to as many parts of speech."""

TEXTBLOB = "textblob"
NONE = "none"
PARTS = (TEXTBLOB, NONE)

_READING = threading.Lock()

PUNCTUATION = "punctuation"
_NUMBER = "number"
_OPEN = "open"
_CLOSED = {
    "determiner": "a an the this that these those each every some any no all both either neither "
    "another such",
    "preposition": "of in on at by for with about against between among into through during before "
    "after above below from up down out off over under to as since until upon within without "
    "toward towards near across along behind beyond despite via per than around because while if "
    "when where although though unless whereas whether",
    "conjunction": "and or but nor so yet",
    "pronoun": "i you he she it we they me him her us them my your his its our their mine yours "
    "hers ours theirs myself himself herself itself ourselves themselves who whom whose which what "
    "there one",
    "auxiliary": "am is are was were be been being have has had having do does did will would can "
    "could might must shall should 's 're 've 'll 'd n't not",
}
_CLASSES = {word: name for name, words in _CLOSED.items() for word in words.split()}


@dataclass(frozen=True)
class Parts:
    """A part-of-speech tagger. Made by `get_parts`."""

    name: str
    """For signatures."""
    of: Callable[[list[str]], list[str]]
    """From the words of a text to as many parts of speech."""
    distinct: bool = True
    """Whether nouns, verbs and the like differ."""


def get_parts(parts: PartsLike = TEXTBLOB) -> Parts:
    """Get a part-of-speech tagger by name, or make one of a function.

    - ``"textblob"``: the tag that an English word has most often in TextBlob's lexicon; for other
      words what the ending says; closed classes, numbers and punctuation by the lists here.
    - ``"none"``: these lists only; all other words are alike.
    - A function from the words of a text to as many strings.
    """
    if callable(parts):
        function, name = parts, custom_name(parts)

        def of(words: list[str]) -> list[str]:
            tags = check_strings(function([*words]), f"parts {name}")
            if len(tags) != len(words):
                raise InputError(
                    f"parts {name}: expected {len(words)} parts of speech of as many words, "
                    f"got {len(tags)}"
                )
            return tags

        return Parts(name, of)
    check_choice("parts", parts, PARTS, ", or pass a function from words to parts of speech")
    if parts == NONE:
        return Parts(NONE, lambda words: [*map(word_class, words)], distinct=False)
    return Parts(TEXTBLOB, lambda words: [*map(_usual, words)])


def word_class(word: str) -> str:
    """The closed class of a word; ``"number"``, ``"punctuation"``, or ``"open"``."""
    word = word.lower()
    if word in _CLASSES:
        return _CLASSES[word]
    if not any(map(str.isalnum, word)):
        return PUNCTUATION
    return _NUMBER if any(map(str.isdigit, word)) else _OPEN


def has_content(word: str) -> bool:
    """Return whether a word is neither of a closed class nor punctuation."""
    return word_class(word) in (_OPEN, _NUMBER)


@functools.lru_cache(2**16)
def _usual(word: str) -> str:
    name = word_class(word)
    if name != _OPEN:
        return name
    from textblob.en import parser  # type: ignore[import-untyped]

    # It reads its list of words when it is first asked; others would find half of them meanwhile.
    with _READING:
        len(parser.lexicon)
    # Two letters tell the part of speech, what follows number, tense and degree.
    ((_, tag),) = parser.find_tags([word.lower()])
    return str(tag)[:2]
