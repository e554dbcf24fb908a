"""Files that ``textsimp score`` writes, and the scores of examples in them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.core import statistics, tables
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric, Statistics
from textsimp.core.scores import Scores
from textsimp.metrics import catalogue
from textsimp.scoring import every_eval_ever
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files


@dataclass(frozen=True)
class Outputs:
    """The files that are asked for, and the number of the first example in them."""

    per_example: str | Path | None
    statistics: str | Path | None
    every_eval_ever: str | Path | None
    first_row: int
    overwrite: bool

    @property
    def paths(self) -> list[Path]:
        """The files."""
        files = (self.per_example, self.statistics, self.every_eval_ever)
        return [Path(file) for file in files if file]

    def check(self, metrics: Mapping[str, Metric]) -> None:
        """Check the options, and that the files can be written and describe the metrics."""
        check_integer("--first-row", self.first_row, 0, statistics.MOST_ROWS)
        given = {"--save-statistics": self.statistics, "--every-eval-ever": self.every_eval_ever}
        for option, file in given.items():
            if file == "":
                raise InputError(f"{option}: expected a file, got ''")
        if self.per_example:
            tables.check_ending("--per-example", self.per_example)
        if self.statistics:
            tables.check_ending("--save-statistics", self.statistics, [".parquet"])
            statistics.check(metrics, self.first_row)
        check_new(self.paths, overwrite=self.overwrite)

    def check_systems(self, systems: Sequence[str]) -> None:
        """Check that the files can have these systems."""
        if self.every_eval_ever:
            every_eval_ever.check_file(Path(self.every_eval_ever), len(systems))

    def write(
        self,
        measured: Mapping[str, Statistics],
        examples: Examples | None,
        scores: Mapping[str, Mapping[str, Scores]],
        sampling: Mapping[str, Any],
        data: str,
    ) -> None:
        """Write the files, all or none; ``data`` is the name of a test set or a file."""
        contents: dict[Path, Contents] = {}
        if self.per_example and examples:
            path = Path(self.per_example)
            first = self.first_row
            systems = (records(measured, examples, system, first) for system in examples.systems)
            rows = [*chain.from_iterable(systems)]
            contents[path] = tables.format_records(path, rows).encode()
        if self.statistics and examples:
            contents[Path(self.statistics)] = statistics.contents(measured, examples.shared)
        if self.every_eval_ever:
            path = Path(self.every_eval_ever)
            contents[path] = every_eval_ever.contents(path, scores, sampling, data)
        write_files(contents, overwrite=self.overwrite)


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
