"""Shares of ratings: how often a system got each step of a scale, or won a comparison."""

import itertools
import math
from collections.abc import Sequence

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints
from textsimp.judgements import strengths
from textsimp.judgements.criteria import Criterion
from textsimp.judgements.judgements import Judgements

MOST_STEPS = 11
"""More different ratings than these are counted in ranges."""
RANGES = 10
"""The most ranges, but for one more where the ends are no round numbers."""

Shares = dict[str, dict[str, dict[str, float]]]
"""System → criterion → step → share of ratings."""

OUTCOMES = ("worse", "equal", "better")
"""The steps of comparisons."""


def distribute(judgements: Judgements, systems: Sequence[str]) -> Shares:
    """Return how the ratings of each system spread over steps; a system without any has none."""
    shares: Shares = {system: {} for system in systems}
    writers_of = judgements.frame["system"].to_numpy()
    for name, criterion in judgements.criteria.items():
        if judgements.compares:
            winners, losers, weights = strengths.list_preferences(judgements, name)
            won = weights == 1  # both halves of a tie count as one
            names, rows = [*OUTCOMES], np.append(winners, losers[won])
            places = np.append(np.where(won, 2, 1), np.zeros(won.sum(), int))
        else:
            names, places = _place(criterion, judgements.values(name))
            rows = judgements.blocks[:, 0, 0]
        counts = {system: np.zeros(len(names)) for system in systems}
        for writers, place in zip(writers_of[rows], places.tolist(), strict=True):
            for system in writers if place >= 0 else ():
                counts[system][place] += 1
        for system, own in counts.items():
            if own.any():
                shares[system][name] = dict(zip(names, (own / own.sum()).tolist(), strict=True))
    return shares


def _place(criterion: Criterion, values: Floats) -> tuple[list[str], Ints]:
    """Return the names of steps or ranges, and the place of each rating among them; −1 for none."""
    rated = ~np.isnan(values)
    places = np.full(len(values), -1)
    if criterion.steps and not criterion.slider:
        codes = sorted(criterion.codes.items(), key=lambda pair: pair[1])
        places[rated] = np.searchsorted([number for _, number in codes], values[rated])
        return [str(step) for step, _ in codes], places
    different = np.unique(values[rated])
    if len(different) <= MOST_STEPS and not criterion.slider:
        places[rated] = np.searchsorted(different, values[rated])
        return [f"{number:g}" for number in different], places
    ends = [*criterion.codes.values()] or different
    width = _round_up((ends[-1] - ends[0]) / RANGES)
    edges = width * np.arange(np.floor(ends[0] / width), np.ceil(ends[-1] / width) + 1)
    places[rated] = np.searchsorted(edges[1:-1], values[rated], side="right")
    return [f"{low:g}–{high:g}" for low, high in itertools.pairwise(edges)], places


def _round_up(size: float) -> float:
    """Return 1, 2 or 5 times a power of ten.

    >>> _round_up(10.0), _round_up(5.5), _round_up(0.3)
    (10.0, 10.0, 0.5)
    """
    power = 10.0 ** math.floor(math.log10(size))
    return power * next(k for k in (1, 2, 5, 10) if k * power >= size * (1 - 1e-9))
