"""Findings of the data checks, and sentences about them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Literal

from textsimp.core.cells import runs
from textsimp.core.tables import Grid

Gravity = Literal["error", "problem", "note"]
GRAVITIES: tuple[Gravity, ...] = ("error", "problem", "note")
MIN_TEXTS = 5  # fewer texts or outputs show nothing
ARTEFACT_SHARE = 0.01  # of outputs
MAJORITY = 0.5
_MAX_NAMES, _MAX_RUNS, _MAX_CHARACTERS = 4, 6, 100  # in a sentence
_AROUND, _MOST_WORDS = 3, 8  # words around a quoted place, and of it


@dataclass(frozen=True)
class Finding:
    """The result of a check.

    Attributes:
        kind: The check, such as ``"empty"`` or ``"shifted"``.
        gravity: ``"error"``, ``"problem"`` or ``"note"``.
        text: A sentence without the examples.
        systems: The systems with the fault; none if only sources or references have it.
        examples: The numbers of the examples, counted from 1; none if all texts have the fault.
        rows: System → the numbers of its examples.
    """

    kind: str
    gravity: Gravity
    text: str
    systems: tuple[str, ...] = ()
    examples: tuple[int, ...] = ()
    rows: Mapping[str, tuple[int, ...]] = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        kind: str,
        gravity: Gravity,
        text: str,
        systems: Iterable[str] | Mapping[str, Iterable[int]],
        lines: Iterable[int] = (),
    ) -> Finding:
        """Make a finding from lines, counted from 0, that systems share or that each has."""
        own = systems if isinstance(systems, Mapping) else {name: [*lines] for name in systems}
        rows = {name: tuple(i + 1 for i in own[name]) for name in own}
        examples = {*chain(*rows.values())} or {i + 1 for i in lines}
        return cls(kind, gravity, text, tuple(own), tuple(sorted(examples)), rows)

    def rename(self, names: Mapping[str, str]) -> Finding:
        """Return the finding with other names of systems, also at the beginning of its text."""
        systems = tuple(names.get(name, name) for name in self.systems)
        rows = {names.get(name, name): rows for name, rows in self.rows.items()}
        text, first = self.text, self.systems[0] if self.systems else ""
        if first and text.startswith(first):
            text = systems[0] + text.removeprefix(first)
        return replace(self, text=text, systems=systems, rows=rows)

    def move(self, by: int) -> Finding:
        """Return the finding with higher numbers of examples, for a block of a longer text."""
        rows = {name: tuple(i + by for i in own) for name, own in self.rows.items()}
        return replace(self, examples=tuple(i + by for i in self.examples), rows=rows)

    def __str__(self) -> str:
        return f"{self.gravity}: {self.text}" + (f" ({self.where})" if self.examples else "")

    @property
    def where(self) -> str:
        """The first examples of the worst system, such as ``"examples 3, 7, 9–12"``."""
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


def join_blocks(blocks: Sequence[tuple[range, Iterable[Finding]]]) -> list[Finding]:
    """Return the findings of blocks of examples of a longer text, errors first.

    Sentences say of which examples they are, unless all blocks have the finding. Rows of blocks are
    counted from 0.

        >>> swapped = Finding("swapped", "error", "ours: are columns swapped?")
        >>> for finding in join_blocks([(range(0, 9), []), (range(9, 20), [swapped])]):
        ...     print(finding)
        error: in examples 10–20, ours: are columns swapped?
    """
    moved: dict[str, Finding] = {}
    where: dict[str, list[str]] = {}
    for rows, findings in blocks:
        for finding in (finding.move(rows.start) for finding in findings):
            moved[str(finding)] = finding
            where.setdefault(str(finding), []).append(f"{rows.start + 1}–{rows.stop}")
    for key, examples in where.items():
        if len(examples) < len(blocks):
            text = f"in examples {', '.join(examples)}, {moved[key].text}"
            moved[key] = replace(moved[key], text=text)
    return sorted(moved.values(), key=lambda finding: GRAVITIES.index(finding.gravity))


def table(findings: Iterable[Finding]) -> Grid:
    """Return a table of findings, a row each."""
    rows = [
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
    counts = [f"{n:,} {kind}{'s' * (n > 1)}" for kind in GRAVITIES if (n := kinds[kind])]
    return ", ".join(counts if {*kinds} - {"note"} else ["no problems", *counts])


def count(number: int, what: str, verb: str, verbs: str) -> str:
    """Return "1 output is" or "2 outputs are"."""
    return f"{number:,} {what} {verb}" if number == 1 else f"{number:,} {what}s {verbs}"


def percent(part: int, whole: int) -> str:
    share = 100 * part / whole
    return f"{share:.0f} %" if share >= 1 or not part else "under 1 %"


def join(names: Sequence[str]) -> str:
    """Join names for a sentence; only the first of many."""
    shown, more = [*names[:_MAX_NAMES]], len(names) - _MAX_NAMES
    if more > 0:
        shown.append(f"{more:,} more")
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else "".join(shown)


def quote(text: str, hit: str = "") -> str:
    """Quote the place of a hit in a text, with three words around it; or a text's first words.

    >>> quote("Sure! Here is it: The old man sat down on the bench again.", "sat dow")
    '“… The old man sat down on the bench …”'
    >>> quote("One two three four five six seven eight nine ten.")
    '“One two three four five six seven eight …”'
    """
    hit = hit.strip()
    at = text.find(hit)
    if at < 0:
        text, at = hit, 0
    words = text.split()
    inside = at > 0 and not text[at - 1].isspace()
    first = len(text[:at].split()) - inside
    last = max(first, len(text[: at + len(hit)].split())) if hit else len(words)
    start, end = max(0, first - _AROUND), last + _AROUND
    if last - first > _MOST_WORDS:
        end = first + _MOST_WORDS
    shown = " ".join(words[start:end])
    if len(shown) > _MAX_CHARACTERS:  # in scripts without spaces
        shown, end = shown[:_MAX_CHARACTERS], 0
    return f"“{'… ' * (start > 0)}{shown}{' …' * (end < len(words))}”"
