"""Marked edits between two texts, for pages and reports.

Case is ignored, and punctuation is split off words, except within numbers. Among the paths with the
fewest edits, the one with the fewest insertions is marked. Marks show what changed; metrics such as
``edit_ops`` count edits by other conventions.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from importlib import resources
from itertools import groupby, zip_longest
from typing import Literal

from textsimp.text.alignment import KEEP, operations

__all__ = ["mark", "sides", "style"]

_APART = r""".,;:!?…()\[\]"“”„«»¿¡—、。，！？；：「」『』（）"""
_WORD = re.compile(rf"\s*(?:[{_APART}]|[^\s{_APART}]+(?:(?<=\d)[.,:](?=\d)[^\s{_APART}]+)*)")
_STYLES = ("shared.css", "sentence_links.css")

LEGEND = (
    "<del><s>deleted</s></del> <ins>inserted</ins> "
    '<span><del class="r"><s>replaced</s></del> <ins class="r">by this</ins></span>'
)
"""The marks of `html`, explained."""


def style() -> str:
    """Return the style sheets of marked edits and of linked sentences."""
    files = [resources.files(__package__).joinpath(name) for name in _STYLES]
    return "".join(file.read_text(encoding="utf-8") for file in files)


@dataclass(frozen=True)
class Span:
    """A stretch of text that was kept or changed. White space belongs to the word after it."""

    kind: Literal["keep", "insert", "delete", "replace"]  # kept words may differ in case
    old: str  # the source's text; empty for insertions
    new: str  # the target's text; empty for deletions


def mark(sources: Sequence[str], targets: Sequence[str]) -> list[list[Span]]:
    """Mark the edits that turn each source into its target.

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
        ([word.lstrip().casefold() for word in old] for old, _ in pairs),
        ([word.lstrip().casefold() for word in new] for _, new in pairs),
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


def mark_html(sources: Sequence[str], targets: Sequence[str]) -> list[str]:
    """Return the HTML of each target with its edits, see `mark` and `html`.

    >>> mark_html(["The feline sat."], ["The cat sat."])
    ['The<del class="r"> <s>feline</s></del> <ins class="r">cat</ins> sat.']
    """
    return [html(spans) for spans in mark(sources, targets)]


def html(spans: Sequence[Span]) -> str:
    """Write spans as HTML: the target, with ``del`` and ``ins``, of class ``r`` if replaced."""
    parts = []
    for span, following in zip_longest(spans, spans[1:]):
        if span.kind == "keep":
            parts.append(escape(span.new))
            continue
        kind = ' class="r"' if span.kind == "replace" else ""
        (before, old), (space, new) = _split_space(span.old), _split_space(span.new)
        if old:
            after = _space_after(span, following)
            parts.append(f"<del{kind}>{before}<s>{escape(old)}</s>{after}</del>")
        if new:
            parts.append(f"{space}<ins{kind}>{escape(new)}</ins>")
    return "".join(parts)


def sides(spans: Sequence[Span]) -> tuple[str, str]:
    """Write source and target as HTML side by side, with the elements of `html`.

    >>> sides(mark(["The feline sat."], ["The cat sat."])[0])
    ('The <del class="r">feline</del> sat.', 'The <ins class="r">cat</ins> sat.')
    """
    source: list[str] = []
    target: list[str] = []
    for span in spans:
        kind = ' class="r"' if span.kind == "replace" else ""
        for parts, text, tag in ((source, span.old, "del"), (target, span.new, "ins")):
            space, words = _split_space(text)
            if span.kind == "keep" or not words:
                parts.append(escape(text))
            else:
                parts.append(f"{space}<{tag}{kind}>{escape(words)}</{tag}>")
    return "".join(source), "".join(target)


def _split_space(text: str) -> tuple[str, str]:
    """Split off white space at the start."""
    bare = text.lstrip()
    return text[: len(text) - len(bare)], bare


def _space_after(deleted: Span, following: Span | None) -> str:
    """Return a space after deleted words if the following text has none before it."""
    if deleted.kind == "replace":
        return "" if _split_space(deleted.new)[0] else " "
    if following is None or _split_space(following.new)[0]:
        return ""
    return _split_space(following.old)[0]


def _spans(
    source: Sequence[str], target: Sequence[str], edits: list[tuple[bool, int | None, int | None]]
) -> list[Span]:
    spans = []
    for kept, group in groupby(edits, key=lambda edit: edit[0]):
        run = list(group)
        old = "".join(source[i] for _, i, _ in run if i is not None)
        new = "".join(target[j] for _, _, j in run if j is not None)
        changed: Literal["insert", "delete", "replace"]
        changed = "insert" if not old else "delete" if not new else "replace"
        spans.append(Span("keep" if kept else changed, old, new))
    return spans
