"""Examples: columns of equal length, checked once, at a door, and trusted afterwards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from textsimp import columns
from textsimp.columns import InputError, nearest
from textsimp.declarations import SOURCES, Column

if TYPE_CHECKING:
    from textsimp.metric import Metric

ONE = ""  # the name of the only system, where it has none


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

    def take(self, rows: Iterable[int]) -> Examples:
        """Some of the examples, by their numbers."""
        rows = list(rows)
        shared, *own = (
            {name: [column[i] for i in rows] for name, column in part.items()}
            for part in (self.shared, *self.systems.values())
        )
        return Examples(shared, dict(zip(self.systems, own, strict=True)))


def check(
    metrics: Collection[Metric | type[Metric]],
    systems: Mapping[str, Any],
    shared: Mapping[str, Any],
) -> Examples:
    """Check what a user hands in.

    Args:
        metrics: Whose columns they are: none but these, and all that one of them needs.
        systems: Name → predictions, or column → rows where a metric reads more than these.
        shared: Column → rows, None for those that weren't given.

    Raises:
        InputError: A column that is missing, unknown, wrong (see `textsimp.columns`) or longer than
            another.
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
            found_shared[name] = columns.checked(column, present[name])
        for system, own in given.items():
            if name in own:
                found[system][name] = columns.checked(column, own[name], called(name, system))
    examples = Examples(found_shared, found)
    check_lengths(examples)
    return examples


def check_labelled(declared: Iterable[Column], examples: Examples, system: str) -> None:
    """Check that a system has a label at all, or it would seem to be without errors.

    Raises:
        InputError: All rows of all its columns of labels are empty.
    """
    own = examples.systems[system]
    names = [column.name for column in declared if column.kind == "labels" and column.name in own]
    if names and not any(any(own[name]) for name in names):  # rows are lists of labels
        raise InputError(
            f"{called(', '.join(names), system)}: expected a label, got none in any row"
        )


def columns_of(metrics: Collection[Metric | type[Metric]]) -> dict[str, Column]:
    """Name → column, of all columns of some metrics.

    Raises:
        InputError: Two of them read different things under one name.
    """
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


def called(column: str, system: str) -> str:
    """What messages call a column of a system."""
    return column if system == ONE else f"{column} of {system}"


def check_known(given: Mapping[str, Any], known: Sequence[str]) -> None:
    """Check the names of columns.

    Raises:
        InputError: An unknown one; the message lists those there are.
    """
    for name in given:
        if name not in known:
            raise InputError(
                f"unknown column {name!r}{nearest(name, known)}: expected {', '.join(known)}"
            )


def check_complete(
    metrics: Collection[Metric | type[Metric]],
    shared: Collection[str],
    systems: Mapping[str, Collection[str]],
) -> None:
    """Check that every column is there that a metric needs, and that all systems have the same.

    Raises:
        InputError: One is missing; the message names the metric or system.
    """
    for metric in metrics:
        for column in metric.columns:
            parts = systems if column.own else {ONE: shared}
            for system, given in parts.items():
                if column.required and column.name not in given:
                    raise InputError(
                        f"{called(column.name, system)}: {metric.name} needs this column, got none"
                    )
    first = next(iter(systems), ONE)
    for system, own in systems.items():
        for name in sorted({*own} ^ {*systems[first]}):
            has, lacks = (system, first) if name in own else (first, system)
            raise InputError(f"{called(name, lacks)}: expected this column, as {has} has it")


def check_lengths(examples: Examples) -> None:
    """Check that all columns have as many rows.

    Raises:
        InputError: See `textsimp.columns.check_lengths`.
    """
    parts: dict[str, list[Any]] = {}
    if SOURCES.name in examples.shared:  # named first, as sources are written before predictions
        parts[SOURCES.name] = examples.shared[SOURCES.name]
    for system, own in examples.systems.items():
        parts |= {called(name, system): rows for name, rows in own.items()}
    columns.check_lengths(**parts | dict(examples.shared))


def _present(given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: rows for name, rows in given.items() if rows is not None}
