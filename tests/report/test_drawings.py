"""Two documents side by side: which sentences stand beside each other, and what is said of them."""

import html
import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from textsimp.documents import Alignment
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.d_sari import DSari
from textsimp.metrics.sari import Sari
from textsimp.report import drawings

EVERYTHING = Sari.preset(level="aligned", aligner=lambda a, b: [(0, 0), (0, 1)])
SENTENCES = st.lists(st.text(min_size=1), max_size=7)


@st.composite
def alignments(draw):
    source, target = draw(SENTENCES), draw(SENTENCES)
    pairs = list(itertools.product(range(len(source)), range(len(target))))
    links = draw(st.sets(st.sampled_from(pairs), max_size=9)) if pairs else set()
    return Alignment(source, target, sorted(links))


def alignment(source, target, *links):
    """An alignment of so many sentences."""
    sides = [[f"{side} {i}." for i in range(n)] for side, n in (("old", source), ("new", target))]
    return Alignment(*sides, sorted(links))


def rows(found):
    sizes = len(found.source), len(found.target)
    return [tuple(map(list, row)) for row in drawings.rows(sizes, found.links)]


def said(found):
    return [
        html.unescape(re.sub("<[^>]*>", "", small))
        for small in re.findall(r"<small>(.*?)</small>", drawings.link_html(found))
    ]


# Rows


@given(alignments())
def test_rows_have_every_sentence_once_and_in_order(found):
    for side, sentences in enumerate((found.source, found.target)):
        members = itertools.chain.from_iterable(row[side] for row in rows(found))
        assert list(members) == list(range(len(sentences)))


@given(alignments())
def test_no_link_leaves_its_row(found):
    for i, j in found.links:
        assert any(i in sources and j in targets for sources, targets in rows(found))


@given(alignments())
def test_no_row_could_be_two(found):
    for sources, targets in rows(found):
        cuts = itertools.product(range(len(sources) + 1), range(len(targets) + 1))
        for i, j in cuts:
            if 0 < i + j < len(sources) + len(targets):
                first = {*sources[:i]}, {*targets[:j]}
                inside = [pair for pair in found.links if pair[0] in sources]
                assert any((a in first[0]) != (b in first[1]) for a, b in inside)


def test_a_split_sentence_stands_beside_its_parts():
    assert rows(alignment(2, 3, (0, 0), (0, 1), (1, 2))) == [([0], [0, 1]), ([1], [2])]


def test_what_was_dropped_or_added_has_a_row_of_its_own():
    assert rows(alignment(2, 2, (1, 0))) == [([0], []), ([1], [0]), ([], [1])]


def test_links_that_cross_share_a_row_with_what_is_between():
    assert rows(alignment(4, 2, (0, 1), (2, 0))) == [([0, 1, 2], [0, 1]), ([3], [])]


# Words


def test_every_sentence_says_what_became_of_it_or_where_it_is_from():
    found = alignment(6, 5, (0, 0), (1, 1), (1, 2), (3, 3), (4, 3), (5, 3))
    assert said(found) == [
        "1 aligned with 1",
        "1 aligned with 1",
        "2 split into 2 and 3",
        "2 split from 2",
        "3 split from 2",
        "3 dropped",
        "4 joined into 4",
        "5 joined into 4",
        "6 joined into 4",
        "4 joined from 4, 5 and 6",
        "5 added",
    ]


def test_an_empty_side_is_called_so():
    assert "<b>theirs</b> (empty)" in drawings.link_html(alignment(1, 0), "theirs")
    assert drawings.link_html(alignment(0, 0)).count("(empty)") == 2


@given(alignments())
def test_without_tags_sentences_are_as_they_were(found):
    texts = re.findall(r'<p dir="auto">(.*?)</p>', drawings.link_html(found), re.S)
    shown = [html.unescape(re.sub("<[^>]*>", "", text)) for text in texts]
    expected = []
    for sources, targets in rows(found):
        expected += [found.source[i] for i in sources] + [found.target[j] for j in targets]
    assert shown == expected


@given(alignments())
def test_texts_are_escaped(found):
    hostile = '"><img src=x>'
    source = [text + hostile for text in found.source]
    drawn = drawings.link_html(Alignment(source, found.target, found.links), hostile)
    assert "<img" not in drawn
    elements = set(re.findall(r"</?(\w+)", drawn))
    ours = r"div|p|b|span|ul|li|small|ins|del"
    assert all(re.fullmatch(ours, element) for element in elements)


def test_edits_are_marked_within_linked_sentences_only():
    found = Alignment(["A cat sat.", "It rained."], ["A dog sat.", "It snowed."], [(0, 0)])
    drawn = drawings.link_html(found)
    assert 'A <del class="r">cat</del> sat.' in drawn
    assert 'A <ins class="r">dog</ins> sat.' in drawn
    assert ">It rained.<" in drawn
    assert ">It snowed.<" in drawn


def test_edits_of_a_split_sentence_are_those_of_its_parts_together():
    found = Alignment(["It fell, so we ran."], ["It fell.", "We ran."], [(0, 0), (0, 1)])
    drawn = drawings.link_html(found)
    assert 'It fell<del class="r">, so</del> we ran.' in drawn
    assert 'It fell<ins class="r">.</ins>' in drawn
    assert ">We ran.<" in drawn


# Which alignment is shown


def test_the_legend_says_what_the_lexical_aligner_misses():
    assert "not meaning" in drawings.explain(DSari.preset())
    assert "not meaning" not in drawings.explain(EVERYTHING)
    assert drawings.explain(None) == ""


def test_documents_are_aligned_as_the_metric_aligns_them():
    source, target = "Cats sleep. Dogs bark.", "Dogs bark. Cats sleep."
    crossing = Sari.preset(level="aligned", monotone=False)
    assert drawings.align(crossing, [source], [target])[0].links == [(0, 1), (1, 0)]
    assert len(drawings.align(Sari.preset(level="aligned"), [source], [target])[0].links) == 1
    assert drawings.align(EVERYTHING, [source], [target])[0].links == [(0, 0), (0, 1)]


def test_documents_without_spaces_are_drawn_as_they_are_scored():
    source, target = "这只老猫坐在红色的垫子上。昨天晚上下了很大的雨。", "老猫坐在垫子上。"
    for metric in (Sari.preset(level="aligned", tokenizer="zh"), DSari.preset(tokenizer="char")):
        assert drawings.align(metric, [source], [target])[0].links == [(0, 0)]


def test_d_sari_which_aligns_nothing_splits_with_its_own_splitter():
    halves = DSari.preset(splitter=lambda text: text.split("|"))
    (found,) = drawings.align(halves, ["a b|c d"], ["c d"])
    assert found.source == ["a b", "c d"]
    assert found.links == [(1, 0)]


def test_the_first_metric_that_aligns_documents_shows_how():
    assert drawings.choose([Sari.preset(), Bleu.preset()]) is None
    assert drawings.choose([Sari.preset(), DSari.preset()]) == DSari.preset()
    assert drawings.choose([DSari.preset(), EVERYTHING]) == EVERYTHING
    assert drawings.choose([EVERYTHING, Bleu.preset(level="aligned")]) == EVERYTHING


def test_documents_are_linked_as_aligned_sari_does_unless_a_metric_says_otherwise():
    assert drawings.choose([Sari.preset()], documents=True) == Sari.preset(level="aligned")
    assert drawings.choose([DSari.preset()], documents=True) == DSari.preset()
