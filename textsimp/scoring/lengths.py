"""Scores by length of the source: of groups of examples whose sources are about as long."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Literal

import numpy as np

from textsimp.core.draws import Ints
from textsimp.core.metric import Statistics
from textsimp.core.scores import Scores
from textsimp.core.significance import FEWEST
from textsimp.support.errors import InputError

__all__ = ["MOST_GROUPS", "group", "score_by_length", "unit"]

MOST_GROUPS = 5


def unit(sources: Sequence[str]) -> Literal["words", "characters"]:
    """Return what lengths are counted in: characters if most sources have no space.

    >>> unit(["A cat sat."]), unit(["猫が座った。"])
    ('words', 'characters')
    """
    spaced = sum(" " in text.strip() for text in sources)
    return "words" if 2 * spaced >= len(sources) else "characters"


def group(sources: Sequence[str]) -> dict[str, Ints]:
    """Divide sources by length into groups of about equal size, the shortest first.

    There are as many groups as possible, up to `MOST_GROUPS`, that have `FEWEST` examples each.

    Returns:
        The shortest and longest source of each group, such as ``"12–17"`` → its rows.

    >>> group(["a b"] * 10 + ["a b c", "a b c d"] * 5).keys()
    dict_keys(['2', '3–4'])
    """
    in_words = unit(sources) == "words"
    lengths = np.array([len(text.split() if in_words else text.strip()) for text in sources])
    values, places, counts = np.unique(lengths, return_inverse=True, return_counts=True)
    middles = (np.cumsum(counts) - counts / 2) / len(lengths)  # share of examples below each length
    for most in range(MOST_GROUPS, 0, -1):
        groups = (most * middles).astype(np.int64)
        if np.bincount(np.unique(groups, return_inverse=True)[1], counts).min() >= FEWEST:
            break
    rows = {}
    for i in np.unique(groups):
        low, *others = values[groups == i]
        label = f"{low}–{others[-1]}" if others else f"{low}"
        rows[label] = np.flatnonzero(groups[places] == i)
    return rows


def score_by_length(
    measured: Statistics, sources: Sequence[str], **sampling: Any
) -> dict[str, dict[str, Scores]]:
    """Score systems on each group of sources.

    Args:
        measured: The statistics of all examples.
        sources: The original texts.
        **sampling: ``confidence``, ``resamples`` and ``seed``.

    Returns:
        Group, see `group` → system → its scores there, with intervals.
    """
    metric = measured.metric
    if measured.blocks is not None or not metric.independent_rows:
        raise InputError(f"{metric}: expected a row of statistics for each example, got sums")
    scores = {}
    for label, rows in group(sources).items():
        systems = {name: own[rows] for name, own in measured.systems.items()}
        part = replace(measured, systems=systems, numbers=measured.numbers[rows])
        scores[label] = part.score(**sampling)
    return scores
