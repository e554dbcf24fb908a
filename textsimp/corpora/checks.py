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
from itertools import chain, product
from statistics import fmean
from typing import Any

from textsimp.core import columns
from textsimp.core.examples import column_label
from textsimp.corpora.artefacts import ARTEFACTS
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
    COLUMN_TITLE,
    GRAVITIES,
    MAJORITY,
    MIN_TEXTS,
    REFERENCES,
    SOURCES,
    Gravity,
    TextColumns,
    Words,
    bare,
    count,
    join,
    percent,
    quote,
)
from textsimp.corpora.findings import Finding as Finding
from textsimp.corpora.findings import summary as summary
from textsimp.corpora.findings import table as table
from textsimp.corpora.row_ids import Missing, join_columns
from textsimp.corpora.source_lines import check_lines
from textsimp.support.errors import InputError, shown
from textsimp.text.languages import is_english

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
    for name, outputs in texts.bare_outputs.items():
        if lines := [i for i, text in enumerate(outputs) if not text]:
            text = f"{name}: {count(len(lines), 'output', 'is', 'are')} empty"
            yield Finding.of("empty", "problem", text, (name,), lines)
    if lines := [i for i, text in enumerate(texts.bare) if not text]:
        text = f"{count(len(lines), 'source', 'is', 'are')} empty"
        yield Finding.of("empty", "problem", text, (), lines)
    if lines := [i for i, row in enumerate(texts.references) if not all(map(str.strip, row))]:
        text = f"{count(len(lines), 'example', 'has', 'have')} an empty reference, which counts"
        yield Finding.of("empty", "problem", text, (), lines)


def _copies(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    for column in texts.columns[1:]:
        pairs = enumerate(zip(texts.bare, map(bare, column.texts), strict=True))
        same = [i for i, (source, text) in pairs if text and text == source]
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
        pairs = zip(texts.sources, outputs, strict=True)
        sizes = [(len(source.strip()), len(output.strip())) for source, output in pairs]
        long = {
            i for i, (a, b) in enumerate(sizes) if b > max(_LONG_RATIO * a, _LONG_CHARACTERS + a)
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
        of: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(outputs):
            if text.strip() and i not in texts.unsound[name]:
                of[text].append(i)
        for text, lines in of.items():
            if len({texts.sources[i] for i in lines}) < max(3, ARTEFACT_SHARE * n):
                continue
            sentence = f"{name} has one output for {len(lines):,} examples, {quote(text)}"
            gravity: Gravity = "problem" if len(lines) > _PROBLEM_SHARE * n else "note"
            yield Finding.of("duplicates", gravity, sentence, (name,), lines)


def _phrases(texts: TextColumns) -> Iterator[Finding]:
    """Find phrases that occur in many outputs, but in no source or reference."""
    fixed = [*chain(*texts.split[SOURCES], *texts.split[REFERENCES])]
    if fmean(map(len, fixed)) > _MAX_PHRASE_TEXTS:  # texts of several sentences share phrases
        return
    for name, outputs in texts.systems.items():
        rows = sorted({*texts.changed[name]} - texts.unsound[name])
        runs = {i: {*_runs(texts.split[name][i][0])} for i in rows}
        numbers = Counter(chain.from_iterable(runs.values()))
        least = max(_MIN_PHRASES, ARTEFACT_SHARE * len(outputs))
        phrases = {run for run, number in numbers.items() if number >= least}
        firsts = {run[0] for run in phrases}
        for own in fixed if phrases else ():
            if not firsts.isdisjoint(own):
                phrases.difference_update(_runs(own))
        lines = [i for i in rows if not phrases.isdisjoint(runs[i])]
        if len({texts.sources[i] for i in lines}) >= _MIN_PHRASES:
            most = max(numbers[run] for run in phrases)
            such = " ".join(min(run for run in phrases if numbers[run] == most))
            text = f"{name}: {len(lines):,} outputs have words that neither sources nor references "
            gravity: Gravity = "problem" if texts.english else "note"
            yield Finding.of("phrases", gravity, f"{text}have, “{such}”", (name,), lines)


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + _PHRASE]) for i in range(len(words) - _PHRASE + 1)]


# Two columns --------------------------------------------------------------------------------------


def _identical(texts: TextColumns) -> Iterator[Finding]:
    n = len(texts.sources)
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, outputs in texts.bare_outputs.items():
        groups[tuple(outputs)].append(name)
    for names in groups.values():
        if len(names) > 1 and n >= MIN_TEXTS:
            exact = len({tuple(texts.systems[name]) for name in names}) == 1
            but = "" if exact else " but for case and spaces"
            text = f"{join(names)} have the same outputs{but}"
            yield Finding("identical", "problem", text, tuple(names))


def _leaks(texts: TextColumns) -> Iterator[Finding]:
    rows = [[*map(bare, row)] for row in texts.references]
    for name, outputs in texts.bare_outputs.items() if rows else ():
        changed = texts.changed[name]
        same = [i for i in changed if outputs[i] in rows[i]]
        if len(same) < max(_MIN_EQUAL, _MIN_LEAKS * len(changed)):
            continue
        numbers = Counter(j for i in same for j, text in enumerate(rows[i]) if text == outputs[i])
        number, of_it = numbers.most_common(1)[0]
        most = max(map(len, rows)) > 1 and of_it >= _MOST * len(same)
        which = texts.columns[1 + number].title if most else "a reference"
        share = percent(len(same), len(changed))
        text = f"{name} equals {which} in {share} of the outputs that change the source"
        yield Finding.of("leaks", "error", f"{text}: were references leaked?", (name,), same)


def _swapped(texts: TextColumns) -> Iterator[Finding]:
    """Find columns that look like the sources: longer than these, and similar to both others."""
    sources, references = texts.words[SOURCES], texts.words[REFERENCES]
    excess = {"references": _excess(references, sources)}
    least = 0 if references else _MIN_EXCESS
    for name in texts.systems if len(sources) >= MIN_TEXTS else ():
        outputs = texts.words[name]
        excess["outputs"] = _excess(outputs, sources)
        if max(excess.values()) <= least:
            continue
        likeness = {"references": _likeness(sources, outputs), "outputs": MAJORITY}  # of others
        if references:
            likeness["outputs"] = _likeness(sources, references)
            likeness["sources"] = _likeness(outputs, references)
        middle = min(likeness, key=likeness.__getitem__)
        if excess.get(middle, 0) > least:
            text = f"{name}: the {middle} are mostly longer than the sources: are columns swapped?"
            yield Finding("swapped", "error" if references else "note", text, (name,))


def _excess(rows: Words, sources: Words) -> float:
    """Return the share of texts with more words than their source, minus the share with fewer."""
    more = [len(b) - len(a) for (a,), row in zip(sources, rows, strict=False) for b in row]
    return (sum(n > 0 for n in more) - sum(n < 0 for n in more)) / max(1, len(more))


def _likeness(first: Words, second: Words) -> float:
    """Return the mean share of words that two texts of a row have in common."""
    rows = zip(first, second, strict=True)
    return fmean(len(a & b) / len(a | b) for row in rows for a, b in product(*row) if a or b)


_CHECKS = (
    *(
        _empty,
        _swapped,
        check_lines,
        _identical,
        _leaks,
        check_columns,
        check_characters,
        check_languages,
        check_artefacts,
        _phrases,
    ),
    *(check_styles, _copies, _lengths, _duplicates),
)
