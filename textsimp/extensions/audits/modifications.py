"""Changes that make no text simpler, for the gaming audit.

They are the six of Tanprasert & Kauchak (2021), "Flesch-Kincaid is Not a Text Simplification
Evaluation Metric", GEM workshop; ``docs/extensions/audits.md`` lists them. A line is its n
white-space tokens, numbered from 0. A changed line has single spaces.

Lines that are too short for a j stay as they are. A share of the lines is changed: they are sampled
without replacement, and those of a smaller share are among those of a larger one, with the same j.

>>> MODIFICATIONS["replace-longest"].line("The feline perched upon the mat .", 0)
'The feline the upon the mat .'
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Modification:
    """A change to lines of text."""

    change: Callable[[list[str], int], list[str]]
    """Tokens and a position to new tokens."""
    positions: slice | None = None
    """Those of the tokens' numbers that are positions; None for a change that needs no position."""

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
MODIFICATIONS = {
    "random-period": Modification(_partial(_insert, "."), _INSIDE),
    "random-the": Modification(_partial(_insert, "the"), _AFTER_FIRST),
    "replace-longest": Modification(_replace_longest),
    "replace-rand-period": Modification(_partial(_replace, "."), _AFTER_FIRST),
    "replace-rand-the": Modification(_partial(_replace, "the"), _INSIDE),
    "random-period+replace-longest": Modification(_insert_period_and_replace_longest, _AFTER_FIRST),
}
"""The six, by the names of the paper."""
