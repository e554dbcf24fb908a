"""Files with the texts and scores of examples, a row per example and system."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric
from textsimp.core.statistics import Statistics
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError

Record = dict[str, Any]

_FORMATS: Mapping[str, Callable[[list[Record]], str]] = {
    ".tsv": lambda records: tables.format_csv(records, "\t"),
    ".csv": tables.format_csv,
    ".jsonl": lambda records: tables.json_lines(map(tables.finite, records)),
}


def check_ending(path: Path) -> None:
    """Check that a file can have the scores of examples."""
    if path.suffix.lower() not in _FORMATS:
        raise InputError(
            f"--per-example: expected a file that ends with .tsv, .csv or .jsonl, got {path}"
        )


def contents(
    path: Path, statistics: Mapping[str, Statistics], examples: Examples, first: int
) -> bytes:
    """Return the contents of a file; the rows of a system are consecutive."""
    metrics = {name: one.metric for name, one in statistics.items()}
    lines: list[Record] = []
    for system in examples.systems:
        rows = {name: one.systems[system] for name, one in statistics.items()}
        lines += records(metrics, rows, examples, system, first)
    return _FORMATS[path.suffix.lower()](lines).encode()


def records(
    metrics: Mapping[str, Metric],
    statistics: Mapping[str, Any],
    examples: Examples,
    system: str,
    first: int = 0,
) -> Iterator[Record]:
    """Iterate over records of examples: number, system, columns, scores and details."""
    declared = columns_of(metrics.values())
    read = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {
        declared[name].usual_names[0]: column for name, column in read.items()
    }
    metric_scores = {
        name: _scores(m, statistics[name], examples, system) for name, m in metrics.items()
    }
    names = [column.usual_names[0] for column in declared.values()]
    labels = catalogue.labels({"": ["row", "system", *names], **metric_scores})
    for name, columns in metric_scores.items():
        rows |= {labels[name][key]: values for key, values in columns.items()}
    for i in range(len(examples)):
        numbered = {"row": first + i + 1, "system": system}
        yield numbered | {name: values[i] for name, values in rows.items()}


def _scores(metric: Metric, rows: Any, examples: Examples, system: str) -> dict[str, list[Any]]:
    """Scores, those of outputs first, and details of each example."""
    scores, details = metric.score_examples(rows, examples, system)
    sides = [*SIDES]
    names = sorted(scores, key=lambda name: sides.index(metric.split_score_name(name)[0]))
    return {name: scores[name] for name in names} | details
