from __future__ import annotations

import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

from tests.splits.corpus import corpus
from textsimp import InputError
from textsimp.splits import annotate_edits, edit_columns

COLUMNS = ["insert", "delete", "replace", "keep", "change_percentage"]


def test_counts_and_percentage_of_a_batch() -> None:
    batch = {"source": ["a big cat sat", "The cat"], "target": ["a cat lay", "the cat"]}
    assert edit_columns(batch) == {
        "insert": [0, 0],
        "delete": [1, 0],
        "replace": [1, 0],
        "keep": [2, 2],
        "change_percentage": [50.0, 0.0],
    }


def test_each_target_of_a_list_is_a_pair() -> None:
    batch = {"source": ["a b", "c"], "target": [["a b", "a", "b a"], ["d"]]}
    found = edit_columns(batch)
    assert found["keep"] == [[2, 1, 0], [0]]
    assert found["change_percentage"] == [[0.0, 50.0, 100.0], [100.0]]


def test_shortest_path_is_an_option() -> None:
    batch = {"source": ["a a b c"], "target": ["b c b"]}
    assert edit_columns(batch)["insert"] == [1]
    assert edit_columns(batch, edits="shortest")["insert"] == [0]


def test_columns_have_any_name() -> None:
    batch = {"complex": ["a b"], "simple": ["a"]}
    assert edit_columns(batch, source="complex", target="simple")["delete"] == [1]


@pytest.mark.parametrize("num_proc", [None, 2])
def test_map_function_runs_under_dataset_map(num_proc: int | None) -> None:
    data = corpus()["train"]
    mapped = data.map(edit_columns, batched=True, batch_size=7, num_proc=num_proc)
    once = edit_columns(data[:])
    assert {name: mapped[name][:] for name in COLUMNS} == once
    assert mapped["source"][:] == data["source"][:]


def test_dataset_dict_in_and_out() -> None:
    data = corpus()
    annotated = annotate_edits(data, num_proc=2)
    assert isinstance(annotated, DatasetDict)
    assert list(annotated) == list(data)
    for name, subset in annotated.items():
        assert subset.column_names == ["id", "source", "target", *COLUMNS]
        assert subset["keep"][:] == edit_columns(data[name][:])["keep"]


def test_dataset_in_and_out() -> None:
    annotated = annotate_edits(corpus()["test"])
    assert isinstance(annotated, Dataset)
    assert annotated.features["keep"].dtype == "int64"
    assert annotated.features["change_percentage"].dtype == "float64"


def test_streams_in_and_out() -> None:
    data = corpus()
    expected = annotate_edits(data)
    stream = annotate_edits(data["test"].to_iterable_dataset())
    assert isinstance(stream, IterableDataset)
    assert list(stream) == list(expected["test"])
    streams = IterableDatasetDict({n: s.to_iterable_dataset() for n, s in data.items()})
    annotated = annotate_edits(streams)
    assert isinstance(annotated, IterableDatasetDict)
    assert list(annotated["train"]) == list(expected["train"])


def test_a_missing_column_is_named_with_those_there_are() -> None:
    with pytest.raises(InputError) as error:
        annotate_edits(corpus(), source="complex")
    assert str(error.value) == (
        "subset 'test' has no column 'complex'; its columns are 'id', 'source', 'target'"
    )
    with pytest.raises(InputError, match="dataset has no column 'simple'"):
        annotate_edits(corpus()["test"], target="simple")


@pytest.mark.parametrize("column", ["source", "target"])
def test_a_column_of_numbers_is_not_texts(column: str) -> None:
    with pytest.raises(InputError, match=r"column 'id' of subset 'test': expected strings.*int64"):
        annotate_edits(corpus(), **{column: "id"})


def test_sources_are_not_lists() -> None:
    data = Dataset.from_dict({"source": [["a"]], "target": ["a"]})
    with pytest.raises(InputError, match="'source' of the dataset: expected strings, got list"):
        annotate_edits(data)


@pytest.mark.parametrize("bad", [None, []])
def test_a_row_without_a_target_is_named(bad: object) -> None:
    data = Dataset.from_dict({"source": ["a"] * 9_000, "target": [["a", "b"]] * 8_999 + [bad]})
    with pytest.raises(InputError, match="row 8999 of column 'target' of the dataset"):
        annotate_edits(data)


def test_a_row_without_a_source_is_named_in_its_subset() -> None:
    data = corpus()
    rows = {"id": [1], "source": [None], "target": ["a"]}
    data["validation"] = Dataset.from_dict(rows, features=data["train"].features)
    with pytest.raises(InputError, match="row 0 of column 'source' of subset 'validation'"):
        annotate_edits(data)


def test_rows_left_out_by_select_are_not_checked() -> None:
    data = Dataset.from_dict({"source": ["a", None, "b"], "target": ["a", "a", "a"]})
    assert annotate_edits(data.select([2, 0]))["keep"][:] == [0, 1]


def test_a_stream_that_does_not_know_its_columns_is_asked_for_a_row() -> None:
    stream = corpus()["test"].to_iterable_dataset().map(lambda row: row)
    assert stream.column_names is None
    with pytest.raises(InputError, match="no column 'simple'; its columns are 'id', 'source'"):
        annotate_edits(stream, target="simple")


def test_columns_are_not_overwritten() -> None:
    with pytest.raises(InputError, match="subset 'test' already has a column 'insert'"):
        annotate_edits(annotate_edits(corpus()))


def test_an_unknown_path_is_an_error() -> None:
    with pytest.raises(InputError, match="edits: expected 'paper' or 'shortest', got 'long'"):
        annotate_edits(corpus(), edits="long")


def test_a_batch_is_checked() -> None:
    with pytest.raises(InputError, match=r"row 1 of source \(counted from 0\): expected a string"):
        edit_columns({"source": ["a", None], "target": ["a", "b"]})
    with pytest.raises(InputError, match=r"same number of rows.*: source has 2, target has 1"):
        edit_columns({"source": ["a", "b"], "target": ["a"]})


def test_formatted_datasets_are_read_as_texts() -> None:
    data = corpus()
    formatted = data.with_format("numpy")
    assert (
        annotate_edits(formatted).with_format(None)["test"]["keep"][:]
        == (annotate_edits(data)["test"]["keep"][:])
    )
