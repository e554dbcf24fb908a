"""Intervals and tests of many examples, of which random blocks are drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from textsimp.core import significance
from textsimp.core.metric import divide

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
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond 1,000 examples blocks are drawn."""
    monkeypatch.setattr(significance, "MANY", 1000)


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
    """1/√(2·4096) of it, over many orders of the same examples."""
    numbers = RNG.gamma(0.5, 1, 120_000)
    exact = numbers.std() * len(numbers) ** 0.5
    ratios = []
    for _ in range(30):
        rows = np.stack([RNG.permutation(numbers), np.ones(len(numbers))], axis=1)
        blocks, sizes = significance.sum_blocks(rows).T
        residuals = blocks - sizes * numbers.mean()
        ratios.append(float(np.sqrt(residuals @ residuals)) / exact)
    assert np.mean(ratios) == pytest.approx(1, abs=0.008)
    assert np.std(ratios) == pytest.approx(1 / (2 * 4096) ** 0.5, rel=0.5)


def test_blocks_are_of_one_size_and_have_every_example_once() -> None:
    rows = np.stack([np.arange(10_000.0), np.ones(10_000)], axis=1)
    blocks = significance.sum_blocks(rows)
    assert {*blocks[:, 1]} == {2.0, 3.0}
    assert blocks.sum(axis=0).tolist() == rows.sum(axis=0).tolist()


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
