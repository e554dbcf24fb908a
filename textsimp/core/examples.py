"""Examples: columns of equal length, checked once, at a door, and trusted afterwards."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import SOURCES, Column, Declarations, count_references
from textsimp.support.errors import InputError, nearest
from textsimp.text.languages import Sample, recommended, sample

_NAMED = 3  # values that a warning names
_LIBRARIES = re.compile(r"(textsimp|evaluate)(\.|$)")

ONE = ""  # the name of the only system, where it has none


class ScriptWarning(UserWarning):
    """Texts are in a script that an option isn't for, so that scores mean little."""


@dataclass(frozen=True, eq=False)
class Examples:
    """What is scored: made by `check`, or by who reads files and has checked their columns.

    Attributes:
        shared: Column → rows, of those that all systems share: ``sources`` and ``references``, as
            far as they were given.
        systems: System → column → rows of its own: ``predictions``, and what is said of them.
    """

    shared: Mapping[str, list[Any]]
    systems: Mapping[str, Mapping[str, list[Any]]]

    def __len__(self) -> int:
        own = next(iter(self.systems.values()))
        return len(next(iter(own.values())))

    @property
    def sources(self) -> list[str] | None:
        """The original texts, if they were given."""
        return self.shared.get("sources")

    @property
    def references(self) -> list[list[str]] | None:
        """One or more references per source, if they were given."""
        return self.shared.get("references")

    def predictions(self, system: str = ONE) -> list[str]:
        """A system's outputs."""
        return self.systems[system]["predictions"]

    def slices(self, rows: int = 10_000) -> Iterator[Examples]:
        """Consecutive examples, so many at a time."""
        for start in range(0, len(self), rows):
            some = slice(start, start + rows)
            shared, *own = (
                {name: column[some] for name, column in part.items()}
                for part in (self.shared, *self.systems.values())
            )
            yield Examples(shared, dict(zip(self.systems, own, strict=True)))

    def take(self, rows: Iterable[int]) -> Examples:
        """Some of the examples, by their numbers."""
        rows = list(rows)
        shared, *own = (
            {name: [column[i] for i in rows] for name, column in part.items()}
            for part in (self.shared, *self.systems.values())
        )
        return Examples(shared, dict(zip(self.systems, own, strict=True)))


@dataclass(frozen=True)
class Facts:
    """What scores of examples say besides numbers.

    Attributes:
        examples: How many there are.
        shared: The names of the columns that all systems share.
        references: The fewest and the most references of an example, if there are any.
        unlabelled: System → its columns of labels, where none of their rows has a label.
    """

    examples: int
    shared: tuple[str, ...]
    references: tuple[int, int] | None
    unlabelled: Mapping[str, str]

    @classmethod
    def of(cls, declared: Iterable[Column], examples: Examples | Facts) -> Facts:
        """Those of examples, of which declared columns are read."""
        if isinstance(examples, Facts):
            return examples
        names = [column.name for column in declared if column.kind == "labels"]
        unlabelled = {}
        for system, own in examples.systems.items():
            given = [name for name in names if name in own]
            if given and not any(any(own[name]) for name in given):  # rows are lists of labels
                unlabelled[system] = ", ".join(given)
        counts = examples.references and count_references(examples.references)
        return cls(len(examples), tuple(examples.shared), counts or None, unlabelled)

    def joined(self, other: Facts) -> Facts:
        """Those of both."""
        counts = [part.references for part in (self, other) if part.references]
        return Facts(
            self.examples + other.examples,
            self.shared,
            (min(c[0] for c in counts), max(c[1] for c in counts)) if counts else None,
            {s: names for s, names in self.unlabelled.items() if s in other.unlabelled},
        )


def check(
    metrics: Collection[Declarations | type[Declarations]],
    systems: Mapping[str, Any],
    shared: Mapping[str, Any],
) -> Examples:
    """Check what a user hands in.

    Args:
        metrics: Whose columns they are: none but these, and all that one of them needs.
        systems: Name → predictions, or column → rows where a metric reads more than these.
        shared: Column → rows, None for those that weren't given.

    Warns:
        ScriptWarning: See `doubt`; of metrics with their options, not of classes.
    """
    declared = columns_of(metrics)
    given = {
        name: _present(own if isinstance(own, Mapping) else {"predictions": own})
        for name, own in systems.items()
    }
    present = _present(shared)
    for part in (present, *given.values()):
        known = [name for name, column in declared.items() if column.own is (part is not present)]
        check_known(part, known)
    check_complete(metrics, present, given)
    found: dict[str, dict[str, list[Any]]] = {name: {} for name in given}
    found_shared: dict[str, list[Any]] = {}
    for name, column in declared.items():
        if name in present:
            found_shared[name] = columns.check_column(column, present[name])
        for system, own in given.items():
            if name in own:
                found[system][name] = columns.check_column(
                    column, own[name], column_label(name, system)
                )
    examples = Examples(found_shared, found)
    check_lengths(examples)
    warn([metric for metric in metrics if not isinstance(metric, type)], examples)
    return examples


def warn(metrics: Iterable[Declarations], examples: Examples) -> None:
    """Warn of what `doubt` finds, at the line that called this package."""
    tell(doubt(metrics, examples))


def tell(found: str) -> None:
    """Warn of what `doubt` found, if it did, at the line that called this package."""
    if found:
        level, frame = 2, sys._getframe(1)
        while frame.f_back and _LIBRARIES.match(frame.f_globals.get("__name__", "")):
            level, frame = level + 1, frame.f_back
        warnings.warn(found, ScriptWarning, stacklevel=level)


def doubt(metrics: Iterable[Declarations], examples: Examples) -> str:
    """What is to be said of options that aren't for the script of the texts, in a line; or nothing.

    By English rules a Russian word has one syllable, and a Chinese sentence is one word where words
    are what stands between spaces. The beginnings of some texts are looked at.
    """
    columns_in: dict[tuple[str, str, str], dict[str, None]] = {}
    metrics_of: dict[tuple[str, str, str], dict[str, None]] = {}
    samples: dict[str, list[Sample]] = {}
    for metric in metrics:
        for column in metric.columns:
            if column.kind not in ("text", "texts"):
                continue
            if column.name not in samples:
                samples[column.name] = [sample(texts) for texts in _given(column, examples)]
            for looked in samples[column.name]:
                for name, value in _unfit(metric, looked):
                    key = str(looked.script), name, value
                    columns_in.setdefault(key, {})[column.name] = None
                    metrics_of.setdefault(key, {})[metric.name] = None
    return "; ".join(
        f"most letters of {', '.join(names)} are {key[0]}, which {key[1]}={key[2]} of "
        f"{', '.join(metrics_of[key])} isn't for: {_advice(key[1], key[0])}"
        for key, names in columns_in.items()
    )


def _unfit(metric: Declarations, looked: Sample) -> Iterator[tuple[str, str]]:
    """The options that aren't for texts, with their values; a language alone, which sets others."""
    found = {
        option.name: repr(value)
        for option in (fields(metric) if looked.script else ())
        if option.metadata
        and not option.metadata["reads"](value := getattr(metric, option.name), looked)
    }
    yield from [("language", found["language"])] if "language" in found else found.items()


def _advice(option: str, script: str) -> str:
    if option == "language":
        return "give that of the texts, or don't use it where there is none"
    values = recommended(option.removeprefix("source_"), script)
    if not values:
        return "nothing here is, so don't use what depends on it"
    others = " or another language's" if len(values) > _NAMED else ""
    return f"give {option}={' or '.join(map(repr, values[: 1 if others else _NAMED]))}{others}"


def _given(column: Column, examples: Examples) -> list[list[str]]:
    """The texts of a column, each system's own; of several references the first."""
    parts = examples.systems.values() if column.own else [examples.shared]
    found = [part[column.name] for part in parts if column.name in part]
    return [[row[0] for row in rows] for rows in found] if column.kind == "texts" else found


def check_labelled(facts: Facts, system: str) -> None:
    """Check that a system has a label at all, or it would seem to be without errors."""
    if system in facts.unlabelled:
        label = column_label(facts.unlabelled[system], system)
        raise InputError(f"{label}: expected a label, got none in any row")


def columns_of(metrics: Collection[Declarations | type[Declarations]]) -> dict[str, Column]:
    """Name → column, of all columns of some metrics."""
    found: dict[str, Column] = {}
    for metric in metrics:
        for column in metric.columns:
            other = found.setdefault(column.name, column)
            if (column.kind, column.own, column.labels) != (other.kind, other.own, other.labels):
                raise InputError(
                    f"{column.name}: {metric.name} and another metric read different columns of "
                    "this name: score them one by one"
                )
    return found


def column_label(column: str, system: str) -> str:
    """What messages call a column of a system."""
    return column if system == ONE else f"{column} of {system}"


def check_known(given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Check the names of columns."""
    for name in given:
        if name not in known:
            raise InputError(
                f"unknown column {name!r}{nearest(name, known)}: expected {', '.join(known)}"
            )


def check_complete(
    metrics: Collection[Declarations | type[Declarations]],
    shared: Collection[str],
    systems: Mapping[str, Collection[str]],
) -> None:
    """Check that every column is there that a metric needs, and that all systems have the same."""
    for metric in metrics:
        for column in metric.columns:
            parts = systems if column.own else {ONE: shared}
            for system, given in parts.items():
                if column.required and column.name not in given:
                    label = column_label(column.name, system)
                    raise InputError(f"{label}: {metric.name} needs this column, got none")
    first = next(iter(systems), ONE)
    for system, own in systems.items():
        for name in sorted({*own} ^ {*systems[first]}):
            has, lacks = (system, first) if name in own else (first, system)
            raise InputError(f"{column_label(name, lacks)}: expected this column, as {has} has it")


def check_lengths(examples: Examples) -> None:
    """Check that all columns have as many rows."""
    parts: dict[str, list[Any]] = {}
    if SOURCES.name in examples.shared:  # named first, as sources are written before predictions
        parts[SOURCES.name] = examples.shared[SOURCES.name]
    for system, own in examples.systems.items():
        parts |= {column_label(name, system): rows for name, rows in own.items()}
    columns.check_lengths(**parts | dict(examples.shared))


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rows for name, rows in given.items() if rows is not None}
