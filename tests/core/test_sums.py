"""Sums of statistics: the same to the last bit, however examples are cut into pieces."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.core import significance, sums
from textsimp.core.metric import divide
from textsimp.core.sums import Sums, block_of, numbers_of, total

NUMBERS = st.one_of(
    st.integers(-(2**40), 2**40).map(float),
    st.floats(-(2.0**1000), 2.0**1000),
    st.floats(-1, 1),
    st.sampled_from([0.0, -0.0, 1 / 3, 1e-300, -5e-324, 2.0**-79, 0.5, 2.0**53, 2.0**60 + 2**9]),
)
ODD = st.sampled_from([math.nan, math.inf, -math.inf])


@st.composite
def shuffled(draw: Any, numbers: Any = NUMBERS) -> tuple[np.ndarray, np.ndarray]:
    """Rows, and their numbers in any order."""
    n, k = draw(st.integers(1, 40)), draw(st.integers(1, 3))
    rows = np.array(draw(st.lists(numbers, min_size=n * k, max_size=n * k))).reshape(n, k)
    first = draw(st.integers(0, 10**15))
    return rows, np.array(draw(st.permutations(range(first, first + n))))


def bits(values: np.ndarray) -> bytes:
    """The bytes of numbers; NaN is NaN, however it came to be."""
    return np.where(np.isnan(values), math.nan, values).tobytes()


@pytest.mark.parametrize("many", [100_000, 5], ids=["rows", "blocks"])
@given(given=shuffled())
def test_sums_and_what_is_drawn_dont_depend_on_the_order_of_examples(many: int, given: Any) -> None:
    rows, numbers = given
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "MANY", many)
        patch.setattr(sums, "BLOCKS", 4)
        whole = Sums.of(rows, int(numbers.min()))
        columns = rows[numbers - numbers.min()].T
        apart = Sums.of_columns(iter(columns), numbers)
        assert apart.ranges.tolist() == whole.ranges.tolist()
        assert (apart.rows is None) is (len(rows) > many)
        assert len(apart) == len(whole) == len(rows)
        assert bits(apart.total) == bits(whole.total) == bits(total(columns.T))
        for one, other in zip(apart.units, whole.units, strict=True):
            assert (one is None) is (other is None)
            if one is not None and other is not None:
                assert bits(one) == bits(other)
        drawn = [significance.resample(part, resamples=3, seed=1)[0] for part in (whole, apart)]
        assert bits(drawn[0]) == bits(drawn[1])


@given(shuffled(), st.data())
def test_sums_slice_by_slice_are_those_of_all_rows(given: Any, data: Any) -> None:
    rows, numbers = given
    first = int(numbers.min())
    cuts = [0, *sorted(data.draw(st.sets(st.integers(1, len(rows))))), len(rows)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "MANY", 0)
        patch.setattr(sums, "BLOCKS", 4)
        running = sums.RunningSums(first, len(rows))
        for start, end in itertools.pairwise(cuts):
            if start < end:
                running.add(slice(start, end), rows[start:end])
        whole, sliced = Sums.of(rows, first), running.sums()
        assert sliced.ranges.tolist() == whole.ranges.tolist()
        assert bits(sliced.total) == bits(whole.total)
        assert all(map(np.array_equal, sliced.units, whole.units))


@given(shuffled())
def test_sums_are_exact_and_rounded_once(given: Any) -> None:
    rows, numbers = given
    exact = [float(sum(map(Fraction, column))) for column in rows.T.tolist()]
    assert total(rows).tolist() == exact
    assert bits(total(rows)) == bits(np.array(exact) + 0.0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "MANY", 0)
        patch.setattr(sums, "BLOCKS", 4)
        blocks, sizes = Sums.of(rows, int(numbers.min())).units
    of = block_of(np.arange(numbers.min(), numbers.min() + len(rows))) * 4 // sums.BLOCKS
    expected = [rows[of == block] for block in range(4) if (of == block).any()]
    assert sizes is not None
    assert sizes.tolist() == [len(part) for part in expected]
    assert blocks.tolist() == [total(part).tolist() for part in expected]


@given(shuffled(st.one_of(NUMBERS, ODD)))
@pytest.mark.filterwarnings("error::RuntimeWarning")
def test_nan_and_infinity_stay_what_they_are_and_to_themselves(given: Any) -> None:
    rows, _ = given
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        found, expected = total(rows), rows.sum(axis=0)
    odd = ~np.isfinite(expected)
    assert bits(found[odd]) == bits(expected[odd])
    assert np.isfinite(found[~odd]).all()


def test_sums_of_many_rows_are_exact(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = np.full((2**18 + 1, 2), 0.1)  # of which plain summing is off by rounding
    rows[:, 1] = 2.0**40
    assert total(rows).tolist() == [math.fsum(rows[:, 0].tolist()), 2**40 * len(rows)]


@given(st.lists(st.integers(0, 30), min_size=1, max_size=30))
def test_ranges_are_runs_of_numbers_of_which_each_stands_once(numbers: list[int]) -> None:
    columns = [np.arange(len(numbers)) / 7]
    if len({*numbers}) == len(numbers):
        found = Sums.of_columns(columns, np.array(numbers))
        assert numbers_of(found.ranges).tolist() == sorted(numbers)
        assert (found.ranges[1:, 0] > found.ranges[:-1, 1]).all()
    else:
        with pytest.raises(InputError, match=r"expected each row once, got row \d+ twice"):
            Sums.of_columns(columns, np.array(numbers))


def test_blocks_are_of_about_the_same_size_whatever_numbers_have_in_common() -> None:
    for numbers in (np.arange(409_600), 10**15 + 4096 * np.arange(409_600)):
        sizes = np.bincount(block_of(numbers), minlength=4096)
        assert len(sizes) == 4096
        assert 55 < sizes.min() < sizes.max() < 155  # Poisson: 100 ± 4.5 standard deviations
        assert sizes.std() == pytest.approx(10, rel=0.1)


def test_blocks_are_the_published_generators() -> None:
    """The first outputs of SplitMix64 from 0 and 1234567: merged tomorrow as scored today."""
    first = [0xE220A8397B1DCDAF, 6457827717110365317]
    assert block_of(np.array([0, 1234567])).tolist() == [bits >> 52 for bits in first]


# Intervals and tests of blocks ----------------------------------------------------------------

N = 60_000
RNG = np.random.default_rng(4)
LENGTHS = RNG.integers(5, 40, N).astype(np.float64)
HITS = RNG.binomial(LENGTHS.astype(np.int64), 0.3).astype(np.float64)
TREND = np.sort(RNG.gamma(2, 1, N))
FAR = 1e6 + RNG.normal(0, 1, N)
CORPORA = {
    "ratio of counts": np.stack([HITS, LENGTHS], axis=1),
    "mean of a sorted corpus": np.stack([TREND, np.ones(N)], axis=1),
    "mean far from 0": np.stack([FAR, np.ones(N)], axis=1),
    "rare": np.stack([(RNG.random(N) < 0.003).astype(float), np.ones(N)], axis=1),
    "sum": np.stack([LENGTHS, np.ones(N)], axis=1),
}


SOME, *REST = CORPORA
NAMES = [SOME, *(pytest.param(name, marks=pytest.mark.slow) for name in REST)]


def reduce_for(name: str) -> Any:
    def reduce(totals: Any) -> dict[str, Any]:
        if name == "sum":
            return {"score": totals[..., 0]}
        return {"score": divide(totals[..., 0], totals[..., 1])}

    return reduce


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Beyond 1,000 examples blocks are drawn."""
    monkeypatch.setattr(sums, "MANY", 1000)
    return None


@pytest.mark.parametrize("name", NAMES)
def test_intervals_of_blocks_are_as_wide_as_those_of_examples(name: str, few: None) -> None:
    rows, reduce = CORPORA[name], reduce_for(name)
    of_blocks = reduce(significance.resample(rows, resamples=2000, seed=1)[0])["score"]
    of_examples = reduce(significance.bootstrap(rows, 600, seed=2))["score"]
    assert of_blocks.std() == pytest.approx(of_examples.std(), rel=0.1)
    observed = float(reduce(rows.sum(axis=0))["score"])
    assert of_blocks.mean() == pytest.approx(observed, abs=4 * of_examples.std() / 2000**0.5)


@pytest.mark.slow
def test_the_standard_error_of_blocks_is_that_of_examples_to_1_1_percent() -> None:
    """1/√(2·4096) of it, over many ways to put the same sorted examples into blocks."""
    rows = np.stack([np.sort(RNG.gamma(0.5, 1, 120_000)), np.ones(120_000)], axis=1)
    exact = rows[:, 0].std() * len(rows) ** 0.5
    ratios = []
    for first in range(0, 30 * 10**7, 10**7):
        blocks, sizes = Sums.of(rows, first).units
        assert sizes is not None
        residuals = blocks[:, 0] - sizes * rows[:, 0].mean()
        ratios.append(float(np.sqrt(residuals @ residuals)) / exact)
    assert np.mean(ratios) == pytest.approx(1, abs=0.008)
    assert np.std(ratios) == pytest.approx(1 / (2 * 4096) ** 0.5, rel=0.5)


def test_where_all_rows_have_a_1_the_totals_of_resamples_of_blocks_have_their_number(
    few: None,
) -> None:
    (drawn,) = significance.resample(CORPORA["sum"], resamples=50, seed=0)
    assert (drawn[:, 1] == N).all()


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shift", [0, 2.5, 30])
def test_p_values_of_blocks_are_those_of_examples(name: str, shift: float, few: None) -> None:
    rows, reduce = CORPORA[name], reduce_for(name)
    spread = rows[:, 0].std()
    noise = RNG.normal(0, spread, N)
    noise -= noise.mean()
    other = rows.copy()
    other[:, 0] += noise + shift * spread / N**0.5
    of_blocks = significance.paired_permutation(reduce, rows, other, 3000, seed=1)["score"]
    boot, _ = significance.paired_bootstrap(reduce, rows, other, 3000, seed=1)
    expected = math.erfc(shift / 2**0.5)  # the normal distribution's, of which both are samples
    for found in (of_blocks, boot["score"]):
        if shift == 30:
            assert found == 1 / 3001
        else:
            assert found == pytest.approx(expected, abs=0.01 + 4 * (expected / 3000) ** 0.5)


@pytest.mark.slow
def test_intervals_of_blocks_cover_what_they_should(few: None) -> None:
    """Of a sorted, skewed variable, in 200 corpora."""
    rng, held, corpora = np.random.default_rng(5), 0, 200
    for seed in range(corpora):
        rows = np.stack([np.sort(rng.exponential(1, 4000)), np.ones(4000)], axis=1)
        (drawn,) = significance.resample(rows, resamples=300, seed=seed)
        low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
        held += low <= 1 <= high
    assert 0.90 <= held / corpora <= 0.99
