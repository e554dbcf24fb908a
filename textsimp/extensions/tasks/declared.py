"""Shared tasks that a YAML file declares: columns, metrics, missing rows, rounding, ranking."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, get_args

from textsimp.core import sample
from textsimp.core.declarations import REFERENCES, Score
from textsimp.core.metric import Metric
from textsimp.corpora import row_ids
from textsimp.corpora.row_ids import Missing
from textsimp.corpora.tables import Table, is_table, read_column, read_table
from textsimp.corpora.text_files import read_bytes, read_texts
from textsimp.extensions.tasks.task import Run, Task, sample_of
from textsimp.metrics import catalogue
from textsimp.scoring.systems import BASELINES, truncate
from textsimp.support.errors import (
    InputError,
    check_choice,
    check_fields,
    check_integer,
    listed,
    read_text,
    shown,
)
from textsimp.support.progress import note
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
        texts = {
            "sources": columns.get("source"),
            "references": columns.get(self.references),
            "predictions": columns["prediction"],
        }
        read = {
            column.name: texts[column.name]
            for column in self.metric.columns
            if column.name in texts
        }
        return sample_of(self.metric, {name: self.score.key}, **read)


class _Rows(NamedTuple):
    """The rows of a file: a run's outputs, or gold's columns; and their ids, if it has any."""

    where: str
    outputs: list[str]
    ids: list[Any] | None = None
    columns: Mapping[str, list[Any]] = {}


@dataclass(frozen=True)
class _Declaration:
    """What a file declares. Each column has the names that it may have, the likeliest first."""

    columns: Mapping[str, Sequence[str]]
    ids: Sequence[Sequence[str]]
    official: Mapping[str, _Official]
    not_computed: Mapping[str, str]
    missing: Missing
    decimals: int | None
    baselines: Sequence[str]

    def measure(self, gold: str, predictions: str, prediction_column: str | None = None) -> Run:
        """Score a run: rows are joined by ids, or else by their order.

        Args:
            gold: The file of gold.
            predictions: The file of the run.
            prediction_column: The column of outputs, if it isn't the declared one.
        """
        gold_rows, run = self._read_gold(gold), self._read_run(predictions, prediction_column)
        scored = self._score(gold_rows, run)
        if is_table(predictions) and (run.ids is None) != (gold_rows.ids is None):
            file = predictions if run.ids is None else gold
            without = f"{file} has no ids ({self._id_names})"
            note(f"{predictions}: rows are taken in their order: {without}")
        return scored

    def measure_baselines(self, gold: str) -> dict[str, Run]:
        """Score the sources, unchanged or truncated."""
        rows = self._read_gold(gold)
        sources = rows.columns.get("source", [])
        outputs = {"copy": sources, "truncation": [*map(truncate, sources)]}
        return {name: self._score(rows, _Rows(name, outputs[name])) for name in self.baselines}

    @property
    def _id_names(self) -> str:
        """The likeliest names of the columns of ids, for messages."""
        return " and ".join(names[0] for names in self.ids)

    def _read_gold(self, path: str) -> _Rows:
        table = read_table(path)
        columns: dict[str, list[Any]] = {}
        if "source" in self.columns:
            columns["source"] = table.texts(_first(table, self.columns["source"]))
        if "references" in self.columns:
            rows = read_column(table, REFERENCES, self.columns["references"])
            columns["references"] = rows.rows if rows else []
        return _Rows(path, [], self._read_ids(table), columns)

    def _read_run(self, path: str, column: str | None) -> _Rows:
        if not is_table(path):
            return _Rows(path, read_texts(path).rows)
        table = read_table(path)
        outputs = table.texts(column or _first(table, self.columns["prediction"]))
        return _Rows(path, outputs, self._read_ids(table))

    def _read_ids(self, table: Table) -> list[Any] | None:
        """Return the ids of a table's rows; None if it has none."""
        names = [next((name for name in usual if name in table.names), "") for usual in self.ids]
        if not any(names):
            return None
        if not all(names):
            raise InputError(
                f"{table.where}: expected the columns {self._id_names}, or no ids; it has "
                f"{', '.join(filter(None, names))} only"
            )
        return table.ids(names)

    def _score(self, gold: _Rows, run: _Rows) -> Run:
        """Score outputs, which have the order of gold unless they have ids."""
        keys, run_keys = gold.ids, run.ids
        n = len(next(iter(gold.columns.values()), keys or []))
        if (keys is None or run_keys is None) and len(run.outputs) != n:
            ids = f"the columns {self._id_names}, or " if self.ids else ""
            raise InputError(
                f"{run.where} has {len(run.outputs):,} rows, gold {n:,}: expected {ids}a row for "
                "each of gold"
            )
        if keys is None or run_keys is None or run_keys == keys:
            keys = run_keys = [*range(n)]  # ids that gold repeats don't matter then
        kept, places, _ = row_ids.align(keys, gold.where, {run.where: run_keys}, self.missing)
        texts = {name: [rows[i] for i in kept] for name, rows in gold.columns.items()}
        own = places[run.where]
        texts["prediction"] = row_ids.take("predictions", run.outputs, own, run.where)
        parts = [number.sample(name, texts) for name, number in self.official.items()]
        return Run.of_sample(
            (*self.official, *self.not_computed),
            sample.join(parts),
            row_ids.cover(keys, run_keys, scored=len(kept), remarks=row_ids.empty(run.outputs)),
            kept,
            decimals=self.decimals,
            missing=self.not_computed,
        )


def load(path: Path) -> Task:
    """Read the declaration of a task; messages name the file and the field."""
    where = str(path)
    fields = read_yaml(read_bytes(path), where)
    check_fields(fields, _FIELDS, where, ("title", "columns", "metrics"))
    for name in ("title", "url", "scores", "gold"):
        read_text(fields.get(name, ""), f"{where}: {name}", 0)
    if not fields.get("url", "https://").startswith(("http://", "https://")):
        raise InputError(f"{where}: url: expected https://…, got {fields['url']!r}")
    columns, ids = _read_columns(fields["columns"], where)
    try:
        official = _read_metrics(fields["metrics"], columns)
    except InputError as error:
        raise InputError(f"{where}: metrics: {error}") from None
    missing: Any = fields.get("missing", "error")
    check_choice(f"{where}: missing", missing, get_args(Missing))
    decimals = fields.get("decimals", 2)
    if decimals is not None:
        check_integer(f"{where}: decimals", decimals, 0, 12)
    not_computed = _read_not_computed(fields.get("not_computed", {}), official, where)
    baselines = _read_baselines(fields.get("baselines", []), columns, where)
    declared = _Declaration(columns, ids, official, not_computed, missing, decimals, baselines)
    id_names = [names[0] for names in ids]
    gold_names = [names[0] for column, names in columns.items() if column != "prediction"]
    run_names = [*id_names, columns["prediction"][0]]
    return Task(
        name=path.stem,
        years=_read_years(fields.get("year", []), where),
        title=fields["title"],
        url=fields.get("url", ""),
        scores=fields.get("scores", ", ".join(official)),
        gold=f"CSV, JSONL or another table: {', '.join([*id_names, *gold_names])}",
        predictions=f"CSV, JSONL or another table: {', '.join(run_names)}; or a text file with a "
        "line per row of gold",
        measure=declared.measure,
        gold_file=str(path.parent / fields["gold"]) if "gold" in fields else "",
        baselines=declared.measure_baselines,
        titles=_find_titles(official),
        better={n: x.score.better == "higher" for n, x in official.items() if x.score.better},
        ranked_by=_read_ranking(fields.get("rank_by", []), official, where),
    )


def _read_columns(columns: Any, where: str) -> tuple[dict[str, list[str]], list[list[str]]]:
    """Return column → the names that it may have, and the same of each column of ids."""
    check_fields(columns, _COLUMNS, f"{where}: columns", ("prediction",))
    ids = columns.get("id", [])
    ids = [_texts(names, f"{where}: id") for names in (ids if isinstance(ids, list) else [ids])]
    texts = {
        name: _texts(names, f"{where}: {name}") for name, names in columns.items() if name != "id"
    }
    if [] in [*texts.values(), *ids]:
        raise InputError(f"{where}: columns: expected the name of a column, got an empty list")
    return texts, ids


def _read_not_computed(reasons: Any, official: Mapping[str, Any], where: str) -> dict[str, str]:
    """Return official name → why it isn't computed here; check all official names."""
    if not isinstance(reasons, Mapping):
        expected = "a mapping from official names to reasons"
        raise InputError(f"{where}: not_computed: expected {expected}, got {shown(reasons)}")
    for name, reason in reasons.items():
        read_text(reason, f"{where}: not_computed: {name}")
    for name in (*official, *reasons):
        if name in _RESERVED or (name in official and name in reasons):
            raise InputError(f"{where}: {name}: expected another official name")
    return dict(reasons)


def _read_ranking(value: Any, official: Mapping[str, _Official], where: str) -> dict[str, bool]:
    """Return official name → whether higher is better, of the numbers that rank runs."""
    names = _texts(value, f"{where}: rank_by")
    for name in names:
        check_choice(f"{where}: rank_by", name, [*official])
        if not official[name].score.better:
            expected = "scores of which one is better"
            raise InputError(f"{where}: rank_by: expected {expected}, got {name}")
    return {name: official[name].score.better == "higher" for name in names}


def _find_titles(official: Mapping[str, _Official]) -> dict[str, str]:
    """Return official name → the title of its score, with the name if several have the title."""
    titles = {}
    for name, number in official.items():
        main = number.metric.scores[0]
        titles[name] = number.score.title
        if number.score.key != main.key:
            titles[name] = f"{main.title}, {number.score.title.lower()}"
    common = Counter(titles.values())
    return {name: x if common[x] == 1 else f"{x} ({name})" for name, x in titles.items()}


def _read_baselines(value: Any, columns: Mapping[str, Any], where: str) -> list[str]:
    names = _texts(value, f"{where}: baselines")
    for name in names:
        check_choice(f"{where}: baselines", name, [*BASELINES])
        if "source" not in columns:
            raise InputError(f"{where}: baselines: expected a column source, got none")
    return names


def _read_years(value: Any, where: str) -> tuple[int, ...]:
    years = value if isinstance(value, list) else [value]
    for year in years:
        check_integer(f"{where}: year", year, 1)
    return tuple(years)


def _read_metrics(metrics: Any, columns: Mapping[str, Any]) -> dict[str, _Official]:
    """Return official name → number, from notation, a list of it, or names → notation."""
    if not isinstance(metrics, Mapping):
        choices = catalogue.read(metrics, "notation")
        metrics = {choice.label(): {"metric": choice} for choice in choices}
    if not metrics:
        raise InputError("expected a metric, got none")
    return {str(name): _read_metric(str(name), fields, columns) for name, fields in metrics.items()}


def _read_metric(name: str, fields: Any, columns: Mapping[str, Any]) -> _Official:
    """Return an official number, from notation or a mapping with it and its references."""
    fields = fields if isinstance(fields, Mapping) else {"metric": fields}
    check_fields(fields, ("metric", "references"), name, ("metric",))
    choices = catalogue.read(fields["metric"], name)
    if len(choices) != 1:
        raise InputError(f"{name}: expected one metric, got {shown(fields['metric'])}")
    (choice,) = choices
    metric = choice.make()
    keys = metric.output_scores([column for column, read in _READ.items() if read in columns])
    if choice.score or not keys:
        check_choice(f"{name}: score of {metric}", choice.score, keys)
    references = fields.get("references", "references")
    check_choice(f"{name}: references", references, _COLUMNS[1:3])
    sources = {**_READ, "references": references}
    for column in metric.columns:
        read = sources.get(column.name, column.name)
        if column.required and read not in columns:
            raise InputError(f"{metric} needs {read}: columns has {listed(columns)}")
    return _Official(metric, metric.find_score(choice.score or keys[0]), references)


def _first(table: Table, names: Sequence[str]) -> str:
    return next((name for name in names if name in table.names), names[0])


def _texts(value: Any, where: str) -> list[str]:
    values = [value] if isinstance(value, str) else value
    if not isinstance(values, list) or not all(isinstance(text, str) and text for text in values):
        raise InputError(f"{where}: expected a text or a list of texts, got {shown(value)}")
    return values
