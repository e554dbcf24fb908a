import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tests.literal.holm
from textsimp.core import draws
from textsimp.core.significance import holm

N = 40
RNG = np.random.default_rng(4)


def test_a_resample_is_as_many_units_drawn_with_replacement():
    drawn = np.concatenate([counts[""] for counts in draws.draw({"": N}, 5000, 0)])
    assert drawn.shape == (5000, N)
    assert (drawn.sum(axis=1) == N).all()
    # Binomial(n, 1/n) per unit, with little covariance between two
    assert np.abs(drawn.mean(axis=0) - 1).max() < 0.06
    assert np.abs(drawn.var(axis=0) - (1 - 1 / N)).max() < 0.12
    covariance = np.cov(drawn, rowvar=False)
    assert np.abs(covariance[~np.eye(N, dtype=bool)] + 1 / N).max() < 0.08


def test_kinds_are_drawn_apart():
    drawn = [*draws.draw({"item": 6, "rater": 3}, 3000, 0)]
    items, raters = (np.concatenate([one[kind] for one in drawn]) for kind in ("item", "rater"))
    assert (items.sum(axis=1) == 6).all()
    assert (raters.sum(axis=1) == 3).all()
    assert np.abs(np.corrcoef(items[:, 0], raters[:, 0])[0, 1]) < 0.07


def test_the_first_kind_is_drawn_as_if_alone_however_many_at_once():
    (alone,) = draws.draw({"item": 6}, 20, 0)
    several = [*draws.draw({"item": 6, "rater": 3}, 20, 0, at_once=7)]
    assert [len(one["item"]) for one in several] == [7, 7, 6]
    assert np.concatenate([one["item"] for one in several]).tolist() == alone["item"].tolist()
    (raters,) = (one["rater"] for one in draws.draw({"item": 6, "rater": 3}, 20, 0))
    assert np.concatenate([one["rater"] for one in several]).tolist() == raters.tolist()


def test_units_are_drawn_within_their_strata():
    strata = np.array([0, 1, 0, 1, 1])
    (drawn,) = (counts[""] for counts in draws.draw({"": 5}, 64, 0, strata))
    assert (drawn[:, strata == 0].sum(axis=1) == 2).all()
    assert (drawn[:, strata == 1].sum(axis=1) == 3).all()
    assert {*drawn[:, 0]} == {0, 1, 2}


@pytest.mark.parametrize("size", [0, 1, 2, 5, 9])
def test_few_units_are_swapped_in_all_ways_but_none(size):
    swaps = [row.tolist() for part in draws.swaps(size, 2**size, 0) for row in part]
    assert len({*map(tuple, swaps)}) == len(swaps) == 2**size - 1
    assert all(map(any, swaps))


def test_blocks_are_of_one_size_and_have_every_row_once():
    rows = np.stack([np.arange(10_000.0), np.ones(10_000)], axis=1)
    blocks = draws.sum_blocks(rows)
    assert {*blocks[:, 1]} == {2.0, 3.0}
    assert blocks.sum(axis=0).tolist() == rows.sum(axis=0).tolist()


@pytest.mark.slow
def test_the_standard_error_of_blocks_is_that_of_examples_to_1_1_percent():
    """1/√(2·4096) of it, over many orders of the same examples."""
    numbers = RNG.gamma(0.5, 1, 120_000)
    exact = numbers.std() * len(numbers) ** 0.5
    ratios = []
    for _ in range(30):
        rows = np.stack([RNG.permutation(numbers), np.ones(len(numbers))], axis=1)
        blocks, sizes = draws.sum_blocks(rows).T
        residuals = blocks - sizes * numbers.mean()
        ratios.append(float(np.sqrt(residuals @ residuals)) / exact)
    assert np.mean(ratios) == pytest.approx(1, abs=0.008)
    assert np.std(ratios) == pytest.approx(1 / (2 * 4096) ** 0.5, rel=0.5)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holms_p_values_are_those_of_his_procedure(p_values):
    assert holm(p_values) == pytest.approx(tests.literal.holm.adjusted(p_values), abs=1e-12)
