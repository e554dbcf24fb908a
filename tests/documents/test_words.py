"""Words of texts and of their simplifications, aligned and labelled."""

import pytest

from textsimp import InputError
from textsimp.documents.words import align, labels
from textsimp.metrics.word_transformations import WordTransformations

COLUMNS = [
    *("source_words", "source_labels", "prediction_words", "prediction_labels"),
    "word_alignment",
]
SOURCES = ["In may he left.", "An enormous hen sat.", "", "Sun."]
PREDICTIONS = ["He left in may.", "A hen sat.", "Hi", ""]


def test_words_of_a_pair_have_labels_and_partners():
    (found,) = align(["He bought a big car."], ["Then he bought a car."])
    assert found.source_words == ["He", "bought", "a", "big", "car", "."]
    assert found.source_labels == ["copy", "copy", "copy", "delete", "copy", "copy"]
    assert found.prediction_words == ["Then", "he", "bought", "a", "car", "."]
    assert found.prediction_labels == ["add", *["copy"] * 5]
    assert found.word_alignment == [[0, 1], [1, 2], [2, 3], [4, 4], [5, 5]]


def test_they_are_those_that_the_metric_scores():
    scored = WordTransformations.preset("easse").score(
        sources=SOURCES, predictions=PREDICTIONS, references=PREDICTIONS, per_example=True
    )
    found = align(SOURCES, PREDICTIONS, variant="easse")
    for name in COLUMNS:
        assert [getattr(row, name) for row in found] == scored[f"{name}_per_example"]


def test_an_aligner_of_ones_own_is_used():
    (found,) = align(["a b"], ["b a"], aligner=lambda source, prediction: [(0, 0)])
    assert found.word_alignment == [[0, 0]]
    assert found.source_labels == ["replace", "delete"]


@pytest.mark.parametrize(
    ("predictions", "options", "message"),
    [
        (["b", "c"], {}, "sources has 1, predictions has 2"),
        ([None], {}, "row 0 of predictions"),
        (["b"], {"alinger": "lexical"}, "unknown option 'alinger'"),
        (["b"], {"per_example": True}, "unknown option 'per_example'"),
    ],
)
def test_bad_texts_and_options_are_one_clear_error(predictions, options, message):
    with pytest.raises(InputError, match=message):
        align(["a"], predictions, **options)


def test_an_alignment_of_ones_own_is_labelled():
    found = labels(["a", "big", "cat"], ["the", "cat"], [(2, 1), (0, 0)])
    assert found.source == ["replace", "delete", "copy"]
    assert found.target == ["replace", "copy"]
    assert labels([], ["a"], []).target == ["add"]
    assert labels(["a"], ["a"], [[0, 0], [0, 0]]).source == ["copy"]


@pytest.mark.parametrize(
    ("source", "pairs", "message"),
    [
        ("a cat", [], "source_words: expected a list of strings"),
        (["a", 1], [], "source_words: expected a list of strings"),
        (["a"], [(0, 1)], "pairs: expected indices of 1 and 1 words"),
        (["a"], [(-1, 0)], "pairs: expected indices"),
        (["a"], [0], "pairs: expected pairs of indices"),
        (["a"], None, "pairs: expected pairs of indices"),
    ],
)
def test_bad_pairs_are_one_clear_error(source, pairs, message):
    with pytest.raises(InputError, match=message):
        labels(source, ["a"], pairs)
