"""The words of texts, sums over them, and iteration over references."""

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from textsimp.text.syllables import count as count_english
from textsimp.text.tokenizers import Tokens


def is_spoken(token: str) -> bool:
    """Return whether an English token has a syllable: no punctuation, bracket or clitic."""
    return count_english(token) > 0


def decode(tokens: Tokens, vocabulary: Iterable[str]) -> Iterator[list[str]]:
    """Yield the tokens of each text as strings."""
    words = np.array([*vocabulary], object)[tokens.ids].tolist()
    for start, stop in itertools.pairwise(tokens.offsets.tolist()):
        yield words[start:stop]


def sum_words(
    tokens: Tokens, vocabulary: Sequence[str], count: Callable[[str], Sequence[float]], width: int
) -> NDArray[np.float64]:
    """Sum ``width`` counts of tokens over each text: (n, width)."""
    used = np.flatnonzero(np.bincount(tokens.ids))
    of_token = np.zeros((len(vocabulary), width))
    of_token[used] = np.reshape([count(vocabulary[i]) for i in used.tolist()], (-1, width))
    totals = np.zeros((len(tokens), width))
    worded = np.flatnonzero(np.diff(tokens.offsets))
    totals[worded] = np.add.reduceat(of_token[tokens.ids], tokens.offsets[worded])
    return totals


def by_reference(
    references: Sequence[Sequence[str]],
) -> Iterator[tuple[NDArray[np.int64], list[str]]]:
    """Yield the numbers of the examples with an i-th reference, and these, for i = 0, 1, …."""
    sizes = np.array([len(row) for row in references])
    for i in range(sizes.max()):
        rows = np.flatnonzero(sizes > i)
        yield rows, [references[row][i] for row in rows.tolist()]
