"""Words of a text aligned with those of its simplification."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from textsimp.columns import InputError
from textsimp.text.functions import custom_name

LEXICAL = "lexical"

Pairs = list[tuple[int, int]]
"""Sorted pairs of indices: of a word of the source, and of the target."""
WordAlignerLike = str | Callable[[list[str], list[str]], Iterable[tuple[int, int]]]

_Texts = Sequence[list[str]]


@dataclass(frozen=True)
class WordAligner:
    """A way to align words. Made by `get_word_aligner`."""

    name: str
    """For signatures."""
    align: Callable[[_Texts, _Texts], Iterator[Pairs]]
    """From texts, each a list of words, and as many others, to the aligned words of each pair."""


def get_word_aligner(aligner: WordAlignerLike = LEXICAL, *, parts: Any = None) -> WordAligner:
    """The word aligner of a name, or one made of a function.

    Args:
        aligner: A name, or a function from the words of two texts to pairs of indices.
        parts: What tells parts of speech.

    Raises:
        InputError: An unknown name.
    """
    if callable(aligner):
        function = aligner
        return WordAligner(
            custom_name(function),
            lambda a, b: (sorted(function(s, t)) for s, t in zip(a, b, strict=True)),
        )
    if aligner != LEXICAL:
        raise InputError(f"aligner: expected {LEXICAL} or a function, got {aligner!a}")
    return WordAligner(LEXICAL, lambda a, b: (_runs(s, t) for s, t in zip(a, b, strict=True)))


def _runs(source: list[str], target: list[str]) -> Pairs:
    blocks = SequenceMatcher(None, source, target, autojunk=False).get_matching_blocks()
    return [(i + k, j + k) for i, j, size in blocks for k in range(size)]
