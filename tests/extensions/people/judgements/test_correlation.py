"""How well scores from anywhere agree with people."""

import math
import tracemalloc

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from textsimp import InputError
from textsimp.core import draws
from textsimp.core.metric import divide
from textsimp.extensions import people
from textsimp.extensions.people.judgements import correlation, resampling

ITEMS, SYSTEMS = 12, 5
COEFFICIENTS = {
    "pearson": lambda x, y: stats.pearsonr(x, y)[0],
    "spearman": lambda x, y: stats.spearmanr(x, y)[0],
    "kendall": lambda x, y: stats.kendalltau(x, y)[0],
}


def study(seed=0, noise=1.0, systems=SYSTEMS):
    """A score that agrees with three raters, one that doesn't, for each item and system."""
    rng = np.random.default_rng(seed)
    quality = np.arange(systems)[None] + rng.normal(size=(ITEMS, systems))
    ratings = quality[..., None] + rng.normal(size=(ITEMS, systems, 3))
    good = quality + noise * rng.normal(size=quality.shape)
    return {
        "scores": {"good": good.ravel().tolist(), "bad": rng.normal(size=quality.size).tolist()},
        "ratings": ratings.reshape(-1, 3).round(3).tolist(),
        "items": np.repeat(np.arange(ITEMS), systems).tolist(),
        "systems": [f"system {s}" for s in range(systems)] * ITEMS,
    }


def values(found, metric, level):
    return {name: estimate.value for name, estimate in found.metrics[metric][level].items()}


def test_each_level_is_what_scipy_says_of_the_outputs_that_it_takes():
    columns = study()
    found = people.correlate(**columns, confidence=None)
    x = np.array(columns["scores"]["good"]).reshape(ITEMS, SYSTEMS)
    y = np.mean(columns["ratings"], axis=1).reshape(ITEMS, SYSTEMS)
    expected = {
        "outputs": {name: r(x.ravel(), y.ravel()) for name, r in COEFFICIENTS.items()},
        "within_items": {name: np.mean([*map(r, x, y)]) for name, r in COEFFICIENTS.items()},
        "within_systems": {name: np.mean([*map(r, x.T, y.T)]) for name, r in COEFFICIENTS.items()},
        "systems": {name: r(x.mean(axis=0), y.mean(axis=0)) for name, r in COEFFICIENTS.items()},
    }
    expected["systems"]["accuracy"] = (1 + expected["systems"]["kendall"]) / 2  # without ties
    for level, coefficients in expected.items():
        got = values(found, "good", level)
        assert {name: got[name] for name in coefficients} == pytest.approx(coefficients, abs=1e-12)


def test_the_metric_that_agrees_differs_from_the_one_that_does_not():
    found = people.correlate(**study(systems=12), baseline="bad", resamples=100)
    for level in ("outputs", "within_items", "within_systems"):
        for name in ("pearson", "spearman", "kendall"):
            gap = found.gaps["good"][level][name]
            assert gap.value > 0.3, (level, name)
            assert gap.interval[0] > 0
            assert gap.permutation_p < 0.05


def test_a_metric_and_its_copy_do_not_differ():
    columns = study()
    columns["scores"]["copy"] = [3 * score + 1 for score in columns["scores"]["good"]]
    found = people.correlate(**columns, baseline="good", resamples=20)
    for coefficients in found.gaps["copy"].values():
        for gap in coefficients.values():
            assert gap.value == pytest.approx(0, abs=1e-9)
            assert gap.interval == pytest.approx([0, 0], abs=1e-9)
            assert gap.permutation_p == 1


@pytest.mark.parametrize(
    ("scores", "ratings", "reason"),
    [
        ([1, 1, 1, 1], [1, 2, 3, 4], "constant scores"),
        ([1, 2, 3, 4], [2, 2, 2, 2], "constant ratings"),
        ([0.1 + 0.2, 0.3, 0.3, 0.3], [1, 2, 3, 4], "constant scores"),
    ],
)
def test_constant_columns_have_no_coefficient_and_say_why(scores, ratings, reason):
    found = people.correlate(scores, ratings, items=list("aabb"), systems=list("xyxy"), resamples=9)
    for estimate in found.metrics["scores"]["outputs"].values():
        assert (estimate.value, estimate.interval, estimate.reason) == (None, None, reason)
    for level in ("within_items", "within_systems", "systems"):
        for estimate in found.metrics["scores"][level].values():
            assert estimate.value is None
            assert estimate.reason.startswith("fewer than 3")
    assert "no intervals: fewer than 3 items to resample" in found.notes
    assert "| outputs | scores | – | – | – |" in found.to_markdown()


def test_systems_have_no_coefficient_where_a_measure_has_no_score_of_one():
    n = 20  # of each of five systems, of which the first has nothing to be measured by
    rows = np.ones((5 * n, 2))
    rows[:n] = 0
    rows[n:, 0] = np.random.default_rng(0).random(4 * n)
    scores = np.array([rows[:, 0], rows[:, 0]])
    items, systems = [*range(n)] * 5, [name for name in "abcde" for _ in range(n)]
    share = (rows, lambda sums: divide(sums[..., 0], sums[..., 1], math.nan))
    judged = resampling.judge(scores, np.arange(5.0 * n), items, systems, [share])
    found = resampling.make_sample(judged).value()
    for name in ("pearson", "spearman", "kendall", "accuracy"):
        assert np.isnan(found[f"systems.{name}"]).tolist() == [True, False]
    reasons = [correlation._reason(judged, "systems", metric) for metric in (0, 1)]
    assert reasons == ["no score of 1 system", ""]


def test_groups_of_one_output_have_no_coefficient_and_groups_of_two_have_one():
    one = people.correlate([1, 2, 4], [1, 2, 3], items=[1, 2, 3], confidence=None)
    for estimate in one.metrics["scores"]["within_items"].values():
        reason = "none of the items has 2 outputs with different scores and ratings"
        assert (estimate.value, estimate.reason) == (None, reason)
    columns = {"scores": [1, 2, 1, 2, 1, 2, 3], "items": [0, 0, 1, 1, 2, 2, 2]}
    two = people.correlate(ratings=[1, 2, 2, 1, 3, 4, 5], **columns, confidence=None)
    for name, estimate in two.metrics["scores"]["within_items"].items():
        wrong = 0 if name == "tie_calibrated_accuracy" else -1
        assert (estimate.over, estimate.value) == (3, pytest.approx((1 + wrong + 1) / 3))


def test_outputs_without_a_rating_are_left_out_and_counted():
    found = people.correlate([1, 9, 2, 3], [1, None, [2, None], 3], confidence=None)
    assert (found.outputs, values(found, "scores", "outputs")["pearson"]) == (3, 1)
    assert found.notes == ("left out: 1 output without a rating",)


def test_systems_that_differ_in_spaces_are_one_and_in_case_are_noted():
    systems = ["a", "a ", "\u00a0b", "b", "B", "B"]
    found = people.correlate(range(6), range(6), systems=systems, resamples=10)
    assert found.systems == 3
    assert "systems 'b', 'B' differ in case or look only" in found.notes
    rows = {"prediction": ["x y", "x", "y", "y z", "z", "z y"], "rating": [1, 2, 3, 4, 5, 6]}
    found = people.evaluate({**rows, "system": systems}, "readability", resamples=10)
    assert found.systems == 3
    assert "systems 'b', 'B' differ in case or look only" in found.notes


def test_raters_may_be_standardised() -> None:
    # The second rater uses the scale upside down and more of it, so their raw mean is the reverse.
    ratings = [[1, 90], [2, 50], [3, 10], [4, None]]
    raw = people.correlate([1, 2, 3, 4], ratings, confidence=None)
    same = people.correlate(
        [1, 2, 3, 4], [[1.0, 0], [2, 40], [3, 80], [4, None]], standardise=True, confidence=None
    )
    assert values(raw, "scores", "outputs")["spearman"] < 0
    assert values(same, "scores", "outputs")["spearman"] == 1


def test_the_agreement_of_raters_is_reported_of_the_outputs_that_are_judged():
    ratings = [[1, 2], [5, 5], None, [1, 1], [4, None], [4, 3]]
    found = people.correlate(range(6), ratings, resamples=30)
    assert found.raters == people.rater_agreement(ratings, resamples=30)
    assert found.raters is not None
    assert f"raters: Krippendorff's α (interval) {found.raters.alpha:.2f} [" in found.to_markdown()
    assert found.to_dict()["raters"]["outputs"] == 4
    assert people.correlate([1, 2, 3], [3, 1, 2]).raters is None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"scores": {"good": [1, 2, None]}}, "row 2 of good"),
        ({"scores": [1, 2]}, "scores has 2, ratings has 3"),
        ({"ratings": [1, [2, "x"], 3]}, "row 1 of ratings"),
        ({"ratings": [None, [], None]}, "^ratings: "),
        ({"items": ["a", None, "b"]}, "row 1 of items"),
        ({"systems": ["a", "b"]}, "systems has 2"),
        ({"over": "sources"}, "^over: "),
        ({"over": "both", "systems": None}, "^over: .*systems"),
        ({"baseline": "other"}, "^baseline: "),
        ({"confidence": 95}, "^confidence: "),
        ({"scores": {}}, "^scores: "),
        ({"scores": [1, 2, 1e200]}, "row 2 of scores"),
        ({"ratings": [1, [1e308, 1e308], 3]}, "row 1 of ratings"),
        ({"ratings": [1, 2, 10**400]}, "row 2 of ratings"),
        ({"items": [1.0, math.nan, 2.0]}, "row 1 of items"),
        ({"systems": [["a"], "b", "c"]}, "row 0 of systems"),
        ({"systems": ["a", "\u00a0", "c"]}, "row 1 of systems"),
        ({"standardise": "no"}, "^standardise: "),
        (dict.fromkeys(("scores", "ratings", "systems"), range(1001)), "^systems: .* 1,000"),
    ],
)
def test_bad_input_is_refused(change, place):
    given = {"scores": [1, 2, 3], "ratings": [1, 2, 3], "systems": ["a", "b", "c"]} | change
    with pytest.raises(InputError, match=place):
        people.correlate(given.pop("scores"), given.pop("ratings"), **given)


def test_memory_does_not_grow_with_pairs_of_outputs():
    n = 6_000  # whose pairs would take 288 MB
    rng = np.random.default_rng(0)
    scores, ratings = rng.normal(size=n), rng.integers(0, 5, n)
    tracemalloc.start()
    found = people.correlate(scores, ratings, confidence=None)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100e6
    expected = stats.kendalltau(scores, ratings)[0]
    assert values(found, "scores", "outputs")["kendall"] == pytest.approx(expected, abs=1e-12)


def test_scores_may_be_a_frame_and_ratings_have_gaps_as_tables_have_them():
    frame = pd.DataFrame({"m": [1, 2, 0, 3]})
    expected = people.correlate({"m": [1, 2, 0, 3]}, [1, None, 0, 2], confidence=None).to_dict()
    gaps = [
        pd.Series([1, pd.NA, 0, 2], dtype="Int64"),
        np.array([[1, np.nan], [np.nan, np.nan], [0, np.nan], [2, np.nan]]),
        [1, np.float32("nan"), 0, 2],
    ]
    for ratings in gaps:
        assert people.correlate(frame, ratings, confidence=None).to_dict() == expected


@pytest.mark.parametrize("over", ["items", "systems", "both"])
@settings(max_examples=5)
@given(st.integers(0, 10**6))
def test_resamples_are_those_of_loops_over_copies_in_uneven_designs(over, seed):
    """Cells are missing or twice there, and scores and ratings tie."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(6, 30))
    items, systems = rng.integers(0, 5, n), rng.integers(0, 4, n)
    scores, ratings = rng.integers(0, 6, n) / 7, rng.integers(0, 4, n).astype(float)
    judged = resampling.judge(scores[None], ratings, items.tolist(), systems.tolist())
    sample = resampling.make_sample(judged)
    kinds = ["items", "systems"] if over == "both" else [over]
    (drawn,) = draws.draw({kind: sample.sizes[kind] for kind in kinds}, 2, seed)
    times = {kind: np.ones((2, size)) for kind, size in sample.sizes.items()} | drawn
    found = sample.resample(kinds, resamples=2, seed=seed)

    def coefficient(name, x, y):
        constant = len({*x}) < 2 or len({*y}) < 2
        return math.nan if constant else float(COEFFICIENTS[name](x, y))

    for b in range(2):
        item, system = (times[kind][b].astype(int) for kind in ("items", "systems"))
        all_copies = np.repeat(np.arange(n), item[judged.items] * system[judged.systems])
        means = []
        for s, copies in enumerate(system):
            own = np.flatnonzero(judged.systems == s)
            own = np.repeat(own, item[judged.items[own]])
            if len(own):
                mean = (round(scores[own].mean(), 12), round(ratings[own].mean(), 12))
                means += [mean] * copies
        for name in COEFFICIENTS:
            per_item = []
            for i, copies in enumerate(item):
                own = np.flatnonzero(judged.items == i)
                rows = np.repeat(own, system[judged.systems[own]])
                if len(own) > 1:
                    per_item += [coefficient(name, scores[rows], ratings[rows])] * copies
            defined = [value for value in per_item if math.isfinite(value)]
            expected = {
                "outputs": coefficient(name, scores[all_copies], ratings[all_copies]),
                "within_items": np.mean(defined) if defined else math.nan,
                "systems": coefficient(name, *zip(*means, strict=True)) if means else math.nan,
            }
            for level, value in expected.items():
                assert found[f"{level}.{name}"][b, 0] == pytest.approx(
                    value, abs=1e-9, nan_ok=True
                ), (level, name)


def test_the_same_seed_gives_the_same_numbers():
    columns = study()
    one, same, other = (
        people.correlate(**columns, baseline="bad", resamples=10, seed=seed).to_dict()
        for seed in (1, 1, 2)
    )
    assert one == same
    assert one["metrics"] != other["metrics"]


@pytest.mark.parametrize("name", COEFFICIENTS)
@pytest.mark.parametrize(("level", "seed"), [("outputs", 0), ("outputs", 1), ("systems", 0)])
def test_permutations_swap_both_metrics_standardised_scores(name, level, seed):
    """PERM-BOTH and PERM-SYS of Deutsch, Dror & Roth 2021, in a loop and by SciPy, with ties."""
    rng = np.random.default_rng(100 + seed)
    y = rng.integers(0, 6, 25).astype(float)
    x, z = y + rng.integers(-3, 4, 25), 2 * y + rng.integers(-6, 7, 25)
    columns = {"scores": {"x": x.tolist(), "z": z.tolist()}, "ratings": y.tolist()}
    columns["systems"] = [i % 5 for i in range(25)] if level == "systems" else None
    found = people.correlate(
        **columns, baseline="x", confidence=None, levels=level, resamples=40, seed=seed
    )
    if level == "systems":
        x, y, z = (of.reshape(5, 5).mean(axis=0) for of in (x, y, z))
    one, two = ((of - of.mean()) / of.std() for of in (x, z))
    swaps = np.concatenate([np.zeros((1, len(y)), bool), *draws.swaps(len(y), 40, seed)])
    r = COEFFICIENTS[name]
    differences = [
        r(np.where(swap, one, two), y) - r(np.where(swap, two, one), y) for swap in swaps
    ]
    expected = np.nanmean(np.abs(differences) >= abs(differences[0]) - 1e-9)
    p = found.gaps["z"][level][name].permutation_p
    assert p == pytest.approx(expected, abs=1e-12)
