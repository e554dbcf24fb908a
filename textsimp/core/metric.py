"""The one idea: a metric is a matrix of statistics, a row per example, and a pure reduction.

    columns (sources, predictions, references) → statistics (n, k) → sums of rows → scores

The corpus score reduces the sum of all rows, and an example's score reduces its row. A bootstrap
interval reduces the sums of resamples, see `textsimp.core.sample`. Rows of pieces of a corpus are
put below each other.
"""

from __future__ import annotations

import copy
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from textsimp.core import draws, examples
from textsimp.core.block_sums import Blocks, Extent
from textsimp.core.declarations import SIDES, Declarations, count_references
from textsimp.core.draws import RESAMPLES, Ints
from textsimp.core.draws import Floats as Floats
from textsimp.core.examples import UNNAMED_SYSTEM, Examples, absent
from textsimp.core.run_sample import RunSample, add_runs, rename_runs
from textsimp.core.sample import Sample, count_numbers, reduce_means, zero_missing
from textsimp.core.scores import Scores, Value
from textsimp.support.errors import InputError, check_sampling, check_switch
from textsimp.text.tokenizers import blocks

if TYPE_CHECKING:
    from typing_extensions import Self

__all__ = ["COLUMNS", "Floats", "MeanMetric", "Metric", "check_columns", "divide"]

Progress = Callable[[int], object]
"""Called with the number of examples that were finished since the last call."""
Slices = Iterable[tuple[slice, Any]]
"""Rows, and what `Metric.prepare` returned for them."""

COLUMNS = ("sources", "predictions", "references")  # that most metrics read
SCORE_OPTIONS = {
    "per_example": "also `<score>_per_example`: lists, one number per example",
    "confidence": "coverage, such as `0.95`: also `<score>_interval`, `[low, high]` of a "
    "percentile bootstrap; for a list of scores a list of intervals",
    "resamples": "number of resamples of the bootstrap",
    "seed": "seed of the bootstrap",
}
"""Options of `Metric.score`, with a line on each."""
SAMPLING = {"confidence": None, "resamples": RESAMPLES, "seed": 0}
"""The defaults of its options of intervals."""


@dataclass(frozen=True)
class Metric(Declarations, ABC):
    """A metric: frozen options and the computation.

    A subclass is a frozen dataclass. It sets the class variables of `Declarations`, makes its
    fields with `option`, and implements `prepare`, `statistics` and `reduce`.
    """

    independent_rows: ClassVar[bool] = True
    """Whether an example's statistics depend on its own texts only."""
    undefined: ClassVar[float] = 0.0
    """The number that is shown for an undefined score, which `reduce` returns as NaN."""
    ordered_references: ClassVar[bool] = False
    """Whether statistics depend on the order of references, as chrF's do where two are as good."""
    averages: ClassVar[bool] = False
    """Whether scores are means over examples, so that their limits are those of an example."""
    slow: ClassVar[bool] = False
    """Whether `explain` computes it only if the user names it."""
    characters_at_once: ClassVar[int] = 2**22
    """The most characters of examples whose statistics are computed together."""
    bytes_remembered: ClassVar[int] = 2**24
    """The most bytes of sources and references that modules keep prepared, and `trainer`."""

    @classmethod
    def configure(
        cls, options: Mapping[str, Any], *, further: Iterable[str] = ()
    ) -> tuple[Self, dict[str, Any]]:
        """Split options into the metric and the options of `score`; messages list ``further``."""
        cls._check_names(options, ["variant", *cls.option_names(), *SCORE_OPTIONS, *further])
        score_options = {name: options[name] for name in SCORE_OPTIONS if name in options}
        sampling = {**score_options}
        check_switch("per_example", sampling.pop("per_example", False))
        check_sampling(**SAMPLING | sampling)
        rest = {name: value for name, value in options.items() if name not in SCORE_OPTIONS}
        return cls.preset(**rest), score_options

    def prepare(self, *args: Any, **kwargs: Any) -> Any:
        """Compute what all systems share, from the shared columns by name; None for missing."""
        return None

    @abstractmethod
    def statistics(self, prepared: Any, *args: Any, **kwargs: Any) -> Floats:
        """Return (n, k) statistics, from the result of `prepare` and a system's own columns.

        They are NaN where an example has no number. Two systems are compared on the examples of
        which both have one.
        """

    @abstractmethod
    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return name → scores of totals: (..., k) → (...), or (..., m) for lists of m numbers.

        They are NaN where undefined. Such a resample doesn't count in an interval.
        """

    def reduce_examples(self, statistics: Floats) -> dict[str, Floats]:
        """Return name → (n,) or (n, m) scores of (n, k) examples; by default each as a corpus."""
        scores = self.reduce(zero_missing(statistics))
        return {name: self.fill(values) for name, values in scores.items()}

    def sample(self, *runs: Floats, blocks: Blocks | None = None) -> Sample:
        """Return the sample of a system's run, or of several: values, intervals and tests."""
        largest = {}
        if self.averages:
            declared = (score for score in type(self).scores if score.least == 0)
            largest = {score.key: score.most for score in declared if score.most is not None}
        samples = [Sample(rows, self.reduce, largest=largest, blocks=blocks) for rows in runs]
        return samples[0] if len(samples) == 1 else RunSample.of(samples)

    def drawn_error(self, statistics: Floats, score: str) -> float:
        """Return how far from the score another program's is that is drawn without a seed."""
        return 0.0

    def cache_keys(self) -> tuple[Any, Any]:
        """Return what `prepare` depends on, a tuple, and what `statistics` does, for `explain`."""
        return (self.variant, *(getattr(self, name) for name in self.option_names())), ()

    def details(self, *args: Any, **kwargs: Any) -> dict[str, list[Any]]:
        """Return name → a result per example, for ``per_example``, from all columns by name."""
        return {}

    def statistic_names(self, width: int) -> list[str]:
        """Return the names of the ``width`` statistics, for files and `by_name`."""
        return [str(i) for i in range(width)]

    def by_name(self, totals: Floats) -> dict[str, Floats]:
        """Return the name of each statistic → its (...) totals, for `reduce`."""
        names = self.statistic_names(totals.shape[-1])
        return dict(zip(names, np.moveaxis(totals, -1, 0), strict=True))

    def declare(self, **declarations: Any) -> Self:
        """Return the metric with other declarations, such as its ``columns`` or ``scores``."""
        metric = copy.copy(self)
        vars(metric).update(declarations)
        return metric

    def with_main(self, shared: Iterable[str]) -> Self:
        """Return this metric with the main score of these shared columns first in ``scores``."""
        name = self.score_names([*shared])[0]
        if name == self.scores[0].key:
            return self
        main = self.find_score(name)
        return self.declare(scores=(main, *(score for score in self.scores if score is not main)))

    def score(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        per_example: bool = False,
        confidence: float | None = None,
        resamples: int = RESAMPLES,
        seed: int = 0,
        **columns: Any,
    ) -> Scores:
        """Return the scores of predictions.

        Args:
            sources: The original texts.
            predictions: The simplifications to score, one per source.
            references: One or more reference simplifications per source.
            per_example: Add each example's scores.
            confidence: Add intervals of a percentile bootstrap with this coverage.
            resamples: Number of bootstrap resamples.
            seed: Seed of the resamples.
            **columns: Other columns that the metric reads.

        Warns:
            ScriptWarning: See `textsimp.core.examples.check_scripts`.
        """
        check_switch("per_example", per_example)
        sampling = check_sampling(confidence, resamples, seed)
        texts = {"sources": sources, "predictions": predictions, "references": references}
        checked = self.check(**texts, **columns)
        examples.warn([self], checked)
        scores = self.measure(checked).score(checked if per_example else None, **sampling)
        return scores[UNNAMED_SYSTEM]

    def check(self, **columns: Any) -> Examples:
        """Return one system's columns as examples."""
        return examples.read([self], None, columns)

    def measure(
        self,
        examples: Examples,
        first: int = 0,
        progress: Progress | None = None,
        prepared: Slices | None = None,
        *,
        piece: bool = False,
    ) -> Statistics:
        """Return the statistics of examples, of which the first has the number ``first``.

        ``prepared`` is what `prepare_slices` returned for the same shared columns, if anything.
        Examples that are a ``piece`` of a corpus may lack all numbers or labels.
        """
        rows = self.compute_statistics(examples, progress, prepared, piece=piece)
        numbers = np.arange(first, first + len(examples))
        references = count_references(examples.references) if examples.references else None
        metric = self.with_main(examples.shared)
        shared, runs = tuple(examples.shared), examples.runs
        return Statistics(metric, rows, numbers, shared, references, runs)

    def compute_statistics(
        self,
        examples: Examples,
        progress: Progress | None = None,
        prepared: Slices | None = None,
        *,
        piece: bool = False,
    ) -> dict[str, Floats]:
        """Return system → (n, k) statistics."""
        statistics: dict[str, Floats] = {}
        for rows, texts in prepared or self.prepare_slices(examples):
            for system, own in examples.systems.items():
                part = self.statistics(texts, **self._arguments(own, rows, own=True))
                if system not in statistics:
                    statistics[system] = np.empty((len(examples), part.shape[1]))
                statistics[system][rows] = part
            if progress is not None:
                progress(rows.stop - rows.start)
        if not piece:
            for system, of_system in statistics.items():
                self.check_rows(of_system, system)
        return statistics

    def check_rows(self, rows: Floats, system: str) -> None:
        """Check that a system has a label, as one without any would seem to be without errors.

        Labels of annotators who disagree are none.
        """
        labels = [x.name for x in self.columns if x.kind == "labels" and x.own and x.required]
        if labels and np.isnan(rows).all():
            raise absent("label that isn't a tie", ", ".join(labels), system)

    def prepare_slices(self, examples: Examples) -> Iterator[tuple[slice, Any]]:
        """Yield slices of `characters_at_once`, or one if rows depend, each with its `prepare`."""
        sizes = np.zeros(len(examples), np.int64)
        columns = {**examples.shared, **next(iter(examples.systems.values()))}
        for column in self.columns:
            if column.kind in ("text", "texts") and column.name in columns:
                texts: Any = columns[column.name]
                texts = texts if column.kind == "text" else map("".join, texts)
                sizes += np.fromiter(map(len, texts), np.int64, len(sizes))
        most = self.characters_at_once if self.independent_rows else int(sizes.sum())
        for rows in blocks(sizes, most):
            yield rows, self.prepare(**self._arguments(examples.shared, rows, own=False))

    def _arguments(
        self, columns: Mapping[str, list[Any]], rows: slice, *, own: bool
    ) -> dict[str, list[Any] | None]:
        """Return some rows of each declared column; None for missing columns."""
        names = [column.name for column in self.columns if column.own is own]
        return {name: columns[name][rows] if name in columns else None for name in names}

    def fill(self, scores: Floats) -> Floats:
        """Return scores with `undefined` for NaN."""
        missing = np.isnan(scores)
        return np.where(missing, self.undefined, scores) if missing.any() else scores

    def score_examples(
        self, statistics: Floats, examples: Examples, system: str = UNNAMED_SYSTEM
    ) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """Return name → scores of the examples, and `details`."""
        values = self.reduce_examples(statistics)
        every, own = slice(None), examples.systems[system]
        details = self.details(
            **self._arguments(examples.shared, every, own=False),
            **self._arguments(own, every, own=True),
        )
        names = self.score_names([*examples.shared])
        return {name: values[name].tolist() for name in names}, details


@dataclass(frozen=True, eq=False)
class Statistics:
    """The statistics of one metric, from which scores, intervals and tests are computed."""

    metric: Metric
    systems: Mapping[str, Floats]  # system → (n, k) rows, one per example or of sums of blocks
    numbers: Ints  # (n,) the examples' numbers in the corpus, ascending; none of sums of blocks
    shared: tuple[str, ...]  # names of the columns that all systems share
    references: tuple[int, int] | None  # the fewest and the most of an example
    runs: Mapping[str, Sequence[str]] = field(default_factory=dict)  # name → its runs in systems
    hidden: Mapping[str, float] = field(default_factory=dict)  # baselines not shown → main scores
    blocks: Blocks | None = None  # what rows are sums of, if they are

    @property
    def examples(self) -> int:
        """The number of examples."""
        return len(self.numbers) if self.blocks is None else self.blocks.extent.examples

    @property
    def extent(self) -> Extent:
        """Which examples of the corpus they are of."""
        return Extent.of(self.numbers) if self.blocks is None else self.blocks.extent

    @property
    def groups(self) -> dict[str, Sequence[str]]:
        """System → its runs, mostly itself alone."""
        return group(self.systems, self.runs)

    def names(self) -> list[str]:
        """Return the names of the statistics."""
        rows = next(iter(self.systems.values()))
        return self.metric.statistic_names(rows.shape[1])

    def samples(self) -> dict[str, Sample]:
        """Return system → the sample of its run, or of all its runs."""
        blocks = self.blocks
        if len(self.numbers) > draws.MANY:
            blocks = Blocks.of(self.numbers)
        return {
            name: self.metric.sample(*(self.systems[run] for run in own), blocks=blocks)
            for name, own in group(self.systems, self.runs).items()
        }

    def rename(self, names: Mapping[str, str]) -> Statistics:
        """Return the statistics with other names of systems; their runs follow."""
        new, runs = rename_runs(self.groups, self.runs, names)
        systems = {new[name]: rows for name, rows in self.systems.items()}
        return replace(self, systems=systems, runs=runs)

    def score(
        self,
        examples: Examples | None = None,
        *,
        confidence: float | None = None,
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> dict[str, Scores]:
        """Return system → its scores; with examples, also of each of these, of a single run."""
        metric, systems = self.metric, dict[str, Scores]()
        for system, sample in self.samples().items():
            numbers, ends = sample.value(), None
            if confidence is not None:
                ends = sample.interval(confidence=confidence, resamples=resamples, seed=seed)
            each: dict[str, list[Any]] = {}
            details: dict[str, list[Any]] = {}
            if examples is not None:
                each, details = metric.score_examples(sample.rows, examples, system)
            sides: dict[str, dict[str, Value]] = {side: {} for side in SIDES}
            for name in metric.score_names(self.shared):
                side, score = metric.split_score_name(name)
                value = metric.fill(numbers[name]).tolist()
                interval = None if ends is None else ends[name] or [value] * 2
                sides[side][score] = Value(value, interval, each.get(name))
            if isinstance(sample, RunSample):
                sides["predictions"] = add_runs(metric, sides["predictions"], sample, confidence)
            systems[system] = Scores(
                metric=metric,
                **sides,
                details=details,
                signature=metric.signature(self.references),
                examples=self.examples,
                reference_counts=self.references,
            )
        return systems


def group(systems: Iterable[str], runs: Mapping[str, Sequence[str]]) -> dict[str, Sequence[str]]:
    """Return system → its runs, where ``runs`` has those of systems with several."""
    systems_of_runs = {run: name for name, members in runs.items() for run in members}
    names = dict.fromkeys(systems_of_runs.get(system, system) for system in systems)
    return {name: runs.get(name, [name]) for name in names}


class MeanMetric(Metric):
    """A metric whose scores are means over examples, or over those that have a number.

    A subclass implements `numbers` in place of `statistics` and `reduce`.
    """

    averages: ClassVar[bool] = True
    incomplete: ClassVar[bool] = False
    """Whether numbers may be missing, so that each mean has a count of its own."""
    undefined: ClassVar[float] = np.nan

    @abstractmethod
    def numbers(self, prepared: Any, *args: Any, **kwargs: Any) -> Floats:
        """Return (n,) numbers, or (n, m), a column for each of `mean_names`; NaN if missing."""

    def mean_names(self) -> tuple[str, ...]:
        """Return the names of the scores, in the order of the numbers."""
        return tuple(score.key for score in type(self).scores)

    def statistics(self, prepared: Any, *args: Any, **kwargs: Any) -> Floats:
        """Return (n, m + 1) statistics: the numbers and 1; (n, 2 m) if they are `incomplete`."""
        numbers = np.column_stack([self.numbers(prepared, *args, **kwargs)])
        if self.incomplete:
            return count_numbers(numbers)
        return np.column_stack([numbers, np.ones(len(numbers))])

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return the means of the numbers."""
        return reduce_means(self.mean_names(), totals)

    def statistic_names(self, width: int) -> list[str]:
        """Return the names of the statistics."""
        names = self.mean_names()
        counts = [f"{name}_examples" for name in names] if self.incomplete else ["examples"]
        return [*names, *counts]


def extra_required_columns(metric: Metric | type[Metric]) -> list[str]:
    """Return required columns other than sources, predictions and references."""
    needed = [column.name for column in metric.columns if column.required]
    return [name for name in needed if name not in COLUMNS]


def check_columns(metrics: Iterable[Metric], where: str) -> None:
    """Check that metrics need only sources, predictions and references."""
    for metric in metrics:
        for name in extra_required_columns(metric):
            raise InputError(f"metrics: {metric.name} needs {name}, which {where} doesn't have")


def divide(numerator: Any, denominator: Any, zero: float = 0.0) -> Floats:
    """Divide elementwise; the quotient is ``zero`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    quotient = np.full(denominator.shape, float(zero))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
