"""Values of pairs, of which a row with several targets has several."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from datasets import Dataset
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.splits.pairs import Pairs, column_values, count_operations, edit_counts

nested = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=6)


def of(rows: list[list[int]]) -> Pairs:
    return Pairs(np.array([v for row in rows for v in row]), np.array([len(row) for row in rows]))


def rows_of(pairs: Pairs) -> list[list[int]]:
    return [part.tolist() for part in np.split(pairs.values, np.cumsum(pairs.sizes)[:-1])]


@given(nested)
def test_sums_are_those_of_each_row(rows: list[list[int]]) -> None:
    assert of(rows).sums().tolist() == [sum(row) for row in rows]


@given(nested, st.data())
def test_rows_are_taken_with_all_their_values(rows: list[list[int]], data: st.DataObject) -> None:
    taken = data.draw(st.lists(st.integers(0, len(rows) - 1), min_size=1))
    assert rows_of(of(rows).take(np.array(taken))) == [rows[i] for i in taken]


def test_each_target_is_compared_with_the_source_of_its_row() -> None:
    batch = {"source": ["a b", "c"], "target": [["a b", "a", "x y"], ["c d"]]}
    found = count_operations(batch, "source", "target", "paper")
    assert found.sizes.tolist() == [3, 1]
    # insertions, deletions, replacements, keeps
    assert found.values.tolist() == [[0, 0, 0, 2], [0, 1, 0, 1], [0, 0, 2, 0], [1, 0, 0, 1]]


def test_the_path_is_passed_on() -> None:
    data = {"train": Dataset.from_dict({"source": ["a a b c"], "target": ["b c b"]})}
    for path, expected in (("paper", [1, 2, 0, 2]), ("shortest", [0, 1, 2, 1])):
        assert edit_counts(data, "source", "target", path)["train"].values.tolist() == [expected]


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([1.0, None], r"row 1 of column 'x' of subset 'a' \(counted from 0\).* a value, got None"),
        ([[1.0], []], r"row 1 of .*: expected a value, got \[\]"),
        ([[1.0], [2.0, None]], r"row 1 of .*: expected a value, got \[2.0, None\]"),
        ([1.0, 2.0, float("inf")], "row 2 of .*: expected a finite number, got inf"),
        ([[1.0, 2.0], [3.0], [4.0, float("nan")]], "row 2 of .*: expected a finite number, got n"),
    ],
)
def test_the_first_row_without_a_value_is_named(rows: list[Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        column_values({"a": Dataset.from_dict({"x": rows})}, "x")
