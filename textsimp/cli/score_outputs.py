"""Files that ``textsimp score`` writes, and the scores of examples in them."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core import statistics, tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric, Statistics
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files


@dataclass(frozen=True)
class SavedFiles:
    """The files that a command is to write, and the number of the first example in them."""

    per_example: str | Path | None  # "" for the scores of examples in what --json prints
    statistics: str | Path | None
    first_row: int
    overwrite: bool

    @property
    def paths(self) -> list[Path]:
        """The files."""
        return [Path(file) for file in (self.per_example, self.statistics) if file]

    def check(self, metrics: Mapping[str, Metric], form: str) -> None:
        """Check that the files can be written and hold what these metrics compute."""
        if self.per_example == "" and form != "json":
            raise InputError("--per-example needs a FILE, or --json")
        check_integer("--first-row", self.first_row, 0, statistics.MOST_ROWS)
        if self.per_example:
            tables.check_ending("--per-example", self.per_example)
        if self.statistics == "":
            raise InputError("--save-statistics: expected a file, got ''")
        if self.statistics:
            tables.check_ending("--save-statistics", self.statistics, [".parquet"])
            statistics.check(metrics, self.first_row)
        check_new(self.paths, overwrite=self.overwrite)

    def write(self, measured: Mapping[str, Statistics], examples: Examples | None) -> None:
        """Write the files, all or none; statistics without texts need none."""
        contents: dict[Path, Contents] = {}
        if self.per_example and examples:
            path, first = Path(self.per_example), self.first_row
            systems = (records(measured, examples, system, first) for system in examples.systems)
            rows = [*chain.from_iterable(systems)]
            contents[path] = tables.format_records(path, rows).encode()
        if self.statistics and examples:
            contents[Path(self.statistics)] = statistics.contents(measured, examples.shared)
        write_files(contents, overwrite=self.overwrite)


def records(
    statistics: Mapping[str, Statistics], examples: Examples, system: str, first: int = 0
) -> Iterator[dict[str, Any]]:
    """Iterate over records of examples: number, system, columns, scores and details."""
    declared = columns_of([measured.metric for measured in statistics.values()])
    titles = {name: column.usual_names[0] for name, column in declared.items()}
    columns = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {titles[name]: column for name, column in columns.items()}
    metric_scores = {
        name: _scores(measured.metric, measured.systems[system], examples, system)
        for name, measured in statistics.items()
    }
    labels = catalogue.labels({"": ["row", "system", *titles.values()], **metric_scores})
    for name, scores in metric_scores.items():
        rows |= {labels[name][key]: values for key, values in scores.items()}
    for i in range(len(examples)):
        numbered = {"row": first + i + 1, "system": system}
        yield numbered | {name: values[i] for name, values in rows.items()}


def _scores(metric: Metric, rows: Any, examples: Examples, system: str) -> dict[str, list[Any]]:
    """Scores, those of outputs first, and details of each example."""
    scores, details = metric.score_examples(rows, examples, system)
    sides = [*SIDES]
    names = sorted(scores, key=lambda name: sides.index(metric.split_score_name(name)[0]))
    return {name: scores[name] for name in names} | details
