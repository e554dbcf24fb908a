"""The one idea: a metric is a matrix of statistics, a row per example, and a pure reduction.

    columns (sources, predictions, references) → statistics (n, k) → sums of rows → scores

The corpus score reduces the sum of all rows, an example's score reduces its row, a bootstrap
interval reduces the sums of resamples, and workers or shards are merged by adding their sums.
"""

from __future__ import annotations

import inspect
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import Field, dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from textsimp import columns, significance
from textsimp.columns import InputError
from textsimp.declarations import UNSET, Preset, Score, checked, listed
from textsimp.text.blocks import blocks
from textsimp.version import __version__

if TYPE_CHECKING:
    from typing_extensions import Self

Floats = NDArray[np.float64]

_CHARACTERS_AT_ONCE = 2**22

COLUMNS = ("sources", "predictions", "references")
SCORE_OPTIONS = {
    "per_example": "also `<score>_per_example`: lists, one number per example",
    "confidence": "such as `0.95`: also `<score>_interval`, `[low, high]` of a percentile "
    "bootstrap; of a list of scores a list of these",
    "resamples": "of the bootstrap",
    "seed": "of the bootstrap",
    "signature": "whether `signature`, what exactly was computed, is among the results",
    "lists": "whether results that are lists are; with neither all are numbers",
}
"""Options of `Metric.score`, with a line on each."""


@dataclass(frozen=True)
class Metric(ABC):
    """Frozen options of a metric, and what it computes with them.

    A subclass is a frozen dataclass whose fields are made by `option`. It says of itself what the
    class variables hold, once for all who show it, and implements `prepare`, `statistics` and
    `reduce`.
    """

    name: ClassVar[str]
    about: ClassVar[str]
    """A line."""
    description: ClassVar[str]
    """A paragraph."""
    papers: ClassVar[tuple[str, ...]]
    """Keys of `textsimp.citations`."""
    urls: ClassVar[tuple[str, ...]] = ()
    reads: ClassVar[Literal["sentences", "documents"]] = "sentences"
    required: ClassVar[tuple[str, ...]] = ("sources", "predictions", "references")
    presets: ClassVar[Mapping[str, Preset]]
    """The default first."""
    scores: ClassVar[tuple[Score, ...]]
    """All that it can report, the main one first; without ``source_`` and ``reference_``."""
    independent_rows: ClassVar[bool] = True
    """Whether an example's statistics depend on its own texts only."""

    variant: str = ""

    def __new__(cls, *variant: Any, **options: Any) -> Self:
        """An option that isn't there is told as `preset` does, before ``__init__`` sees it."""
        cls._check_names(options, ["variant", *cls.option_names()])
        return super().__new__(cls)

    @classmethod
    def preset(cls, variant: str | None = None, **options: Any) -> Self:
        """The metric with a preset's options, and others in place of some of them.

        ``Sari.preset("xu", lowercase=False)`` is ``Sari("xu", lowercase=False)``.

        Args:
            variant: A preset's name; None for the first.
            **options: The metric's options.

        Raises:
            InputError: Unknown variant, option or value; the message lists those there are.
        """
        return cls(next(iter(cls.presets)) if variant is None else variant, **options)

    @classmethod
    def configure(cls, options: Mapping[str, Any]) -> tuple[Self, dict[str, Any]]:
        """The metric, and the options of `score` among those given.

        Raises:
            InputError: Unknown variant, option or value; the message lists those there are.
        """
        cls._check_names(options, ["variant", *cls.option_names(), *SCORE_OPTIONS])
        score_options = {name: options[name] for name in SCORE_OPTIONS if name in options}
        check_score_options(**score_options)
        rest = {name: value for name, value in options.items() if name not in SCORE_OPTIONS}
        return cls.preset(**rest), score_options

    @classmethod
    def option_names(cls) -> list[str]:
        """The names of all options but the variant."""
        return [f.name for f in fields(cls) if f.name != "variant"]

    @classmethod
    def option_lines(cls) -> dict[str, str]:
        """Option → what it does, in a line of Markdown."""
        return {f.name: f.metadata["about"] for f in fields(cls) if f.name != "variant"}

    @classmethod
    def _check_names(cls, names: Iterable[str], known: Sequence[str]) -> None:
        for name in names:
            if name not in known:
                meant = columns.nearest(name, [*known, *(c for c in COLUMNS if c != name)])
                raise InputError(
                    f"unknown option {name!r} of {cls.name}{meant}: expected one of {listed(known)}"
                )

    def __post_init__(self) -> None:
        if not isinstance(self.variant, str) or self.variant not in self.presets:
            raise InputError(
                f"variant: expected one of {listed(self.presets)}, got {self.variant!r}"
                f"{columns.nearest(self.variant, self.presets)}"
            )
        for f in fields(self):
            if f.name != "variant":
                value = getattr(self, f.name)
                value = self._usual(f) if value is UNSET else checked(f.name, value, f.metadata)
                object.__setattr__(self, f.name, value)

    def _usual(self, option: Field[Any]) -> Any:
        """What the variant sets an option to."""
        return self.presets[self.variant].options.get(option.name, option.metadata["default"])

    @classmethod
    def ranks(cls) -> bool:
        """Whether systems may be ranked by its main score; the others describe."""
        return cls.scores[0].better != ""

    @classmethod
    def score_named(cls, name: str) -> Score:
        """What is said of a score, also of its ``source_`` and ``reference_`` forms."""
        named = {score.key: score for score in cls.scores}
        return named.get(name) or named[name.partition("_")[2]]

    @abstractmethod
    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Any:
        """All that depends on sources and references only; serves any number of systems."""

    @abstractmethod
    def statistics(self, prepared: Any, predictions: list[str]) -> Floats:
        """(n, k) what each example contributes to the totals."""

    @abstractmethod
    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores of totals: (..., k) → name → (...), or (..., m) for a list of m numbers."""

    def reduce_examples(self, statistics: Floats) -> dict[str, Floats]:
        """Scores of each example: (n, k) → name → (n,), or (n, m) for a list of m numbers.

        They are those of a corpus of this one example, unless the literature has others.
        """
        return self.reduce(statistics)

    @abstractmethod
    def reported(self, given: Sequence[str]) -> tuple[str, ...]:
        """The names of the scores to report for the columns that were given, main score first."""

    def details(
        self,
        sources: list[str] | None,
        predictions: list[str],
        references: list[list[str]] | None,
    ) -> dict[str, list[Any]]:
        """What ``per_example`` reports besides scores: name → an entry per example."""
        return {}

    def titled(self, score: str) -> str:
        """A score's name for the head of a table: with the variant, where there are several."""
        return f"{score} ({self.variant})" if len(self.presets) > 1 else score

    def signature(self, references: list[list[str]] | None = None) -> str:
        """What the score is: name, variant, options, number of references, version.

        Options are written where they differ from the variant's; some always are.
        """
        parts = [self.name, f"variant:{self.variant}"]
        for f in fields(self):
            value, tag = getattr(self, f.name), f.metadata.get("tag")
            if tag and (f.metadata["always"] or value != self._usual(f)):
                parts.append(f"{tag}:{f.metadata['label'](value)}")
        if references is not None:
            sizes = sorted({len(row) for row in references})
            parts.append(f"refs:{'-'.join(str(n) for n in dict.fromkeys((sizes[0], sizes[-1])))}")
        return "|".join([*parts, f"v:{__version__}"])

    def score(
        self,
        *,
        sources: Any = None,
        predictions: Any = None,
        references: Any = None,
        per_example: bool = False,
        confidence: float | None = None,
        resamples: int = 1000,
        seed: int = 0,
        signature: bool = True,
        lists: bool = True,
    ) -> dict[str, Any]:
        """Score predictions.

        Args:
            sources: The original texts.
            predictions: The simplifications to score, one per source.
            references: One or more reference simplifications per source.
            per_example: Also ``<score>_per_example``, a list with each example's score.
            confidence: Also ``<score>_interval``, the [low, high] of a percentile bootstrap
                interval with this coverage; of a list of scores a list of these.
            resamples: Number of bootstrap resamples.
            seed: Seed of the resamples.
            signature: Whether ``signature`` is among the results.
            lists: Whether results that are lists are: scores of several numbers, intervals, and
                scores per example. With neither, every result is a number.

        Returns:
            The scores, as floats and ints, and ``signature``.

        Raises:
            InputError: See `textsimp.columns` and `check_score_options`.
        """
        check_score_options(per_example, confidence, resamples, seed, signature, lists)
        sources, predictions, references = self.check(sources, predictions, references)
        (statistics,) = self.statistics_of(sources, [predictions], references)
        return self.results(
            statistics,
            sources,
            references,
            predictions=predictions,
            per_example=per_example,
            confidence=confidence,
            resamples=resamples,
            seed=seed,
            signature=signature,
            lists=lists,
        )

    def statistics_of(
        self,
        sources: list[str] | None,
        systems: Sequence[list[str]],
        references: list[list[str]] | None,
    ) -> list[Floats]:
        """(n, k) statistics of each system's predictions.

        They are computed for few enough examples at a time that memory stays bounded.
        """
        parts: list[list[Floats]] = [[] for _ in systems]
        for rows, prepared in self.prepared(sources, systems[0], references):
            for part, predictions in zip(parts, systems, strict=True):
                part.append(self.statistics(prepared, predictions[rows]))
        return [np.concatenate(part) for part in parts]

    def prepared(
        self,
        sources: list[str] | None,
        predictions: list[str],
        references: list[list[str]] | None,
    ) -> Iterator[tuple[slice, Any]]:
        """Slices of the examples, and what `prepare` makes of each when it is asked for."""
        for rows in self.slices(sources, predictions, references):
            yield (
                rows,
                self.prepare(
                    None if sources is None else sources[rows],
                    None if references is None else references[rows],
                ),
            )

    def slices(
        self,
        sources: list[str] | None,
        predictions: list[str],
        references: list[list[str]] | None,
    ) -> list[slice]:
        """The examples in slices of about four million characters, or all where rows depend."""
        sizes = np.fromiter(map(len, predictions), np.int64, len(predictions))
        if sources is not None:
            sizes += np.fromiter(map(len, sources), np.int64, len(sources))
        if references is not None:
            lengths = map(len, map("".join, references))
            sizes += np.fromiter(lengths, np.int64, len(references))
        if not self.independent_rows:
            return [slice(0, len(sizes))]
        return blocks(sizes, _CHARACTERS_AT_ONCE)

    def check(
        self, sources: Any, predictions: Any, references: Any
    ) -> tuple[list[str] | None, list[str], list[list[str]] | None]:
        """The columns as plain lists.

        Raises:
            InputError: A column that the metric needs is missing, or see `textsimp.columns`.
        """
        given = {"sources": sources, "predictions": predictions, "references": references}
        for name in self.required:
            if given[name] is None:
                raise InputError(f"{name}: {self.name} needs this column, got none")
        sources = None if sources is None else columns.texts(sources, "sources")
        predictions = columns.texts(predictions, "predictions")
        references = None if references is None else columns.references(references)
        columns.check_lengths(sources=sources, predictions=predictions, references=references)
        return sources, predictions, references

    def results(
        self,
        statistics: Floats,
        sources: list[str] | None,
        references: list[list[str]] | None,
        *,
        predictions: list[str] | None = None,
        per_example: bool = False,
        confidence: float | None = None,
        resamples: int = 1000,
        seed: int = 0,
        signature: bool = True,
        lists: bool = True,
    ) -> dict[str, Any]:
        """What `score` returns, from statistics; without predictions it lacks `details`."""
        given = {"sources": sources, "references": references}
        names = self.reported([name for name, column in given.items() if column is not None])
        scores = self.reduce(statistics.sum(axis=0))
        results: dict[str, Any] = {name: scores[name].tolist() for name in names}
        if per_example:
            rows = self.reduce_examples(statistics)
            results |= {f"{name}_per_example": rows[name].tolist() for name in names}
            if predictions is not None:
                details = self.details(sources, predictions, references)
                results |= {f"{name}_per_example": column for name, column in details.items()}
        if confidence is not None:
            resampled = self.reduce(significance.bootstrap(statistics, resamples, seed))
            bounds = significance.intervals({name: resampled[name] for name in names}, confidence)
            results |= {f"{name}_interval": interval for name, interval in bounds.items()}
        if not lists:
            results = {name: value for name, value in results.items() if type(value) is not list}
        return results | ({"signature": self.signature(references)} if signature else {})


def usual_score_options() -> dict[str, Any]:
    """Option of `Metric.score` → its default."""
    parameters = inspect.signature(Metric.score).parameters
    return {name: parameters[name].default for name in SCORE_OPTIONS}


def check_score_options(
    per_example: bool = False,
    confidence: float | None = None,
    resamples: int = 1000,
    seed: int = 0,
    signature: bool = True,
    lists: bool = True,
) -> None:
    """Check the options of `Metric.score` that aren't the metric's own.

    Raises:
        InputError: A switch isn't a bool, or see `textsimp.significance.check`.
    """
    switches = {"per_example": per_example, "signature": signature, "lists": lists}
    for name, value in switches.items():
        if not isinstance(value, (bool, np.bool_)):
            raise InputError(f"{name}: expected True or False, got {value!r}")
    significance.check(confidence, resamples, seed)


def divide(numerator: Any, denominator: Any, zero: float = 0.0) -> Floats:
    """Elementwise quotient, with ``zero`` where the denominator is 0."""
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    quotient = np.full(denominator.shape, float(zero))
    np.divide(numerator, denominator, out=quotient, where=denominator != 0)
    return quotient
