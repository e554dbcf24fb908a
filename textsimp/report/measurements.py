"""What a report shows: its rows, and what metrics and people say of them."""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from importlib.util import find_spec
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np

from textsimp.core import cells
from textsimp.core.comparisons import Comparison
from textsimp.core.declarations import Declarations
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric, Statistics, extra_required_columns, group
from textsimp.core.run_sample import rename_runs
from textsimp.core.scores import Scores, Value, explain_runs
from textsimp.metrics.catalogue import make_metrics
from textsimp.metrics.edit_ops import EditOps
from textsimp.scoring import comparison
from textsimp.scoring.ranking import Column, Ranking, column_of, judge
from textsimp.scoring.systems import (
    TRUNCATED,
    UNCHANGED,
    Runs,
    add_baselines,
    check_examples,
    check_names,
    score_references,
)
from textsimp.support.errors import InputError

__all__ = ["MEAN", "Ratings", "Report", "check_rated"]

Tell = Callable[[str], object]
"""A function that is told the name of each step before it begins."""

MEAN = "mean"
"""The score of the metrics of `Ratings`."""
REFERENCES = "references"
STATS, EDITS = "simplification_stats", "edit_ops"

DESCRIBING = {
    STATS: (
        "compression_ratio",
        "levenshtein_similarity",
        "exact_copies",
        "additions_proportion",
        "deletions_proportion",
        "sentence_splits",
    ),
    EDITS: ("change_percentage",),
    "fkgl_components": ("words_per_sentence", "syllables_per_word", "fkgl"),
}
"""Metric → its scores that say what the texts are like."""
_SHOWN = DESCRIBING | {"word_difficulty": ("rare_share",)}
_EDIT_OPS = EditOps(tokenizer="13a")  # texts needn't be tokenised


class Ratings(Protocol):
    """Ratings of the systems in a report, from an extension.

    `textsimp.report.html` takes ``ratings`` that have a method
    ``for_report(sources, outputs, names, **sampling)``, which returns such an object. There
    ``outputs`` are system → texts, and ``names`` system → its name in the report.
    """

    metrics: Mapping[str, Metric]  # name → metric of a column ``ratings``
    note: str  # on intervals
    template: str  # PACKAGE:FILE of a section of the page

    def values(self, name: str) -> dict[str, list[list[float]]]:
        """Return system → the numbers of each output, whose mean is the score `MEAN`."""

    def compare(self, name: str, unranked: Mapping[str, str]) -> Comparison:
        """Compare systems, apart from ``unranked`` ones."""

    def caution(self, name: str) -> str:
        """Return how the sentence on the best system begins, such as "Raters agree little: "."""

    def sentences(self, report: "Report") -> list[str]:
        """Return further sentences of the verdict."""

    def contents(self, report: "Report") -> dict[str, Any]:
        """Return what the template reads, as ``ratings``."""


@dataclass
class Report:
    """All that the page shows, in numbers.

    Metrics that have a direction rank systems, and so do criteria of ratings; the first of them is
    the main one. Other metrics describe texts. Rows of tables are systems, references, baselines.
    """

    texts: Examples  # with systems and baselines by their short names
    full_names: Mapping[str, str]  # short name of a system → its full name, where they differ
    documents: bool  # whether at least half of the sources have several sentences
    sampling: Mapping[str, Any]  # ``confidence``, ``resamples`` and ``seed``
    statistics: Mapping[str, Statistics]  # metric → those of systems and baselines
    comparisons: Mapping[str, Comparison]  # by metrics that rank systems, and by raters
    describing: Sequence[str]  # names of metrics that describe texts
    values: Mapping[str, Mapping[str, Mapping[str, Value]]]  # metric → row → score → value
    example_scores: Mapping[str, Mapping[str, Mapping[str, Floats]]]  # of first runs, references
    signatures: Mapping[str, str]  # metric → signature
    unranked: Mapping[str, str]  # system → why it can't be ranked
    ratings: Ratings | None
    notes: Sequence[str] = field(init=False)  # on scores of several runs
    metrics: Mapping[str, Metric] = field(init=False)
    columns: Mapping[str, Sequence[Column]] = field(init=False)  # metric → those of its scores
    criteria: Sequence[str] = field(init=False)  # names of the criteria of ratings
    judging: Sequence[str] = field(init=False)  # names of what ranks systems, the main one first
    ranked_by: Sequence[str] = field(init=False)  # those of metrics
    main: Column | None = field(init=False)  # of the main score, if anything ranks systems
    rankings: Mapping[str, Ranking] = field(init=False)  # by metric or criterion
    systems: list[str] = field(init=False)  # their short names, the best first
    rows: dict[str, str] = field(init=False)  # name → ``system``, ``references`` or ``baseline``
    order: list[str] = field(init=False)  # names of rows by the main score, the best first

    def __post_init__(self) -> None:
        self.metrics = {name: measured.metric for name, measured in self.statistics.items()}
        self.columns = label_columns(self.metrics)
        self.criteria = [name for name in self.comparisons if self.comparisons[name].by_people]
        self.judging = [name for name in self.comparisons if self.metrics[name].ranks()]
        self.ranked_by = [name for name in self.judging if name not in self.criteria]
        self.main = self.columns[self.judging[0]][0] if self.judging else None
        self.rankings = judge(self.comparisons)
        groups = group(self.texts.systems, self.texts.runs)
        baselines = dict.fromkeys((UNCHANGED, TRUNCATED), "baseline")
        kinds = {name: "system" for name in groups if name not in baselines}
        if self.texts.references is not None:
            kinds[REFERENCES] = "references"
        kinds |= baselines
        gains = dict.fromkeys(kinds, math.nan)
        if self.main is not None:
            for row, values in self.values[self.judging[0]].items():
                if self.main.key in values:
                    gains[row] = self.main.gain(values[self.main.key].value)
        self.order = sorted(kinds, key=lambda row: (math.isnan(gains[row]), -gains[row]))
        self.systems = [row for row in self.order if kinds[row] == "system"]
        self.rows = {row: kinds[row] for row in dict.fromkeys([*self.systems, *kinds])}
        self.full_names = {n: self.full_names[n] for n in self.systems if n in self.full_names}
        self.unranked = {n: self.unranked[n] for n in self.systems if n in self.unranked}
        several = {n: len(groups[n]) for n in self.systems if n in self.texts.runs}
        self.notes = explain_runs(several, self.sampling["confidence"])


def label_columns(metrics: Mapping[str, Metric]) -> dict[str, list[Column]]:
    """Return the columns of metrics; labels that repeat name the variant, or the metric."""
    columns = {name: columns_of(metric) for name, metric in metrics.items()}
    forms = {}
    for name, metric in metrics.items():
        for x in columns[name]:
            label = x.label if x.key == metric.scores[0].key else metric.heading(x.label)
            forms[name, x.key] = (x.label, label, f"{x.label}, {name}")
    counts = Counter(form for own in forms.values() for form in {*own})
    for name, own in columns.items():
        for i, x in enumerate(own):
            unique = (form for form in forms[name, x.key] if counts[form] == 1)
            own[i] = replace(x, label=next(unique, x.label))
    return columns


def columns_of(metric: Declarations) -> list[Column]:
    """Choose the columns of a metric: scores with a direction, unless others are declared."""
    single = [name for name in metric.score_names(()) if not metric.find_score(name).many]
    judging = [name for name in single if metric.find_score(name).better]
    judging += [name for name in single if name == metric.meaning and name not in judging]
    names = _SHOWN.get(metric.name, judging or single)
    return [column_of(metric, name) for name in names]


def check(
    systems: Mapping[str, object] | Examples,
    sources: object,
    references: object,
    metrics: Iterable[Metric] = (),
    runs: Runs = MappingProxyType({}),
) -> tuple[Examples, dict[str, str]]:
    """Check the columns that metrics need.

    Returns:
        The texts, with systems by short names; and short name → full name of systems and runs,
        where they differ.
    """
    shared = {"sources": sources, "references": references}
    checked = check_examples([_EDIT_OPS, *metrics], systems, shared, runs)
    others = [REFERENCES, UNCHANGED, TRUNCATED]
    groups = group(checked.systems, checked.runs)
    short = cells.shorten_names([*groups], others)
    check_names(groups, others)
    names, renamed = rename_runs(groups, checked.runs, short)
    own = {names[run]: columns for run, columns in checked.systems.items()}
    full_names = {new: name for name, new in {**short, **names}.items() if new != name}
    return Examples(checked.shared, own, runs=renamed), full_names


def check_rated(texts: Examples) -> None:
    """Check that rated systems have one run each."""
    for name, runs in texts.runs.items():
        raise InputError(
            f"ratings: expected one run of each system, got {len(runs)} of {name!r}: give only the "
            "run that people rated"
        )


def measure(
    texts: Examples,
    metrics: Mapping[str, Metric],
    sampling: Mapping[str, Any],
    *,
    documents: bool = False,
    full_names: Mapping[str, str] = MappingProxyType({}),
    language: str | None = None,
    unranked: Mapping[str, str] = MappingProxyType({}),
    ratings: Ratings | None = None,
    tell: Tell = str,
) -> Report:
    """Measure texts by all metrics, and compare systems, apart from ``unranked`` ones.

    ``tell`` is called with each metric's name before.
    """
    outputs = {name: {"predictions": texts.predictions(name)} for name in texts.systems}
    examples, *_ = add_baselines(replace(texts, systems=outputs))
    describing = _choose_describing(metrics, examples, language)
    judging = {name: metric for name, metric in metrics.items() if name not in describing}
    statistics, comparisons = dict[str, Statistics](), dict[str, Comparison]()
    for name, metric in (judging | describing).items():
        tell(name)
        own_columns = extra_required_columns(metric)
        statistics[name] = metric.measure(texts if own_columns else examples)
        if name in judging:
            comparisons[name] = _compare(statistics[name], examples, unranked, sampling)
    if ratings is not None:
        for name, metric in ratings.metrics.items():
            own = {system: {"ratings": rows} for system, rows in ratings.values(name).items()}
            statistics[name] = metric.measure(Examples({}, own))
            comparisons[name] = ratings.compare(name, unranked)
    scores: dict[str, Mapping[str, Scores]] = {}
    values: dict[str, dict[str, Mapping[str, Value]]] = {}
    for name, measured in statistics.items():
        if name in comparisons:
            scores[name], references = comparisons[name].systems, comparisons[name].references
        else:
            scores[name] = measured.score(**sampling)
            references = next(iter(scores[name].values())).references
        values[name] = {row: own.predictions for row, own in scores[name].items()}
        values[name][REFERENCES] = references
    return Report(
        texts=examples,
        documents=documents,
        full_names=full_names,
        sampling=sampling,
        describing=[*describing],
        statistics=statistics,
        comparisons=comparisons,
        values=values,
        example_scores={n: score_examples(first_runs(x), examples) for n, x in statistics.items()},
        signatures={name: next(iter(scores[name].values())).signature for name in statistics},
        unranked=unranked,
        ratings=ratings,
    )


def _choose_describing(
    metrics: Mapping[str, Metric], examples: Examples, language: str | None
) -> dict[str, Metric]:
    """Choose the metrics that describe texts: the usual ones, and those that were asked for."""
    describing = make_metrics([*DESCRIBING], "metrics", language=language)
    if language in (None, "en"):
        describing[EDITS] = _EDIT_OPS
    shared = examples.shared
    for name, metric in metrics.items():
        if not metric.with_main(shared).ranks():
            describing[name] = metric
    asked = any(metric.name == "word_difficulty" for metric in describing.values())
    if not asked and find_spec("wordfreq"):
        with suppress(InputError):  # it has no frequencies of the language
            describing |= make_metrics(["word_difficulty"], "metrics", language=language)
    return describing


def _compare(
    measured: Statistics,
    examples: Examples,
    unranked: Mapping[str, str],
    sampling: Mapping[str, Any],
) -> Comparison:
    """Compare all pairs of systems; baselines and references, too, unless columns are missing."""
    added, references = list[str](), dict[str, Value]()
    if not extra_required_columns(measured.metric):
        added = [UNCHANGED, TRUNCATED]
        references = score_references(measured.metric, examples, **sampling)
    return comparison.make_comparison(
        measured,
        baselines=added,
        unranked=unranked,
        references=references,
        all_pairs=True,
        **sampling,
    )


def first_runs(measured: Statistics) -> Statistics:
    """Return the statistics of each system's first run."""
    systems = {name: measured.systems[own[0]] for name, own in measured.groups.items()}
    return replace(measured, systems=systems, runs={})


def score_examples(measured: Statistics, examples: Examples | None) -> dict[str, dict[str, Floats]]:
    """Return row → score → scores of examples; of metrics of edits also of references.

    Of several runs there are all, one below the other.
    """
    groups, name = measured.groups, measured.metric.name
    rows = {row: np.concatenate([measured.systems[run] for run in groups[row]]) for row in groups}
    if name in (STATS, EDITS) and examples is not None and examples.references is not None:
        pairs = zip(examples.shared["sources"], examples.references, strict=True)
        sources = {"sources": [source for source, own in pairs for _ in own]}
        texts = [text for own in examples.references for text in own]
        references = Examples(sources, {REFERENCES: {"predictions": texts}})
        rows |= measured.metric.compute_statistics(references)
    return {row: measured.metric.reduce_examples(own) for row, own in rows.items()}
