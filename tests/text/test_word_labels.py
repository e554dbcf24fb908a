"""Labels of words are what their rules say, each worked by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import word_transformations as literal
from textsimp.text.word_labels import is_word, replaced_at_index, replaced_phrases, word_labels


def labels(source: str, target: str, pairs: list[tuple[int, int]]) -> tuple[str, str]:
    """Initials of the labels of both sides."""
    found = word_labels(source.split(), target.split(), pairs)
    return tuple("".join(label[:1] or "_" for label in side) for side in found)


def test_a_source_word_without_partner_is_deleted() -> None:
    assert labels("a b c", "a c", [(0, 0), (2, 1)]) == ("cdc", "cc")


def test_a_target_word_without_partner_is_added() -> None:
    assert labels("a c", "a b c", [(0, 0), (1, 2)]) == ("cc", "cac")


def test_a_word_whose_partner_has_another_form_is_replaced() -> None:
    assert labels("he purchased it", "he bought it", [(0, 0), (1, 1), (2, 2)]) == ("crc", "crc")


def test_a_word_is_moved_if_its_place_has_changed() -> None:
    assert labels("a b c", "c a b", [(0, 1), (1, 2), (2, 0)]) == ("mmm", "mmm")
    assert labels("a b c d", "b a c d", [(0, 1), (1, 0), (2, 2), (3, 3)]) == ("mmcc", "mmcc")


def test_what_was_deleted_and_added_before_a_word_does_not_move_it() -> None:
    assert labels("x y a b", "a z b", [(2, 0), (3, 2)]) == ("ddcc", "cac")


def test_what_was_deleted_and_added_behind_a_word_does_not_move_it() -> None:
    assert labels("a x", "a y z", [(0, 0)]) == ("cd", "caa")


def test_a_replaced_word_far_away_moves_those_between() -> None:
    # At "b" two words stand before it in the source, none in the target.
    assert labels("x a b", "a b y", [(0, 2), (1, 0), (2, 1)]) == ("rmm", "mmr")


def test_several_words_for_one_are_replaced_and_move_nothing() -> None:
    pairs = [(0, 0), (1, 1), (1, 2), (2, 3)]
    assert labels("to postpone it", "to put off it", pairs) == ("crc", "crrc")


def test_one_word_for_several_is_replaced_and_moves_nothing() -> None:
    pairs = [(0, 0), (1, 1), (2, 1), (3, 2)]
    assert labels("to put off it", "to postpone it", pairs) == ("crrc", "crc")


def test_the_words_of_a_phrase_are_replaced_even_if_one_is_the_same() -> None:
    assert labels("look it", "look at it", [(0, 0), (0, 1), (1, 2)]) == ("rc", "rrc")


def test_a_phrase_has_a_word_that_begins_it_and_words_inside() -> None:
    assert replaced_phrases([(0, 0), (1, 1), (1, 2), (2, 3)]) == (
        {1: "begin"},
        {1: "begin", 2: "inside"},
    )
    assert replaced_phrases([(1, 0), (2, 0)]) == ({1: "begin", 2: "inside"}, {0: "begin"})
    assert replaced_phrases([(0, 0), (1, 0), (1, 4)]) == (
        {0: "begin", 1: "inside"},
        {0: "begin", 4: "inside"},
    )


def test_words_aligned_one_to_one_are_no_phrase() -> None:
    assert replaced_phrases([(0, 1), (1, 0)]) == ({}, {})


def test_an_added_word_at_the_index_of_a_deleted_one_and_of_its_part_of_speech_replaces_it() -> (
    None
):
    source, target = ["he", "purchased", "it"], ["he", "bought", "it"]
    pairs = [(0, 0), (2, 2)]
    parts = (["PRP", "VB", "PRP"], ["PRP", "VB", "PRP"])
    found = replaced_at_index(source, target, pairs, parts)
    assert found == [(0, 0), (1, 1), (2, 2)]
    assert word_labels(source, target, found).source == ["copy", "replace", "copy"]


@pytest.mark.parametrize(
    ("target", "parts"),
    [("he never it", ["PRP", "RB", "PRP"]), ("he then bought it", ["PRP", "RB", "VB", "PRP"])],
    ids=["another part of speech", "another index"],
)
def test_another_added_word_does_not(target: str, parts: list[str]) -> None:
    words = target.split()
    pairs = [(0, 0), (2, len(words) - 1)]
    tags = (["PRP", "VB", "PRP"], parts)
    assert replaced_at_index(["he", "purchased", "it"], words, pairs, tags) == pairs


def test_a_punctuation_mark_replaces_none() -> None:
    assert replaced_at_index(["a", ","], ["a", ";"], [(0, 0)], ((["x", "p"]), (["x", "p"]))) == [
        (0, 0)
    ]


def test_words_without_labels_move_what_stands_behind_them_where_they_change() -> None:
    source, target = ["a", ",", "b", "."], ["a", "b", "."]
    pairs = [(0, 0), (2, 1), (3, 2)]
    assert word_labels(source, target, pairs).source == ["copy", "delete", "copy", "copy"]
    assert word_labels(source, target, pairs, is_word) == (
        ["copy", "", "move", ""],
        ["copy", "move", ""],
    )


def test_texts_without_words_have_no_labels() -> None:
    assert word_labels([], [], []) == ([], [])
    assert labels("", "a", []) == ("", "a")
    assert labels("a", "", []) == ("d", "")


WORDS = st.lists(st.sampled_from("abc"), max_size=6)


@given(source=WORDS, target=WORDS, data=st.data())
def test_labels_equal_the_literal_definition(
    source: list[str], target: list[str], data: st.DataObject
) -> None:
    every = [(i, j) for i in range(len(source)) for j in range(len(target))]
    pairs = sorted(data.draw(st.sets(st.sampled_from(every), max_size=6))) if every else []
    assert word_labels(source, target, pairs) == literal.labels(source, target, pairs)
