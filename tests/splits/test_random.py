import json
import random
import subprocess
import sys
from collections import Counter

import numpy as np
import pyarrow as pa
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import assume, given, reject
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import balanced_split, divergence, drop_poor_alignments, random_split


def sizes(splits):
    return {name: len(subset) for name, subset in splits.items()}


def rows(splits):
    return sorted(tuple(row.values()) for subset in splits.values() for row in subset)


@given(
    st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=6), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    st.sampled_from(["numpy", "paper"]),
)
def test_every_row_is_in_one_subset_and_sizes_are_kept(texts, seed, variant):
    names = ["train", "test", "validation", "extra"]
    before = DatasetDict(
        {
            name: Dataset.from_dict({"text": subset})
            for name, subset in zip(names, texts, strict=False)
        }
    )
    after = random_split(before, seed, variant=variant)
    assert rows(after) == rows(before)
    assert sizes(after) == sizes(before)
    assert list(after) == list(before)


def test_the_published_variant_shuffles_test_validation_train():
    order = list(range(90))
    random.Random(155).shuffle(order)
    split = random_split(corpus(), 155, variant="paper")
    assert split["test"]["id"][:] == order[:10]
    assert split["validation"]["id"][:] == order[10:30]
    assert split["train"]["id"][:] == order[30:]


def test_the_numpy_variant_permutes_test_validation_train():
    order = np.random.default_rng(3).permutation(90).tolist()
    split = random_split(corpus(), 3)
    assert split["test"]["id"][:] == order[:10]
    assert split["train"]["id"][:] == order[30:]


def made_by_seed():
    """What each function with a seed makes of it."""
    data = corpus()
    made = [
        random_split(data, 7),
        balanced_split(data, seed=7, iterations=3000),
        balanced_split(data, seed=7, iterations=300, method="monte_carlo"),
        drop_poor_alignments(data, 0.2, mode="merged", seed=7).kept,
    ]
    ids = [[part["id"][:] for part in subsets.values()] for subsets in made]
    return json.dumps([ids, divergence(data, seed=7, permutations=50)["pairs"]])


def test_same_seed_gives_the_same_splits_in_another_process():
    code = "from tests.splits.test_random import made_by_seed; print(made_by_seed())"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == made_by_seed()


# Other sizes

VARIANTS = st.sampled_from(["numpy", "paper"])


def dataset(texts):
    return Dataset.from_dict({"text": list(texts), "id": list(range(len(texts)))})


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ([0.9, 0.1], {"train": 81, "test": 9}),
        ([0.9, 0.05, 0.05], {"train": 81, "validation": 5, "test": 4}),
        ([80, 4, 6], {"train": 80, "validation": 4, "test": 6}),
        ([None, 4, 6], {"train": 80, "validation": 4, "test": 6}),
        ([0.5, None], {"train": 45, "test": 45}),
        ({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4}, {"a": 9, "b": 18, "c": 27, "d": 36}),
        ((np.int64(89), np.int64(1)), {"train": 89, "test": 1}),
        ([np.float32(0.5), np.float64(0.5)], {"train": 45, "test": 45}),
    ],
)
def test_a_dataset_is_cut_at_the_sizes_given(asked, expected):
    data = dataset("ab" * 45)
    after = random_split(data, 5, sizes=asked)
    assert sizes(after) == expected
    assert list(after) == list(expected)
    assert rows(after) == rows({"all": data})


def test_subsets_are_merged_before_they_are_cut_at_other_sizes():
    order = np.random.default_rng(3).permutation(90).tolist()
    split = random_split(corpus(), 3, sizes=[0.5, 0.5])
    assert split["test"]["id"][:] == order[:45]
    assert split["train"]["id"][:] == order[45:]


@given(st.lists(st.integers(1, 100), min_size=2, max_size=5), st.integers(1, 10_000), st.data())
def test_shares_are_rounded_to_all_rows(parts, n, data):
    shares = {str(i): part / sum(parts) for i, part in enumerate(parts)}
    wanted = dict(shares)
    if data.draw(st.booleans()):
        wanted[data.draw(st.sampled_from(sorted(shares)))] = None
    assume(min(shares.values()) * n >= 1)
    found = sizes(random_split(Dataset.from_dict({"id": range(n)}), sizes=wanted))
    assert sum(found.values()) == n
    for name, share in shares.items():
        assert abs(found[name] - share * n) < 1


@pytest.mark.parametrize(
    ("options", "place"),
    [
        *(
            ({"sizes": sizes}, "^sizes: ")
            for sizes in (
                *("0.9,0.1", 0.9, [0.25] * 4, [None, None]),
                *([0.9, 10], [90, 0], [1.0, None], [float("nan"), 0.5], ["0.5", 0.5]),
                *([0.9, 0.2], [0.9, 0.2, None], [80, 9], [80, 11, None], [0.995, 0.005]),
            )
        ),
        ({"variant": "mt"}, "^variant: "),
        ({"together": "text"}, "'test'"),  # which is left without any
    ],
)
def test_what_is_wrong_is_told_with_its_place(options, place):
    with pytest.raises(InputError, match=place):
        random_split(dataset("ab" * 45), **{"sizes": [85, 5], **options})


# Equal rows together


@given(
    st.lists(st.sampled_from("aaaabbcdefghijklmnopqrstuvwxyz"), min_size=2, max_size=60),
    st.lists(st.integers(1, 20), min_size=2, max_size=4),
    st.integers(0, 2**32 - 1),
    VARIANTS,
)
def test_equal_rows_are_never_in_two_subsets_and_move_no_more_rows_than_they_must(
    texts, parts, seed, variant
):
    shares = {str(i): part / sum(parts) for i, part in enumerate(parts)}
    data = dataset(texts)
    assume(min(shares.values()) * len(texts) >= 1)
    asked = sizes(random_split(data, seed, variant=variant, sizes=shares))
    try:
        after = random_split(data, seed, variant=variant, sizes=shares, together="text")
    except InputError:
        reject()  # a subset would have no rows
    assert rows(after) == rows({"all": data})
    places = {(text, name) for name, subset in after.items() for text in subset["text"]}
    assert len(places) == len(set(texts))
    groups = Counter(texts)
    largest = max(groups.values())
    singles = sum(n for n in groups.values() if n == 1)
    for name, size in sizes(after).items():
        assert abs(size - asked[name]) < largest
        if singles >= len(parts) * (largest - 1):
            assert size == asked[name]


@given(st.integers(2, 60), st.integers(0, 2**32 - 1), VARIANTS)
def test_without_equal_rows_it_is_the_split_that_it_is_anyhow(n, seed, variant):
    data = dataset([f"text {i}" for i in range(n)])
    options = {"variant": variant, "sizes": [None, 1]}
    expected = random_split(data, seed, **options)
    found = random_split(data, seed, together="text", **options)
    for name, subset in expected.items():
        assert found[name]["id"][:] == subset["id"][:]


def test_every_subset_gets_its_share_of_equal_rows():
    texts = [str(i // 2) for i in range(200)] + [f"single {i}" for i in range(200)]
    in_test = 0
    data = {"all": pa.table({"text": texts})}
    for seed in range(100):
        test = random_split(data, seed, sizes=[0.75, 0.25], together="text")["test"]
        in_test += sum(not text.startswith("single") for text in test["text"].to_pylist())
    assert in_test / 100 == pytest.approx(50, abs=2)  # a quarter of 200; standard error 0.6
