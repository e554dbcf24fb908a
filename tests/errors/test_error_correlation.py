"""Correlations of scores with information errors."""

from __future__ import annotations

import math
from typing import Any

import pytest

from textsimp import InputError, errors

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


@pytest.mark.parametrize(
    ("scores", "labels", "message"),
    [
        ([1, 2, math.nan, 4, 5, 6], LABELS, r"^deletion: row 2 of scores .*: expected a finite"),
        ({"a": 5}, LABELS, "^deletion: scores of a: expected a list of numbers, got int"),
        ({}, LABELS, "^deletion: scores: expected a list of numbers or a mapping to these"),
        (SCORES, [0, 1], "^deletion: .*scores has 6"),
        (SCORES, [0, 1, 5, 0, 0, 0], "^row 2 of deletion .*: expected one of 0, 1, 2, -1"),
        (SCORES, [None] * 6, "^deletion: ratings: expected"),
    ],
)
def test_bad_input_is_refused(scores: Any, labels: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.correlate(scores, deletion=labels)
