"""How often tests err, and intervals cover, in many made-up studies; see also tools/levels.py."""

import numpy as np
import pytest

from textsimp.core.run_sample import RunSample
from textsimp.core.sample import compare, means_of
from textsimp.core.significance import adjust

pytestmark = pytest.mark.slow
TRIES = 800
SAMPLING = {"confidence": 0.95, "resamples": 200}


def holds(interval, true):
    low, high = interval
    return low <= true <= high


# Two systems, of which the second may lack numbers


def none(rng, ease):
    return np.zeros(len(ease), bool)


def any_of(share):
    return lambda rng, ease: rng.random(len(ease)) < share


def hardest(share):
    return lambda rng, ease: ease <= np.quantile(ease, share)


def differences(rng, n, gaps, effect=0):
    """Yield the second of two systems minus the first, on n examples of which each has an ease."""
    for seed in range(10 * TRIES):
        ease = rng.normal(size=n)
        before, after = ease + rng.normal(size=(2, n)) + [[0], [effect]]
        after[gaps(rng, ease)] = np.nan
        samples = {0: means_of({"mean": before}), 1: means_of({"mean": after})}
        test = compare(samples, **SAMPLING, seed=seed)[0, 1]["mean"]
        if test.permutation_p is not None:
            yield test


@pytest.mark.parametrize(
    ("n", "gaps"),
    [(10, none), (20, hardest(0.5)), (60, any_of(0.5)), (120, hardest(0.9))],
    ids=["10", "10, the hardest half missing", "30 of 60", "12, the hardest missing"],
)
def test_equal_systems_rarely_differ(n, gaps):
    found = differences(np.random.default_rng(0), n, gaps)
    errors = [test.permutation_p <= 0.05 for test, _ in zip(found, range(TRIES), strict=False)]
    assert len(errors) == TRIES
    assert 0.03 <= np.mean(errors) <= 0.07


@pytest.mark.parametrize("gaps", [none, any_of(0.5), hardest(0.5)])
def test_intervals_of_differences_cover_the_true_one(gaps):
    found = differences(np.random.default_rng(1), 80, gaps, effect=0.5)
    covered = [holds(test.interval, 0.5) for test, _ in zip(found, range(TRIES), strict=False)]
    assert 0.92 <= np.mean(covered) <= 0.97


# Two systems of several runs


def run_scores(rng, n, runs, spread, effect=0.0):
    """Several runs of two systems whose means over all runs differ by an effect."""
    ease = rng.normal(size=n)
    of_runs = spread * rng.normal(size=(2, runs, 1)) + rng.normal(size=(2, runs, n)) + ease
    of_runs[1] += effect
    return [RunSample.of([means_of({"mean": run}) for run in system]) for system in of_runs]


def compare_runs(first, second, seed):
    return adjust(compare({0: first, 1: second}, **SAMPLING, seed=seed))[0, 1]["mean"]


@pytest.mark.parametrize(("n", "runs"), [(20, 2), (60, 5)])
def test_equal_runs_rarely_differ(n, runs):
    rng = np.random.default_rng(2)
    found = [compare_runs(*run_scores(rng, n, runs, 0), seed) for seed in range(TRIES)]
    assert 0.03 <= np.mean([test.permutation_p <= 0.05 for test in found]) <= 0.07


@pytest.mark.parametrize("spread", [0.05, 0.2])
@pytest.mark.parametrize("runs", [2, 3, 5])
def test_systems_of_runs_rarely_differ_significantly(runs, spread):
    """Runs vary, their systems don't; the permutation test alone errs up to five times as often."""
    rng = np.random.default_rng(4)
    found = [compare_runs(*run_scores(rng, 100, runs, spread), seed) for seed in range(TRIES // 2)]
    assert np.mean([test.is_significant(0.95) for test in found]) <= 0.07
    alone = np.mean([test.permutation_p < 0.05 for test in found])
    assert alone > 0.1 or spread < 0.2


@pytest.mark.parametrize(
    ("runs", "spread", "least", "most"),
    [(2, 0.6, 0.92, 1), (3, 0.6, 0.92, 0.98), (5, 0.6, 0.92, 0.98), (5, 0, 0.95, 1)],
)
def test_intervals_over_examples_and_runs_cover_the_true_difference(runs, spread, least, most):
    """More often if runs differ by examples only."""
    rng, covered, of_examples = np.random.default_rng(3), [], []
    for seed in range(TRIES // 3):
        first, second = run_scores(rng, 60, runs, spread, effect=0.3)
        covered.append(holds(compare_runs(first, second, seed).interval, 0.3))
        of_examples.append(holds(compare_runs(first.paired, second.paired, seed).interval, 0.3))
    assert least <= np.mean(covered) <= most
    assert (np.mean(of_examples) < 0.4) == (spread > 0)


# Means of a system


def coverage(tries, draw, true, largest=None):
    """How often 95 % intervals of a mean hold the true one."""
    rng, covered = np.random.default_rng(6), 0
    for seed in range(tries):
        sample = means_of({"mean": draw(rng)}, largest)
        interval = sample.interval(confidence=0.95, resamples=1000, seed=seed)["mean"]
        covered += holds(interval, true)
    return covered / tries


@pytest.mark.parametrize("n", [10, 20, 40])
def test_intervals_of_few_examples_cover_the_true_mean(n):
    assert 0.92 <= coverage(TRIES, lambda rng: rng.normal(size=n), 0) <= 0.97


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("n", [10, 20, 30, 50])
def test_intervals_of_few_skewed_examples_cover_the_true_mean(n, sign):
    """Log-normal; percentiles alone cover 84 % at 10. The simulation may be wrong by 2 %."""
    true = sign * np.exp(0.5)
    assert coverage(TRIES, lambda rng: sign * rng.lognormal(size=n), true) >= 0.9


@pytest.mark.parametrize(
    ("share", "n"), [(0.01, 55), (0.02, 24), (0.02, 50), (0.1, 20), (0.5, 12), (0.01, 300)]
)
def test_intervals_of_shares_cover_the_true_one(share, n):
    assert coverage(TRIES, lambda rng: rng.random(n) < share, share, {"mean": 1.0}) >= 0.92


def coverage_of_many_rows(tries, n=25_000):
    """Of 4,096 blocks of skewed rows, in sorted corpora."""
    return coverage(tries, lambda rng: np.sort(rng.exponential(1, n)), 1)


def test_intervals_of_many_rows_cover_the_true_mean():
    """As often as in 2,000 tries, which docs/scale.md has, but for chance."""
    assert coverage_of_many_rows(tries=150) == pytest.approx(0.95, abs=0.05)
