"""The functions that add columns to datasets, all in the same way."""

import datasets
import numpy as np
import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

from textsimp import InputError
from textsimp.corpora import dataset_columns
from textsimp.documents import alignment_columns, annotate_alignment
from textsimp.documents.words import annotate_words, word_columns
from textsimp.splits import annotate_edits, edit_columns

SOURCES = ["The hen laid an egg and a boy found it.", "Dogs bark.", "", "Sun. Rain."]
TARGETS = ["The hen laid an egg. A boy found it.", "Dogs bark. Cats do not.", "Hi.", "Rain. Sun."]
ALL = {
    "edits": (annotate_edits, edit_columns, "target"),
    "alignment": (annotate_alignment, alignment_columns, "target"),
    "words": (annotate_words, word_columns, "prediction"),
}
pytestmark = pytest.mark.parametrize(("annotate", "columns", "second"), ALL.values(), ids=[*ALL])


def corpus(second="target", times=1):
    rows = {"id": [*range(4 * times)], "source": SOURCES * times, second: TARGETS * times}
    return Dataset.from_dict(rows)


@pytest.mark.parametrize("num_proc", [None, np.int64(2)])
def test_a_dataset_in_and_out(annotate, columns, second, num_proc):
    data = corpus(second, 3)
    annotated = annotate(data, num_proc=num_proc)
    expected = columns(data[:])
    assert isinstance(annotated, Dataset)
    assert annotated.column_names == [*data.column_names, *expected]
    assert {name: annotated[name][:] for name in expected} == expected


def test_a_dataset_dict_in_and_out(annotate, columns, second):
    data = DatasetDict(train=corpus(second), test=corpus(second).select([1]))
    annotated = annotate(data)
    assert isinstance(annotated, DatasetDict)
    assert annotated["test"][0] == annotated["train"][1]


def test_streams_in_and_out(annotate, columns, second):
    data = corpus(second)
    expected = list(annotate(data))
    stream = annotate(data.to_iterable_dataset())
    assert isinstance(stream, IterableDataset)
    assert list(stream) == expected
    streams = annotate(IterableDatasetDict(test=data.to_iterable_dataset()))
    assert isinstance(streams, IterableDatasetDict)
    assert list(streams["test"]) == expected
    unknown = data.to_iterable_dataset().map(lambda row: row)
    assert unknown.column_names is None
    assert list(annotate(unknown)) == expected


def test_columns_have_their_types_whatever_the_first_rows(annotate, columns, second):
    data = Dataset.from_dict({"source": [""] * 1000 + SOURCES, second: [""] * 1000 + TARGETS})
    annotated = annotate(data)
    assert annotated[1000] == annotate(corpus(second).remove_columns("id"))[0]
    assert annotated.features == annotate(data.select([0])).features


@pytest.mark.parametrize("form", ["numpy", "arrow"])
def test_a_formatted_dataset_is_read_as_texts(annotate, columns, second, form):
    annotated = annotate(corpus(second).with_format(form))
    assert annotated.format["type"] == form
    assert annotated.with_format(None)[:] == annotate(corpus(second))[:]


def test_the_cache_knows_functions_options_and_versions(
    annotate, columns, second, tmp_path, monkeypatch
):
    corpus(second).to_json(tmp_path / "data.jsonl")
    loaded = datasets.load_dataset(
        "json", data_files=str(tmp_path / "data.jsonl"), cache_dir=str(tmp_path), split="train"
    )
    options = {
        "edits": {"edits": "shortest"},
        "alignment": {"aligner": lambda a, b: []},
        "words": {"aligner": lambda a, b: []},
    }

    def cached(function, **options):
        return str(function(loaded, **options).cache_files[0]["filename"])

    first = cached(annotate)
    assert cached(annotate) == first
    changed = next(options[name] for name in ALL if ALL[name][0] is annotate)
    files = [first, cached(annotate, **changed)]
    monkeypatch.setattr(dataset_columns._BatchFunction.__init__, "__defaults__", ("0.0.0",))
    files.append(cached(annotate))
    assert len(set(files)) == 3


@pytest.mark.parametrize(
    ("change", "options", "message"),
    [
        (lambda data: [1], {}, "expected a Dataset or DatasetDict, got list"),
        (lambda data: data, {"source": "sorce"}, "dataset has no column 'sorce' .did you mean"),
        (lambda data: data, {"source": 3}, "the dataset has no column 3"),
        (lambda data: data, {"source": "id"}, "column 'id' of the dataset: expected strings"),
        (lambda data: DatasetDict(x=data), {"source": "b"}, "subset 'x' has no column 'b'; its"),
        (lambda data: DatasetDict(x=[1]), {}, "subset 'x': expected a Dataset, got list"),
        (lambda data: data.select([]), {}, "the dataset has no rows"),
        (lambda data: data, {"num_proc": 0}, "num_proc: expected an integer of at least 1, got 0"),
        (lambda data: data.to_iterable_dataset(), {"source": "b"}, "has no column 'b'; its col"),
    ],
)
def test_bad_input_is_one_clear_error(annotate, columns, second, change, options, message):
    with pytest.raises(InputError, match=message):
        annotate(change(corpus(second)), **options)


def test_columns_are_not_overwritten(annotate, columns, second):
    with pytest.raises(InputError, match="subset 'test' already has a column '"):
        annotate(annotate(DatasetDict(test=corpus(second))))


def test_a_row_without_a_text_is_named(annotate, columns, second):
    rows = {"source": ["a"] * 1500, second: ["a"] * 1400 + [None] + ["b"] * 99}
    with pytest.raises(InputError, match=f"row 1400 of column '{second}' of the dataset"):
        annotate(Dataset.from_dict(rows))


@pytest.mark.parametrize("batch", [{"source": ["a"]}, ["a"]])
def test_a_batch_has_both_columns(annotate, columns, second, batch):
    with pytest.raises(InputError, match="batch: "):
        columns(batch)
