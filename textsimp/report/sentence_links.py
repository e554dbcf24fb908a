"""Two documents side by side: their sentences, links between them, and marks of edits.

Sentences that are linked with each other only are a row: source on the left, output on the right,
lines between. Heights of sentences are in proportion to their lengths, so that lines end at them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
from textsimp.scoring.headlines import aligns
from textsimp.text.sentence_alignment import LEXICAL, tokenizer_of_words

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


def find_document_metric(metrics: Iterable[Metric]) -> Metric | None:
    """Find the first metric that reads documents, preferably one that aligns them."""
    reading = [metric for metric in metrics if metric.reads == "documents" or aligns(metric)]
    return max(reading, key=aligns, default=None)


def legend(metric: Metric) -> str:
    """Explain the lines between documents."""
    return "Lines link sentences that the aligner found alike." + (
        " It sees words, not meaning: a sentence said in other words counts as dropped and added."
        if _options(metric)["aligner"] == LEXICAL
        else ""
    )


def align(metric: Metric, sources: Sequence[str], targets: Sequence[str]) -> list[Alignment]:
    """Align documents as a metric does, or else by the defaults of level ``aligned``."""
    words = tokenizer_of_words(getattr(metric, "tokenizer", "13a"))
    return align_documents(list(sources), list(targets), tokenizer=words, **_options(metric))


def _options(metric: Metric) -> dict[str, Any]:
    usual = Sari.preset(level="aligned")
    return {name: getattr(metric, name, getattr(usual, name)) for name in ALIGNMENT}


def html(alignment: Alignment, name: str = "Output") -> str:
    """Draw two documents side by side with linked sentences."""
    if len(alignment.links) > _MAX_LINKS:
        return f"<p>{len(alignment.links):,} links between sentences are too many to draw.</p>"
    sentences = alignment.source, alignment.target
    operations = alignment.source_operations(), alignment.target_operations()
    texts = _mark_sentences(alignment)
    drawn = []
    for row in rows((len(alignment.source), len(alignment.target)), alignment.links):
        lists, places = [], []
        for side, members in enumerate(row.members):
            items = [
                _item(texts[side][i], i, operations[side][i], side, row.links) for i in members
            ]
            heights = [len(sentences[side][i]) + _EXTRA_CHARACTERS for i in members]
            places.append(_middles(heights))
            lists.append(_list(items, heights, side, name) if items else "")
        source, target = lists
        lines = _lines(row, *places) if row.links else ""
        drawn.append(f'<div class="pair">{source}{lines}{target}</div>')
    heads = [
        f"<span><b>{escape(of)}</b>{'' if of_side else ' (empty)'}</span>"
        for of, of_side in zip(("Source", name), sentences, strict=True)
    ]
    return f'<div class="linked"><p>{" ".join(heads)}</p>{"".join(drawn)}</div>'


class Row(NamedTuple):
    """A stretch of both sides."""

    members: tuple[range, range]  # indices of the source, of the target
    links: list[tuple[int, int]]


def rows(sizes: tuple[int, int], links: Sequence[tuple[int, int]]) -> Iterator[Row]:
    """Divide both sides into the shortest stretches that are linked with each other only."""
    partners: _Partners = {}, {}
    for i, j in links:
        partners[0].setdefault(i, []).append(j)
        partners[1].setdefault(j, []).append(i)
    i = j = 0
    while i < sizes[0] or j < sizes[1]:
        if i < sizes[0] and i not in partners[0]:
            members = range(i, i + 1), range(j, j)
        elif j < sizes[1] and j not in partners[1]:
            members = range(i, i), range(j, j + 1)
        else:
            members = _stretch(i, j, partners)
        yield Row(members, [(a, b) for a in members[0] for b in partners[0].get(a, ())])
        i, j = members[0].stop, members[1].stop


_Partners = tuple[dict[int, list[int]], dict[int, list[int]]]


def _stretch(i: int, j: int, partners: _Partners) -> tuple[range, range]:
    """The shortest stretches from two linked sentences on that contain all their links."""
    seen, ends = [i, j], [i + 1, j + 1]
    while seen != ends:
        for side, other in ((0, 1), (1, 0)):
            new = range(seen[side], ends[side])
            ends[other] = max(
                [ends[other], *(n + 1 for k in new for n in partners[side].get(k, ()))]
            )
            seen[side] = ends[side]
    return range(i, ends[0]), range(j, ends[1])


def _mark_sentences(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Write sentences as HTML, with edits marked in linked ones."""
    texts = [*map(escape, alignment.source)], [*map(escape, alignment.target)]
    sides = alignment.source, alignment.target
    components = [group for group in alignment.groups() if all(group)]
    joined = [
        [[sides[side][i] for i in members] for side, members in enumerate(component)]
        for component in components
    ]
    spans = marks.mark(*([" ".join(part[side]) for part in joined] for side in (0, 1)))
    for component, part, pair_spans in zip(components, joined, spans, strict=True):
        for side, members in enumerate(component):
            for i, text in zip(members, _cut(pair_spans, part[side], side), strict=True):
                texts[side][i] = text
    return texts


def _cut(spans: Sequence[Span], sentences: Sequence[str], side: int) -> list[str]:
    """Cut spans of joined sentences into the HTML of each sentence."""
    texts = [(span.old, span.new)[side] for span in spans]
    starts = [*accumulate(map(len, texts), initial=0)]
    cut, start = [], 0
    for sentence in sentences:
        pieces = []
        for span, text, at in zip(spans, texts, starts, strict=False):
            piece = text[max(start - at, 0) : max(start + len(sentence) - at, 0)]
            pieces.append(Span(span.kind, *((piece, "") if side == 0 else ("", piece))))
        cut.append(marks.sides(pieces)[side])
        start += len(sentence) + 1
    return cut


def _middles(heights: Sequence[int]) -> list[float]:
    """The middle of each sentence, in percent of the total height."""
    ends = accumulate(heights, initial=0)
    return [
        100 * (end + height / 2) / sum(heights) for end, height in zip(ends, heights, strict=False)
    ]


def _lines(row: Row, sources: Sequence[float], targets: Sequence[float]) -> str:
    paths = []
    for i, j in row.links:
        a, b = sources[i - row.members[0].start], targets[j - row.members[1].start]
        paths.append(f'<path d="M0 {a:.4g}C50 {a:.4g} 50 {b:.4g} 100 {b:.4g}"/>')
    return (
        '<svg viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true">'
        f"{''.join(paths)}</svg>"
    )


def _list(items: Sequence[str], heights: Sequence[int], side: int, name: str) -> str:
    rows = " ".join(f"{height}fr" for height in heights)
    style = f' style="grid-template-rows:{rows}"' if len(heights) > 1 else ""
    label = escape(("Source", name)[side])
    return (
        f'<ul class="{_SIDES[side]}" role="list" aria-label="{label}"{style}>{"".join(items)}</ul>'
    )


def _item(text: str, i: int, operation: str, side: int, links: Sequence[tuple[int, int]]) -> str:
    """A sentence: its number, what became of it or where it is from, and its text."""
    numbers = ", ".join(str(link[1 - side] + 1) for link in links if link[side] == i)
    label = _LABELS[operation][side].format(" and ".join(numbers.rsplit(", ", 1)))
    return (
        f'<li class="{operation}"><small>{i + 1} <span>{label}</span></small>'
        f'<p dir="auto">{text}</p></li>'
    )
