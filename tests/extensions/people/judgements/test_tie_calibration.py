"""Tie-calibrated accuracy and clusters of metrics, as WMT's package mt-metrics-eval has them."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.extensions.literal import pairs as literal
from textsimp import InputError
from textsimp.core import draws
from textsimp.extensions import people
from textsimp.extensions.people.judgements import coefficients, correlation_tests, resampling

NAME = "tie_calibrated_accuracy"


def judge(scores, ratings):
    """Outputs from lists of scores and ratings of each item, None where there is none."""
    cells = [
        (item, system, score, rating)
        for item, row in enumerate(zip(scores, ratings, strict=True))
        for system, (score, rating) in enumerate(zip(*row, strict=True))
        if None not in (score, rating)
    ]
    items, systems, x, y = zip(*cells, strict=True)
    return resampling.judge(np.array([x], float), np.array(y, float), items, systems)


@pytest.mark.parametrize(
    ("scores", "ratings", "expected"),
    [  # of mt-metrics-eval's tests of `tau_optimization` and `KendallWithTiesOpt`, all pairs
        ([[0, 2, 6, 8]], [[1, 2, 3, 4]], 1),
        ([[0, 2, 6, 8]], [[1, 1, 1, 4]], 4 / 6),
        ([[2, 1, 1.5, 5, 3]], [[1, 2, 2, 3, 4]], 0.7),
        (
            [[0, 5, 2, 3, 2], [None, 2, 1, 5, 3], [9, 1, 5, 3, 8], [9, 3, 4, 4, 1]],
            [[1, 5, 2, 1, 1], [4, 2, 2, 1, 4], [5, 9, 2, 8, 7], [7, 6, None, 3, 2]],
            0.4916666666666668,
        ),
    ],
)
def test_accuracies_are_those_of_mt_metrics_eval(scores, ratings, expected):
    found = resampling.make_sample(judge(scores, ratings)).value()
    assert found[f"within_items.{NAME}"] == pytest.approx([expected], abs=1e-12)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_resamples_are_those_of_loops_over_copies(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 16))
    items, systems = rng.integers(0, 4, n).tolist(), rng.integers(0, 4, n).tolist()
    x, y = rng.integers(0, 6, n) / 8, rng.integers(0, 4, n).astype(float)
    judged = resampling.judge(x[None], y, items, systems)
    sample = resampling.make_sample(judged)
    (drawn,) = draws.draw(sample.sizes, 3, seed)
    found = sample.resample([*sample.sizes], resamples=3, seed=seed)[f"within_items.{NAME}"]
    for b in range(3):
        groups = []
        for item, copies in enumerate(drawn["items"][b].astype(int)):
            rows = np.flatnonzero(judged.items == item)
            times = drawn["systems"][b].astype(int)[judged.systems[rows]]
            groups += [np.repeat(rows, times).tolist()] * copies
        expected = literal.tie_calibrated(x, y, groups)
        assert found[b, 0] == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_too_many_pairs_are_not_compared_and_noted(monkeypatch):
    columns = {"scores": range(8), "ratings": range(8), "items": [0, 0, 0, 1, 1, 1, 2, 2]}
    for most, known in ((7, True), (6, False)):
        monkeypatch.setattr(coefficients, "MAX_PAIRS", most)
        found = people.correlate(**columns, resamples=9)
        assert (NAME in found.metrics["scores"]["within_items"]) == known
        note = "no tie-calibrated accuracy: 7 pairs within items, at most 6"
        assert (note in found.notes) != known


@pytest.mark.parametrize(
    ("better", "alpha", "expected"),
    [  # the p-value that each is better than each after it, as in mt-metrics-eval's test
        ([1, 1, 1, 1, 1, 1], 0.5, [1, 1, 1, 1]),
        ([1, 1, 1, 1, 1, 1], 1.0, [1, 2, 3, 4]),
        ([1, 0, 1, 1, 1, 1], 0.5, [1, 1, 2, 2]),
        ([0, 1, 1, 1, 1, 0], 0.5, [1, 2, 2, 3]),
    ],
)
def test_ranks_are_those_of_mt_metrics_eval(better, alpha, expected):
    values = {"a": 0.9, "b": 0.8, "c": 0.7, "d": 0.6}
    pairs = map(frozenset, itertools.combinations(values, 2))
    p_values = dict(zip(pairs, better, strict=True))
    ranks = correlation_tests.assign_ranks(values, p_values, alpha)
    assert [ranks[name] for name in values] == expected


@pytest.fixture(scope="module")
def ranked():
    """Two metrics that agree with ratings alike, and one that doesn't."""
    rng = np.random.default_rng(0)
    quality = np.arange(12) + rng.normal(size=(12, 12))
    scores = {"noise": rng.normal(size=quality.shape), "good": quality, "same": 2 * quality + 1}
    columns = {
        "scores": {name: values.ravel().tolist() for name, values in scores.items()},
        "ratings": (quality + rng.normal(size=quality.shape)).round().ravel().tolist(),
        "items": np.repeat(np.arange(12), 12).tolist(),
        "systems": np.tile(np.arange(12), 12).tolist(),
    }
    options = {"resamples": 200, "levels": ["within_items", "systems"]}
    return columns, people.correlate(**columns, clusters=True, **options)


@pytest.mark.parametrize("coefficient", ["pearson", "kendall", NAME])
def test_metrics_that_differ_significantly_have_different_ranks(ranked, coefficient):
    _, found = ranked
    expected = {"good": 1, "same": 1, "noise": 2}
    assert found.clusters["within_items"][coefficient] == expected
    assert found.to_dict()["clusters"] == found.clusters
    records = [x for x in found.records() if x["level"] == "within_items"]
    assert {x["metric"]: x["rank"] for x in records if x["coefficient"] == coefficient} == expected


def test_the_table_has_ranks(ranked):
    _, found = ranked
    noise = next(line for line in found.to_markdown().splitlines() if "| noise |" in line)
    assert noise.count(" rank 2 ") == 4
    assert "rank: metrics of a rank don't differ significantly" in found.to_markdown()


def test_too_few_resamples_to_rank_so_many_metrics_are_noted(ranked):
    columns, found = ranked
    few = people.correlate(**columns, clusters=True, levels=["systems"], resamples=100)
    note = "rank: 100 resamples are too few to tell 3 metrics apart: use at least 120"
    assert note in few.notes
    assert not found.notes


def test_levels_are_measured_alone_as_with_the_others(ranked):
    columns, found = ranked
    every = people.correlate(**columns, resamples=200)
    assert [*every.metrics["good"]] == ["outputs", "within_items", "within_systems", "systems"]
    assert [*found.metrics["good"]] == ["within_items", "systems"]
    for metric, levels in found.metrics.items():
        for level, estimates in levels.items():
            assert estimates == every.metrics[metric][level]
    only = people.correlate(**columns, levels="outputs", baseline="noise", resamples=20)
    assert [*only.gaps["good"]] == ["outputs"]
    assert "by system" not in only.to_markdown()


def test_a_level_that_is_not_there_is_refused():
    with pytest.raises(InputError, match=r"^levels: .*'outputs'.*got 'systems'"):
        people.correlate([1, 2, 3], [1, 2, 3], levels=["systems"])


@pytest.mark.parametrize(
    "columns",
    [
        {"scores": {"a": [1, 2, 3]}, "ratings": [1, 2, 3]},  # nothing to compare with
        {"scores": {"a": [1, 2], "b": [2, 1]}, "ratings": [1, 2]},  # too few to resample
        {"scores": {"a": [1, 2, 3], "b": [1, 1, 1]}, "ratings": [1, 2, 3]},  # no coefficient of b
    ],
)
def test_metrics_that_can_not_be_tested_have_no_rank(columns):
    assert people.correlate(**columns, clusters=True, resamples=50).clusters == {"outputs": {}}
