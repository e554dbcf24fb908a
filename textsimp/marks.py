"""What turned a text into another, marked for people to read: one convention for pages and report.

Words are compared without regard to case, and punctuation stands apart from them, but not within
numbers. Of all paths with the fewest edits the one with the fewest insertions is marked. Scores
have conventions of their own (see ``edit_ops``): marks show what changed, they don't count it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from typing import Literal

from textsimp.text.alignment import KEEP, operations

_APART = r""".,;:!?…()\[\]"“”„«»¿¡—、。，！？；：「」『』（）"""
_WORD = re.compile(rf"\s*(?:[{_APART}]|[^\s{_APART}]+(?:(?<=\d)[.,:](?=\d)[^\s{_APART}]+)*)")


@dataclass(frozen=True)
class Span:
    """A stretch of text that was kept, or in which something changed.

    The ``old`` of all spans are the source, the ``new`` the target, to the letter: white space
    belongs to the word that follows it.

    Attributes:
        kind: ``"keep"``, ``"insert"``, ``"delete"`` or ``"replace"``; kept words may differ in case.
        old: What the source has here; empty for insertions.
        new: What the target has here; empty for deletions.
    """

    kind: Literal["keep", "insert", "delete", "replace"]
    old: str
    new: str


def mark(sources: Sequence[str], targets: Sequence[str]) -> list[list[Span]]:
    """Mark what turned each source into its target.

    Args:
        sources: n texts.
        targets: As many.

    Returns:
        For each pair its spans, in the order of the texts. Between two that changed is one that was
        kept.

    >>> for span in mark(["The feline sat, briefly."], ["the cat sat."])[0]:
    ...     print(span.kind, (span.old, span.new))
    keep ('The', 'the')
    replace (' feline', ' cat')
    keep (' sat', ' sat')
    delete (', briefly', '')
    keep ('.', '.')
    """
    before, after = map(_WORD.findall, sources), map(_WORD.findall, targets)
    pairs = list(zip(before, after, strict=True))
    paths = operations(
        ([_bare(word) for word in old] for old, _ in pairs),
        ([_bare(word) for word in new] for _, new in pairs),
        "shortest",
    )
    marked = []
    for (old, new), path, source, target in zip(pairs, paths, sources, targets, strict=True):
        # White space at the end is kept, as a last word would be.
        ends = source[len("".join(old)) :], target[len("".join(new)) :]
        edits = [(code == KEEP, i, j) for code, i, j in path]
        if any(ends):
            edits.append((True, len(old), len(new)))
        marked.append(_spans([*old, ends[0]], [*new, ends[1]], edits))
    return marked


def html(spans: Sequence[Span]) -> str:
    """Spans as HTML: what was deleted in ``del``, what is new in ``ins``, all text escaped.

    Both have the class ``r`` where one replaces the other. Without its ``del`` elements it is the
    target; so the white space before what was deleted is in them, around ``s``, which is to be
    struck through.

    >>> html(mark(["The feline sat."], ["The cat sat."])[0])
    'The<del class="r"> <s>feline</s></del> <ins class="r">cat</ins> sat.'
    """
    parts = []
    for span in spans:
        if span.kind == "keep":
            parts.append(escape(span.new))
            continue
        kind = ' class="r"' if span.kind == "replace" else ""
        for text, opening, closing in (
            (span.old, f"<del{kind}>{{}}<s>", "</s></del>"),
            (span.new, f"{{}}<ins{kind}>", "</ins>"),
        ):
            if text:
                bare = text.lstrip()
                space = text.removesuffix(bare)
                parts.append(f"{opening.format(space)}{escape(bare)}{closing}")
    return "".join(parts)


def _bare(word: str) -> str:
    return word.lstrip().casefold()


def _spans(
    source: Sequence[str], target: Sequence[str], edits: list[tuple[bool, int | None, int | None]]
) -> list[Span]:
    spans = []
    for kept, group in groupby(edits, key=lambda edit: edit[0]):
        found = list(group)
        old = "".join(source[i] for _, i, _ in found if i is not None)
        new = "".join(target[j] for _, _, j in found if j is not None)
        changed: Literal["insert", "delete", "replace"]
        changed = "insert" if not old else "delete" if not new else "replace"
        spans.append(Span("keep" if kept else changed, old, new))
    return spans
