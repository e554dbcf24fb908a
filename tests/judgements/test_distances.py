"""How far outputs are from their sources."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from textsimp import InputError
from textsimp.judgements.distances import edit_distance, length_change, noise

texts = st.text(st.sampled_from("aB .,é1"), max_size=12)


def one(measure, source, prediction, **options):
    return float(measure([source], [prediction], **options)[0])


def test_length_is_in_treebank_tokens() -> None:
    # do|n't|stop|. and do|not|stop|.
    assert one(length_change, "Don't stop.", "Do not stop.") == 0
    assert one(length_change, "a b", "a b c d e") == 150
    assert one(length_change, "a b", "") == -100


@pytest.mark.parametrize("measure", [length_change, edit_distance])
def test_there_is_no_measure_by_the_length_of_nothing(measure):
    assert np.isnan(one(measure, "", "a"))


def test_distance_is_of_characters_or_tokens_whose_case_does_not_count():
    assert one(edit_distance, "The cat", "the bat") == pytest.approx(1 / 7)
    assert one(edit_distance, "The cat", "the bat", unit="tokens") == 1 / 2


def test_distance_may_be_divided_by_the_longer_text():
    assert one(edit_distance, "ab", "abcd") == 1
    assert one(edit_distance, "ab", "abcd", per="longer") == 1 / 2
    assert one(edit_distance, "", "ab", per="longer") == 1
    assert np.isnan(one(edit_distance, "", "", per="longer"))


@given(source=texts, prediction=texts, unit=st.sampled_from(["characters", "tokens"]))
def test_distance_per_longer_text_is_a_share_and_has_no_direction(source, prediction, unit):
    found = one(edit_distance, source, prediction, unit=unit, per="longer")
    back = one(edit_distance, prediction, source, unit=unit, per="longer")
    np.testing.assert_equal(found, back)
    if not np.isnan(found):
        assert 0 <= found <= 1
    if source.lower() == prediction.lower():
        assert found == 0 or np.isnan(found)


TEN = "one two three four five six seven eight nine ten"


@pytest.mark.parametrize(
    ("source", "prediction", "expected"),
    [
        (TEN, "one two three four", False),  # one sentence: two fifths of the stems
        (TEN, "one two three", True),
        (TEN, "One more. Two three.", False),  # several sentences: one fifth
        (TEN, "One more. Others are there.", True),
        ("The singers were singing.", "The singer sings.", False),
        ("a", "", True),
        ("", "", False),
    ],
)
def test_noise_shares_too_few_stems(source, prediction, expected):
    assert one(noise, source, prediction) == expected


@pytest.mark.parametrize("measure", [length_change, edit_distance, noise])
def test_columns_are_checked(measure):
    with pytest.raises(InputError, match="sources has 1, predictions has 2"):
        measure(["a"], ["a", "b"])
    with pytest.raises(InputError, match=r"^row 1 of predictions .*expected a string, got None"):
        measure(["a", "b"], ["a", None])


def test_units_and_lengths_are_checked():
    with pytest.raises(InputError, match=r"^unit: expected one of 'characters', 'tokens', got 'x'"):
        edit_distance(["a"], ["a"], unit="x")  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"^per: expected one of 'source', 'longer'"):
        edit_distance(["a"], ["a"], per="prediction")  # type: ignore[arg-type]
