"""Edit operations of pairs, as columns."""

import pytest
from datasets import Dataset

from textsimp import InputError
from textsimp.splits import edit_columns


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


@pytest.mark.parametrize(
    ("batch", "place"),
    [
        ({"source": ["a", None], "target": ["a", "b"]}, "row 1 of source"),
        ({"source": ["a", "b"], "target": ["a"]}, "target has 1"),
        ({"source": ["a"]}, "column 'target'"),
    ],
)
def test_a_batch_is_checked(batch, place):
    with pytest.raises(InputError, match=place):
        edit_columns(batch)


PAIRS = Dataset.from_dict({"source": ["a b c", "a b"], "target": ["x y z", "a b"]})


@pytest.mark.parametrize("data", [PAIRS, PAIRS.to_iterable_dataset()], ids=type)
def test_a_map_that_is_not_batched_is_told_what_to_pass(data):
    for call in (lambda: list(data.map(edit_columns)), lambda: edit_columns(data)):
        with pytest.raises(InputError, match="batched=True"):
            call()


def test_poor_alignments_of_a_stream_are_dropped_by_map_and_filter():
    stream = PAIRS.to_iterable_dataset().map(edit_columns, batched=True)
    kept = stream.filter(lambda row: row["change_percentage"] < 60)
    assert [row["source"] for row in kept] == ["a b"]
