import itertools
import math
import statistics

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given
from hypothesis import strategies as st

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import balanced, balanced_split, edit_columns
from textsimp.splits.balanced import balance

METHODS = ("local_search", "monte_carlo")
VARIANTS = ("rates", "paper")


def counts_of(n, operations=3, seed=0):
    generator = np.random.default_rng(seed)
    means = generator.gamma(1, 5, (n, operations))
    return generator.poisson(means)


def rates_objective(counts, rows):
    """Root mean square relative error of operations per sentence, word for word."""
    largest = max(range(len(rows)), key=lambda s: (len(rows[s]), s))
    squares = []
    for s, subset in enumerate(rows):
        for operation in range(counts.shape[1]):
            overall = sum(counts[row, operation].item() for row in range(len(counts))) / len(counts)
            if s == largest or not overall:
                continue
            rate = sum(counts[row, operation].item() for row in subset) / len(subset)
            squares.append(((rate - overall) / overall) ** 2)
    return math.sqrt(sum(squares) / len(squares)) if squares else 0.0


def paper_objective(counts, rows):
    """Standard deviation over subsets of the standard deviation over operations."""
    return statistics.pstdev(statistics.pstdev(counts[subset].sum(0).tolist()) for subset in rows)


LITERAL = {"rates": rates_objective, "paper": paper_objective}


def rounding_bound(counts, sizes):
    """The least that whole operations allow: each subset's sums as near as integers get."""
    squares = []
    for size in sorted(sizes)[:-1]:
        wanted = counts.sum(0) * size / len(counts)
        squares += list(((np.round(wanted) - wanted) / wanted) ** 2)
    return math.sqrt(np.mean(squares))


@given(
    sizes=st.lists(st.integers(1, 8), min_size=2, max_size=4),
    seed=st.integers(0, 2**32 - 1),
    method=st.sampled_from(METHODS),
    variant=st.sampled_from(VARIANTS),
    highest=st.integers(0, 9),
)
def test_a_balance_is_a_partition_scored_as_defined(sizes, seed, method, variant, highest):
    counts = np.random.default_rng(seed).integers(0, highest, (sum(sizes), 3), endpoint=True)
    found = balance(counts, sizes, method=method, variant=variant, iterations=40, seed=seed)
    assert [len(rows) for rows in found.rows] == sizes
    assert sorted(np.concatenate(found.rows)) == list(range(sum(sizes)))
    assert found.objective == pytest.approx(LITERAL[variant](counts, found.rows), abs=1e-9)


@pytest.mark.parametrize("variant", VARIANTS)
def test_monte_carlo_keeps_the_best_draw(variant):
    counts, sizes = counts_of(200), [20, 30, 150]
    options = {"method": "monte_carlo", "variant": variant, "seed": 5}
    objectives = [balance(counts, sizes, iterations=n, **options).objective for n in (1, 70, 700)]
    assert objectives[0] > objectives[1] > objectives[2]


def test_draws_do_not_depend_on_blocks(monkeypatch):
    counts, sizes = counts_of(300), [40, 60, 200]
    once = balance(counts, sizes, method="monte_carlo", iterations=100)
    monkeypatch.setattr(balanced, "_DRAWS", 7)
    again = balance(counts, sizes, method="monte_carlo", iterations=100)
    assert again.objective == once.objective
    assert [rows.tolist() for rows in again.rows] == [rows.tolist() for rows in once.rows]


def test_every_order_of_a_small_draw_is_equally_likely():
    seen = dict.fromkeys(itertools.permutations(range(4), 2), 0)
    for seed in range(600):
        draw = balance(np.ones((4, 1)), [1, 1, 2], method="monte_carlo", iterations=1, seed=seed)
        first, second, _ = draw.rows
        seen[int(first[0]), int(second[0])] += 1
    assert sum((times - 50) ** 2 / 50 for times in seen.values()) < 31.3  # p = 0.001


def test_local_search_beats_the_best_of_many_draws():
    counts, sizes = counts_of(2_000), [50, 100, 1_850]
    local = balance(counts, sizes, iterations=20_000)
    drawn = balance(counts, sizes, method="monte_carlo", iterations=2_000)
    assert local.objective <= drawn.objective / 5


def test_local_search_reaches_the_rounding_optimum_of_wikilarge_sizes():
    sizes = [359, 992, 296_402]
    counts = counts_of(sum(sizes))
    found = balance(counts, sizes, iterations=100_000)
    assert found.objective == pytest.approx(rounding_bound(counts, sizes), rel=1e-6)


def test_published_objective_leaves_the_small_subsets_uneven():
    counts, sizes = counts_of(2_000), [50, 100, 1_850]
    published = balance(counts, sizes, variant="paper", iterations=50_000)
    at_random = balance(counts, sizes, iterations=1)
    assert rates_objective(counts, published.rows) > 2 * at_random.objective


@pytest.mark.parametrize("method", METHODS)
def test_dataset_dict_in_and_out(method):
    data = corpus(200, 40, 20)
    split = balanced_split(data, method=method, iterations=2_000)
    assert isinstance(split, DatasetDict)
    assert {n: len(s) for n, s in split.items()} == {n: len(s) for n, s in data.items()}
    assert sorted(i for subset in split.values() for i in subset["id"][:]) == list(range(260))
    assert split["test"].features == data["test"].features
    annotated = data.map(edit_columns, batched=True)
    names = ["insert", "delete", "replace"]
    merged = np.concatenate(
        [np.stack([annotated[s][n][:] for n in names], 1) for s in ("test", "validation", "train")]
    )
    rows = [np.array(split[s]["id"][:]) for s in ("test", "validation", "train")]
    before = [np.arange(20), np.arange(20, 60), np.arange(60, 260)]
    assert rates_objective(merged, rows) < rates_objective(merged, before) / 2


def test_columns_to_balance_can_be_named():
    data = corpus(200, 40, 20).map(edit_columns, batched=True)
    by_columns = balanced_split(data, columns=["insert", "delete", "replace"], iterations=2_000)
    by_texts = balanced_split(data, iterations=2_000)
    assert by_columns["test"]["id"][:] == by_texts["test"]["id"][:]


@pytest.mark.parametrize(
    ("options", "place"),
    [
        ({"columns": ["source"]}, "row 0 of column 'source'"),
        ({"columns": ["below"]}, "column 'below'"),
        ({"columns": ["id"], "together": "same"}, "leaves 'validation'"),
        *(({"columns": value}, "^columns: ") for value in ([], "id")),
        *(({"iterations": value}, "^iterations: ") for value in (0, True, 9.5)),
        ({"method": "best"}, "^method: "),
        ({"variant": "kl"}, "^variant: "),
        ({"seed": -1}, "^seed: "),
    ],
)
def test_what_is_wrong_is_told_with_its_place(options, place):
    data = corpus(2, 2, 2).map(lambda row: {"below": row["id"] - 1, "same": "x"})
    with pytest.raises(InputError, match=place):
        balanced_split(data, **options)


# Edges


def test_an_operation_that_never_occurs_does_not_count():
    counts, sizes = np.array([[0, 4, 0], [0, 1, 0], [0, 1, 0], [0, 2, 0]]), [1, 3]
    found = balance(counts, sizes, iterations=1)
    assert found.objective == pytest.approx(rates_objective(counts, found.rows), abs=1e-12)
    assert found.objective in (1.0, 0.5, 0.0)
    assert balance(np.zeros((4, 3)), sizes, iterations=1).objective == 0


# Equal rows together


def splits_of_groups(groups, subsets):
    """Every way to give whole groups to subsets, none of them empty."""
    found = []
    for subset in itertools.product(range(subsets), repeat=int(groups.max()) + 1):
        rows = [np.flatnonzero(np.array(subset)[groups] == s) for s in range(subsets)]
        found += [rows] if all(map(len, rows)) else []
    return found


@pytest.mark.parametrize(("method", "variant"), [*zip(METHODS, VARIANTS, strict=True)])
@pytest.mark.parametrize(
    ("of_groups", "sizes"),
    [
        ([3] * 7, [6, 15]),  # each source has three references
        ([1, 1, 1, 1, 2, 3], [2, 3, 4]),
        ([5, 1, 1, 1], [3, 5]),
        ([4, 4, 4], [5, 7]),  # no groups have these sizes
    ],
)
def test_a_balance_of_groups_is_the_best_of_all(method, variant, of_groups, sizes):
    groups = np.random.default_rng(1).permutation(np.repeat(np.arange(len(of_groups)), of_groups))
    counts = counts_of(len(groups), seed=2)

    def misfit(rows):
        return sum(abs(len(part) - size) for part, size in zip(rows, sizes, strict=True))

    every = splits_of_groups(groups, len(sizes))
    least = min(map(misfit, every))
    nearest = [rows for rows in every if misfit(rows) == least]
    iterations = 20_000 if method == "local_search" else 1_000
    options = {"method": method, "variant": variant, "iterations": iterations, "seed": 3}
    found = balance(counts, sizes, groups=groups, **options)
    assert misfit(found.rows) == least
    assert found.objective == pytest.approx(min(LITERAL[variant](counts, r) for r in nearest))
    assert found.objective == pytest.approx(LITERAL[variant](counts, found.rows))
    assert sorted(np.concatenate(found.rows)) == list(range(len(groups)))
    of_rows = [{*groups[part].tolist()} for part in found.rows]
    assert sum(map(len, of_rows)) == len(of_groups)


def test_a_balance_without_equal_rows_is_that_of_rows():
    counts = counts_of(40)
    for numbers in (np.arange(40), np.arange(40)[::-1] * 2):
        found = balance(counts, [10, 30], groups=numbers, iterations=500)
        expected = balance(counts, [10, 30], iterations=500)
        assert found.objective == expected.objective
        assert all(map(np.array_equal, found.rows, expected.rows))


def test_equal_sources_come_together_in_a_balanced_split():
    pairs = corpus(train=60, validation=20, test=10)
    data = DatasetDict(
        {
            name: Dataset.from_dict(
                {"source": part["source"][:] * 3, "target": [f"{t} x" for t in part["target"]] * 3}
            )
            for name, part in pairs.items()
        }
    )
    for seed in range(2):
        after = balanced_split(data, together="source", iterations=2000, seed=seed)
        assert {name: len(part) for name, part in after.items()} == {
            name: len(part) for name, part in data.items()
        }
        sources = [{*part["source"]} for part in after.values()]
        assert not any(one & other for one, other in itertools.combinations(sources, 2))
        again = balanced_split(data, together="source", iterations=2000, seed=seed)
        assert after["test"]["target"] == again["test"]["target"]
