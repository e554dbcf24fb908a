"""Edit operations of pairs, as columns."""

import pytest
from datasets import Dataset

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import annotate_edits, edit_columns


def test_counts_and_percentage_of_a_batch():
    batch = {"source": ["a big cat sat", "The cat"], "target": ["a cat lay", "the cat"]}
    assert edit_columns(batch) == {
        "insert": [0, 0],
        "delete": [1, 0],
        "replace": [1, 0],
        "keep": [2, 2],
        "change_percentage": [50.0, 0.0],
    }


def test_each_target_of_a_list_is_a_pair():
    batch = {"source": ["a b", "c"], "target": [["a b", "a", "b a"], ["d"]]}
    found = edit_columns(batch)
    assert found["keep"] == [[2, 1, 0], [0]]
    assert found["change_percentage"] == [[0.0, 50.0, 100.0], [100.0]]


def test_dataset_in_and_out():
    annotated = annotate_edits(corpus()["test"])
    assert isinstance(annotated, Dataset)
    assert annotated.features["keep"].dtype == "int64"
    assert annotated.features["change_percentage"].dtype == "float64"


@pytest.mark.parametrize("column", ["source", "target"])
def test_a_column_of_numbers_is_not_texts(column):
    with pytest.raises(InputError, match=r"column 'id' of subset .*: expected strings.*int64"):
        annotate_edits(corpus(), **{column: "id"})


def test_sources_are_not_lists():
    data = Dataset.from_dict({"source": [["a"]], "target": ["a"]})
    with pytest.raises(InputError, match="'source' of the dataset: expected strings, got list"):
        annotate_edits(data)


@pytest.mark.parametrize("bad", [None, []])
def test_a_row_without_a_target_is_named(bad):
    data = Dataset.from_dict({"source": ["a"] * 9_000, "target": [["a", "b"]] * 8_999 + [bad]})
    with pytest.raises(InputError, match="row 8999 of column 'target' of the dataset"):
        annotate_edits(data)


def test_a_batch_is_checked():
    with pytest.raises(InputError, match=r"row 1 of source \(counted from 0\): expected a string"):
        edit_columns({"source": ["a", None], "target": ["a", "b"]})
    with pytest.raises(InputError, match=r"same number of rows.*: source has 2, target has 1"):
        edit_columns({"source": ["a", "b"], "target": ["a"]})
