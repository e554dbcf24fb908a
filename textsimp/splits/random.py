"""Random splits: merge all subsets, shuffle, recut at the sizes they had.

Vásquez-Rodríguez et al. 2021 (Findings of ACL-IJCNLP) show that a model's SARI depends on the split
by up to seven points, and compare the published split with five random ones.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from textsimp.splits.divergence import Recipe, check_options, compare
from textsimp.splits.pairs import concatenate, measured
from textsimp.splits.subsets import (
    check_choice,
    check_seed,
    check_subsets,
    cut,
    recut,
    sizes_of,
)
from textsimp.text.alignment import Path

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict
    from numpy.typing import NDArray

Generator = Literal["numpy", "python"]


class RandomSplit(NamedTuple):
    """A random split, and how far its subsets differ (as `divergence` returns it)."""

    splits: DatasetDict
    divergence: dict[str, Any]


def random_split(
    dataset_dict: Mapping[str, Dataset], seed: int = 0, *, generator: Generator = "numpy"
) -> DatasetDict:
    """Merge all subsets, shuffle the rows and recut them at the original sizes.

    Subsets are merged in the order test, validation (or valid, val, dev), others, train.

    Args:
        dataset_dict: Two or more subsets with the same columns.
        seed: Integer from 0 below 2³².
        generator: ``"numpy"``: ``numpy.random.default_rng(seed).permutation``; ``"python"``:
            ``random.Random(seed).shuffle``, which gives the splits of the paper.

    Returns:
        Subsets of the same names and sizes; every row is in exactly one of them.

    Raises:
        InputError: Fewer than two subsets, an empty one, different columns, or bad options.
    """
    check_choice("generator", generator, ("numpy", "python"))
    check_seed(seed)
    subsets = check_subsets(dataset_dict, mergeable=True)
    return recut(dataset_dict, _cut_at_random(sizes_of(subsets), seed, generator))


def stability(
    dataset_dict: Mapping[str, Dataset],
    seeds: Sequence[int] = (155, 324, 393, 728, 989),
    column: str | None = None,
    *,
    generator: Generator = "python",
    source: str = "source",
    target: str = "target",
    path: Path = "paper",
    recipe: Recipe = "shared",
    permutations: int = 1000,
) -> dict[int, RandomSplit]:
    """Split at random with several seeds, and see how far the subsets differ each time.

    With the defaults these are the five random splits of Vásquez-Rodríguez et al. 2021. Training on
    each of them shows how much of a score is due to the split.

    Args:
        dataset_dict: Two or more subsets with the same columns.
        seeds: Integers from 0 below 2³².
        column: Whose distribution to compare; ``None``: the change percentage.
        generator: As for `random_split`.
        source: Column of strings, if ``column`` is ``None``.
        target: Column of strings or lists of strings, if ``column`` is ``None``.
        path: Which of the shortest edit paths, see `edit_columns`.
        recipe: As for `divergence`.
        permutations: As for `divergence`.

    Returns:
        For every seed, the split and its divergence.

    Raises:
        InputError: As `random_split` and `divergence`.
    """
    check_choice("generator", generator, ("numpy", "python"))
    check_options(recipe, 10, 0.0, permutations)
    for seed in seeds:
        check_seed(seed)
    subsets = check_subsets(
        dataset_dict, *([source, target] if column is None else [column]), mergeable=True
    )
    values = concatenate(list(measured(subsets, column, source, target, path).values()))
    found = {}
    for seed in seeds:
        rows = _cut_at_random(sizes_of(subsets), seed, generator)
        found[seed] = RandomSplit(
            recut(dataset_dict, rows),
            compare(
                {name: values.take(taken) for name, taken in rows.items()},
                column,
                recipe=recipe,
                permutations=permutations,
            ),
        )
    return found


def _cut_at_random(
    sizes: Mapping[str, int], seed: int, generator: Generator
) -> dict[str, NDArray[np.int64]]:
    total = sum(sizes.values())
    if generator == "python":
        order = list(range(total))
        random.Random(seed).shuffle(order)
        return cut(np.array(order), sizes)
    return cut(np.random.default_rng(seed).permutation(total), sizes)
