"""Means over runs as papers printed them."""

from itertools import combinations

import textsimp


def test_muss_has_the_printed_mean_and_spread_of_five_runs(lines, corpus):
    sources, references = corpus("asset_test")
    runs = [lines(f"published/muss_asset/{i}.txt") for i in range(5)]
    found = textsimp.score({"MUSS": runs}, sources=sources, references=references)
    sari = found["MUSS"]["sari"].main
    assert (round(sari.value, 2), round(sari.spread, 2)) == (44.15, 0.56)  # Martin et al. 2022
    low, high = sari.interval
    assert low < 44.15 - 0.56 < 44.15 + 0.56 < high  # of examples, too


def test_two_groups_of_seeds_of_one_model_are_rarely_two_systems(lines, corpus):
    """The permutation test alone separates five of the ten ways to make two groups."""
    sources, references = corpus("asset_test")
    runs = {i: lines(f"published/muss_asset/{i}.txt") for i in range(5)}
    significant = []
    for pair in combinations(runs, 2):
        rest = [runs[i] for i in runs if i not in pair]
        groups = {"three": rest, "two": [runs[i] for i in pair]}
        found = textsimp.compare(groups, sources=sources, references=references)["sari"]
        if len(found.best) == 1:
            significant.append(pair)
    assert len(significant) <= 1
    assert (0, 2) not in significant
