"""Data checks: what is wrong with texts, or unlike between them, before scores are trusted.

    >>> from textsimp import checks
    >>> sources = ["A feline sat there.", "It rained a lot.", "They went home."]
    >>> for finding in checks.find(sources, None, {"ours": ["A cat sat there.", "", "They left."]}):
    ...     print(finding)
    problem: ours: 1 output is empty (example 2)

What is told apart: a *problem* makes scores wrong or can't be meant, a *note* is to be known.
Every check takes time that is linear in the examples.
"""

from __future__ import annotations

import functools
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, groupby, pairwise
from typing import Any, Literal

from textsimp.core import columns
from textsimp.core.examples import column_label
from textsimp.core.tables import runs
from textsimp.support.errors import InputError, shown
from textsimp.text import languages
from textsimp.text.counting import in_turn

Gravity = Literal["problem", "note"]
_GRAVITIES: tuple[Gravity, ...] = ("problem", "note")

_SOURCES, _REFERENCES = "the sources", "the references"
_FEW = 5  # texts or outputs by which nothing is told
_STRIKING = 10  # outputs that are equal by more than chance
_OF_COPIES, _OF_LEAKS, _NEARLY = 1 / 3, 0.3, 0.9  # shares; of real systems 0.09 equal a reference
_LONG, _LONGER, _SHORT, _SHORTER = 3, 200, 1 / 10, 30  # times as long, and by characters
_MANY = 0.05  # of outputs: a problem rather than a note
_SOME = 0.01
_UNLIKE = 0.2  # between shares of texts that are written in some way
_SO = 0.5  # share from which a column is written so
_NAMED, _LISTED, _QUOTED = 4, 6, 40  # names, runs of lines, and characters in a sentence


@dataclass(frozen=True)
class Finding:
    """What a check found.

    Attributes:
        kind: Which check, such as ``"empty"`` or ``"shifted"``.
        gravity: ``"problem"`` or ``"note"``.
        text: A sentence for people, without the examples.
        systems: Whose outputs it is about; none where it is about sources or references only.
        examples: The numbers of the examples concerned, from 1, ascending; none where it is about
            all texts.
    """

    kind: str
    gravity: Gravity
    text: str
    systems: tuple[str, ...] = ()
    examples: tuple[int, ...] = ()

    def __str__(self) -> str:
        return f"{self.gravity}: {self.text}" + (f" ({self.where})" if self.examples else "")

    @property
    def where(self) -> str:
        """The examples, or the first of them if there are many: ``"examples 3, 7, 9–12"``."""
        found = [run.replace("-", "–") for run in runs(self.examples)]
        more = len(found) - _LISTED
        shown = ", ".join(found[:_LISTED]) + (f" and {more:,} more" if more > 0 else "")
        return f"example{'s' if len(self.examples) > 1 else ''} {shown}"

    def to_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "kind": self.kind,
            "gravity": self.gravity,
            "text": self.text,
            "systems": [*self.systems],
            "examples": [*self.examples],
        }


def find(sources: Any, references: Any, systems: Mapping[str, Any]) -> list[Finding]:
    """Look at texts before they are scored.

    Args:
        sources: n texts.
        references: One or more for each, or None.
        systems: Name → n outputs.

    Returns:
        What was found, problems first.
    """
    if not isinstance(systems, Mapping):
        raise InputError(f"systems: expected name → outputs, got {shown(systems)}")
    if systems:
        columns.texts([*systems], "names of systems")
    given = columns.texts(sources, "sources")
    rows = None if references is None else columns.references(references)
    outputs = {
        name: columns.texts(of, column_label("predictions", name)) for name, of in systems.items()
    }
    of_systems = {column_label("predictions", name): of for name, of in outputs.items()}
    columns.check_lengths(sources=given, **of_systems, references=rows)
    return found(given, rows, outputs)


def summary(findings: Sequence[Finding]) -> str:
    """How many problems and notes there are.

    >>> summary([]), summary([Finding("empty", "problem", "ours: 1 output is empty")])
    ('no problems', '1 problem')
    """
    kinds = Counter(finding.gravity for finding in findings)
    counts = [f"{n:,} {kind}{'s' * (n > 1)}" for kind in _GRAVITIES if (n := kinds[kind])]
    return ", ".join(counts if kinds["problem"] else ["no problems", *counts])


def found(
    sources: list[str], references: list[list[str]] | None, systems: Mapping[str, list[str]]
) -> list[Finding]:
    """`find` of columns that were checked."""
    texts = _Texts(sources, references, systems)
    all_of_them = [finding for check in _CHECKS for finding in check(texts)]
    return sorted(all_of_them, key=lambda finding: _GRAVITIES.index(finding.gravity))


class _Texts:
    """The columns, and what several checks want of them."""

    def __init__(
        self,
        sources: list[str],
        references: list[list[str]] | None,
        systems: Mapping[str, list[str]],
    ) -> None:
        self.sources, self.references, self.systems = sources, references or [], systems
        self.bare = [*map(_bare, sources)]
        self.bare_outputs = {name: [*map(_bare, texts)] for name, texts in systems.items()}
        self.changed = {
            name: [i for i, (a, b) in enumerate(zip(self.bare, texts, strict=True)) if a != b and b]
            for name, texts in self.bare_outputs.items()
        }

    @functools.cached_property
    def matched(self) -> list[tuple[str, tuple[str, ...], str, _Matched]]:
        """Name of a column, systems, what its texts are, and where they belong."""
        words = _words_of(self.sources)
        lines = _Lines([*map(words, self.sources)])
        of: list[tuple[str, tuple[str, ...], str, _Matched]] = [
            (name, (name,), "outputs", lines.matched([*map(words, outputs)]))
            for name, outputs in self.systems.items()
        ]
        each = in_turn(self.references) if self.references else ()
        for number, (rows, column) in enumerate(each, 1):
            of_rows: list[set[str]] = [set() for _ in self.sources]
            for i, text in zip(rows.tolist(), column, strict=True):
                of_rows[i] = words(text)
            of.append((f"reference {number}", (), "texts", lines.matched(of_rows)))
        return of

    def columns(self) -> Iterator[tuple[str, Sequence[str]]]:
        """All of them, with their names."""
        yield _SOURCES, self.sources
        if self.references:
            yield _REFERENCES, [text for row in self.references for text in row]
        yield from self.systems.items()


def _bare(text: str) -> str:
    """A text without its case and spaces, in which versions of a corpus differ."""
    return "".join(text.lower().split())


# One column ---------------------------------------------------------------------------------------


def _empty(texts: _Texts) -> Iterator[Finding]:
    for name, outputs in texts.bare_outputs.items():
        if lines := [i for i, text in enumerate(outputs) if not text]:
            said = f"{name}: {_counted(len(lines), 'output', 'is', 'are')} empty"
            yield _finding("empty", "problem", said, (name,), lines)
    if lines := [i for i, text in enumerate(texts.bare) if not text]:
        said = f"{_counted(len(lines), 'source', 'is', 'are')} empty"
        yield _finding("empty", "problem", said, (), lines)
    if lines := [i for i, row in enumerate(texts.references) if not all(map(str.strip, row))]:
        said = f"{_counted(len(lines), 'example', 'has', 'have')} an empty reference"
        yield _finding("empty", "problem", said, (), lines)


def _copies(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    for name, outputs in texts.bare_outputs.items():
        same = [i for i, (a, b) in enumerate(zip(texts.bare, outputs, strict=True)) if a == b and a]
        if len(same) == n >= _FEW:
            said = f"{name} is the sources, unchanged but for case and spaces at most"
            yield _finding("copies", "note", said, (name,), same)
        elif len(same) >= max(_FEW, _OF_COPIES * n):
            said = f"{name}: {_percent(len(same), n)} of the outputs are the source, unchanged"
            yield _finding("copies", "note", said, (name,), same)


def _lengths(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    for name, outputs in texts.systems.items():
        pairs = zip(texts.sources, outputs, strict=True)
        sizes = [(len(source.strip()), len(output.strip())) for source, output in pairs]
        long = [i for i, (a, b) in enumerate(sizes) if b > _LONG * a and b - a > _LONGER]
        short = [i for i, (a, b) in enumerate(sizes) if 0 < b < min(_SHORT * a, _SHORTER)]
        for lines, what in (
            (long, f"more than {_LONG} times as long as the source"),
            (short, "shorter than a tenth of the source"),
        ):
            if lines:
                gravity: Gravity = "problem" if len(lines) > _MANY * n else "note"
                said = f"{name}: {_counted(len(lines), 'output', 'is', 'are')} {what}"
                yield _finding("lengths", gravity, said, (name,), lines)


def _duplicates(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    first: dict[str, int] = {}
    repeated = [i for i, text in enumerate(texts.sources) if first.setdefault(text, i) != i]
    if repeated:
        said = f"{_counted(len(repeated), 'source', 'repeats', 'repeat')} an earlier one"
        yield _finding("duplicates", "note", said, (), repeated)
    for name, outputs in texts.systems.items():
        of: defaultdict[str, list[int]] = defaultdict(list)
        for i, text in enumerate(outputs):
            if text.strip():
                of[text].append(i)
        for text, lines in of.items():
            if len(lines) < 3 or len({texts.sources[i] for i in lines}) < max(3, _SOME * n):
                continue
            said = f"{name} has one output for {len(lines):,} examples, {_quoted(text)}"
            gravity: Gravity = "problem" if len(lines) > _MANY * n else "note"
            yield _finding("duplicates", gravity, said, (name,), lines)


# Two columns --------------------------------------------------------------------------------------


def _identical(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    groups: defaultdict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, outputs in texts.bare_outputs.items():
        groups[tuple(outputs)].append(name)
    for names in groups.values():
        if len(names) > 1 and n >= _FEW:
            exact = len({tuple(texts.systems[name]) for name in names}) == 1
            but = "" if exact else " but for case and spaces"
            said = f"{_listed(names)} have the same outputs{but}"
            yield Finding("identical", "problem", said, tuple(names))
    for a, b in combinations((names[0] for names in groups.values()), 2):
        changed = sorted({*texts.changed[a], *texts.changed[b]})
        of_a, of_b = texts.bare_outputs[a], texts.bare_outputs[b]
        same = sum(of_a[i] == of_b[i] for i in changed)
        if same >= max(_STRIKING, _NEARLY * len(changed)):
            others = [i for i in changed if of_a[i] != of_b[i]]
            share = _percent(same, len(changed))
            said = (
                f"{a} and {b} have the same output in {share} of the examples that either changes"
            )
            if others:
                said += "; they differ in others"
            yield _finding("identical", "note", said, (a, b), others)


def _leaks(texts: _Texts) -> Iterator[Finding]:
    rows = [[*map(_bare, row)] for row in texts.references]
    for name, outputs in texts.bare_outputs.items() if rows else ():
        changed = texts.changed[name]
        same = [i for i in changed if outputs[i] in rows[i]]
        if len(same) < max(_STRIKING, _OF_LEAKS * len(changed)):
            continue
        numbers = Counter(j for i in same for j, text in enumerate(rows[i]) if text == outputs[i])
        number, of_it = numbers.most_common(1)[0]
        most = max(map(len, rows)) > 1 and of_it >= _NEARLY * len(same)
        which = f"reference {number + 1}" if most else "a reference"
        share = _percent(len(same), len(changed))
        said = f"{name} equals {which} in {share} of the outputs that change the source"
        yield _finding("leaks", "problem", f"{said}: were references leaked?", (name,), same)


# How texts are written ----------------------------------------------------------------------------


@dataclass(frozen=True)
class _Style:
    """A way to write what may also be written in another.

    Attributes:
        kind: Of the finding.
        gravity: Of columns that differ in it.
        what: What such texts have.
        so: Found in a text that is written so.
        either: Found in a text that is written in one of the two ways.
        effect: What differs in the scores then; docs/report.md has by how much.
    """

    kind: str
    gravity: Gravity
    what: str
    so: Callable[[str], Any]
    either: Callable[[str], Any]
    effect: str


# It begins with such a letter: a word of Latin within Chinese says nothing.
_CASED = re.compile(r"[\W\d_]*[A-Za-z\u00c0-\u024f\u0370-\u052f\u0531-\u0587]").match
_PENN = r"(?<![^\s.,])''(?=[\s.,]|$)"
_CLITIC = r"(?:n['’]t|['’](?:s|re|ve|ll|d|m))(?!\w)"

STYLES = (
    _Style(
        "tokenised",
        "problem",
        "spaces before punctuation",
        re.compile(r"\s[.,](?=\s|$)").search,
        re.compile(r"[.,](?=\s|$)").search,
        "edit operations and D-SARI part words at spaces; SARI and BLEU don't, unless told to",
    ),
    _Style(
        "contractions",
        "problem",
        "contractions split (do n't)",
        re.compile(rf"\w\s{_CLITIC}", re.IGNORECASE).search,
        re.compile(rf"\w\s?{_CLITIC}", re.IGNORECASE).search,
        "to most scores these are other words",
    ),
    _Style(
        "brackets",
        "problem",
        "-LRB- and -RRB- for brackets",
        re.compile(r"-[LR][RSC]B-", re.IGNORECASE).search,
        re.compile(r"[()\[\]{}]|-[LR][RSC]B-", re.IGNORECASE).search,
        "to most scores these are other words",
    ),
    _Style(
        "quotes",
        "problem",
        "`` and '' for quotation marks",
        re.compile(rf"``|{_PENN}").search,
        re.compile(rf"[\"“”]|``|{_PENN}").search,
        "to most scores these are other words",
    ),
    _Style(
        "case",
        "note",
        "no capital letter",
        lambda text: _CASED(text) and text == text.lower(),
        _CASED,
        "BLEU as sacrebleu has it minds case; SARI and BLEU don't, unless told to",
    ),
)


def _styles(texts: _Texts) -> Iterator[Finding]:
    everywhere = []
    for style in STYLES:
        shares: dict[str, float] = {}
        for name, column in texts.columns():
            either = [text for text in column if style.either(text)]
            if len(either) >= _FEW:
                shares[name] = sum(1 for text in either if style.so(text)) / len(either)
        least, most = min(shares.values(), default=0), max(shares.values(), default=0)
        if most - least >= _UNLIKE:
            yield _unlike(style, shares, texts.systems)
        elif least >= _SO:
            everywhere.append(style.what)
    if everywhere:
        said = f"All texts have {_listed(everywhere)}: other versions of the corpus score otherwise"
        yield Finding("version", "note", said)


def _unlike(
    style: _Style, shares: Mapping[str, float], systems: Mapping[str, Sequence[str]]
) -> Finding:
    """What to say of columns of which some are written in a way."""
    middle = (min(shares.values()) + max(shares.values())) / 2
    base = shares.get(_REFERENCES, shares.get(_SOURCES, middle))  # what outputs are compared with
    apart = [name for name in systems if abs(shares.get(name, base) - base) >= _UNLIKE]
    lines = set()
    for name in apart:
        so = shares[name] >= middle
        texts = enumerate(systems[name])
        lines |= {i for i, text in texts if style.either(text) and bool(style.so(text)) is so}
    ordered = sorted(shares, key=lambda name: name not in apart)
    cited = {name: f"{name} ({100 * shares[name]:.0f} %)" for name in ordered}
    having = _listed([cited[name] for name in ordered if shares[name] >= middle])
    lacking = _listed([cited[name] for name in ordered if shares[name] < middle])
    said = f"{style.what[0].upper()}{style.what[1:]} in {having}, not in {lacking}: {style.effect}"
    return _finding(style.kind, style.gravity, said, apart, sorted(lines))


_ENCLOSING = {'"': '"', "“": "”", "«": "»", "'": "'", "‘": "’", "`": "`"}


def _wrapped(text: str) -> str:
    """The text, if a pair of quotation marks stands around all of it, and none within."""
    bare = text.strip()
    end = _ENCLOSING.get(bare[:1], "")
    inside = bare[1:-1]
    alone = end and bare.endswith(end) and inside and not {bare[0], end} & {*inside}
    return bare if alone else ""


def _first(pattern: str, flags: int = re.IGNORECASE) -> Callable[[str], str]:
    """What a pattern finds in a text first, or nothing."""
    search = re.compile(pattern, flags).search

    def find_first(text: str) -> str:
        match = search(text)
        return match[0] if match else ""

    return find_first


ARTEFACTS: Mapping[str, tuple[str, Callable[[str], str]]] = {
    "entities": ("HTML entities", _first(r"&(?:[a-z]{2,8}|#\d{2,6}|#x[\da-f]{2,6});")),
    "mojibake": (
        "characters read in a wrong encoding",
        _first("[ÂÃ][\u0080-\u00bf]|â[€\u0080]|[ÐÑ][\u0080-\u00bf][ÐÑ]|\ufffd", 0),
    ),
    "unknown": (
        "placeholders of unknown words",
        _first(r"<unk>|\[UNK\]|⁇|(?<!\S)UNK(?!\S)", 0),
    ),
    "pieces": ("pieces of words", _first(r"\S@@(?=\s|$)|▁|(?<!\S)##\w|(?<!\S)Ġ\w", 0)),
    "special": (
        "a model's special tokens",
        _first(
            r"\[(?:CLS|SEP|PAD|MASK|BOS|EOS)\]|</?s>|<(?:pad|bos|eos|mask|sep)>"
            r"|<\|\w{1,30}\|>|<extra_id_\d+>"
        ),
    ),
    "tags": ("control tags", _first(r"<[A-Z][A-Z_]{2,40}_\d(?:[.,]\d+)?>", 0)),
    "prompts": (
        "words of a prompt or a chat",
        _first(
            r"^\W{0,4}(?:(?:sure|certainly|of course)\W{1,2}here\b"
            r"|here(?:['’]s| is)\b[^.:\n]{0,80}:"
            r"|(?:the )?(?:simplified?|simplification|simpler|output|answer|rewritten)"
            r"(?: (?:text|sentence|version|output|paragraph)){0,2}\W{0,2}:)"
        ),
    ),
    "wrapped": ("quotation marks around the text", _wrapped),
}
"""Kind → what it is called, and what finds the first in a text."""


def _artefacts(texts: _Texts) -> Iterator[Finding]:
    n = len(texts.sources)
    for kind, (what, first) in ARTEFACTS.items():
        of_sources = [*map(first, texts.sources)]
        rows = [next(filter(None, map(first, row)), "") for row in texts.references]
        hits: dict[str, list[int]] = {}
        if lines := [i for i, hit in enumerate(of_sources) if hit]:
            hits[_SOURCES] = lines
        if lines := [i for i, hit in enumerate(rows) if hit and not of_sources[i]]:
            hits[_REFERENCES] = lines
        examples, worst = {*chain(*hits.values())}, len(hits.get(_REFERENCES, ()))
        concerned: list[str] = []
        such = next(filter(None, [*of_sources, *rows]), "")
        for name, outputs in texts.systems.items():
            # What stands in the source already isn't a system's.
            own = {i: hit for i, hit in enumerate(map(first, outputs)) if hit and not of_sources[i]}
            if own:
                examples = {*own} if not concerned else examples | {*own}
                such = such if concerned else next(iter(own.values()))
                concerned.append(name)
                hits[name], worst = [*own], max(worst, len(own))
        if kind == "wrapped" and worst <= _SOME * n:
            continue  # a title, or something that was said
        if hits:
            where = _listed([f"{name} ({_percent(len(i), n)})" for name, i in hits.items()])
            gravity: Gravity = "problem" if worst > _SOME * n else "note"
            said = f"{where} {'has' if len(hits) == 1 else 'have'} {what}, such as {_quoted(such)}"
            yield _finding(kind, gravity, said, concerned, sorted(examples))


# Lines --------------------------------------------------------------------------------------------

_RARE = 4  # sources with a word that tells one from the others
_VOTES = 3  # lines that speak for an offset
_OFFSETS = 8  # that are tried
_OF_STRETCH = 0.4  # share of the lines of a stretch that speak for its offset
_SWITCH = 2.5  # lines' worth of evidence before another offset is believed


def _shifted(texts: _Texts) -> Iterator[Finding]:
    for name, systems, what, column in texts.matched:
        for start, stop, offset in column.stretches:
            lines = "one line" if abs(offset) == 1 else f"{abs(offset):,} lines"
            said = f"{name} seems shifted: its {what} match the sources {lines} "
            said += "below their own" if offset > 0 else "above their own"
            if abs(offset) < _OFFSETS:
                said += (
                    f", as if {lines} {'were missing' if offset > 0 else 'too many stood'} before"
                )
            yield _finding("shifted", "problem", said, systems, range(start, stop))


def _misplaced(texts: _Texts) -> Iterator[Finding]:
    for name, systems, what, column in texts.matched:
        if len(column.elsewhere) > max(_FEW, _SO * column.told) and not column.stretches:
            said = (
                f"{name}: {_percent(len(column.elsewhere), column.told)} of the {what} have the "
                "rare words of other sources, and none of their own: are they in order?"
            )
            yield _finding("misplaced", "problem", said, systems, column.elsewhere)


def _words_of(sources: Sequence[str]) -> Callable[[str], set[str]]:
    """From a text to its words; where there are no spaces between them, pairs of characters."""
    if languages.sample(sources).apart:
        return lambda text: set(re.findall(r"\w+", text.lower()))
    return lambda text: {f"{a}{b}" for a, b in pairwise(text)}


@dataclass(frozen=True)
class _Matched:
    """Where the texts of a column belong.

    Attributes:
        stretches: Start, stop and offset of lines that match the sources elsewhere.
        told: How many lines have words that few sources have.
        elsewhere: Those of them that have no such word of their own source.
    """

    stretches: list[tuple[int, int, int]]
    told: int
    elsewhere: list[int]


class _Lines:
    """Which source a text belongs to, told by the words that few sources have."""

    def __init__(self, sources: Sequence[set[str]]) -> None:
        self._sources = sources
        self._having: defaultdict[str, list[int]] = defaultdict(list)
        for i, words in enumerate(sources):
            for word in words:
                self._having[word].append(i)
        self._weights = {
            word: math.log(len(sources) / len(lines)) for word, lines in self._having.items()
        }

    def matched(self, column: Sequence[set[str]]) -> _Matched:
        """Where the texts of a column belong."""
        near = [
            {
                j - i
                for word in words
                if len(lines := self._having.get(word, ())) <= _RARE
                for j in lines
            }
            for i, words in enumerate(column)
        ]
        elsewhere = [i for i, offsets in enumerate(near) if offsets and 0 not in offsets]
        votes = Counter(chain.from_iterable(near[i] for i in elsewhere))
        offsets = [d for d, number in votes.most_common(_OFFSETS) if number >= _VOTES]
        stretches = [
            (start, stop, offset)
            for start, stop, offset in (self._path(column, [0, *offsets]) if offsets else ())
            # Of lines in no order at all, too, some are as far from their own as others.
            if sum(offset in of for of in near[start:stop])
            >= _OF_STRETCH * sum(map(bool, near[start:stop]))
        ]
        return _Matched(stretches, sum(map(bool, near)), elsewhere)

    def _path(
        self, column: Sequence[set[str]], offsets: Sequence[int]
    ) -> list[tuple[int, int, int]]:
        """The stretches of the likeliest path through the offsets.

        Each line adds the share of its words, weighted by their rareness, that the source has at
        an offset; each change of the offset costs what several lines can add.
        """
        scores = [0.0, *(-_SWITCH for _ in offsets[1:])]
        came: list[list[int]] = []
        for i, words in enumerate(column):
            best = max(range(len(offsets)), key=scores.__getitem__)
            floor = scores[best] - _SWITCH
            came.append([k if score >= floor else best for k, score in enumerate(scores)])
            gained = self._matches(i, words, offsets)
            scores = [max(score, floor) + more for score, more in zip(scores, gained, strict=True)]
        state = max(range(len(offsets)), key=scores.__getitem__)
        path = []
        for steps in reversed(came):
            path.append(state)
            state = steps[state]
        path.reverse()
        found, start = [], 0
        for state, run in groupby(path):
            stop = start + len([*run])
            if offsets[state]:
                found.append((start, stop, offsets[state]))
            start = stop
        return found

    def _matches(self, i: int, words: set[str], offsets: Sequence[int]) -> list[float]:
        known = [word for word in words if word in self._weights]
        total = sum(map(self._weights.__getitem__, known))
        if not total:
            return [0.0] * len(offsets)
        gained = []
        for offset in offsets:
            j = i + offset
            source = self._sources[j] if 0 <= j < len(self._sources) else ()
            gained.append(sum(self._weights[word] for word in known if word in source) / total)
        return gained


# Sentences ----------------------------------------------------------------------------------------


def _finding(
    kind: str, gravity: Gravity, said: str, systems: Iterable[str], lines: Iterable[int]
) -> Finding:
    """One of lines that are counted from 0."""
    return Finding(kind, gravity, said, tuple(systems), tuple(i + 1 for i in lines))


def _counted(number: int, what: str, verb: str, verbs: str) -> str:
    """Such as "1 output is" or "2 outputs are"."""
    return f"{number:,} {what} {verb}" if number == 1 else f"{number:,} {what}s {verbs}"


def _percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 1 or not part else "under 1 %"


def _listed(names: Sequence[str]) -> str:
    """Names in a sentence, some of them if there are many."""
    shown, more = [*names[:_NAMED]], len(names) - _NAMED
    if more > 0:
        shown.append(f"{more:,} more")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def _quoted(text: str) -> str:
    """The beginning of a text, in a line."""
    text = " ".join(text.split())
    return f"“{text if len(text) <= _QUOTED else text[: _QUOTED - 1] + '…'}”"


_CHECKS = (
    *(_empty, _shifted, _misplaced, _identical, _leaks, _artefacts),
    *(_styles, _copies, _lengths, _duplicates),
)
