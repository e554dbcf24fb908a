"""Paired permutation tests: p-values from swaps of units between two samples.

If two systems are equal, swapping their outputs of an example changes nothing but chance. The
p-value is the share of swaps whose difference is as large as the observed one.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from textsimp.core import draws
from textsimp.core.draws import Floats
from textsimp.core.significance import is_exact

if TYPE_CHECKING:
    from textsimp.core.sample import Sample

Numbers = Mapping[str, Floats]
Reduce = Callable[[Floats], Numbers]
Key = TypeVar("Key", bound=Hashable)

_ROUNDING = 1e-12  # relative to the scores: sums in another order differ by less
_ENTRIES_AT_ONCE = 2**21  # of rows of several pairs
_SWAPS_PER_TEST = 5  # that are as large at its level
_RARE_SWAPS = 250  # then p-values vary by about 15 %, as with 50 swaps a test


def find_p_values(
    pairs: Mapping[Key, tuple[Sample, Sample]],
    permutations: int,
    seed: int,
    levels: Mapping[Key, float],
) -> dict[Key, dict[str, float]]:
    """Return pair → name of each single number → its two-sided p-value.

    All samples have the same reduction. Pairs with as many units to swap are swapped alike. If
    swaps are few for the level of a test, its small p-value is that of `_swap_rarely`.
    """
    sizes = {key: len(_list_changes(*pair)) for key, pair in pairs.items()}
    p_values: dict[Key, dict[str, float]] = {}
    for size in dict.fromkeys(sizes.values()):
        alike = [key for key in pairs if sizes[key] == size]
        width = len(pairs[alike[0]][0].sums)
        at_once = max(1, _ENTRIES_AT_ONCE // (width * (size + draws.AT_ONCE)))
        for start in range(0, len(alike), at_once):
            group = alike[start : start + at_once]
            swapped = _swap([pairs[key] for key in group], permutations, seed)
            p_values |= dict(zip(group, swapped, strict=True))
    usual = max(permutations, draws.RESAMPLES)
    for key, scores in p_values.items():
        level = levels[key]
        # The smallest p-value isn't significant, or is with too few swaps to be sure.
        few = level * (1 + permutations) <= 1 or level * (1 + usual) <= _SWAPS_PER_TEST
        if few and not is_exact(sizes[key], max(permutations, _RARE_SWAPS)):
            for name, p in scores.items():
                if p <= _SWAPS_PER_TEST / (1 + permutations):
                    scores[name] = _swap_rarely(*pairs[key], name, seed, level)
    return p_values


def _list_changes(first: Sample, second: Sample) -> Floats:
    """Return (m, k) second minus first statistics of units, or blocks, that aren't alike."""
    changes = second.drawn[0] - first.drawn[0]
    changes = changes[changes.any(axis=1)]
    if len(changes) <= draws.MANY:
        return changes
    return draws.sum_blocks(changes, draws.block_of(np.arange(len(changes))))


def _swap(
    pairs: Sequence[tuple[Sample, Sample]], permutations: int, seed: int
) -> list[dict[str, float]]:
    """Return name → p-value of each pair: the share of swaps with as large a difference.

    The observed one counts, undefined ones don't.
    """
    reduce = pairs[0][0].reduce
    before, after = (np.stack([pair[i].sums for pair in pairs]) for i in (0, 1))
    changes = np.stack([_list_changes(*pair) for pair in pairs], axis=1)
    scores, others = reduce(before), reduce(after)
    least = {
        name: round_down(others[name], values)
        for name, values in scores.items()
        if values.ndim == 1
    }
    larger, drawn = ({name: np.ones(len(pairs)) for name in least} for _ in range(2))
    for swaps in draws.swaps(len(changes), permutations, seed):
        moved = np.tensordot(swaps.astype(np.float64), changes, 1)
        differences = subtract(reduce(before + moved), reduce(after - moved))
        for name in least:
            larger[name] += np.count_nonzero(np.abs(differences[name]) >= least[name], axis=0)
            drawn[name] += np.count_nonzero(~np.isnan(differences[name]), axis=0)
    return [{n: float(larger[n][i] / drawn[n][i]) for n in least} for i in range(len(pairs))]


def _swap_rarely(first: Sample, second: Sample, name: str, seed: int, level: float) -> float:
    """Return a p-value that may be far below 1 / permutations, by importance sampling.

    Units are swapped with such probabilities that differences are about as large as those with a
    p-value of ``level``. Weights make up for that, and the observed one counts (Harrison 2012).
    """
    from scipy.special import expit, ndtri

    before, after, reduce = first.sums, second.sums, first.reduce
    changes = _list_changes(first, second)
    middle = (before + after) / 2
    effects = subtract(reduce(middle - changes / 2), reduce(middle + changes / 2))[name]
    effects = np.nan_to_num(effects)  # of each unit on the difference
    effects = effects * -ndtri(level / 2) / (np.linalg.norm(effects) or 1)
    least = round_down(reduce(after)[name], reduce(before)[name])
    base = np.sum(_log_cosh(effects))
    larger = np.exp(base - _log_cosh(effects.sum()))
    for swaps in draws.swaps(len(changes), _RARE_SWAPS, seed, expit(-2 * effects)):
        moved = swaps.astype(np.float64) @ changes
        differences = subtract(reduce(before + moved), reduce(after - moved))[name]
        weights = np.exp(base - _log_cosh(np.where(swaps, -effects, effects).sum(axis=1)))
        larger += weights[np.abs(differences) >= least].sum()
    return min(1.0, float(larger) / (1 + _RARE_SWAPS))


def _log_cosh(values: Floats) -> Floats:
    result: Floats = np.logaddexp(values, -values) - np.log(2)
    return result


def subtract(before: Numbers, after: Numbers) -> dict[str, Floats]:
    """Return name → after minus before."""
    return {name: values - before[name] for name, values in after.items()}


def round_down(one: Floats, other: Floats) -> Floats:
    """Return the size of a difference, less what rounding may add to an equal one."""
    size: Floats = np.abs(one - other) - _ROUNDING * np.maximum(np.abs(one), np.abs(other))
    return size
