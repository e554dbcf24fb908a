from __future__ import annotations

import itertools
import math
import signal
import statistics
from typing import Any

import numpy as np
import pytest
from datasets import Dataset, DatasetDict
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import (
    SearchInterrupted,
    annotate_edits,
    balance,
    balanced,
    balanced_split,
    monte_carlo_draw,
)

METHODS = ("local_search", "monte_carlo")
VARIANTS = ("rates", "paper")


def counts_of(n: int, operations: int = 3, seed: int = 0) -> NDArray[np.int64]:
    generator = np.random.default_rng(seed)
    means = generator.gamma(1, 5, (n, operations))
    return generator.poisson(means)


def rates_objective(counts: NDArray[np.int64], rows: list[NDArray[np.int64]]) -> float:
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


def paper_objective(counts: NDArray[np.int64], rows: list[NDArray[np.int64]]) -> float:
    """Standard deviation over subsets of the standard deviation over operations."""
    return statistics.pstdev(statistics.pstdev(counts[subset].sum(0).tolist()) for subset in rows)


LITERAL = {"rates": rates_objective, "paper": paper_objective}


def rounding_bound(counts: NDArray[np.int64], sizes: list[int]) -> float:
    """The least that whole operations allow: each subset's sums as near as integers get."""
    squares = []
    for size in sorted(sizes)[:-1]:
        wanted = counts.sum(0) * size / len(counts)
        squares += list(((np.round(wanted) - wanted) / wanted) ** 2)
    return math.sqrt(np.mean(squares))


@settings(max_examples=30)
@given(
    sizes=st.lists(st.integers(1, 8), min_size=2, max_size=4),
    seed=st.integers(0, 2**32 - 1),
    method=st.sampled_from(METHODS),
    variant=st.sampled_from(VARIANTS),
    highest=st.integers(0, 9),
)
def test_a_balance_is_a_partition_scored_as_defined(
    sizes: list[int], seed: int, method: str, variant: str, highest: int
) -> None:
    counts = np.random.default_rng(seed).integers(0, highest, (sum(sizes), 3), endpoint=True)
    found = balance(counts, sizes, method=method, variant=variant, iterations=40, seed=seed)
    assert [len(rows) for rows in found.rows] == sizes
    assert sorted(np.concatenate(found.rows)) == list(range(sum(sizes)))
    assert found.objective == pytest.approx(LITERAL[variant](counts, found.rows), abs=1e-9)
    assert found.iterations == 40


@pytest.mark.parametrize("variant", VARIANTS)
def test_monte_carlo_gives_the_best_draw_and_checkpoints(variant: str) -> None:
    counts, sizes = counts_of(200), [20, 30, 150]
    found = balance(
        counts,
        sizes,
        method="monte_carlo",
        variant=variant,
        iterations=70,
        checkpoint_every=30,
        seed=5,
    )
    draws = [monte_carlo_draw(sizes, 5, number) for number in range(70)]
    values = [LITERAL[variant](counts, rows) for rows in draws]
    assert found.objective == pytest.approx(min(values))
    assert [point.iterations for point in found.checkpoints] == [30, 60]
    assert [point.best for point in found.checkpoints] == [
        int(np.argmin(values[:seen])) for seen in (30, 60)
    ]


def test_checkpoints_keep_the_best_by_train_and_by_the_others() -> None:
    counts, sizes = counts_of(200), [20, 30, 150]
    found = balance(
        counts,
        sizes,
        method="monte_carlo",
        variant="paper",
        iterations=50,
        checkpoint_every=50,
    )
    spread = np.array(
        [
            [counts[rows].sum(0).std() for rows in monte_carlo_draw(sizes, 0, number)]
            for number in range(50)
        ]
    )
    (point,) = found.checkpoints
    assert point.best_train == spread[:, 2].argmin()
    assert point.best_held_out == (spread[:, :2] ** 2).sum(1).argmin()


def test_draws_depend_on_neither_blocks_nor_the_draws_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    counts, sizes = counts_of(300), [40, 60, 200]
    once = balance(counts, sizes, method="monte_carlo", iterations=100)
    monkeypatch.setattr(balanced, "_DRAWS", 7)
    again = balance(counts, sizes, method="monte_carlo", iterations=100, checkpoint_every=11)
    assert again.objective == once.objective
    for rows, expected in zip(again.rows, once.rows, strict=True):
        assert rows.tolist() == expected.tolist()


def test_draws_with_too_few_different_numbers_are_completed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(balanced, "_SPARE", 0)
    for number in range(50):
        rows = monte_carlo_draw([30, 30, 31], 1, number)
        assert [len(part) for part in rows] == [30, 30, 31]
        assert sorted(np.concatenate(rows)) == list(range(91))
    short = [monte_carlo_draw([30, 30, 31], 1, number)[0][:3].tolist() for number in (0, 1, 4)]
    assert short == [[21, 27, 54], [14, 69, 61], [50, 30, 15]]  # the same in every version


def test_draws_are_the_same_in_every_version() -> None:
    drawn = [monte_carlo_draw([2, 3, 15], seed=1, number=number)[:2] for number in (0, 1, 1_000)]
    assert [[rows.tolist() for rows in draw] for draw in drawn] == [
        [[7, 6], [12, 15, 18]],
        [[14, 4], [13, 9, 17]],
        [[11, 9], [7, 19, 15]],
    ]
    most = monte_carlo_draw([30, 30, 31], seed=1, number=1)
    assert [rows[:3].tolist() for rows in most[:2]] == [[37, 30, 36], [31, 35, 59]]
    large = monte_carlo_draw([40, 60, 900], seed=2, number=3)
    assert [rows[:3].tolist() for rows in large[:2]] == [[263, 993, 846], [553, 814, 599]]


def test_every_order_of_a_small_draw_is_equally_likely() -> None:
    draws = 6_000
    seen = dict.fromkeys(itertools.permutations(range(4), 2), 0)
    for number in range(draws):
        first, second, _ = monte_carlo_draw([1, 1, 2], 0, number)
        seen[int(first[0]), int(second[0])] += 1
    expected = draws / 12
    assert sum((times - expected) ** 2 / expected for times in seen.values()) < 31.3  # p = 0.001


def test_local_search_beats_the_best_of_many_draws() -> None:
    counts, sizes = counts_of(2_000), [50, 100, 1_850]
    local = balance(counts, sizes, iterations=20_000)
    drawn = balance(counts, sizes, method="monte_carlo", iterations=2_000)
    assert local.objective <= drawn.objective / 5


@pytest.mark.parametrize("seed", [0, 1])
def test_local_search_reaches_the_rounding_optimum_of_wikilarge_sizes(seed: int) -> None:
    sizes = [359, 992, 296_402]
    counts = counts_of(sum(sizes), seed=seed)
    found = balance(counts, sizes, iterations=100_000, seed=seed)
    assert found.objective == pytest.approx(rounding_bound(counts, sizes), rel=1e-6)


def test_published_objective_leaves_the_small_subsets_uneven() -> None:
    counts, sizes = counts_of(2_000), [50, 100, 1_850]
    published = balance(counts, sizes, variant="paper", iterations=50_000)
    at_random = monte_carlo_draw(sizes, 0, 0)
    assert rates_objective(counts, published.rows) > 2 * rates_objective(counts, at_random)


def interrupt(*_: Any) -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("method", METHODS)
def test_ctrl_c_returns_the_best_so_far(method: str) -> None:
    counts, sizes = counts_of(3_000), [50, 100, 2_850]
    before = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, 0.4)
    try:
        with pytest.warns(SearchInterrupted, match=r"Interrupted after [\d,]+ of 1,000,000,000 "):
            found = balance(counts, sizes, method=method, iterations=10**9)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert 0 < found.iterations < 10**9
    assert sorted(np.concatenate(found.rows)) == list(range(3_000))
    assert found.objective == pytest.approx(rates_objective(counts, found.rows))


@pytest.mark.parametrize("method", METHODS)
def test_dataset_dict_in_and_out(method: str) -> None:
    data = corpus(200, 40, 20)
    split = balanced_split(data, method=method, iterations=2_000)
    assert isinstance(split, DatasetDict)
    assert {n: len(s) for n, s in split.items()} == {n: len(s) for n, s in data.items()}
    assert sorted(i for subset in split.values() for i in subset["id"][:]) == list(range(260))
    assert split["test"].features == data["test"].features
    annotated = annotate_edits(data)
    names = ["insert", "delete", "replace"]
    merged = np.concatenate(
        [np.stack([annotated[s][n][:] for n in names], 1) for s in ("test", "validation", "train")]
    )
    rows = [np.array(split[s]["id"][:]) for s in ("test", "validation", "train")]
    before = [np.arange(20), np.arange(20, 60), np.arange(60, 260)]
    assert rates_objective(merged, rows) < rates_objective(merged, before) / 2


def test_columns_to_balance_can_be_named() -> None:
    data = annotate_edits(corpus(200, 40, 20))
    by_columns = balanced_split(data, columns=["insert", "delete", "replace"], iterations=2_000)
    by_texts = balanced_split(data, iterations=2_000)
    assert by_columns["test"]["id"][:] == by_texts["test"]["id"][:]


def test_columns_hold_numbers_from_0() -> None:
    with pytest.raises(InputError, match="'source': expected numbers from 0"):
        balanced_split(corpus(), columns=["source"])
    below = Dataset.from_dict({"n": [-1, 2]})
    with pytest.raises(InputError, match="'n': expected numbers from 0"):
        balanced_split({"train": below, "test": below}, columns=["n"])
    with pytest.raises(InputError, match="columns: expected at least one"):
        balanced_split(corpus(), columns=[])
    with pytest.raises(InputError, match="columns: expected at least one, in a list, got 'id'"):
        balanced_split(corpus(), columns="id")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"method": "best"}, "method: expected one of 'local_search', 'monte_carlo', got 'best'"),
        ({"variant": "kl"}, "variant: expected one of 'rates', 'paper', got 'kl'"),
        ({"iterations": 0}, "iterations: expected an integer of at least 1, got 0"),
        ({"iterations": True}, "iterations: expected an integer of at least 1, got True"),
        ({"iterations": 9.5}, "iterations: expected an integer of at least 1, got 9.5"),
        ({"seed": -1}, "seed: expected an integer from 0"),
    ],
)
def test_bad_options_are_errors(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=f"^{message}"):
        balanced_split(corpus(), **options)


# Edges


def test_an_operation_that_never_occurs_does_not_count() -> None:
    counts, sizes = np.array([[0, 4, 0], [0, 1, 0], [0, 1, 0], [0, 2, 0]]), [1, 3]
    found = balance(counts, sizes, iterations=1)
    assert found.objective == pytest.approx(rates_objective(counts, found.rows), abs=1e-12)
    assert found.objective in (1.0, 0.5, 0.0)
    assert balance(np.zeros((4, 3)), sizes, iterations=1).objective == 0


@pytest.mark.parametrize("sizes", [[5], [2, 2], [0, 5], [2.5, 2.5], [[2, 1], [2]], 5])
def test_sizes_are_whole_numbers(sizes: Any) -> None:
    with pytest.raises(InputError, match=r"sizes: expected two or more.* sum to the 5 rows"):
        balance(np.ones((5, 3)), sizes)


def test_sizes_of_a_draw_need_not_sum_to_anything_but_fit_a_machine() -> None:
    with pytest.raises(InputError, match=r"integers, each at least 1, got \[5\]"):
        monte_carlo_draw([5], 0, 0)
    with pytest.raises(InputError, match="sizes: expected two or more"):
        monte_carlo_draw([1, 2**31], 0, 0)


@pytest.mark.parametrize(
    "counts", [np.ones(2), np.ones((2, 0)), -np.ones((2, 2)), [["a"], ["b"]], [[1], [1, 2]]]
)
def test_counts_are_numbers(counts: Any) -> None:
    with pytest.raises(InputError, match="counts: expected numbers from 0 of shape"):
        balance(counts, [1, 1])


def test_checkpoints_are_at_least_a_draw_apart() -> None:
    options = {"method": "monte_carlo", "iterations": 3}
    assert len(balance(counts_of(9), [2, 7], checkpoint_every=1, **options).checkpoints) == 3
    with pytest.raises(InputError, match=r"^checkpoint_every: expected an integer of at least 1"):
        balance(counts_of(9), [2, 7], checkpoint_every=0, **options)
