import math
from fractions import Fraction

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


def test_splitmix64_is_the_published_one():
    """The first outputs of the C program with the seed 0, whose states are multiples of gamma."""
    states = np.arange(3, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    expected = [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F]
    assert draws.mix(states).tolist() == expected


def test_a_block_depends_on_the_number_of_a_row_only():
    numbers = np.arange(10**6, 10**6 + 50_000)
    blocks = draws.block_of(numbers)
    some = RNG.permutation(len(numbers))[:99]
    assert draws.block_of(numbers[some]).tolist() == blocks[some].tolist()
    assert blocks[:3].tolist() == [int(draws.mix(numbers)[i]) % 4096 for i in range(3)]


def test_blocks_have_every_row_once_and_vary_in_size_as_if_drawn():
    rows = np.stack([np.arange(10**6, dtype=float), np.ones(10**6)], axis=1)
    sums = draws.sum_blocks(rows, draws.block_of(np.arange(10**6)))
    assert sums.sum(axis=0).tolist() == rows.sum(axis=0).tolist()
    expected = 10**6 / 4096
    chi2 = ((sums[:, 1] - expected) ** 2 / expected).sum()
    assert abs(chi2 - 4095) < 4 * (2 * 4095) ** 0.5


NUMBERS = {
    "counts": lambda rng: rng.integers(0, 2**40, 1000).astype(float),
    "shares": lambda rng: rng.random(1000),
    "percentages, with signs": lambda rng: rng.normal(0, 100, 1000),
    "tiny": lambda rng: rng.random(1000) * 2.0 ** rng.integers(-90, -8, 1000),
    "everything": lambda rng: rng.normal(0, 1, 1000) * 2.0 ** rng.integers(-30, 22, 1000),
}


@given(st.sampled_from([*NUMBERS]), st.integers(0, 2**32))
def test_sums_of_blocks_have_the_same_bits_in_any_order_and_cut(kind, seed):
    rng = np.random.default_rng(seed)
    rows, blocks = NUMBERS[kind](rng)[:, None], rng.integers(0, 3, 1000)
    expected = draws.sum_blocks(rows, blocks)
    order = rng.permutation(1000)
    cuts = np.split(order, np.sort(rng.integers(0, 1000, 3)))
    parts = [part for cut in cuts for part in draws.sum_exactly(rows[cut], blocks[cut])]
    every = np.tile(np.arange(draws.BLOCKS), len(parts))
    assert draws.sum_blocks(np.vstack(parts), every).tolist() == expected.tolist()


@given(st.sampled_from([*NUMBERS]), st.integers(0, 2**32))
def test_sums_of_blocks_are_within_the_bound_of_exact_ones(kind, seed):
    """Half a unit in the last place of the sum and of its parts, and 2**-95 of small numbers."""
    rows = NUMBERS[kind](np.random.default_rng(seed))
    found = float(draws.sum_blocks(rows[:, None], np.zeros(1000, np.int64))[0, 0])
    exact = sum(map(Fraction, rows.tolist()))
    left_out = np.count_nonzero(np.abs(rows) < 2**-42) * Fraction(2) ** -95
    of_parts = Fraction(math.ulp(1000 * 2**-27)) / 2
    assert abs(Fraction(found) - exact) <= Fraction(math.ulp(found)) / 2 + of_parts + left_out


def test_the_largest_sums_of_blocks_are_exact():
    """As many rows as a block may have, next to the largest sum of numbers that aren't whole."""
    one = 127.99999999999999
    rows = np.full((2**20, 1), one)
    blocks = np.zeros(len(rows), np.int64)
    (found,) = (part[0, 0] for part in [draws.sum_blocks(rows, blocks)])
    assert found == float(Fraction(one) * 2**20)


@pytest.mark.slow
def test_the_standard_error_of_blocks_is_that_of_examples_to_1_1_percent():
    """1/√(2·4096) of it, over many orders of the same examples."""
    numbers = RNG.gamma(0.5, 1, 120_000)
    exact = numbers.std() * len(numbers) ** 0.5
    ratios = []
    for _ in range(30):
        rows = np.stack([RNG.permutation(numbers), np.ones(len(numbers))], axis=1)
        blocks, sizes = draws.sum_blocks(rows, draws.block_of(np.arange(len(rows)))).T
        residuals = blocks - sizes * numbers.mean()
        ratios.append(float(np.sqrt(residuals @ residuals)) / exact)
    assert np.mean(ratios) == pytest.approx(1, abs=0.008)
    assert np.std(ratios) == pytest.approx(1 / (2 * 4096) ** 0.5, rel=0.5)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holms_p_values_are_those_of_his_procedure(p_values):
    assert holm(p_values) == pytest.approx(tests.literal.holm.adjusted(p_values), abs=1e-12)
