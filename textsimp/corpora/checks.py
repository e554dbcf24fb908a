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

import functools
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, combinations, product, zip_longest
from statistics import fmean
from typing import Any, Literal

from textsimp.core import columns
from textsimp.core.examples import column_label
from textsimp.core.tables import Grid, runs
from textsimp.corpora import artefacts
from textsimp.corpora.artefacts import ARTEFACTS
from textsimp.corpora.source_lines import MAX_OFFSETS, Match, SourceLines, words_of
from textsimp.support.errors import InputError, shown
from textsimp.text.languages import LANGUAGES, NAMES, LanguageProfile, detect, guess_languages

Gravity = Literal["error", "problem", "note"]
Words = list[list[set[str]]]  # of the texts of each row
_GRAVITIES: tuple[Gravity, ...] = ("error", "problem", "note")

SOUND = {  # kinds after which an output still is one
    *("copies", "identical", "leaks", "tokenised", "contractions", "brackets", "quotes", "case"),
    *("entities", "mojibake", "pieces", "escapes", "bold", "headings", "bullets", "numbering"),
    *("wrapped", "cut"),
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
_SOURCES, _REFERENCES = "the sources", "the references"
_MIN_TEXTS = 5  # fewer texts or outputs show nothing
_MIN_EQUAL = 10  # outputs that are equal by more than chance
_MIN_COPIES = 1 / 3  # share of outputs that are the source
_MIN_LEAKS = 0.3  # share of outputs that are a reference; 0.09 of real systems' outputs are
_NEARLY_ALL = 0.9
_MIN_EXCESS = 0.3  # without references, of outputs that are longer than their source
_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE = 3, 0.01  # rows; real systems have at most 2 of 300
_LONG_RATIO, _LONG_CHARACTERS = 3, 200  # an output is longer by both
_PHRASE, _MIN_PHRASES, _MAX_PHRASE_TEXTS = 5, 4, 40  # words; outputs; mean words of a text
_PROBLEM_SHARE = 0.05  # share of outputs from which a fault is a problem rather than a note
_ARTEFACT_SHARE = 0.01
_USUAL_SHARE = 0.1
_STYLE_DIFFERENCE = 0.2  # between columns, in the share of texts of a style
_MAJORITY = 0.5
_MAX_NAMES, _MAX_RUNS, _MAX_CHARACTERS = 4, 6, 40  # in a sentence


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    Attributes:
        kind: The check, such as ``"empty"`` or ``"shifted"``.
        gravity: ``"error"``, ``"problem"`` or ``"note"``.
        text: A sentence without the examples.
        systems: The systems with the fault; none if only sources or references have it.
        examples: The numbers of the examples, counted from 1; none if all texts have the fault.
        rows: The same of each system.
    """

    kind: str
    gravity: Gravity
    text: str
    systems: tuple[str, ...] = ()
    examples: tuple[int, ...] = ()
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    def __str__(self) -> str:
        return f"{self.gravity}: {self.text}" + (f" ({self.where})" if self.examples else "")

    @property
    def where(self) -> str:
        """The first examples, of several systems those of the worst: ``"examples 3, 7, 9–12"``."""
        worst = max(self.rows, key=lambda name: len(self.rows[name]), default="")
        examples = self.rows.get(worst, self.examples)
        ranges = [run.replace("-", "–") for run in runs(examples)]
        more = len(ranges) - _MAX_RUNS
        shown = ", ".join(ranges[:_MAX_RUNS]) + (f" and {more:,} more" if more > 0 else "")
        of = f" of {worst}" if len(self.rows) > 1 else ""
        return f"example{'s' if len(examples) > 1 else ''} {shown}{of}"

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        rows = {name: [*examples] for name, examples in self.rows.items()}
        plain = {"systems": [*self.systems], "examples": [*self.examples], "rows": rows}
        return {**vars(self), **plain}


def find(sources: Any, references: Any, systems: Mapping[str, Any]) -> list[Finding]:
    """Check texts before they are scored.

    Args:
        sources: n texts.
        references: One or more for each, or None.
        systems: Name → n outputs.

    Returns:
        The findings, errors first and notes last.
    """
    if not isinstance(systems, Mapping):
        raise InputError(f"systems: expected name → outputs, got {shown(systems)}")
    if systems:
        columns.texts([*systems], "names of systems")
    sources = columns.texts(sources, "sources")
    references = None if references is None else columns.references(references)
    titles = {name: column_label("predictions", name) for name in systems}
    outputs = {name: columns.texts(systems[name], title) for name, title in titles.items()}
    lengths = {title: outputs[name] for name, title in titles.items()}
    columns.check_lengths(sources=sources, **lengths, references=references)
    return run(sources, references, outputs)


@dataclass(frozen=True)
class Cleaned:
    """What `clean` returns.

    Attributes:
        texts: The outputs, cleaned.
        changes: A dict of each changed output: ``example``, ``removed``, ``before``, ``after``.
        left: Kind → numbers of the examples with an artefact that was left alone.
    """

    texts: list[str]
    changes: list[dict[str, Any]]
    left: dict[str, list[int]]


def clean(sources: Sequence[str], outputs: Sequence[str], *, join_lines: bool = False) -> Cleaned:
    """Remove what language models leave in outputs, where that is certain.

    Args:
        sources: n texts.
        outputs: A system's outputs. Reasoning, code fences, preambles and quotation marks are
            removed that the source lacks.
        join_lines: Put the lines of an output into one, as a text file has them.
    """
    changes, texts = [], list[str]()
    for number, (text, source) in enumerate(zip(outputs, sources, strict=True), 1):
        after, removed = artefacts.clean(text, source)
        if join_lines and "\n" in after:
            after, removed = re.sub(r"\s*\n\s*", " ", after), [*removed, "line breaks"]
        texts.append(after)
        if removed:
            change = {"example": number, "removed": removed, "before": text, "after": after}
            changes.append(change)
    kinds = [kind for kind, artefact in ARTEFACTS.items() if not artefact.prose]
    left = artefacts.find(texts, sources, kinds)
    return Cleaned(texts, changes, {k: [i + 1 for i in rows] for k, rows in left.items() if rows})


def table(findings: Iterable[Finding]) -> Grid:
    """Return a table of findings, a row each."""
    rows: list[list[Any]] = [
        [one.gravity, one.kind, one.text, ", ".join(one.systems), ", ".join(runs(one.examples))]
        for one in findings
    ]
    return Grid(["gravity", "kind", "finding", "systems", "examples"], rows, named=5)


def summary(findings: Sequence[Finding]) -> str:
    """Return the numbers of errors, problems and notes.

    >>> summary([]), summary([Finding("empty", "problem", "ours: 1 output is empty")])
    ('no problems', '1 problem')
    """
    kinds = Counter(finding.gravity for finding in findings)
    counts = [f"{n:,} {kind}{'s' * (n > 1)}" for kind in _GRAVITIES if (n := kinds[kind])]
    return ", ".join(counts if {*kinds} - {"note"} else ["no problems", *counts])


def run(
    sources: list[str], references: list[list[str]] | None, systems: Mapping[str, list[str]]
) -> list[Finding]:
    """Do as `find` for columns that are valid."""
    texts = _Texts(sources, references, systems)
    findings = []
    for finding in chain.from_iterable(check(texts) for check in _CHECKS):
        findings.append(finding)
        for name, rows in finding.rows.items() if finding.kind not in SOUND else ():
            texts.unsound[name] |= {i - 1 for i in rows}
    return sorted(findings, key=lambda finding: _GRAVITIES.index(finding.gravity))


class _Texts:
    """The columns, and what several checks need of them."""

    def __init__(
        self,
        sources: list[str],
        references: list[list[str]] | None,
        systems: Mapping[str, list[str]],
    ) -> None:
        self.sources, self.references, self.systems = sources, references or [], systems
        self.unsound: dict[str, set[int]] = {name: set() for name in systems}  # found so far
        self.bare = [*map(_bare, sources)]
        self.bare_outputs = {name: [*map(_bare, texts)] for name, texts in systems.items()}
        self.changed = {
            name: [i for i, (a, b) in enumerate(zip(self.bare, texts, strict=True)) if a != b and b]
            for name, texts in self.bare_outputs.items()
        }

    @functools.cached_property
    def words(self) -> dict[str, Words]:
        """Name of a column → its words."""
        split = words_of(self.sources)
        rows = {_SOURCES: [[text] for text in self.sources], _REFERENCES: self.references}
        rows |= {name: [[text] for text in column] for name, column in self.systems.items()}
        return {name: [[{*split(text)} for text in row] for row in rows[name]] for name in rows}

    @functools.cached_property
    def matches(self) -> list[tuple[str, tuple[str, ...], str, Match]]:
        """Name of a column, its systems, the word for its texts, and the sources they match."""
        lines = SourceLines([words for (words,) in self.words[_SOURCES]])
        matches: list[tuple[str, tuple[str, ...], str, Match]] = [
            (name, (name,), "outputs", lines.match([words for (words,) in self.words[name]]))
            for name in self.systems
        ]
        columns = zip_longest(*self.words[_REFERENCES], fillvalue=set())
        for number, column in enumerate(columns, 1):
            matches.append((f"reference {number}", (), "texts", lines.match(column)))
        return matches

    def columns(self) -> Iterator[tuple[str, Sequence[str]]]:
        """Iterate over all columns with their names."""
        yield _SOURCES, self.sources
        if self.references:
            yield _REFERENCES, [text for row in self.references for text in row]
        yield from self.systems.items()


def _bare(text: str) -> str:
    """Remove case and spaces, in which versions of a corpus differ; all if there is no word."""
    return "".join(text.lower().split()) if _WORD.search(text) else ""


_WORD = re.compile(r"[^\W_]")


# One column ---------------------------------------------------------------------------------------


def _empty(texts: _Texts) -> Iterator[Finding]:
    for name, outputs in texts.bare_outputs.items():
        if lines := [i for i, text in enumerate(outputs) if not text]:
            text = f"{name}: {_count(len(lines), 'output', 'is', 'are')} empty"
            yield _finding("empty", "problem", text, (name,), lines)
    if lines := [i for i, text in enumerate(texts.bare) if not text]:
        text = f"{_count(len(lines), 'source', 'is', 'are')} empty"
        yield _finding("empty", "problem", text, (), lines)
    if lines := [i for i, row in enumerate(texts.references) if not all(map(str.strip, row))]:
        text = f"{_count(len(lines), 'example', 'has', 'have')} an empty reference"
        yield _finding("empty", "problem", text, (), lines)


def _copies(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    for name, outputs in texts.bare_outputs.items():
        same = [i for i, (a, b) in enumerate(zip(texts.bare, outputs, strict=True)) if a == b and a]
        if len(same) == n >= _MIN_TEXTS:
            text = f"{name} is the sources, unchanged but for case and spaces at most"
            yield _finding("copies", "note", text, (name,), same)
        elif len(same) >= max(_MIN_TEXTS, _MIN_COPIES * n):
            text = f"{name}: {_percent(len(same), n)} of the outputs are the source, unchanged"
            yield _finding("copies", "note", text, (name,), same)


def _lengths(texts: _Texts) -> Iterator[Finding]:
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
                f"{name}: {_count(len(lines), 'output', 'is', 'are')} more than {_LONG_RATIO} times"
            )
            yield _finding("lengths", gravity, f"{text} as long as the source", (name,), lines)


def _duplicates(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    first: dict[str, int] = {}
    repeated = [i for i, text in enumerate(texts.sources) if first.setdefault(text, i) != i]
    if repeated:
        text = f"{_count(len(repeated), 'source', 'repeats', 'repeat')} an earlier one"
        yield _finding("duplicates", "note", text, (), repeated)
    for name, outputs in texts.systems.items():
        of: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(outputs):
            if text.strip() and i not in texts.unsound[name]:
                of[text].append(i)
        for text, lines in of.items():
            if len({texts.sources[i] for i in lines}) < max(3, _ARTEFACT_SHARE * n):
                continue
            sentence = f"{name} has one output for {len(lines):,} examples, {_quote(text)}"
            gravity: Gravity = "problem" if len(lines) > _PROBLEM_SHARE * n else "note"
            yield _finding("duplicates", gravity, sentence, (name,), lines)


def _phrases(texts: _Texts) -> Iterator[Finding]:
    """Find words that many outputs have, and neither a source nor a reference."""
    split = words_of(texts.sources)
    fixed = [split(text) for text in chain(texts.sources, *texts.references)]
    if fmean(map(len, fixed)) > _MAX_PHRASE_TEXTS:  # texts of several sentences share phrases
        return
    for name, outputs in texts.systems.items():
        rows = sorted({*texts.changed[name]} - texts.unsound[name])
        runs = {i: {*_runs(split(outputs[i]))} for i in rows}
        numbers = Counter(chain.from_iterable(runs.values()))
        least = max(_MIN_PHRASES, _ARTEFACT_SHARE * len(outputs))
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
            yield _finding("phrases", "problem", f"{text}have, “{such}”", (name,), lines)


def _runs(words: list[str]) -> list[tuple[str, ...]]:
    return [tuple(words[i : i + _PHRASE]) for i in range(len(words) - _PHRASE + 1)]


# Two columns --------------------------------------------------------------------------------------


def _identical(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, outputs in texts.bare_outputs.items():
        groups[tuple(outputs)].append(name)
    for names in groups.values():
        if len(names) > 1 and n >= _MIN_TEXTS:
            exact = len({tuple(texts.systems[name]) for name in names}) == 1
            but = "" if exact else " but for case and spaces"
            text = f"{_join(names)} have the same outputs{but}"
            yield Finding("identical", "problem", text, tuple(names))
    for a, b in combinations((names[0] for names in groups.values()), 2):
        changed = sorted({*texts.changed[a], *texts.changed[b]})
        of_a, of_b = texts.bare_outputs[a], texts.bare_outputs[b]
        same = sum(of_a[i] == of_b[i] for i in changed)
        if same >= max(_MIN_EQUAL, _NEARLY_ALL * len(changed)):
            others = [i for i in changed if of_a[i] != of_b[i]]
            share = _percent(same, len(changed))
            text = (
                f"{a} and {b} have the same output in {share} of the examples that either changes"
            )
            if others:
                text += "; they differ in others"
            yield _finding("identical", "note", text, (a, b), others)


def _leaks(texts: _Texts) -> Iterator[Finding]:
    rows = [[*map(_bare, row)] for row in texts.references]
    for name, outputs in texts.bare_outputs.items() if rows else ():
        changed = texts.changed[name]
        same = [i for i in changed if outputs[i] in rows[i]]
        if len(same) < max(_MIN_EQUAL, _MIN_LEAKS * len(changed)):
            continue
        numbers = Counter(j for i in same for j, text in enumerate(rows[i]) if text == outputs[i])
        number, of_it = numbers.most_common(1)[0]
        most = max(map(len, rows)) > 1 and of_it >= _NEARLY_ALL * len(same)
        which = f"reference {number + 1}" if most else "a reference"
        share = _percent(len(same), len(changed))
        text = f"{name} equals {which} in {share} of the outputs that change the source"
        yield _finding("leaks", "error", f"{text}: were references leaked?", (name,), same)


# How texts are written ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Style:
    """A way of writing that has an alternative."""

    kind: str  # of the finding
    what: str  # that texts of this style have
    applies: Callable[[str], Any]  # whether a text has this style
    decides: Callable[[str], Any]  # whether a text has this style or the alternative
    gravity: Gravity = "problem"  # of a difference between columns
    effect: str = "to most scores these are other words"  # docs/checks.md measures it


# The first letter has case: a Latin word within Chinese text shows nothing.
_CASED = re.compile(r"[\W\d_]*[A-Za-z\u00c0-\u024f\u0370-\u052f\u0531-\u0587]").match
_PENN = r"''(?<![^\s.,]'')(?=[\s.,]|$)"
_APART = r"['’](?:(?<=\w\sn.)t|(?<=\w\s.)(?:s|re|ve|ll|d|m))(?!\w)"  # searched by the apostrophe
_TOGETHER = _APART.replace(r"\s", "")

STYLES = (
    _Style(
        "tokenised",
        "spaces before punctuation",
        re.compile(r"\s[.,](?=\s|$)").search,
        re.compile(r"[.,](?=\s|$)").search,
        effect="edit operations and D-SARI split words at spaces; SARI and BLEU don't by default",
    ),
    _Style(
        "contractions",
        "contractions split (do n't)",
        re.compile(_APART, re.IGNORECASE).search,
        re.compile(f"{_APART}|{_TOGETHER}", re.IGNORECASE).search,
    ),
    _Style(
        "brackets",
        "-LRB- and -RRB- for brackets",
        re.compile(r"-[LR][RSC]B-", re.IGNORECASE).search,
        re.compile(r"[()\[\]{}]|-[LR][RSC]B-", re.IGNORECASE).search,
    ),
    _Style(
        "quotes",
        "`` and '' for quotation marks",
        re.compile(rf"``|{_PENN}").search,
        re.compile(rf"[\"“”]|``|{_PENN}").search,
    ),
    _Style(
        "case",
        "no capital letter",
        lambda text: _CASED(text) and text == text.lower(),
        _CASED,
        "note",
        "BLEU's variant sacrebleu is case-sensitive; SARI and BLEU aren't by default",
    ),
)


def _styles(texts: _Texts) -> Iterator[Finding]:
    everywhere = []
    for style in STYLES:
        shares: dict[str, float] = {}
        for name, column in texts.columns():
            candidates = [text for text in column if style.decides(text)]
            if len(candidates) >= _MIN_TEXTS:
                number = sum(1 for text in candidates if style.applies(text))
                shares[name] = number / len(candidates)
        least, most = min(shares.values(), default=0), max(shares.values(), default=0)
        if most - least >= _STYLE_DIFFERENCE:
            yield _style_finding(style, shares, texts.systems)
        elif least >= _MAJORITY:
            everywhere.append(style.what)
    if everywhere:
        text = f"All texts have {_join(everywhere)}: other versions of the corpus score otherwise"
        yield Finding("version", "note", text)


def _style_finding(
    style: _Style, shares: Mapping[str, float], systems: Mapping[str, Sequence[str]]
) -> Finding:
    """Describe columns of which only some have a style."""
    middle = (min(shares.values()) + max(shares.values())) / 2
    of_set = [shares[name] for name in (_SOURCES, _REFERENCES) if name in shares] or [middle]
    rows = {}
    for name in [name for name in systems if name in shares]:
        has = shares[name] - max(of_set) >= _STYLE_DIFFERENCE
        lacks = min(of_set) - shares[name] >= _STYLE_DIFFERENCE
        if has or (lacks and style.kind not in ("contractions", "quotes")):
            rows[name] = [
                i
                for i, text in enumerate(systems[name])
                if style.decides(text) and bool(style.applies(text)) is has
            ]
    ordered = sorted(shares, key=lambda name: name not in rows)
    cited = {name: f"{name} ({100 * shares[name]:.0f} %)" for name in ordered}
    having = _join([cited[name] for name in ordered if shares[name] >= middle])
    lacking = _join([cited[name] for name in ordered if shares[name] < middle])
    text = f"{style.what[0].upper()}{style.what[1:]} in {having}, not in {lacking}: {style.effect}"
    fault = rows or style.kind == "tokenised"  # else the test set is written in two ways
    return _finding(style.kind, style.gravity if fault else "note", text, rows)


def _artefacts(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    rows = [i for i, row in enumerate(texts.references) for _ in row]
    references = [text for row in texts.references for text in row]
    of_references = [texts.sources[i] for i in rows]
    of_systems = {
        name: artefacts.find(outputs, texts.sources) for name, outputs in texts.systems.items()
    }
    with_hits = {kind for hits in of_systems.values() for kind in hits if hits[kind]}
    kinds = [kind for kind, one in ARTEFACTS.items() if not one.prose or kind in with_hits]
    in_references = artefacts.find(references, of_references, kinds)
    in_sources = artefacts.find(texts.sources, [""] * n, kinds)
    for kind in kinds:
        artefact, usual, shared = ARTEFACTS[kind], 0.0, {}
        own = {name: hits[kind] for name, hits in of_systems.items()}
        if kind in ("unrelated", "answers"):  # the rest of what others don't explain
            for name, hits in own.items():
                own[name] = {i: hits[i] for i in hits if i not in texts.unsound[name]}
        if artefact.prose:
            usual = 2 * n * len(in_references[kind]) / max(1, len(references))
        else:
            if artefact.share:  # damage, which sources may have, too
                shared[_SOURCES] = in_sources[kind]
            shared[_REFERENCES] = {rows[j]: hit for j, hit in in_references[kind].items()}
        least = usual if usual > _USUAL_SHARE * n else 0  # how such texts are written
        own = {name: hits for name, hits in own.items() if len(hits) > least}
        columns = {name: hits for name, hits in (shared | own).items() if hits}
        worst = max(map(len, own.values()), default=0)
        limit = usual + artefact.share * n
        bad = worst > limit or len(shared.get(_REFERENCES, ())) > _ARTEFACT_SHARE * n
        if not columns or (kind == "wrapped" and worst <= limit):  # a title, or direct speech
            continue
        where = _join([f"{name} ({_percent(len(hits), n)})" for name, hits in columns.items()])
        concerned = [*(own or columns).values()]
        such = _quote(next(iter(concerned[0].values())))
        verb = "has" if own and len(columns) == 1 else "have"
        text = f"{where} {verb} {artefact.what}, such as {such}"
        gravity: Gravity = "problem" if bad else "note"
        yield _finding(kind, gravity, text, own or (), [] if own else sorted({*chain(*concerned)}))


def _languages(texts: _Texts) -> Iterator[Finding]:
    usual = detect(texts.sources)
    if usual.languages and "en" not in usual.languages:
        code = usual.languages[0]
        text = f"the sources look {NAMES[code]}, and metrics are for English by default"
        text += f": give --language {code}" if code in LANGUAGES else ""
        yield Finding("language", "note", text)
    for name, outputs in texts.systems.items():
        pairs = zip(outputs, texts.sources, strict=True)
        lines = [i for i, (text, source) in enumerate(pairs) if _foreign(text, source, usual)]
        if lines:
            text = f"{name}: {_count(len(lines), 'output', 'is', 'are')} in another language"
            such = _quote(outputs[lines[0]])
            yield _finding("language", "problem", f"{text}, such as {such}", (name,), lines)


def _foreign(text: str, source: str, usual: LanguageProfile) -> bool:
    """Whether an output is in another script or language than most sources, and than its own."""
    if not (text.isascii() and usual.script == "Latin"):  # ASCII has no other letters
        script = detect([text], len(text)).script
        if script != usual.script and None not in (script, usual.script):
            return script != detect([source], len(source)).script
    languages = {*guess_languages(text)}
    if languages and usual.languages and languages.isdisjoint(usual.languages):
        return languages.isdisjoint(detect([source], len(source)).languages)
    return False


# Lines --------------------------------------------------------------------------------------------


def _shifts(texts: _Texts) -> Iterator[Finding]:
    for name, systems, what, column in texts.matches:
        for start, stop, offset in column.stretches:
            lines = "one line" if abs(offset) == 1 else f"{abs(offset):,} lines"
            text = f"{name} seems shifted: its {what} match the sources {lines} "
            text += "below their own" if offset > 0 else "above their own"
            if abs(offset) < MAX_OFFSETS:
                cause = "were missing" if offset > 0 else "too many stood"
                text += f", as if {lines} {cause} before"
            yield _finding("shifted", "error", text, systems, range(start, stop))


def _exchanged(texts: _Texts) -> Iterator[Finding]:
    limit = max(_MAX_EXCHANGED, _MAX_EXCHANGED_SHARE * len(texts.sources))
    for name, systems, what, column in texts.matches:
        if len(column.exchanged) > limit and not column.stretches:
            text = f"{name}: {len(column.exchanged):,} {what} fit the sources of one another"
            text += " better than their own: are they in order?"
            yield _finding("misplaced", "error", text, systems, column.exchanged)


def _swapped(texts: _Texts) -> Iterator[Finding]:
    """Find columns that are longer than the sources and, as sources should be, like both others."""
    sources, references = texts.words[_SOURCES], texts.words[_REFERENCES]
    excess = {"references": _excess(references, sources)}
    least = 0 if references else _MIN_EXCESS
    for name in texts.systems if len(sources) >= _MIN_TEXTS else ():
        outputs = texts.words[name]
        excess["outputs"] = _excess(outputs, sources)
        if max(excess.values()) <= least:
            continue
        likeness = {"references": _likeness(sources, outputs), "outputs": _MAJORITY}  # of others
        if references:
            likeness["outputs"] = _likeness(sources, references)
            likeness["sources"] = _likeness(outputs, references)
        middle = min(likeness, key=likeness.__getitem__)
        if excess.get(middle, 0) > least:
            text = f"{name}: the {middle} are mostly longer than the sources: are columns swapped?"
            yield Finding("swapped", "error" if references else "note", text, (name,))


def _excess(rows: Words, sources: Words) -> float:
    """Return the share of texts with more words than their source, less that of those with less."""
    more = [len(b) - len(a) for (a,), row in zip(sources, rows, strict=False) for b in row]
    return (sum(one > 0 for one in more) - sum(one < 0 for one in more)) / max(1, len(more))


def _likeness(first: Words, second: Words) -> float:
    """Return the mean share of words that the texts of a row have in common."""
    rows = zip(first, second, strict=True)
    return fmean(len(a & b) / len(a | b) for row in rows for a, b in product(*row) if a or b)


# Sentences ----------------------------------------------------------------------------------------


def _finding(
    kind: str,
    gravity: Gravity,
    text: str,
    systems: Iterable[str] | Mapping[str, Iterable[int]],
    lines: Iterable[int] = (),
) -> Finding:
    """Make a finding of lines that are counted from 0, of some systems or of each its own."""
    own = systems if isinstance(systems, Mapping) else {name: [*lines] for name in systems}
    rows = {name: tuple(i + 1 for i in own[name]) for name in own}
    examples = {*chain(*rows.values())} or {i + 1 for i in lines}
    return Finding(kind, gravity, text, tuple(own), tuple(sorted(examples)), rows)


def _count(number: int, what: str, verb: str, verbs: str) -> str:
    """Return "1 output is" or "2 outputs are"."""
    return f"{number:,} {what} {verb}" if number == 1 else f"{number:,} {what}s {verbs}"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 1 or not part else "under 1 %"


def _join(names: Sequence[str]) -> str:
    """Join names for a sentence; of many the first."""
    shown, more = [*names[:_MAX_NAMES]], len(names) - _MAX_NAMES
    if more > 0:
        shown.append(f"{more:,} more")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _quote(text: str) -> str:
    """Quote the beginning of a text."""
    text = " ".join(text.split())
    return f"“{text if len(text) <= _MAX_CHARACTERS else text[: _MAX_CHARACTERS - 1] + '…'}”"


_CHECKS = (
    *(_empty, _swapped, _shifts, _exchanged, _identical, _leaks, _languages, _artefacts, _phrases),
    *(_styles, _copies, _lengths, _duplicates),
)
