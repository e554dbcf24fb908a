"""Data checks: find faults of texts before scores are computed.

    >>> from textsimp import checks
    >>> sources = ["A feline sat there.", "It rained a lot.", "They went home."]
    >>> for finding in checks.find(sources, None, {"ours": ["A cat sat there.", "", "They left."]}):
    ...     print(finding)
    problem: ours: 1 output is empty (example 2)

A system with an *error* can't be ranked, since its outputs aren't simplifications of these sources.
A *problem* makes scores wrong; a *note* is worth knowing. Every check takes time that is linear in
the number of examples.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from math import fsum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core import columns
from textsimp.core.examples import column_label
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.checked_texts import (
    COLUMN_TITLE,
    REFERENCES,
    SOURCES,
    Ints,
    TextColumns,
    count_common,
    distinct,
)
from textsimp.corpora.cleaning import Cleaned as Cleaned
from textsimp.corpora.cleaning import clean as clean
from textsimp.corpora.column_checks import (
    OF_ENGLISH,
    check_artefacts,
    check_characters,
    check_columns,
    check_languages,
    check_styles,
)
from textsimp.corpora.findings import (
    ARTEFACT_SHARE,
    GRAVITIES,
    MAJORITY,
    MIN_TEXTS,
    Gravity,
    count,
    join,
    percent,
    quote,
)
from textsimp.corpora.findings import Finding as Finding
from textsimp.corpora.findings import join_blocks as join_blocks
from textsimp.corpora.findings import summary as summary
from textsimp.corpora.findings import table as table
from textsimp.corpora.row_ids import Missing, join_columns
from textsimp.corpora.source_lines import MAX_OFFSETS, Misplaced, SourceLines
from textsimp.support.errors import InputError, shown
from textsimp.text.languages import is_english
from textsimp.text.tokenizers import Tokens

__all__ = ["WHAT", "run"]

SOUND = {  # kinds after which an output still is one
    *("copies", "identical", "leaks", "tokenised", "contractions", "brackets", "quotes", "case"),
    *("entities", "mojibake", "pieces", "escapes", "bold", "headings", "bullets", "numbering"),
    *("separators", "anonymised", "characters", "wrapped", "cut", "tabs", "affixes"),
}
WHAT = {kind: artefact.what for kind, artefact in ARTEFACTS.items()} | {
    "empty": "an empty output",
    "shifted": "rows that are shifted",
    "misplaced": "rows in another order",
    "phrases": "words that are in many outputs",
    "language": "another language",
    "lengths": "outputs far longer than the source",
    "duplicates": "one output for many sources",
}
"""Kind of unsound outputs, and other artefacts → what they have."""
_MIN_EQUAL = 10  # outputs that are equal by more than chance
_MIN_COPIES = 1 / 3  # share of outputs that are the source
_MIN_LEAKS = 0.3  # share of outputs that are a reference; 0.09 of real systems' outputs are
_MOST = 0.9
_MIN_EXCESS = 0.3  # without references, of outputs that are longer than their source
_LONG_RATIO, _LONG_CHARACTERS = 3, 200  # an output is longer by both
_PHRASE, _MIN_PHRASES, _MAX_PHRASE_TEXTS = 5, 4, 40  # words; outputs; mean words of a text
_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE = 3, 0.01  # rows; real systems have at most 2 of 300
_PROBLEM_SHARE = 0.05  # share of outputs from which a fault is a problem rather than a note


def find(
    sources: Any,
    references: Any,
    systems: Mapping[str, Any],
    *,
    ids: Any = None,
    missing: Missing = "error",
) -> list[Finding]:
    """Check texts before they are scored.

    Args:
        sources: n texts.
        references: One or more for each, or None.
        systems: Name → n outputs; with ``ids`` also name → column → rows.
        ids: An id of each source. Systems that have a column ``ids``, too, are joined by it.
        missing: Of ids that a system lacks: ``"error"``; ``"empty"`` outputs; ``"skip"`` rows.

    Returns:
        The findings, errors first and notes last.
    """
    if not isinstance(systems, Mapping):
        raise InputError(f"systems: expected name → outputs, got {shown(systems)}")
    if systems:
        columns.texts([*systems], "names of systems")
    if ids is not None:
        gold = {"sources": sources, "references": references}
        joined, texts = join_columns(systems, gold, ids, missing)
        systems = {name: own.get("predictions") for name, own in joined.items()}
        sources, references = texts["sources"], texts["references"]
    sources = columns.texts(sources, "sources")
    references = None if references is None else columns.references(references)
    titles = {name: column_label("predictions", name) for name in systems}
    outputs = {name: columns.texts(systems[name], title) for name, title in titles.items()}
    lengths = {title: outputs[name] for name, title in titles.items()}
    columns.check_lengths(sources=sources, **lengths, references=references)
    return run(sources, references, outputs)


def run(
    sources: list[str],
    references: list[list[str]] | None,
    systems: Mapping[str, list[str]],
    reference_files: Sequence[str] = (),
) -> list[Finding]:
    """Find the faults of columns that were checked; ``reference_files`` name the references."""
    titles = {f"system {name}" if COLUMN_TITLE.match(name) else name: name for name in systems}
    outputs = {title: systems[name] for title, name in titles.items()}
    texts = TextColumns(sources, references, outputs, reference_files)
    findings = []
    sound = sound_kinds(sources)
    for finding in chain.from_iterable(check(texts) for check in _CHECKS):
        findings.append(replace(finding.rename(titles), text=finding.text))
        for title, rows in finding.rows.items() if finding.kind not in sound else ():
            texts.unsound[title] |= {i - 1 for i in rows}
    return sorted(findings, key=lambda finding: GRAVITIES.index(finding.gravity))


def sound_kinds(sources: Sequence[str]) -> set[str]:
    """Return the kinds of findings after which an output can still be scored.

    Outside English there are more, as some checks know English words only.
    """
    return SOUND if is_english(sources) else SOUND | {*OF_ENGLISH}


# One column ---------------------------------------------------------------------------------------


def _empty(texts: TextColumns) -> Iterator[Finding]:
    for name, column in texts.outputs.items():
        if lines := np.flatnonzero(column.hashes == 0).tolist():
            text = f"{name}: {count(len(lines), 'output', 'is', 'are')} empty"
            yield Finding.of("empty", "problem", text, (name,), lines)
    if lines := np.flatnonzero(texts.columns[0].hashes == 0).tolist():
        text = f"{count(len(lines), 'source', 'is', 'are')} empty"
        yield Finding.of("empty", "problem", text, (), lines)
    if lines := [i for i, row in enumerate(texts.references) if not all(map(str.strip, row))]:
        text = f"{count(len(lines), 'example', 'has', 'have')} an empty reference, which counts"
        yield Finding.of("empty", "problem", text, (), lines)


def _copies(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    for column in texts.columns[1:]:
        hashes = column.hashes
        same = np.flatnonzero((hashes != 0) & (hashes == texts.columns[0].hashes)).tolist()
        of_gold = column.of == "references"
        if len(same) < max(MIN_TEXTS, (_MOST if of_gold else _MIN_COPIES) * n):
            continue
        gravity: Gravity = "problem" if of_gold else "note"
        text = f"{column.title}: {percent(len(same), n)} of the outputs are the source, unchanged"
        if of_gold:
            text = f"{column.title} is the source in {len(same):,} of {n:,} rows"
            text += ", so that BLEU of copying it is 100; leave it out"
        elif len(same) == n:
            text = f"{column.title} is the sources, unchanged but for case and spaces at most"
        yield Finding.of("copies", gravity, text, column.systems, same)


def _lengths(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    for name, outputs in texts.systems.items():
        long = {
            i
            for i, (source, text) in enumerate(zip(texts.sources, outputs, strict=True))
            if len(text) > _LONG_CHARACTERS
            and len(text.strip()) - len(source.strip())
            > max(_LONG_CHARACTERS, (_LONG_RATIO - 1) * len(source.strip()))
        }
        lines = sorted(long - texts.unsound[name])
        if lines:
            gravity: Gravity = "problem" if len(lines) > _PROBLEM_SHARE * n else "note"
            text = (
                f"{name}: {count(len(lines), 'output', 'is', 'are')} more than {_LONG_RATIO} times"
            )
            yield Finding.of("lengths", gravity, f"{text} as long as the source", (name,), lines)


def _duplicates(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    first: dict[str, int] = {}
    repeated = [i for i, text in enumerate(texts.sources) if first.setdefault(text, i) != i]
    if repeated:
        text = f"{count(len(repeated), 'source', 'repeats', 'repeat')} an earlier one"
        yield Finding.of("duplicates", "note", text, (), repeated)
    for name, outputs in texts.systems.items():
        unsound, least = texts.unsound[name], max(3, ARTEFACT_SHARE * n)
        rows = (i for i, text in enumerate(outputs) if text.strip() and i not in unsound)
        times = Counter(outputs[i] for i in rows)
        for text in [text for text, number in times.items() if number >= least]:
            lines = [i for i, other in enumerate(outputs) if other == text and i not in unsound]
            if len({texts.sources[i] for i in lines}) < least:
                continue
            sentence = f"{name} has one output for {len(lines):,} examples, {quote(text)}"
            gravity: Gravity = "problem" if len(lines) > _PROBLEM_SHARE * n else "note"
            yield Finding.of("duplicates", gravity, sentence, (name,), lines)


def _phrases(texts: TextColumns) -> Iterator[Finding]:
    """Find phrases that occur in many outputs, but in no source or reference."""
    words, names = texts.words, (SOURCES, REFERENCES)
    vars(words).pop("distinct", None)  # which no check after this needs
    number = sum(len(texts.flat[name]) for name in names)
    if sum(len(words.ordered(name).ids) for name in names) > _MAX_PHRASE_TEXTS * number:
        return  # texts of several sentences share phrases
    for name, outputs in texts.systems.items():
        sound = texts.changed(name)
        sound[[*texts.unsound[name]]] = False
        rows = np.flatnonzero(sound)
        own = words.ordered(name).take(rows)
        least = max(_MIN_PHRASES, ARTEFACT_SHARE * len(outputs))
        starts, numbers = _frequent_runs(own, least)
        phrases = dict(zip(_runs(own, starts), numbers, strict=True))
        for column in map(words.ordered, names if phrases else ()):
            firsts = np.isin(column.ids, [run[0] for run in phrases])
            for run in {*_runs(column, np.flatnonzero(firsts & _begin_runs(column)))}:
                phrases.pop(run, None)
        at = [run in phrases for run in _runs(own, starts)]
        of_starts = np.searchsorted(own.offsets, starts[at], "right") - 1
        lines = rows[np.unique(of_starts)].tolist()
        if len({texts.sources[i] for i in lines}) >= _MIN_PHRASES:
            most = max(phrases.values())
            such = min(
                [words.vocabulary[i] for i in run] for run in phrases if phrases[run] == most
            )
            text = f"{name}: {len(lines):,} outputs have words that neither sources nor references "
            gravity: Gravity = "problem" if texts.english else "note"
            text += f"have, “{' '.join(such)}”"
            yield Finding.of("phrases", gravity, text, (name,), lines)


def _frequent_runs(texts: Tokens, least: float) -> tuple[Ints, list[int]]:
    """Return where runs of words begin that enough texts have, and how many texts have each.

    A run is frequent only if the shorter one that it begins with is.
    """
    often = (np.bincount(texts.ids, minlength=1) >= least)[texts.ids]
    starts = np.flatnonzero(often & _begin_runs(texts))
    runs, most = texts.ids[starts].astype(np.int64), texts.ids.max(initial=0) + 1
    for k in range(1, _PHRASE):
        _, runs = np.unique(runs * most + texts.ids[starts + k], return_inverse=True)
        often = np.bincount(runs)[runs] >= least
        starts, runs = starts[often], runs[often]
    different = runs.max(initial=0) + 1
    rows = np.searchsorted(texts.offsets, starts, "right") - 1
    once = distinct(rows * different + runs) % different  # in each text
    numbers = np.bincount(once, minlength=different)[runs]
    return starts[numbers >= least], numbers[numbers >= least].tolist()


def _begin_runs(texts: Tokens) -> NDArray[np.bool_]:
    """Return whether a run of words begins at each word."""
    begin = np.ones(len(texts.ids), np.bool_)
    for k in range(1, _PHRASE):  # the last words of a text begin none
        begin[np.maximum(texts.offsets[1:] - k, texts.offsets[:-1])[np.diff(texts.offsets) > 0]] = 0
    return begin


def _runs(texts: Tokens, starts: Ints) -> list[tuple[int, ...]]:
    """Return the runs of words that begin at some words."""
    return [*zip(*(texts.ids[starts + k].tolist() for k in range(_PHRASE)), strict=True)]


# Two columns --------------------------------------------------------------------------------------


def _identical(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    groups: defaultdict[bytes, list[str]] = defaultdict(list)
    for name, column in texts.outputs.items():
        groups[column.hashes.tobytes()].append(name)
    for names in groups.values():
        if len(names) > 1 and n >= MIN_TEXTS:
            exact = len({tuple(texts.systems[name]) for name in names}) == 1
            but = "" if exact else " but for case and spaces"
            text = f"{join(names)} have the same outputs{but}"
            yield Finding("identical", "problem", text, tuple(names))


def _leaks(texts: TextColumns) -> Iterator[Finding]:
    references = [column for column in texts.columns if column.of == "references"]
    for name, column in texts.outputs.items() if references else ():
        changed = texts.changed(name)
        equal = [np.flatnonzero(changed & (column.hashes == r.hashes)).tolist() for r in references]
        same, n = sorted({*chain(*equal)}), int(changed.sum())
        if len(same) < max(_MIN_EQUAL, _MIN_LEAKS * n):
            continue
        number = min(range(len(equal)), key=lambda j: (-len(equal[j]), equal[j][:1]))
        most = len(equal) > 1 and len(equal[number]) >= _MOST * len(same)
        which = texts.columns[1 + number].title if most else "a reference"
        text = f"{name} equals {which} in {percent(len(same), n)} of the outputs that change the "
        text += "source"
        yield Finding.of("leaks", "error", f"{text}: were references leaked?", (name,), same)


def _swapped(texts: TextColumns) -> Iterator[Finding]:
    """Find columns that look like the sources: longer than these, and similar to both others."""
    sources, references = (texts.words.distinct[name] for name in (SOURCES, REFERENCES))
    of_rows, of_references = np.arange(len(sources)), texts.reference_rows
    excess = {"references": _excess(references, sources, of_references)}
    least = 0 if len(references) else _MIN_EXCESS
    for name in texts.systems if len(sources) >= MIN_TEXTS else ():
        outputs = texts.words.distinct[name]
        excess["outputs"] = _excess(outputs, sources, of_rows)
        if max(excess.values()) <= least:
            continue
        # of the others
        likeness = {"references": _likeness(outputs, sources, of_rows), "outputs": MAJORITY}
        if len(references):
            likeness["outputs"] = _likeness(references, sources, of_references)
            likeness["sources"] = _likeness(references, outputs, of_references)
        middle = min(likeness, key=likeness.__getitem__)
        if excess.get(middle, 0) > least:
            text = f"{name}: the {middle} are mostly longer than the sources: are columns swapped?"
            yield Finding("swapped", "error" if len(references) else "note", text, (name,))


def _excess(texts: Tokens, sources: Tokens, rows: Ints) -> float:
    """Return the share of texts with more words than their source, minus the share with fewer."""
    more = np.diff(texts.offsets) - np.diff(sources.offsets)[rows]
    return int((more > 0).sum() - (more < 0).sum()) / max(1, len(more))


def _likeness(texts: Tokens, others: Tokens, rows: Ints) -> float:
    """Return the mean share of words that texts, and the others of their rows, have in common."""
    others = others.take(rows)
    common = count_common(texts, others)
    union = np.diff(texts.offsets) + np.diff(others.offsets) - common
    return fsum(common[union > 0] / union[union > 0]) / max(1, int((union > 0).sum()))


def _lines(texts: TextColumns) -> Iterator[Finding]:
    """Find columns whose lines are shifted, or match the sources of one another."""
    words = texts.words.distinct
    lines = SourceLines(words[SOURCES])
    matches: list[tuple[str, tuple[str, ...], str, Misplaced]] = [
        (name, (name,), "outputs", lines.match(words[name])) for name in texts.systems
    ]
    columns = [column for column in texts.columns if column.of == "references"]
    for column, own in zip(columns, texts.reference_words(), strict=True):
        matches.append((column.title, (), "texts", lines.match(own)))
    for name, systems, what, misplaced in matches:
        for start, stop, offset in misplaced.stretches:
            number = "one line" if abs(offset) == 1 else f"{abs(offset):,} lines"
            text = f"{name} seems shifted: its {what} match the sources {number} "
            text += "below their own" if offset > 0 else "above their own"
            if abs(offset) < MAX_OFFSETS:
                cause = "were missing" if offset > 0 else "too many stood"
                text += f", as if {number} {cause} before"
            yield Finding.of("shifted", "error", text, systems, range(start, stop))
    limit = max(_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE * len(texts.sources))
    for name, systems, what, misplaced in matches:
        if len(misplaced.exchanged) > limit and not misplaced.stretches:
            text = f"{name}: {len(misplaced.exchanged):,} {what} fit the sources of one another"
            text += " better than their own: are they in order?"
            yield Finding.of("misplaced", "error", text, systems, misplaced.exchanged)


_CHECKS = (
    *(_empty, _swapped, _lines, _identical, _leaks),
    *(check_columns, check_characters, check_languages, check_artefacts, _phrases),
    *(check_styles, _copies, _lengths, _duplicates),
)
