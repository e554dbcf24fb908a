"""Files that ``textsimp score`` writes: scores of examples, statistics, results for the Hub."""

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import click

from textsimp.cli.data_arguments import Files
from textsimp.cli.score import Request
from textsimp.core import joined_statistics, statistics_files, tables
from textsimp.core.comparisons import Comparisons
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric, Statistics
from textsimp.core.statistics_files import StatisticsFile
from textsimp.hub.eval_results import (
    ModelScore,
    find_benchmark,
    format_eval_results,
    format_model_index,
)
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files


def check(request: Request) -> None:
    """Check that files can be written and hold what the metrics compute."""
    if request.per_example == "" and request.form != "json":
        raise InputError("--per-example needs a FILE, or --json")
    check_integer("--first-row", request.first_row, 0, statistics_files.MOST_ROWS)
    if request.per_example:
        tables.check_ending("--per-example", request.per_example)
    if request.save_statistics == "":
        raise InputError("--save-statistics: expected a file, got ''")
    if request.save_statistics:
        tables.check_ending("--save-statistics", request.save_statistics, [".parquet"])
        statistics_files.check(request.metrics, request.first_row)
    files = [Path(path) for path in (request.per_example, request.save_statistics) if path]
    check_new(files, overwrite=request.force)


class RowsFile:
    """A file of scores of examples; their rows wait on disk, since those of a system are together.

    A part holds the rows of a system.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._folder = click.get_current_context().with_resource(tempfile.TemporaryDirectory())
        self._parts: dict[str, Path] = {}

    def add(self, measured: Mapping[str, Statistics], examples: Examples, first: int) -> None:
        """Add the rows of a batch, of which the first has this number."""
        for number, system in enumerate(examples.systems):
            rows = [*records(measured, examples, system, first)]
            text = tables.format_records(self.path, rows, header=not self._parts)
            part = self._parts.setdefault(system, Path(self._folder, str(number)))
            with part.open("ab") as file:
                file.write(text.encode())

    def write(self, file: BinaryIO) -> None:
        """Write all rows, those of the first system first."""
        for part in self._parts.values():
            with part.open("rb") as rows:
                shutil.copyfileobj(rows, file)


def write(
    request: Request,
    rows: RowsFile | None,
    measured: Mapping[str, Statistics],
    parts: Sequence[StatisticsFile],
) -> list[Path]:
    """Write the files that are asked for, all or none, and return them.

    ``measured`` are the statistics of all examples, which were measured in ``parts``.
    """
    contents: dict[Path, Contents] = {}
    if rows is not None:
        contents[rows.path] = rows.write
    if request.save_statistics:
        whole = StatisticsFile("the texts", measured, joined_statistics.add_digests(parts))
        contents[Path(request.save_statistics)] = statistics_files.pack(whole)
    write_files(contents, overwrite=request.force)
    return [*contents]


def records(
    measured: Mapping[str, Statistics], examples: Examples, system: str, first: int = 0
) -> Iterator[dict[str, Any]]:
    """Iterate over records of examples: number, system, columns, scores and details."""
    declared = columns_of([statistics.metric for statistics in measured.values()])
    titles = {name: column.usual_names[0] for name, column in declared.items()}
    columns = {**examples.shared, **examples.systems[system]}
    rows: dict[str, list[Any]] = {titles.get(name, name): rows for name, rows in columns.items()}
    metric_scores = {
        name: _scores(statistics.metric, statistics.systems[system], examples, system)
        for name, statistics in measured.items()
    }
    labels = catalogue.labels({"": ["row", "system", *titles.values()], **metric_scores})
    for name, scores in metric_scores.items():
        rows |= {labels[name][key]: values for key, values in scores.items()}
    for i in range(len(examples)):
        numbered = {"row": first + i + 1, "system": system}
        yield numbered | {name: values[i] for name, values in rows.items()}


def _scores(metric: Metric, rows: Any, examples: Examples, system: str) -> dict[str, list[Any]]:
    """Return scores, those of outputs first, and details of each example."""
    scores, details = metric.score_examples(rows, examples, system)
    sides = [*SIDES]
    names = sorted(scores, key=lambda name: sides.index(metric.split_score_name(name)[0]))
    return {name: scores[name] for name in names} | details


class HubFiles:
    """Files for the Hugging Face Hub: results of one system on a test set that can be named."""

    def __init__(
        self,
        eval_results: str | Path | None,
        model_index: str | Path | None,
        files: Files,
        overwrite: bool,
    ) -> None:
        self.eval_results, self.model_index, self.overwrite = eval_results, model_index, overwrite
        paths = {"--eval-results": eval_results, "--model-index": model_index}
        for option, path in paths.items():
            if path is not None:
                tables.check_ending(option, path, [".yaml"])
        check_new([Path(path) for path in paths.values() if path], overwrite=overwrite)
        self.benchmark = find_benchmark(files.test_set, files.data, files.config, files.split)
        if eval_results and "/" not in self.benchmark.id:
            raise InputError(
                f"--eval-results: {self.benchmark.id} is no dataset on the Hugging Face Hub, to "
                "which results belong; --model-index takes any test set"
            )
        if files.missing == "skip":
            raise InputError("results on the Hub are of all examples, without --missing skip")

    def write(self, comparisons: Comparisons) -> Sequence[Path]:
        """Write the files of the one system, and return them."""
        first = next(iter(comparisons.values()))
        names = [name for name in first.systems if name not in first.baselines]
        if len(names) > 1:
            raise InputError(f"results on the Hub are of one model, got {', '.join(names)}")
        scores = []
        for metric, x in comparisons.items():
            value = x.systems[names[0]].main.value
            if value is not None:
                scores.append(
                    ModelScore(metric, x.metric.heading(x.main.title), value, x.signature)
                )
        contents: dict[Path, Contents] = {}
        if self.eval_results:
            text = format_eval_results(self.benchmark, scores)
            contents[Path(self.eval_results)] = text.encode()
        if self.model_index:
            text = format_model_index(names[0], self.benchmark, scores)
            contents[Path(self.model_index)] = text.encode()
        write_files(contents, overwrite=self.overwrite)
        return [*contents]
