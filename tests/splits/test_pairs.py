"""Values of pairs, of which a row with several targets has several."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.splits.pair_values import Pairs, column_values, edit_counts
from textsimp.splits.subsets import check_subsets

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


@pytest.mark.parametrize("rows", [[1, 2], [0.5, 2.0]])
def test_numbers_become_floats(rows):
    for given_rows, sizes in ((rows, [1, 1]), ([rows, rows[:1]], [2, 1])):
        found = column_values({"a": subset(given_rows)}, "x")["a"]
        assert found.values.tolist() == (rows if sizes == [1, 1] else [*rows, rows[0]])
        assert found.values.dtype == float
        assert found.sizes.tolist() == sizes


@pytest.mark.parametrize(
    ("rows", "row"),
    [
        ([1.0, None], 1),
        ([[1.0], []], 1),
        ([[1.0], [2.0, None]], 1),
        ([1.0, 2.0, float("inf")], 2),
        ([[1.0, 2.0], [3.0], [4.0, float("nan")]], 2),
        (["a", "b"], 0),
        ([True, False], 0),
    ],
)
def test_the_first_row_without_a_number_is_named(rows, row):
    with pytest.raises(InputError, match=f"row {row} of column 'x' of subset 'a'"):
        column_values({"a": subset(rows)}, "x")


@pytest.mark.parametrize(
    ("targets", "place"), [(["a", None], "row 1 of "), (["['a', 'b']"] * 2, "")]
)
def test_texts_of_all_subsets_are_checked(targets, place):
    good, bad = (pa.table({"source": ["a"] * 2, "target": own}) for own in (["a"] * 2, targets))
    with pytest.raises(InputError, match=f"{place}column 'target' of subset 'b'"):
        check_subsets({"a": good, "b": bad}, texts=["source", "target"])


def test_a_few_texts_may_look_like_lists():
    data = pa.table({"source": ["a"] * 9, "target": [" ['a', 'b'] ", *"abcdefgh"]})
    check_subsets({"a": data}, texts=["source", "target"], at_least=1)
