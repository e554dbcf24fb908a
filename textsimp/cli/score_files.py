"""Files that ``textsimp score`` reads and writes: texts, runs, statistics, scores of examples."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO

import click

from textsimp.cli.data_arguments import Files, read_data
from textsimp.cli.data_batches import read_batches
from textsimp.cli.run_files import name_runs
from textsimp.core import joined_statistics, statistics_files, tables
from textsimp.core.comparisons import Comparisons
from textsimp.core.declarations import SIDES
from textsimp.core.examples import Examples, columns_of
from textsimp.core.metric import Metric, Statistics, group
from textsimp.core.statistics_files import StatisticsFile
from textsimp.corpora.reading import parse_system
from textsimp.corpora.shards import Batch
from textsimp.corpora.text_files import is_pattern, shards
from textsimp.hub.eval_results import (
    Benchmark,
    ModelScore,
    find_benchmark,
    format_eval_results,
    format_model_index,
)
from textsimp.metrics import catalogue
from textsimp.scoring.systems import Runs, add_baselines
from textsimp.support.errors import InputError, check_integer
from textsimp.support.files import Contents, check_new, write_files

_OPTIONS = {"ids": "id", "columns": "column"}  # of arguments that are called otherwise


@dataclass(frozen=True)
class SavedFiles:
    """The files that a command is to write, and the number of the first example in them."""

    per_example: str | Path | None  # "" for the scores of examples in what --json prints
    statistics: str | Path | None
    first_row: int
    overwrite: bool

    def check(self, metrics: Mapping[str, Metric], form: str) -> None:
        """Check that the files can be written and hold what these metrics compute."""
        if self.per_example == "" and form != "json":
            raise InputError("--per-example needs a FILE, or --json")
        check_integer("--first-row", self.first_row, 0, statistics_files.MOST_ROWS)
        if self.per_example:
            tables.check_ending("--per-example", self.per_example)
        if self.statistics == "":
            raise InputError("--save-statistics: expected a file, got ''")
        if self.statistics:
            tables.check_ending("--save-statistics", self.statistics, [".parquet"])
            statistics_files.check(metrics, self.first_row)
        files = [Path(file) for file in (self.per_example, self.statistics) if file]
        check_new(files, overwrite=self.overwrite)

    def write(self, measured: Mapping[str, Statistics], examples: Examples) -> list[Path]:
        """Write the files, all or none, and return them."""
        contents: dict[Path, Contents] = {}
        if self.per_example:
            path, first = Path(self.per_example), self.first_row
            systems = (records(measured, examples, system, first) for system in examples.systems)
            rows = [*chain.from_iterable(systems)]
            contents[path] = tables.format_records(path, rows).encode()
        if self.statistics:
            contents[Path(self.statistics)] = statistics_files.contents(measured, examples.shared)
        write_files(contents, overwrite=self.overwrite)
        return [*contents]

    def write_batches(
        self,
        measured: Mapping[str, Statistics],
        parts: Sequence[StatisticsFile],
        rows: SpooledRows | None,
    ) -> list[Path]:
        """Write the same of texts that were measured in batches, whose statistics are ``parts``."""
        contents: dict[Path, Contents] = {}
        if rows is not None:
            contents[rows.path] = rows.write
        if self.statistics:
            columns = parts[0].digests
            digests = {name: sum(part.digests[name] for part in parts) % 2**64 for name in columns}
            whole = StatisticsFile("the texts", measured, digests)
            contents[Path(self.statistics)] = statistics_files.pack(whole)
        write_files(contents, overwrite=self.overwrite)
        return [*contents]


class SpooledRows:
    """Scores of examples on disk, a file per system, since a system's rows stand together."""

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


@dataclass(frozen=True)
class HubFiles:
    """The files for the Hugging Face Hub that ``textsimp score`` is to write."""

    eval_results: str | Path | None
    model_index: str | Path | None
    overwrite: bool

    def check(self, files: Files) -> None:
        """Check that the files can be written, of a test set that can be named."""
        paths = {"--eval-results": self.eval_results, "--model-index": self.model_index}
        for option, path in paths.items():
            if path is not None:
                tables.check_ending(option, path, [".yaml"])
        check_new([Path(path) for path in paths.values() if path], overwrite=self.overwrite)
        name = self._benchmark(files).id if any(paths.values()) else ""
        if self.eval_results and "/" not in name:
            raise InputError(
                f"--eval-results: {name} is no dataset on the Hugging Face Hub, to which results "
                "belong; --model-index takes any test set"
            )
        if any(paths.values()) and files.missing == "skip":
            raise InputError("results on the Hub are of all examples, without --missing skip")

    def _benchmark(self, files: Files) -> Benchmark:
        return find_benchmark(files.test_set, files.data, files.config, files.split)

    def write(self, comparisons: Comparisons, files: Files) -> list[Path]:
        """Write the files of the one system, and return them."""
        if not self.eval_results and not self.model_index:
            return []
        first = next(iter(comparisons.values()))
        names = [name for name in first.systems if name not in first.baselines]
        if len(names) > 1:
            raise InputError(f"results on the Hub are of one model, got {', '.join(names)}")
        scores = []
        for name, x in comparisons.items():
            value = x.systems[names[0]].main.value
            if value is not None:
                title = x.first.metric.heading(x.main.title)
                scores.append(ModelScore(name, title, value, x.signature))
        contents: dict[Path, Contents] = {}
        benchmark = self._benchmark(files)
        if self.eval_results:
            contents[Path(self.eval_results)] = format_eval_results(benchmark, scores).encode()
        if self.model_index:
            block = format_model_index(names[0], benchmark, scores)
            contents[Path(self.model_index)] = block.encode()
        write_files(contents, overwrite=self.overwrite)
        return [*contents]


@dataclass(frozen=True)
class LoadedSystems:
    """Systems whose texts are there, and systems of which only statistics are."""

    texts: Examples | None
    files: Files  # of the texts
    runs: Runs  # of the texts
    stored: Sequence[StatisticsFile]
    stored_first: bool  # whether the first system has statistics
    batches: Iterator[Batch] | None = None  # of the texts, which are those of the first batch only

    def names(self) -> list[str]:
        """Return the names of all systems in their order."""
        texts = [] if self.texts is None else group(self.texts.systems, self.runs)
        stored = [
            name for part in self.stored for name in next(iter(part.measured.values())).groups
        ]
        return [*stored, *texts] if self.stored_first else [*texts, *stored]

    def add_baselines(
        self, texts: Examples, asked: Sequence[str], saved: SavedFiles, form: str
    ) -> tuple[Examples, list[str], list[str]]:
        """Return what `add_baselines` does, if the texts have all examples of other systems."""
        rows = range(saved.first_row, saved.first_row + len(texts))
        there = all(x.extent.first in rows and x.extent.last in rows for x in self.stored)
        if asked or (there and form != "bare" and not saved.statistics):
            show = bool(asked) or form in ("text", "json")
            return add_baselines(texts, asked, show=show, required=bool(asked))
        return texts, [], []

    def join(self, measured: Mapping[str, Statistics], first_row: int) -> dict[str, Statistics]:
        """Return metric → statistics of all systems: those of the texts, and from files."""
        if self.texts is None:
            return self.join_files([])
        if not self.stored:
            return {**measured}
        digests = statistics_files.digests(self.texts.shared, first_row)
        return self.join_files([StatisticsFile("the texts", measured, digests)])

    def join_files(
        self, parts: Sequence[StatisticsFile], *, piece: bool = False
    ) -> dict[str, Statistics]:
        """Return the same, from statistics of the texts that are like those of files."""
        files = [*self.stored, *parts] if self.stored_first else [*parts, *self.stored]
        joined = joined_statistics.join(files)
        if not piece:
            joined_statistics.check_corpus(joined)
        return joined


def load(
    metrics: Mapping[str, Metric], files: Files, saved: SavedFiles, *, published: bool
) -> LoadedSystems:
    """Read the systems that ``files`` name: texts, and statistics of these metrics.

    From statistics alone nothing can be ``saved``, and no ``published`` systems can be found.
    """
    texts: list[str | Path] = []
    stored: list[StatisticsFile] = []
    for argument in files.predictions:
        file, _, name = parse_system(str(argument))
        paths = shards(str(file)) if is_pattern(str(file)) else [str(file)]
        if statistics_files.is_file(paths[0]):  # or pieces
            stored += [statistics_files.load(x, name, metrics, catalogue.metric) for x in paths]
        else:
            texts.append(argument)
    options = {"--per-example": saved.per_example, "--save-statistics": saved.statistics}
    for option, value in options.items():
        if stored and value is not None:
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    of_texts = replace(files, predictions=texts)
    named, runs = name_runs(of_texts)
    if saved.per_example is not None and runs:
        raise InputError(f"--per-example: expected one run of {next(iter(runs))}")
    if not stored or texts or files.data:
        readers = {name: metric.columns for name, metric in metrics.items()}
        stored_first = bool(stored) and files.predictions[0] not in texts
        loaded = LoadedSystems(None, of_texts, runs, stored, stored_first)
        if not files.shards:
            return replace(loaded, texts=replace(read_data(readers, named), runs=runs))
        batches = read_batches(readers, named)
        first = next(batches)
        return replace(loaded, texts=first.examples, batches=chain([first], batches))
    for name, value in {**vars(files), "published": published}.items():
        if value and name not in ("predictions", "data_dir"):  # which may be in the environment
            option = _OPTIONS.get(name, name).replace("_", "-")
            but = f"has statistics and no texts: leave out --{option}"
            raise InputError(f"{stored[0].where} {but}")
    return LoadedSystems(None, of_texts, runs, stored, stored_first=True)


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
    """Scores, those of outputs first, and details of each example."""
    scores, details = metric.score_examples(rows, examples, system)
    sides = [*SIDES]
    names = sorted(scores, key=lambda name: sides.index(metric.split_score_name(name)[0]))
    return {name: scores[name] for name in names} | details
