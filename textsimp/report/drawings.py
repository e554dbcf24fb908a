"""Drawings of outputs beside their sources: marked edits, or linked sentences of documents.

Linked sentences are side by side, the source on the left and the output on the right. Each has a
label, such as "split into 2 and 3".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from textsimp.core.metric import Metric
from textsimp.metrics.aligned import ALIGNMENT
from textsimp.metrics.sari import Sari
from textsimp.report import marks
from textsimp.report.marks import Span
from textsimp.scoring.ranking import aligns
from textsimp.text.sentence_alignment import LEXICAL, tokenizer_of_words

if TYPE_CHECKING:
    from textsimp.documents import Alignment

_SIDES = ("source", "target")
_LABELS = {  # of a source sentence, of one of the output
    "aligned": ("aligned with {}", "aligned with {}"),
    "split": ("split into {}", "split from {}"),
    "joined": ("joined into {}", "joined from {}"),
    "deleted": ("dropped", ""),
    "added": ("", "added"),
}


def choose(metrics: Sequence[Metric], documents: bool = False) -> Metric | None:
    """Return the metric that links sentences; None if edits are marked instead.

    ``documents`` are linked as aligned SARI does, unless a metric says otherwise.
    """
    reading = [metric for metric in metrics if metric.reads == "documents" or aligns(metric)]
    if documents and not reading:
        return Sari.preset(level="aligned")
    return max(reading, key=aligns, default=None)


def draw(
    linking: Metric | None, sources: Sequence[str], outputs: Sequence[str], name: str
) -> Iterable[str]:
    """Draw outputs of a system as HTML; ``linking`` is what `choose` returned."""
    if linking is None:
        return marks.mark_html(sources, outputs)
    return [link_html(alignment, name) for alignment in align(linking, sources, outputs)]


def explain(linking: Metric | None) -> str:
    """Explain which sentences are side by side; "" for marked edits."""
    if linking is None:
        return ""
    text = "Sentences that the aligner found alike stand side by side."
    if _options(linking)["aligner"] == LEXICAL:
        text += (
            " It sees words, not meaning: a sentence said in other words counts as dropped and "
            "added."
        )
    return text


def align(metric: Metric, sources: Sequence[str], targets: Sequence[str]) -> list[Alignment]:
    """Align documents as a metric does, or by the defaults of level ``aligned``."""
    from textsimp.documents.document_alignment import align_documents

    words = tokenizer_of_words(getattr(metric, "tokenizer", "13a"))
    return align_documents(list(sources), list(targets), tokenizer=words, **_options(metric))


def _options(metric: Metric) -> dict[str, Any]:
    """Return a metric's options of alignment, or the defaults."""
    usual = Sari.preset(level="aligned")
    return {name: getattr(metric, name, getattr(usual, name)) for name in ALIGNMENT}


def link_html(alignment: Alignment, name: str = "Output") -> str:
    """Draw two documents side by side, with linked sentences in a row."""
    sentences = alignment.source, alignment.target
    labels = "Source", escape(name)
    heads = [
        f"<span><b>{label}</b>{'' if own else ' (empty)'}</span>"
        for label, own in zip(labels, sentences, strict=True)
    ]
    items = _items(alignment)
    drawn = []
    for row in rows((len(alignment.source), len(alignment.target)), alignment.links):
        parts = []
        for side, members in enumerate(row):
            if members:
                label = f'class="{_SIDES[side]}" role="list" aria-label="{labels[side]}"'
                parts.append(f"<ul {label}>{''.join(items[side][i] for i in members)}</ul>")
        drawn.append(f'<div class="pair">{"".join(parts)}</div>')
    return f'<div class="linked"><p>{" ".join(heads)}</p>{"".join(drawn)}</div>'


def rows(sizes: tuple[int, int], links: Sequence[tuple[int, int]]) -> Iterator[tuple[range, range]]:
    """Divide both sides into the shortest ranges that have no links to others."""
    linked = [{link[side] for link in links} for side in (0, 1)]
    i = j = 0
    while i < sizes[0] or j < sizes[1]:
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
        yield range(i, ends[0]), range(j, ends[1])
        i, j = ends


def _items(alignment: Alignment) -> tuple[list[str], list[str]]:
    """Write each sentence with its number and label."""
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
    """Cut spans to a range of the text on one side."""
    pieces, at = [], 0
    for span in spans:
        text = (span.old, span.new)[side]
        piece = text[max(start - at, 0) : max(end - at, 0)]
        pieces.append(Span(span.kind, *((piece, "") if side == 0 else ("", piece))))
        at += len(text)
    return pieces
