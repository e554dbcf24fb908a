"""Whether a score sees information errors."""

from __future__ import annotations

import math
from typing import Any

import pytest

from textsimp import InputError, errors, meta

SCORES = [9.0, 8.0, 7.0, 5.0, 1.0, 6.0]
LABELS = [0, 0, [1, 1, 0], 2, -1, [0, 1]]


def spearman(**options: Any) -> Any:
    found = errors.correlate(SCORES, deletion=LABELS, confidence=None, **options)["deletion"]
    return found.metrics["scores"]["outputs"]["spearman"]


def test_gibberish_is_the_worst_level_unless_it_is_left_out() -> None:
    assert spearman().over == 5
    assert spearman().value == pytest.approx(-0.9747, abs=1e-4)
    assert spearman(gibberish=None).over == 4
    assert spearman(gibberish=-1).value > spearman(gibberish=None).value


def test_outputs_without_a_majority_are_left_out_of_their_category_only() -> None:
    found = errors.correlate(
        {"a": SCORES, "b": SCORES[::-1]},
        deletion=LABELS,
        insertion=[0, 1, 0, 2, 1, 2],
        confidence=None,
    )
    assert list(found) == ["insertion", "deletion"]
    assert [agreement.outputs for agreement in found.values()] == [6, 5]
    assert list(found["insertion"].metrics) == ["a", "b"]


def test_labels_that_are_all_alike_have_no_correlation() -> None:
    found = errors.correlate(SCORES, deletion=[0] * 6, confidence=None)["deletion"]
    estimate = found.metrics["scores"]["outputs"]["spearman"]
    assert (estimate.value, estimate.reason) == (None, "constant ratings")


def test_outputs_without_a_score_are_left_out_of_all_and_told() -> None:
    scores = {"a": [*SCORES[:4], math.nan, 6], "b": [None, *SCORES[1:]]}
    found = errors.correlate(scores, deletion=LABELS, items=list("abcdef"), confidence=None)
    kept = slice(1, 4)
    expected = errors.correlate(
        {"a": SCORES[kept], "b": SCORES[kept]}, deletion=LABELS[kept], confidence=None
    )
    assert found["deletion"].metrics["b"]["outputs"] == expected["deletion"].metrics["b"]["outputs"]
    assert found["deletion"].notes == (
        "left out: 3 outputs without a rating",
        "2 outputs counted as without a rating: no a, b",
    )


def test_an_empty_source_is_no_error() -> None:
    distance = errors.edit_distance(["", "a b", "a c", "a d"], ["a", "a", "a c", "d"])
    found = errors.correlate(distance, insertion=[0, 0, 1, 2], confidence=None)["insertion"]
    assert found.outputs == 3
    assert found.notes[-1] == "1 output counted as without a rating: no scores"


def test_a_category_without_labels_has_a_reason_and_the_others_are_judged() -> None:
    found = errors.correlate(
        SCORES,
        insertion=[None] * 6,
        deletion=LABELS,
        substitution=[-1] * 6,
        gibberish=None,
        systems=list("aabbcc"),
        resamples=20,
    )
    assert found["deletion"].metrics["scores"]["outputs"]["spearman"].value is not None
    for category in ("insertion", "substitution"):
        nothing = found[category]
        assert (nothing.outputs, nothing.items, nothing.systems) == (0, 0, 0)
        assert nothing.metrics.keys() == found["deletion"].metrics.keys()
        assert nothing.metrics["scores"].keys() == found["deletion"].metrics["scores"].keys()
        for of_level in nothing.metrics["scores"].values():
            for estimate in of_level.values():
                assert (estimate.value, estimate.interval, estimate.over) == (None, None, 0)
                assert estimate.reason == f"no output has a label of {category}"
        assert nothing.notes == (f"no output has a label of {category}",)


def test_without_any_score_the_reason_says_so() -> None:
    found = errors.correlate([None] * 6, deletion=LABELS, confidence=None)["deletion"]
    estimate = found.metrics["scores"]["outputs"]["pearson"]
    assert estimate.reason == "no output has a label of deletion and all scores"


def test_what_has_no_outputs_cannot_be_drawn() -> None:
    pytest.importorskip("matplotlib")
    found = errors.correlate(SCORES, deletion=[None] * 6, confidence=None)["deletion"]
    with pytest.raises(InputError, match=r"^found: expected outputs with ratings, got none"):
        meta.plot(found)


@pytest.mark.parametrize(
    ("scores", "message"),
    [
        ([1, 2, math.inf, 4, None, 6], r"^deletion: row 2 of scores .*: expected a finite number"),
        ({"a": 5}, "^scores of a: expected a list of numbers, got int"),
        ({}, "^scores: expected a list of numbers or a mapping to these, got none"),
    ],
)
def test_bad_scores_are_told(scores: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.correlate(scores, deletion=LABELS)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([0, 1], "^deletion: .*scores has 6"),
        ([0, 1, 5, 0, 0, 0], "^row 2 of deletion .*: expected one of 0, 1, 2, -1"),
    ],
)
def test_bad_input_is_told_with_its_category(labels: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.correlate(SCORES, deletion=labels)
