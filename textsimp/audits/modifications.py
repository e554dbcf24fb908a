"""Changes that make no text simpler, for the gaming audit.

They are the six of Tanprasert & Kauchak (2021), "Flesch-Kincaid is Not a Text Simplification
Evaluation Metric", GEM workshop; ``docs/audits.md`` lists them. A line is its n white-space
tokens, numbered from 0. A changed line has single spaces.

Lines that are too short for a j stay as they are. A share of the lines is changed: they are sampled
without replacement, and those of a smaller share are among those of a larger one, with the same j.

Example:
    >>> from textsimp.audits import modifications
    >>> texts = ["The feline perched upon the mat .", "It rained ."]
    >>> modifications.replace_longest(texts)
    ['The feline the upon the mat .', 'It the .']
    >>> modifications.random_period(texts, share=0.5, seed=0)
    ['The feline . perched upon the mat .', 'It rained .']
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core import columns
from textsimp.support.errors import check_integer, check_number


@dataclass(frozen=True)
class Modification:
    """A change to lines of text. Call it on a column."""

    name: str
    change: Callable[[list[str], int], list[str]]
    """Tokens and a position to new tokens."""
    positions: slice | None = None
    """Those of the tokens' numbers that are positions; None for a change that needs no position."""

    def __call__(self, texts: Any, share: float = 1.0, seed: int = 0) -> list[str]:
        """Change a share of the texts, 0 to 1, rounded to a number of texts."""
        texts = columns.texts(texts, "texts")
        check_integer("seed", seed, 0)
        check_number("share", share, 0, 1)
        order, where = draw(len(texts), seed)
        changed = list(texts)
        for i in order[: sampled(share, len(texts))].tolist():
            changed[i] = self.line(texts[i], where[i])
        return changed

    def line(self, text: str, where: float) -> str:
        """The text, changed at the position ``where`` (0 ≤ where < 1) of the way along it."""
        tokens = text.split()
        if not tokens:
            return text
        if self.positions is None:
            return " ".join(self.change(tokens, 0))
        positions = range(len(tokens))[self.positions]
        if not positions:
            return text
        return " ".join(self.change(tokens, positions[int(where * len(positions))]))


def sampled(share: float, n: int) -> int:
    """Return how many of n lines a share is."""
    return round(share * n)


@functools.lru_cache(maxsize=4)
def draw(n: int, seed: int) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Draw the order in which n lines are changed, and the position in each (0 to 1)."""
    rng = np.random.default_rng(seed)
    order, where = rng.permutation(n), rng.random(n)
    order.flags.writeable = where.flags.writeable = False
    return order, where


# The changes -------------------------------------------------------------------------------------


def _insert(word: str, tokens: list[str], j: int) -> list[str]:
    return [*tokens[:j], word, *tokens[j:]]


def _replace(word: str, tokens: list[str], j: int) -> list[str]:
    return [*tokens[:j], word, *tokens[j + 1 :]]


def _replace_longest(tokens: list[str], j: int) -> list[str]:
    return _replace("the", tokens, max(range(len(tokens)), key=lambda i: len(tokens[i])))


def _insert_period_and_replace_longest(tokens: list[str], j: int) -> list[str]:
    return _insert(".", _replace_longest(tokens, j), j)


_AFTER_FIRST, _INSIDE = slice(1, None), slice(1, -1)
_partial = functools.partial
random_period = Modification("random-period", _partial(_insert, "."), _INSIDE)
random_the = Modification("random-the", _partial(_insert, "the"), _AFTER_FIRST)
replace_longest = Modification("replace-longest", _replace_longest)
replace_rand_period = Modification("replace-rand-period", _partial(_replace, "."), _AFTER_FIRST)
replace_rand_the = Modification("replace-rand-the", _partial(_replace, "the"), _INSIDE)
random_period_replace_longest = Modification(
    "random-period+replace-longest", _insert_period_and_replace_longest, _AFTER_FIRST
)

_SIX = (
    *(random_period, random_the, replace_longest),
    *(replace_rand_period, replace_rand_the, random_period_replace_longest),
)
MODIFICATIONS = {modification.name: modification for modification in _SIX}
"""The six, by the names of the paper."""
