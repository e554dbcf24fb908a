"""Drawings of the words of a text and its simplification, with lines between aligned words.

Words that are aligned with each other only are a column: those of the source above, those of the
output below. Widths of words are in proportion to their estimated width, so that lines end at them.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Sequence
from html import escape
from importlib import resources
from itertools import accumulate

from textsimp.core.metric import Metric
from textsimp.documents.words import Words
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.report.sentence_links import Row, rows

LEGEND = (
    '<span class="words"><span>copied</span> <del>deleted</del> <em>moved</em> '
    '<del class="r">replaced</del> <ins class="r">by this</ins> <ins>added</ins></span>'
)
"""The marks of `html`, explained."""
LINES = (
    "The source is above. Lines link words that the aligner found alike; equal numbers do where a "
    "line would be too long."
)
"""What the lines of `html` mean."""

_ELEMENTS = {  # label → the element of a word of the source, of the output
    "copy": ("span", "span"),
    "move": ("em", "em"),
    "replace": ('del class="r"', 'ins class="r"'),
    "delete": ("del", "del"),
    "add": ("ins", "ins"),
}
_MAX_WORDS = 2_000  # words of a drawing
_MAX_COLUMN = 34.0  # em, of a column; on a phone its letters are smaller
_MAX_WORD = 16.0  # em, of a word that isn't broken into lines
_MARGINS = 0.9  # em, around a word


def find_labelling_metric(metrics: Iterable[Metric]) -> WordTransformations | None:
    """Find the first metric that labels words."""
    return next((metric for metric in metrics if isinstance(metric, WordTransformations)), None)


def style() -> str:
    """The style sheet of `html`, which needs ``shared.css``."""
    return resources.files(__package__).joinpath("word_links.css").read_text(encoding="utf-8")


def html(words: Words, name: str = "Output") -> str:
    """Draw the words of a source above those of its simplification, with lines between them."""
    sides = words.source_words, words.prediction_words
    count = sum(map(len, sides))
    if count > _MAX_WORDS:
        return f"<p>{count:,} words are too many to draw lines between.</p>"
    widths = [*map(_width, sides[0])], [*map(_width, sides[1])]
    columns, far = _columns(widths, words.word_alignment)
    numbers: tuple[dict[int, list[int]], dict[int, list[int]]] = {}, {}
    for number, link in enumerate(far, 1):
        for side in (0, 1):
            numbers[side].setdefault(link[side], []).append(number)
    labels = words.source_labels, words.prediction_labels
    cells = [
        [
            _cell(word, label, numbers[side].get(i, ()), side)
            for i, (word, label) in enumerate(zip(sides[side], labels[side], strict=True))
        ]
        for side in (0, 1)
    ]
    drawn = [_column(column, cells, widths, words.source_labels) for column in columns]
    empty = [
        f"<p>{escape(of)} (empty)</p>"
        for of, of_side in zip(("Source", name), sides, strict=True)
        if not of_side
    ]
    return (
        f'<div class="words lines" dir="auto" role="group" '
        f'aria-label="{escape(f"Words of source and {name}")}">{"".join(empty)}'
        f"<div>{''.join(drawn)}</div></div>"
    )


def _columns(
    widths: Sequence[Sequence[float]], links: Iterable[Sequence[int]]
) -> tuple[list[Row], list[tuple[int, int]]]:
    """Return columns that fit a page, and the links left out for that, the longest first."""
    near, far = sorted({(i, j) for i, j in links}), list[tuple[int, int]]()
    while True:
        columns = [*rows((len(widths[0]), len(widths[1])), near)]
        cut = {link for column in columns for link in _too_long(column, widths)}
        if not cut:
            return columns, sorted(far)
        near = [link for link in near if link not in cut]
        far += cut


def _too_long(column: Row, widths: Sequence[Sequence[float]]) -> list[tuple[int, int]]:
    """The longest links of a column that is too wide."""
    places = [_middles(widths[side], column.members[side]) for side in (0, 1)]
    if len(column.links) < 2 or max(of_side[-1][1] for of_side in places) <= _MAX_COLUMN:
        return []
    starts = [members.start for members in column.members]
    lengths = {
        (i, j): abs(places[0][i - starts[0]][0] - places[1][j - starts[1]][0])
        for i, j in column.links
    }
    # Several at once, or a long text would be laid out again for each.
    long = 0.8 * max(lengths.values())
    return [link for link, length in lengths.items() if length >= long]


def _middles(widths: Sequence[float], members: range) -> list[tuple[float, float]]:
    """The middle and the end of each word, from where its column begins."""
    ends = accumulate(widths[i] for i in members)
    return [(end - widths[i] / 2, end) for i, end in zip(members, ends, strict=True)]


def _column(
    column: Row,
    cells: Sequence[Sequence[str]],
    widths: Sequence[Sequence[float]],
    of: Sequence[str],
) -> str:
    """A column: words of the source, lines, words of the output."""
    parts = []
    several = max(map(len, column.members)) > 1
    for side, members in enumerate(column.members):
        shares = " ".join(f"{widths[side][i]:.4g}fr" for i in members)
        style = f' style="grid-template-columns:{shares}"' if len(members) > 1 else ""
        parts.append(f"<p{style}>{''.join(cells[side][i] for i in members)}</p>")
    totals = [sum(widths[side][i] for i in column.members[side]) for side in (0, 1)]
    width = f"{max(totals):.4g}"
    style = f' style="width:{width}em;font-size:min(1em,100cqi/{width})"' if several else ""
    lines = "".join(
        f'<path class="{of[i]}" d="{_line(column, widths, (i, j))}"/>' for i, j in column.links
    )
    svg = f'<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">{lines}</svg>'
    return f"<div{style}>{parts[0]}{svg if lines else '<i></i>'}{parts[1]}</div>"


def _line(column: Row, widths: Sequence[Sequence[float]], link: tuple[int, int]) -> str:
    ends = []
    for side, members in enumerate(column.members):
        places = _middles(widths[side], members)
        ends.append(100 * places[link[side] - members.start][0] / places[-1][1])
    a, b = ends
    return f"M{a:.4g} 0C{a:.4g} 50 {b:.4g} 50 {b:.4g} 100"


def _cell(word: str, label: str, numbers: Sequence[int], side: int) -> str:
    """Write a word as HTML. Screen readers read copied words once."""
    heard = ' aria-hidden="true"' if label == "copy" and side == 0 else ""
    far = f'<small aria-hidden="true">{" ".join(map(str, numbers))}</small>' if numbers else ""
    element = _ELEMENTS[label][side]
    return f"<span{heard}><{element}>{escape(word)}</{element.partition(' ')[0]}>{far}</span>"


def _width(word: str) -> float:
    """Estimate the width of a word with its margins in em, from above for usual fonts."""
    letters = sum(map(_advance, word))
    return min(letters, _MAX_WORD) + _MARGINS


@functools.lru_cache(4096)
def _advance(letter: str) -> float:
    if letter in "iljtfrI.,;:!'|()[] ":
        return 0.38
    if letter in "mwMW@%&—…":
        return 0.95
    if unicodedata.category(letter) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(letter) in "WF":
        return 1.05
    if not letter.isascii():
        return 0.7
    return 0.72 if letter.isupper() else 0.6
