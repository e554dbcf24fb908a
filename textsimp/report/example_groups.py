"""Groups of examples that readers may want to see first."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from textsimp.core.metric import Floats

GROUPS = {
    "sampled": "Sampled at random",
    "disagree": "Systems disagree most",
    "highest": "Highest score",
    "lowest": "Lowest score",
    "unchanged": "Unchanged",
    "fooled": "High score, but new facts",
    "compressed": "Most compressed",
    "paraphrased": "Most paraphrased",
    "split": "Most split",
    "errors": "Worst errors, by annotators",
}

NOTES = {
    "lowest": "unchanged outputs are a group of their own",
    "fooled": "scores of the highest third, with numbers, names, negations or words that neither "
    "the source nor a reference has",
}
"""Group → what readers should know of it."""

HIGH = 2 / 3  # share of scores that are lower than those of the group "fooled"

Groups = dict[tuple[str, str], list[int]]
"""Group and system (empty for groups about all) → examples by rank."""


@dataclass(frozen=True)
class Features:
    """The values by which the examples of one system are chosen, (n,) each."""

    score: Floats | None  # the higher, the better; None without a metric with a direction
    compression: Floats  # characters per character of the source
    novelty: Floats  # share of words that the source lacks
    splits: Floats  # sentences per sentence of the source
    copies: Floats  # 1 for outputs that are their source
    new_facts: Floats  # how much is new in outputs with a high score, 0 for the others
    errors: Floats | None = None  # the worst label of annotators, gibberish as 3


def choose(systems: Mapping[str, Features], count: int, seed: int) -> Groups:
    """Choose up to ``count`` examples for every group; ties go to the first."""
    scores = [features.score for features in systems.values() if features.score is not None]
    n = len(next(iter(systems.values())).compression)
    drawn = np.random.default_rng(seed).permutation(n)[:count]
    groups = {("sampled", ""): np.sort(drawn).tolist()}

    def add(group: str, system: str, values: Floats, above: float = -np.inf) -> None:
        order = np.argsort(-values, kind="stable")[:count]
        groups[group, system] = order[values[order] > above].tolist()

    if len(scores) > 1:
        add("disagree", "", np.ptp(np.stack(scores), axis=0), 0)
    for name, features in systems.items():
        if features.score is not None:
            add("highest", name, features.score)
            add("lowest", name, np.where(features.copies, -np.inf, -features.score))
        add("unchanged", name, features.copies, 0)
        add("fooled", name, features.new_facts, 0)
        add("compressed", name, -features.compression, -1)
        add("paraphrased", name, features.novelty, 0)
        add("split", name, features.splits, 1)
        if features.errors is not None:
            add("errors", name, features.errors, 0)
    return groups


def order(groups: Groups, total: int) -> list[int]:
    """Order all examples: those of groups by their best rank, then the others."""
    ranks: dict[int, int] = {}
    for examples in groups.values():
        for rank, example in enumerate(examples):
            ranks[example] = min(rank, ranks.get(example, rank))
    chosen = sorted(ranks, key=lambda example: (ranks[example], example))
    return [*chosen, *(example for example in range(total) if example not in ranks)]
