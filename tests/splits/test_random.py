from __future__ import annotations

import json
import random
import subprocess
import sys

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import divergence, random_split, stability


def sizes(splits: DatasetDict) -> dict[str, int]:
    return {name: len(subset) for name, subset in splits.items()}


def rows(splits: DatasetDict) -> list[tuple[object, ...]]:
    return sorted(tuple(row.values()) for subset in splits.values() for row in subset)


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["numpy", "python"]),
)
def test_every_row_is_in_one_subset_and_sizes_are_kept(
    texts: list[list[str]], seed: int, generator: str
) -> None:
    names = ["train", "test", "validation", "extra"]
    before = DatasetDict(
        {
            name: Dataset.from_dict({"text": subset})
            for name, subset in zip(names, texts, strict=False)
        }
    )
    after = random_split(before, seed, generator=generator)
    assert rows(after) == rows(before)
    assert sizes(after) == sizes(before)
    assert list(after) == list(before)


def test_python_generator_shuffles_test_validation_train() -> None:
    order = list(range(90))
    random.Random(155).shuffle(order)
    split = random_split(corpus(), 155, generator="python")
    assert split["test"]["id"][:] == order[:10]
    assert split["validation"]["id"][:] == order[10:30]
    assert split["train"]["id"][:] == order[30:]


def test_numpy_generator_permutes_test_validation_train() -> None:
    order = np.random.default_rng(3).permutation(90).tolist()
    split = random_split(corpus(), 3)
    assert split["test"]["id"][:] == order[:10]
    assert split["train"]["id"][:] == order[30:]


@pytest.mark.parametrize("name", ["validation", "valid", "val", "dev"])
def test_validation_goes_by_several_names(name: str) -> None:
    data = corpus()
    renamed = DatasetDict({"train": data["train"], name: data["validation"], "test": data["test"]})
    assert random_split(renamed, 1)[name]["id"][:] == random_split(data, 1)["validation"]["id"][:]


def test_same_seed_gives_the_same_splits_in_another_process() -> None:
    code = (
        "import json\n"
        "from tests.splits.corpus import corpus\n"
        "from textsimp.splits import *\n"
        "data = corpus()\n"
        "random = random_split(data, 7)\n"
        "local = balanced_split(data, seed=7, iterations=3000)\n"
        "drawn = balanced_split(data, seed=7, iterations=300, method='monte_carlo')\n"
        "kept = drop_poor_alignments(data, 0.2, mode='merged', ties='random', seed=7).kept\n"
        "test = divergence(data, seed=7, permutations=50)['pairs']\n"
        "ids = [[s[n]['id'][:] for n in s] for s in (random, local, drawn, kept)]\n"
        "print(json.dumps([ids, test]))\n"
    )
    runs = [
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    first, second = (json.loads(run.stdout) for run in runs)
    assert first == second


def test_stability_gives_each_seeds_split_and_divergence() -> None:
    data = corpus()
    found = stability(data, seeds=(3, 4), permutations=20)
    assert list(found) == [3, 4]
    for seed, (splits, measured) in found.items():
        expected = random_split(data, seed, generator="python")
        assert splits["train"]["id"][:] == expected["train"]["id"][:]
        assert measured == divergence(expected, permutations=20)


def test_stability_of_a_column() -> None:
    data = corpus().map(lambda row: {"words": len(row["source"].split())})
    found = stability(data, seeds=(3,), column="words", generator="numpy", recipe="paper")
    assert found[3].divergence == divergence(random_split(data, 3), "words", recipe="paper")


def test_one_subset_is_too_few() -> None:
    with pytest.raises(InputError, match="DatasetDict of at least 2 subsets, got 1: 'train'"):
        random_split(DatasetDict({"train": corpus()["train"]}))
    with pytest.raises(InputError, match="DatasetDict of at least 2 subsets, got Dataset"):
        random_split(corpus()["train"])


def test_an_empty_subset_is_named() -> None:
    data = corpus()
    data["test"] = data["test"].select([])
    with pytest.raises(InputError, match="subset 'test' has no rows"):
        random_split(data)


def test_a_stream_cannot_be_shuffled() -> None:
    data = corpus()
    streamed = {name: subset.to_iterable_dataset() for name, subset in data.items()}
    with pytest.raises(InputError, match=r"'train' is an IterableDataset.*without streaming"):
        random_split(streamed)


def test_subsets_with_different_columns_are_named() -> None:
    data = corpus()
    data["test"] = data["test"].rename_column("target", "simple")
    with pytest.raises(
        InputError, match=r"merged: column 'simple' is .* in 'test' and missing in 'v"
    ):
        random_split(data)


@pytest.mark.parametrize("seed", [-1, 2**32, 1.5, "1", True, None])
def test_a_seed_is_an_integer_from_0(seed: object) -> None:
    with pytest.raises(InputError, match="seed: expected an integer from 0"):
        random_split(corpus(), seed)


def test_an_unknown_generator_is_an_error() -> None:
    with pytest.raises(InputError, match="generator: expected 'numpy' or 'python', got 'mt'"):
        random_split(corpus(), generator="mt")
