"""A text and its simplification word by word: columns, lines, labels, as HTML."""

from __future__ import annotations

import html
import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from textsimp import Sari
from textsimp.documents.words import Words
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.report import word_links

WORDS = st.lists(st.text(min_size=1, max_size=40), max_size=9)
OURS = {"div", "p", "span", "em", "del", "ins", "small", "svg", "path", "i"}


def labelled(source: str, prediction: str, *pairs: tuple[int, int]) -> Words:
    """White-space tokens: those of a pair were copied, moved if pairs cross, or replaced."""
    sides = source.split(), prediction.split()
    of_sides = ["delete"] * len(sides[0]), ["add"] * len(sides[1])
    last = -1
    for i, j in sorted(pairs):
        same = sides[0][i].lower() == sides[1][j].lower()
        of_sides[0][i] = of_sides[1][j] = "replace" if not same else "copy" if j > last else "move"
        last = max(last, j)
    return Words(sides[0], of_sides[0], sides[1], of_sides[1], [[i, j] for i, j in sorted(pairs)])


@st.composite
def drawn_words(draw: st.DrawFn) -> Words:
    source, prediction = draw(WORDS), draw(WORDS)
    pairs = list(itertools.product(range(len(source)), range(len(prediction))))
    links = sorted(draw(st.sets(st.sampled_from(pairs), max_size=9))) if pairs else []
    label = {i: draw(st.sampled_from(["copy", "move", "replace"])) for i, _ in links}
    of_prediction = {j: label[i] for i, j in links}
    return Words(
        source,
        [label.get(i, "delete") for i in range(len(source))],
        prediction,
        [of_prediction.get(j, "add") for j in range(len(prediction))],
        [[i, j] for i, j in links],
    )


def rows(drawn: str, side: int) -> list[str]:
    """The row of the source, or of the output, in each column."""
    found = re.findall(r"<p(?: style=[^>]*)?>(?!\w+ \(empty\)<)(.*?)</p>", drawn, re.S)
    return found[side::2]


def cells(row: str) -> list[str]:
    """The words of a row, without the numbers of links."""
    word = r"<span[^>]*><(?:span|em|del|ins)[^>]*>(.*?)</(?:span|em|del|ins)>"
    return [html.unescape(cell) for cell in re.findall(word, row, re.S)]


def columns(drawn: str) -> list[tuple[list[str], list[str]]]:
    """The words of the source and of the output in each column."""
    sides = [[*map(cells, rows(drawn, side))] for side in (0, 1)]
    return [*zip(*sides, strict=True)]


def plain(text: str) -> str:
    return html.unescape(re.sub("<[^>]*>", "", text))


def numbers(drawn: str) -> list[str]:
    groups = re.findall(r"<small[^>]*>([\d ]+)</small>", drawn)
    return [number for group in groups for number in group.split()]


# Columns


def test_aligned_words_are_columns_and_others_have_one_of_their_own() -> None:
    found = labelled("The old cat sat", "The cat slept", (0, 0), (2, 1))
    assert columns(word_links.html(found)) == [
        (["The"], ["The"]),
        (["old"], []),
        (["cat"], ["cat"]),
        (["sat"], []),
        ([], ["slept"]),
    ]


def test_words_that_cross_share_a_column_with_a_line_each() -> None:
    drawn = word_links.html(
        labelled("in may he left", "he left in may", (0, 2), (1, 3), (2, 0), (3, 1))
    )
    assert columns(drawn) == [(["in", "may", "he", "left"], ["he", "left", "in", "may"])]
    assert re.findall(r'<path class="(\w+)"', drawn) == ["copy", "copy", "move", "move"]


def test_a_word_aligned_with_several_has_a_line_to_each() -> None:
    drawn = word_links.html(labelled("approximately ten", "close to ten", (0, 0), (0, 1), (1, 2)))
    assert columns(drawn) == [(["approximately"], ["close", "to"]), (["ten"], ["ten"])]
    assert drawn.count("<path") == 3


@given(drawn_words())
def test_every_word_is_drawn_once_and_in_order(found: Words) -> None:
    drawn = columns(word_links.html(found))
    assert [word for source, _ in drawn for word in source] == found.source_words
    assert [word for _, prediction in drawn for word in prediction] == found.prediction_words


@given(drawn_words())
def test_every_link_is_a_line_or_a_number_on_both_sides(found: Words) -> None:
    drawn = word_links.html(found)
    source, prediction = (sorted(numbers("".join(rows(drawn, side)))) for side in (0, 1))
    assert source == prediction
    assert drawn.count("<path") + len(source) == len(found.word_alignment)


def test_links_too_long_for_a_page_are_numbers_and_the_longest_are_so_first() -> None:
    kept = [f"unchanged{i}" for i in range(6)]
    found = labelled(
        " ".join(["today", *kept, "here"]),
        " ".join([*kept, "here", "today"]),
        (0, len(kept) + 1),
        *((i + 1, i) for i in range(len(kept) + 1)),
    )
    drawn = word_links.html(found)
    assert numbers(drawn) == ["1", "1"]
    assert columns(drawn)[0] == (["today"], [])
    assert drawn.count("<path") == len(kept) + 1


@given(drawn_words())
def test_no_column_is_wider_than_a_page_but_for_one_word(found: Words) -> None:
    for width in re.findall(r"width:([\d.]+)em", word_links.html(found)):
        assert float(width) <= word_links._MAX_COLUMN


def test_a_long_text_in_another_order_is_drawn_at_once() -> None:
    text = [f"word{i}" for i in range(900)]
    pairs = [(i, 899 - i) for i in range(900)]
    drawn = word_links.html(labelled(" ".join(text), " ".join(reversed(text)), *pairs))
    assert len(numbers(drawn)) > 1000


def test_too_many_words_are_counted_instead() -> None:
    many = labelled("a " * 2000, "b")
    assert word_links.html(many) == "<p>2,001 words are too many to draw lines between.</p>"


def test_an_empty_side_is_called_so() -> None:
    assert "<p>theirs (empty)</p>" in word_links.html(labelled("a", ""), "theirs")
    assert word_links.html(labelled("", "")).count("(empty)") == 2


# Labels


def test_labels_are_elements_that_differ_without_colour() -> None:
    found = labelled(
        "The huge cat slept there", "There the big cat", (0, 1), (1, 2), (2, 3), (4, 0)
    )
    drawn = word_links.html(found)
    for element in (
        '<del class="r">huge</del>',
        '<ins class="r">big</ins>',
        "<del>slept</del>",
        "<em>there</em>",
        "<em>There</em>",
        "<span>cat</span>",
    ):
        assert element in drawn


def test_of_a_copied_word_the_copy_alone_is_heard() -> None:
    drawn = word_links.html(labelled("cat", "Cat", (0, 0)))
    assert '<span aria-hidden="true"><span>cat</span></span>' in drawn
    assert "<span><span>Cat</span></span>" in drawn


@given(drawn_words())
def test_texts_are_escaped(found: Words) -> None:
    hostile = '"><img src=x>&'
    found = found._replace(source_words=[word + hostile for word in found.source_words])
    drawn = word_links.html(found, hostile)
    assert "<img" not in drawn
    assert set(re.findall(r"</?(\w+)", drawn)) <= OURS


# Which metric


def test_the_first_metric_that_labels_words_shows_how() -> None:
    metric = WordTransformations.preset()
    assert word_links.find_labelling_metric([Sari.preset(), metric]) is metric
    assert word_links.find_labelling_metric([Sari.preset()]) is None
