"""What became of each word of a text in its simplification, from an alignment of their words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

OF_SOURCE = ("delete", "move", "replace", "copy")
"""Labels of a source's words; those of a target have ``"add"`` in place of ``"delete"``."""


class WordLabels(NamedTuple):
    """A label per word."""

    source: list[str]
    target: list[str]


def word_labels(
    source: Sequence[str], target: Sequence[str], pairs: Sequence[tuple[int, int]]
) -> WordLabels:
    """The labels of the words of a pair of texts.

    >>> word_labels(["a", "b"], ["a", "c"], [(0, 0)])
    WordLabels(source=['copy', 'delete'], target=['copy', 'add'])
    """
    of_source, of_target = ["delete"] * len(source), ["add"] * len(target)
    for i, j in pairs:
        same = source[i] == target[j]
        of_source[i] = of_target[j] = "copy" if same else "replace"
    return WordLabels(of_source, of_target)
