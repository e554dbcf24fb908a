"""The tasks by name, and their two functions."""

import importlib
from collections.abc import Iterable, Mapping
from os import fspath
from pathlib import Path
from typing import Any

from textsimp.core.draws import RESAMPLES
from textsimp.extensions.tasks import declared
from textsimp.extensions.tasks.results import Result, Results
from textsimp.extensions.tasks.task import Task
from textsimp.support.errors import InputError, check_choice, check_sampling

TASKS = ("mertrans2026", "simpletext", "tsar2025", "biolaysumm", "mlsp2024", "tsar2022")
"""Names of tasks, which are those of their modules or YAML files, the newest first."""


def find(name: str) -> Task:
    """Return a task; a name that ends with ``.yaml`` is the file of a task of your own."""
    if str(name).lower().endswith(declared.ENDINGS):
        return declared.load(Path(name))
    check_choice("task", name, TASKS)
    declaration = Path(__file__).with_name(f"{name}.yaml")
    if declaration.is_file():
        return declared.load(declaration)
    task: Task = importlib.import_module(f"textsimp.extensions.tasks.{name}").TASK
    return task


def score(name: str, *, predictions: Any, gold: Any = None, **options: Any) -> Result:
    """Return the official numbers of a run.

    Args:
        name: The task, one of `TASKS`, or the YAML file of your own.
        gold: Path of the file of gold, unless the YAML file names it.
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
    predictions: Mapping[str, Any] | Iterable[Any],
    gold: Any = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Results:
    """Return the official numbers of several runs, and what is computed from them.

    Args:
        name: The task, one of `TASKS`, or the YAML file of your own.
        gold: Path of the file of gold, unless the YAML file names it.
        predictions: Paths of the runs' files, or run → path.
        confidence: Coverage of the bootstrap intervals.
        resamples: Number of resamples of the intervals and of the tests.
        seed: Their seed.
        **options: Options of the task. ``prediction_column`` may be run → column.
    """
    check_sampling(confidence, resamples, seed, optional=False)
    task = find(name)
    paths = predictions if isinstance(predictions, Mapping) else name_runs(predictions)
    if not paths:
        raise InputError("predictions: expected a file, got none")
    settings = task.check(options)
    gold = fspath(gold or task.gold_file)
    if not gold:
        raise InputError("gold: expected a file, got none")
    columns = settings.get("prediction_column")
    runs = {}
    for run, path in paths.items():
        if isinstance(columns, Mapping):
            settings["prediction_column"] = columns.get(run)
        runs[run] = task.measure(gold, fspath(path), **settings)
    baselines = dict(task.baselines(gold)) if task.baselines else {}
    for name in {*baselines} & {*runs}:
        raise InputError(f"predictions: {name} is a baseline of the task: name the run otherwise")
    every = {**runs, **baselines}
    return Results(task, every, settings, confidence, resamples, seed, [*baselines])


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
