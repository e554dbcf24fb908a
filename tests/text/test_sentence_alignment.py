"""Links between sentences, and groups of them, against their definitions written out slowly.

What the lexical aligner finds similar is tested in tests/test_documents.py, embeddings in
tests/extensions/models/networks/torch.
"""

import itertools
import math

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from textsimp.documents import align_sentences
from textsimp.support import extensions
from textsimp.support.errors import InputError
from textsimp.support.extensions import Extension, Installed
from textsimp.text.sentence_alignment import (
    LINKED,
    Group,
    Similarity,
    _cosine,
    _cosines,
    _linked,
    _monotone,
    connect,
    get_aligner,
    group_sentences,
)

# Tenths, so that there are ties.
shares = st.integers(0, 10).map(lambda n: n / 10)


def matrices(most):
    def of(shape):
        row = st.lists(shares, min_size=shape[1], max_size=shape[1])
        return st.lists(row, min_size=shape[0], max_size=shape[0]).map(np.array)

    return st.tuples(st.integers(1, most), st.integers(1, most)).flatmap(of)


def pairs_of(links):
    return {(i, j) for i, j in np.argwhere(links > -np.inf).tolist()}


def test_an_extension_may_declare_an_aligner(monkeypatch):
    declared = Extension(aligners={"first": f"{__name__}:first_words"})
    installed = (Installed("theirs", "their-package", declared),)
    monkeypatch.setattr(extensions, "installed", lambda: installed)
    sentences = ["a b", "c d"], ["c e", "a f"]
    assert align_sentences(*sentences, aligner="first:2") == [(0, 1), (1, 0)]
    with pytest.raises(InputError, match="expected one of lexical, first:MODEL, or a function"):
        align_sentences(*sentences, aligner="embedding:me/model")


def first_words(model):
    """The similarity of an extension: whether sentences begin with the same word."""

    def compute(sources, targets):
        for source, target in zip(sources, targets, strict=True):
            yield np.array([[float(a[0] == b[0]) for b in target] for a in source])

    return Similarity(f"first-{model}", 0.5, compute)


words = st.lists(st.integers(0, 9), max_size=12)


@given(words, words)
def test_two_sentences_are_as_similar_as_documents_of_a_sentence_each(source, target):
    assert _cosine(source, target) == pytest.approx(_cosines([source], [target])[0, 0], abs=1e-12)


# Which pairs are linked -----------------------------------------------------------------------


def literal_links(similarity, least, links):
    """What `get_aligner` says of links, with loops."""
    m, n = similarity.shape
    enough = {
        (i, j)
        for i, j in itertools.product(range(m), range(n))
        if similarity[i, j] > 0 and similarity[i, j] >= least
    }
    if links == "all":
        return enough

    def rank(pair):
        i, j = pair
        return -similarity[i, j], round(abs(i / m - j / n), 9), i, j

    of_source = {min(((i, j) for j in range(n)), key=rank) for i in range(m)}
    of_target = {min(((i, j) for i in range(m)), key=rank) for j in range(n)}
    return enough & (of_source & of_target if links == "mutual" else of_source | of_target)


@given(matrices(5), shares.filter(bool), st.sampled_from(LINKED))
@example(np.ones((2, 4)), 0.5, "best")  # of equals the nearest in relative position
def test_links_are_what_their_description_says(similarity, least, links):
    found = _linked(similarity, least, links, monotone=False)
    assert pairs_of(found) == literal_links(similarity, least, links)


@given(matrices(5), shares.filter(bool), st.sampled_from(LINKED), st.booleans())
def test_a_link_says_how_similar_its_sentences_are(similarity, least, links, monotone):
    found = _linked(similarity, least, links, monotone)
    linked = found > -np.inf
    assert np.allclose(found[linked], similarity[linked], rtol=0, atol=1e-8)


def test_similarity_at_the_threshold_is_enough_whatever_the_rounding():
    third = np.full((1, 1), 1 - 2 / 3)
    assert third[0, 0] > 1 / 3  # by a bit
    for similarity in (third, np.full((1, 1), 1 / 3)):
        for threshold in (1 - 2 / 3, 1 / 3):
            assert pairs_of(_linked(similarity, threshold, "best", False)) == {(0, 0)}


@pytest.mark.parametrize("threshold", [1e-12, np.nextafter(0, 1)])
def test_however_low_the_threshold_unlike_sentences_are_not_linked(threshold):
    assert align_sentences(["a b"], ["c d"], threshold=threshold, links="all") == []


def test_a_side_without_sentences_has_no_links():
    for sides in (([[]], [["a"]]), ([["a"]], [[]]), ([[]], [[]])):
        for monotone in (False, True):
            (found,) = get_aligner(monotone=monotone).align(*sides)
            assert found.shape == (len(sides[0][0]), len(sides[1][0]))


# Monotone links -------------------------------------------------------------------------------


def crosses(pairs):
    return any(a < c and b > d for (a, b), (c, d) in itertools.permutations(pairs, 2))


def literal_best(weights):
    """The greatest sum along a way down and to the right, cell by cell."""
    sums = {}
    for i, j in np.ndindex(*weights.shape):
        before = (sums.get((i - 1, j), 0.0), sums.get((i, j - 1), 0.0))
        sums[i, j] = max(before) + weights[i, j]
    return sums[weights.shape[0] - 1, weights.shape[1] - 1]


@given(matrices(12))
@example(np.array([[0, 0, 1], [0.6, 0, 0], [0, 0.6, 0]]))  # the greater total stays
def test_monotone_links_of_longer_documents_are_the_best_too(similarity):
    links = np.where(similarity >= 0.3, similarity, -np.inf)
    found = _monotone(links)
    assert not crosses(pairs_of(found))
    assert math.isclose(found[found > -np.inf].sum(), literal_best(np.maximum(links, 0)))


# Functions of the user's ----------------------------------------------------------------------


def aligned(found):
    """What a function that returns this links of three sentences and two."""
    return align_sentences(["a", "b", "c"], ["d", "e"], aligner=lambda a, b: found)


@pytest.mark.parametrize(
    "found",
    [
        [(0, 1), (2, 0)],
        {(0, 1), (2, 0)},
        [[2, 0], [0, 1], [0, 1]],
        np.array([[0, 1], [2, 0]]),
        np.array([[0, 1], [2, 0]], np.uint8),
        [(np.int64(0), np.int32(1)), (2, 0)],
    ],
)
def test_a_function_gives_pairs_in_any_order_and_form(found):
    assert aligned(found) == [(0, 1), (2, 0)]


@pytest.mark.parametrize(
    "found",
    [
        *(None, 1, "01", ["01"], [1, 2], [(0,)], [(0, 1, 0.5)], [(0, 0.9)], [("0", "1")]),
        *([(0, None)], [(0, math.nan)], np.array([[0.0, 1.0]])),
    ],
)
def test_what_is_no_pair_of_indices_is_refused(found):
    with pytest.raises(InputError):
        aligned(found)


@pytest.mark.parametrize("pair", [(3, 0), (0, 2), (-1, 0), (0, -1), (10**30, 0)])
def test_an_index_beyond_the_sentences_is_refused(pair):
    with pytest.raises(InputError):
        aligned([(0, 0), pair])


def test_a_function_has_neither_threshold_nor_links():
    for options in ({"threshold": 0.5}, {"links": "all"}):
        with pytest.raises(InputError):
            get_aligner(lambda a, b: [], **options)


# Names and options ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Lexical", "lexical:x", "embedding:", "", None, ["lexical"], 1])
def test_an_unknown_aligner_lists_those_there_are(name):
    with pytest.raises(InputError):
        get_aligner(name)


# Groups ---------------------------------------------------------------------------------------


def literal_components(m, n, pairs):
    """What `connect` says, from sets that grow until nothing changes."""
    nodes = [*range(m + n)]
    component = {node: {node} for node in nodes}
    for _ in nodes:
        for i, j in pairs:
            both = component[i] | component[m + j]
            component.update(dict.fromkeys(both, both))
    distinct = sorted({tuple(sorted(members)) for members in component.values()})
    return [([k for k in c if k < m], [k - m for k in c if k >= m]) for c in distinct]


@st.composite
def linked_documents(draw, *sizes):
    m, n = sizes or (draw(st.integers(0, 5)), draw(st.integers(0, 5)))
    every = [*itertools.product(range(m), range(n))]
    chosen = st.lists(st.sampled_from(every), max_size=6) if every else st.just([])
    return m, n, {*draw(chosen)}


def matrix(m, n, pairs):
    links = np.full((m, n), -np.inf)
    for pair in pairs:
        links[pair] = 0.5
    return links


@given(linked_documents())
def test_components_are_what_their_description_says(documents):
    assert connect(matrix(*documents)) == literal_components(*documents)


def grouped(source_references, source_outputs, reference_outputs):
    return group_sentences(connect(source_references), source_outputs, reference_outputs)


@given(st.data(), *(st.integers(0, 4) for _ in range(3)))
def test_every_sentence_is_in_one_group(data, m, n, k):
    pairs = [data.draw(linked_documents(*sizes)) for sizes in ((m, k), (m, n), (k, n))]
    found = grouped(*(matrix(*documents) for documents in pairs))
    for side, size in enumerate((m, n, k)):
        assert sorted(i for group in found for i in group[side]) == [*range(size)]


@given(st.data(), *(st.integers(0, 4) for _ in range(3)))
def test_the_output_does_not_change_the_groups_of_source_and_reference(data, m, n, k):
    pairs = [data.draw(linked_documents(*sizes)) for sizes in ((m, k), (m, n), (k, n))]
    found = grouped(*(matrix(*documents) for documents in pairs))
    without = [(group.sources, group.references) for group in found if any(group[::2])]
    assert without == connect(matrix(*pairs[0]))


def test_an_output_sentence_joins_the_most_similar_sentence_of_the_reference():
    of_reference = np.array([[0.2], [0.3]])
    found = grouped(matrix(2, 2, {(0, 0), (1, 1)}), matrix(2, 1, {(0, 0)}), of_reference)
    assert found == [Group([0], [], [0]), Group([1], [0], [1])]


def test_it_joins_a_sentence_of_the_source_that_the_reference_dropped():
    found = grouped(matrix(2, 1, {(0, 0)}), matrix(2, 1, {(1, 0)}), matrix(1, 1, set()))
    assert found == [Group([0], [], [0]), Group([1], [0], [])]


def test_it_joins_no_sentence_that_the_reference_has_too():
    found = grouped(matrix(1, 1, {(0, 0)}), matrix(1, 1, {(0, 0)}), matrix(1, 1, set()))
    assert found == [Group([0], [], [0]), Group([], [0], [])]


def test_without_any_counterpart_it_is_a_group():
    found = grouped(matrix(1, 1, {(0, 0)}), matrix(1, 2, set()), matrix(1, 2, set()))
    assert found == [Group([0], [], [0]), Group([], [0], []), Group([], [1], [])]
