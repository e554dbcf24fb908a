"""Data checks of columns: what the texts of one have, and those of the columns beside it don't.

In sources or references it changes the scores of all systems, so there it is an error.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from os.path import commonprefix
from typing import Any

from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.findings import MAJORITY, Finding, Gravity, TextColumn, Texts, join, quote

_NEARLY_ALL, _HARDLY_ANY = 0.8, 0.1  # shares of texts; of real columns that differ they reach 0.5
_MIN_TEXTS = 10  # that begin or end alike by more than chance
_NUMBER = r"\d+(?:[.,]\d+)*"
_STOPS = " .,;!?…。！？।॥؟۔"  # with which texts end
_PAIRED = ("reasoning", "fences")  # kinds that are removed with what is between them


def find_distinctive(
    texts: Texts, column: TextColumn, find: Callable[[str], Any], least: float = _NEARLY_ALL
) -> dict[int, Any]:
    """Return row → what is found there, if hardly any text beside the column has it, or {}."""
    hits = _find(column, find)
    share = _share(column, hits)
    if share <= least:
        return {}
    beside = [_share(other, _find(other, find)) for other in texts.beside(column)]
    # Outputs may have it from the sources.
    usual = min(beside, default=1) if column.of == "sources" else max(beside, default=1)
    return hits if usual <= _HARDLY_ANY * share else {}


def _find(column: TextColumn, find: Callable[[str], Any]) -> dict[int, Any]:
    return {i: hit for i, text in enumerate(column.texts) if text.strip() and (hit := find(text))}


def _share(column: TextColumn, rows: Mapping[int, Any]) -> float:
    """Return the share of rows, of those that aren't empty."""
    return len(rows) / max(1, sum(1 for text in column.texts if text.strip()))


def describe_distinctive(
    texts: Texts, column: TextColumn, rows: Mapping[int, Any], kind: str, what: str, fix: str
) -> Finding:
    """Say what texts of a column have, unlike those beside it."""
    gravity: Gravity = "problem"
    if column.of != "outputs" and _share(column, rows) > MAJORITY:
        gravity = "error"
    others = join([*dict.fromkeys(other.of for other in texts.beside(column))])
    text = f"{column.title}: {len(rows):,} of {len(column.texts):,} texts {what}, unlike {others}"
    return Finding.of(kind, gravity, f"{text}; {fix}", column.systems, rows)


def check_columns(texts: Texts) -> Iterator[Finding]:
    """Find tabs and words in nearly all texts of a column, which those beside it don't have."""
    for column in texts.each:
        tabs = find_distinctive(texts, column, lambda text: text.strip().count("\t"))
        if tabs:
            number = Counter(tabs.values()).most_common(1)[0][0]
            what = f"have {number} tab{'s' * (number > 1)}"
            yield describe_distinctive(
                texts, column, tabs, "tabs", what, "give one column of the table alone"
            )
        fix = "check --fix removes it" if column.of == "outputs" else "give them without it"
        for verb, affix in find_affixes(column.texts).items():
            rows = find_distinctive(texts, column, affix.search)
            words = next(iter(rows.values()))[0].strip() if rows else ""
            if words and words.isprintable() and not (column.of == "outputs" and _kinds(words)):
                what = f"{verb} with {quote(words)}"
                yield describe_distinctive(texts, column, rows, "affixes", what, fix)


def _kinds(words: str) -> list[str]:
    """Return the kinds of artefacts that words are, which `check_artefacts` tells of outputs."""
    return [kind for kind, artefact in ARTEFACTS.items() if artefact.find(f"{words} x", "")]


def find_affixes(texts: Sequence[str]) -> dict[str, re.Pattern[str]]:
    """Return "begin" and "end" → the words with which nearly all texts do, whatever the numbers."""
    same = {re.sub(_NUMBER, "0", text.strip()) for text in texts} - {""}
    if len(same) < _MIN_TEXTS:
        return {}
    start = _shared_beginning(same).strip()
    end = _shared_beginning({text[::-1] for text in same})[::-1].lstrip(_STOPS)
    patterns = {"begin": (r"\A\s*", start, r"\s*"), "end": (r"\s*", end, r"\s*\Z")}
    return {
        verb: re.compile(before + _NUMBER.join(map(re.escape, words.split("0"))) + after, re.I)
        for verb, (before, words, after) in patterns.items()
        if words.strip(_STOPS)
    }


def _shared_beginning(texts: set[str]) -> str:
    """Return the longest beginning of whole words that nearly all texts have."""
    ordered, number = sorted(texts), int(_NEARLY_ALL * len(texts))
    shared = max(map(commonprefix, zip(ordered, ordered[number:], strict=False)), key=len)
    return re.sub(r"[^\W\d]+$", "", shared)


def remove_affixes(
    sources: list[str], references: list[list[str]], outputs: list[str]
) -> list[tuple[str, list[str]]]:
    """Return each output without what nearly all begin or end with, and what was removed."""
    texts = Texts(sources, references, {"": outputs})
    affixes = {
        verb: affix
        for verb, affix in find_affixes(outputs).items()
        if (rows := find_distinctive(texts, texts.each[-1], affix.search))
        and not {*_kinds(next(iter(rows.values()))[0])} & {*_PAIRED}
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
