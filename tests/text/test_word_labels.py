"""Labels of words are what their rules say, each worked by hand."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.literal import word_transformations as literal
from textsimp.text.word_labels import is_word, replaced_at_index, replaced_phrases, word_labels


def labels(source, target, pairs):
    """Initials of the labels of both sides."""
    found = word_labels(source.split(), target.split(), pairs)
    return tuple("".join(label[:1] or "_" for label in side) for side in found)


@pytest.mark.parametrize(
    ("source", "target", "pairs", "expected"),
    [
        ("a b c", "a c", [(0, 0), (2, 1)], ("cdc", "cc")),
        ("he purchased it", "he bought it", [(0, 0), (1, 1), (2, 2)], ("crc", "crc")),
        ("a b c d", "b a c d", [(0, 1), (1, 0), (2, 2), (3, 3)], ("mmcc", "mmcc")),
        # What was deleted or added before a word doesn't move it.
        ("x y a b", "a z b", [(2, 0), (3, 2)], ("ddcc", "cac")),
        # At "b" two words stand before it in the source, none in the target.
        ("x a b", "a b y", [(0, 2), (1, 0), (2, 1)], ("rmm", "mmr")),
        # All words of a phrase are replaced, even if one is the same, and move nothing.
        ("look it", "look at it", [(0, 0), (0, 1), (1, 2)], ("rc", "rrc")),
        ("to put off it", "to postpone it", [(0, 0), (1, 1), (2, 1), (3, 2)], ("crrc", "crc")),
        ("", "a", [], ("", "a")),
    ],
)
def test_words_are_labelled_by_their_partners_and_places(source, target, pairs, expected):
    assert labels(source, target, pairs) == expected


def test_a_phrase_has_a_word_that_begins_it_and_words_inside():
    assert replaced_phrases([(0, 0), (1, 1), (1, 2), (2, 3)]) == ({1: True}, {1: True, 2: False})
    assert replaced_phrases([(1, 0), (2, 0)]) == ({1: True, 2: False}, {0: True})
    assert replaced_phrases([(0, 0), (1, 0), (1, 4)]) == ({0: True, 1: False}, {0: True, 4: False})


def test_an_added_word_at_the_index_of_a_deleted_one_and_of_its_part_of_speech_replaces_it():
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
def test_another_added_word_does_not(target, parts):
    words = target.split()
    pairs = [(0, 0), (2, len(words) - 1)]
    tags = (["PRP", "VB", "PRP"], parts)
    assert replaced_at_index(["he", "purchased", "it"], words, pairs, tags) == pairs


def test_a_punctuation_mark_replaces_none():
    parts = ["x", "p"], ["x", "p"]
    assert replaced_at_index(["a", ","], ["a", ";"], [(0, 0)], parts) == [(0, 0)]


def test_words_without_labels_move_what_stands_behind_them_where_they_change():
    source, target = ["a", ",", "b", "."], ["a", "b", "."]
    pairs = [(0, 0), (2, 1), (3, 2)]
    assert word_labels(source, target, pairs).source == ["copy", "delete", "copy", "copy"]
    assert word_labels(source, target, pairs, is_word) == (
        ["copy", "", "move", ""],
        ["copy", "move", ""],
    )


WORDS = st.lists(st.sampled_from("abc"), max_size=6)


@given(source=WORDS, target=WORDS, data=st.data())
def test_labels_equal_the_literal_definition(source, target, data):
    every = [(i, j) for i in range(len(source)) for j in range(len(target))]
    pairs = sorted(data.draw(st.sets(st.sampled_from(every), max_size=6))) if every else []
    assert word_labels(source, target, pairs) == literal.labels(source, target, pairs)
