"""How often tests of metrics and of ratings err, and intervals cover, in many made-up studies."""

from dataclasses import replace

import numpy as np
import pytest

from textsimp import judgements
from textsimp.core.sample import percentiles
from textsimp.judgements import resampling


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
        found = judgements.correlate(**made, baseline="0", resamples=100, seed=seed)
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
