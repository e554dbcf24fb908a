"""A file of examples: their texts and every score of each, a row per example and system."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from textsimp import catalogue, tables
from textsimp.cli import show
from textsimp.columns import InputError
from textsimp.examples import Examples, columns_of
from textsimp.files import check_new, write_files
from textsimp.scores import Scores

Record = dict[str, Any]

_PER_EXAMPLE = "_per_example"


_WRITTEN: Mapping[str, Callable[[list[Record]], str]] = {
    ".tsv": lambda records: tables.delimited(records, "\t"),
    ".csv": tables.delimited,
    ".jsonl": lambda records: tables.json_lines(map(show.finite, records)),
}


def check(path: Path, force: bool) -> None:
    """Check that a file can be written.

    Raises:
        InputError: Its name ends otherwise than those there are, or see `textsimp.files.check_new`.
    """
    if path.suffix.lower() not in _WRITTEN:
        raise InputError(
            f"--per-example: expected a file that ends with .tsv, .csv or .jsonl, got {path}"
        )
    check_new([path], overwrite=force)


def write(
    path: Path, found: Mapping[str, Mapping[str, Scores]], examples: Examples, force: bool
) -> None:
    """Write every example of every system, whole or not at all.

    Args:
        path: The file; its ending says how.
        found: Metric → system → scores, with those of each example.
        examples: What was scored.
        force: Whether the file may be there already.
    """
    contents = _WRITTEN[path.suffix.lower()](list(records(found, examples)))
    write_files({path: contents.encode()}, overwrite=force)


def records(found: Mapping[str, Mapping[str, Scores]], examples: Examples) -> Iterator[Record]:
    """A record per system and example: number, system, what was read, scores and details."""
    first = {metric: next(iter(systems.values())) for metric, systems in found.items()}
    declared = columns_of([scores.metric for scores in first.values()])
    keys = {
        metric: [key for key in scores if key.endswith(_PER_EXAMPLE)]
        for metric, scores in first.items()
    }
    names = {
        metric: [key.removesuffix(_PER_EXAMPLE) for key in of_metric]
        for metric, of_metric in keys.items()
    }
    read = [column.usual[0] for column in declared.values()]
    labels = catalogue.labels({"": ["row", "system", *read], **names})
    for system, own in examples.systems.items():
        rows = {
            declared[name].usual[0]: column
            for name, column in (*examples.shared.items(), *own.items())
        }
        for metric, of_metric in keys.items():
            scores = found[metric][system]
            rows |= {
                labels[metric][key.removesuffix(_PER_EXAMPLE)]: scores[key] for key in of_metric
            }
        for i in range(len(examples)):
            numbered = {"row": i + 1, "system": system}
            yield numbered | {name: values[i] for name, values in rows.items()}
