"""Scores as values with fields; and, for ``evaluate`` and JSON, as a plain dict."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from textsimp.core import significance, tables
from textsimp.core.declarations import SIDES, Declarations
from textsimp.core.significance import Difference
from textsimp.core.tables import Grid, Tabular


@dataclass(frozen=True)
class Value:
    """A score.

    Attributes:
        value: A number, or a list of numbers.
        interval: [low, high], or a list of these; None if none was asked for.
        per_example: The score of each example; None if they weren't asked for.
    """

    value: Any
    interval: list[Any] | None = None
    per_example: list[Any] | None = None

    @property
    def many(self) -> bool:
        """Whether it is a list of numbers."""
        return isinstance(self.value, list)


class _Plain(Mapping[str, Any]):
    """A mapping of what `to_dict` returns."""

    def to_dict(self) -> dict[str, Any]:
        """All as plain data, as JSON can hold it."""
        raise NotImplementedError

    @functools.cached_property
    def _plain(self) -> dict[str, Any]:
        return self.to_dict()

    def __getitem__(self, name: str) -> Any:
        return self._plain[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._plain)

    def __len__(self) -> int:
        return len(self._plain)


@dataclass(frozen=True, eq=False, repr=False)
class Scores(Tabular, _Plain):
    """What a metric says of a system's outputs.

    It has fields; and it is a mapping, of the keys of `to_dict` to plain numbers and lists.

    Attributes:
        metric: What computed it.
        predictions: Name → score of the outputs, the main one first.
        sources: The same scores of the sources, if the metric has them.
        references: And of the references.
        details: Name → what is reported of each example besides scores.
        signature: What exactly was computed.
        examples: How many there were.

    Example:
        >>> from textsimp import Sari
        >>> scores = Sari().score(
        ...     sources=["A feline sat on it.", "It rained."],
        ...     predictions=["A cat sat on it.", "It rained."],
        ...     references=["A cat sat.", "Rain fell."],
        ...     confidence=0.95,
        ... )
        >>> scores.main.value == scores["sari"]
        True
        >>> print(scores)  # doctest: +ELLIPSIS
        SARI 35.73 [..., ...] (sari|variant:easse|tok:13a|case:lc|refs:1|v:...)
    """

    metric: Declarations
    predictions: Mapping[str, Value]
    sources: Mapping[str, Value]
    references: Mapping[str, Value]
    details: Mapping[str, list[Any]]
    signature: str
    examples: int

    @property
    def main(self) -> Value:
        """The score that the metric is known by."""
        return next(iter(self.predictions.values()))

    def sides(self) -> dict[str, Mapping[str, Value]]:
        """``predictions``, and ``sources`` and ``references`` if there are scores of them."""
        return {side: getattr(self, side) for side in SIDES if getattr(self, side)}

    def to_dict(self, *, signature: bool = True, lists: bool = True) -> dict[str, Any]:
        """All as plain data, as ``evaluate`` and JSON can hold it.

        Args:
            signature: Whether ``signature`` is among them.
            lists: Whether lists are: scores of several numbers, intervals, scores per example.

        Returns:
            ``<score>``, ``source_<score>`` and ``reference_<score>``; if asked for
            ``<score>_per_example`` and ``<score>_interval``; and ``signature``.
        """
        flat = {
            SIDES[side] + name: value
            for side, values in self.sides().items()
            for name, value in values.items()
        }
        plain: dict[str, Any] = {name: value.value for name, value in flat.items()}
        for part in ("per_example", "interval"):
            found = {f"{name}_{part}": getattr(value, part) for name, value in flat.items()}
            plain |= {name: values for name, values in found.items() if values is not None}
            if part == "per_example":
                plain |= {f"{name}_{part}": rows for name, rows in self.details.items()}
        if not lists:
            plain = {name: value for name, value in plain.items() if not isinstance(value, list)}
        return plain | ({"signature": self.signature} if signature else {})

    def __str__(self) -> str:
        """A line for a paper: the main score, its interval and the signature."""
        score = self.metric.scores[0]
        places = tables.places(_numbers(self.main.value), score)
        return f"{score.title} {_cell(self.main, places)} ({self.signature})"

    __repr__ = __str__

    def grid(self) -> Grid:
        """A row per score; beside it those of sources and references."""
        sides = self.sides()
        rows = []
        for name in dict.fromkeys(name for values in sides.values() for name in values):
            score = self.metric.score_named(name)
            found = [values.get(name) for values in sides.values()]
            places = tables.places(
                (v for value in found if value is not None for v in _numbers(value.value)), score
            )
            rows.append([score.title, *(_cell(value, places) for value in found)])
        return Grid(["", *sides], rows, [self.signature])

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` of ``score``, ``of`` (whose texts), ``value``, ``low``, ``high``.

        A score of several numbers has a row for each.
        """
        return tables.frame(list(self.records()))

    def records(self) -> Iterator[dict[str, Any]]:
        """The rows of `to_frame`."""
        for side, values in self.sides().items():
            for name, found in values.items():
                numbers = _numbers(found.value)
                bounds = [found.interval] if not found.many else found.interval
                for value, ends in zip(numbers, bounds or [None] * len(numbers), strict=True):
                    low, high = ends or (None, None)
                    yield {"score": name, "of": side, "value": value, "low": low, "high": high}


@dataclass(frozen=True, eq=False, repr=False)
class Results(Tabular, Mapping[str, Mapping[str, Scores]]):
    """What metrics say of systems: system → metric → `Scores`.

    Attributes:
        systems: The same.
        best: Metric → the system with the best main score, and all that the paired permutation
            test doesn't tell from it (`significance.best`), which tables have in bold.
            Empty where the score only describes, of one system or example, and without intervals.
        confidence: Coverage of the intervals, and 1 − the level of the test; None without.
    """

    systems: Mapping[str, Mapping[str, Scores]]
    best: Mapping[str, Sequence[str]] = field(default_factory=dict)
    confidence: float | None = None

    def __getitem__(self, system: str) -> Mapping[str, Scores]:
        return self.systems[system]

    def __iter__(self) -> Iterator[str]:
        return iter(self.systems)

    def __len__(self) -> int:
        return len(self.systems)

    def __str__(self) -> str:
        """A line per system and metric."""
        return "\n".join(
            f"{system}: {scores}" for system, found in self.items() for scores in found.values()
        )

    __repr__ = __str__

    def to_dict(self) -> dict[str, dict[str, dict[str, Any]]]:
        """All as plain data: system → metric → what `Scores.to_dict` returns."""
        return {
            system: {metric: scores.to_dict() for metric, scores in found.items()}
            for system, found in self.items()
        }

    def grid(self) -> Grid:
        """A row per system, and the main score of each metric."""
        first = next(iter(self.values()))
        columns = []
        for metric in first:
            of_systems = [found[metric] for found in self.values()]
            score = of_systems[0].metric.scores[0]
            places = tables.places((scores.main.value for scores in of_systems), score)
            columns.append([_cell(scores.main, places) for scores in of_systems])
        header = _heads(list(first.values()))
        rows = [[system, *cells] for system, *cells in zip(self, *columns, strict=True)]
        notes = [scores.signature for scores in first.values()]
        bold = {
            (i, j)
            for i, system in enumerate(self)
            for j, metric in enumerate(first, 1)
            if system in self.best.get(metric, ())
        }
        return Grid(["", *header], rows, notes, bold, in_bold(self.confidence))

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame``: ``system``, ``metric``, and the columns of `Scores.to_frame`."""
        return tables.frame(
            [
                {"system": system, "metric": metric, **record}
                for system, found in self.items()
                for metric, scores in found.items()
                for record in scores.records()
            ]
        )


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Tabular, _Plain):
    """Systems against one of them, by one metric.

    It has fields; and it is a mapping, of the keys of `to_dict` to plain data.

    Attributes:
        systems: Name → `Scores`, with intervals.
        differences: Name of every other system → score → its difference from the baseline.
        best: The system with the best main score, and all that the paired permutation test doesn't
            tell from it (`significance.best`), which tables have in bold. None where the
            score only describes, or of one example.
        signature: What exactly was computed.
        baseline: The system that the others are tested against.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
    """

    systems: Mapping[str, Scores]
    differences: Mapping[str, Mapping[str, Difference]]
    best: Sequence[str]
    signature: str
    baseline: str
    confidence: float
    resamples: int
    seed: int

    def to_dict(self) -> dict[str, Any]:
        """All as plain data.

        Returns:
            ``systems``: name → what `Scores.to_dict` returns; ``differences``: name → of each
            score ``<score>``, the difference, ``<score>_interval``, ``<score>_bootstrap_p`` and
            ``<score>_permutation_p``, and both adjusted, ``<score>_bootstrap_p_holm`` and
            ``<score>_permutation_p_holm``; ``best``; and what was done.
        """
        done = {f.name: getattr(self, f.name) for f in fields(self)[2:]}
        return {
            "systems": {name: scores.to_dict() for name, scores in self.systems.items()},
            "differences": {
                name: {
                    score + (f"_{field}" if field != "value" else ""): value
                    for score, difference in found.items()
                    for field, value in vars(difference).items()
                }
                for name, found in self.differences.items()
            },
            **done,
        }

    def __str__(self) -> str:
        """A line per system."""
        return "\n".join(f"{system}: {scores}" for system, scores in self.systems.items())

    __repr__ = __str__

    def grid(self) -> Grid:
        """A row per system: its main score, and how far it is from the baseline."""
        first = next(iter(self.systems.values()))
        name, score = next(iter(first.predictions)), first.metric.scores[0]
        places = tables.places((scores.main.value for scores in self.systems.values()), score)
        rows = []
        for system, scores in self.systems.items():
            found = self.differences.get(system, {}).get(name)
            rows.append([system, _cell(scores.main, places), *self.difference_cells(found, places)])
        title = first.metric.titled(score.title)
        header = ["", title, *self.difference_heads("p, bootstrap", "p, permutation")]
        bold = {(i, 1) for i, system in enumerate(self.systems) if system in self.best}
        caution = significance.caution(first.examples, self.resamples)
        notes = [self.signature, *([caution] if caution else [])]
        return Grid(header, rows, notes, bold, in_bold(self.confidence))

    @property
    def several(self) -> bool:
        """Whether several systems are tested, so that Holm's p-values differ from the others."""
        return len(self.differences) > 1

    def difference_heads(self, bootstrap: str, permutation: str) -> list[str]:
        """What columns of `difference_cells` are called, given what those of p-values are."""
        heads = significance.p_heads(bootstrap, permutation, self.several)
        return [f"minus {self.baseline}", *heads]

    def difference_cells(self, found: Difference | None, places: int) -> list[str]:
        """A difference, and the p-values of both tests; of several systems Holm's too."""
        if found is None:
            return [""] * len(self.difference_heads("", ""))
        p_values = found.p_values(self.several)
        difference = tables.cell(found.value, found.interval, places, sign=True)
        return [difference, *map(tables.p_value, p_values)]

    def to_frame(self) -> Any:
        """A ``pandas.DataFrame`` of ``system``, ``score`` and the fields of `Difference`."""
        return tables.frame(
            [
                {"system": system, "score": score, **difference.to_dict()}
                for system, found in self.differences.items()
                for score, difference in found.items()
            ]
        )


def _heads(found: Sequence[Scores]) -> list[str]:
    """What columns of metrics' main scores are called: two forms of a variant by what differs."""
    heads = [scores.metric.titled(scores.metric.scores[0].title) for scores in found]
    parts = [scores.signature.split("|") for scores in found]
    shown = []
    for head, own in zip(heads, parts, strict=True):
        alike = [other for name, other in zip(heads, parts, strict=True) if name == head]
        differs = [part for part in own if not all(part in other for other in alike)]
        shown.append(" ".join([head, *differs]))
    return shown


def ranked(systems: Mapping[str, Scores]) -> list[str]:
    """Systems by their main score, best first; as they were given where it only describes."""
    better = next(iter(systems.values())).metric.scores[0].better
    if not better:
        return list(systems)
    return sorted(systems, key=lambda name: systems[name].main.value, reverse=better == "higher")


def in_bold(confidence: float | None) -> str:
    """What bold means in tables of systems."""
    if confidence is None:
        return ""
    return (
        "Bold: the best, and all that the paired permutation test doesn't tell from it "
        f"(p >= {1 - confidence:.2g}, Holm-adjusted)."
    )


def _numbers(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def _cell(found: Value | None, places: int) -> str:
    """A score with its interval; several numbers side by side."""
    if found is None:
        return ""
    if found.many:
        return " ".join(tables.cell(value, None, places) for value in found.value)
    return tables.cell(found.value, found.interval, places)
