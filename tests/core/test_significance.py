from __future__ import annotations

import itertools
import math
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from tests.literal import holm as literal
from textsimp import InputError
from textsimp.core import significance
from textsimp.core.significance import Difference

RNG = np.random.default_rng(20)
N = 40
SCORES = RNG.integers(0, 100, N).astype(float)
OTHERS = np.clip(SCORES + RNG.integers(-20, 32, N), 0, 100)


def with_count(scores: np.ndarray) -> np.ndarray:
    """Statistics whose reduction is the mean: the scores and a column of ones."""
    return np.stack([scores, np.ones(len(scores))], axis=1)


def mean(totals: np.ndarray) -> dict[str, np.ndarray]:
    return {"mean": totals[..., 0] / totals[..., 1]}


def agree(share: float, expected: float, draws: int) -> bool:
    """Two shares of random draws differ by less than four standard errors."""
    return abs(share - expected) < 4 * math.sqrt(2 * max(expected * (1 - expected), 0.01) / draws)


# Power


def test_what_is_detectable_is_found_in_four_of_five_tries() -> None:
    """Normal differences of any spread, by the paired t-test."""
    from scipy import stats

    rng = np.random.default_rng(0)
    first, second = rng.normal(50, 10, (2, 200))
    given = [with_count(one) for one in (first, second)]
    options: dict[str, Any] = {"resamples": 2000, "seed": 0}
    for confidence in (0.8, 0.95, 0.99):
        found = significance.compute_differences(mean, *given, confidence=confidence, **options)
        smallest = significance.detectable(found["mean"].interval, confidence)
        assert smallest is not None
        if confidence == 0.95:
            error = np.std(second - first) / math.sqrt(200)
            assert smallest == pytest.approx(2.80 * error, rel=0.06)
        tries = rng.normal(smallest, np.std(second - first), (2000, 200))
        p_values = stats.ttest_1samp(tries, 0, axis=1).pvalue
        assert np.mean(p_values < 1 - confidence) == pytest.approx(0.8, abs=0.06)


def test_nothing_is_detectable_where_resamples_do_not_differ() -> None:
    for interval in ([1.0, 1.0], [1.0, 1 + 1e-15], [math.nan, math.nan]):
        assert significance.detectable(interval, 0.95) is None
    for confidence in (1e-17, 1 - 1e-16):
        size = significance.detectable([0, 1], confidence)
        assert size is None or size > 0


# Bootstrap


def test_a_resample_is_as_many_examples_drawn_with_replacement() -> None:
    drawn = significance.bootstrap(np.eye(N), resamples=5000, seed=0)
    assert drawn.shape == (5000, N)
    assert np.array_equal(drawn, np.floor(drawn))
    assert (drawn.sum(axis=1) == N).all()
    # Binomial(n, 1/n) per example, with little covariance between two
    assert np.abs(drawn.mean(axis=0) - 1).max() < 0.06
    assert np.abs(drawn.var(axis=0) - (1 - 1 / N)).max() < 0.12
    covariance = np.cov(drawn, rowvar=False)
    assert np.abs(covariance[~np.eye(N, dtype=bool)] + 1 / N).max() < 0.08


def test_the_draws_depend_on_the_seed_and_the_number_of_rows_alone() -> None:
    one, other = RNG.random((N, 3)), RNG.integers(0, 9, (N, 2)).astype(float)
    together = significance.bootstrap(np.hstack([one, other]), 100, seed=3)
    apart = [significance.bootstrap(part, 100, seed=3) for part in (one, other)]
    assert together == pytest.approx(np.hstack(apart), rel=1e-12)
    assert not np.array_equal(together, significance.bootstrap(np.hstack([one, other]), 100, 4))


def test_a_percentile_interval_is_scipys() -> None:
    from scipy import stats

    totals = significance.bootstrap(with_count(SCORES), 20_000, seed=1)
    low, high = significance.intervals(mean(totals), 0.9)["mean"]
    theirs = stats.bootstrap(
        (SCORES,),
        np.mean,
        confidence_level=0.9,
        n_resamples=20_000,
        method="percentile",
        random_state=np.random.default_rng(2),
    )
    error = theirs.standard_error
    assert low == pytest.approx(theirs.confidence_interval.low, abs=0.06 * error)
    assert high == pytest.approx(theirs.confidence_interval.high, abs=0.06 * error)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_the_ends_are_linear_quantiles(values: list[float], confidence: float) -> None:
    found = significance.intervals({"x": np.array(values)}, confidence)["x"]
    for end, tail in zip(found, [(1 - confidence) / 2, (1 + confidence) / 2], strict=True):
        place = tail * (len(values) - 1)
        below, above = sorted(values)[math.floor(place)], sorted(values)[math.ceil(place)]
        assert end == pytest.approx(below + (place % 1) * (above - below), abs=1e-9)


def test_a_list_of_scores_has_an_interval_for_each() -> None:
    scores = {"one": np.arange(5.0), "two": np.column_stack([np.arange(5.0), np.zeros(5)])}
    assert significance.intervals(scores, 0.5) == {"one": [1, 3], "two": [[1, 3], [0, 0]]}


def test_resamples_in_which_a_score_is_undefined_do_not_count() -> None:
    drawn = {"some": np.array([np.nan, 1, 2, 3, np.nan]), "none": np.full(5, np.nan)}
    assert significance.intervals(drawn, 0.5) == {"some": [1.5, 2.5], "none": [0, 0]}


# Paired tests


def test_the_bootstrap_test_leaves_out_what_is_undefined() -> None:
    def defined(totals: Any) -> Any:
        return {"ratio": np.where(totals[..., 1] > 6, totals[..., 0] / totals[..., 1], np.nan)}

    def reduce(totals: Any) -> Any:
        return {"ratio": np.nan_to_num(defined(totals)["ratio"])}

    one, other = (
        np.stack([scores, np.arange(N) % 4 == 0], axis=1) for scores in (SCORES, SCORES[::-1])
    )
    p, drawn = significance.paired_bootstrap(reduce, one, other, 400, 0, defined)
    there = drawn["ratio"][~np.isnan(drawn["ratio"])]
    assert 0 < len(there) < 400
    observed = significance.differences(reduce, one.sum(axis=0), other.sum(axis=0))["ratio"]
    extreme = np.abs(there - there.mean()) >= abs(observed) - 1e-12
    assert p["ratio"] == (1 + extreme.sum()) / (1 + len(there))


def test_the_permutation_test_swaps_outputs_before_reducing() -> None:
    """Not the same as permuting differences when the reduction isn't linear."""

    def ratio(totals: np.ndarray) -> dict[str, np.ndarray]:
        return {"ratio": totals[..., 0] / totals[..., 1]}

    one = np.stack([SCORES[:8], OTHERS[:8] + 9], axis=1)
    other = np.stack([OTHERS[:8], SCORES[:8] ** 1.2 + 5], axis=1)
    observed = abs(other.sum(0)[0] / other.sum(0)[1] - one.sum(0)[0] / one.sum(0)[1])
    larger = 0
    for swaps in itertools.product([False, True], repeat=8):
        swapped = np.array(swaps)[:, None]
        a, b = np.where(swapped, other, one).sum(0), np.where(swapped, one, other).sum(0)
        larger += abs(b[0] / b[1] - a[0] / a[1]) >= observed - 1e-12
    found = significance.paired_permutation(ratio, one, other, resamples=20_000, seed=0)
    assert 0.01 < larger / 2**8 < 0.9
    assert agree(found["ratio"], larger / 2**8, 20_000)


def test_the_bootstrap_test_is_two_sided_around_the_mean_difference() -> None:
    one, other = with_count(SCORES), with_count(OTHERS)
    p_values, resampled = significance.paired_bootstrap(mean, one, other, 5000, seed=0)
    rng = np.random.default_rng(9)
    drawn = (OTHERS - SCORES)[rng.integers(0, N, (5000, N))].mean(axis=1)
    observed = abs(OTHERS.mean() - SCORES.mean())
    expected = np.mean(np.abs(drawn - drawn.mean()) >= observed)
    assert 0.005 < expected < 0.5
    assert agree(p_values["mean"], expected, 5000)
    assert resampled["mean"].shape == (5000,)
    assert resampled["mean"].std() == pytest.approx(drawn.std(), rel=0.05)


def test_the_sign_of_a_difference_is_system_minus_baseline_and_no_p_value_depends_on_it() -> None:
    one, other = with_count(SCORES), with_count(SCORES + 7)
    _, resampled = significance.paired_bootstrap(mean, one, other, 100, seed=0)
    assert resampled["mean"] == pytest.approx(np.full(100, 7.0))
    one, other = with_count(SCORES), with_count(OTHERS)
    for test in (lambda a, b: significance.paired_bootstrap(mean, a, b, 500, 0)[0], permutation):
        assert test(one, other)["mean"] == pytest.approx(test(other, one)["mean"], abs=1e-12)


def permutation(baseline: np.ndarray, system: np.ndarray) -> dict[str, float]:
    return significance.paired_permutation(mean, baseline, system, 500, 0)


def test_a_p_value_counts_the_observed_difference_too() -> None:
    """So it is never 0."""
    one, other = with_count(np.zeros(60)), with_count(np.linspace(90, 100, 60))
    assert significance.paired_permutation(mean, one, other, 999, 0)["mean"] == 1 / 1000
    assert significance.paired_bootstrap(mean, one, other, 999, 0)[0]["mean"] == 1 / 1000


def test_identical_systems_have_a_p_value_of_1() -> None:
    system = with_count(SCORES / 3)
    assert significance.paired_permutation(mean, system, system.copy(), 200, 0)["mean"] == 1
    assert significance.paired_bootstrap(mean, system, system.copy(), 200, 0)[0]["mean"] == 1


# Few examples


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_few_examples_are_swapped_in_all_ways_by_the_permutation_test(n: int) -> None:
    one, other = SCORES[:n], OTHERS[:n] ** 1.1
    observed = abs(other.mean() - one.mean())
    larger = 0
    for swaps in itertools.product([False, True], repeat=n):
        a, b = np.where(swaps, other, one), np.where(swaps, one, other)
        larger += abs(b.mean() - a.mean()) >= observed - 1e-12
    for seed in (0, 1):  # nothing is drawn
        found = significance.paired_permutation(
            mean, with_count(one), with_count(other), 2**n, seed
        )
        assert found["mean"] == pytest.approx(larger / 2**n, abs=1e-15)


@pytest.mark.parametrize(("n", "resamples"), [(2, 1000), (9, 1000), (9, 512), (9, 511), (20, 1000)])
def test_no_p_value_of_the_permutation_test_is_below_the_smallest(n: int, resamples: int) -> None:
    one, other = with_count(np.zeros(n)), with_count(np.linspace(90, 100, n))
    smallest = significance.smallest_p(n, resamples)
    found = significance.paired_permutation(mean, one, other, resamples, 3)["mean"]
    assert found >= smallest
    if 2**n <= resamples or n == 20:
        assert found == pytest.approx(smallest, abs=1e-15)


def test_there_is_no_p_value_of_one_example() -> None:
    for n, there in ((1, False), (2, True)):
        found = significance.compute_differences(
            mean, with_count(SCORES[:n]), with_count(OTHERS[:n]), **SAMPLING
        )["mean"]
        assert (found.bootstrap_p is not None) == (found.permutation_p is not None) == there
        assert found.value == pytest.approx(OTHERS[:n].mean() - SCORES[:n].mean())


def test_tests_of_fewer_than_ten_examples_are_to_be_taken_with_caution() -> None:
    assert significance.caution(10, 1000) == ""
    assert "no p-value" in significance.caution(1, 1000)
    assert significance.caution(5, 1000).endswith("can give is 0.0625")
    assert significance.caution(9, 99).endswith("can give is 0.01")


# Several systems

SAMPLING: dict[str, Any] = {"confidence": 0.95, "resamples": 200, "seed": 0}
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@given(P_VALUES)
def test_holms_p_values_are_those_of_his_procedure(p_values: list[float]) -> None:
    assert significance.holm(p_values) == pytest.approx(literal.adjusted(p_values), abs=1e-12)


@given(st.floats(0, 1))
def test_a_single_test_is_not_adjusted(p: float) -> None:
    assert significance.holm([p]) == [p]
    assert significance.holm([]) == []


def test_differences_are_adjusted_score_by_score_and_test_by_test() -> None:
    tests = {
        "a": {"x": Difference(1, [0, 2], 0.01, 0.04), "y": Difference(1, [0, 2], 0.5, 0.5)},
        "b": {"x": Difference(2, [0, 2], 0.03, 0.02), "y": Difference(2, [0, 2], 0.3, 0.1)},
    }
    found = significance.adjust(tests)
    x = [found[system]["x"] for system in tests]
    assert [test.bootstrap_p_holm for test in x] == [0.02, 0.03]
    assert [test.permutation_p_holm for test in x] == [0.04, 0.04]
    assert found["b"]["y"].permutation_p_holm == 0.2
    assert [test.bootstrap_p for test in x] == [0.01, 0.03]
    assert tests["a"]["x"].bootstrap_p_holm is None  # what was given stays as it is


def test_what_has_no_p_value_is_none_of_several_tests() -> None:
    p_values = {"a": 0.01, "b": None, "c": 0.03}
    tests = {name: {"x": Difference(1, [0, 2], p, p)} for name, p in p_values.items()}
    found = significance.adjust({**tests, "d": {}})
    adjusted = [found[name]["x"].permutation_p_holm for name in tests]
    assert adjusted == [0.02, None, 0.03]


def test_what_has_no_p_value_is_not_adjusted() -> None:
    found = significance.adjust({name: {"x": Difference(1, [1, 1], None, None)} for name in "ab"})
    assert found["a"]["x"].permutation_p_holm is None
    assert significance.adjust({}) == {}


def best(**systems: np.ndarray) -> list[str]:
    statistics = {name: with_count(scores) for name, scores in systems.items()}
    return significance.best(mean, statistics, "mean", lower=False, **SAMPLING)


def test_the_best_system_is_alone_where_tests_tell_all_others_from_it() -> None:
    assert best(low=SCORES, high=SCORES + 30, middle=SCORES + 20) == ["high"]


def test_systems_that_no_test_tells_from_the_best_are_beside_it_in_their_order() -> None:
    assert best(same=SCORES, low=SCORES - 20, equal=SCORES.copy()) == ["same", "equal"]


def test_which_are_best_is_decided_by_holms_p_values() -> None:
    top = with_count(OTHERS + 3)
    p = permutation(top, with_count(SCORES))["mean"]
    assert 0.005 < p < 0.05
    statistics = {"top": top, "next": with_count(SCORES)}
    options: dict[str, Any] = {**SAMPLING, "resamples": 500, "lower": False}
    assert significance.best(mean, statistics, "mean", **options) == ["top"]
    many = statistics | {f"{i}": with_count(SCORES) for i in range(10)}
    assert significance.best(mean, many, "mean", **options) == list(many)


def test_pairs_that_were_tested_are_not_tested_again() -> None:
    statistics = {"top": with_count(SCORES + 30), "low": with_count(SCORES)}
    for p, expected in ((0.5, ["top", "low"]), (0.001, ["top"])):
        tested = {frozenset(("low", "top")): p}
        found = significance.best(mean, statistics, "mean", lower=False, tested=tested, **SAMPLING)
        assert found == expected


def test_of_one_system_or_one_example_none_is_best() -> None:
    assert best(only=SCORES) == []
    assert best(one=SCORES[:1], other=SCORES[:1] + 50) == []


def test_differences_are_of_single_numbers_only() -> None:
    def reduce(totals: np.ndarray) -> dict[str, np.ndarray]:
        return {**mean(totals), "all": totals}

    found = significance.differences(reduce, np.array([[6.0, 2]]), np.array([[8.0, 2]]))
    assert {name: values.tolist() for name, values in found.items()} == {"mean": [1]}


# sacrebleu


@pytest.fixture(scope="module")
def bleu() -> dict[str, Any]:
    """Outputs of two systems, and the sufficient statistics of BLEU."""
    rng = np.random.default_rng(5)
    references = [[f"w{w}" for w in rng.integers(0, 40, rng.integers(8, 20))] for _ in range(80)]

    def output(kept: float) -> list[str]:
        return [
            " ".join(word if rng.random() < kept else f"w{rng.integers(0, 40)}" for word in words)
            for words in references
        ]

    systems = {"baseline": output(0.7), "system": output(0.73)}
    columns = [[" ".join(words) for words in references]]
    statistics = {
        name: np.array(BLEU()._extract_corpus_statistics(texts, columns), float)
        for name, texts in systems.items()
    }
    return {"systems": systems, "references": columns, "statistics": statistics}


def bleu_of(totals: np.ndarray) -> dict[str, np.ndarray]:
    length, reference_length = totals[..., 0], totals[..., 1]
    precisions = totals[..., 2:6] / totals[..., 6:10]
    brevity = np.exp(np.minimum(0, 1 - reference_length / length))
    return {"bleu": 100 * brevity * np.exp(np.log(precisions).mean(axis=-1))}


def sacrebleus(bleu: dict[str, Any], test: str, samples: int) -> tuple[float, float]:
    """Score and p-value."""
    metric = BLEU()
    paired = PairedTest(
        list(bleu["systems"].items()), {"BLEU": metric}, bleu["references"], test, samples
    )
    result = paired()[1]["BLEU"][1]
    return result.score, result.p_value


def test_the_permutation_test_is_sacrebleus(bleu: dict[str, Any]) -> None:
    one, other = bleu["statistics"].values()
    score, expected = sacrebleus(bleu, "ar", 2000)
    assert bleu_of(other.sum(axis=0))["bleu"] == pytest.approx(score, abs=1e-9)
    found = significance.paired_permutation(bleu_of, one, other, 2000, seed=0)
    assert 0.02 < expected < 0.5
    assert agree(found["bleu"], expected, 2000)


def test_the_bootstrap_test_is_sacrebleus_with_both_tails_counted(bleu: dict[str, Any]) -> None:
    """Sacrebleu takes the absolute value first and centres then, which leaves one tail."""
    one, other = bleu["statistics"].values()
    _, expected = sacrebleus(bleu, "bs", 2000)
    p_values, resampled = significance.paired_bootstrap(bleu_of, one, other, 2000, seed=0)
    observed = abs(float(bleu_of(other.sum(0))["bleu"] - bleu_of(one.sum(0))["bleu"]))
    sizes = np.abs(resampled["bleu"])
    one_tail = np.mean(sizes - sizes.mean() > observed)
    assert 0.01 < expected < 0.5
    assert agree(one_tail, expected, 2000)
    permuted = significance.paired_permutation(bleu_of, one, other, 2000, seed=0)
    assert p_values["bleu"] == pytest.approx(permuted["bleu"], abs=0.05)


# Blocks, seeds, memory


@pytest.mark.parametrize(
    ("resamples_at_once", "entries_at_once"),
    [(1, 2**22), (7, 2**22), (64, 1), (1000, 300), (1000, 2**22)],
)
def test_results_do_not_depend_on_the_size_of_blocks(
    resamples_at_once: int, entries_at_once: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = with_count(SCORES), with_count(OTHERS)

    def results() -> tuple[Any, ...]:
        p_values, resampled = significance.paired_bootstrap(mean, one, other, 150, seed=0)
        permuted = significance.paired_permutation(mean, one, other, 150, seed=0)
        totals = significance.bootstrap(one, 150, seed=0)
        return p_values, permuted, resampled["mean"].tolist(), totals.tolist()

    before = results()
    monkeypatch.setattr(significance, "_RESAMPLES_AT_ONCE", resamples_at_once)
    monkeypatch.setattr(significance, "_ENTRIES_AT_ONCE", entries_at_once)
    assert results() == before


@pytest.mark.parametrize("rows", [20_000, 400_000])
def test_memory_is_bounded_however_many_rows_and_resamples(rows: int) -> None:
    statistics = np.ones((rows, 4))
    runs: list[Callable[[], Any]] = [
        lambda: significance.bootstrap(statistics, 70, seed=0),
        lambda: significance.paired_permutation(mean, statistics, statistics, 70, seed=0),
    ]
    for run in runs:
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 150e6


# Options


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"confidence": 1.0}, "confidence: expected a number between 0 and 1, got 1.0"),
        ({"confidence": math.nan}, "confidence: expected a number between 0 and 1, got nan"),
        ({"resamples": 0}, "resamples: expected an integer from 1 to 1,000,000, got 0"),
        ({"resamples": 10**30}, "resamples: expected an integer from 1 to 1,000,000, got 1000"),
        ({"seed": -1}, "seed: expected an integer of at least 0, got -1"),
    ],
)
def test_bad_options_are_refused(options: dict[str, Any], message: str) -> None:
    legal = {"confidence": np.float32(0.9), "resamples": np.int64(1), "seed": np.int64(0)}
    significance.check(**legal)
    significance.check(None, 1, 0)
    with pytest.raises(InputError, match=f"^{message}"):
        significance.check(**legal | options)
