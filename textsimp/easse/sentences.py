"""Sentences as EASSE takes them."""

from collections.abc import Sequence

from textsimp.core.columns import is_sequence
from textsimp.support.errors import InputError

Sents = Sequence[str]
Refs = Sequence[Sequence[str]]
"""Lists of all sentences, a list per reference."""


def by_sentence(refs_sents: Refs, sys_sents: Sents) -> list[list[str]]:
    """Return the references of each output."""
    lists = is_sequence(refs_sents) and all(map(is_sequence, [sys_sents, *refs_sents]))
    if not lists or {*map(len, refs_sents)} != {len(sys_sents)}:
        raise InputError("refs_sents: expected lists of all sentences, a list per reference")
    return [list(row) for row in zip(*refs_sents, strict=True)]
