"""The report's rows (systems, references, baselines) and their measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from importlib.util import find_spec
from itertools import combinations
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.core import examples, sample, significance, system_names
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, beyond
from textsimp.core.sample import Sample
from textsimp.core.significance import Difference
from textsimp.corpora.files import note
from textsimp.metrics.catalogue import make_metrics
from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.ratings import Ratings, analyse
from textsimp.report import report_ratings
from textsimp.report.report_ratings import People
from textsimp.scoring import comparison
from textsimp.scoring.comparison import check_examples, truncate
from textsimp.support.errors import InputError
from textsimp.text.sentences import get_splitter

Kind = Literal["system", "references", "baseline"]
Values = dict[str, tuple[float, list[float]]]
"""Score → its value and interval."""

Pair = tuple[int, int]
"""Two rows of the report."""

Tell = Callable[[str], object]
"""Is told what is done next."""

KEPT_PERCENT = comparison.KEPT_PERCENT
_DOCUMENT = 3  # sentences of a source from which on it is one, if half of all have as many
REFERENCES, UNCHANGED, TRUNCATED = "references", comparison.UNCHANGED, comparison.TRUNCATED

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
    """A row of the report's tables."""

    name: str  # short, see `system_names`
    kind: Kind
    targets: list[list[str]]  # the texts of each example: one, or all references
    full: str = ""  # the name that was given; of systems only

    @property
    def outputs(self) -> list[str]:
        """The only text of each example; not for references."""
        return [text for (text,) in self.targets]


@dataclass(frozen=True)
class Data:
    """The checked columns and rows."""

    sources: list[str]  # n texts
    references: list[list[str]] | None  # one or more for each; None if there are none
    rows: list[Row]  # systems, then references, if there are any, and baselines
    ratings: Ratings | None = None  # of systems' outputs; items are examples, counted from 0
    unmatched: str = ""  # a sentence on ratings that were left out
    columns: Mapping[str, Mapping[str, list[Any]]] = field(default_factory=dict)  # of systems

    @property
    def labels(self) -> dict[str, dict[str, list[list[int]]]]:
        """System → category of information errors → labels of its outputs; empty without labels."""
        named = {s: {c: own[c] for c in CATEGORIES if c in own} for s, own in self.columns.items()}
        return named if any(named.values()) else {}

    @property
    def examples(self) -> Examples:
        """All rows but the references as systems."""
        single = {row.name: row.outputs for row in self.rows if row.kind != "references"}
        return _examples(self.sources, self.references, single)

    @cached_property
    def documents(self) -> bool:
        """Whether at least half of the sources have several sentences."""
        return bool(np.median(get_splitter().count(self.sources)) >= _DOCUMENT)

    @property
    def systems(self) -> list[Row]:
        """The rows of systems."""
        return [row for row in self.rows if row.kind == "system"]

    def rows_of(self, kind: Kind) -> list[int]:
        """The places of all rows of a kind."""
        return [i for i, row in enumerate(self.rows) if row.kind == kind]

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
class RowStatistics:
    """A metric's statistics of every row."""

    metric: Metric
    # Of each row the (n, k) statistics whose scores' mean is the row's: one matrix, one for each
    # left-out reference, or none.
    matrices: list[list[Floats]]

    def take(self, examples: NDArray[np.int64]) -> RowStatistics:
        """Return the statistics of some examples."""
        return replace(self, matrices=[[m[examples] for m in of_row] for of_row in self.matrices])

    def scores(self, sampling: Sampling) -> list[Values]:
        """Return score → value and interval for each row."""
        return [self._scores(of_row, sampling) for of_row in self.matrices]

    def _scores(self, matrices: list[Floats], sampling: Sampling) -> Values:
        if not matrices:
            return {}
        one = Sample(np.hstack(matrices), partial(self._reduce, len(matrices)))
        values, intervals = one.value(), one.interval(**vars(sampling))
        return {
            name: (float(self.metric.fill(value)), intervals[name] or [0.0, 0.0])
            for name, value in values.items()
            if value.ndim == 0
        }

    def _reduce(self, parts: int, totals: Floats) -> dict[str, Floats]:
        reduced = [self.metric.reduce(own) for own in np.split(totals, parts, axis=-1)]
        return {name: np.mean([part[name] for part in reduced], axis=0) for name in reduced[0]}

    def compare(
        self, pairs: Sequence[Pair], sampling: Sampling
    ) -> dict[Pair, dict[str, Difference]]:
        """Test pairs of rows that have one matrix: second minus first row."""
        samples = {
            i: self.metric.sample(of_row[0]) for i, of_row in enumerate(self.matrices) if of_row
        }
        return sample.compare(samples, pairs, **vars(sampling))

    def per_example(self, row: int) -> dict[str, Floats]:
        """Return score → (n,) or (n, m) scores of a row's examples; nothing without statistics."""
        return self.metric.reduce_examples(self.matrices[row][0]) if self.matrices[row] else {}


@dataclass(frozen=True)
class Measurements:
    """All measurements that the page shows."""

    data: Data
    sampling: Sampling  # of intervals and tests
    judging: Mapping[str, Metric]  # metrics with a direction, by name, the main one first
    describing: Mapping[str, Metric]  # metrics without one
    statistics: Mapping[str, RowStatistics]  # statistics of all of them, by name
    values: Mapping[str, list[Values]]  # their scores with intervals, by name; of each row
    features: Mapping[str, list[Floats]]  # score of `DESCRIBING` → of each row, see `features`
    people: People | None = None  # what they say, if there are ratings
    unranked: Mapping[str, str] = field(default_factory=dict)  # systems with errors, and these

    @property
    def ranked(self) -> list[int]:
        """The places of systems without errors."""
        rows = self.data.rows
        return [i for i in self.data.rows_of("system") if rows[i].name not in self.unranked]

    @cached_property
    def differences(self) -> dict[str, dict[Pair, dict[str, Difference]]]:
        """Metric with a direction → pair of rows → score → the second row's minus the first's."""
        rows = [row.name for row in self.data.rows]
        return {
            name: self.people.differences(name, rows)
            if self.people and self.is_people(name)
            else compare(self.statistics[name], self.data, self.sampling)
            for name in self.judging
        }

    def is_people(self, name: str) -> bool:
        """Whether a metric is a criterion of people's ratings."""
        return name.startswith(report_ratings.PREFIX)

    def few(self, name: str) -> int:
        """The number of examples, if they are too few to call a system better; else 0."""
        rated = self.people.analysis.counts["items"] if self.people else 0
        number = rated if self.is_people(name) else len(self.data.sources)
        return number if number < significance.FEWEST else 0

    @property
    def metrics(self) -> dict[str, Metric]:
        """All metrics by name."""
        return {**self.judging, **self.describing}

    @property
    def first(self) -> str:
        """The name of the main metric; empty if none judges."""
        return next(iter(self.judging), "")


def compare(
    statistics: RowStatistics, data: Data, sampling: Sampling
) -> dict[Pair, dict[str, Difference]]:
    """Test all pairs of systems, and systems against baselines: second minus first row."""
    systems = data.rows_of("system")
    rows = [i for i in (*systems, *data.rows_of("baseline")) if statistics.matrices[i]]
    pairs = [pair for pair in combinations(rows, 2) if pair[0] in systems]
    return statistics.compare(pairs, sampling)


def measure(
    data: Data,
    metrics: Mapping[str, Metric],
    sampling: Sampling,
    tell: Tell = str,
    language: str | None = None,
) -> Measurements:
    """Measure all rows by all metrics. ``tell`` is called with each metric's name before."""
    metrics = {n: metric.with_main(data.examples.shared) for n, metric in metrics.items()}
    judging = {name: metric for name, metric in metrics.items() if metric.scores[0].better}
    others = {name: metric for name, metric in metrics.items() if name not in judging}
    describing = make_metrics([*DESCRIBING], "metrics", language=language) | others
    if "word_difficulty" not in {metric.name for metric in others.values()}:
        describing |= _word_difficulty(language)
    statistics = {}
    for name, metric in judging.items():
        tell(name)
        if names := beyond(metric):
            of_systems = {
                system: {column: own[column] for column in names}
                for system, own in data.columns.items()
            }
            statistics[name] = measure_columns(metric, data, of_systems)
        else:
            statistics[name] = measure_scores(metric, data)
    if data.labels:
        judging["information_errors"] = InformationErrors()
        statistics["information_errors"] = measure_columns(InformationErrors(), data, data.labels)
    people = _measure_people(data, sampling)
    if people:
        for name, lists in people.by_output.items():
            metric = people.metrics[f"{report_ratings.PREFIX}{name}"]
            of_systems = {system: {"ratings": of_one} for system, of_one in lists.items()}
            statistics[f"{report_ratings.PREFIX}{name}"] = measure_columns(metric, data, of_systems)
        judging |= {name: metric for name, metric in people.metrics.items() if metric.ranks()}
    if judging:
        order = _order(statistics[next(iter(judging))], data)
        data = replace(data, rows=[data.rows[i] for i in order])
        for name, rows in statistics.items():
            statistics[name] = replace(rows, matrices=[rows.matrices[i] for i in order])
    values = {name: rows.scores(sampling) for name, rows in statistics.items()}
    if people:
        names = [row.name for row in data.rows]
        values |= {n: [people.values(n, system) for system in names] for n in people.metrics}
    for name, metric in describing.items():
        tell(name)
        statistics[name] = measure_texts(metric, data)
        values[name] = text_values(statistics[name], data, sampling)
    text_features: dict[str, list[Floats]] = {}
    for name in ("simplification_stats", "edit_ops"):
        text_features |= features(statistics[name], data)
    return Measurements(
        data, sampling, judging, describing, statistics, values, text_features, people
    )


def _measure_people(data: Data, sampling: Sampling) -> People | None:
    if data.ratings is None:
        return None
    lists = report_ratings.by_output(
        data.ratings, [row.name for row in data.systems], len(data.sources)
    )
    return People(data.ratings, analyse(data.ratings, **vars(sampling)), lists)


def _word_difficulty(language: str | None) -> dict[str, Metric]:
    """Return the metric, if wordfreq is installed and has frequencies of the language."""
    if find_spec("wordfreq"):
        with suppress(InputError):
            return make_metrics(["word_difficulty"], "metrics", language=language)
    return {}


def _order(statistics: RowStatistics, data: Data) -> list[int]:
    """Order the rows: systems by the main score, the best first; then the others as they are."""
    main = statistics.metric.scores[0]
    systems = data.rows_of("system")
    scores = {}
    for i in systems:
        score = float(statistics.metric.reduce(statistics.matrices[i][0].sum(axis=0))[main.key])
        scores[i] = score if main.better == "lower" else -score
    ranked = sorted(systems, key=lambda i: (np.isnan(scores[i]), scores[i]))
    return ranked + [i for i in range(len(data.rows)) if i not in scores]


class _OptionalLabels(InformationErrors):
    """Reads labels where there are some."""

    columns = tuple(column.optional for column in InformationErrors.columns)


def check(
    systems: Mapping[str, object] | Examples,
    sources: object,
    references: object,
    metrics: Iterable[Metric] = (),
    rating: Sequence[str] = (),
    ratings: Ratings | None = None,
) -> Data:
    """Check the columns that metrics need, and add rows of references and baselines."""
    shared = {"sources": sources, "references": references}
    questions = report_ratings.columns(rating) if ratings is None else ()
    rated = report_ratings.RatingMeans().declare(columns=questions)
    needing = [EditOps.preset(), _OptionalLabels(), rated, *metrics]
    checked = check_examples(needing, systems, shared)
    short = system_names.shorten([*checked.systems], [REFERENCES, UNCHANGED, TRUNCATED])
    for name in checked.systems:
        if name in (REFERENCES, UNCHANGED, TRUNCATED):
            raise InputError(f"systems: {name!r} names a row of every report: choose another name")
    texts, lists = checked.shared["sources"], checked.references
    rows = [
        Row(short[name], "system", [[text] for text in checked.predictions(name)], name)
        for name in checked.systems
    ]
    if lists is not None:
        rows.append(Row(REFERENCES, "references", lists))
    rows += [
        Row(UNCHANGED, "baseline", [[text] for text in texts]),
        Row(TRUNCATED, "baseline", [[truncate(text)] for text in texts]),
    ]
    unmatched = ""
    if ratings is not None:
        outputs = {name: checked.predictions(name) for name in checked.systems}
        ratings, unmatched = report_ratings.match(ratings, texts, outputs, short)
        if unmatched:
            note(unmatched)
    elif rating or any(any(own.get(questions[0].name, [])) for own in checked.systems.values()):
        ratings = report_ratings.of_columns(
            {
                short[name]: {column.name: own[column.name] for column in questions}
                for name, own in checked.systems.items()
            }
        )
    own_columns = {short[name]: own for name, own in checked.systems.items()}
    data = Data(texts, lists, rows, ratings, unmatched, own_columns)
    if data.labels:
        examples.check_complete([InformationErrors()], checked.shared, checked.systems)
    return data


def _examples(
    sources: list[str], references: list[list[str]] | None, systems: Mapping[str, list[str]]
) -> Examples:
    shared = {"sources": sources, "references": references}
    return Examples(
        {name: column for name, column in shared.items() if column is not None},
        {name: {"predictions": column} for name, column in systems.items()},
    )


def measure_scores(metric: Metric, data: Data) -> RowStatistics:
    """Compute statistics of a metric with a direction; references are scored by the others."""
    statistics = metric.compute_statistics(data.examples)
    left_out = []
    lists = data.references or []
    for i in range(data.rounds):
        others = [row[:i] + row[i + 1 :] for row in lists]
        one = _examples(data.sources, others, {REFERENCES: [row[i] for row in lists]})
        left_out.append(metric.compute_statistics(one)[REFERENCES])
    return RowStatistics(
        metric,
        [left_out if row.kind == "references" else [statistics[row.name]] for row in data.rows],
    )


def measure_columns(
    metric: Metric, data: Data, of_systems: Mapping[str, Mapping[str, list[Any]]]
) -> RowStatistics:
    """Compute statistics of columns that only systems have, such as labels."""
    columns = [of_systems.get(row.name) for row in data.rows]
    return RowStatistics(
        metric,
        [
            [*metric.compute_statistics(metric.check(**own)).values()] if own else []
            for own in columns
        ],
    )


def measure_texts(metric: Metric, data: Data) -> RowStatistics:
    """Compute statistics of a metric that reads sources; every row's contain the references'."""
    statistics = metric.compute_statistics(data.examples)
    of_references = next(iter(statistics.values()))
    return RowStatistics(metric, [[statistics.get(row.name, of_references)] for row in data.rows])


def text_values(statistics: RowStatistics, data: Data, sampling: Sampling) -> list[Values]:
    """Return score → value and interval for each row; for references means per example."""
    values = statistics.scores(sampling)
    for i in data.rows_of("references"):
        parts = {statistics.metric.split_score_name(name): name for name in values[i]}
        values[i] = {
            key: values[i][name] for (side, key), name in parts.items() if side == "references"
        }
    return values


def features(statistics: RowStatistics, data: Data) -> dict[str, list[Floats]]:
    """Return score → values of every text for each row: (n,), or (all references,)."""
    metric = statistics.metric
    matrices = [matrix for (matrix,) in statistics.matrices]
    for i in data.rows_of("references"):
        texts = [text for row in data.rows[i].targets for text in row]
        pairs = zip(data.sources, data.rows[i].targets, strict=True)
        sources = [source for source, row in pairs for _ in row]
        outputs = _examples(sources, None, {REFERENCES: texts})
        matrices[i] = metric.compute_statistics(outputs)[REFERENCES]
    reduced = [*map(metric.reduce_examples, matrices)]
    names = {*reduced[0]}.intersection(*reduced)
    return {name: [scores[name] for scores in reduced] for name in reduced[0] if name in names}
