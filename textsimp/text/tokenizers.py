"""Texts to arrays of token ids, each distinct piece of text tokenised once."""

from __future__ import annotations

import inspect
import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.extras import require
from textsimp.text.blocks import blocks
from textsimp.text.memory import recalled, remembered

TOKENIZERS = ("13a", "intl", "moses", "penn", "none")

_CHARACTERS_AT_ONCE = 2**19  # bounds the memory that the strings of the pieces take
_SEPARATOR = "\x00"  # stands between pieces that share one pass of the 13a rules


@dataclass(frozen=True)
class Tokens:
    """Tokenised texts. The tokens of text i are ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: NDArray[np.int64]
    offsets: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def slice(self, start: int, stop: int) -> Tokens:
        """The texts from start to stop."""
        offsets = self.offsets[start : stop + 1]
        return Tokens(self.ids[offsets[0] : offsets[-1]], offsets - offsets[0])

    def lists(self) -> list[list[int]]:
        """The ids of each text."""
        ids = self.ids.tolist()
        return [ids[i:j] for i, j in itertools.pairwise(self.offsets.tolist())]


def numbering() -> defaultdict[str, int]:
    """A dict that numbers strings in the order in which they are first looked up."""
    return defaultdict(itertools.count().__next__)


def _vocabulary() -> defaultdict[str, int]:
    return recalled("vocabulary", numbering)


class Encoder:
    """Tokenises texts to ids. Equal tokens have equal ids in all texts of one encoder.

    A text is cut into pieces that can be tokenised by themselves (13a never looks across white
    space, the others need the whole text), and each distinct piece is tokenised once.

    Args:
        tokenizer: ``"13a"`` and ``"intl"`` as in sacrebleu, ``"moses"`` and ``"penn"`` as in
            sacremoses (extra ``moses``), ``"none"`` for white space.
        lowercase: Lowercase before tokenising.
        single_spaces: Split the tokenised text on single spaces, as the scripts of the first SARI
            papers do: two spaces enclose an empty token and an empty text is one empty token.
        vocabulary: Another encoder's, so that equal tokens have equal ids in both.
    """

    def __init__(
        self,
        tokenizer: str,
        lowercase: bool,
        single_spaces: bool = False,
        vocabulary: defaultdict[str, int] | None = None,
    ) -> None:
        self.vocabulary = _vocabulary() if vocabulary is None else vocabulary
        self._tokenizer = tokenizer
        self._lowercase = lowercase
        self._single_spaces = single_spaces
        self._line_tokenizer = _line_tokenizer(tokenizer)
        self._pieces = numbering()
        # Tokens of piece i: self._flat[self._starts[i]:][:self._sizes[i]]
        self._flat = np.empty(0, np.int64)
        self._starts = np.empty(0, np.int64)
        self._sizes = np.empty(0, np.int64)

    def encode(self, texts: Sequence[str]) -> Tokens:
        """Tokenise texts."""
        encode: Callable[[tuple[str, ...]], Tokens] = self._encode
        if self.vocabulary is _vocabulary():  # of all encoders, so their ids are the same
            way = self._tokenizer, self._lowercase, self._single_spaces
            encode = remembered(way, encode)
        return encode(tuple(texts))

    def _encode(self, texts: tuple[str, ...]) -> Tokens:
        if not texts:
            return Tokens(np.empty(0, np.int64), np.zeros(1, np.int64))
        pieces, counts = [], []
        sizes = np.fromiter(map(len, texts), np.int64, len(texts))
        for block in blocks(sizes, _CHARACTERS_AT_ONCE):
            cut = self._cut(texts[block])
            count = np.fromiter(map(len, cut), np.int64, len(cut))
            flat = map(self._pieces.__getitem__, itertools.chain.from_iterable(cut))
            pieces.append(np.fromiter(flat, np.int64, int(count.sum())))
            counts.append(count)
            self._learn()
        return self._gather(np.concatenate(pieces), np.concatenate(counts))

    def _cut(self, texts: Sequence[str]) -> list[list[str]]:
        if self._tokenizer == "13a":  # which joins words that "-\n" cuts
            return [text.split() if "\n" not in text else [text] for text in texts]
        if self._line_tokenizer is None:
            return [text.split(" ") if self._single_spaces else text.split() for text in texts]
        return [[text] for text in texts]

    def _learn(self) -> None:
        """Tokenise the pieces met for the first time."""
        pieces = list(
            itertools.islice(reversed(self._pieces), len(self._pieces) - len(self._sizes))
        )
        pieces.reverse()
        if self._lowercase:
            pieces = [piece.lower() for piece in pieces]
        tokens = self._tokenize(pieces)
        sizes = np.fromiter(map(len, tokens), np.int64, len(tokens))
        flat = map(self.vocabulary.__getitem__, itertools.chain.from_iterable(tokens))
        ids = np.fromiter(flat, np.int64, int(sizes.sum()))
        self._starts = np.append(self._starts, len(self._flat) + np.cumsum(sizes) - sizes)
        self._sizes = np.append(self._sizes, sizes)
        self._flat = np.append(self._flat, ids)

    def _tokenize(self, pieces: list[str]) -> list[list[str]]:
        if self._line_tokenizer is None:
            return [[piece] for piece in pieces]
        if self._tokenizer != "13a":
            return [self._line_tokenizer(piece).split() for piece in pieces]
        tokens = [[piece] if piece.isalnum() else _simple_13a(piece) for piece in pieces]
        rest = [i for i, known in enumerate(tokens) if not known]
        together = [i for i in rest if _SEPARATOR not in pieces[i] and "\n" not in pieces[i]]
        text = f" {_SEPARATOR} ".join(pieces[i] for i in together)
        for i, part in zip(together, tokenize_13a(text).split(_SEPARATOR), strict=False):
            tokens[i] = part.split()
        for i in set(rest).difference(together):
            tokens[i] = tokenize_13a(pieces[i]).split()
        return tokens

    def _gather(self, pieces: NDArray[np.int64], counts: NDArray[np.int64]) -> Tokens:
        sizes = self._sizes[pieces]
        ends = np.cumsum(sizes)
        index = np.arange(ends[-1] if len(ends) else 0)
        index += np.repeat(self._starts[pieces] - ends + sizes, sizes)
        ids = self._flat[index]
        offsets = np.concatenate(([0], ends))[np.concatenate(([0], np.cumsum(counts)))]
        if self._single_spaces and self._line_tokenizer is not None:
            empty = np.flatnonzero(np.diff(offsets) == 0)
            ids = np.insert(ids, offsets[empty], self.vocabulary[""])
            offsets = offsets + np.concatenate(([0], np.cumsum(np.diff(offsets) == 0)))
        return Tokens(ids, offsets)


# The rules of mteval-v13a in their order, each with the group that it sets apart by spaces:
# punctuation other than . , -; then . and , unless a digit stands before, then unless one stands
# after; a dash after a digit.
_RULES_13A = (
    (re.compile(r"([{-~\[-`!-&(-+:-@/])"), 1),
    (re.compile(r"([^0-9])([.,])"), 2),
    (re.compile(r"([.,])([^0-9])"), 1),
    (re.compile(r"([0-9])(-)"), 2),
)
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def tokenize_13a(text: str) -> str:
    """The WMT tokenisation mteval-v13a: tokens separated by single spaces.

    Equal to sacrebleu's, whose own keeps the last 65,536 texts alive.
    """
    text = text.replace("<skipped>", "").replace("-\n", "").replace("\n", " ")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    text = f" {text} "
    for pattern, group in _RULES_13A:
        parts = pattern.split(text)  # faster than sub, which fills its template in Python
        apart = slice(group, None, pattern.groups + 1)
        parts[apart] = [f" {part} " for part in parts[apart]]
        text = "".join(parts)
    return " ".join(text.split())


def _simple_13a(piece: str) -> list[str]:
    """The tokens of a word with a comma or period; empty for all else."""
    word, mark = piece[:-1], piece[-1:]
    return [word, mark] if mark in (",", ".") and word.isalpha() else []


def _line_tokenizer(name: str) -> Callable[[str], str] | None:
    if name == "none":
        return None
    if name == "13a":
        return tokenize_13a
    if name == "intl":
        from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

        intl: Any = TokenizerV14International()  # type: ignore[no-untyped-call]
        uncached = inspect.unwrap(TokenizerV14International.__call__)
        return remembered(name, lambda text: str(uncached(intl, text)))
    if name in ("moses", "penn"):
        moses: Any = require("sacremoses", extra="moses").MosesTokenizer()
        if name == "penn":
            # Its rule for slashes is still Perl, and not compiled: every call would fail.
            slashes = re.compile(moses.INTRATOKEN_SLASHES[0]), r"\1 @/@ \2"
            moses.MOSES_PENN_REGEXES_1 = [
                slashes if rule is moses.INTRATOKEN_SLASHES else rule
                for rule in moses.MOSES_PENN_REGEXES_1
            ]
            return remembered(name, lambda text: str(moses.penn_tokenize(text, return_str=True)))
        return remembered(
            name, lambda text: str(moses.tokenize(text, return_str=True, escape=False))
        )
    raise ValueError(f"unknown tokenizer {name!r}")
