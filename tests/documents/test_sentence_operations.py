import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.corpora import BOY, HEN, SUN, sentences
from tests.literal import aligned as literal
from tests.project import EXAMPLES
from textsimp.documents import OPERATIONS, align_sentences, sentence_operations
from textsimp.text.sentence_alignment import get_aligner
from textsimp.text.sentences import get_splitter


def operations(source, target):
    result = sentence_operations([" ".join(source)], [" ".join(target)])
    return {name: result[name] for name in OPERATIONS if result[name]}


def test_repeated_sentences_keep_their_order():
    assert align_sentences([HEN, BOY, HEN], [HEN, BOY, HEN]) == [(0, 0), (1, 1), (2, 2)]


def test_empty_documents_are_deleted_or_added_as_a_whole():
    result = sentence_operations([f"{HEN} {BOY}", ""], ["", SUN])
    assert (result["deleted"], result["added"]) == (2, 1)
    assert (result["documents_with_deleted"], result["documents_with_added"]) == (1, 1)


texts = st.lists(sentences, min_size=1, max_size=6)


@given(texts, texts)
def test_alignment_is_what_its_description_says(source, target):
    aligned = align_sentences(source, target)
    assert aligned == sorted(aligned)
    assert {*aligned} == {*literal.lexical(source, target)}


@given(texts)
def test_a_document_left_as_it_is_shows_no_operation(source):
    assert align_sentences(source, source) == [(i, i) for i in range(len(source))]
    assert operations(source, source) == {}


# For each target sentence of the example documents, the source sentences it says again.
BY_HAND = [
    [[0], [1], [1], [2], [3], [4], [4], [5], [6]],
    [[0], [0], [1], [2], [2], [3], [4], [4], [5], [5], [6], [6], [7], [7]],
    [[0], [0], [1], [1], [2], [2], [3], [4], [6], [7], [8], [8]],
    [[0], [0], [1], [2], [2], [3], [3], [4], [4], [5]],
    [[0], [0], [1], [1], [2], [3], [4], [4], [5], [5], [6], [7], [8], [9], [10]],
    [[0], [0], [1], [2], [3], [3], [4], [4], [5], [5], [6]],
    [[0], [0], [1], [1], [2], [2], [3], [3], [4], [5], [7], [8], [8]],
    [[0], [0], [1], [2], [4], [5], [5], [6], [6], [8], [8], [7], [11], [12]],
]


def test_the_alignment_agrees_with_one_made_by_hand_as_documented():
    folder = EXAMPLES / "documents"
    paths = folder / "source.txt", folder / "references" / "0.txt"
    pairs = zip(*(path.read_text(encoding="utf-8").splitlines() for path in paths), strict=True)
    found = right = 0
    for (source, target), rows in zip(pairs, BY_HAND, strict=True):
        by_hand = {(i, j) for j, row in enumerate(rows) for i in row}
        aligned = align_sentences(*map(get_splitter().sentences, (source, target)))
        found += len(aligned)
        right += len(by_hand.intersection(aligned))
    assert (right, found, sum(map(len, BY_HAND))) == (82, 84, 98)


def test_empty_sentences_are_aligned_with_none():
    assert align_sentences(["", "a"], ["a", ""]) == [(1, 0)]


@pytest.mark.parametrize("size", [3, 5, 7])
def test_links_do_not_depend_on_the_other_documents(size):
    """A document that repeats itself has as good links to either copy: rounding must not choose."""
    words = [f"w{i}" for i in range(60)]
    align = get_aligner(monotone=True).align
    for seed in range(100):
        rng = random.Random(seed)
        document = [" ".join(rng.choices(words, k=rng.randint(4, 14))) for _ in range(size)]
        (alone,) = align([document], [document * 2])
        _, after_others = align([words[::-1], document], [[], document * 2])
        np.testing.assert_array_equal(alone > -np.inf, after_others > -np.inf)
