"""Repair of outputs where that is certain: what models leave in them, and lines that are shifted.

>>> clean_text("Sure! Here is a simpler version: The cat sat.", "The feline was seated.")
('The cat sat.', ['preamble'])
"""

import re
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from textsimp.corpora.artefacts import (
    ARTEFACTS,
    ENCLOSING,
    END,
    SIMPLER,
    SURE,
    TEXT,
    THOUGHT,
    find,
    find_wrapping,
)
from textsimp.corpora.checked_texts import SOURCES, TextColumns, Words
from textsimp.corpora.column_checks import find_affixes, find_distinctive, kinds_of
from textsimp.corpora.findings import Finding
from textsimp.corpora.source_lines import SourceLines

_PAIRED = ("reasoning", "fences")  # kinds that are removed with what is between them
_CLEANERS = {
    "reasoning": rf"\s*(?:(?:<({THOUGHT})>.*?</\1>\s*)+|[^<]*</{THOUGHT}>\s*)(?P<text>.+)",
    "code fence": r"\s*```(?:[\w-]{0,12}[ \t]*\n|(?!(?:te?xt|plain|markdown|md|json|html|xml)\b))"
    r"(?P<text>(?:(?!```).)+?)\s*```\s*",
    "preamble": rf"\W{{0,4}}(?:(?:{SURE}\W{{1,3}})?here(?:['’]s| is)\b[^.:\n]{{0,80}}"
    rf"\b{SIMPLER}\b[^.:\n]{{0,60}}"
    rf"|(?:the )?(?:simplified|simplification|simpler|simple|rewritten)(?: {TEXT}){{0,2}})"
    r"\s?[*_]{0,2}:[*_]{0,2}\s*(?P<text>.+)",
}
_FLAGS = re.IGNORECASE | re.DOTALL
_MIN_PREAMBLES = 3  # outputs with the same, by more than chance
_UNSURE = ("reasoning", "refusals", "echo", "candidates", "fences", "markup")
_QUOTES = re.compile(r"[\"“”„«»`]|''")


@dataclass(frozen=True)
class Cleaned:
    """The cleaned outputs of a system.

    Attributes:
        texts: The outputs, cleaned.
        changes: A dict of each changed output: ``example``, ``removed``, ``before``, ``after``.
        left: Kind → numbers of the examples with an artefact that was left alone.
    """

    texts: list[str]
    changes: list[dict[str, Any]]
    left: dict[str, list[int]]


def clean(
    sources: Sequence[str],
    outputs: Sequence[str],
    *,
    join_lines: bool = False,
    findings: Sequence[Finding] = (),
    references: Sequence[Sequence[str]] | None = None,
) -> Cleaned:
    """Remove what language models leave in outputs, where that is certain.

    Args:
        sources: n texts.
        outputs: A system's outputs. Reasoning, code fences, preambles, closing notes and offers on
            a line of their own, and quotation marks are removed that the source lacks. So is what
            nearly all outputs begin or end with, if sources and references don't.
        join_lines: Put the lines of an output into one, as a text file has them.
        findings: Findings on the outputs; what remains of their kinds is in ``left``.
        references: One or more for each.
    """
    gold = [*sources], [[*row] for row in references or ()]
    shorter = _remove_affixes(*gold, [*outputs])
    cleaned = _clean_all([text for text, _ in shorter], sources)
    again = _remove_affixes(*gold, [text for text, _ in cleaned])
    changes, texts = [], list[str]()
    for number, (text, *steps) in enumerate(zip(outputs, shorter, cleaned, again, strict=True), 1):
        after, removed = steps[-1][0], [*dict.fromkeys(chain(*(kinds for _, kinds in steps)))]
        if join_lines and "\n" in after:
            after, removed = re.sub(r"\s*\n\s*", " ", after), [*removed, "line breaks"]
        texts.append(after)
        if removed:
            changes.append({"example": number, "removed": removed, "before": text, "after": after})
    told = {finding.kind for finding in findings}
    kinds = [kind for kind, artefact in ARTEFACTS.items() if not artefact.prose or kind in told]
    left = find(texts, sources, partial(Words({"": texts}).rows_with, ""), kinds)
    return Cleaned(texts, changes, {k: [i + 1 for i in rows] for k, rows in left.items() if rows})


def _remove_affixes(
    sources: list[str], references: list[list[str]], outputs: list[str]
) -> list[tuple[str, list[str]]]:
    """Remove what nearly all outputs begin or end with; return each output and what it lost."""
    texts = TextColumns(sources, references, {"": outputs})
    affixes = {
        verb: affix
        for verb, affix in find_affixes(outputs).items()
        if (rows := find_distinctive(texts, texts.columns[-1], affix.search))
        and not {*kinds_of(next(iter(rows.values()))[0])} & {*_PAIRED}
    }
    cleaned = []
    for text in outputs:
        removed = []
        for verb, affix in affixes.items():
            rest = affix.sub("", text, count=1)
            if rest != text and re.search(r"\w", rest):
                text = rest
                removed.append("beginning" if verb == "begin" else "end")
        cleaned.append((text, removed))
    return cleaned


def _clean_all(texts: Sequence[str], sources: Sequence[str]) -> list[tuple[str, list[str]]]:
    """Clean each text; a preamble that several texts have is removed from all of them."""
    cleaned = [clean_text(text, source) for text, source in zip(texts, sources, strict=True)]
    preambles = Counter(
        text.partition(rest)[0].strip()
        for text, (rest, removed) in zip(texts, cleaned, strict=True)
        if removed == ["preamble"]
    )
    usual = {preamble for preamble, number in preambles.items() if number >= _MIN_PREAMBLES}
    return [clean_text(text, source, usual) for text, source in zip(texts, sources, strict=True)]


def clean_text(text: str, source: str, preambles: Collection[str] = ()) -> tuple[str, list[str]]:
    """Remove reasoning, fences, preambles, closing lines and quotation marks that the source lacks.

    Return the kinds of what was removed, too. A doubtful or empty rest leaves the text as it is.
    The ``preambles`` are removed even if the source has their words.
    """
    removed: list[str] = []
    rest = text
    while (step := _step(rest, source, removed, preambles)) is not None:
        what, rest = step
        removed.append(what)
    doubtful = any(ARTEFACTS[kind].find(rest, source) for kind in _UNSURE)
    if not removed or doubtful or not re.search(r"\w", rest):
        return text, []
    return rest, removed


def _step(
    text: str, source: str, removed: Sequence[str], preambles: Collection[str]
) -> tuple[str, str] | None:
    """Return the kind of the outermost thing to remove, and the text without it."""
    for what, rule in _CLEANERS.items():
        match = re.fullmatch(rule, text, _FLAGS)
        if match is None or what in removed or re.fullmatch(rule, source, _FLAGS):
            continue
        before = text[: match.start("text")].strip()
        words = {*re.findall(r"\w{5,}", before.lower())}
        said = words & {*re.findall(r"\w{5,}", source.lower())}
        doubtful = what == "preamble" and said and before not in preambles
        if match["text"].strip() and not doubtful:
            return what, match["text"].strip()
    before, _, last = text.rstrip().rpartition("\n")
    for kind, what in (("notes", "note"), ("offers", "offer")):
        hit = ARTEFACTS[kind].find(last, source)
        first = hit and not re.search(r"\w\w|[\"“‘']", last[: last.index(hit)] + hit[0])
        if first and what not in removed and END.match(before):
            return what, before.rstrip()
    opening, inside, closing = text.strip()[:1], text.strip()[1:-1], text.strip()[-1:]
    closed = closing in ENCLOSING.get(opening, ()) and END.match(inside)
    if closed and find_wrapping(text, source) and not _QUOTES.search(source):
        return "quotation marks", inside.strip()
    return None


def realign(sources: Sequence[str], outputs: Sequence[str]) -> list[str]:
    """Move outputs that stand lines away from their sources there; other places become empty.

    >>> sources = [f"number {word} came" for word in ("one", "two", "three", "four", "five")]
    >>> realign(sources, [*sources[1:], "it rained"])[1:]
    ['number two came', 'number three came', 'number four came', 'number five came']
    """
    words = Words({SOURCES: sources, "outputs": outputs}).distinct
    stretches = SourceLines(words[SOURCES]).match(words["outputs"]).stretches
    moved = [*outputs]
    for start, stop, _ in stretches:
        moved[start:stop] = [""] * (stop - start)
    for start, stop, offset in stretches:
        for i in range(max(start, -offset), min(stop, len(outputs) - offset)):
            moved[i + offset] = outputs[i]
    return moved
