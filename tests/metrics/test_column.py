"""Scores that others computed, as a metric."""

from statistics import fmean

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import ColumnMeans, InputError, compare, score
from textsimp.core import draws
from textsimp.testing import check_metric

rows = st.lists(
    st.one_of(st.none(), st.floats(-9, 9), st.lists(st.floats(-9, 9), max_size=3)),
    min_size=1,
    max_size=9,
)


def compare_comet(systems, **options):
    return compare(systems, metrics=ColumnMeans(names="comet"), **options)["column"]


@given(column=rows)
def test_the_score_is_the_mean_over_outputs_of_the_mean_of_their_numbers(column):
    lists = [row if isinstance(row, list) else [row] for row in column]
    outputs = [fmean(row) for row in lists if row not in ([], [None])]
    metric = ColumnMeans(names="comet")
    if outputs:
        assert metric.score(comet=column)["comet"] == pytest.approx(fmean(outputs))
    else:
        with pytest.raises(InputError):
            metric.score(comet=column)


def test_each_column_is_a_score_and_the_variant_is_their_direction():
    metric = ColumnMeans("lower", names="ter,wer")
    assert [(score.key, score.better) for score in metric.scores] == [
        ("ter", "lower"),
        ("wer", "lower"),
    ]
    scores = metric.score(ter=[1, 3], wer=[5, 6], per_example=True)
    assert scores["ter_per_example"] == [1, 3]
    assert scores["wer"] == 5.5
    assert metric.signature().startswith("column|variant:lower|names:ter,wer|v:")


def test_columns_have_paired_tests_and_metrics_of_other_columns_stand_beside_them():
    systems = {
        "worse": {"comet": [1.0] * 12, "ter": [1.0] * 12},
        "better": {"comet": [2.0] * 12, "ter": [None, *[2.0] * 11]},
    }
    metrics = [ColumnMeans(names="comet"), ColumnMeans("lower", names="ter")]
    found = compare(systems, metrics=metrics)
    assert [found[name]["best"] for name in found] == [["better"], ["worse"]]


def test_it_obeys_the_laws_of_metrics(monkeypatch):
    monkeypatch.setattr("textsimp.testing._EXAMPLES", 12)
    check_metric(ColumnMeans("lower", names="comet,ter"))


def test_a_number_whose_square_has_no_sum_is_refused_with_its_row():
    with pytest.raises(InputError, match=r"^row 1 of comet "):
        ColumnMeans(names="comet").score(comet=[1, 1e301, 2])


# Gaps: outputs without a number


def test_a_single_number_beats_no_system_that_has_all():
    systems = {
        "twelve": {"comet": [0.5 + i / 110 for i in range(12)]},
        "one": {"comet": [1.0, *[None] * 11]},
    }
    with pytest.warns(UserWarning, match=r"^comet: "):
        found = compare_comet(systems)
    assert found["best"] == ["twelve", "one"]
    (test,) = (own["comet"] for own in found.differences.values())
    assert test.permutation_p is test.bootstrap_p is test.permutation_p_holm is None
    assert "★" not in str(found)
    scores = score(systems, metrics=ColumnMeans(names="comet"))
    assert scores.best["column"] == ["twelve", "one"]


def test_tables_say_on_which_rows_systems_with_gaps_are_compared():
    systems = {"half": {"comet": [None] * 12 + [1.0] * 12}, "all": {"comet": [0.5, 1] * 12}}
    found = compare_comet(systems, baseline="all")
    line = "comet: compared with all is half on the 12 of 24 rows that both have"
    assert line in str(found)
    assert line in found.grid().notes
    whole = {"b": {"comet": [0.0] * 24}, "all": systems["all"]}
    assert "rows that both" not in str(compare_comet(whole))


def test_pairs_of_systems_with_many_outputs_are_matched_too(monkeypatch):
    monkeypatch.setattr(draws, "MANY", 20)
    half, whole = np.random.default_rng(1).normal(0, 1, (2, 60)).tolist()
    half[::2] = [None] * 30
    both = [x - y for x, y in zip(half, whole, strict=True) if x is not None]
    found = compare_comet({"a": {"comet": half}, "b": {"comet": whole}}, baseline="b")
    assert found.differences["a"]["comet"].value == pytest.approx(fmean(both))
