"""The tasks by name, and their two functions."""

import importlib
import re
from collections.abc import Iterable, Mapping
from os import fspath
from pathlib import Path
from typing import Any

from textsimp.core import significance
from textsimp.core.draws import RESAMPLES
from textsimp.support.errors import InputError, nearest
from textsimp.tasks.results import Result, Results
from textsimp.tasks.task import Task

TASKS = ("mertrans2026", "simpletext", "tsar2025", "biolaysumm", "mlsp2024", "tsar2022")
"""Names of tasks, which are those of their modules, the newest first."""


def find(name: str) -> tuple[Task, dict[str, Any]]:
    """Return a task, and the option that its name says: ``simpletext2025`` is of the year 2025."""
    stem, year = re.fullmatch(r"(.*?)(\d{4})?", str(name), re.DOTALL).groups()  # type: ignore[union-attr]
    if name in TASKS:
        return _task(name), {}
    if stem in TASKS and int(year) in _task(stem).years:
        return _task(stem), {"year": int(year)}
    raise InputError(
        f"task: expected one of {', '.join(TASKS)}, got {name!r}{nearest(name, TASKS)}"
    )


def score(name: str, *, gold: Any, predictions: Any, **options: Any) -> Result:
    """Return the official numbers of a run.

    Args:
        name: The task, one of `TASKS`.
        gold: Path of the file of gold.
        predictions: Path of the run's file.
        **options: Options of the task, such as ``prediction_column``; `find` tells them.

    Returns:
        A mapping: official name → the number as the official script prints it, and ``exact`` →
        the same names with full floats. A number is None if it can't be computed here;
        `Result.missing` says what it needs.
    """
    return compare(name, gold=gold, predictions=[predictions], **options).results[0]


def compare(
    name: str,
    *,
    gold: Any,
    predictions: Mapping[str, Any] | Iterable[Any],
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Results:
    """Return the official numbers of several runs, and what is computed from them.

    Args:
        name: The task, one of `TASKS`.
        gold: Path of the file of gold.
        predictions: Paths of the runs' files, or run → path.
        confidence: Coverage of the bootstrap intervals.
        resamples: Number of resamples of the intervals and of the tests.
        seed: Their seed.
        **options: Options of the task.
    """
    significance.check(confidence, resamples, seed, optional=False)
    task, by_name = find(name)
    paths = predictions if isinstance(predictions, Mapping) else name_runs(predictions)
    if not paths:
        raise InputError("predictions: expected a file, got none")
    settings = task.check({**by_name, **options})
    runs = {
        run: task.measure(fspath(gold), fspath(path), **settings) for run, path in paths.items()
    }
    return Results(task, runs, settings, confidence, resamples, seed)


def name_runs(paths: Iterable[Any]) -> dict[str, str]:
    """Return run → path: its name without ending, after that of its folder if others have it.

    >>> [*name_runs(["Uniandes/run1.jsonl", "EhiMeNLP/run1.jsonl"])]
    ['Uniandes/run1', 'EhiMeNLP/run1']
    """
    files = [Path(path) for path in paths]
    stems = [file.stem for file in files]
    if len({*stems}) < len(stems):
        stems = [f"{file.absolute().parent.name}/{file.stem}" for file in files]
    if len({*stems}) < len(stems):
        stems = [str(file) for file in files]
    if len({*stems}) < len(stems):
        raise InputError("predictions: expected different files, got one of them twice")
    return dict(zip(stems, map(str, files), strict=True))


def _task(name: str) -> Task:
    task: Task = importlib.import_module(f"textsimp.tasks.{name}").TASK
    return task
