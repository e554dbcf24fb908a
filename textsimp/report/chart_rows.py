"""What figures show: systems measured by metrics, as rows of numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from textsimp.core import cells
from textsimp.core.declarations import Score
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.metric import Statistics
from textsimp.core.scores import Scores, Value, is_number
from textsimp.corpora.row_ids import Missing
from textsimp.metrics import catalogue
from textsimp.metrics.catalogue import Metrics
from textsimp.metrics.notation import score_label
from textsimp.report import bins
from textsimp.report.charts import APART, ARROWS, Axis
from textsimp.report.label_places import clip
from textsimp.report.measurements import REFERENCES, score_examples
from textsimp.scoring import lengths
from textsimp.scoring.comparison import measure
from textsimp.scoring.published import find_field, neighbours
from textsimp.scoring.systems import ALL_BASELINES, check_names
from textsimp.support.errors import InputError, check_choice, check_sampling, check_switch
from textsimp.support.progress import note
from textsimp.text.alignment import COUNTED

__all__ = ["BASELINES", "Row", "measure_systems", "score_rows"]

Row = dict[str, Any]
BASELINES = (*ALL_BASELINES, "empty")
"""Names of baselines, in lower case."""


@dataclass(frozen=True)
class Quantity:
    """A score that is drawn.

    Attributes:
        name: Its name in the notation of metrics.
        score: Its declaration.
        measured: The statistics of all systems.
        axis: An arrow in its title points in the direction of better scores.
    """

    name: str
    score: Score
    measured: Statistics
    axis: Axis


@dataclass(frozen=True)
class Measured:
    """Systems measured by metrics.

    Attributes:
        quantities: The scores.
        kinds: Row → ``"system"``, ``"references"``, or ``"baseline"`` of sources, unchanged or
            truncated, and empty outputs.
        labels: Row → its short name.
        texts: The texts, baselines included; None of statistics.
        sampling: ``confidence``, ``resamples`` and ``seed``.
    """

    quantities: Sequence[Quantity]
    kinds: Mapping[str, str]
    labels: Mapping[str, str]
    texts: Examples | None
    sampling: Mapping[str, Any]

    def row(self, system: str, **more: Any) -> Row:
        """Begin a row with a system, its label and its kind."""
        about = {"system": system, "label": self.labels.get(system, cells.clean_name(system))}
        return {**about, "kind": self.kinds.get(system, "system"), **more}

    def axes(self) -> dict[str, Axis]:
        """Return the axis of each score."""
        return {quantity.name: quantity.axis for quantity in self.quantities}

    def sources(self) -> Sequence[str]:
        """Return the sources."""
        if self.texts is None or self.texts.sources is None:
            raise InputError("sources: expected the original texts, got none")
        return self.texts.sources

    def order(self, rows: Sequence[Row]) -> list[str]:
        """Return the labels of the rows of the first score, the best first, baselines last."""
        first = self.quantities[0]
        own = [row for row in rows if row.get("metric", first.name) == first.name]
        sign = {"higher": -1, "lower": 1, "": 0}[first.score.better]
        own.sort(key=lambda row: (row["kind"] in APART, sign * row.get("value", 0)))
        return [*dict.fromkeys(row["label"] for row in [*own, *rows])]


def measure_systems(
    systems: Any,
    metrics: Metrics,
    *,
    sources: Any = None,
    references: Any = None,
    ids: Any = None,
    missing: Missing = "error",
    baselines: bool = True,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Measured:
    """Measure systems by metrics or some of their scores; see `textsimp.figure`."""
    check_switch("baselines", baselines)
    sampling = check_sampling(confidence, resamples, seed, optional=False)
    choices, keys = catalogue.read(metrics, "metrics"), list[str]()
    for choice in choices:
        keys.append(choice.score)
        choice.score = ""
    names = [str(choice) for choice in choices]
    different = dict(zip(names, choices, strict=True))
    texts = {"sources": sources, "references": references}
    found, checked, added = measure(
        *(systems, [*different.values()], texts, options, ids, missing),
        baselines=baselines,
        required=False,
        tests=False,
    )
    measured = dict(zip(different, found.values(), strict=True))
    read = [_read(measured[n], key) for n, key in zip(names, keys, strict=True)]
    quantities = [*{quantity.name: quantity for quantity in read}.values()]
    titles = [quantity.axis.title for quantity in quantities]
    for i, quantity in enumerate(quantities):
        if titles.count(quantity.axis.title) > 1:
            quantities[i] = replace(quantity, axis=replace(quantity.axis, title=quantity.name))
    rows = measured[names[0]].groups
    check_names(rows)
    kinds = {name: "baseline" if name in added else _kind(checked, name) for name in rows}
    kinds[REFERENCES] = "references"
    return Measured(quantities, kinds, _label([*rows]), checked, sampling)


def _label(names: Sequence[str]) -> dict[str, str]:
    """Return name → label: the middle of long names is left out."""
    labels = {name: clip(name) for name in names}
    return labels if len({*labels.values()}) == len(labels) else cells.shorten_names(names)


def _read(measured: Statistics, key: str) -> Quantity:
    """Return a score of a metric, "" for the main one."""
    metric, keys = measured.metric, measured.metric.output_scores(measured.shared)
    if key:
        check_choice(f"score of {metric}", key, keys)
    score = metric.find_score(key or keys[0])
    name = score_label(str(metric), score.key) if key else str(metric)
    title = metric.heading(score.title) + ARROWS[score.better]
    return Quantity(name, score, measured, Axis(title, score.unit == "share"))


def _kind(texts: Examples | None, system: str) -> str:
    """Return ``"baseline"`` if a system's outputs are the sources or empty, or its name says so."""
    if system.lower() in BASELINES:
        return "baseline"
    if texts is None or "predictions" not in texts.systems.get(system, {}):
        return "system"
    outputs = [text.strip() for text in texts.predictions(system)]
    copies = texts.sources is not None and outputs == [text.strip() for text in texts.sources]
    return "baseline" if copies or not any(outputs) else "system"


def score_rows(measured: Measured, *, published: bool = False) -> list[Row]:
    """Return a row per score and system, with the interval; also of the nearest published ones."""
    rows, scores = list[Row](), dict[str, Mapping[str, Scores]]()
    for quantity in measured.quantities:
        scores[quantity.name] = quantity.measured.score(**measured.sampling)
        values = {
            name: own.predictions[quantity.score.key] for name, own in scores[quantity.name].items()
        }
        rows += _value_rows(measured, quantity, values)
    if published:
        rows += _published_rows(measured, scores)
    return rows


def _value_rows(measured: Measured, quantity: Quantity, values: Mapping[str, Value]) -> list[Row]:
    return [
        measured.row(name, metric=quantity.name, **_numbers(value))
        for name, value in values.items()
        if is_number(value.value)
    ]


def _numbers(value: Value) -> dict[str, float]:
    low, high = value.interval or (value.value, value.value)
    return {"value": value.value, "low": low, "high": high}


def _published_rows(measured: Measured, scores: Mapping[str, Mapping[str, Scores]]) -> list[Row]:
    """Return the rows of the published systems next to one's own by the first score."""
    first = measured.quantities[0]
    main = {q.name: q for q in measured.quantities if q.score is q.measured.metric.scores[0]}
    own = [system for system, kind in measured.kinds.items() if kind == "system"]
    by_metric = {name: scores[name] for name in main}
    field, remark = find_field(measured.texts, by_metric, own, measured.sampling["confidence"])
    note(remark)
    values = {n: x[first.name].value for n, x in field.items() if first.name in x}
    values |= {system: scores[first.name][system].main.value for system in own}
    ranking = sorted(values, key=lambda n: values[n], reverse=first.score.better != "lower")
    near = neighbours(ranking, own, field)
    return [
        {**row, "kind": "published"}
        for name, quantity in main.items()
        for row in _value_rows(
            measured, quantity, {n: field[n][name] for n in near if name in field.get(n, {})}
        )
    ]


def length_rows(measured: Measured) -> list[Row]:
    """Return a row per score, group of sources and system, with the interval."""
    rows, sources = list[Row](), measured.sources()
    sizes = {label: len(own) for label, own in lengths.group(sources).items()}
    for quantity in measured.quantities:
        scores = lengths.score_by_length(quantity.measured, sources, **measured.sampling)
        for label, systems in scores.items():
            values = {name: own.predictions[quantity.score.key] for name, own in systems.items()}
            for row in _value_rows(measured, quantity, values):
                rows.append({**row, "length": label, "examples": sizes[label]})
    return rows


def operation_rows(measured: Measured) -> list[Row]:
    """Return the shares of operations of all systems, that which keeps the most first."""
    (quantity,) = measured.quantities
    scores, metric = quantity.measured.score(), quantity.measured.metric
    values = {name: own.predictions for name, own in scores.items()}
    references = next(iter(scores.values())).references
    values |= {REFERENCES: references} if references else {}
    titles = {key: metric.find_score(key).title.lower() for key in reversed(COUNTED)}
    rows = [
        measured.row(name, **row)
        for name, own in values.items()
        for row in bins.share_rows({title: own[key].value for key, title in titles.items()})
    ]
    kept = {row["system"]: row["share"] for row in rows if row["operation"] == titles["keep"]}
    return sorted(rows, key=lambda row: (row["kind"] in APART, -kept[row["system"]]))


def distribution_rows(measured: Measured) -> list[Row]:
    """Return a row per score, system and bin: the share of values in it, and the median of all."""
    rows = []
    for quantity in measured.quantities:
        examples = score_examples(quantity.measured, measured.texts)
        own = {name: values[quantity.score.key] for name, values in examples.items()}
        defined = {name: x[~np.isnan(x)] for name, x in own.items() if not np.isnan(x).all()}
        for name, parts in bins.bin_rows(defined).items():
            rows += [measured.row(name, metric=quantity.name, **part) for part in parts]
    return rows
