"""The report's rows (systems, references, baselines) and their measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.core import examples, significance
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.significance import Reduce
from textsimp.metrics.catalogue import metric_class
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.scoring.comparison import check_examples
from textsimp.support.errors import InputError

Kind = Literal["system", "references", "baseline"]
Values = dict[str, tuple[float, list[float]]]
"""Score → its value and interval."""

Tell = Callable[[str], object]
"""Is told what is done next."""

KEPT_PERCENT = 80  # of a source's words, by the truncation baseline
REFERENCES, UNCHANGED, TRUNCATED = "references", "source unchanged", "source truncated"

DESCRIBING = {
    "simplification_stats": (
        "compression_ratio",
        "levenshtein_similarity",
        "exact_copies",
        "additions_proportion",
        "deletions_proportion",
        "sentence_splits",
    ),
    "edit_ops": ("change_percentage",),
    "fkgl_components": ("words_per_sentence", "syllables_per_word", "fkgl"),
}
"""Metric → its scores that say what the texts are like."""


@dataclass(frozen=True)
class Row:
    """A row of the report's tables.

    Attributes:
        name: What it is called.
        kind: What it is.
        targets: The texts of each example: one, or all references.
    """

    name: str
    kind: Kind
    targets: list[list[str]]

    @property
    def outputs(self) -> list[str]:
        """The only text of each example; not for references."""
        return [text for (text,) in self.targets]


@dataclass(frozen=True)
class Data:
    """The checked columns and rows.

    Attributes:
        sources: n texts.
        references: A list of one or more for each; None if there are none.
        rows: Systems as they were given, then references, if there are any, and baselines.
        labels: System → category of information errors → labels of its outputs; empty where they
            weren't given.
    """

    sources: list[str]
    references: list[list[str]] | None
    rows: list[Row]
    labels: Mapping[str, Mapping[str, list[list[int]]]] = field(default_factory=dict)

    @property
    def examples(self) -> Examples:
        """All rows but the references as systems."""
        single = {row.name: row.outputs for row in self.rows if row.kind != "references"}
        return _examples(self.sources, self.references, single)

    @property
    def systems(self) -> list[Row]:
        """The rows of systems."""
        return [row for row in self.rows if row.kind == "system"]

    @property
    def rounds(self) -> int:
        """The number of references that every example has, if more than one; else 0."""
        least = min(map(len, self.references or [[]]))
        return least if least > 1 else 0


@dataclass(frozen=True)
class Sampling:
    """Options of intervals and tests, see `textsimp.core.significance`."""

    confidence: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class Measured:
    """A metric's statistics of every row.

    Attributes:
        metric: The metric.
        matrices: For each row of the report the (n, k) statistics whose scores' mean is the row's:
            one matrix, one for each left-out reference, or none.
    """

    metric: Metric
    matrices: list[list[Floats]]

    def scores(self, sampling: Sampling, examples: NDArray[np.int64] | None = None) -> list[Values]:
        """Return score → value and interval for each row, over some examples or all."""
        chosen = slice(None) if examples is None else examples
        return [
            self._scores([matrix[chosen] for matrix in of_row], sampling)
            for of_row in self.matrices
        ]

    def _scores(self, matrices: list[Floats], sampling: Sampling) -> Values:
        if not matrices:
            return {}
        values = self._means(self.metric.reduce, [matrix.sum(axis=0) for matrix in matrices])
        # Equal seeds draw equal examples, so the mean of resampled scores is that of a resample.
        resampled = self._means(
            self.metric.reduce_resamples,
            [significance.bootstrap(m, sampling.resamples, sampling.seed) for m in matrices],
        )
        single = {name: drawn for name, drawn in resampled.items() if drawn.ndim == 1}
        intervals = significance.intervals(single, sampling.confidence)
        return {name: (float(values[name]), bounds) for name, bounds in intervals.items()}

    def _means(self, reduce: Reduce, totals: Sequence[Floats]) -> dict[str, Floats]:
        reduced = [reduce(part) for part in totals]
        return {name: np.mean([part[name] for part in reduced], axis=0) for name in reduced[0]}

    def per_example(self, row: int, score: str) -> Floats:
        """(n,) a score of each example of a row that has one matrix."""
        (matrix,) = self.matrices[row]
        return self.metric.reduce_examples(matrix)[score]


@dataclass(frozen=True)
class Measurements:
    """All measurements that the page shows.

    Attributes:
        data: The texts.
        sampling: Of intervals and tests.
        judging: Metrics that say which system is better, by name, the main one first.
        describing: Metrics that don't.
        measured: Statistics of all of them, by name.
        values: Their scores with intervals, by name; of each row.
        features: Score that describes → of each row its value for every text, see `features`.
    """

    data: Data
    sampling: Sampling
    judging: Mapping[str, Metric]
    describing: Mapping[str, Metric]
    measured: Mapping[str, Measured]
    values: Mapping[str, list[Values]]
    features: Mapping[str, list[Floats]]

    @property
    def first(self) -> str:
        """The name of the main metric; empty if none judges."""
        return next(iter(self.judging), "")


def measure(
    data: Data, metrics: Mapping[str, Metric], sampling: Sampling, tell: Tell = str
) -> Measurements:
    """Measure all rows by all metrics. ``tell`` is called with each metric's name before."""
    judging = {name: metric for name, metric in metrics.items() if metric.ranks()}
    others = {name: metric for name, metric in metrics.items() if not metric.ranks()}
    describing = {name: metric_class(name).preset() for name in DESCRIBING} | others
    judged = {}
    for name, metric in judging.items():
        tell(name)
        judged[name] = measure_scores(metric, data)
    if data.labels:
        judging["information_errors"] = InformationErrors()
        judged["information_errors"] = measure_labels(data)
    described = {}
    for name, metric in describing.items():
        tell(name)
        described[name] = measure_texts(metric, data)
    values = {name: of_metric.scores(sampling) for name, of_metric in judged.items()}
    values |= {
        name: text_values(of_metric, data, sampling) for name, of_metric in described.items()
    }
    of_texts = {
        key: value
        for name in ("simplification_stats", "edit_ops")
        for key, value in features(described[name], data).items()
    }
    return Measurements(
        data, sampling, judging, describing, {**judged, **described}, values, of_texts
    )


class _LabelsIfGiven(InformationErrors):
    """Reads labels where there are some."""

    columns = tuple(column.optional for column in InformationErrors.columns)


def check(
    systems: Mapping[str, object] | Examples,
    sources: object,
    references: object,
    metrics: Iterable[Metric] = (),
) -> Data:
    """Check the columns that metrics need, and add rows of references and baselines."""
    shared = {"sources": sources, "references": references}
    needing = [EditOps.preset(), _LabelsIfGiven(), *metrics]
    checked = check_examples(needing, systems, shared)
    labels = {
        name: {category: own[category] for category in CATEGORIES if category in own}
        for name, own in checked.systems.items()
    }
    if any(labels.values()):
        examples.check_complete([InformationErrors()], checked.shared, checked.systems)
    for name in checked.systems:
        if name in (REFERENCES, UNCHANGED, TRUNCATED):
            raise InputError(f"systems: {name!r} names a row of every report: choose another name")
    texts, lists = checked.shared["sources"], checked.references
    rows = [
        Row(name, "system", [[text] for text in checked.predictions(name)])
        for name in checked.systems
    ]
    if lists is not None:
        rows.append(Row(REFERENCES, "references", lists))
    rows += [
        Row(UNCHANGED, "baseline", [[text] for text in texts]),
        Row(TRUNCATED, "baseline", [[truncate(text)] for text in texts]),
    ]
    return Data(texts, lists, rows, labels if any(labels.values()) else {})


def _examples(
    sources: list[str],
    references: list[list[str]] | None,
    systems: Mapping[str, list[str]],
) -> Examples:
    shared = {"sources": sources, "references": references}
    return Examples(
        {name: column for name, column in shared.items() if column is not None},
        {name: {"predictions": column} for name, column in systems.items()},
    )


def truncate(text: str) -> str:
    """The first 80 % of a text's words, rounded up.

    >>> truncate("one two three four five six")
    'one two three four five'
    """
    words = text.split()
    return " ".join(words[: -(-KEPT_PERCENT * len(words) // 100)])


def measure_scores(metric: Metric, data: Data) -> Measured:
    """Compute statistics of a metric with a direction; references are scored by the others."""
    statistics = metric.statistics_of(data.examples)
    left_out = []
    lists = data.references or []
    for i in range(data.rounds):
        others = [row[:i] + row[i + 1 :] for row in lists]
        one = _examples(data.sources, others, {REFERENCES: [row[i] for row in lists]})
        left_out.append(metric.statistics_of(one)[REFERENCES])
    return Measured(
        metric,
        [left_out if row.kind == "references" else [statistics[row.name]] for row in data.rows],
    )


def measure_labels(data: Data) -> Measured:
    """Compute statistics of the labels of systems."""
    metric = InformationErrors()
    matrices = []
    for row in data.rows:
        labels = data.labels.get(row.name) if row.kind == "system" else None
        of_row = [] if labels is None else [*metric.statistics_of(metric.check(**labels)).values()]
        matrices.append(of_row)
    return Measured(metric, matrices)


def measure_texts(metric: Metric, data: Data) -> Measured:
    """Compute statistics of a metric that compares texts with their sources only.

    Those of the references are part of every row's, under names of their own.
    """
    statistics = metric.statistics_of(data.examples)
    of_references = next(iter(statistics.values()))
    return Measured(metric, [[statistics.get(row.name, of_references)] for row in data.rows])


def text_values(measured: Measured, data: Data, sampling: Sampling) -> list[Values]:
    """Return score → value and interval for each row; for references means per example."""
    return [
        _reference_values(measured.metric, scores) if row.kind == "references" else scores
        for row, scores in zip(data.rows, measured.scores(sampling), strict=True)
    ]


def features(measured: Measured, data: Data) -> dict[str, list[Floats]]:
    """Return score → values of every text for each row: (n,), or (all references,)."""
    metric = measured.metric
    reduced = [
        metric.reduce_examples(
            _reference_statistics(metric, data) if row.kind == "references" else m
        )
        for row, (m,) in zip(data.rows, measured.matrices, strict=True)
    ]
    names = {*reduced[0]}.intersection(*reduced)
    return {name: [scores[name] for scores in reduced] for name in reduced[0] if name in names}


def _reference_statistics(metric: Metric, data: Data) -> Floats:
    """(all references, k) statistics of references as outputs."""
    pairs = zip(data.sources, data.references or [], strict=True)
    rows = [(source, text) for source, row in pairs for text in row]
    sources, texts = map(list, zip(*rows, strict=True))
    (statistics,) = metric.statistics_of(_examples(sources, None, {REFERENCES: texts})).values()
    return statistics


def _reference_values(metric: Metric, scores: Values) -> Values:
    named = [(*metric.side_of(name), value) for name, value in scores.items()]
    return {key: value for side, key, value in named if side == "references"}
