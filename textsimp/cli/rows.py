"""A file of examples: their texts and every score of each, a row per example and system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from textsimp.core import tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric
from textsimp.core.statistics import Statistics
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError
from textsimp.support.files import Contents, check_new

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


def contents(
    path: Path, measured: Mapping[str, Statistics], examples: Examples, first: int
) -> Contents:
    """The contents of a file: the rows of a system stand together."""
    metrics = {name: one.metric for name, one in measured.items()}

    def write(file: BinaryIO) -> None:
        written, head = _WRITTEN[path.suffix.lower()], True
        for system in examples.systems:
            start = 0
            for part in examples.slices():
                end = start + len(part)
                statistics = {name: one.rows(system)[start:end] for name, one in measured.items()}
                rows = list(records(metrics, statistics, part, system, first + start))
                file.write(written(rows, head).encode())
                start, head = end, False

    return write


def records(
    metrics: Mapping[str, Metric],
    statistics: Mapping[str, Any],
    examples: Examples,
    system: str,
    first: int = 0,
) -> Iterator[Record]:
    """A record per example of a system: number, system, what was read, scores and details."""
    declared = columns_of(metrics.values())
    read = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {declared[name].usual[0]: column for name, column in read.items()}
    of_metrics = {
        name: _of_each(m, statistics[name], examples, system) for name, m in metrics.items()
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
