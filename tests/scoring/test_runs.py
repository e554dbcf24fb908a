"""Several runs of one system: means of scores, intervals over examples and runs."""

import numpy as np
import pytest
from datasets import Dataset

import textsimp
from tests.scoring.comparing import COLUMNS, SOURCES, SYSTEMS, only
from textsimp import InputError, Sari
from textsimp.scoring import headlines
from textsimp.scoring.ranking import judge
from textsimp.scoring.verdict import find_failures

RUNS = [
    SYSTEMS["splitter"],
    SYSTEMS["substituter"],
    [f"{text} indeed" for text in SYSTEMS["substituter"]],
]
NAMES = {"confidence": 0.9, "resamples": 300, "seed": 4}


def of_system(own, metric="sari", **options):
    """The main score of a system."""
    results = textsimp.score({"ours": own}, metric=metric, **COLUMNS, **{**NAMES, **options})
    return next(iter(results["ours"].values())).main


@pytest.mark.parametrize("metric", ["sari", "bleu"])
def test_a_score_is_the_mean_of_the_runs_scores(metric):
    alone = [of_system(run, metric).value for run in RUNS]
    found = of_system(RUNS, metric)
    assert found.runs == alone
    assert found.value == pytest.approx(np.mean(alone), abs=1e-12)


def test_the_spread_is_the_t_interval_of_the_mean():
    found = of_system(RUNS)
    quantile = 2.919986  # of t with two degrees of freedom at 95 %
    assert found.spread == pytest.approx(quantile * np.std(found.runs, ddof=1) / 3**0.5, rel=1e-6)
    assert of_system(RUNS, confidence=None).spread is None


def test_one_run_in_a_list_has_the_score_of_the_run_alone():
    found, alone = of_system(RUNS[:1]), of_system(RUNS[0])
    assert found.value == alone.value
    assert found.interval == alone.interval


def test_equal_runs_have_the_interval_of_one():
    found, alone = of_system([RUNS[0]] * 3), of_system(RUNS[0])
    assert found.interval == pytest.approx(alone.interval, abs=1e-9)
    assert found.spread == pytest.approx(0, abs=1e-9)


def test_runs_that_differ_widen_the_interval():
    low, high = of_system(RUNS).interval
    widths = [one[1] - one[0] for one in (of_system(run).interval for run in RUNS)]
    assert high - low > 1.5 * max(widths)


def test_an_interval_of_two_runs_has_only_numbers_that_the_score_can_be():
    found = of_system(RUNS[:2], confidence=0.99)
    assert found.value - found.spread < 0
    assert found.value + found.spread > 100
    assert found.interval == [0, 100]


def test_a_difference_is_that_of_the_means():
    found = only({"ours": RUNS, "copy": SOURCES}, **COLUMNS, baseline="copy", **NAMES)
    difference = found.differences["ours"]["sari"]
    expected = found.systems["ours"].main.value - found.systems["copy"].main.value
    assert difference.value == pytest.approx(expected, abs=1e-12)
    assert difference.interval[0] < expected < difference.interval[1]


def of_means(*means):
    """Runs of 40 examples with such means, between which examples hardly vary."""
    ease = np.linspace(-0.1, 0.1, 40)
    return [{"score": mean + np.roll(ease, i)} for i, mean in enumerate(means)]


def two_systems(first, second, **options):
    metric = textsimp.ColumnMeans(names="score")
    systems = {"first": of_means(*first), "second": of_means(*second)}
    return only(systems, metric=metric, baseline="first", **options)


def test_runs_that_happen_to_be_better_are_not_significantly_better():
    found = two_systems((1, 1.5, 2), (1.5, 2, 2.5))
    test = found.differences["second"]["score"]
    assert test.permutation_p < 0.01
    assert test.interval[0] < 0 < test.interval[1]
    assert found.best == ["first", "second"]
    assert not find_failures(found, "worse")
    (sentence,) = headlines.describe(judge({"": found})[""])
    assert "second is highest" in sentence
    assert "of these runs; with other runs 0.50 [" in sentence


def test_runs_that_lie_apart_are_significantly_better():
    found = two_systems((1, 1.1, 1.2), (1.5, 1.6, 1.7))
    assert found.best == ["second"]
    (sentence,) = headlines.describe(judge({"": found})[""])
    assert sentence.endswith("above first (p\u00a0=\u00a00.001 of these runs).")


def test_without_variation_of_examples_an_interval_is_the_t_interval_of_runs():
    found = two_systems((1, 1.2, 1.7, 1.9), (3, 3), resamples=20_000)["systems"]["first"]
    low, high = found["score_interval"]
    assert (high - low) / 2 == pytest.approx(found["score_spread"], rel=0.05)


def test_two_runs_are_said_to_be_few():
    few = "Two runs are few"
    assert few not in str(two_systems((1, 1.1, 1.2), (1.5, 1.6, 1.7)))
    assert few in str(textsimp.score({"ours": RUNS[:2], "copy": SOURCES}, **COLUMNS, **NAMES))


def test_sources_and_references_have_no_spread_of_runs():
    found = textsimp.score({"ours": RUNS}, metric="fkgl", **COLUMNS, **NAMES)["ours"]["fkgl"]
    assert found.predictions["fkgl"].spread > 0
    for side in (found.sources, found.references):
        assert (side["fkgl"].runs, side["fkgl"].spread) == (None, None)


def test_systems_with_the_same_runs_do_not_differ():
    found = only({"ours": RUNS, "same": RUNS, "copy": SOURCES}, **COLUMNS, **NAMES)
    test = found.test("same", "ours")
    assert test.value == 0
    assert test.interval == [0, 0]
    assert test.permutation_p == 1


def test_numbers_of_other_systems_change_nothing():
    names = ("ours", "copy")
    systems = {"copy": SOURCES, "ours": RUNS, "more": RUNS[:2]}
    found = only(systems, **COLUMNS, baseline="copy", **NAMES)
    pair = only({name: systems[name] for name in names}, **COLUMNS, baseline="copy", **NAMES)
    tests = [one.differences["ours"]["sari"] for one in (found, pair)]
    assert tests[0].interval == tests[1].interval
    assert found.systems["ours"] == pair.systems["ours"]


def test_runs_with_gaps_are_compared_on_the_examples_of_both():
    numbers = np.arange(20.0)
    gap = [*numbers[:-2], np.nan, np.nan]
    systems = {
        "ours": [{"score": gap}, {"score": [*numbers[:-1] + 1, np.nan]}],
        "theirs": {"score": [np.nan, *numbers[1:]]},
    }
    found = only(systems, metric=textsimp.ColumnMeans(names="score"), baseline="theirs")
    test = found.differences["ours"]["score"]
    assert test.units == 18
    assert found.systems["ours"]["score_runs"] == [np.nanmean(gap), np.mean(numbers[1:])]


def test_json_and_tables_show_runs_and_spread():
    results = textsimp.score({"ours": RUNS, "copy": SOURCES}, **COLUMNS, **NAMES)
    plain = results.to_dict()
    assert plain["ours"]["sari"]["sari_runs"] == results["ours"]["sari"].main.runs
    assert "sari_runs" not in plain["copy"]["sari"]
    row = str(results).splitlines()[1]
    assert f"] ± {plain['ours']['sari']['sari_spread']:.2f}" in row
    assert "means over runs (ours: 3) ± half their 90 % t interval" in str(results)
    assert r"$\pm$" in results.to_latex(intervals=False)


def test_runs_with_ids_are_joined_each():
    turned = [*reversed(range(len(SOURCES)))]
    systems = {
        "ours": [
            {"ids": [str(i) for i in turned], "predictions": [run[i] for i in turned]}
            for run in RUNS
        ]
    }
    ids = [str(i) for i in range(len(SOURCES))]
    found = textsimp.score(systems, **COLUMNS, ids=ids, **NAMES)
    assert found["ours"]["sari"].main == of_system(RUNS)


@pytest.mark.parametrize(
    ("systems", "options", "place"),
    [
        ({"ours": [RUNS[0], RUNS[1][1:]]}, {}, r"predictions of ours \(run 2\) has 47"),
        ({"ours": RUNS}, {"per_example": True}, "^per_example: "),
        ({"ours": RUNS, "ours (run 1)": RUNS[0]}, {}, "^systems: .*run 1"),
        ({"ours": [RUNS[0], None]}, {}, "row 0 of predictions of ours"),
    ],
)
def test_bad_runs_are_told(systems, options, place):
    with pytest.raises(InputError, match=place):
        textsimp.score(systems, **COLUMNS, **options)


def test_two_systems_are_needed_though_there_are_several_runs():
    with pytest.raises(InputError):
        textsimp.compare({"ours": RUNS}, **COLUMNS)
    found = textsimp.compare({"ours": RUNS}, **COLUMNS, baseline="copy", resamples=20)
    assert [*found["sari"].systems] == ["ours", "copy", "source truncated"]


def test_a_metric_takes_the_statistics_of_runs():
    rows = [Sari().compute_statistics(Sari().check(predictions=run, **COLUMNS))[""] for run in RUNS]
    assert Sari().sample(*rows).value()["sari"] == pytest.approx(of_system(RUNS).value)


def test_runs_may_be_columns_of_a_dataset():
    dataset = Dataset.from_dict({f"run {i}": run for i, run in enumerate(RUNS)})
    found = of_system([dataset[name] for name in dataset.column_names])
    assert found == of_system(RUNS)
