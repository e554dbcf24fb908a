"""Two documents side by side: their sentences, links between them, and marks of edits.

Sentences that are linked with each other only are a row: source on the left, output on the right,
lines between. Heights of sentences are in proportion to their lengths, so that lines end at them.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import accumulate
from typing import Any, NamedTuple

from textsimp.core.metric import Metric
from textsimp.documents import Alignment
from textsimp.documents.document_alignment import align_documents
from textsimp.metrics.aligned import ALIGNMENT
from textsimp.metrics.sari import Sari
from textsimp.report import marks
from textsimp.report.marks import Span
from textsimp.text.sentence_alignment import tokenizer_of_words

_MAX_LINKS = 5_000  # links of a drawing
_EXTRA_CHARACTERS = 60  # characters, about what a sentence's margins and broken last line take

_SIDES = ("source", "target")
_LABELS = {  # of a source sentence, of one of the output
    "aligned": ("aligned with {}", "aligned with {}"),
    "split": ("split into {}", "split from {}"),
    "joined": ("joined into {}", "joined from {}"),
    "deleted": ("dropped", ""),
    "added": ("", "added"),
}


def align(metric: Metric, sources: Sequence[str], targets: Sequence[str]) -> list[Alignment]:
    """Align documents as a metric does, or else by the defaults of level ``aligned``."""
    words = tokenizer_of_words(getattr(metric, "tokenizer", "13a"))
    return align_documents(list(sources), list(targets), tokenizer=words, **options(metric))


def options(metric: Metric) -> dict[str, Any]:
    """Return a metric's options of alignment, or the usual ones."""
    usual = Sari.preset(level="aligned")
    return {name: getattr(metric, name, getattr(usual, name)) for name in ALIGNMENT}


def html(alignment: Alignment, name: str = "Output") -> str:
    """Draw two documents side by side with linked sentences."""
    if len(alignment.links) > _MAX_LINKS:
        return f"<p>{len(alignment.links):,} links between sentences are too many to draw.</p>"
    sentences = alignment.source, alignment.target
    labels = "Source", escape(name)
    heads = [
        f"<span><b>{label}</b>{'' if of_side else ' (empty)'}</span>"
        for label, of_side in zip(labels, sentences, strict=True)
    ]
    items = _items(alignment)
    drawn = []
    for row in rows((len(alignment.source), len(alignment.target)), alignment.links):
        parts, places = ["", ""], list[dict[int, float]]()
        for side, members in enumerate(row.members):
            heights = [len(sentences[side][i]) + _EXTRA_CHARACTERS for i in members]
            ends = [*accumulate(heights)]
            middles = (end - height / 2 for end, height in zip(ends, heights, strict=True))
            places.append({i: 100 * y / ends[-1] for i, y in zip(members, middles, strict=True)})
            if members:
                tracks = " ".join(f"{height}fr" for height in heights)
                label = f'class="{_SIDES[side]}" role="list" aria-label="{labels[side]}"'
                content = "".join(items[side][i] for i in members)
                parts[side] = f'<ul {label} style="grid-template-rows:{tracks}">{content}</ul>'
        parts.insert(1, _lines([(places[0][i], places[1][j]) for i, j in row.links]))
        drawn.append(f'<div class="pair">{"".join(parts)}</div>')
    return f'<div class="linked"><p>{" ".join(heads)}</p>{"".join(drawn)}</div>'


def _lines(ends: Sequence[tuple[float, float]]) -> str:
    """Draw lines between heights in percent."""
    paths = [f'<path d="M0 {a:.4g}C50 {a:.4g} 50 {b:.4g} 100 {b:.4g}"/>' for a, b in ends]
    svg = '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
    return f"{svg}{''.join(paths)}</svg>" if paths else ""


class Row(NamedTuple):
    """A stretch of both sides."""

    members: tuple[range, range]  # indices of the source, of the target
    links: list[tuple[int, int]]


def rows(sizes: tuple[int, int], links: Sequence[tuple[int, int]]) -> Iterator[Row]:
    """Divide both sides into the shortest stretches that are linked with each other only."""
    linked = [{link[side] for link in links} for side in (0, 1)]
    i = j = 0
    while i < sizes[0] or j < sizes[1]:
        inside: list[tuple[int, int]] = []
        if i < sizes[0] and i not in linked[0]:
            ends = i + 1, j
        elif j < sizes[1] and j not in linked[1]:
            ends = i, j + 1
        else:
            before, ends = (i, j), (i + 1, j + 1)
            while before != ends:
                before = ends
                inside = [(a, b) for a, b in links if i <= a < ends[0] or j <= b < ends[1]]
                ends = max(a for a, _ in inside) + 1, max(b for _, b in inside) + 1
        yield Row((range(i, ends[0]), range(j, ends[1])), inside)
        i, j = ends


def _items(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Write each sentence: its number, what became of it or where it is from, and its text."""
    operations = alignment.source_operations(), alignment.target_operations()
    items: tuple[list[str], list[str]] = [], []
    for side, texts in enumerate(_mark_sentences(alignment)):
        for i, (text, operation) in enumerate(zip(texts, operations[side], strict=True)):
            others = [str(link[1 - side] + 1) for link in alignment.links if link[side] == i]
            label = _LABELS[operation][side].format(" and ".join(", ".join(others).rsplit(", ", 1)))
            items[side].append(
                f'<li class="{operation}"><small>{i + 1} <span>{label}</span></small>'
                f'<p dir="auto">{text}</p></li>'
            )
    return items


def _mark_sentences(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Write sentences as HTML, with edits marked in linked ones."""
    sides = alignment.source, alignment.target
    texts = [*map(escape, alignment.source)], [*map(escape, alignment.target)]
    linked = [group for group in alignment.groups() if all(group)]
    joined = [
        [" ".join(sides[side][i] for i in group[side]) for group in linked] for side in (0, 1)
    ]
    for group, spans in zip(linked, marks.mark(*joined), strict=True):
        for side, members in enumerate(group):
            start = 0
            for i in members:
                end = start + len(sides[side][i])
                texts[side][i] = marks.sides(_cut(spans, side, start, end))[side]
                start = end + 1
    return texts


def _cut(spans: Sequence[Span], side: int, start: int, end: int) -> list[Span]:
    """Cut spans to a stretch of the text on one side."""
    pieces, at = [], 0
    for span in spans:
        text = (span.old, span.new)[side]
        piece = text[max(start - at, 0) : max(end - at, 0)]
        pieces.append(Span(span.kind, *((piece, "") if side == 0 else ("", piece))))
        at += len(text)
    return pieces
