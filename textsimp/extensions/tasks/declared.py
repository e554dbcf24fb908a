"""Shared tasks that a YAML file declares: columns, metrics, missing rows, rounding, ranking."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from textsimp.core import sample
from textsimp.core.declarations import REFERENCES, Score
from textsimp.core.metric import Metric
from textsimp.corpora import row_ids
from textsimp.corpora.files import note, read_bytes, read_texts
from textsimp.corpora.row_ids import Missing
from textsimp.corpora.tables import Table, is_table, read_column, read_table
from textsimp.extensions.tasks.task import Run, Task, sample_of
from textsimp.metrics import catalogue
from textsimp.scoring.baselines import BASELINES, truncate
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_fields,
    check_integer,
    listed,
    read_text,
    shown,
)
from textsimp.support.yaml_parsing import read_yaml

ENDINGS = (".yaml", ".yml")
_FIELDS = (
    *("title", "url", "scores", "year", "gold", "columns", "metrics", "not_computed"),
    *("baselines", "missing", "decimals", "rank_by"),
)
_RESERVED = {"rank", "ranks", "run", "exact"}  # of results
_COLUMNS = ("id", "source", "references", "prediction")
_READ = {"sources": "source", "references": "references", "predictions": "prediction"}


@dataclass(frozen=True)
class _Official:
    """An official number."""

    metric: Metric
    score: Score
    references: str  # the column that is the metric's references

    def sample(self, name: str, columns: Mapping[str, Any]) -> sample.Sample:
        read = {column.name for column in self.metric.columns}
        own = {**columns, "references": columns.get(self.references)}
        own["sources"], own["predictions"] = columns.get("source"), columns["prediction"]
        return sample_of(
            self.metric, {name: self.score.key}, **{n: own[n] for n in _READ if n in read}
        )


@dataclass(frozen=True)
class _Declaration:
    """What a file declares. Each column has the names that it may have, the likeliest first."""

    columns: Mapping[str, Sequence[str]]
    ids: Sequence[Sequence[str]]
    official: Mapping[str, _Official]
    not_computed: Mapping[str, str]
    missing: Missing
    decimals: int | None

    def read_gold(self, path: str) -> tuple[list[Any] | None, dict[str, list[Any]]]:
        """Return the ids of gold, if any, and its columns."""
        table = read_table(path)
        columns: dict[str, list[Any]] = {}
        if "source" in self.columns:
            columns["source"] = table.texts(_first(table, self.columns["source"]))
        if "references" in self.columns:
            rows = read_column(table, REFERENCES, self.columns["references"])
            columns["references"] = rows.rows if rows else []
        return self.read_ids(table), columns

    def read_ids(self, table: Table) -> list[Any] | None:
        """Return the ids of a table's rows; None if it has none."""
        names = [next((name for name in one if name in table.names), "") for one in self.ids]
        if all(names):
            return table.ids(names) if names else None
        if any(names):
            expected = " and ".join(one[0] for one in self.ids)
            raise InputError(
                f"{table.where}: expected the columns {expected}, or no ids; it has "
                f"{', '.join(filter(None, names))} only"
            )
        return None

    def score(
        self,
        gold: str,
        read: tuple[list[Any] | None, dict[str, list[Any]]],
        where: str,
        outputs: list[str],
        own_keys: list[Any] | None,
    ) -> Run:
        """Score outputs, which have the order of gold unless they have ids."""
        keys, columns = read
        n = len(next(iter(columns.values()), keys or []))
        if (keys is None or own_keys is None) and len(outputs) != n:
            expected = " and ".join(one[0] for one in self.ids)
            ids = f"the columns {expected}, or " * bool(expected)
            raise InputError(
                f"{where} has {len(outputs):,} rows, gold {n:,}: expected {ids}a row for each of "
                "gold"
            )
        if keys is None or own_keys is None or own_keys == keys:
            keys = own_keys = [*range(n)]  # ids that gold repeats don't matter then
        kept, places, _ = row_ids.align(keys, gold, {where: own_keys}, self.missing)
        texts = {name: [rows[i] for i in kept] for name, rows in columns.items()}
        texts["prediction"] = row_ids.take("predictions", outputs, places[where], where)
        parts = [one.sample(name, texts) for name, one in self.official.items()]
        return Run.of_sample(
            (*self.official, *self.not_computed),
            sample.join(parts),
            row_ids.cover(keys, own_keys, scored=len(kept), remarks=row_ids.empty(outputs)),
            kept,
            decimals=self.decimals,
            missing=self.not_computed,
        )


def measure(
    declared: _Declaration, gold: str, predictions: str, prediction_column: str | None = None
) -> Run:
    """Score a run: rows are joined by ids, or else by their order.

    Args:
        declared: The declaration.
        gold: The file of gold.
        predictions: The file of the run.
        prediction_column: The column of outputs, if it isn't the declared one.
    """
    read = declared.read_gold(gold)
    if not is_table(predictions):
        return declared.score(gold, read, predictions, read_texts(predictions).rows, None)
    table = read_table(predictions)
    column = prediction_column or _first(table, declared.columns["prediction"])
    outputs = table.texts(column)
    ids = declared.read_ids(table)
    run = declared.score(gold, read, predictions, outputs, ids)
    if (ids is None) != (read[0] is None):
        file = predictions if ids is None else gold
        expected = " and ".join(one[0] for one in declared.ids)
        note(f"{predictions}: rows are taken in their order: {file} has no ids ({expected})")
    return run


def measure_baselines(declared: _Declaration, names: Sequence[str], gold: str) -> dict[str, Run]:
    """Score the sources, unchanged or truncated."""
    keys, columns = declared.read_gold(gold)
    outputs = {"copy": columns.get("source", []), "truncation": []}
    outputs["truncation"] = [*map(truncate, outputs["copy"])]
    return {n: declared.score(gold, (keys, columns), n, outputs[n], None) for n in names}


def load(path: Path) -> Task:
    """Read the declaration of a task; messages name the file and the field."""
    where = str(path)
    fields = read_yaml(read_bytes(path), where)
    check_fields(fields, _FIELDS, where, ("title", "columns", "metrics"))
    for name in ("title", "url", "scores", "gold"):
        read_text(fields.get(name, ""), f"{where}: {name}", 0)
    if not fields.get("url", "https://").startswith(("http://", "https://")):
        raise InputError(f"{where}: url: expected https://…, got {fields['url']!r}")
    columns = fields["columns"]
    check_fields(columns, _COLUMNS, f"{where}: columns", ("prediction",))
    names = {name: _texts(own, f"{where}: {name}") for name, own in columns.items() if name != "id"}
    ids = columns.get("id", [])
    ids = [_texts(one, f"{where}: id") for one in (ids if isinstance(ids, list) else [ids])]
    if [] in [*names.values(), *ids]:
        raise InputError(f"{where}: columns: expected the name of a column, got an empty list")
    try:
        official = _official(fields["metrics"], names)
    except InputError as error:
        raise InputError(f"{where}: metrics: {error}") from None
    not_computed = fields.get("not_computed", {})
    if not isinstance(not_computed, Mapping):
        expected = "a mapping from official names to reasons"
        raise InputError(f"{where}: not_computed: expected {expected}, got {shown(not_computed)}")
    for name, reason in not_computed.items():
        read_text(reason, f"{where}: not_computed: {name}")
    names_given = [*official, *not_computed]
    for name in names_given:
        if name in _RESERVED or names_given.count(name) > 1:
            raise InputError(f"{where}: {name}: expected another official name")
    ranked = _texts(fields.get("rank_by", []), f"{where}: rank_by")
    for name in ranked:
        check_choice(f"{where}: rank_by", name, [*official])
        if not official[name].score.better:
            raise InputError(
                f"{where}: rank_by: expected scores of which one is better, got {name}"
            )
    baselines = _texts(fields.get("baselines", []), f"{where}: baselines")
    for name in baselines:
        check_choice(f"{where}: baselines", name, [*BASELINES])
        if "source" not in names:
            raise InputError(f"{where}: baselines: expected a column source, got none")
    missing: Any = fields.get("missing", "error")
    check_choice(f"{where}: missing", missing, get_args(Missing))
    years = fields.get("year", [])
    years = years if isinstance(years, list) else [years]
    for year in years:
        check_integer(f"{where}: year", year, 1)
    decimals = fields.get("decimals", 2)
    if decimals is not None:
        check_integer(f"{where}: decimals", decimals, 0, 12)
    declared = _Declaration(names, ids, official, not_computed, missing, decimals)
    ids_first = [one[0] for one in ids]
    of_gold = [own[0] for name, own in names.items() if name != "prediction"]
    of_runs = ", ".join([*ids_first, names["prediction"][0]])
    return Task(
        name=path.stem,
        years=tuple(years),
        title=fields["title"],
        url=fields.get("url", ""),
        scores=fields.get("scores", ", ".join(official)),
        gold=f"CSV, JSONL or another table: {', '.join([*ids_first, *of_gold])}",
        predictions=f"CSV, JSONL or another table: {of_runs}; or a text file with a line per row "
        "of gold",
        measure=functools.partial(measure, declared),
        gold_file=str(path.parent / fields["gold"]) if "gold" in fields else "",
        baselines=functools.partial(measure_baselines, declared, baselines),
        ranked_by={name: official[name].score.better == "higher" for name in ranked},
    )


def _official(metrics: Any, columns: Mapping[str, Any]) -> dict[str, _Official]:
    """Return official name → number, from notation, a list of it, or names → notation."""
    if not isinstance(metrics, Mapping):
        choices = catalogue.read(metrics, "notation")
        metrics = {choice.label("notation"): {"metric": choice} for choice in choices}
    if not metrics:
        raise InputError("expected a metric, got none")
    shared = [name for name, column in _READ.items() if column in columns]
    official = {}
    for name, one in metrics.items():
        one = one if isinstance(one, Mapping) else {"metric": one}
        check_fields(one, ("metric", "references"), str(name), ("metric",))
        choices = catalogue.read(one["metric"], str(name))
        if len(choices) != 1:
            raise InputError(f"{name}: expected one metric, got {shown(one['metric'])}")
        (choice,) = choices
        metric = choice.make("notation")
        keys = metric.output_scores(shared)
        if choice.score or not keys:
            check_choice(f"{name}: score of {metric}", choice.score, keys)
        score = metric.find_score(choice.score or keys[0])
        references = one.get("references", "references")
        check_choice(f"{name}: references", references, _COLUMNS[1:3])
        for column in metric.columns:
            read = (
                references if column.name == "references" else _READ.get(column.name, column.name)
            )
            if column.required and read not in columns:
                raise InputError(f"{metric} needs {read}: columns has {listed(columns)}")
        official[str(name)] = _Official(metric, score, references)
    return official


def _first(table: Table, names: Sequence[str]) -> str:
    return next((name for name in names if name in table.names), names[0])


def _texts(value: Any, where: str) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(one, str) and one for one in values):
        raise InputError(f"{where}: expected a text or a list of texts, got {shown(value)}")
    return values
