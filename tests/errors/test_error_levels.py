"""Measures of outputs by the level of their errors."""

from __future__ import annotations

import math
import statistics
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError, errors

rows = st.lists(
    st.tuples(st.sampled_from([math.nan, -50, 0, 7]), st.sampled_from([0, 1, 2, -1, None])),
    min_size=1,
    max_size=12,
)


@given(rows=rows)
def test_levels_have_the_mean_and_deviation_of_their_outputs(rows: Any) -> None:
    values, labels = zip(*rows, strict=True)
    found = errors.by_level(values, deletion=labels).categories["deletion"]
    assert list(found) == [0, 1, 2]
    for level, of_level in found.items():
        chosen = [value for value, label in rows if label == level and value == value]
        assert of_level.outputs == len(chosen)
        if chosen:
            assert of_level.mean == pytest.approx(statistics.fmean(chosen))
            assert of_level.deviation == pytest.approx(statistics.pstdev(chosen), abs=1e-9)


def test_its_table_has_a_row_per_category_and_a_column_per_level() -> None:
    found = errors.by_level([1, 2, 4.5, 3], insertion=[0, 0, 1, -1], deletion=[0, 0, 0, None])
    assert found.grid().header == ["", "0", "1", "2"]
    assert found.grid().rows == [
        ["insertion", "1.50 ± 0.50 (2)", "4.50 ± 0.00 (1)", "–"],
        ["deletion", "2.50 ± 1.47 (3)", "–", "–"],
    ]
    assert found.to_dict()["deletion"][1] == {"outputs": 0, "mean": None, "deviation": None}


@pytest.mark.parametrize(
    ("values", "labels", "message"),
    [
        ([1, 2], {}, "^expected labels of insertion"),
        ([1, "x"], {"deletion": [0, 1]}, "^row 1 of values .*: expected a finite number"),
        ([[1, 2], [3, 4]], {"deletion": [0, 1]}, "^values: expected a number per output, got list"),
        ([1], {"deletion": [0, 1]}, "values has 1, deletion has 2"),
    ],
)
def test_bad_input_is_refused(values: Any, labels: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.by_level(values, **labels)
