"""Examples: columns of equal length, checked once."""

from __future__ import annotations

import itertools
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import Column, Declarations, count_references
from textsimp.support.errors import InputError, nearest
from textsimp.text.languages import NAMES, LanguageProfile, detect, is_natural, recommended

_MAX_VALUES = 3  # in a warning
_MIN_TEXTS = 5  # fewer show nothing
_LIBRARIES = re.compile(r"(textsimp|evaluate)(\.|$)")

UNNAMED_SYSTEM = ""  # the name of a single system


class ScriptWarning(UserWarning):
    """An option doesn't fit the texts, their script or language, so scores mean little."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Checked columns.

    Attributes:
        shared: Column → rows, of columns that all systems share, such as ``sources``.
        systems: System → column → rows, of its own columns, such as ``predictions``.
        reference_files: The file of each reference, where every one has its own.
    """

    shared: Mapping[str, list[Any]]
    systems: Mapping[str, Mapping[str, list[Any]]]
    reference_files: Sequence[str] = ()

    def __len__(self) -> int:
        own = next(iter(self.systems.values()))
        return len(next(iter(own.values())))

    @property
    def sources(self) -> list[str] | None:
        """The original texts, if there are any."""
        return self.shared.get("sources")

    @property
    def references(self) -> list[list[str]] | None:
        """One or more references per source, if there are any."""
        return self.shared.get("references")

    def predictions(self, system: str = UNNAMED_SYSTEM) -> list[str]:
        """A system's outputs."""
        return self.systems[system]["predictions"]

    def take(self, rows: Iterable[int]) -> Examples:
        """Return some of the examples by their numbers."""
        taken = list(rows)
        return self.change(lambda _, column: [column[i] for i in taken])

    def change(self, function: Callable[[str, list[Any]], list[Any]]) -> Examples:
        """Return examples with other columns, from the names and rows of these."""
        shared, *own = (
            {name: function(name, rows) for name, rows in part.items()}
            for part in (self.shared, *self.systems.values())
        )
        return replace(self, shared=shared, systems=dict(zip(self.systems, own, strict=True)))


@dataclass(frozen=True)
class CorpusInfo:
    """Facts about examples that scores need besides statistics."""

    examples: int
    shared: tuple[str, ...]  # names of the columns that all systems share
    references: tuple[int, int] | None  # the fewest and the most of an example

    @classmethod
    def of(cls, examples: Examples) -> CorpusInfo:
        """Collect the facts about examples."""
        counts = examples.references and count_references(examples.references)
        return cls(len(examples), tuple(examples.shared), counts or None)

    def join(self, other: CorpusInfo) -> CorpusInfo:
        """Join the facts of two sets of examples."""
        counts = [part.references for part in (self, other) if part.references]
        return CorpusInfo(
            self.examples + other.examples,
            self.shared,
            (min(c[0] for c in counts), max(c[1] for c in counts)) if counts else None,
        )


def check(
    metrics: Collection[Declarations],
    systems: Mapping[str, Any],
    shared: Mapping[str, Any],
) -> Examples:
    """Return the columns of users as `read` does, with a warning where options don't fit them."""
    examples = read(metrics, systems, shared)
    warn(metrics, examples)
    return examples


def read(
    metrics: Collection[Declarations | type[Declarations]],
    systems: Mapping[str, Any],
    shared: Mapping[str, Any],
) -> Examples:
    """Check columns of users: system → predictions, or → column → rows; and shared columns."""
    declared = columns_of(metrics)
    own_columns = {
        name: _present(own if isinstance(own, Mapping) else {"predictions": own})
        for name, own in systems.items()
    }
    shared = _present(shared)
    check_names(shared, [name for name, column in declared.items() if not column.own])
    for own in own_columns.values():
        check_names(own, [name for name, column in declared.items() if column.own])
    check_complete(metrics, shared, own_columns)

    def check_each(given: Mapping[str, Any], system: str = UNNAMED_SYSTEM) -> dict[str, list[Any]]:
        labels = {name: column_label(name, system) for name in declared if name in given}
        return {n: columns.check_column(declared[n], given[n], labels[n]) for n in labels}

    systems = {system: check_each(own, system) for system, own in own_columns.items()}
    examples = Examples(check_each(shared), systems)
    parts = dict(examples.shared)
    for system, own in systems.items():
        parts |= {column_label(name, system): rows for name, rows in own.items()}
    columns.check_lengths(**parts)
    return examples


def read_system(
    metrics: Collection[Declarations | type[Declarations]], columns: Mapping[str, Any]
) -> Examples:
    """Check all columns of a single system, by their names."""
    declared, given = columns_of(metrics), _present(columns)
    check_names(given, [*declared])
    own = {name: rows for name, rows in given.items() if declared[name].own}
    shared = {name: rows for name, rows in given.items() if name not in own}
    return read(metrics, {UNNAMED_SYSTEM: own}, shared)


def warn(metrics: Iterable[Declarations], examples: Examples) -> None:
    """Raise the warning of `check_scripts`, if any, at the line that called this package."""
    emit_warning(check_scripts(metrics, examples))


def emit_warning(message: str, kind: type[UserWarning] = ScriptWarning) -> None:
    """Raise a warning, unless it is empty, at the line that called this package."""
    if message:
        level, frame = 2, sys._getframe(1)
        while frame.f_back and _LIBRARIES.match(frame.f_globals.get("__name__", "")):
            level, frame = level + 1, frame.f_back
        warnings.warn(message, kind, stacklevel=level)


def check_scripts(metrics: Iterable[Declarations], examples: Examples) -> str:
    """Return a line on options that don't fit the texts, their script or language, or ""."""
    found: dict[tuple[LanguageProfile, str, str], tuple[dict[str, Any], dict[str, Any]]] = {}
    profiles: dict[str, list[LanguageProfile]] = {}
    doubts: list[str] = []
    metrics = [*metrics]
    for metric in metrics:
        general = (_doubt_case, _doubt_references, _doubt_spaces)
        found_doubts = [*(doubt(metric, examples) for doubt in general), metric.doubts(examples)]
        doubts += filter(None, found_doubts)
        for column in metric.columns:
            if column.kind not in ("text", "texts"):
                continue
            if column.name not in profiles:
                profiles[column.name] = [*map(detect, _texts(column, examples))]
            for letters in profiles[column.name]:
                for name, value in _unfit_options(metric, letters).items():
                    key = LanguageProfile(letters.script, True, letters.languages[:1]), name, value
                    columns, names = found.setdefault(key, ({}, {}))
                    columns[column.name] = names[metric.name] = None
    unfit = []
    for (letters, option, value), (columns, names) in found.items():
        look = f"most letters of {', '.join(columns)} are {letters.script}"
        if letters.languages:
            look = f"{', '.join(columns)} look {NAMES[letters.languages[0]]}"
        what, advice = ", ".join(names), value
        if option:
            what, advice = f"{option}={value} of {what}", _advice(option, letters)
        unfit.append(f"{look}, which {what} isn't for: {advice}")
    return "; ".join([*unfit, *_doubt_tokens(metrics, examples), *dict.fromkeys(doubts)])


def _doubt_tokens(metrics: Iterable[Declarations], examples: Examples) -> list[str]:
    """Return lines on texts that aren't tokenised, beside options for tokenised text."""
    natural: dict[str, bool] = {}
    found: dict[tuple[str, str, str], tuple[dict[str, Any], dict[str, Any]]] = {}
    for metric, option in ((one, each) for one in metrics for each in one.declared_options()):
        value = getattr(metric, option.name)
        if not isinstance(value, str) or value not in option.for_tokens:
            continue
        for column in metric.columns:
            own = column.name == "sources" or not option.name.startswith("source_")
            if column.kind not in ("text", "texts") or not own:
                continue
            if column.name not in natural:
                natural[column.name] = any(map(is_natural, _texts(column, examples)))
            if natural[column.name]:
                key = option.name, value, option.for_tokens[value]
                columns, names = found.setdefault(key, ({}, {}))
                columns[column.name] = names[metric.name] = None
    return [
        f"{', '.join(columns)} aren't tokenised, which {option}={value!r} of {', '.join(names)} "
        f"expects: tokenise them, or give {option}={instead!r}"
        for (option, value, instead), (columns, names) in found.items()
    ]


def _doubt_references(metric: Declarations, examples: Examples) -> str:
    """Return a line on other numbers of references than the signature of a metric has."""
    expected, references = metric.expected_references, examples.references
    if not expected or not references:
        return ""
    counts = "-".join(map(str, dict.fromkeys(count_references(references))))
    text = f"{metric} was read from a signature of {expected} references, got {counts}"
    return text if counts != expected else ""


def _doubt_case(metric: Declarations, examples: Examples) -> str:
    """Return a line on texts in lower case beside others, if the metric minds case."""
    if getattr(metric, "lowercase", True) is not False or len(examples) < _MIN_TEXTS:
        return ""
    whole = {name: "".join(texts) for name, texts in text_columns(metric, examples).items()}
    lower = ", ".join(name for name, text in whole.items() if text.islower())
    other = ", ".join(name for name, text in whole.items() if text != text.lower())
    these = f"{lower} are in lower case, and {other} aren't"
    counts = f"which {metric.name} with lowercase=False counts: lowercase all texts or none"
    return f"{these}, {counts}" if lower and other else ""


def _doubt_spaces(metric: Declarations, examples: Examples) -> str:
    """Return a line on spaces that are words where texts are split at each."""
    split = getattr(metric, "split", ""), getattr(metric, "tokenizer", "")
    if split != ("space", "none"):
        return ""
    columns = text_columns(metric, examples)
    counts = {n: sum("  " in f" {text} " for text in rows if text) for n, rows in columns.items()}
    found = ", ".join(f"{count} of {len(columns[n])} {n}" for n, count in counts.items() if count)
    return found and (
        f"{found} have spaces at an end, or several in a row, each of which is a word of "
        f"{metric.name} with split='space': strip them, or give split='whitespace'"
    )


def text_columns(metric: Declarations, examples: Examples) -> dict[str, list[str]]:
    """Return label → all texts of each column that a metric reads, of each system."""
    kinds = {column.name: column.kind for column in metric.columns}
    columns: dict[str, list[str]] = {}
    for system, part in ((UNNAMED_SYSTEM, examples.shared), *examples.systems.items()):
        for name, rows in part.items():
            if kinds.get(name) == "text":
                columns[column_label(name, system)] = rows
            if kinds.get(name) == "texts":
                columns[column_label(name, system)] = [*itertools.chain.from_iterable(rows)]
    return columns


def _texts(column: Column, examples: Examples) -> list[list[str]]:
    """The texts of a column for each system; of several references the first."""
    parts = examples.systems.values() if column.own else [examples.shared]
    rows = [part[column.name] for part in parts if column.name in part]
    if column.kind == "texts":
        rows = [[references[0] for references in column if references] for column in rows]
    return rows


def _unfit_options(metric: Declarations, letters: LanguageProfile) -> dict[str, str]:
    """Return option → value of options not meant for a script; of a language only that.

    If the metric itself isn't, return "" → the reason.
    """
    options: dict[str, str] = {}
    if not letters.script:
        return options
    misfit = metric.misfit(letters)
    if misfit:
        return {"": misfit}
    for option in metric.declared_options():
        value = getattr(metric, option.name)
        if metric.uses(option) and not option.reads(value, letters):
            options[option.name] = repr(value)
    return {"language": options["language"]} if "language" in options else options


def _advice(option: str, texts: LanguageProfile) -> str:
    if option == "language":
        code = f" ({texts.languages[0]!r})" if texts.languages else ""
        return f"give that of the texts{code}, or don't use it where there is none"
    values = recommended(option.removeprefix("source_"), texts)
    if not values:
        return "nothing here is, so don't use what depends on it"
    return f"give {option}={' or '.join(map(repr, values[:_MAX_VALUES]))}"


def check_labels_exist(declared: Iterable[Column], examples: Examples) -> None:
    """Check that systems have a label: without any one would seem to be without errors."""
    names = [column.name for column in declared if column.kind == "labels"]
    for system, own in examples.systems.items():
        present = [name for name in names if name in own]
        if present and not any(any(own[name]) for name in present):  # rows are lists of labels
            label = column_label(", ".join(present), system)
            raise InputError(f"{label}: expected a label, got none in any row")


def columns_of(metrics: Collection[Declarations | type[Declarations]]) -> dict[str, Column]:
    """Return name → column for the columns of all metrics."""
    columns: dict[str, Column] = {}
    for metric in metrics:
        for column in metric.columns:
            other = columns.setdefault(column.name, column)
            if (column.kind, column.own, column.labels) != (other.kind, other.own, other.labels):
                raise InputError(
                    f"{column.name}: {metric.name} and another metric read different columns of "
                    "this name: score them one by one"
                )
    return columns


def column_label(column: str, system: str) -> str:
    """Return the name of a system's column in messages."""
    return column if system == UNNAMED_SYSTEM else f"{column} of {system}"


def check_names(names: Iterable[str], legal: Sequence[str]) -> None:
    """Check the names of columns."""
    for name in names:
        if name not in legal:
            raise InputError(
                f"unknown column {name!r}{nearest(name, legal)}: expected {', '.join(legal)}"
            )


def check_complete(
    metrics: Collection[Declarations | type[Declarations]],
    shared: Collection[str],
    systems: Mapping[str, Collection[str]],
) -> None:
    """Check that no required column is missing, and that all systems have the same columns."""
    for metric in metrics:
        for column in metric.columns:
            parts = systems if column.own else {UNNAMED_SYSTEM: shared}
            for system, names in parts.items():
                if column.required and column.name not in names:
                    label = column_label(column.name, system)
                    raise InputError(f"{label}: {metric.name} needs this column, got none")
    first = next(iter(systems), UNNAMED_SYSTEM)
    for system, own in systems.items():
        for name in sorted({*own} ^ {*systems[first]}):
            has, lacks = (system, first) if name in own else (first, system)
            raise InputError(f"{column_label(name, lacks)}: expected this column, as {has} has it")


def _present(columns: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rows for name, rows in columns.items() if rows is not None}
