"""The analysis of ratings: agreement, controls, careless raters, systems, strengths."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from textsimp import InputError
from textsimp.core import draws
from textsimp.extensions.people import Scheme, analyse, correlate, read
from textsimp.extensions.people.judgements import rater_intervals
from textsimp.extensions.people.judgements import strengths as bradley_terry
from textsimp.metrics.information_errors import CATEGORIES

LIKERT = Scheme.load("likert")


@pytest.fixture
def rated(written):
    """``rated([row, …], "likert")`` → ratings, as read from a file."""

    def write(rows, scheme="likert", **options):
        return read(written(rows), None if "criteria" in options else scheme, **options)

    return write


def study(items=20, raters="ABC", systems="xy"):
    """Made-up answers: system y is simpler."""
    rng = np.random.default_rng(0)
    rows = []
    for item in range(items):
        for place, system in enumerate(systems):
            quality = rng.integers(2, 5)
            for rater in raters:
                row = {
                    "rater": rater,
                    "item": str(item),
                    "system": system,
                    "control": "",
                    "prediction": f"{item} by {system}",
                    "seconds": 20 + rng.random(),
                    "fluency": int(quality),
                    "meaning": int(quality + rng.integers(0, 2)),
                    "simplicity": int(min(5, quality + place)),
                    "simpler": int(rng.integers(3)),
                }
                rows.append(row)
    return rows


def test_a_system_has_the_mean_of_its_ratings_with_an_interval(rated):
    rows = study()
    value = analyse(rated(rows), resamples=20).systems["y"]["simplicity"]
    assert value.value == np.mean([r["simplicity"] for r in rows if r["system"] == "y"])
    assert value.interval is not None
    assert value.interval[0] < value.value < value.interval[1]


def test_an_aside_is_in_no_mean(rated):
    rows = [
        {"rater": "A", "item": str(i), "system": "x", **dict.fromkeys(CATEGORIES, label)}
        for i, label in enumerate([0, 2, 2, -1])
    ]
    found = analyse(rated(rows, "information_errors"), resamples=20)
    assert found.systems["x"]["deletion"].value == pytest.approx(4 / 3)
    assert "deletion: means leave out -1, 1 of 4 ratings" in found.notes


def test_p_values_are_adjusted_for_all_pairs_of_systems(rated):
    found = analyse(rated(study(systems="xyz")), resamples=100)
    tests = [own["simplicity"] for own in found.differences.values()]
    assert len(tests) == 3
    smallest = min(tests, key=lambda test: test.permutation_p)
    assert smallest.permutation_p_holm == pytest.approx(3 * smallest.permutation_p)


def test_alpha_is_of_the_level_that_the_scheme_declares(rated):
    assert analyse(rated(study()), resamples=20).agreement["fluency"].raters.level == "ordinal"
    columns = {"criteria": ["fluency"], "level": "nominal"}
    assert (
        analyse(rated(study(), **columns), resamples=20).agreement["fluency"].raters.level
        == "nominal"
    )


def test_raters_correlate_over_the_outputs_that_both_rated(rated):
    ratings = np.array([[1, 5, 2, 4, 3, np.nan], [2, 4, 1, 5, np.nan, 1], [np.nan, 5, 3, 3, 1, 2]])
    rows = [
        {"rater": "ABC"[who], "item": str(item), "system": "x", "overall": int(value)}
        for (who, item), value in np.ndenumerate(ratings)
        if value == value
    ]
    found = analyse(rated(rows, criteria=["overall"]), resamples=10)
    expected = np.mean(pd.DataFrame(ratings.T).corr().to_numpy()[[0, 0, 1], [1, 2, 2]])
    assert found.agreement["overall"].correlation == pytest.approx(expected)


def test_repeated_items_show_how_far_raters_agree_with_themselves(rated):
    rows = study()
    again = [{**row, "control": "repeat"} for row in rows if row["rater"] == "A"][:10]
    found = analyse(rated([*rows, *again]), resamples=20).agreement["fluency"].repeated
    assert (found.alpha, found.outputs) == (1, 10)
    changed = [{**row, "fluency": 6 - row["fluency"]} for row in again]
    assert analyse(rated([*rows, *changed]), resamples=20).agreement["fluency"].repeated.alpha < 0.5


def controls(rater, meanings):
    """Controls with outputs of other sentences."""
    (row,) = study(1, rater, "x")
    return [
        {**row, "item": f"control {i}", "control": "other", "meaning": meaning}
        for i, meaning in enumerate(meanings)
    ]


def test_controls_are_passed_by_declared_ratings_and_count_for_no_system(rated):
    rows = study()
    found = analyse(rated([*rows, *controls("A", [1, 2, 5])]), resamples=20)
    assert (found.raters["A"].controls, found.raters["A"].passed) == (3, 2)
    assert not any("careless" in note for note in found.notes)
    assert found.counts["controls"] == 3
    assert found.systems == analyse(rated(rows), resamples=20).systems


def test_failed_controls_look_careless(rated):
    found = analyse(rated([*study(), *controls("B", [5, 4, 1])]), resamples=20)
    assert found.notes[0] == "B looks careless: passed 1 of 3 controls"


def test_an_output_of_two_systems_counts_for_both(rated):
    rows = [{"rater": "A", "item": str(i), "system": ["x", "y"], "r": i} for i in range(12)]
    found = analyse(rated(rows, criteria=["r"]), resamples=20)
    assert found.systems["x"]["r"].value == found.systems["y"]["r"].value == 5.5
    assert found.differences["x", "y"]["r"].permutation_p == 1


def comparisons(items=30):
    """Made-up comparisons: x is mostly preferred to y, and y to z."""
    rng = np.random.default_rng(1)
    rows = []
    for item in range(items):
        for rater in "AB":
            first, second = rng.permutation(["x", "y", "z"])[:2]
            better = "A" if (first < second) == (rng.random() < 0.8) else "B"
            row = {"rater": rater, "item": str(item), "system": [str(first), str(second)]}
            rows.append({**row, "fluency": better, "meaning": "equal", "simplicity": better})
    return rows


def test_comparisons_give_strengths(rated):
    found = analyse(rated(comparisons(), "pairwise"), resamples=20)
    values = {system: own["simplicity"].value for system, own in found.systems.items()}
    assert values["x"] > values["y"] > values["z"]
    assert sum(values.values()) == pytest.approx(0)
    assert found.agreement["simplicity"].raters.level == "nominal"
    assert "Bradley–Terry" in next(iter(found.tables()))


WINS = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 6), min_size=n, max_size=n), min_size=n, max_size=n)
)


@given(WINS)
def test_strengths_are_those_of_choix(counts):
    choix = pytest.importorskip("choix")
    wins = np.array(counts, float)
    np.fill_diagonal(wins, 0)
    pairs = [(i, j) for i in range(len(wins)) for j in range(len(wins)) if i != j]
    data = [pair for pair in pairs for _ in range(int(wins[pair]))]
    if data:
        expected = choix.opt_pairwise(len(wins), data, alpha=bradley_terry.PENALTY, tol=1e-9)
        assert bradley_terry.fit(wins) == pytest.approx(expected, abs=1e-4)


def test_controls_alone_are_refused(rated):
    with pytest.raises(InputError):
        analyse(rated(controls("A", [1])))


@pytest.mark.slow
def test_forty_thousand_answers_are_analysed(rated):
    rng = np.random.default_rng(0)
    rows = [
        {"rater": f"r{i % 3 + 3 * (i % 7)}", "item": i // 15, "system": f"s{i // 3 % 5}", "x": x}
        for i, x in enumerate(rng.integers(1, 6, 40_000).tolist())
    ]
    found = analyse(rated(rows, criteria=["x"], level="ordinal"))
    assert found.counts["ratings"] == 40_000
    assert found.systems["s0"]["x"].interval is not None


# Tests of systems


def made_up(means, items=40, seed=0, gaps=0):
    """Judgements of systems s0, s1, …, of which the first lacks a share of its items."""
    rng = np.random.default_rng(seed)
    return [
        {"rater": rater, "item": str(item), "system": f"s{k}", "overall": value + rng.normal()}
        for item in range(items)
        for k, mean in enumerate(means)
        for value in [mean + rng.normal()]
        if k or item >= gaps * items
        for rater in "AB"
    ]


def test_of_many_systems_a_pair_can_be_significant(rated):
    """55 pairs: 1,000 permutations would give no smaller p-value than 0.055 by Holm's method."""
    found = analyse(rated(made_up([5, *[0] * 10], 20), criteria=["overall"]), resamples=1000)
    p_values = [test["overall"].permutation_p_holm for test in found.differences.values()]
    assert sum(p is not None and p <= 0.05 for p in p_values) == 10


def test_items_that_one_system_lacks_are_in_no_difference(rated):
    rows = made_up([0, 0], gaps=0.5)
    both = [row for row in rows if int(row["item"]) >= 20]
    found = analyse(rated(rows, criteria=["overall"])).differences["s0", "s1"]["overall"]
    means = [np.mean([r["overall"] for r in both if r["system"] == name]) for name in ("s0", "s1")]
    assert found.value == pytest.approx(means[0] - means[1])
    assert found.interval[0] < found.value < found.interval[1]


@pytest.mark.parametrize("contradict", [False, True])
def test_ratings_and_meta_have_one_reliability_of_a_table(contradict, rated):
    rows = [
        {"rater": rater, "item": i, "system": "x", "overall": (i + contradict * k) % 3, "other": i}
        for i in range(9)
        for k, rater in enumerate("AB" if i < 5 else "A")
    ]
    found = rated(rows, criteria=["overall", "other"])
    table = found.by_output()
    of_meta = correlate(range(9), table["overall"], resamples=10).raters.reliability
    assert analyse(found, resamples=10).agreement["overall"].reliability == of_meta


def test_means_that_are_not_reliable_have_a_note(rated):
    rng = np.random.default_rng(0)
    rows = [{**row, "overall": int(rng.integers(1, 6))} for row in study()]
    found = analyse(rated(rows, criteria=["overall"]), resamples=20)
    reliability = found.agreement["overall"].reliability
    assert reliability < 0.4
    note = f"overall: Raters agree little (reliability of their mean {reliability:.2f})"
    assert note in found.notes


def test_fewer_than_ten_common_items_are_not_tested(rated):
    found = analyse(rated(made_up([9, 0], gaps=0.9), criteria=["overall"]), resamples=50)
    assert found.differences["s0", "s1"]["overall"].permutation_p is None
    assert "no interval and p-value where fewer than 10 items have ratings of both" in found.notes
    for row in found.records():
        if row["what"] == "difference":
            assert (row["low"], row["high"], row["common"]) == (None, None, 4)


def test_a_difference_is_significant_for_these_raters_and_others(rated):
    """Both raters favour s0, one of them far more: others might not."""
    rows = [
        {**row, "overall": row["overall"] + 5 * (row["rater"] == "A") * (row["system"] == "s0")}
        for row in made_up([0, 0], 60, seed=3)
    ]
    found = analyse(rated(rows, criteria=["overall"]), resamples=500)
    test = found.differences["s0", "s1"]["overall"]
    assert test.permutation_p_holm < 0.05
    assert test.interval[0] <= 0 <= test.interval[1]
    table = found.tables()["Differences of mean ratings"]
    assert "*" not in table.to_text()
    assert table.notes[0].startswith("* Holm's p < 0.05 for these raters, and an interval over")


def test_an_output_counts_once_by_the_mean_of_its_raters(rated):
    rows = [
        {"item": str(i), "system": "x", "rater": rater, "overall": rating}
        for i, ratings in enumerate([[1], [5, 5, 5], [3, 4]])
        for rater, rating in zip("ABC", ratings, strict=False)
    ]
    found = analyse(rated(rows, criteria=["overall"]), resamples=10)
    assert found.systems["x"]["overall"].value == pytest.approx((1 + 5 + 3.5) / 3)
    note = "an output counts once, by the mean of its raters: outputs have 1 to 3 of them"
    assert note in found.notes


def test_systems_without_a_common_rater_are_not_tested_and_the_table_says_why(rated):
    rows = [row for row in study(raters="AB") if (row["rater"] == "A") == (row["system"] == "x")]
    found = analyse(rated(rows), resamples=50)
    test = found.differences["x", "y"]["simplicity"]
    assert (test.permutation_p, test.permutation_p_holm) == (None, None)
    assert np.isnan(test.interval).all()
    (note,) = [note for note in found.notes if note.startswith("no test, as no rater rated both")]
    assert note.endswith(": all differences")


def test_one_raters_differences_are_said_to_be_of_this_rater(rated):
    found = analyse(rated(study(raters="A")), resamples=50)
    (note,) = [note for note in found.notes if note.startswith("p and interval are of this one")]
    assert note.endswith(": all differences")


def test_differences_without_a_test_are_named_where_others_have_one(rated):
    rows = [row for row in study(raters="AB") if (row["rater"] == "A") == (row["system"] == "x")]
    third = [{**row, "rater": "A", "system": "z"} for row in rows if row["system"] == "y"]
    found = analyse(rated([*rows, *third]), resamples=50)
    (note,) = [note for note in found.notes if note.startswith("no test, as no rater rated both")]
    assert "simplicity of x - y" in note
    assert "simplicity of x - z" not in note


def test_few_raters_an_output_have_an_interval_by_clustered_variances():
    """Two raters, two items, each rater an output of each: by hand."""
    items, raters = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    of_first, of_second = [1.0, np.nan, np.nan, 3.0], [np.nan, 4.0, 4.0, np.nan]
    sums = np.stack([of_first, of_second], axis=1)
    rows = np.stack([sums, np.where(np.isnan(sums), np.nan, 1.0)], axis=2)
    pair = rater_intervals.pair_up(rows, items, raters)
    # means 2 and 4; influences .5, 0 (item 0) and 0, −.5 (item 1); raters .5 and −.5
    between_raters, between_items, cells = 2 * 0.5, 2 * 0.5, 0.5
    half = stats.t.ppf(0.975, 1) * (between_raters + between_items - cells) ** 0.5
    assert pair.interval(0.95) == pytest.approx([2 - half, 2 + half])


def test_three_raters_who_rated_everything_are_resampled(rated):
    judged = rated(study())
    found = analyse(judged, resamples=50).differences["x", "y"]["simplicity"]
    values = judged.rated.on_scale("simplicity")
    values = values[~np.isnan(values)].reshape(20, 2, 3)
    gains = values[:, 1] - values[:, 0]
    drawn = next(draws.draw({"item": 20, "rater": 3}, 50, 0))
    weights = drawn["item"][:, :, None] * drawn["rater"][:, None]
    means = (weights * gains).sum(axis=(1, 2)) / weights.sum(axis=(1, 2))
    expected = np.quantile(means, [0.025, 0.975])
    assert found.interval == pytest.approx(-expected[::-1])


# Answers of judges: invalid ones are counted, and count nowhere else

JUDGE = {"model": "m", "reported": "m-2", "prompt": "abc", "temperature": 0.0, "left_out": []}


@pytest.fixture
def judged(written):
    """``judged([answer, …])`` → a judge's answers, as read from a file."""

    def write(answers):
        stamp = Scheme.load("level").stamp
        same = {"rater": "m", "item": "1", "system": ["a"], "control": "", "judge": JUDGE}
        rows = [
            {**stamp, **same, "screen": i, "invalid": "", "time": f"{i:03}", **answer}
            for i, answer in enumerate(answers)
        ]
        return read(written(rows))

    return write


@pytest.fixture
def ten(judged):
    answers = [{"item": str(i), "level": "B1" if i % 2 else "A2"} for i in range(9)]
    invalid = {"item": "9", "level": None, "invalid": "expected JSON alone"}
    return analyse(judged([*answers, invalid]), resamples=10)


def test_an_invalid_answer_is_no_rating(ten):
    assert ten.counts["ratings"] == 9
    assert ten.systems["a"]["level"].value == 1 + 4 / 9
    assert (ten.raters["m"].ratings, ten.raters["m"].invalid) == (9, 1)


def test_invalid_answers_are_counted_below_the_tables(ten):
    note = "m: 1 of 10 answers are invalid, and count nowhere else"
    assert note in str(ten)
    assert note in ten.tables()["Raters"].notes


def test_the_signature_says_how_judges_were_asked(ten):
    assert "|judge(model:m,reported:m-2,prompt:abc,temperature:0.0)|" in ten.signature


def test_an_invalid_answer_fails_no_control(judged):
    scheme = Scheme.load("likert")
    criteria = dict.fromkeys(scheme.criteria, 1)
    rows = [{"item": str(i), **criteria, **scheme.stamp} for i in range(3)]
    control = {**rows[0], **dict.fromkeys(criteria), "control": "source", "invalid": "no text"}
    found = judged([*rows, control])
    assert analyse(found, resamples=10).raters["m"].controls == 0


def test_an_item_may_be_repeated_on_several_screens(judged):
    answers = [{"level": "B1", "control": control} for control in ("", "repeat", "repeat")]
    assert len(judged(answers)) == 3
