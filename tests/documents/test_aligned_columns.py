"""Aligned sentences as columns of a dataset."""

import pytest
from datasets import Dataset

from textsimp import InputError
from textsimp.documents import alignment_columns, annotate_alignment

SOURCES = [
    "The hen laid an egg and a boy found it. All days were warm.",
    "Dogs bark.",
    "",
    "Sun. Rain.",
]
TARGETS = ["The hen laid an egg. A boy found it.", "Dogs bark. Cats do not.", "Hi.", "Rain. Sun."]


def corpus(times=1):
    rows = {"id": [*range(4 * times)], "source": SOURCES * times, "target": TARGETS * times}
    return Dataset.from_dict(rows)


def test_sentences_links_and_operations_of_a_batch():
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


def test_options_are_those_of_the_alignment():
    batch = {"complex": ["a;b"], "simple": ["c;d"]}
    options = {"splitter": lambda t: t.split(";"), "aligner": lambda a, b: [(1, 0)]}
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


def test_a_function_goes_to_other_processes():
    annotated = annotate_alignment(corpus(3), num_proc=2, splitter=lambda text: [text])
    assert annotated["source_sentences"][0] == SOURCES[:1]


def test_bad_options_are_one_clear_error():
    with pytest.raises(InputError, match="threshold: expected"):
        annotate_alignment(corpus(), threshold=-0.1)
