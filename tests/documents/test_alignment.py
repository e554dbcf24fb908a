"""Documents aligned with their simplifications: a value that views draw and counts are made of."""

import itertools
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.documents.corpora import BOY, HEN, SUN, columns, corpora
from textsimp import InputError
from textsimp.documents import (
    OPERATIONS,
    Alignment,
    align_documents,
    align_sentences,
    sentence_operations,
)


@st.composite
def alignments(draw):
    """Any links between sentences, not only those that an aligner makes."""
    m, n = draw(st.integers(0, 5)), draw(st.integers(0, 5))
    pairs = [*itertools.product(range(m), range(n))]
    links = draw(st.lists(st.sampled_from(pairs), unique=True)) if pairs else []
    share = st.floats(0, 1)
    similarities = draw(st.lists(share, min_size=len(links), max_size=len(links)))
    return Alignment([*"abcde"[:m]], [*"vwxyz"[:n]], sorted(links), similarities)


def aligned(source, target):
    (found,) = align_documents([" ".join(source)], [" ".join(target)])
    return found


def test_an_alignment_has_the_sentences_of_both_sides_and_their_links():
    found = aligned([HEN, BOY], [HEN, SUN])
    assert (found.source, found.target, found.links) == ([HEN, BOY], [HEN, SUN], [(0, 0)])
    assert found.similarities == pytest.approx([1])


JOINED = "a boy found it before breakfast and rain and sun followed each other ."


@pytest.mark.parametrize(
    ("source", "target", "of_source", "of_target"),
    [
        ([HEN, BOY], [HEN, BOY], ["aligned", "aligned"], ["aligned", "aligned"]),
        (
            *([HEN, BOY], ["the hen laid a white egg .", "on straw .", BOY]),
            *(["split", "aligned"], ["split", "split", "aligned"]),
        ),
        ([HEN, BOY, SUN], [HEN, JOINED], ["aligned", "joined", "joined"], ["aligned", "joined"]),
        ([HEN, BOY], [SUN, HEN], ["aligned", "deleted"], ["added", "aligned"]),
    ],
    ids=["left as they are", "split", "joined", "deleted and added"],
)
def test_sentences_of_both_sides_have_the_operation_that_they_take_part_in(
    source, target, of_source, of_target
):
    found = aligned(source, target)
    assert (found.source_operations(), found.target_operations()) == (of_source, of_target)
    assert found.reordered() == []


def test_a_sentence_that_was_both_split_and_joined_counts_on_each_side_as_it_is_counted():
    found = Alignment(["a", "b"], ["x", "y"], [(0, 0), (0, 1), (1, 1)])
    assert found.source_operations() == ["split", "joined"]
    assert found.target_operations() == ["split", "joined"]


def test_a_sentence_that_was_moved_is_reordered():
    assert aligned([HEN, BOY, SUN], [SUN, HEN, BOY]).reordered() == [0]
    assert aligned([HEN, BOY, SUN], [BOY, SUN, HEN]).reordered() == [2]


def test_without_similarities_it_stands_for_the_first():
    assert Alignment([*"abc"], [*"xy"], [(0, 1), (1, 0), (2, 1)]).reordered() == [0]


def test_nothing_is_moved_where_links_may_not_cross():
    texts = [" ".join([HEN, BOY, SUN])], [" ".join([SUN, HEN, BOY])]
    (found,) = align_documents(*texts, monotone=True)
    assert found.links == [(0, 1), (1, 2)]
    assert found.reordered() == []


def test_a_document_without_text_has_no_sentences():
    assert align_documents(["", HEN], [" ", ""]) == [
        Alignment([], [], [], []),
        Alignment([HEN], [], [], []),
    ]


def test_an_aligner_and_a_splitter_of_ones_own_are_taken():
    (found,) = align_documents(
        ["a;b"], ["c;d"], splitter=lambda text: text.split(";"), aligner=lambda a, b: [(1, 0)]
    )
    assert found == Alignment(["a", "b"], ["c", "d"], [(1, 0)], [1.0])


@pytest.mark.parametrize(
    ("columns", "options", "place"),
    [
        (([HEN], [HEN, BOY]), {}, "targets has 2"),
        (([HEN], [HEN]), {"splitter": "punk"}, "^splitter: "),
        (([HEN], [HEN]), {"aligner": "lexcal"}, "aligner"),
        (([HEN], [HEN]), {"threshold": 2}, "threshold"),
        (([HEN], [HEN]), {"links": "some"}, "links"),
    ],
)
def test_bad_input_to_documents_is_one_clear_error(columns, options, place) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(InputError, match=place):
        align_documents(*columns, **options)


@given(alignments())
def test_operations_are_those_of_their_definition(found):
    of_source = Counter(i for i, _ in found.links)
    of_target = Counter(j for _, j in found.links)
    counts = found.operations()
    assert tuple(counts) == OPERATIONS
    assert counts["split"] == sum(n > 1 for n in of_source.values())
    assert counts["joined"] == sum(n > 1 for n in of_target.values())
    assert counts["deleted"] == len(found.source) - len(of_source)
    assert counts["added"] == len(found.target) - len(of_target)


@given(alignments())
def test_groups_are_the_connected_sentences(found):
    groups = found.groups()
    assert sorted(i for sources, _ in groups for i in sources) == [*range(len(found.source))]
    assert sorted(j for _, targets in groups for j in targets) == [*range(len(found.target))]
    for i, j in found.links:
        assert any(i in sources and j in targets for sources, targets in groups)
    for sources, targets in groups:
        links = [(i, j) for i, j in found.links if i in sources]
        assert len(links) >= len(sources) + len(targets) - 1  # enough to connect them
        if links:
            assert ({i for i, _ in links}, {j for _, j in links}) == (set(sources), set(targets))
    firsts = [sources[0] for sources, _ in groups if sources]
    assert firsts == sorted(firsts)


@given(alignments())
def test_reordered_are_the_fewest_sentences_out_of_order(found):
    best = {}
    similarity = dict(zip(found.links, found.similarities, strict=True))
    for j in {j for _, j in found.links}:
        candidates = [i for i, other in found.links if other == j]
        best[j] = max(candidates, key=lambda i: (similarity[i, j], -i))
    rows = sorted(best)
    moved = found.reordered()
    assert moved == sorted(set(moved))
    kept = [best[j] for j in rows if j not in moved]
    assert kept == sorted(kept)
    assert set(moved) <= set(rows)
    fewer = itertools.combinations(rows, len(rows) - len(moved) + 1)
    assert not any([best[j] for j in c] == sorted(best[j] for j in c) for c in fewer)


@given(corpora)
def test_counts_are_the_sums_of_labels(corpus):
    found = align_documents(*columns(corpus))
    of_source, of_target = Counter[str](), Counter[str]()
    for alignment in found:
        of_source.update(alignment.source_operations())
        of_target.update(alignment.target_operations())
        if alignment.source and alignment.target:
            assert alignment.links == align_sentences(alignment.source, alignment.target)
    counts = sentence_operations(*columns(corpus))
    assert counts["split"] == of_source["split"]
    assert counts["deleted"] == of_source["deleted"]
    assert counts["joined"] == of_target["joined"]
    assert counts["added"] == of_target["added"]
    assert counts["reordered"] == sum(len(alignment.reordered()) for alignment in found)
    for name in OPERATIONS:
        having = sum(alignment.operations()[name] > 0 for alignment in found)
        assert counts[f"documents_with_{name}"] == having


def test_sentences_without_spaces_are_aligned_by_a_tokenizer_for_them():
    texts = ["这只老猫坐在红色的垫子上。昨天晚上下了很大的雨。"], ["老猫坐在垫子上。昨天下了大雨。"]
    (by_white_space,) = align_documents(*texts)
    assert by_white_space.links == []
    (by_characters,) = align_documents(*texts, tokenizer="zh")
    assert by_characters.links == [(0, 0), (1, 1)]
    assert sentence_operations(*texts, tokenizer="zh")["deleted"] == 0
