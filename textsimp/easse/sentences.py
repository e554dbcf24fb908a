"""Sentences as EASSE takes them."""

from collections.abc import Sequence

from textsimp.support.errors import InputError

Sents = Sequence[str]
Refs = Sequence[Sequence[str]]
"""Lists of all sentences, a list per reference."""


def by_sentence(refs_sents: Refs) -> list[list[str]]:
    """Return the references of each sentence."""
    if any(isinstance(sents, str) for sents in refs_sents) or len({*map(len, refs_sents)}) != 1:
        raise InputError("refs_sents: expected lists of all sentences, a list per reference")
    return [list(row) for row in zip(*refs_sents, strict=True)]
