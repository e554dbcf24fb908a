import itertools
import math

import numpy as np
import pyarrow as pa
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import divergence, edit_columns, random_split


def subsets(**columns):
    return {name: pa.table({"x": rows}) for name, rows in columns.items()}


def pair(data, column="x", **options):
    (found,) = divergence(data, column, **{"permutations": 0, **options})["pairs"]
    return found


def kl(p, q, base):
    """Kullback–Leibler divergence of two distributions, word for word."""
    return sum(a * math.log(a / b, base) for a, b in zip(p, q, strict=True) if a > 0)


def distribution(counts, smoothing=0):
    total = sum(counts) + smoothing * len(counts)
    return [(count + smoothing) / total for count in counts]


NUMBERS = st.lists(st.floats(-50, 50), min_size=1, max_size=30)


@given(test=NUMBERS, train=NUMBERS, bins=st.integers(1, 8), smoothing=st.floats(0.01, 3))
def test_divergences_of_shared_bins_are_as_defined(test, train, bins, smoothing):
    data = subsets(train=train, test=test)
    found = divergence(data, "x", bins=bins, smoothing=smoothing, permutations=0)
    edges, counts = found["edges"], found["counts"]
    for name, values in (("test", test), ("train", train)):
        assert counts[name] == np.histogram(values, edges)[0].tolist()
    (measured,) = found["pairs"]
    assert (measured["first"], measured["second"]) == ("test", "train")
    p, q = (distribution(counts[name], smoothing) for name in ("test", "train"))
    assert measured["kl_bits"] == pytest.approx(kl(p, q, 2), abs=1e-9)
    assert measured["kl_reverse_bits"] == pytest.approx(kl(q, p, 2), abs=1e-9)
    p, q = (distribution(counts[name]) for name in ("test", "train"))
    middle = [(a + b) / 2 for a, b in zip(p, q, strict=True)]
    js = (kl(p, middle, 2) + kl(q, middle, 2)) / 2
    assert measured["js_divergence_bits"] == pytest.approx(js, abs=1e-9)
    assert 0 <= measured["js_divergence_bits"] <= 1


@given(test=NUMBERS, train=NUMBERS, bins=st.integers(1, 8))
def test_published_divergences_are_those_of_scipy(test, train, bins):
    from scipy import special
    from scipy.spatial import distance

    measured = pair(subsets(train=train, test=test), variant="paper", bins=bins)
    p, q = (np.histogram(values, bins)[0] / len(values) for values in (test, train))
    assert measured["kl_nats"] == pytest.approx(special.kl_div(p, q).sum(), abs=1e-9)
    assert measured["kl_reverse_nats"] == pytest.approx(special.kl_div(q, p).sum(), abs=1e-9)
    # scipy's root of a divergence of 1e-17 is 3e-9
    assert measured["js_distance_base2"] ** 2 == pytest.approx(
        distance.jensenshannon(p, q, base=2) ** 2, abs=1e-9
    )


@given(NUMBERS)
def test_identical_subsets_do_not_diverge(values):
    measured = pair(subsets(train=values, test=values), permutations=9)
    assert measured["kl_bits"] == measured["kl_reverse_bits"] == 0
    assert measured["js_divergence_bits"] == 0
    assert measured["p_value"] == 1


def test_disjoint_subsets_diverge_by_one_bit():
    measured = pair(subsets(train=[1.0] * 50, test=[9.0] * 20), permutations=99)
    assert measured["js_divergence_bits"] == 1
    assert measured["p_value"] == 0.01
    assert 0 < measured["random_split_js_divergence_bits"] < 0.1


def test_published_recipe_takes_disjoint_subsets_for_equal():
    data = subsets(train=[1.0, 2.0, 3.0], test=[101.0, 102.0, 103.0])
    assert pair(data, variant="paper")["kl_nats"] == 0
    assert pair(data)["js_divergence_bits"] == 1


def test_an_empty_bin_is_infinite_as_published_and_without_smoothing():
    data = subsets(train=[0.0, 0.0, 1.0], test=[0.0, 0.5, 1.0])
    assert pair(data, variant="paper")["kl_nats"] == math.inf
    assert pair(data, smoothing=0)["kl_bits"] == math.inf
    assert pair(data)["kl_bits"] < 2


def p_values(data, column):
    return [
        pair(random_split(data, seed), column, permutations=39, seed=seed)["p_value"]
        for seed in range(150)
    ]


def test_p_values_of_random_splits_are_uniform():
    generator = np.random.default_rng(0)
    data = subsets(train=generator.normal(size=300).tolist(), test=[0.0] * 100)
    found = np.array(p_values(data, "x"))
    for level in (0.1, 0.25, 0.5, 0.75):
        assert abs((found <= level).mean() - level) < 4 * math.sqrt(level * (1 - level) / 150)


@pytest.mark.parametrize("options", [{}, {"together": "source"}])
def test_rows_of_one_source_that_a_split_keeps_together_are_permuted_together(options):
    """Ten rows of a source are alike, so subsets of whole sources differ more than of rows."""
    rng = np.random.default_rng(0)
    values = np.repeat(rng.normal(size=40), 10).tolist()
    sources = np.repeat([f"source {i}" for i in range(40)], 10).tolist()
    data = DatasetDict({"train": Dataset.from_dict({"x": values, "source": sources})})
    p_values = [
        pair(
            random_split(data, seed, sizes=[0.7, 0.3], together="source"),
            permutations=39,
            seed=seed,
            **options,
        )["p_value"]
        for seed in range(40)
    ]
    assert np.mean(np.array(p_values) <= 0.05) <= 0.15


def test_rows_of_one_and_of_several_values_are_permuted_alike():
    rows = {"test": [[0], [1]], "train": [[0], [1, 1], [0, 1, 1]]}
    found = pair(subsets(**rows), bins=2, permutations=4_000)
    merged = [row for subset in rows.values() for row in subset]
    every = []
    for chosen in itertools.combinations(range(5), 2):
        p, q = (
            distribution([sum(merged[i].count(x) for i in part) for x in (0, 1)])
            for part in (chosen, set(range(5)) - set(chosen))
        )
        middle = [(x + y) / 2 for x, y in zip(p, q, strict=True)]
        every.append((kl(p, middle, 2) + kl(q, middle, 2)) / 2)
    expected = sum(value >= found["js_divergence_bits"] - 1e-12 for value in every) / len(every)
    assert found["random_split_js_divergence_bits"] == pytest.approx(np.mean(every), abs=0.01)
    assert found["p_value"] == pytest.approx(expected, abs=0.03)


def test_change_percentage_is_the_default():
    data = corpus()
    found = divergence(data, permutations=30)
    assert found["column"] == "change_percentage"
    assert found["edges"] == pytest.approx(np.linspace(0, 100, 11).tolist())
    annotated = data.map(edit_columns, batched=True)
    assert found == divergence(
        annotated, "change_percentage", bins=np.linspace(0, 100, 11), permutations=30
    )


def test_the_result_says_which_column_and_the_seed_decides_the_permutations():
    data = subsets(train=[0, 1, 1, 0], test=[0, 1])
    first, again, other = (divergence(data, "x", seed=seed, permutations=50) for seed in (1, 1, 2))
    assert (first["column"], first["variant"], first["seed"]) == ("x", "shared", 1)
    assert first == again
    assert first["pairs"] != other["pairs"]


def test_every_target_of_a_list_counts():
    data = DatasetDict(
        {
            "train": Dataset.from_dict({"source": ["a b"], "target": [["a b", "a", "x y"]]}),
            "test": Dataset.from_dict({"source": ["a b"], "target": [["a b", "x y"]]}),
        }
    )
    counts = divergence(data, permutations=0)["counts"]
    assert counts == {"test": [1] + [0] * 8 + [1], "train": [1, 0, 0, 0, 0, 1, 0, 0, 0, 1]}


@pytest.mark.parametrize(
    ("values", "categories"),
    [
        (["b", "a", "b"], ["a", "b"]),
        ([["b"], ["a"], ["b"]], ["a", "b"]),
        ([True, False, True], ["False", "True"]),
    ],
)
def test_strings_and_booleans_are_categories(values, categories):
    found = divergence(subsets(train=values, test=values[:1]), "x")
    assert found["categories"] == categories
    assert found["counts"] == {"test": [0, 1], "train": [1, 2]}
    assert "edges" not in found


GOOD = subsets(train=[1, 7], test=[1])


@pytest.mark.parametrize(
    ("data", "options", "place"),
    [
        (subsets(train=[1], test=["a"]), {}, "row 0 of column 'x' of subset 'test'"),
        (subsets(train=["a"], test=["a"]), {"variant": "paper"}, "row 0 of column 'x' of subset"),
        (subsets(train=[*map(str, range(1_001))], test=["0"]), {}, "^column 'x' has 1,001 "),
        (subsets(train=["a", None], test=["a"]), {}, "of column 'x' of subset 'test'"),
        (subsets(train=[[1], []], test=[[1]]), {}, "row 1 of column 'x' of subset 'train'"),
        (GOOD, {"bins": [0, 5]}, "column 'x' of subset 'train'"),
        *((GOOD, {"bins": bins}, "^bins: ") for bins in (0, [0, 0, 1], "ten")),
        (GOOD, {"variant": "own"}, "^variant: "),
        (GOOD, {"smoothing": -1}, "^smoothing: "),
        (GOOD, {"permutations": -1}, "^permutations: "),
        (GOOD, {"seed": "x"}, "^seed: "),
    ],
)
def test_what_is_wrong_is_told_with_its_place(data, options, place):
    with pytest.raises(InputError, match=place):
        divergence(data, "x", **options)
