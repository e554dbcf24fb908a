"""TSAR 2025: texts simplified to a CEFR level."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core import sample
from textsimp.core.columns import as_number
from textsimp.core.metric import Floats
from textsimp.core.sample import Sample, means_of
from textsimp.corpora.row_ids import cover, empty, join
from textsimp.corpora.tables import read_table
from textsimp.extensions.models.level import CEFR
from textsimp.extensions.tasks import models
from textsimp.extensions.tasks.task import Run, Task, round_all
from textsimp.support.errors import InputError, check_choice

CLASSIFIERS = (
    "AbdullahBarayan/ModernBERT-base-doc_en-Cefr",
    "AbdullahBarayan/ModernBERT-base-doc_sent_en-Cefr",
    "AbdullahBarayan/ModernBERT-base-reference_AllLang2-Cefr2",
)
_LEVEL = {
    "weighted_f1": "weighted_f1",
    "adj_accuracy": "adjacent_accuracy",
    "rmse": "rmse",
}
_SIMILARITY = {
    "meaningbert-orig": ("meaningbert", "original"),
    "bertscore-orig": ("bertscore", "original"),
    "meaningbert-ref": ("meaningbert", "reference"),
    "bertscore-ref": ("bertscore", "reference"),
}
_RANKED = ("rmse", "meaningbert-orig", "meaningbert-ref")
_WEIGHTS = (0.5, 0.167, 0.333)
_TABLE = ("team", "run", "num_instances", *_RANKED)


def measure(gold: str, predictions: str, *, others: str | Path | None = None) -> Run:
    """Score a run: all its rows whose text_id is in gold, in gold's order.

    Args:
        gold: The file of gold.
        predictions: The file of the run.
        others: A table of other runs, for AUTORANK, with the columns team, run,
            num_instances, rmse, meaningbert-orig, meaningbert-ref.
    """
    instances = _read(gold, ("text_id", "original", "target_cefr", "reference"))
    run = _read(predictions, ("text_id", "simplified"))
    ids, run_ids = instances["text_id"], run["text_id"]
    pairs = join(ids, run_ids, repeated=True)
    coverage = cover(ids, run_ids, scored=len(pairs), remarks=empty(run["simplified"]))
    counts: dict[str, Any] = {
        "num_instances": len(run_ids),
        "coverage_n": len(pairs),
        "coverage_pct": 100 * len(pairs) / len(ids),
    }
    names = (*_LEVEL, *_SIMILARITY)
    if not pairs:
        counts |= dict.fromkeys(names, "n/a")
        return _round(Run(counts, counts, coverage))
    scored = [i for i, _ in pairs]
    outputs = [run["simplified"][i] for _, i in pairs]
    targets = [_target(instances["target_cefr"][i], gold, i + 1) for i in scored]
    parts: list[Sample] = []
    missing: dict[str, str] = {}
    try:
        parts.append(models.compare_levels(CLASSIFIERS, _LEVEL, outputs, targets))
    except (ImportError, InputError) as error:
        missing |= dict.fromkeys(_LEVEL, models.advise(error, CLASSIFIERS))
    for name, (metric, column) in _SIMILARITY.items():
        try:
            numbers = models.compare(metric, outputs, [instances[column][i] for i in scored])
            parts.append(means_of({name: numbers}))
        except (ImportError, InputError) as error:
            missing[name] = models.advise(error, [models.MODELS[metric]])
    return _round(
        Run.of_sample(
            (*counts, *names),
            sample.join(parts) if parts else None,
            coverage,
            [ids[i] for i in scored],
            counts=counts,
            missing=missing,
        )
    )


def _read(path: str, names: Sequence[str]) -> dict[str, list[str]]:
    """Read columns of texts of JSON lines; others are ignored."""
    table = read_table(path)
    return {name: table.texts(name) for name in names}


def autorank(rows: Sequence[Sequence[Any]], instances: int = 200) -> list[dict[str, Any]]:
    """Return the official ranking of runs with so many instances, the best first.

    Args:
        rows: Team, run, number of instances, RMSE, and MeaningBERT with original and reference, as
            the official table rounds them. The ranks depend on all runs.
        instances: The number of instances of gold. Runs with another one are left out.

    Example:
        >>> rows = [("a", "1", 200, 0.1, 0.8, 0.8), ("b", "1", 200, 0.3, 0.9, 0.7)]
        >>> [(row["team"], row["AUTORANK"]) for row in autorank(rows)]
        [('a', 1.0), ('b', 2.0)]
    """
    whole = [row for row in rows if row[2] == instances]
    if not whole:
        return []
    numbers = np.array([row[3:] for row in whole], np.float64)
    low, high = np.percentile(numbers, [10, 90], axis=0)
    spread = np.where(high > low, high - low, 1.0)
    z = (numbers - np.median(numbers, axis=0)) / spread * (-1, 1, 1)
    average = (z * _WEIGHTS).sum(axis=1)
    rescaled = _spread_evenly(average)
    ranks = _spread_evenly(-rescaled)
    columns = {"AvgScore": average, "Rescaled": rescaled, "AUTORANK": ranks}
    ranking: list[dict[str, Any]] = [
        {"team": str(row[0]), "run": str(row[1]), **{n: float(c[i]) for n, c in columns.items()}}
        for i, row in enumerate(whole)
    ]
    ranking.sort(key=lambda row: row["AUTORANK"])
    teams: set[str] = set()
    for row in ranking:
        row["best of team"] = "" if row["team"] in teams else "best"
        teams.add(row["team"])
    return ranking


def _spread_evenly(values: Floats) -> Floats:
    """Rescale to 1 … n; all are 1 if they are equal."""
    width = values.max() - values.min()
    if width == 0:
        return np.ones(len(values))
    scaled: Floats = 1 + (values - values.min()) * (len(values) - 1) / width
    return scaled


def rank(runs: Mapping[str, Run], others: str | None = None) -> dict[str, list[dict[str, Any]]]:
    """Rank runs among each other, and among those of the table ``others``."""
    table = [
        (*_team(name), *(run.official[column] for column in _TABLE[2:]))
        for name, run in runs.items()
        if all(isinstance(run.official[column], float) for column in _RANKED)
    ]
    if others is not None:
        read = read_table(others)
        rows = zip(*(read.column(name) for name in _TABLE), strict=True)
        for i, (team, run, *cells) in enumerate(rows, 1):
            numbers = [*map(as_number, cells)]
            if not all(map(math.isfinite, numbers)):
                names = ", ".join(_TABLE[2:])
                raise InputError(f"{others}, row {i}: expected numbers as {names}, got {cells}")
            table.append((str(team), str(run), *numbers))
    gold = max(run.coverage.gold for run in runs.values())
    ranking = autorank(table, gold)
    return {f"AUTORANK of runs with {gold} instances": ranking} if len(ranking) > 1 else {}


def _team(name: str) -> tuple[str, str]:
    """Return team and run: a folder stands for a team."""
    team, slash, run = name.rpartition("/")
    return (team, run) if slash else (name, "1")


def _target(level: str, gold: str, line: int) -> str:
    """Return the target level, checked."""
    target = level.strip().upper()
    check_choice(f"{gold}, line {line}: target_cefr", target, CEFR)
    return target


def _round(run: Run) -> Run:
    percent = round(run.exact["coverage_pct"], 2)
    official = round_all(run.exact, 4) | {"coverage_pct": percent}
    return replace(run, official=official, decimals={"coverage_pct": 2})


TASK = Task(
    name="tsar2025",
    years=(2025,),
    title="TSAR 2025",
    url="https://aclanthology.org/2025.tsar-1.8",
    scores="CEFR level, meaning kept, likeness to the reference; AUTORANK of several runs",
    gold="JSON lines: text_id, original, target_cefr, reference",
    predictions="JSON lines: text_id, simplified",
    measure=measure,
    needs="the extra models, and what `textsimp hub models --fetch NAME` fetches: "
    f"{', '.join((*CLASSIFIERS, models.MODELS['meaningbert'], models.MODELS['bertscore']))}",
    endings=(".jsonl",),
    rank=rank,
)
