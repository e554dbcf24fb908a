"""The words of a text and of its simplification with labels, as HTML."""

import html
import itertools
import re

from hypothesis import given
from hypothesis import strategies as st

from textsimp import Sari
from textsimp.documents.words import Words
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.report import drawings, word_links

WORDS = st.lists(st.text(min_size=1, max_size=40), max_size=9)
OURS = {"div", "p", "span", "em", "del", "ins", "sup"}


def labelled(source, prediction, *pairs):
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
def drawn_words(draw):
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


def lines(drawn):
    """The words of the source and of the output, each with its numbers."""
    word = r"<(span|em|del|ins)[^>]*>(.*?)</\1>(?:<sup>([\d ]+)</sup>)?"
    return [
        [(html.unescape(text), number.split()) for _, text, number in re.findall(word, line, re.S)]
        for line in re.findall(r"<p[^>]*>(.*?)</p>", drawn, re.S)
    ]


def test_words_have_labels_that_differ_without_colour_and_numbers_where_they_moved():
    pairs = (0, 1), (1, 2), (2, 3), (4, 0)
    found = labelled("The huge cat slept there", "There the big cat", *pairs)
    assert word_links.html(found, "ours") == (
        '<div class="words"><p dir="auto" aria-label="Source"><span>The</span> '
        '<del class="r">huge</del><sup>1</sup> <span>cat</span> <del>slept</del> '
        '<em>there</em><sup>2</sup></p><p dir="auto" aria-label="ours">'
        '<em>There</em><sup>2</sup> <span>the</span> <ins class="r">big</ins><sup>1</sup> '
        "<span>cat</span></p></div>"
    )


def test_an_empty_side_is_called_so():
    assert word_links.html(labelled("", "")).count("(empty)") == 2


@given(drawn_words())
def test_every_word_is_there_in_order_and_every_number_on_both_sides(found):
    source, prediction = lines(word_links.html(found))
    assert [word for word, _ in source] == found.source_words
    assert [word for word, _ in prediction] == found.prediction_words
    ends = [
        {number: i for i, (_, numbers) in enumerate(side) for number in numbers}
        for side in (source, prediction)
    ]
    links = sorted([i, ends[1][number]] for number, i in ends[0].items())
    expected = [link for link in found.word_alignment if found.source_labels[link[0]] != "copy"]
    assert links == sorted(expected)


@given(drawn_words())
def test_texts_are_escaped(found):
    hostile = '"><img src=x>&'
    found = found._replace(source_words=[word + hostile for word in found.source_words])
    drawn = word_links.html(found, hostile)
    assert "<img" not in drawn
    assert set(re.findall(r"</?(\w+)", drawn)) <= OURS


# Which metric


def test_a_metric_that_labels_words_shows_how():
    drawing = drawings.choose([Sari.preset(), WordTransformations.preset()])
    (drawn,) = drawing.draw(["A huge cat."], ["A cat."], ["ours"])
    assert "<del>huge</del>" in drawn
    assert not drawings.choose([Sari.preset()]).whole
