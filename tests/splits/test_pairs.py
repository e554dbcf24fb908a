"""Values of pairs, of which a row with several targets has several."""

import numpy as np
import pyarrow as pa
import pytest
from datasets import ClassLabel, Dataset
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.corpora.dataset_columns import as_table
from textsimp.splits.pair_values import Pairs, column_values, edit_counts

nested = st.lists(st.lists(st.integers(0, 9), min_size=1, max_size=4), min_size=1, max_size=6)


def of(rows):
    return Pairs(np.array([v for row in rows for v in row]), np.array([len(row) for row in rows]))


@given(nested)
def test_sums_are_those_of_each_row(rows):
    assert of(rows).sums().tolist() == [sum(row) for row in rows]


def test_operations_are_those_of_the_published_path():
    data = {"train": pa.table({"source": ["a a b c"], "target": ["b c b"]})}
    assert edit_counts(data, "source", "target")["train"].values.tolist() == [[1, 2, 0, 2]]


def subset(rows):
    return pa.table({"x": rows})


@pytest.mark.parametrize(
    ("rows", "values", "kind"),
    [
        ([1, 2], [1.0, 2.0], float),
        ([0.5, 2.0], [0.5, 2.0], float),
        (["a", "b"], ["a", "b"], object),
        ([True, False], ["True", "False"], object),
    ],
)
def test_numbers_become_floats_and_all_else_categories(rows, values, kind):
    for given_rows, sizes in ((rows, [1, 1]), ([rows, rows[:1]], [2, 1])):
        found = column_values({"a": subset(given_rows)}, "x")["a"]
        assert found.values.tolist() == (values if sizes == [1, 1] else [*values, values[0]])
        assert found.values.dtype == kind
        assert found.sizes.tolist() == sizes


def test_class_labels_are_their_names():
    data = Dataset.from_dict({"x": [1, 0]}).cast_column("x", ClassLabel(names=["easy", "hard"]))
    assert column_values({"a": as_table(data)}, "x")["a"].values.tolist() == ["hard", "easy"]


def test_texts_are_checked_before_anything_is_counted():
    good = {"source": ["a", "b"], "target": ["a", "b"]}
    bad = pa.table(good | {"target": ["a", None]})
    with pytest.raises(InputError, match="row 1 of column 'target' of subset 'b'"):
        edit_counts({"a": pa.table(good), "b": bad}, "source", "target")


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
def test_the_first_row_without_a_value_is_named(rows, message):
    with pytest.raises(InputError, match=message):
        column_values({"a": subset(rows)}, "x")


def test_lists_written_as_texts_are_reported():
    data = pa.table({"source": ["a"] * 9, "target": ["['a', 'b']"] * 9})
    with pytest.raises(
        InputError, match="column 'target' of subset 'a': expected texts, got lists"
    ):
        edit_counts({"a": data}, "source", "target")


def test_a_few_texts_may_look_like_lists():
    data = pa.table({"source": ["a"] * 9, "target": [" ['a', 'b'] ", *"abcdefgh"]})
    assert len(edit_counts({"a": data}, "source", "target")["a"].values) == 9
