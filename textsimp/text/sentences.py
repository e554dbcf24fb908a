"""Texts to sentences, by a splitter that signatures can name."""

from __future__ import annotations

import functools
import importlib.metadata
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.columns import InputError, nearest
from textsimp.extras import require
from textsimp.text.functions import Function, check_strings, custom_name
from textsimp.text.memory import remembered

DEFAULT_SPLITTER = "nltk-punkt-untrained"


@dataclass(frozen=True)
class Splitter:
    """A way to split texts into sentences. Made by `get_splitter`."""

    name: str
    """For signatures: with the library's version where results depend on it."""
    split: Callable[[str], list[str]]

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, in order, stripped; empty ones are left out.

        White space around the text is removed first; a text without any other has no sentences.

        Raises:
            InputError: A user's function returned something other than a list of strings.
        """
        text = text.strip()
        if not text:
            return []
        sentences = check_strings(self.split(text), f"splitter {self.name}")
        return [stripped for sentence in sentences if (stripped := sentence.strip())]

    def count(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The number of sentences of each text, shape (texts,). Equal texts are split once."""
        sentences = remembered(self.split, self.sentences)
        counts = {text: len(sentences(text)) for text in dict.fromkeys(texts)}
        return np.fromiter(map(counts.__getitem__, texts), np.int64, len(texts))


def get_splitter(splitter: str | Function = DEFAULT_SPLITTER) -> Splitter:
    """The sentence splitter of a name, or one made of a function.

    Tokenised text (``a word .``) and detokenised text (``A word.``) are both split, except by
    ``"simple-token"``.

    - ``"nltk-punkt-untrained"``: NLTK's ``PunktSentenceTokenizer()`` (Kiss & Strunk 2006) without
      a trained model. A sentence ends after ``.``, ``?`` or ``!``, but not after an initial
      (``J.``) or after a number before lower case; after an abbreviation (``Mr.``) it does.
    - ``"simple-token"``: a sentence ends after ``.``, ``?`` or ``!`` between white space, so only
      tokenised text is split. A rest without one is a sentence too.
    - ``"pysbd"``: the English rules of pySBD (Sadvilkar & Neumann 2020; extra ``pysbd``). It knows
      abbreviations and lists, and takes some seventy times as long as the default.

    Args:
        splitter: A name, also with the installed version as signatures give it, or a function
            from a text to the list of its sentences. A function appears in signatures as
            ``custom-`` and its ``__name__``, or the name that `textsimp.named` gave it.

    Raises:
        InputError: Unknown name.
        ImportError: The library is not installed; the message names the extra.
    """
    if callable(splitter):
        return Splitter(custom_name(splitter), splitter)
    for name, make in _MAKERS.items() if isinstance(splitter, str) else ():
        if splitter == name:
            return make()
        if splitter.startswith(f"{name}-") and make().name == splitter:
            return make()
    raise InputError(
        f"splitter: expected one of {', '.join(_MAKERS)}, or a function from a text to the list "
        f"of its sentences, got {splitter!a}{nearest(splitter, _MAKERS)}"
    )


# A stop and what stands around it where untrained Punkt always sees the end of a sentence: no word
# or one of two letters or more (so neither an initial nor a number), white space, another token.
_CLEAR_END = re.compile(r"(?:[A-Za-z]{2,})?[.?!][ \n]+[!-~]")


@functools.cache
def _punkt() -> Splitter:
    from nltk.tokenize.punkt import PunktSentenceTokenizer  # type: ignore[import-untyped, unused-ignore]

    punkt: Any = PunktSentenceTokenizer()
    look_closely = functools.lru_cache(maxsize=1 << 16)(punkt.text_contains_sentbreak)

    def ends_sentence(context: str) -> bool:
        return bool(_CLEAR_END.match(context) or look_closely(context))

    # Punkt decides by the word before and the token after each stop, and this takes it most of the
    # time: the clear cases are decided here, the others once each.
    punkt.text_contains_sentbreak = ends_sentence
    version = importlib.metadata.version("nltk")  # 3.10.2 began to split at a stop before ”
    return Splitter(f"nltk-punkt-untrained-{version}", punkt.tokenize)


@functools.cache
def _pysbd() -> Splitter:
    segmenter = require("pysbd", extra="pysbd").Segmenter

    def split(text: str) -> Any:
        return segmenter(language="en", clean=False).segment(text)  # it keeps the text: not shared

    return Splitter(f"pysbd-{importlib.metadata.version('pysbd')}", split)


_AFTER_STOP_TOKEN = re.compile(r"(?<=\s[.?!])\s+")


@functools.cache
def _simple_token() -> Splitter:
    return Splitter("simple-token", lambda text: _AFTER_STOP_TOKEN.split(f" {text}"))


_MAKERS: dict[str, Callable[[], Splitter]] = {
    DEFAULT_SPLITTER: _punkt,
    "simple-token": _simple_token,
    "pysbd": _pysbd,
}
SPLITTERS = tuple(_MAKERS)
