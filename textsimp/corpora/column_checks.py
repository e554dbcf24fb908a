"""Data checks of columns: what nearly all texts of one have, and other columns don't.

In sources or references it changes the scores of all systems, so there it is an error.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.findings import (
    HARDLY_ANY,
    MIN_TEXTS,
    NEARLY_ALL,
    Column,
    Finding,
    Gravity,
    Texts,
    bare,
    join,
    quote,
)

_ALL = 0.95  # share of the texts with the first words that have the next one, too
_MIN_COPIES = 0.9  # share of the texts of a reference that are the source
_MIN_TEXTS_OF_WORD = 10  # that begin with the same ordinary word
_MIN_WORDS = 4  # of a sentence
_SHORT = 40  # characters
_NUMBER = r"\d+(?:[.,]\d+)*"
_TOKEN = re.compile(rf"{_NUMBER}|[^\W\d]+|\W")
_STOPS = " .,;!?…。！？।॥؟۔"  # with which texts end
_PAIRED = ("reasoning", "fences")  # kinds that are removed with what is between them
_WHOLE = ("doubled", "unrelated", "answers", "repeated", "glued", "cut")  # kinds of whole texts


@dataclass(frozen=True)
class Affix:
    """Words with which texts begin or end, whatever their case and numbers."""

    words: str  # in lower case, with 0 for each number
    at_end: bool

    @functools.cached_property
    def _find(self) -> Callable[[str], re.Match[str] | None]:
        words = rf"\s*(?P<words>{_NUMBER.join(map(re.escape, self.words.split('0')))})"
        if self.at_end:
            return re.compile(rf"{words}(?P<stops>[\s{_STOPS}]*)$", re.IGNORECASE).search
        return re.compile(words, re.IGNORECASE).match

    def find(self, text: str) -> str:
        """Return the words as a text has them, or ""."""
        match = self._find(text)
        return match["words"] if match else ""

    def is_in(self, text: str) -> bool:
        """Whether a text has the words, or a sentence of them written in another way."""
        words = {*re.findall(r"\w+", self.words)}
        known = words.intersection(re.findall(r"\w+", text.lower()))
        is_sentence = len(words) >= _MIN_WORDS
        return bool(self.find(text)) or (is_sentence and len(known) >= NEARLY_ALL * len(words))

    def remove(self, text: str) -> str:
        """Return a text without the words, unless nothing would be left."""
        match = self._find(text)
        if match is None:
            return text
        rest = text[match.end() :].lstrip()
        if self.at_end:
            rest = text[: match.start()]
            rest += "" if rest.endswith(tuple(_STOPS)) else match["stops"].rstrip()
        return rest if re.search(r"\w", rest) else text


def find_affixes(texts: Sequence[str]) -> Iterator[Affix]:
    """Yield the words with which nearly all of the texts begin, and those with which they end."""
    # "İ" alone has two characters in lower case.
    lower = [*{text.strip().replace("İ", "i").lower() for text in texts} - {""}]
    start = _shared_beginning(lower).strip()
    end = _shared_beginning([text.rstrip(_STOPS)[::-1] for text in lower])[::-1].lstrip(_STOPS)
    for words, at_end in ((start, False), (end, True)):
        is_word = not at_end and re.fullmatch(r"[^\W\d_]+", words.strip(_STOPS))
        many = len(lower) >= (_MIN_TEXTS_OF_WORD if is_word else MIN_TEXTS)
        if words.strip(_STOPS) and many and not _is_template(words, lower):
            yield Affix(words, at_end)


def _is_template(words: str, texts: Sequence[str]) -> bool:
    """Whether ordinary words are most of the texts, which are short, as those of a template."""
    ordinary = re.fullmatch(r"[\w\s.,-]+", words)
    return ordinary is not None and fmean(map(len, texts)) - len(words) < min(len(words), _SHORT)


def _shared_beginning(texts: Sequence[str]) -> str:
    """Return the words with which nearly all texts begin, or "" if nothing follows them."""
    beginning, rest = "", [_tokens(text) for text in texts]
    while True:
        heads = [next(tokens, "") for tokens in rest]
        head, number = Counter(heads).most_common(1)[0] if heads else ("", 0)
        if number < max(NEARLY_ALL * len(texts), _ALL * len(rest) if beginning else 0):
            return beginning
        if not head:
            return ""
        beginning += head
        rest = [tokens for tokens, own in zip(rest, heads, strict=True) if own == head]


def _tokens(text: str) -> Iterator[str]:
    for match in _TOKEN.finditer(text):
        yield "0" if match[0][0].isdecimal() else match[0]


def remove_affixes(
    sources: list[str], references: list[list[str]] | None, outputs: list[str]
) -> list[tuple[str, list[str]]]:
    """Return each output without what nearly all begin or end with, and what was removed."""
    texts = Texts(sources, references, {"": outputs})
    affixes = [
        affix
        for affix in find_affixes(outputs)
        if _stands_out(texts, texts.each[-1], affix.is_in)
        and not any(ARTEFACTS[kind].find(affix.words, "") for kind in _PAIRED)
    ]
    cleaned = []
    for text in outputs:
        removed = []
        for affix in affixes:
            rest = affix.remove(text)
            if rest != text:
                removed.append("end" if affix.at_end else "beginning")
            text = rest
        cleaned.append((text, removed))
    return cleaned


def check_columns(texts: Texts) -> Iterator[Finding]:
    """Find what nearly all texts of a column have, and the columns beside it don't."""
    for column in texts.each:
        tabs = Counter(map(_count_tabs, column.texts)).most_common(1)[0][0]
        if tabs:
            what, fix = f"have {tabs} tab{'s' * (tabs > 1)}", "give one column of the table alone"
            yield from _tell(texts, column, "tabs", what, _count_tabs, fix)
        for affix in find_affixes(column.texts):
            hidden = not "".join(affix.words.split()).isprintable()  # of `check_characters`
            if hidden or (tabs and "\t" in affix.words) or _is_artefact(affix, column, texts):
                continue
            such = quote(next(filter(None, map(affix.find, column.texts)), affix.words))
            what = f"{'end' if affix.at_end else 'begin'} with {such}"
            fix = "check --fix removes it" if column.of == "outputs" else "give them without it"
            yield from _tell(texts, column, "affixes", what, affix.is_in, fix)
        if column.of == "references":
            yield from _copies(texts, column)


def _tell(
    texts: Texts, column: Column, kind: str, what: str, has: Callable[[str], Any], fix: str
) -> Iterator[Finding]:
    """Tell what nearly all texts of a column have, if the columns beside it don't."""
    if not _stands_out(texts, column, has):
        return
    rows = [i for i, text in enumerate(column.texts) if has(text)]
    others = join([*dict.fromkeys(other.of for other in texts.beside(column))])
    text = f"{column.title}: {len(rows):,} of {len(column.texts):,} texts {what}, unlike {others}"
    gravity: Gravity = "problem" if column.of == "outputs" else "error"
    yield Finding.of(kind, gravity, f"{text}; {fix}", column.systems, rows)


def _stands_out(texts: Texts, column: Column, has: Callable[[str], Any]) -> bool:
    """Whether nearly all texts of a column have something, and hardly any beside it."""
    lacking = [_share(other.texts, has) <= HARDLY_ANY for other in texts.beside(column)]
    # Outputs may have it from the sources.
    alone = any(lacking) if column.of == "sources" else bool(lacking) and all(lacking)
    return alone and _share(column.texts, has) >= NEARLY_ALL


def _share(texts: Sequence[str], has: Callable[[str], Any]) -> float:
    """Return the share of texts that have something, of those that aren't empty."""
    return sum(1 for text in texts if has(text)) / max(1, sum(1 for text in texts if text.strip()))


def _count_tabs(text: str) -> int:
    return text.strip().count("\t")


def _is_artefact(affix: Affix, column: Column, texts: Texts) -> bool:
    """Whether the words are of an artefact, which `check_artefacts` tells of outputs."""
    if column.of != "outputs":
        return False
    kinds = [one for kind, one in ARTEFACTS.items() if kind not in _WHOLE]
    for text, source in zip(column.texts, texts.sources, strict=True):
        if words := affix.find(text):
            hits = [one.find(text, source) for one in kinds]
            return any(hit and (words in hit or hit.strip() in words) for hit in hits)
    return False


def _copies(texts: Texts, column: Column) -> Iterator[Finding]:
    """Find a reference that is the source."""
    pairs = zip(texts.bare, map(bare, column.texts), strict=True)
    rows = [i for i, (source, text) in enumerate(pairs) if text and text == source]
    if len(rows) >= max(MIN_TEXTS, _MIN_COPIES * sum(map(bool, column.texts))):
        text = f"{column.title} is the source in {len(rows):,} of {len(column.texts):,} rows"
        text += ", so that BLEU of copying it is 100; leave it out"
        yield Finding.of("copies", "problem", text, (), rows)
