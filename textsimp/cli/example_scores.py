"""Files with the texts and scores of examples, a row per example and system."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core import tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric
from textsimp.core.statistics import Statistics
from textsimp.metrics import catalogue


def contents(
    path: Path, statistics: Mapping[str, Statistics], examples: Examples, first: int
) -> bytes:
    """Return the contents of a file; the rows of a system are consecutive."""
    systems = (records(statistics, examples, system, first) for system in examples.systems)
    return tables.format_records(path, [*chain.from_iterable(systems)]).encode()


def records(
    statistics: Mapping[str, Statistics], examples: Examples, system: str, first: int = 0
) -> Iterator[dict[str, Any]]:
    """Iterate over records of examples: number, system, columns, scores and details."""
    declared = columns_of([one.metric for one in statistics.values()])
    read = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {
        declared[name].usual_names[0]: column for name, column in read.items()
    }
    metric_scores = {
        name: _scores(one.metric, one.systems[system], examples, system)
        for name, one in statistics.items()
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
