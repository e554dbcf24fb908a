"""Groups of examples that readers may want to see first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from textsimp.core.metric import Floats

GROUPS = {
    "sampled": "Sampled at random",
    "disagree": "Systems disagree most",
    "best": "Best",
    "worst": "Worst",
    "compressed": "Most compressed",
    "paraphrased": "Most paraphrased",
    "split": "Most split",
    "errors": "Worst errors, by annotators",
}


@dataclass(frozen=True)
class Place:
    """The rank of an example in a group, from 1; the system is empty for groups about all."""

    group: str
    system: str
    rank: int


@dataclass(frozen=True)
class Features:
    """The values by which the examples of one system are chosen, (n,) each.

    Attributes:
        score: The higher, the better; None if nothing judges.
        compression: Characters per character of the source.
        novelty: Share of words that the source lacks.
        splits: Sentences per sentence of the source.
        errors: The worst label of annotators, gibberish as 3; None if there are none.
    """

    score: Floats | None
    compression: Floats
    novelty: Floats
    splits: Floats
    errors: Floats | None = None


def choose(systems: Mapping[str, Features], count: int, seed: int) -> dict[int, list[Place]]:
    """Choose examples of every group; ties go to the first.

    Args:
        systems: Name → features.
        count: How many of each group, for each system if the group is about one.
        seed: Seed of the random ones.

    Returns:
        Example → its places, in the order of examples.
    """
    scores = [features.score for features in systems.values() if features.score is not None]
    n = len(next(iter(systems.values())).compression)
    drawn = np.random.default_rng(seed).permutation(n)[:count]
    places: dict[int, list[Place]] = {}

    def add(group: str, system: str, examples: Iterable[int]) -> None:
        for rank, example in enumerate(examples, 1):
            places.setdefault(int(example), []).append(Place(group, system, rank))

    def add_most(group: str, system: str, values: Floats, above: float = -np.inf) -> None:
        order = np.argsort(-values, kind="stable")[:count]
        add(group, system, order[values[order] > above])

    add("sampled", "", np.sort(drawn))
    if len(scores) > 1:
        add_most("disagree", "", np.ptp(np.stack(scores), axis=0), 0)
    for name, features in systems.items():
        if features.score is not None:
            add_most("best", name, features.score)
            add_most("worst", name, -features.score)
        add_most("compressed", name, -features.compression, -1)
        add_most("paraphrased", name, features.novelty, 0)
        add_most("split", name, features.splits, 1)
        if features.errors is not None:
            add_most("errors", name, features.errors, 0)
    return dict(sorted(places.items()))


def order(places: Mapping[int, list[Place]], total: int) -> list[int]:
    """Order all examples: those of groups by their best rank, then the others."""
    chosen = sorted(places, key=lambda e: (min(place.rank for place in places[e]), e))
    return [*chosen, *(example for example in range(total) if example not in places)]
