import math
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.significance import PairedTest

from tests.literal import sample as literal
from textsimp.core import draws, significance
from textsimp.core.metric import divide
from textsimp.core.sample import (
    Sample,
    WeightedSample,
    average,
    compare,
    join,
    means_of,
    percentiles,
)

RNG = np.random.default_rng(20)
N = 40
SCORES = RNG.integers(0, 100, N).astype(float)
OTHERS = np.clip(SCORES + RNG.integers(-20, 32, N), 0, 100)
SAMPLING = {"confidence": 0.95, "resamples": 200, "seed": 0}


def mean_of(scores):
    return means_of({"mean": scores})


def ratio(totals):
    with np.errstate(invalid="ignore", divide="ignore"):
        return {"ratio": totals[..., 0] / totals[..., 1]}


def interval(scores, **options):
    """Of their mean."""
    return mean_of(scores).interval(**SAMPLING | options)["mean"]


def difference(one, other, family=1, **options):
    """The second's mean minus the first's."""
    return mean_of(other).minus(mean_of(one), family, **SAMPLING | options)["mean"]


def agree(share, expected, draws):
    """Two shares of random draws differ by less than four standard errors."""
    return abs(share - expected) < 4 * math.sqrt(2 * max(expected * (1 - expected), 0.01) / draws)


# Values and intervals


def test_numbers_are_of_the_sums_of_rows_and_missing_ones_add_nothing():
    sample = Sample(np.array([[1.0, 2], [np.nan, 4], [5, np.nan]]), lambda totals: {"": totals})
    assert sample.value()[""].tolist() == [6, 6]
    assert mean_of([1, np.nan, 4]).value()["mean"] == 2.5
    assert np.isnan(mean_of([np.nan]).value()["mean"])


def test_percentiles_of_few_units_are_expanded():
    """At n = 10 t is 2.262, times √(10/9) 2.384; Φ(−2.384) is 0.856 %."""
    values = np.arange(100_001.0)
    assert percentiles(values, 0.95, 10) == pytest.approx([856, 99_144], abs=2)
    for many in (50, 1):  # one unit doesn't vary
        assert percentiles(values, 0.95, many) == pytest.approx([2500, 97_500])


def test_an_interval_of_few_skewed_units_ends_later_on_the_longer_side():
    """Their mean is 3.4, s 2.1705, skewness 0.9845. Hall's (1992) end is 1.0547 · s away."""
    scores = np.array([1, 1, 2, 2, 3, 3, 4, 5, 5, 8.0])
    low, high = interval(scores)
    assert high == pytest.approx(3.4 + 1.0547 * 2.1705, abs=0.001)
    drawn = mean_of(scores).resample(resamples=200, seed=0)["mean"]
    assert low == percentiles(drawn, 0.95, 10)[0]
    assert interval(-scores) == pytest.approx([-high, -low])


def test_an_interval_of_few_skewed_units_ends_at_the_farthest_unit():
    """Hall's end, 12.6, would be beyond it."""
    assert interval([1, 1, 2, 2, 3, 3, 4, 5, 6, 11.0])[1] == 11


@pytest.mark.parametrize("n", [9, 51])
def test_fewer_than_10_or_more_than_50_units_have_percentiles(n):
    scores = np.arange(n) ** 3.0
    drawn = mean_of(scores).resample(resamples=200, seed=0)["mean"]
    assert interval(scores) == percentiles(drawn, 0.95, n)


def test_an_interval_of_few_numbers_is_not_narrower_beside_rows_without_one():
    alone = np.random.default_rng(0).normal(size=6)
    among = np.append(alone, [math.nan] * 194)
    low, high = interval(alone, resamples=2000)
    ends = interval(among, resamples=2000)
    assert ends[0] < low < high < ends[1]


@pytest.mark.parametrize(
    ("present", "low", "high"),
    [(0, 0, 0.0713), (1, 0.001, 0.105), (15, 0.1910, 0.4375), (49, 0.895, 0.999)],
)
def test_a_share_has_wilsons_interval(present, low, high):
    """Of 50; by a bootstrap it is [0, 0] if none is present.

    Next to 0 it is Brown, Cai & DasGupta's: −log(0.95) / 50 is 0.001.
    """
    scores = np.arange(50) < present
    found = means_of({"mean": scores}, {"mean": 1.0}).interval(**SAMPLING)["mean"]
    assert found == pytest.approx([low, high], abs=0.0005)


@given(st.lists(st.floats(0, 100), min_size=1, max_size=30), st.floats(0.01, 0.99))
def test_the_ends_are_linear_quantiles(values, confidence):
    found = percentiles(np.array(values), confidence)
    for end, tail in zip(found, [(1 - confidence) / 2, (1 + confidence) / 2], strict=True):
        place = tail * (len(values) - 1)
        below, above = sorted(values)[math.floor(place)], sorted(values)[math.ceil(place)]
        assert end == pytest.approx(below + (place % 1) * (above - below), abs=1e-9)


def test_undefined_resamples_do_not_count_and_lists_have_an_interval_each():
    some, none = np.array([np.nan, 1, 2, 3, np.nan]), np.full(5, np.nan)
    assert percentiles(some, 0.5) == [1.5, 2.5]
    assert percentiles(none, 0.5) is None
    assert percentiles(np.column_stack([some, none, np.arange(5.0)]), 0.5) == [
        [1.5, 2.5],
        None,
        [1, 3],
    ]


def test_equal_seeds_draw_equal_units_in_any_company():
    one, other = Sample(RNG.random((N, 2)), ratio), Sample(RNG.random((N, 2)), ratio)
    drawn = [sample.resample(resamples=50, seed=3)["ratio"] for sample in (one, other)]
    (tested,) = compare({0: one, 1: other}, **SAMPLING | {"resamples": 50, "seed": 3}).values()
    assert tested["ratio"].interval == pytest.approx(percentiles(drawn[1] - drawn[0], 0.95, N))
    assert not np.array_equal(drawn[0], one.resample(resamples=50, seed=4)["ratio"])


@st.composite
def rated(draw):
    """Rows of two systems with gaps, and the items and raters that they are of."""
    n = draw(st.integers(2, 8))
    numbers = st.one_of(st.integers(0, 5).map(float), st.just(math.nan))
    rows = [np.array(draw(st.lists(numbers, min_size=n, max_size=n))) for _ in range(2)]
    kinds = draw(st.sampled_from([(), ("item",), ("item", "rater")]))
    units = {}
    for kind in kinds:
        codes = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
        units[kind] = np.unique(codes, return_inverse=True)[1]
    return (*rows, units)


@given(rated())
def test_a_sample_is_the_literal_form(given_rows):
    *columns, units = given_rows
    one, other = (Sample(mean_of(column).rows, ratio, units) for column in columns)
    codes = units or {"": np.arange(len(columns[0]))}
    sizes = {kind: int(of_kind.max()) + 1 for kind, of_kind in codes.items()}
    drawn = one.resample(resamples=7, seed=1)["ratio"]
    (counts,) = draws.draw(sizes, 7, 1)
    for i, found in enumerate(drawn):
        weights = literal.row_weights(codes, {kind: counts[kind][i] for kind in codes})
        expected = ratio(np.array(literal.add_up(one.rows, weights)))["ratio"]
        assert found == pytest.approx(expected, abs=1e-9, nan_ok=True)
    first = next(iter(codes.values())).tolist()
    rows = literal.keep_common(one.rows, other.rows, first)
    difference = other.minus(one, confidence=0.9, resamples=2**10, seed=0)["ratio"]
    before, after = (ratio(np.array(literal.add_up(r, [1] * len(r))))["ratio"] for r in rows)
    assert difference.value == pytest.approx(after - before, abs=1e-9, nan_ok=True)
    if difference.permutation_p is not None:
        p = literal.exact_permutation_p(*rows, first, lambda t: float(ratio(np.array(t))["ratio"]))
        assert difference.permutation_p == pytest.approx(p)


def test_a_weighted_sample_draws_the_kinds_that_are_named():
    values = np.array([[1.0, 2, 4], [8, 16, 32]])

    def reduce(weights):
        both = np.broadcast_arrays(weights["item"][:, :, None], weights["rater"][:, None, :])
        return {"sum": (both[0] * both[1] * values).sum(axis=(1, 2))}

    sample = WeightedSample({"item": 2, "rater": 3}, reduce)
    assert sample.value()["sum"] == 63
    items = sample.resample(["item"], resamples=500, seed=0)["sum"]
    assert {*items} == {14, 63, 112}
    both = sample.resample(["item", "rater"], resamples=500, seed=0)["sum"]
    assert {*items} < {*both}


# Differences


def test_the_sign_is_system_minus_baseline_and_no_p_value_depends_on_it():
    assert difference(SCORES, SCORES + 7).interval == pytest.approx([7, 7])
    there, back = difference(SCORES, OTHERS), difference(OTHERS, SCORES)
    assert there.p_values(holm=False) == pytest.approx(back.p_values(holm=False), abs=1e-12)
    assert there.value == -back.value


def test_a_p_value_counts_the_observed_difference_too():
    """So it is never 0, and 1 for equal systems."""
    far = difference(np.zeros(60), np.linspace(90, 100, 60), resamples=999)
    assert far.p_values(holm=False) == [1 / 1000, 1 / 1000]
    assert difference(SCORES / 3, SCORES / 3).p_values(holm=False) == [1, 1]


@pytest.mark.parametrize(("n", "resamples"), [(2, 1000), (9, 1000), (9, 512), (9, 511), (20, 1000)])
def test_no_p_value_of_the_permutation_test_is_below_the_smallest(n, resamples):
    found = difference(
        np.zeros(n), np.linspace(90, 100, n), resamples=resamples, seed=3
    ).permutation_p
    smallest = significance.smallest_p(n, resamples)
    assert found is not None
    assert found >= smallest
    if 2**n <= resamples or n == 20:
        assert found == pytest.approx(smallest, abs=1e-15)


def test_units_that_change_nothing_are_not_swapped():
    """So a few that change are swapped in all ways, whatever the seed."""
    other = SCORES.copy()
    other[:6] += [1, 2, 3, 4, 5, 6]
    for seed in (0, 1):
        assert difference(SCORES, other, seed=seed).permutation_p == 2 / 2**6


@pytest.mark.parametrize("size", [1.0, 1e-6, 1e6])
def test_mirror_images_of_large_and_small_scores_are_as_large(size):
    rng = np.random.default_rng(0)
    for _ in range(40):
        one = size * (1 + 1e-3 * rng.random(7))
        other = size * (1 + 1e-3 * rng.random(7))
        found = difference(one, other, resamples=128).permutation_p
        assert found is not None
        assert found * 128 % 2 == pytest.approx(0)  # each way and its mirror image


def test_there_is_no_p_value_of_one_example():
    for n, there in ((1, False), (2, True)):
        found = difference(SCORES[:n], OTHERS[:n])
        assert (found.bootstrap_p is not None) == (found.permutation_p is not None) == there
        assert found.value == pytest.approx(OTHERS[:n].mean() - SCORES[:n].mean())


def test_fewer_than_ten_common_units_are_not_tested():
    for units, tested in ((10, True), (9, False), (0, False)):
        one = np.where(np.arange(N) < units, SCORES, np.nan)
        found = difference(one, OTHERS)
        assert found.units == units
        assert (found.permutation_p is None) == (found.bootstrap_p is None) == (not tested)
        assert np.isnan(found.interval).all() == (not tested)
        assert np.isnan(found.value) == (units == 0)


def test_lists_of_numbers_are_not_compared():
    def reduce(totals):
        return {**ratio(totals), "all": totals}

    one, other = Sample(np.ones((3, 2)), reduce), Sample(np.full((3, 2), 2.0), reduce)
    assert [*other.minus(one, **SAMPLING)] == ["ratio"]


def test_pairs_are_tested_alike_in_any_company():
    gaps = [np.where(np.arange(N) % k == 1, np.nan, SCORES + k) for k in (3, 4, 5, 50)]
    samples = dict(enumerate(map(mean_of, gaps)))
    sampling = {**SAMPLING, "resamples": 999}
    every = compare(samples, **sampling)
    assert len(every) == 6
    for pair, tests in every.items():
        assert compare(samples, [pair], **sampling)[pair] == tests
        assert tests["mean"].permutation_p == 1 / 1000
        assert tests["mean"].bootstrap_p == 1 / 1000


def exact_p(changes):
    """The share of all ways to swap in which sums differ as much."""
    sums = np.zeros(1)
    for change in changes:
        sums = np.concatenate([sums + change, sums - change])
    return np.mean(np.abs(sums) >= abs(changes.sum()) - 1e-12)


@pytest.mark.parametrize("lost", [1, 2, 3, 4])
def test_small_p_values_of_many_tests_are_nearly_exact(lost):
    """1,000 swaps give no smaller one than 1 / 1001; these are from 0.00004 to 0.0017."""
    changes = np.random.default_rng(0).uniform(0.5, 1.5, 20)
    changes[:lost] *= -1
    found = difference(np.zeros(20), changes, 100, resamples=1000)
    assert found.permutation_p == pytest.approx(exact_p(changes), rel=0.4)


def test_units_with_few_ways_to_swap_have_no_smaller_p_than_the_exact_test():
    """Seven, of which 100 resamples are fewer than all ways."""
    assert difference(np.zeros(7), np.arange(1.0, 8), 100, resamples=100).permutation_p >= 1 / 101


def test_a_few_tests_have_the_p_values_of_the_swaps():
    tests = [difference(SCORES, SCORES + 1, family, resamples=1000) for family in (1, 10, 11)]
    assert tests[0] == tests[1]
    assert tests[0].permutation_p == 1 / 1001
    assert tests[2].permutation_p < 1e-6


# Parts


def test_joined_samples_have_the_numbers_of_each():
    one, other = means_of({"a": SCORES}), means_of({"b": OTHERS})
    joined = join([one, other]).interval(**SAMPLING)
    assert joined == {**one.interval(**SAMPLING), **other.interval(**SAMPLING)}


def test_an_average_draws_within_its_parts():
    """Parts that differ make an average no less certain."""
    parts = [mean_of(SCORES), mean_of(OTHERS[:10] + 1e6)]
    whole = average(parts)
    expected = (SCORES.mean() + OTHERS[:10].mean() + 1e6) / 2
    assert whole.value()["mean"] == pytest.approx(expected)
    errors = [part.rows[:, 0].std() / len(part.rows) ** 0.5 for part in parts]
    drawn = whole.resample(resamples=2000, seed=0)["mean"]
    assert drawn.std() == pytest.approx(math.hypot(*errors) / 2, rel=0.1)


# sacrebleu


@pytest.fixture(scope="module")
def bleu():
    """Outputs of two systems, and samples of BLEU's sufficient statistics."""
    rng = np.random.default_rng(5)
    references = [[f"w{w}" for w in rng.integers(0, 40, rng.integers(8, 20))] for _ in range(80)]

    def output(kept):
        return [
            " ".join(word if rng.random() < kept else f"w{rng.integers(0, 40)}" for word in words)
            for words in references
        ]

    systems = {"baseline": output(0.7), "system": output(0.73)}
    columns = [[" ".join(words) for words in references]]
    samples = {
        name: Sample(np.array(BLEU()._extract_corpus_statistics(texts, columns), float), bleu_of)
        for name, texts in systems.items()
    }
    return {"systems": systems, "references": columns, "samples": samples}


def bleu_of(totals):
    length, reference_length = totals[..., 0], totals[..., 1]
    precisions = totals[..., 2:6] / totals[..., 6:10]
    brevity = np.exp(np.minimum(0, 1 - reference_length / length))
    return {"bleu": 100 * brevity * np.exp(np.log(precisions).mean(axis=-1))}


def sacrebleus(bleu, test):
    """Score and p-value."""
    systems = list(bleu["systems"].items())
    result = PairedTest(systems, {"BLEU": BLEU()}, bleu["references"], test, 2000)()[1]["BLEU"][1]
    return result.score, result.p_value


def test_the_permutation_test_is_sacrebleus(bleu):
    score, expected = sacrebleus(bleu, "ar")
    one, other = bleu["samples"].values()
    assert other.value()["bleu"] == pytest.approx(score, abs=1e-9)
    found = other.minus(one, **SAMPLING | {"resamples": 2000})["bleu"].permutation_p
    assert 0.02 < expected < 0.5
    assert agree(found, expected, 2000)


def test_the_bootstrap_test_is_sacrebleus_with_both_tails_counted(bleu):
    """Sacrebleu takes the absolute value first and centres then, which leaves one tail."""
    _, expected = sacrebleus(bleu, "bs")
    one, other = bleu["samples"].values()
    drawn = [sample.resample(resamples=2000, seed=0)["bleu"] for sample in (one, other)]
    found = other.minus(one, **SAMPLING | {"resamples": 2000})["bleu"]
    sizes = np.abs(drawn[1] - drawn[0])
    assert 0.01 < expected < 0.5
    assert agree(np.mean(sizes - sizes.mean() > abs(found.value)), expected, 2000)
    assert found.bootstrap_p == pytest.approx(found.permutation_p, abs=0.05)


# Many units, of which random blocks are drawn

MANY = 40_000
LENGTHS = RNG.integers(5, 40, MANY).astype(np.float64)
HITS = RNG.binomial(LENGTHS.astype(np.int64), 0.3).astype(np.float64)
CORPORA = {
    "ratio of counts": np.stack([HITS, LENGTHS], axis=1),
    "mean of a sorted corpus": mean_of(np.sort(RNG.gamma(2, 1, MANY))).rows,
    "mean far from 0": mean_of(1e6 + RNG.normal(0, 1, MANY)).rows,
    "rare": mean_of((RNG.random(MANY) < 0.003).astype(float)).rows,
}
SOME, *REST = CORPORA
NAMES = [SOME, *(pytest.param(name, marks=pytest.mark.slow) for name in REST)]


def divided(totals):
    return {"score": divide(totals[..., 0], totals[..., 1])}


@pytest.mark.parametrize("name", NAMES)
def test_intervals_of_blocks_are_as_wide_as_those_of_examples(name, monkeypatch):
    sample = Sample(CORPORA[name], divided)
    of_blocks = sample.resample(resamples=2000, seed=1)["score"]
    monkeypatch.setattr(draws, "MANY", MANY)
    of_examples = sample.resample(resamples=600, seed=2)["score"]
    assert of_blocks.std() == pytest.approx(of_examples.std(), rel=0.1)
    observed = float(sample.value()["score"])
    assert of_blocks.mean() == pytest.approx(observed, abs=4 * of_examples.std() / 2000**0.5)


def test_a_resample_of_blocks_has_as_many_units_as_there_are(monkeypatch):
    """Blocks differ in size: sums are rescaled."""
    monkeypatch.setattr(draws, "MANY", 10)
    monkeypatch.setattr(draws, "BLOCKS", 4)
    sample = Sample(np.ones((11, 1)), lambda totals: {"sum": totals[..., 0]})
    assert sample.resample(resamples=100, seed=0)["sum"] == pytest.approx(np.full(100, 11))


@pytest.mark.parametrize(
    ("name", "shift"),
    [
        *((SOME, shift) for shift in (0, 2.5, 30)),
        *(pytest.param(name, 2.5, marks=pytest.mark.slow) for name in REST),
    ],
)
def test_p_values_of_blocks_are_those_of_examples(name, shift):
    rows = CORPORA[name]
    spread = rows[:, 0].std()
    noise = RNG.normal(0, spread, MANY)
    noise -= noise.mean()
    other = rows.copy()
    other[:, 0] += noise + shift * spread / MANY**0.5
    sampling = SAMPLING | {"resamples": 3000}
    found = Sample(other, divided).minus(Sample(rows, divided), **sampling)["score"]
    expected = math.erfc(shift / 2**0.5)  # the normal distribution's, of which both are samples
    for p in found.p_values(holm=False):
        assert p is not None
        if shift == 30:
            assert p == 1 / 3001
        else:
            assert p == pytest.approx(expected, abs=0.01 + 4 * (expected / 3000) ** 0.5)


@pytest.mark.parametrize("rows", [20_000, 400_000])
def test_memory_is_bounded_however_many_rows_and_resamples(rows):
    one, other = Sample(np.ones((rows, 4)), ratio), Sample(np.full((rows, 4), 2.0), ratio)
    for run in (lambda: one.interval(**SAMPLING), lambda: other.minus(one, **SAMPLING)):
        tracemalloc.start()
        run()
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 150e6


@pytest.mark.parametrize(
    ("resamples_at_once", "entries_at_once"), [(1, 2**22), (7, 2**22), (64, 1), (1000, 300)]
)
def test_results_do_not_depend_on_how_many_resamples_are_drawn_at_once(
    resamples_at_once, entries_at_once, monkeypatch
):
    before = difference(SCORES, OTHERS)
    monkeypatch.setattr(draws, "AT_ONCE", resamples_at_once)
    monkeypatch.setattr(draws, "_ENTRIES_AT_ONCE", entries_at_once)
    assert difference(SCORES, OTHERS) == before
