"""How often what is said of systems errs, and what is found, in many made-up comparisons."""

import numpy as np
import pytest
from scipy.special import ndtri

import textsimp
from textsimp.core.intervals import tails_of
from textsimp.core.sample import compare, means_of
from textsimp.core.significance import Difference, adjust, detectable
from textsimp.scoring.ranking import judge
from textsimp.scoring.verdict import find_failures

pytestmark = pytest.mark.slow

METRIC = textsimp.ColumnMeans(names="score")
MOST = 0.07  # of null comparisons may be called different


def make(rng, systems, examples, effects=()):
    """The scores of systems, of which the first ones are better by such effects."""
    scores = rng.normal(size=examples) + rng.normal(size=(systems, examples))
    scores[: len(effects)] += np.reshape(effects, (-1, 1))
    return scores


def compared(scores, seed, **options):
    systems = {f"s{i}": {"score": own} for i, own in enumerate(scores)}
    options = {"resamples": 200, "seed": seed, **options}
    return textsimp.compare(systems, metric=METRIC, **options)["column"]


@pytest.mark.parametrize(("systems", "tries"), [(3, 400), (10, 300)])
def test_the_best_of_equal_systems_is_rarely_called_better_than_another(systems, tries):
    rng, wrong = np.random.default_rng(0), []
    for seed in range(tries):
        found = compared(make(rng, systems, 40), seed)
        top, *others = found.ranked
        wrong.append(any(found.differ(top, other) for other in others))
    assert np.mean(wrong) <= MOST


@pytest.mark.parametrize(("systems", "baselines"), [(3, 2), (6, 4)])
def test_equal_systems_rarely_differ_from_any_of_several_baselines(systems, baselines):
    rng, wrong = np.random.default_rng(1), []
    for seed in range(300):
        names = [f"s{i}" for i in range(baselines)]
        found = compared(make(rng, systems, 40), seed, baseline=names)
        tests = [own["score"] for each in found.from_each.values() for own in each.values()]
        wrong.append(any(test.is_significant(0.95) for test in tests))
    assert np.mean(wrong) <= MOST


def test_no_further_metric_is_said_to_name_another_leader_of_two_equal_systems():
    """Four further ones; by themselves they name one in a fifth of the tries."""
    rng, wrong, unadjusted = np.random.default_rng(2), [], []
    for seed in range(150):
        comparisons = {f"m{i}": compared(make(rng, 2, 40), seed) for i in range(5)}
        _, *others = judge(comparisons).values()
        wrong.append(any(one.leads_by_one_of(5) for one in others))
        unadjusted.append(any(one.best for one in others))
    assert np.mean(wrong) <= MOST < np.mean(unadjusted)


def test_of_many_pairs_those_that_differ_are_found():
    """55 pairs of 11 systems, for which 1,000 swaps alone have no power."""
    rng, found = np.random.default_rng(3), []
    for seed in range(60):
        samples = {i: means_of({"": own}) for i, own in enumerate(make(rng, 11, 40, [1.3]))}
        tests = compare(samples, confidence=0.95, resamples=1000, seed=seed)
        adjusted = adjust(tests)
        found += [own[""].is_significant(0.95) for pair, own in adjusted.items() if 0 in pair]
    assert np.mean(found) > 0.9


def test_many_equal_systems_rarely_differ_in_any_pair():
    rng, wrong = np.random.default_rng(4), []
    for seed in range(100):
        samples = {i: means_of({"": own}) for i, own in enumerate(make(rng, 11, 40))}
        tests = adjust(compare(samples, confidence=0.95, resamples=1000, seed=seed))
        wrong.append(any(own[""].is_significant(0.95) for own in tests.values()))
    assert np.mean(wrong) <= MOST


@pytest.mark.parametrize("examples", [20, 100])
def test_a_gate_rarely_fails_for_a_drop_that_is_allowed(examples):
    rng, failed, found = np.random.default_rng(5), [], []
    larger = 0.5 + 4 * (2 / examples) ** 0.5
    for seed in range(200):
        drop = compared(make(rng, 2, examples, [0.5]), seed, baseline="s0")
        failed.append(bool(find_failures(drop, "worse", 0.5)))
        beyond = compared(make(rng, 2, examples, [larger]), seed, baseline="s0")
        found.append(bool(find_failures(beyond, "worse", 0.5)))
    assert np.mean(failed) <= MOST
    assert np.mean(found) > 0.9


@pytest.mark.parametrize(
    ("examples", "systems"), [(10, 2), (20, 2), (20, 4), (50, 9)], ids=lambda value: str(value)
)
def test_the_detectable_difference_is_found_in_80_percent(examples, systems):
    """One of so many systems is better, and compared with each other one."""
    rng, found = np.random.default_rng(6), []
    share = tails_of(0.95, examples)[0]
    width = -2 * ndtri(share) * (2 / examples * (examples - 1) / examples) ** 0.5  # as resampled
    test = Difference(0, [0, width], 1, 1, units=examples, family=systems - 1)
    effect = detectable(test, 0.95)
    for seed in range(300):
        scores = make(rng, systems, examples, [effect])
        tests = compared(scores, seed, baseline="s1", resamples=1000).differences["s0"]
        found.append(tests["score"].is_significant(0.95))
    assert np.mean(found) == pytest.approx(0.8, abs=0.06)
