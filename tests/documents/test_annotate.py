"""Aligned sentences as columns of a dataset."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import datasets
import pytest
from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError, documents
from textsimp.documents import (
    align_documents,
    alignment_columns,
    annotate,
    annotate_alignment,
    sentence_operations,
)

COLUMNS = [
    *("source_sentences", "target_sentences", "links"),
    *("source_operations", "target_operations", "reordered"),
]
SOURCES = [
    "The hen laid an egg and a boy found it. All days were warm.",
    "Dogs bark.",
    "",
    "Sun. Rain.",
]
TARGETS = ["The hen laid an egg. A boy found it.", "Dogs bark. Cats do not.", "Hi.", "Rain. Sun."]


def corpus(times: int = 1) -> Dataset:
    rows = {"id": [*range(4 * times)], "source": SOURCES * times, "target": TARGETS * times}
    return Dataset.from_dict(rows)


def test_sentences_links_and_operations_of_a_batch() -> None:
    assert alignment_columns({"source": SOURCES, "target": TARGETS}) == {
        "source_sentences": [
            ["The hen laid an egg and a boy found it.", "All days were warm."],
            ["Dogs bark."],
            [],
            ["Sun.", "Rain."],
        ],
        "target_sentences": [
            ["The hen laid an egg.", "A boy found it."],
            ["Dogs bark.", "Cats do not."],
            ["Hi."],
            ["Rain.", "Sun."],
        ],
        "links": [[[0, 0], [0, 1]], [[0, 0]], [], [[0, 1], [1, 0]]],
        "source_operations": [["split", "deleted"], ["aligned"], [], ["aligned", "aligned"]],
        "target_operations": [
            ["split", "split"],
            ["aligned", "added"],
            ["added"],
            ["aligned", "aligned"],
        ],
        "reordered": [[], [], [], [0]],
    }


def test_options_are_those_of_the_alignment() -> None:
    batch = {"complex": ["a;b"], "simple": ["c;d"]}
    options: dict[str, Any] = {"splitter": lambda t: t.split(";"), "aligner": lambda a, b: [(1, 0)]}
    found = alignment_columns(batch, "complex", "simple", **options)
    assert (found["source_sentences"], found["links"]) == ([["a", "b"]], [[[1, 0]]])
    data = Dataset.from_dict(batch)
    assert annotate_alignment(data, source="complex", target="simple", **options)[0]["links"] == [
        [1, 0]
    ]
    assert annotate_alignment(corpus(), monotone=True)[3]["reordered"] == []
    assert annotate_alignment(corpus(), threshold=1.0)[0]["links"] == []
    mutual = annotate_alignment(corpus(), links="mutual")[0]
    assert mutual["source_operations"][0] == "aligned"


@pytest.mark.parametrize("num_proc", [None, 2])
def test_a_dataset_in_and_out(num_proc: int | None) -> None:
    data = corpus(3)
    annotated = annotate_alignment(data, num_proc=num_proc)
    assert isinstance(annotated, Dataset)
    assert annotated.column_names == ["id", "source", "target", *COLUMNS]
    assert {name: annotated[name][:] for name in COLUMNS} == alignment_columns(data[:])


def test_a_function_goes_to_other_processes() -> None:
    annotated = annotate_alignment(corpus(3), num_proc=2, splitter=lambda text: [text])
    assert annotated["source_sentences"][0] == SOURCES[:1]


def test_a_dataset_dict_in_and_out() -> None:
    data = DatasetDict(train=corpus(), test=corpus().select([1]))
    annotated = annotate_alignment(data)
    assert isinstance(annotated, DatasetDict)
    assert annotated["test"][0] == annotated["train"][1]


def test_streams_in_and_out() -> None:
    expected = list(annotate_alignment(corpus()))
    stream = annotate_alignment(corpus().to_iterable_dataset())
    assert isinstance(stream, IterableDataset)
    assert list(stream) == expected
    streams = annotate_alignment(IterableDatasetDict(test=corpus().to_iterable_dataset()))
    assert isinstance(streams, IterableDatasetDict)
    assert list(streams["test"]) == expected
    unknown = corpus().to_iterable_dataset().map(lambda row: row)
    assert list(annotate_alignment(unknown)) == expected


def test_columns_have_their_kinds_where_nothing_is_aligned_at_first() -> None:
    data = Dataset.from_dict({"source": [""] * 1000 + SOURCES, "target": [""] * 1000 + TARGETS})
    annotated = annotate_alignment(data)
    assert annotated[1000]["links"] == [[0, 0], [0, 1]]
    assert annotated.features == annotate_alignment(data.select([0])).features
    assert "int64" in str(annotated.features["reordered"])


def test_a_formatted_dataset_is_read_as_texts() -> None:
    expected = annotate_alignment(corpus())
    for form in ("numpy", "arrow"):
        found = annotate_alignment(corpus().with_format(form))
        assert found.with_format(None)[:] == expected[:]


def test_sums_of_the_columns_are_the_counts_of_operations() -> None:
    counts = sentence_operations(corpus())
    found = annotate_alignment(corpus())[:]
    for side, name in (("source", "split"), ("source", "deleted"), ("target", "joined")):
        assert counts[name] == sum(row.count(name) for row in found[f"{side}_operations"])
    assert counts["added"] == sum(row.count("added") for row in found["target_operations"])
    assert counts["reordered"] == sum(map(len, found["reordered"])) == 1


texts = st.lists(st.sampled_from(["A cat sat.", "Dogs bark.", "A cat and dogs.", "Hi!"]))


@given(st.lists(st.tuples(texts.map(" ".join), texts.map(" ".join)), min_size=1, max_size=4))
def test_columns_say_what_the_alignments_say(pairs: list[tuple[str, str]]) -> None:
    sources, targets = ([pair[side] for pair in pairs] for side in (0, 1))
    found = alignment_columns({"source": sources, "target": targets})
    for i, alignment in enumerate(align_documents(sources, targets)):
        assert found["source_sentences"][i] == alignment.source
        assert found["links"][i] == [[*link] for link in alignment.links]
        assert found["target_operations"][i] == alignment.target_operations()


@pytest.fixture
def on_disk(tmp_path: Path) -> Dataset:
    corpus().to_json(tmp_path / "data.jsonl")
    loaded = datasets.load_dataset(
        "json", data_files=str(tmp_path / "data.jsonl"), cache_dir=str(tmp_path), split="train"
    )
    assert isinstance(loaded, Dataset)
    return loaded


def cached(data: Dataset) -> str:
    return str(data.cache_files[0]["filename"])


def test_what_was_computed_once_is_taken_from_the_cache(
    on_disk: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = annotate_alignment(on_disk)
    monkeypatch.setattr(annotate, "alignment_columns", None)  # nothing is computed again
    assert cached(annotate_alignment(on_disk)) == cached(first)
    assert annotate_alignment(on_disk)[:] == first[:]


def test_the_cache_tells_options_and_versions_apart(
    on_disk: Dataset, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [
        cached(annotate_alignment(on_disk, **options))
        for options in (
            {},
            {"threshold": 0.5},
            {"monotone": True},
            {"splitter": "simple-token"},
            {"aligner": lambda a, b: []},
            {"aligner": lambda a, b: [(0, 0)] if a and b else []},
        )
    ]
    monkeypatch.setattr(annotate._Columns.__init__, "__defaults__", ("0.0.0",))
    files.append(cached(annotate_alignment(on_disk)))
    assert len(set(files)) == len(files)


def test_the_function_of_the_map_can_be_pickled() -> None:
    function = annotate._Columns({"threshold": 0.2})
    batch = {"source": SOURCES, "target": TARGETS}
    assert pickle.loads(pickle.dumps(function))(batch) == function(batch)


@pytest.mark.parametrize(
    ("data", "options", "message"),
    [
        ([1], {}, "expected a Dataset or DatasetDict, got list"),
        (corpus(), {"source": "sorce"}, r"column 'sorce': the dataset has none \(did you mean"),
        (corpus(), {"target": 3}, "column 3: the dataset has none"),
        (corpus(), {"target": "id"}, "row 0 of id"),
        (DatasetDict(test=corpus()), {"target": "simple"}, "split test: column 'simple'"),
        (corpus().select([]), {}, "source: expected at least one row"),
        (corpus(), {"num_proc": 0}, "num_proc: expected None or an integer of at least 1, got 0"),
        (corpus(), {"threshold": 0}, "threshold"),
        (corpus(), {"aligner": "none"}, "aligner"),
        (corpus(), {"splitter": "none"}, "splitter"),
        (annotate_alignment(corpus()), {}, "already has a column 'source_sentences'"),
        (corpus().to_iterable_dataset(), {"source": "text"}, "column 'text'"),
    ],
)
def test_bad_input_is_one_clear_error(data: Any, options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        annotate_alignment(data, **options)


def test_a_row_without_a_text_is_named_with_its_number() -> None:
    data = Dataset.from_dict({"source": ["a"] * 1500, "target": ["a"] * 1400 + [None] + ["b"] * 99})
    with pytest.raises(InputError, match="row 1400 of target"):
        annotate_alignment(data)


@pytest.mark.parametrize("batch", [{"source": ["a"]}, ["a"]])
def test_a_batch_has_both_columns(batch: Any) -> None:
    with pytest.raises(InputError, match="batch: expected lists by column"):
        alignment_columns(batch)


def test_it_is_found_where_documents_are() -> None:
    assert documents.annotate_alignment is annotate_alignment
