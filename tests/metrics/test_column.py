"""Scores that others computed, as a metric."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import ColumnMeans, InputError, compare

rows = st.lists(
    st.one_of(st.none(), st.floats(-9, 9), st.lists(st.floats(-9, 9), max_size=3)),
    min_size=1,
    max_size=9,
)


def mean(numbers: list[float]) -> float:
    return sum(numbers) / len(numbers)


@given(column=rows)
def test_the_score_is_the_mean_over_outputs_of_the_mean_of_their_numbers(column: Any) -> None:
    lists = [row if isinstance(row, list) else [row] for row in column]
    outputs = [mean(row) for row in lists if row not in ([], [None])]
    metric = ColumnMeans(names="comet")
    if outputs:
        assert metric.score(comet=column)["comet"] == pytest.approx(mean(outputs))
    else:
        with pytest.raises(InputError, match="comet: expected a number, got none in any row"):
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


def test_a_metric_survives_pickling_as_workers_need_it():
    metric = ColumnMeans("lower", names="ter")
    again = pickle.loads(pickle.dumps(metric))
    assert again == metric
    assert again != ColumnMeans("lower", names="comet")
    assert again.score(ter=[1.5])["ter"] == 1.5


@pytest.mark.parametrize("names", ["", "a,", "a,a", "predictions", "a,sources"])
def test_names_are_different_columns_of_numbers(names: str) -> None:
    with pytest.raises(InputError, match="names: expected different columns of numbers"):
        ColumnMeans(names=names)
