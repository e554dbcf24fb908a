"""The words of a text and, below them, those of its simplification, each with its label."""

from collections.abc import Sequence
from html import escape

from textsimp.documents.words import Words

LEGEND = (
    '<span class="words"><span>copied</span> <del>deleted</del> <em>moved</em> '
    '<del class="r">replaced</del> <ins class="r">by this</ins> <ins>added</ins></span>'
)
"""The marks of `html`, explained."""
NUMBERS = "The source is above. Words that the aligner moved or replaced have the same number."
"""What the numbers of `html` mean."""

_ELEMENTS = {  # label → the element of a word of the source, of the output
    "": ("span", "span"),
    "copy": ("span", "span"),
    "move": ("em", "em"),
    "replace": ('del class="r"', 'ins class="r"'),
    "delete": ("del", "del"),
    "add": ("ins", "ins"),
}


def html(words: Words, name: str = "Output") -> str:
    """Write the words of a source above those of its simplification, with labels and numbers."""
    labels = words.source_labels
    links = [link for link in words.word_alignment if labels[link[0]] not in ("", "copy")]
    sides = (
        ("Source", words.source_words, words.source_labels),
        (name, words.prediction_words, words.prediction_labels),
    )
    parts = []
    for side, (of, texts, of_words) in enumerate(sides):
        numbers: dict[int, list[int]] = {}
        for number, link in enumerate(links, 1):
            numbers.setdefault(link[side], []).append(number)
        written = [
            _write(word, label, numbers.get(i, ()), side)
            for i, (word, label) in enumerate(zip(texts, of_words, strict=True))
        ]
        label = escape(of)
        parts.append(f'<p dir="auto" aria-label="{label}">{" ".join(written) or "(empty)"}</p>')
    return f'<div class="words">{"".join(parts)}</div>'


def _write(word: str, label: str, numbers: Sequence[int], side: int) -> str:
    element = _ELEMENTS[label][side]
    link = f"<sup>{' '.join(map(str, numbers))}</sup>" if numbers else ""
    return f"<{element}>{escape(word)}</{element.partition(' ')[0]}>{link}"
