"""Parts of speech of words, and which words carry a sentence's content.

``closed_classes.txt`` lists the closed classes of English. Their words are few, and tell little
about which words of two texts belong together.
"""

import functools
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

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
_LINES = (Path(__file__).parent / "closed_classes.txt").read_text("utf-8").splitlines()
_CLASSES = {word: name for name, *words in map(str.split, _LINES) for word in words}


@dataclass(frozen=True)
class Parts:
    """A part-of-speech tagger. Made by `get_parts`."""

    name: str  # for signatures
    of: Callable[[list[str]], list[str]]  # from the words of a text to as many parts of speech
    distinct: bool = True  # whether nouns, verbs and the like differ


def get_parts(parts: PartsLike = TEXTBLOB) -> Parts:
    """Get a part-of-speech tagger by name, or make one of a function.

    - ``"textblob"``: the tag that an English word has most often in TextBlob's lexicon; for other
      words what the ending says; closed classes, numbers and punctuation by lists.
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
