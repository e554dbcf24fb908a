"""Examples: columns of equal length, checked once."""

from __future__ import annotations

import functools
import itertools
import re
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from textsimp.core import columns
from textsimp.core.declarations import Column, Declarations, count_references
from textsimp.core.option import Option
from textsimp.support.errors import InputError, nearest
from textsimp.text.languages import NAMES, LanguageProfile, detect, is_natural, recommended

__all__ = ["UNNAMED_SYSTEM", "Examples", "check", "columns_of"]

_MAX_VALUES = 3  # in a warning
_MIN_TEXTS = 5  # fewer show nothing
_LIBRARIES = re.compile(r"(textsimp|evaluate)(\.|$)")

UNNAMED_SYSTEM = ""  # the name of a single system
Metrics = Collection[Declarations | type[Declarations]]


class ScriptWarning(UserWarning):
    """An option doesn't fit the texts, their script or language, so scores mean little."""


@dataclass(frozen=True, eq=False)
class Examples:
    """Checked columns.

    Attributes:
        shared: Column → rows, of columns that all systems share, such as ``sources``.
        systems: System → column → rows, of its own columns, such as ``predictions``.
        reference_files: The file of each reference, where every one has its own.
        runs: System with several runs → their names in ``systems``.
        numbers: The number of each example in the files, from 1, if some were skipped there.
    """

    shared: Mapping[str, list[Any]]
    systems: Mapping[str, Mapping[str, list[Any]]]
    reference_files: Sequence[str] = ()
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)
    numbers: Sequence[int] = ()

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
        """A system's outputs, of several runs those of the first."""
        first = self.runs.get(system, [system])[0]
        return self.systems[first]["predictions"]

    def take(self, rows: Iterable[int]) -> Examples:
        """Return some of the examples by their numbers."""
        taken = list(rows)
        numbers = [self.numbers[i] for i in taken] if self.numbers else ()
        return replace(self.change(lambda _, column: [column[i] for i in taken]), numbers=numbers)

    def change(self, function: Callable[[str, list[Any]], list[Any]]) -> Examples:
        """Return examples with other columns, from the names and rows of these."""
        shared, *own = (
            {name: function(name, rows) for name, rows in part.items()}
            for part in (self.shared, *self.systems.values())
        )
        return replace(self, shared=shared, systems=dict(zip(self.systems, own, strict=True)))


def concatenate(parts: Sequence[Examples]) -> Examples:
    """Return the examples of several parts, which have the same systems and columns."""

    def join(columns: Sequence[Mapping[str, list[Any]]]) -> dict[str, list[Any]]:
        names = columns[0]
        return {name: [*itertools.chain(*(part[name] for part in columns))] for name in names}

    systems = {name: join([part.systems[name] for part in parts]) for name in parts[0].systems}
    return Examples(join([part.shared for part in parts]), systems, runs=parts[0].runs)


def check(
    metrics: Collection[Declarations], systems: Mapping[str, Any], shared: Mapping[str, Any]
) -> Examples:
    """Return the columns of users as `read` does, with a warning where options don't fit them."""
    examples = read(metrics, systems, shared)
    warn(metrics, examples)
    return examples


def read(
    metrics: Metrics, systems: Mapping[str, Any] | None, shared: Mapping[str, Any]
) -> Examples:
    """Check columns of users, see `arrange`."""
    declared = columns_of(metrics)
    common, own = arrange(metrics, systems, shared)
    labelled: dict[str, list[Any]] = {}
    for system, part in zip((UNNAMED_SYSTEM, *own), (common, *own.values()), strict=True):
        for name in [name for name in declared if name in part]:
            label = column_label(name, system)
            part[name] = columns.check_column(declared[name], part[name], label)
            labelled[label] = part[name]
    columns.check_lengths(**labelled)
    return Examples(common, own)


def arrange(
    metrics: Metrics, systems: Mapping[str, Any] | None, shared: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
    """Return the shared columns, and system → its columns, after a check of their names.

    A system has its predictions, or column → rows. Without systems the columns are all those of a
    single one.
    """
    declared = columns_of(metrics)
    own_names = [name for name, column in declared.items() if column.own]
    shared_names = [name for name in declared if name not in own_names or systems is None]
    if systems is None:
        systems = {UNNAMED_SYSTEM: {n: rows for n, rows in shared.items() if n in own_names}}
        shared = {name: rows for name, rows in shared.items() if name not in own_names}
    parts: list[dict[str, Any]] = []
    for part in (shared, *systems.values()):
        named = part if isinstance(part, Mapping) else {"predictions": part}
        parts.append({name: rows for name, rows in named.items() if rows is not None})
        check_names(parts[-1], shared_names if part is shared else own_names)
    own = dict(zip(systems, parts[1:], strict=True))
    check_complete(metrics, parts[0], own)
    return parts[0], own


def warn(metrics: Iterable[Declarations], examples: Examples) -> None:
    """Raise the warning of `check_scripts`, if any, at the line that called this package."""
    message = check_scripts(metrics, examples)
    if message:
        emit_warning(message)


def emit_warning(message: str, kind: type[UserWarning] = ScriptWarning) -> None:
    """Raise a warning at the line that called this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back and _LIBRARIES.match(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, kind, stacklevel=level)


def check_scripts(metrics: Iterable[Declarations], examples: Examples) -> str:
    """Return a line on options that don't fit the texts, their script or language, or ""."""
    profiles = functools.cache(lambda column: [*map(detect, _texts(column, examples))])
    natural = functools.cache(lambda column: any(map(is_natural, _texts(column, examples))))
    places: dict[_Misfit, tuple[dict[str, Any], dict[str, Any]]] = {}
    doubts: list[str] = []
    for metric in metrics:
        if getattr(metric, "lowercase", True) is False:
            doubts.append(_doubt_case(metric, examples))
        if metric.expected_references and examples.references:
            doubts.append(_doubt_references(metric, examples.references))
        if (getattr(metric, "split", ""), getattr(metric, "tokenizer", "")) == ("space", "none"):
            doubts.append(_doubt_spaces(metric, examples))
        doubts.append(metric.doubts(examples))
        for column in metric.columns:
            if column.kind not in ("text", "texts"):
                continue
            misfits = [one for texts in profiles(column) for one in _find_misfits(metric, texts)]
            for_tokens = [*_find_options_for_tokens(metric, column)]
            if for_tokens and natural(column):
                misfits += for_tokens
            for misfit in misfits:
                columns, names = places.setdefault(misfit, ({}, {}))
                columns[column.name] = names[metric.name] = None
    lines = [
        f"{misfit.look.format(', '.join(columns))}, which {misfit.option}{', '.join(names)} "
        f"{misfit.reason}"
        for misfit, (columns, names) in places.items()
    ]
    return "; ".join([*lines, *filter(None, dict.fromkeys(doubts))])


class _Misfit(NamedTuple):
    """How texts look, with {} for their columns; the option of a metric, if any; what to do."""

    look: str
    option: str
    reason: str


def _find_misfits(metric: Declarations, texts: LanguageProfile) -> Iterator[_Misfit]:
    """Yield options that aren't for such texts, of a language only that, or the metric itself."""
    if not texts.script:
        return
    look = f"most letters of {{}} are {texts.script}"
    if texts.languages:
        look = f"{{}} look {NAMES[texts.languages[0]]}"
    reason = metric.misfit(texts)
    if reason:
        yield _Misfit(look, "", f"isn't for: {reason}")
        return
    unfit = [
        option
        for option in metric.declared_options()
        if not option.reads(getattr(metric, option.name), texts) and metric.uses(option)
    ]
    of_language = [option for option in unfit if option.name == "language"]
    for option in of_language or unfit:
        value = f"{option.name}={getattr(metric, option.name)!r} of "
        yield _Misfit(look, value, f"isn't for: {_advice(option, texts)}")


def _find_options_for_tokens(metric: Declarations, column: Column) -> Iterator[_Misfit]:
    """Yield options that expect a column to be tokenised."""
    for option in metric.declared_options():
        value = getattr(metric, option.name)
        other_side = option.name.startswith("source_") and column.name != "sources"
        if isinstance(value, str) and value in option.for_tokens and not other_side:
            advice = f"tokenise them, or give {option.name}={option.for_tokens[value]!r}"
            value = f"{option.name}={value!r} of "
            yield _Misfit("{} aren't tokenised", value, f"expects: {advice}")


def _doubt_references(metric: Declarations, references: list[list[str]]) -> str:
    """Return a line on other numbers of references than the signature of a metric has."""
    expected = metric.expected_references
    counts = "-".join(map(str, dict.fromkeys(count_references(references))))
    text = f"{metric} was read from a signature of {expected} references, got {counts}"
    return text if counts != expected else ""


def _doubt_case(metric: Declarations, examples: Examples) -> str:
    """Return a line on texts in lower case beside others, if the metric minds case."""
    if len(examples) < _MIN_TEXTS:
        return ""
    whole = {name: "".join(texts) for name, texts in _text_columns(metric, examples).items()}
    lower = ", ".join(name for name, text in whole.items() if text.islower())
    other = ", ".join(name for name, text in whole.items() if text != text.lower())
    these = f"{lower} are in lower case, and {other} aren't"
    counts = f"which {metric.name} with lowercase=False counts: lowercase all texts or none"
    return f"{these}, {counts}" if lower and other else ""


def _doubt_spaces(metric: Declarations, examples: Examples) -> str:
    """Return a line on spaces that are words where texts are split at each."""
    counts = count_texts(metric, examples, lambda text: bool(text) and "  " in f" {text} ")
    return counts and (
        f"{counts} have spaces at an end, or several in a row, each of which is a word of "
        f"{metric.name} with split='space': strip them, or give split='whitespace'"
    )


def count_texts(
    metric: Declarations, examples: Examples, is_odd: Callable[[str], bool], share: float = 0
) -> str:
    """List how many texts of each column are odd, of columns with more than a share of them."""
    counts = []
    for name, texts in _text_columns(metric, examples).items():
        count = sum(map(is_odd, texts))
        if count > share * len(texts):
            counts.append(f"{count} of {len(texts)} {name}")
    return ", ".join(counts)


def _text_columns(metric: Declarations, examples: Examples) -> dict[str, list[str]]:
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


def _advice(option: Option, texts: LanguageProfile) -> str:
    if option.name == "language":
        code = f" ({texts.languages[0]!r})" if texts.languages else ""
        return f"give that of the texts{code}, or don't use it where there is none"
    others = [one for one in (*option.choices, *option.suggestions) if option.reads(one, texts)]
    values = recommended(option.name.removeprefix("source_"), texts) or others
    if not values:
        return "nothing here is, so give a function or don't use what depends on it"
    return f"give {option.name}={' or '.join(map(repr, values[:_MAX_VALUES]))}"


def absent(what: str, column: str, system: str) -> InputError:
    """Return the error of a system's column without a number or label in any row."""
    label = column_label(column, system)
    return InputError(f"{label}: expected a {what}, got none in any row")


def columns_of(metrics: Metrics) -> dict[str, Column]:
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
    metrics: Metrics, shared: Collection[str], systems: Mapping[str, Collection[str]]
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
