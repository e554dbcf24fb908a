"""The one idea: a metric is a matrix of statistics, a row per example, and a pure reduction.

    columns (sources, predictions, references) → statistics (n, k) → sums of rows → scores

The corpus score reduces the sum of all rows, an example's score reduces its row, a bootstrap
interval reduces the sums of resamples, and workers or shards are merged by adding their sums.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core import examples, significance, statistics
from textsimp.core.declarations import SIDES, Declarations
from textsimp.core.examples import ONE, Examples, Facts, check_labelled
from textsimp.core.scores import Scores, Value
from textsimp.core.significance import RESAMPLES
from textsimp.core.statistics import Progress, Statistics
from textsimp.core.sums import Sums
from textsimp.support.errors import (
    InputError,
    check_switch,
)
from textsimp.text.blocks import blocks

if TYPE_CHECKING:
    from typing_extensions import Self

Floats = NDArray[np.float64]

_CHARACTERS_AT_ONCE = 2**22

COLUMNS = ("sources", "predictions", "references")  # that most metrics read
SCORE_OPTIONS = {
    "per_example": "also `<score>_per_example`: lists, one number per example",
    "confidence": "such as `0.95`: also `<score>_interval`, `[low, high]` of a percentile "
    "bootstrap; of a list of scores a list of these",
    "resamples": "of the bootstrap",
    "seed": "of the bootstrap",
}
"""Options of `Metric.score`, with a line on each."""


@dataclass(frozen=True)
class Metric(Declarations, ABC):
    """Frozen options of a metric, and what it computes with them.

    A subclass is a frozen dataclass. It sets the class variables of `Declarations`, makes its
    fields with `option`, and implements `prepare`, `statistics` and `reduce`.
    """

    independent_rows: ClassVar[bool] = True
    """Whether an example's statistics depend on its own texts only."""
    slow: ClassVar[bool] = False
    """Whether `explain` computes it only if the user names it."""

    @classmethod
    def configure(
        cls, options: Mapping[str, Any], *, further: Iterable[str] = ()
    ) -> tuple[Self, dict[str, Any]]:
        """The metric, and the options of `score` among those given.

        Args:
            options: Of the metric and of `score`.
            further: Options that the caller takes itself, for messages.

        Raises:
            InputError: Unknown variant, option or value; the message lists those there are.
        """
        cls._check_names(options, ["variant", *cls.option_names(), *SCORE_OPTIONS, *further])
        score_options = {name: options[name] for name in SCORE_OPTIONS if name in options}
        check_score_options(**score_options)
        rest = {name: value for name, value in options.items() if name not in SCORE_OPTIONS}
        return cls.preset(**rest), score_options

    @abstractmethod
    def prepare(self, *args: Any, **kwargs: Any) -> Any:
        """All that depends on shared columns only; serves any number of systems.

        It is given each of them by its name, such as ``sources`` and ``references``, None where
        there is none.
        """

    @abstractmethod
    def statistics(self, prepared: Any, *args: Any, **kwargs: Any) -> Floats:
        """(n, k) what each example contributes to the totals.

        After what `prepare` made it is given each column of a system's own by its name, such as
        ``predictions``.
        """

    @abstractmethod
    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores of totals: (..., k) → name → (...), or (..., m) for a list of m numbers."""

    def reduce_resamples(self, totals: Floats) -> dict[str, Floats]:
        """Scores of bootstrap resamples: as `reduce`, or NaN where a resample doesn't count."""
        return self.reduce(totals)

    def reduce_examples(self, statistics: Floats) -> dict[str, Floats]:
        """Scores of each example: (n, k) → name → (n,), or (n, m) for a list of m numbers.

        They are those of a corpus of this one example, unless the literature has others.
        """
        return self.reduce(statistics)

    def shares(self) -> tuple[Any, Any]:
        """What decides what `prepare` makes, and what else decides what `statistics` makes.

        Forms of the metric that agree in it need these only once. It is all options, unless a
        metric knows better.
        """
        return tuple(getattr(self, name) for name in self.option_names()), ()

    def details(self, *args: Any, **kwargs: Any) -> dict[str, list[Any]]:
        """What ``per_example`` reports besides scores: name → an entry per example.

        It is given all columns by their names.
        """
        return {}

    def statistic_names(self, width: int) -> list[str]:
        """What files call the columns of its statistics, of which there are ``width``."""
        return [str(i) for i in range(width)]

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
        """Score predictions.

        Args:
            sources: The original texts.
            predictions: The simplifications to score, one per source.
            references: One or more reference simplifications per source.
            per_example: Also each example's scores.
            confidence: Also intervals, of a percentile bootstrap with this coverage.
            resamples: Number of bootstrap resamples.
            seed: Seed of the resamples.
            **columns: Others that the metric reads.

        Returns:
            The scores, with their signature.

        Raises:
            InputError: See `textsimp.core.examples.check` and `check_score_options`.

        Warns:
            ScriptWarning: See `textsimp.core.examples.doubt`.
        """
        check_score_options(per_example, confidence, resamples, seed)
        for name in columns:
            if name in ("variant", *self.option_names()):
                raise InputError(
                    f"{name}: an option of the metric, given as {type(self).__name__}({name}=…)"
                )
        given = {"sources": sources, "predictions": predictions, "references": references}
        checked = self.check(**given, **columns)
        examples.warn([self], checked)
        (statistics,) = self.statistics_of(checked).values()
        return self.scored(
            statistics,
            checked,
            per_example=per_example,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
        )

    def save(
        self,
        path: str | Path,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        system: str = "predictions",
        first_row: int = 0,
        overwrite: bool = False,
        **columns: Any,
    ) -> None:
        """Write the statistics of examples to a file, for `textsimp.merge` and `load`.

        Args:
            path: A parquet file, see `textsimp.core.statistics`.
            sources: The original texts.
            predictions: The simplifications to score, one per source.
            references: One or more reference simplifications per source.
            system: What the system is called.
            first_row: The number of the first example in the whole corpus, counted from 0.
            overwrite: Whether the file may be there already.
            **columns: Others that the metric reads.

        Raises:
            InputError: See `score`; or the file is there already or can't be written.
        """
        given = {"sources": sources, "predictions": predictions, "references": references}
        options: Any = {"system": system, "first_row": first_row, "overwrite": overwrite}
        statistics.save(self, path, {**given, **columns}, **options)

    @classmethod
    def load(cls, path: str | Path) -> Statistics:
        """Statistics of this metric that `save` or ``textsimp score --save-statistics`` wrote.

        Raises:
            InputError: The file can't be read, is of another version, or has none or several forms
                of this metric.
        """
        return statistics.load(cls, path)

    @classmethod
    def check(cls, **given: Any) -> Examples:
        """Columns of one system as examples.

        Raises:
            InputError: See `textsimp.core.examples.check`.
        """
        given = {name: rows for name, rows in given.items() if rows is not None}
        own = {column.name for column in cls.columns if column.own}
        of_system = {name: rows for name, rows in given.items() if name in own}
        shared = {name: rows for name, rows in given.items() if name not in own}
        examples.check_known(given, [column.name for column in cls.columns])
        return examples.check([cls], {ONE: of_system}, shared)

    def statistics_of(
        self, examples: Examples, progress: Progress | None = None
    ) -> dict[str, Floats]:
        """System → (n, k) statistics.

        They are computed for few enough examples at a time that memory stays bounded.

        Args:
            examples: The examples.
            progress: Called with the number of examples that were finished since the last call.
        """
        statistics: dict[str, Floats] = {}
        for rows, prepared in self.prepared(examples):
            for system, own in examples.systems.items():
                part = self.statistics_in(rows, prepared, own)
                if system not in statistics:
                    statistics[system] = np.empty((len(examples), part.shape[1]))
                statistics[system][rows] = part
            if progress is not None:
                progress(rows.stop - rows.start)
        return statistics

    def statistics_in(self, rows: slice, prepared: Any, own: Mapping[str, list[Any]]) -> Floats:
        """(rows, k) statistics of one of the slices of `prepared`, from a system's own columns."""
        return self.statistics(prepared, **self._named(own, rows, own=True))

    def prepared(self, examples: Examples) -> Iterator[tuple[slice, Any]]:
        """Slices of the examples, and what `prepare` makes of each when it is asked for."""
        for rows in self.slices(examples):
            yield rows, self.prepare(**self._named(examples.shared, rows, own=False))

    def slices(self, examples: Examples) -> list[slice]:
        """The examples in slices of about four million characters, or all where rows depend."""
        if not self.independent_rows:
            return [slice(0, len(examples))]
        return self.sliced(examples, _CHARACTERS_AT_ONCE)

    def sliced(self, examples: Examples, characters: int) -> list[slice]:
        """The examples in slices of so many characters of the columns that it reads."""
        sizes = np.zeros(len(examples), np.int64)
        given = {**examples.shared, **next(iter(examples.systems.values()))}
        for column in self.columns:
            if column.kind in ("text", "texts") and column.name in given:
                rows: Any = given[column.name]
                texts = rows if column.kind == "text" else map("".join, rows)
                sizes += np.fromiter(map(len, texts), np.int64, len(rows))
        return blocks(sizes, characters)

    def _named(
        self, given: Mapping[str, list[Any]], rows: slice, *, own: bool
    ) -> dict[str, list[Any] | None]:
        """Some rows of each declared column, None for those that weren't given."""
        names = [column.name for column in self.columns if column.own is own]
        return {name: given[name][rows] if name in given else None for name in names}

    def scored(
        self,
        statistics: Floats | Sums,
        examples: Examples | Facts,
        system: str = ONE,
        *,
        per_example: bool = False,
        confidence: float | None = None,
        resamples: int = RESAMPLES,
        seed: int = 0,
    ) -> Scores:
        """What `score` returns, from statistics of a system; of each example if there are any."""
        facts, sums = Facts.of(self.columns, examples), Sums.of(statistics)
        check_labelled(facts, system)
        names = self.reported(facts.shared)
        values = self.reduce(sums.total)
        intervals: dict[str, list[Any]] = {}
        if confidence is not None:
            (drawn,) = significance.resampled(sums, resamples=resamples, seed=seed)
            resampled = self.reduce_resamples(drawn)
            intervals = significance.intervals({n: resampled[n] for n in names}, confidence)
        rows: dict[str, list[Any]] = {}
        details: dict[str, list[Any]] = {}
        if per_example:
            assert isinstance(examples, Examples)
            own = self.statistics_of(examples)[system] if sums.rows is None else sums.rows
            rows, details = self.of_each(own, examples, system)
        sides: dict[str, dict[str, Value]] = {side: {} for side in SIDES}
        for name in names:
            side, score = self.side_of(name)
            sides[side][score] = Value(values[name].tolist(), intervals.get(name), rows.get(name))
        signature = self.signature(facts.references)
        return Scores(self, **sides, details=details, signature=signature, examples=facts.examples)

    def of_each(
        self, statistics: Floats, examples: Examples, system: str = ONE
    ) -> tuple[dict[str, list[Any]], dict[str, list[Any]]]:
        """What ``per_example`` reports: name → a score of each example; and `details`."""
        found = self.reduce_examples(statistics)
        every, own = slice(None), examples.systems[system]
        details = self.details(
            **self._named(examples.shared, every, own=False),
            **self._named(own, every, own=True),
        )
        names = self.reported([*examples.shared])
        return {name: found[name].tolist() for name in names}, details


def usual_score_options() -> dict[str, Any]:
    """Option of `Metric.score` → its default."""
    parameters = inspect.signature(Metric.score).parameters
    return {name: parameters[name].default for name in SCORE_OPTIONS}


def check_score_options(
    per_example: bool = False,
    confidence: float | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> None:
    """Check the options of `Metric.score` that aren't the metric's own.

    Raises:
        InputError: ``per_example`` isn't a bool, or see `textsimp.core.significance.check`.
    """
    check_switch("per_example", per_example)
    significance.check(confidence, resamples, seed)


def beyond(metric: Metric | type[Metric]) -> list[str]:
    """The columns that a metric needs beside sources, predictions and references."""
    needed = [column.name for column in metric.columns if column.required]
    return [name for name in needed if name not in COLUMNS]


def check_columns(metrics: Iterable[Metric], where: str) -> None:
    """Check that metrics can do with sources, predictions and references.

    Raises:
        InputError: One needs more than ``where`` has.
    """
    for metric in metrics:
        for name in beyond(metric):
            raise InputError(f"metrics: {metric.name} needs {name}, which {where} doesn't have")


def divide(numerator: Any, denominator: Any, zero: float = 0.0) -> Floats:
    """Elementwise quotient, with ``zero`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    quotient = np.full(denominator.shape, float(zero))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
