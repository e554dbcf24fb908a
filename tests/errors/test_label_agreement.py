"""How far annotators agree on labels of information errors."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal.information_errors import majority
from textsimp import InputError, errors, judgements

annotations = st.lists(st.sampled_from([0, 1, 2, -1]), max_size=4)


def of(rows: list[Any], **options: Any) -> errors.CategoryAgreement:
    found = errors.agreement(deletion=rows, confidence=None, **options)
    return found.categories["deletion"]


@given(rows=st.lists(annotations, min_size=1, max_size=8))
def test_shares_are_those_of_the_definition(rows: list[list[int]]) -> None:
    found = of(rows)
    several = [row for row in rows if len(row) >= 2]
    assert found.outputs == len(several)
    if several:
        share = sum(majority(row) is not None for row in several) / len(several)
        assert found.majority == pytest.approx(share)
    wrong = [row for row in several if sum(label != 0 for label in row) > len(row) / 2]
    assert found.nonzero == len(wrong)
    agreed = [row for row in wrong if majority(row) is not None]
    assert found.nonzero_agreed == (len(agreed) / len(wrong) if wrong else None)


@given(rows=st.lists(annotations, min_size=1, max_size=8))
def test_alpha_is_ordinal_with_gibberish_as_3(rows: list[list[int]]) -> None:
    as_3 = [[3 if label == -1 else label for label in row] for row in rows]
    assert (
        of(rows).alpha == judgements.rater_agreement(as_3, level="ordinal", confidence=None).alpha
    )


def test_alpha_of_two_annotators_by_hand() -> None:
    """Krippendorff's alpha of two raters, by the squared differences of their ranks."""
    found = of([[0, 0], [0, 1], [-1, -1], [2, -1]])
    assert found.alpha is not None
    assert found.majority == 0.5
    # Values 0 0 0 1 2 3 3 3 in the middle of their ranks: 1.5, 3.5, 4.5, 6.5.
    ranks = [(1.5, 1.5), (1.5, 3.5), (6.5, 6.5), (4.5, 6.5)]
    flat = [rank for pair in ranks for rank in pair]
    observed = sum(2 * (a - b) ** 2 for a, b in ranks) / 8
    expected = sum((a - b) ** 2 for a in flat for b in flat) / (8 * 7)
    assert found.alpha == pytest.approx(1 - observed / expected)


def test_without_two_labels_of_an_output_there_is_no_alpha() -> None:
    found = of([0, 1, None])
    assert (found.outputs, found.majority, found.alpha, found.nonzero_agreed) == (0, *[None] * 3)
    assert found.reason == "no output has two ratings"


def test_alpha_has_an_interval_that_its_seed_repeats() -> None:
    rows = [[0, 0, 1], [1, 1, 1], [2, 2, 1], [0, 0, 0], [-1, -1, 2]] * 4
    found = [errors.agreement(insertion=rows, seed=seed, resamples=50) for seed in (1, 1, 2)]
    first, again, other = (agreement.categories["insertion"] for agreement in found)
    assert first == again
    assert first.interval is not None
    assert first.alpha is not None
    assert first.interval[0] < first.alpha < first.interval[1]
    assert other.interval != first.interval


def test_its_table_has_a_row_per_category() -> None:
    found = errors.agreement(
        insertion=[[0, 0, 0], [1, 2, 0]], deletion=[[0, 0], [0, 0]], confidence=None
    )
    header = ["", "majority %", "an error", "label agreed %", "alpha", "outputs"]
    assert found.grid().header == header
    assert found.grid().rows == [
        ["insertion", "50.0", "1", "0.0", "0.350", "2"],
        ["deletion", "100.0", "0", "–", "–", "2"],
    ]
    assert found.grid().notes == [
        "deletion: no alpha, all ratings are the same, so chance would agree as well"
    ]
    assert found.to_dict()["insertion"]["nonzero"] == 1


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "^expected labels of insertion, deletion, substitution, or one of these, got none$"),
        ({"insertion": [[0, 3]]}, r"^row 0 of insertion .*: expected one of 0, 1, 2, -1 or None"),
        ({"insertion": [[0]], "deletion": [0, 1]}, "insertion has 1, deletion has 2"),
        ({"insertion": [[0, 1]], "confidence": 95}, "^confidence: expected a number between"),
    ],
)
def test_bad_input_is_refused(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        errors.agreement(**given)
