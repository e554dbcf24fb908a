"""Word transformations are what their definition says, of the words that the aligner pairs."""

from functools import partial

import pytest
from hypothesis import example, given

from tests import strategies
from tests.literal import word_transformations as literal
from textsimp.metrics.word_transformations import LABELS, WordTransformations
from textsimp.text.word_alignment import get_word_aligner

SOURCE = "he subsequently purchased a car ."


def labels(prediction, source=SOURCE, **options):
    """What `details` says of one example, but for the words."""
    metric = WordTransformations.preset(**options)
    columns = {"sources": [source], "predictions": [prediction], "references": ["x"]}
    found = metric.score(**columns, per_example=True)
    names = ("source_labels", "prediction_labels", "word_alignment")
    return tuple(found[f"{name}_per_example"][0] for name in names)


def annotated(columns):
    """Of each example what its prediction and its references do, by the literal definition."""

    def one(source, target):
        a, b = source.lower().split(), target.lower().split()
        return literal.labelled(a, b, next(get_word_aligner().align([a], [b])))

    rows = zip(*(columns[name] for name in ("sources", "predictions", "references")), strict=True)
    return [(one(s, p), [one(s, reference) for reference in row]) for s, p, row in rows]


TWO_REFERENCES = {  # the output deletes as the first does, and replaces as the second
    "sources": [SOURCE],
    "predictions": ["he bought a car ."],
    "references": [["he purchased a car .", "he subsequently bought a car ."]],
}
NOTHING_DELETED = {
    "sources": ["a b c", "d e f"],
    "predictions": ["a b", "d e f"],
    "references": [["a b"], ["d e f"]],
}


@pytest.mark.parametrize(
    ("options", "f1"),
    [
        ({}, literal.corpus_f1),
        ({"aggregate": "mean"}, partial(literal.mean_f1, left_out=False)),
        ({"aggregate": "mean", "absent": "left_out"}, partial(literal.mean_f1, left_out=True)),
    ],
)
@given(columns=strategies.columns())
@example(columns=TWO_REFERENCES)
@example(columns=NOTHING_DELETED)
def test_scores_equal_the_literal_definition(columns, options, f1):
    rows = annotated(columns)
    found = WordTransformations(tokenizer="none", **options).score(**columns, per_example=True)
    for label in LABELS:
        assert found[label] == pytest.approx(f1(label, rows), abs=1e-9)
        alone = [f1(label, [row]) for row in rows]
        assert found[f"{label}_per_example"] == pytest.approx(alone, abs=1e-9)


def test_case_may_count():
    of_source, of_prediction, _ = labels("the Cat", source="The Cat", lowercase=False)
    assert (of_source, of_prediction) == (["replace", "copy"], ["replace", "copy"])


def test_punctuation_may_be_without_labels_and_then_moves_what_is_behind_it():
    prediction, source = "In may he left.", "In may, he left."
    assert labels(prediction, source)[0] == ["copy", "copy", "delete", "copy", "copy", "copy"]
    found = labels(prediction, source, punctuation="unlabelled")
    assert found[0] == ["copy", "copy", "", "move", "move", ""]
    assert found[1] == ["copy", "copy", "move", "move", ""]


def test_words_at_the_same_index_and_of_one_part_of_speech_may_replace_each_other():
    options = {"source": "the old man laughed", "prediction": "man sang", "gap": 0}
    assert labels(**options)[0] == ["delete", "delete", "copy", "delete"]
    options = {"source": "he quickly purchased it", "prediction": "then slowly bought", "gap": 0}
    assert labels(**options, same_index=True)[0] == ["delete", "replace", "replace", "delete"]
    off = labels(**options, same_index=True, parts="none")
    assert off[0] == ["delete"] * 4


def test_an_aligner_of_ones_own_aligns():
    def nothing(source, target):
        return []

    found = labels("he left", "he went", aligner=nothing)
    assert found == (["delete", "delete"], ["add", "add"], [])
    assert "|aligner:custom-nothing|" in WordTransformations(aligner=nothing).signature()


def test_forms_that_differ_in_what_is_counted_share_the_annotated_references():
    prepared = {
        WordTransformations(aggregate=aggregate, absent=absent).cache_keys()[0]
        for aggregate, absent in (("corpus", "zero"), ("mean", "zero"), ("mean", "left_out"))
    }
    assert len(prepared) == 1
    assert WordTransformations(gap=0).cache_keys()[0] not in prepared
