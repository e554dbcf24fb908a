"""The systems that ``-p`` of ``textsimp score`` names: texts, runs, and files of statistics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import Any

from textsimp.cli.data_arguments import Files
from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric, Statistics, group, run_names
from textsimp.corpora.reading import System, parse_system, systems_in
from textsimp.metrics import catalogue
from textsimp.scoring import runs
from textsimp.support.errors import InputError

_OPTIONS = {"ids": "id", "columns": "column"}  # of arguments that are called otherwise


@dataclass(frozen=True)
class GivenSystems:
    """Systems as they are given."""

    texts: Files | None  # with a name for each run
    runs: runs.Runs
    stored: Sequence[statistics.Part]
    stored_first: bool  # whether the first system has statistics

    def names(self, examples: Examples | None) -> list[str]:
        """Return the names of systems, as they are ordered; ``examples`` are of the texts."""
        texts = [] if examples is None else group(examples.systems, self.runs)
        stored = [name for part in self.stored for name in first_of(part.measured).groups]
        return [*stored, *texts] if self.stored_first else [*texts, *stored]

    def inside(self, first_row: int, examples: int) -> bool:
        """Whether these examples, which the texts have, are all that files of statistics have."""
        rows = range(first_row, first_row + examples)
        return all(
            part.numbers.min() in rows and part.numbers.max() in rows for part in self.stored
        )

    def join(
        self, measured: Mapping[str, Statistics], examples: Examples | None, first_row: int
    ) -> dict[str, Statistics]:
        """Return metric → statistics of all systems: those of the texts, and from files."""
        if examples is None:
            return statistics.join(self.stored)
        grouped = {name: replace(own, runs=self.runs) for name, own in measured.items()}
        if not self.stored:
            return grouped
        digests = statistics.digests(examples.shared, first_row)
        part = statistics.Part("the texts", grouped, digests)
        return statistics.join([*self.stored, part] if self.stored_first else [part, *self.stored])


def find_systems(
    metrics: Mapping[str, Metric],
    files: Files,
    without_texts: Mapping[str, object],
) -> GivenSystems:
    """Find the systems, and read files of statistics.

    Files of statistics can't serve the options ``without_texts``.
    """

    texts: list[str | Path] = []
    stored: list[statistics.Part] = []
    for argument in files.predictions:
        file, _, name = parse_system(str(argument))
        if statistics.is_file(str(file)):
            stored.append(statistics.load(str(file), name, metrics, catalogue.metric))
        else:
            texts.append(argument)
    for option, value in without_texts.items():
        if stored and value:
            raise InputError(f"{option}: {stored[0].where} has statistics and no texts")
    predictions, runs_of = name_runs(texts)
    if without_texts["--per-example"] and runs_of:
        raise InputError(f"--per-example: expected one run of {next(iter(runs_of))}")
    named = replace(files, predictions=predictions if runs_of else texts)
    if not stored or predictions or files.data:
        return GivenSystems(
            named, runs_of, stored, bool(stored) and files.predictions[0] not in texts
        )
    for name, value in vars(files).items():
        if value and name not in ("predictions", "data_dir"):  # which may be in the environment
            option = _OPTIONS.get(name, name).replace("_", "-")
            but = f"has statistics and no texts: leave out --{option}"
            raise InputError(f"{stored[0].where} {but}")
    return GivenSystems(None, runs_of, stored, stored_first=True)


def name_runs(predictions: Sequence[str | Path]) -> tuple[list[str], runs.Runs]:
    """Return the arguments of -p with a name for each run, and system → the names of its runs.

    Several files of one NAME are its runs, as are the files of a folder.
    """
    systems: list[System] = []
    for one in map(parse_system, map(str, predictions)):
        folder = one._replace(name="") if one.name else one
        systems += [file._replace(name=one.name) for file in systems_in(folder)]
    names = [one.name for one in systems if one.name]
    runs_of = {n: run_names(n, names.count(n)) for n in names if names.count(n) > 1}
    left = {name: iter(own) for name, own in runs_of.items()}
    arguments = []
    for one in systems:
        name = next(left[one.name]) if one.name in left else one.name
        arguments.append(f"{name}={one.file}" if name else str(one.file))
    runs.check(chain(*runs_of.values()), names)
    return arguments, runs_of


def first_of(values: Mapping[str, Any]) -> Any:
    return next(iter(values.values()))
