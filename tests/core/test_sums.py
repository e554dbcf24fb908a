"""Sums of statistics: the same to the last bit, however examples are cut into pieces."""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from textsimp import InputError
from textsimp.core import significance, sums
from textsimp.core.metric import divide
from textsimp.core.sums import Joining, Sums, block_of, total

LARGEST = 2.0**40  # sums of a few thousand of them are exact
NUMBERS = st.one_of(
    st.integers(-(2**40), 2**40).map(float),
    st.floats(-LARGEST, LARGEST),
    st.floats(-1, 1),
    st.sampled_from([0.0, -0.0, 1 / 3, 1e-300, -5e-324, 2.0**-79, 0.5, 1.5, LARGEST + 0.1]),
)
ODD = st.sampled_from([math.nan, math.inf, -math.inf])


def joined(pieces: Iterable[Sums]) -> Sums:
    joining = Joining()
    for piece in pieces:
        joining.add(piece)
    return joining.sums()


@contextmanager
def limits(many: int, blocks: int) -> Iterator[None]:
    """Beyond so many examples the sums of so many blocks are kept."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sums, "MANY", many)
        patch.setattr(sums, "BLOCKS", blocks)
        patch.setattr(sums, "_ROWS_AT_ONCE", 8)
        yield


@st.composite
def cut(draw: Any, numbers: Any = NUMBERS) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Rows; and pieces of them, as first and end, in any order."""
    n, k = draw(st.integers(1, 40)), draw(st.integers(1, 3))
    rows = np.array(draw(st.lists(numbers, min_size=n * k, max_size=n * k))).reshape(n, k)
    cuts = sorted({0, n, *draw(st.lists(st.integers(0, n), max_size=6))})
    pieces = draw(st.permutations(list(itertools.pairwise(cuts))))
    return rows, pieces


def bits(values: np.ndarray) -> bytes:
    """The bytes of numbers; NaN is NaN, however it came to be."""
    return np.where(np.isnan(values), math.nan, values).tobytes()


@pytest.mark.parametrize("kept", [(100_000, 4096), (5, 4)], ids=["rows", "blocks"])
@given(given=cut())
def test_sums_and_what_is_drawn_are_bit_equal_however_rows_are_cut(kept: Any, given: Any) -> None:
    rows, pieces = given
    with limits(*kept):
        whole = joined([Sums.of(rows)])
        apart = joined(Sums.of(np.asfortranarray(rows[a:b]), a) for a, b in pieces)
        assert apart.ranges.tolist() == whole.ranges.tolist() == [[0, len(rows)]]
        assert len(apart) == len(rows)
        assert bits(apart.total) == bits(whole.total) == bits(total(rows))
        for one, other in zip(apart.units, whole.units, strict=True):
            assert (one is None) is (other is None)
            if one is not None and other is not None:
                assert bits(one) == bits(other)
        drawn = [significance.resampled(part, resamples=3, seed=1)[0] for part in (whole, apart)]
        assert bits(drawn[0]) == bits(drawn[1])


@given(cut(), st.randoms(use_true_random=False))
def test_the_order_of_rows_makes_no_difference_to_their_sum(given: Any, random: Any) -> None:
    rows, _ = given
    shuffled = rows[random.sample(range(len(rows)), len(rows))]
    assert bits(total(shuffled)) == bits(total(rows))


@given(cut(st.one_of(NUMBERS, ODD)))
@pytest.mark.filterwarnings("error")
def test_nan_and_infinity_stay_what_they_are_and_to_themselves(given: Any) -> None:
    rows, pieces = given
    with np.errstate(invalid="ignore"):  # ∞ − ∞
        found, expected = total(rows), rows.sum(axis=0)
    odd = ~np.isfinite(expected)
    assert bits(found[odd]) == bits(expected[odd])
    assert np.isfinite(found[~odd]).all()
    with np.errstate(invalid="ignore"):
        assert bits(joined(Sums.of(rows[a:b], a) for a, b in pieces).total) == bits(found)


@given(cut())
def test_a_sum_is_the_exact_one_but_for_the_last_step(given: Any) -> None:
    rows, _ = given
    for found, column in zip(total(rows).tolist(), rows.T.tolist(), strict=True):
        sizes = math.fsum(map(abs, column))
        assert abs(found - math.fsum(column)) <= 2 * math.ulp(sizes) + len(column) * 2.0**-79


@given(st.lists(st.integers(-(2**45), 2**45), min_size=1, max_size=50))
def test_a_sum_of_whole_numbers_is_exact(column: list[int]) -> None:
    assert total(np.array(column, np.float64)[:, None]).tolist() == [sum(column)]


@pytest.mark.parametrize("value", [1 / 3, 0.1, 0.5, 0.5 - 2.0**-54, 123456.789, 0.9999999999])
def test_parts_are_small_enough_for_the_sums_of_2_to_the_28_examples(value: float) -> None:
    parts = sums._parts(np.array([[value, -value]]))
    for part, grid in zip(parts, (1.0, *sums._GRIDS), strict=True):
        multiples = part / grid
        assert (multiples == np.rint(multiples)).all()
        if grid < 1:
            assert (np.abs(multiples) * 2.0**28 <= 2.0**53).all()
    assert abs(sum(float(part[0, 0]) for part in parts[::-1]) - value) <= 2.0**-79


def test_a_sum_of_many_more_rows_than_are_cut_at_once_is_exact() -> None:
    rows = np.full((2**18 + 1, 1), 0.1)  # of which plain summing is off by rounding
    assert total(rows)[0] == math.fsum(rows[:, 0].tolist())


class Pieces(RuleBasedStateMachine):
    """Pieces of any numbers, added in any order, are the same as all at once."""

    many, blocks = 12, 8

    @initialize()
    def set_limits(self) -> None:
        self.before = sums.MANY, sums.BLOCKS
        sums.MANY, sums.BLOCKS = self.many, self.blocks
        self.joining, self.rows = Joining(), dict[int, list[float]]()

    def teardown(self) -> None:
        if hasattr(self, "before"):
            sums.MANY, sums.BLOCKS = self.before

    @rule(numbers=st.sets(st.integers(0, 60), min_size=1, max_size=9), data=st.data())
    def add(self, numbers: set[int], data: Any) -> None:
        new = data.draw(st.permutations(sorted(numbers - {*self.rows})))
        if new:
            rows = np.array([[n / 7, n, 1] for n in new])
            self.rows |= zip(new, rows.tolist(), strict=True)
            self.joining.add(Sums.numbered(rows, np.array(new)))

    @rule()
    def add_sums_of_others(self) -> None:
        first = max(self.rows, default=0) + 3  # with a gap
        new = np.arange(first, first + self.many + 1)
        rows = np.array([[n / 7, n, 1] for n in new.tolist()])
        self.rows |= zip(new.tolist(), rows.tolist(), strict=True)
        self.joining.add(joined([Sums.of(rows[:5], first), Sums.of(rows[5:], first + 5)]))

    @precondition(lambda self: self.rows)
    @rule(data=st.data())
    def an_example_twice_is_refused(self, data: Any) -> None:
        twice = data.draw(st.sampled_from(sorted(self.rows)))
        again = joined([Sums.numbered(np.ones((1, 3)), np.array([twice]))])
        with pytest.raises(InputError, match=f"expected each row once, got row {twice} twice"):
            joined([self.joining.sums(), again])

    @precondition(lambda self: self.rows)
    @invariant()
    def all_is_as_at_once(self) -> None:
        numbers = sorted(self.rows)
        rows = np.array([self.rows[n] for n in numbers])
        at_once, found = Sums.numbered(rows, np.array(numbers)), self.joining.sums()
        assert found.ranges.tolist() == at_once.ranges.tolist()
        assert len(found) == len(rows)
        assert bits(found.total) == bits(at_once.total)
        assert bits(found.units[0]) == bits(at_once.units[0])
        if len(rows) > self.many:
            assert found.units[1] is not None
            assert found.units[1].sum() == len(rows)
        else:
            assert found.rows is not None
            assert bits(found.rows) == bits(rows)


TestPieces = Pieces.TestCase
TestPieces.settings = settings(max_examples=15, stateful_step_count=12)


def test_rows_of_a_single_piece_are_kept_however_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sums, "MANY", 3)
    rows = np.arange(10.0)[:, None]
    assert joined([Sums.of(rows)]).rows is rows
    assert joined([Sums.of(rows[:5]), Sums.of(rows[5:], 5)]).rows is None


@given(st.lists(st.integers(0, 9), min_size=2, max_size=9))
def test_a_number_that_stands_twice_in_a_piece_is_refused(numbers: list[int]) -> None:
    rows = np.zeros((len(numbers), 1))
    if len({*numbers}) == len(numbers):
        assert len(Sums.numbered(rows, np.array(numbers))) == len(numbers)
    else:
        with pytest.raises(InputError, match=r"expected each row once, got row \d twice"):
            Sums.numbered(rows, np.array(numbers))


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


@pytest.mark.parametrize("name", CORPORA)
def test_intervals_of_blocks_are_as_wide_as_those_of_examples(name: str, few: None) -> None:
    rows, reduce = CORPORA[name], reduce_for(name)
    of_blocks = reduce(significance.resampled(rows, resamples=2000, seed=1)[0])["score"]
    of_examples = reduce(significance.bootstrap(rows, 600, seed=2))["score"]
    assert of_blocks.std() == pytest.approx(of_examples.std(), rel=0.1)
    observed = float(reduce(rows.sum(axis=0))["score"])
    assert of_blocks.mean() == pytest.approx(observed, abs=4 * of_examples.std() / 2000**0.5)


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
    (drawn,) = significance.resampled(CORPORA["sum"], resamples=50, seed=0)
    assert (drawn[:, 1] == N).all()


@pytest.mark.parametrize("name", CORPORA)
@pytest.mark.parametrize("shift", [0, 1.5, 2.5, 30])
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


def test_intervals_of_blocks_cover_what_they_should(few: None) -> None:
    """Of a sorted, skewed variable, in 200 corpora."""
    rng, held, corpora = np.random.default_rng(5), 0, 200
    for seed in range(corpora):
        rows = np.stack([np.sort(rng.exponential(1, 4000)), np.ones(4000)], axis=1)
        (drawn,) = significance.resampled(rows, resamples=300, seed=seed)
        low, high = np.quantile(drawn[:, 0] / drawn[:, 1], [0.025, 0.975])
        held += low <= 1 <= high
    assert 0.90 <= held / corpora <= 0.99


def test_a_thousand_resamples_of_a_hundred_million_examples_take_seconds() -> None:
    sizes = RNG.poisson(1e8 / sums.BLOCKS, sums.BLOCKS).astype(np.float64)
    means = RNG.random(36) * 10
    both = []
    for _ in range(2):
        rows = sizes[:, None] * means + np.rint(RNG.normal(0, 300, (sums.BLOCKS, 36)))
        blocks = np.concatenate([rows, sizes[:, None]], axis=1)[None]
        both.append(Sums(np.array([[0, int(sizes.sum())]]), None, blocks))
    start = time.process_time()
    significance.paired(
        lambda totals: {"score": totals[..., 0] / totals[..., 1]},
        *both,
        confidence=0.95,
        resamples=1000,
        seed=0,
    )
    assert time.process_time() - start < 20  # a second or less on a quiet core
