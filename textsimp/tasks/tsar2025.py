"""TSAR 2025: texts simplified to a CEFR level. Levels by three classifiers, meaning by two models.

`classify` and `compare` are the only places that run models.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core.metric import divide
from textsimp.core.sums import total
from textsimp.corpora.tables import read_table
from textsimp.metrics.bertscore import BertScore
from textsimp.metrics.level import CEFR, Level
from textsimp.metrics.regression import Regression
from textsimp.support.errors import InputError
from textsimp.tasks.json_lines import read_records
from textsimp.tasks.task import Coverage, Floats, Option, Run, Task, cover, empty, round_all

CLASSIFIERS = (
    "AbdullahBarayan/ModernBERT-base-doc_en-Cefr",
    "AbdullahBarayan/ModernBERT-base-doc_sent_en-Cefr",
    "AbdullahBarayan/ModernBERT-base-reference_AllLang2-Cefr2",
)
MEANINGBERT, ROBERTA = "davebulaval/MeaningBERT", "FacebookAI/roberta-large"
_LEVEL = ("weighted_f1", "adj_accuracy", "rmse")
_SIMILARITY = {
    "meaningbert-orig": ("meaningbert", "original"),
    "bertscore-orig": ("bertscore", "original"),
    "meaningbert-ref": ("meaningbert", "reference"),
    "bertscore-ref": ("bertscore", "reference"),
}
_COUNTS = ("num_instances", "coverage_n", "coverage_pct")
_RANKED = ("rmse", "meaningbert-orig", "meaningbert-ref")
_WEIGHTS = (0.5, 0.167, 0.333)
_TABLE = ("team", "run", "num_instances", *_RANKED)


def classify(model: str, texts: list[str]) -> list[tuple[str, float]]:
    """Return each text's label and its probability."""
    details = Level.preset(model=model).details(predictions=texts)
    return [*zip(details["level"], details["confidence"], strict=True)]


def compare(name: str, outputs: list[str], others: list[str]) -> list[float]:
    """Return each pair's similarity, 0 to 1, by ``meaningbert`` or ``bertscore``."""
    columns: dict[str, Any] = {"predictions": outputs, "references": others, "per_example": True}
    if name == "meaningbert":
        scores = Regression.preset(model=MEANINGBERT, paired_with="reference").score(**columns)
    else:
        scores = BertScore.preset(model=ROBERTA, layer=17).score(**columns)
    return [value / 100 for value in scores.main.per_example or []]


def measure(gold: str, predictions: str, others: str | None) -> Run:
    """Score a run: all its rows whose text_id is in gold, in gold's order.

    ``others`` is for `rank` only.
    """
    instances = read_records(gold, ("text_id", "original", "target_cefr", "reference"))
    rows = read_records(predictions, ("text_id", "simplified"))
    places = {one["text_id"]: i for i, one in enumerate(instances)}  # the last of repeated ones
    kept = [i for i, row in enumerate(rows) if row["text_id"] in places]
    kept.sort(key=lambda i: places[rows[i]["text_id"]])
    scored = [instances[places[rows[i]["text_id"]]] for i in kept]
    coverage = cover(
        [one["text_id"] for one in instances],
        [row["text_id"] for row in rows],
        scored=len(kept),
        remarks=empty([row["simplified"] for row in rows]),
    )
    percent = 100 * len(kept) / len(instances) if instances else 0.0
    counts = dict(zip(_COUNTS, (len(rows), len(kept), percent), strict=True))
    if not kept:
        exact = {**counts, **dict.fromkeys((*_LEVEL, *_SIMILARITY), "n/a")}
        return _run(exact, coverage)
    outputs = [rows[i]["simplified"] for i in kept]
    targets = [_target(one, gold, places[one["text_id"]] + 1) for one in scored]
    parts: dict[str, Floats] = {}
    missing: dict[str, str] = {}
    try:
        levels = _levels(outputs)
        parts["level"] = np.zeros((len(kept), len(CEFR) ** 2))
        parts["level"][np.arange(len(kept)), len(CEFR) * np.array(targets) + levels] = 1
    except (ImportError, InputError) as error:
        missing |= dict.fromkeys(_LEVEL, _advice(error, CLASSIFIERS))
    for name, (metric, column) in _SIMILARITY.items():
        try:
            numbers = compare(metric, outputs, [one[column] for one in scored])
            parts[name] = np.array(numbers, np.float64)[:, None]
        except (ImportError, InputError) as error:
            model = MEANINGBERT if metric == "meaningbert" else ROBERTA
            missing[name] = _advice(error, [model])
    return _with_statistics(counts, parts, coverage, [one["text_id"] for one in scored], missing)


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
        read = read_table(others, lines=False)
        columns = [read.column(name) for name in _TABLE]
        for i, (team, run, *numbers) in enumerate(zip(*columns, strict=True), 1):
            try:
                table.append((str(team), str(run), *map(float, numbers)))
            except (TypeError, ValueError):
                names = ", ".join(_TABLE[2:])
                raise InputError(
                    f"{others}, row {i}: expected numbers as {names}, got {numbers}"
                ) from None
    gold = max(run.coverage.gold for run in runs.values())
    ranking = autorank(table, gold)
    return {f"AUTORANK of runs with {gold} instances": ranking} if len(ranking) > 1 else {}


def _team(name: str) -> tuple[str, str]:
    """Return team and run: a folder stands for a team."""
    team, slash, run = name.rpartition("/")
    return (team, run) if slash else (name, "1")


def _target(instance: Mapping[str, Any], gold: str, line: int) -> int:
    """Return the number of the target level."""
    level = instance["target_cefr"].strip().upper()
    if level not in CEFR:
        raise InputError(
            f"{gold}, line {line}: expected one of {', '.join(CEFR)} as 'target_cefr', "
            f"got {instance['target_cefr']!r}"
        )
    return CEFR.index(level)


def _levels(outputs: list[str]) -> list[int]:
    """Return the number of each text's level: of the surest classifier, of equals the first."""
    votes = zip(*(classify(model, outputs) for model in CLASSIFIERS), strict=True)
    labels = [max(of_text, key=lambda vote: vote[1])[0].strip().upper() for of_text in votes]
    unknown = {*labels} - {*CEFR}
    if unknown:
        raise InputError(f"expected classifiers of CEFR levels, got the label {min(unknown)!r}")
    return [CEFR.index(label) for label in labels]


def _with_statistics(
    counts: Mapping[str, Any],
    parts: Mapping[str, Floats],
    coverage: Coverage,
    instances: Sequence[str],
    missing: Mapping[str, str],
) -> Run:
    """Return the run whose scores are means over rows, and those of a table of target and level."""
    m = len(CEFR)
    distance = np.arange(m) - np.arange(m)[:, None]

    def reduce(totals: Floats) -> dict[str, Floats]:
        n = totals[..., -1]
        scores: dict[str, Floats] = {}
        at = 0
        if "level" in parts:
            at = m * m
            table = totals[..., :at].reshape(*totals.shape[:-1], m, m)
            wanted, hits = table.sum(axis=-1), np.diagonal(table, axis1=-2, axis2=-1)
            f1 = divide(2 * hits, wanted + table.sum(axis=-2))
            scores["weighted_f1"] = (wanted * f1).sum(axis=-1) / n
            scores["adj_accuracy"] = (table * (np.abs(distance) <= 1)).sum(axis=(-2, -1)) / n
            scores["rmse"] = np.sqrt((table * distance**2).sum(axis=(-2, -1)) / n)
        for i, name in enumerate((name for name in parts if name != "level"), at):
            scores[name] = totals[..., i] / n
        return scores

    rows = np.hstack([*parts.values(), np.ones((len(instances), 1))])
    scores = {name: float(value) for name, value in reduce(total(rows)).items()}
    exact = {**counts, **{name: scores.get(name) for name in (*_LEVEL, *_SIMILARITY)}}
    return _run(exact, coverage, instances=instances, rows=rows, reduce=reduce, missing=missing)


def _run(exact: dict[str, Any], coverage: Coverage, **more: Any) -> Run:
    official = round_all(exact, 4) | {"coverage_pct": round(exact["coverage_pct"], 2)}
    return Run(official, exact, coverage, places={"coverage_pct": 2}, **more)


def _advice(error: Exception, models: Sequence[str]) -> str:
    fetch = "; then textsimp hub models --fetch NAME" if isinstance(error, ImportError) else ""
    return f"needs {', '.join(models)}: {error}{fetch}"


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
    f"{', '.join((*CLASSIFIERS, MEANINGBERT, ROBERTA))}",
    options=(
        Option(
            "others",
            "a table of other runs, for AUTORANK: " + ", ".join(_TABLE),
        ),
    ),
    endings=(".jsonl",),
    rank=rank,
)
