"""Groups of examples that readers may want to see first."""

from collections.abc import Mapping

import numpy as np

from textsimp.core.metric import Floats

GROUPS = {
    "sampled": "Sampled at random",
    "disagree": "Systems disagree most",
    "highest": "Highest score",
    "lowest": "Lowest score",
    "unchanged": "No word changed",
    "compressed": "Most compressed",
    "paraphrased": "Most paraphrased",
    "split": "Most split",
    "errors": "Worst errors, by annotators",
}

NOTES = {
    "lowest": "outputs in which no word changed are a group of their own",
    "unchanged": "case and spaces may differ",
}
"""Group → what readers should know of it."""

_LEAST = dict.fromkeys(("disagree", "unchanged", "paraphrased", "errors"), 0.0)
_LEAST |= {"compressed": -1, "split": 1}
"""Group → what the values of its examples are above."""

Groups = dict[tuple[str, str], list[int]]
"""Group and system (empty for groups about all) → examples by rank."""


def choose(values: Mapping[tuple[str, str], Floats], total: int, count: int, seed: int) -> Groups:
    """Choose up to ``count`` examples with the highest values of each group; ties go to the first.

    ``values`` are (n,) for each group and system (empty for a group about all). A sample of all
    examples is a group, too.
    """
    drawn = np.random.default_rng(seed).permutation(total)[:count]
    groups = {("sampled", ""): np.sort(drawn).tolist()}
    for (group, system), of_group in values.items():
        best = np.argsort(-of_group, kind="stable")[:count]
        groups[group, system] = best[of_group[best] > _LEAST.get(group, -np.inf)].tolist()
    return groups


def order(groups: Groups, total: int) -> list[int]:
    """Order all examples: those of groups by their best rank, then the others."""
    ranks: dict[int, int] = {}
    for examples in groups.values():
        for rank, example in enumerate(examples):
            ranks[example] = min(rank, ranks.get(example, rank))
    chosen = sorted(ranks, key=lambda example: (ranks[example], example))
    return [*chosen, *(example for example in range(total) if example not in ranks)]
