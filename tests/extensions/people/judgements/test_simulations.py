"""How often tests of metrics and of ratings err, and intervals cover, in many made-up studies."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from textsimp.core.sample import Sample, compare, percentiles, reduce_means
from textsimp.core.significance import adjust
from textsimp.extensions import people
from textsimp.extensions.people.judgements import pairs, rater_intervals, resampling


def rated_outputs(rng, systems, items, metrics, system_error=0.7):
    """Ratings of outputs, and metrics that are equally good: each errs on systems and on items."""
    quality = rng.normal(size=systems) + 0.7 * rng.normal(size=(items, 1))
    quality = quality + 0.7 * rng.normal(size=(items, systems))
    scores = [
        quality
        + system_error * rng.normal(size=systems)
        + 0.5 * rng.normal(size=(items, 1))
        + rng.normal(size=quality.shape)
        for _ in range(metrics)
    ]
    return {
        "scores": {str(i): one.ravel() for i, one in enumerate(scores)},
        "ratings": (quality + rng.normal(size=quality.shape)).ravel(),
        "items": np.repeat(np.arange(items), systems).tolist(),
        "systems": [*range(systems)] * items,
    }


@pytest.mark.slow
@pytest.mark.parametrize(("systems", "seed"), [(6, 7), (10, 8), (15, 9)])
def test_by_system_equal_metrics_rarely_differ_in_any_coefficient(systems, seed):
    rng, p_values = np.random.default_rng(seed), []
    for i in range(400):
        made = rated_outputs(rng, systems, 20, 2)
        columns = np.array([*made["scores"].values()]), made["ratings"]
        judged = resampling.judge(*columns, made["items"], made["systems"])
        found = resampling.permute(replace(judged, by=["systems"]), 0, 1, 200, i)["systems"]
        p_values.append(min(adjusted for _, adjusted in found.values()))
    assert np.mean(np.array(p_values) < 0.05) <= 0.07


@pytest.mark.slow
def test_equal_metrics_rarely_differ_at_any_level():
    rng, p_values = np.random.default_rng(4), []
    for seed in range(24):
        made = rated_outputs(rng, 8, 12, 3)
        found = people.correlate(**made, baseline="0", resamples=100, seed=seed)
        levels = [level for metric in found.gaps.values() for level in metric.values()]
        p_values.append(min(gap.permutation_p_holm for own in levels for gap in own.values()))
    assert np.mean(np.array(p_values) < 0.05) <= 0.07


@pytest.mark.slow
def test_intervals_of_correlations_over_items_and_systems_cover_the_true_one():
    rng, covered = np.random.default_rng(5), {"outputs": [], "systems": []}
    within = 2 * 0.7**2
    true = {
        "systems": 1 / (1 + 0.7**2) ** 0.5,
        "outputs": (1 + within) / ((1 + within + 0.7**2 + 0.5**2 + 1) * (2 + within)) ** 0.5,
    }
    for seed in range(120):
        made = rated_outputs(rng, 10, 30, 1)
        columns = np.array([*made["scores"].values()]), made["ratings"]
        judged = resampling.judge(*columns, made["items"], made["systems"])
        sample = resampling.make_sample(replace(judged, by=["outputs", "systems"]))
        drawn = sample.resample(resamples=100, seed=seed)
        for level, own in covered.items():
            low, high = percentiles(drawn[f"{level}.pearson"][:, 0], 0.95, 10)
            own.append(low <= true[level] <= high)
    assert min(np.mean(own) for own in covered.values()) >= 0.92


def rating_study(rng, items, raters, per_output, favour, effect=0.0):
    """Ratings of two systems; a rater favours one of them, and rates no output of a source twice.

    With ``per_output=None`` all raters rate everything.
    """
    leniency = 0.5 * rng.normal(size=(raters, 1)) + favour * rng.normal(size=(raters, 2))
    rows = []
    for item in range(items):
        ease, order = rng.normal(), rng.permutation(raters)
        for system in (0, 1):
            quality = ease + 0.5 * rng.normal() + effect * system
            first = system * (per_output or 0)
            for rater in order if per_output is None else order[first : first + per_output]:
                rating = quality + leniency[rater, system] + 0.8 * rng.normal()
                rows.append((item, system, rater, rating))
    return rows


def rating_difference(rows, seed):
    """The test of `analyse`, without files."""
    items, systems, raters, ratings = np.array(rows).T
    cells, places = np.unique(np.stack([items, raters]).astype(int), axis=1, return_inverse=True)
    sums = np.full((cells.shape[1], 2, 2), np.nan)
    sums[places, systems.astype(int)] = np.stack([ratings, np.ones(len(ratings))], axis=1)
    units = {"item": cells[0], "rater": cells[1]}
    samples = [Sample(sums[:, i], partial(reduce_means, ["mean"]), units) for i in (0, 1)]
    sampling = {"confidence": 0.95, "resamples": 200, "seed": seed}
    found = compare(dict(enumerate(samples)), **sampling)[0, 1]["mean"]
    found = rater_intervals.pair_up(sums, **units).generalise(found, 0.95)
    return adjust({0: {"mean": found}})[0]["mean"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("raters", "per_output", "favour"),
    [(2, None, 0.3), (3, None, 0.1), (6, 1, 0.3), (8, 2, 0.3), (10, 3, 0.2)],
)
def test_equal_systems_rarely_differ_by_ratings(raters, per_output, favour):
    rng, found, covered = np.random.default_rng(6), [], []
    for seed in range(200):
        test = rating_difference(rating_study(rng, 40, raters, per_output, favour), seed)
        low, high = test.interval
        found.append(test.is_significant(0.95))
        covered.append(low <= 0 <= high)
    assert np.mean(found) <= 0.07
    assert np.mean(covered) >= 0.92


@pytest.mark.slow
def test_plans_with_one_rater_an_output_find_differences():
    rng, found = np.random.default_rng(7), []
    for seed in range(150):
        test = rating_difference(rating_study(rng, 40, 6, 1, 0, effect=0.9), seed)
        found.append(test.is_significant(0.95))
    assert np.mean(found) >= 0.5


@pytest.mark.slow
def test_pairs_of_one_source_are_tested_together():
    """Five pairs of each of 20 sources, of which half are rather higher, and half lower."""
    rng, p_values, covered = np.random.default_rng(8), [], []
    items = np.repeat(np.arange(20), 5)
    for seed in range(400):
        of_items = np.where(rng.random(20) < 0.5, 0.8, 0.2)
        signs = np.where(rng.random(100) < of_items[items], 1.0, -1.0)
        found = pairs._count(signs, items, 0.95, 400, seed)
        low, high = found.interval
        p_values.append(found.p)
        covered.append(low <= 0.5 <= high)
    assert np.mean(np.array(p_values) < 0.05) <= 0.07
    assert np.mean(covered) >= 0.92
