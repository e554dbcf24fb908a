"""A file of examples: their texts and every score of each, a row per example and system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from textsimp.core import tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric
from textsimp.core.statistics import Found
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError
from textsimp.support.files import check_new

Record = dict[str, Any]

_WRITTEN: Mapping[str, Callable[[list[Record], bool], str]] = {
    ".tsv": lambda records, head: tables.delimited(records, "\t", head=head),
    ".csv": lambda records, head: tables.delimited(records, head=head),
    ".jsonl": lambda records, head: tables.json_lines(map(tables.finite, records)),
}


def check(path: Path, force: bool) -> None:
    """Check that a file can be written.

    Raises:
        InputError: Its name ends otherwise than those there are, or see `files.check_new`.
    """
    if path.suffix.lower() not in _WRITTEN:
        raise InputError(
            f"--per-example: expected a file that ends with .tsv, .csv or .jsonl, got {path}"
        )
    check_new([path], overwrite=force)


class Collected:
    """Slices of examples with their statistics: the rows of a system stand together in the file."""

    def __init__(self, path: Path, metrics: Mapping[str, Metric]) -> None:
        self._written = _WRITTEN[path.suffix.lower()]
        self._metrics = metrics
        self._parts: list[tuple[Examples, int, Found]] = []

    def add(self, part: Examples, first: int, statistics: Found) -> None:
        """Add examples, the first of which has this number."""
        self._parts.append((part, first, statistics))

    def write(self, file: BinaryIO) -> None:
        """Write all rows."""
        systems = self._parts[0][0].systems
        head = True
        for system in systems:
            for part, first, statistics in self._parts:
                rows = list(records(self._metrics, statistics, part, system, first))
                file.write(self._written(rows, head).encode())
                head = False


def records(
    metrics: Mapping[str, Metric], found: Found, examples: Examples, system: str, first: int = 0
) -> Iterator[Record]:
    """A record per example of a system: number, system, what was read, scores and details."""
    declared = columns_of(metrics.values())
    read = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {declared[name].usual[0]: column for name, column in read.items()}
    of_metrics = {
        name: _of_each(m, found[name][system], examples, system) for name, m in metrics.items()
    }
    names = [column.usual[0] for column in declared.values()]
    labels = catalogue.labels({"": ["row", "system", *names], **of_metrics})
    for name, of_metric in of_metrics.items():
        rows |= {labels[name][key]: values for key, values in of_metric.items()}
    for i in range(len(examples)):
        numbered = {"row": first + i + 1, "system": system}
        yield numbered | {name: values[i] for name, values in rows.items()}


def _of_each(metric: Metric, rows: Any, examples: Examples, system: str) -> dict[str, list[Any]]:
    """Scores, those of outputs first, and details of each example."""
    scores, details = metric.of_each(rows, examples, system)
    sides = [*SIDES]
    names = sorted(scores, key=lambda name: sides.index(metric.side_of(name)[0]))
    return {name: scores[name] for name in names} | details
