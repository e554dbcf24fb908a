"""Results: scores, tables of results and comparisons, with fields and as plain dicts."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from statistics import median
from types import MappingProxyType
from typing import Any

from textsimp.core import significance, tables
from textsimp.core.declarations import SIDES, Declarations, Score
from textsimp.core.significance import FEWEST, Difference
from textsimp.core.tables import MARKS, Cell, Grid, Tabular

SIGNIFICANT = "*"
"""The mark of a significant p-value."""

_TESTED = (
    *("difference", "difference_low", "difference_high"),
    *("bootstrap_p", "bootstrap_p_holm", "permutation_p", "permutation_p_holm"),
)

Tests = Mapping[tuple[str, str], Mapping[str, Difference]]
"""(system, other) → score → the system's score minus the other's."""


@dataclass(frozen=True)
class Value:
    """A score.

    Attributes:
        value: A number, or a list of numbers.
        interval: [low, high], or a list of these; None without confidence.
        per_example: The score of each example; None unless requested.
    """

    value: Any
    interval: list[Any] | None = None
    per_example: list[Any] | None = None

    @property
    def many(self) -> bool:
        """Whether the value is a list of numbers."""
        return isinstance(self.value, list)


# Results are dicts, which ``json.dumps`` and trackers of experiments take as they are. They are no
# dataclasses: Pydantic, and so Weights & Biases, would write their fields instead of their items.


class Fields(Tabular, dict[str, Any]):
    """A result with fields; as a dict it has what its `to_dict` returns."""

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        super().__init__(self.to_dict())

    @abstractmethod
    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""


class Scores(Fields):
    """A metric's scores of one system.

    The scores are fields. The object is also a dict with the keys of `to_dict`, whose values are
    plain numbers and lists.

    Attributes:
        metric: The metric.
        predictions: Name → score of the outputs, the main one first.
        sources: The same scores of the sources, if the metric has them.
        references: The same scores of the references, if the metric has them.
        details: Name → other results of each example.
        signature: The metric's signature.
        examples: Number of examples.

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
        """The main score."""
        return next(iter(self.predictions.values()))

    def sides(self) -> dict[str, Mapping[str, Value]]:
        """Return the scores of predictions, and of sources and references if there are any."""
        return {side: getattr(self, side) for side in SIDES if getattr(self, side)}

    def _by_name(self) -> dict[str, Value]:
        """Return name in the plain dict → score."""
        return {
            SIDES[side] + name: value
            for side, values in self.sides().items()
            for name, value in values.items()
        }

    def to_dict(self, *, signature: bool = True, lists: bool = True) -> dict[str, Any]:
        """Return plain data that ``evaluate`` and JSON can hold.

        Args:
            signature: Include ``signature``.
            lists: Include lists: scores of several numbers, intervals, scores per example.

        Returns:
            ``<score>``, ``source_<score>`` and ``reference_<score>``; if requested
            ``<score>_per_example`` and ``<score>_interval``; and ``signature``.
        """
        flat = self._by_name()
        plain: dict[str, Any] = {name: value.value for name, value in flat.items()}
        for part in ("per_example", "interval"):
            fields = {f"{name}_{part}": getattr(value, part) for name, value in flat.items()}
            plain |= {name: values for name, values in fields.items() if values is not None}
            if part == "per_example":
                plain |= {f"{name}_{part}": rows for name, rows in self.details.items()}
        if not lists:
            plain = {name: value for name, value in plain.items() if not isinstance(value, list)}
        return plain | ({"signature": self.signature} if signature else {})

    def numbers(self) -> dict[str, float]:
        """Return name → number, as ``mlflow.log_metrics`` takes it: no lists, no signature."""
        return self.to_dict(signature=False, lists=False)

    def __str__(self) -> str:
        """Main score, interval and signature in one line."""
        score = self.metric.scores[0]
        decimals = tables.count_decimals(_numbers(self.main.value), score)
        return f"{score.title} {_cell(self.main, decimals)} ({self.signature})"

    __repr__ = __str__

    def grid(self) -> Grid:
        """A row per score, a column for predictions, sources and references."""
        return score_grid({"predictions": self})

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per number: those of `Results.records` without ``system``."""
        records = []
        for name, score in self._by_name().items():
            numbers: list[tuple[int | None, Any, Any, int]] = []
            numbers += [(None, score.value, score.interval, self.examples)]
            numbers += [(i, value, None, 1) for i, value in enumerate(score.per_example or [])]
            for example, value, bounds, n in numbers:
                many = isinstance(value, list)
                ends = bounds or [None] * len(value) if many else [bounds]
                for j, (number, (low, high)) in enumerate(
                    zip(_numbers(value), (pair or (None, None) for pair in ends), strict=True)
                ):
                    records.append(
                        {
                            "metric": self.metric.name,
                            "score": f"{name}[{j}]" if many else name,
                            "example": example,
                            "value": number,
                            "low": low,
                            "high": high,
                            "n": n,
                        }
                    )
        return records


class Results(Tabular, dict[str, Mapping[str, Scores]]):
    """Scores of several systems and metrics: a dict, system → metric → `Scores`.

    Attributes:
        best: Metric → the system with the best main score, and all systems that do not differ
            significantly from it by the paired permutation test. Tables of at least ten examples
            print them in bold. Empty for scores without a direction, for one system or example,
            and without intervals.
        confidence: Coverage of the intervals, and 1 − the level of the test; None without them.
    """

    def __init__(
        self,
        systems: Mapping[str, Mapping[str, Scores]],
        best: Mapping[str, Sequence[str]] = MappingProxyType({}),
        confidence: float | None = None,
    ) -> None:
        self.best = dict(best)
        self.confidence = confidence
        super().__init__({name: dict(own) for name, own in systems.items()})

    def numbers(self) -> dict[str, float]:
        """Return ``system/metric/score`` → number, as ``mlflow.log_metrics`` takes it."""
        return {
            f"{system}/{metric}/{name}": number
            for system, own in self.items()
            for metric, scores in own.items()
            for name, number in scores.numbers().items()
        }

    def to_dict(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return plain data: system → metric → result of `Scores.to_dict`."""
        return {
            system: {metric: scores.to_dict() for metric, scores in own.items()}
            for system, own in self.items()
        }

    def grid(self) -> Grid:
        """A row per system, a column per metric with its main score."""
        first = next(iter(self.values()))
        columns = [
            _main_cells({n: own[metric] for n, own in self.items()}, self.best.get(metric, ()))
            for metric in first
        ]
        rows = [[system, *cells] for system, *cells in zip(self, *columns, strict=True)]
        notes = [scores.signature for scores in first.values()]
        return _grid(["", *_heads([*first.values()])], rows, notes, self.confidence)

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per number, which `to_pandas` makes a row of a table.

        Its keys are:

        ``system``, ``metric``, ``score``: as in `to_dict`; ``score[0]`` and so on of a score that
        is a list. ``example``: whose score it is, counted from 0; None (NaN in pandas) for that of
        all examples. ``value``: in the score's own units, so a share is from 0 to 1; NaN where it
        is undefined. ``low``, ``high``: ends of the interval, if there is one. ``n``: the number of
        examples that it is of.
        """
        return [
            {"system": system, **record, "metric": metric}
            for system, own in self.items()
            for metric, scores in own.items()
            for record in scores.records()
        ]


class Comparison(Fields):
    """A comparison of systems by one metric: scores, and paired tests.

    The results are fields. The object is also a dict with the keys of `to_dict`.

    Attributes:
        systems: Name → `Scores`, with intervals.
        differences: Name of every other system → score → its difference from the baseline.
        best: The system with the best main score, and all systems that do not differ significantly
            from it by the paired permutation test. Tables of at least ten examples print them in
            bold. Empty for scores without a direction and for one example.
        signature: The metric's signature.
        baseline: The system that the others are compared with.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        baselines: Names of those systems that are the sources, unchanged or truncated. They are not
            among the best, and their p-values are adjusted apart.
        tests: (system, other) → score → difference, either way round, of the best system and the
            baseline from every other one; in a report of all pairs. The p-values of a system are
            adjusted for those with worse main scores, those of the best one as in ``differences``.
        unranked: Systems with errors in their outputs, which are not among the best.
        references: Score → mean score of each reference against the others, in a report.
        by_people: Whether scores are people's.
    """

    systems: Mapping[str, Scores]
    differences: Mapping[str, Mapping[str, Difference]]
    best: Sequence[str]
    signature: str
    baseline: str
    confidence: float
    resamples: int
    seed: int
    baselines: Sequence[str] = ()
    tests: Tests = MappingProxyType({})
    unranked: Collection[str] = ()
    references: Mapping[str, Value] = MappingProxyType({})
    by_people: bool = False

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        self.best = self._find_best()
        dict.__init__(self, self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data with the keys that `textsimp.compare` describes."""
        return {
            "systems": {name: scores.to_dict() for name, scores in self.systems.items()},
            "differences": {
                name: {
                    score + (f"_{field}" if field != "value" else ""): value
                    for score, difference in own.items()
                    for field, value in vars(difference).items()
                    if field != "units"
                }
                for name, own in self.differences.items()
            },
            "best": self.best,
            "signature": self.signature,
            "baseline": self.baseline,
            "confidence": self.confidence,
            "resamples": self.resamples,
            "seed": self.seed,
        }

    def grid(self) -> Grid:
        """A row per system: its main score, the difference from the baseline and all p-values."""
        rows = self._test_rows(self.main, _main_cells(self.systems, self.best))
        header = ["", *_heads([self._first]), *self._difference_heads()]
        notes = [self.signature, *filter(None, [self.gaps, self.caution])]
        return _grid(header, rows, notes, self.confidence)

    def full_grid(self) -> Grid:
        """A row per score and system, likewise."""
        rows = []
        for name, value in self._first.predictions.items():
            if not value.many:
                score = self.metric.find_score(name)
                values = [own.predictions[name] for own in self.systems.values()]
                found = self._test_rows(score, format_values(values, score))
                rows += [["" if i else score.title, *row] for i, row in enumerate(found)]
        return Grid(["score", "system", "", *self._difference_heads()], rows, named=2)

    def _test_rows(self, score: Score, cells: Sequence[Any]) -> list[list[Any]]:
        """Return a row per system: name, score, difference, p-values; empty of the baseline."""
        tests = {system: own.get(score.key) for system, own in self.differences.items()}
        decimals = tables.count_decimals(
            [own.predictions[score.key].value for own in self.systems.values()], score
        )
        rows = []
        for system, cell in zip(self.systems, cells, strict=True):
            test = tests.get(system)
            tested: list[Any] = [""] * len(self._difference_heads())
            if test is not None and not math.isnan(test.value):
                difference = Cell.of(test.value, test.interval, decimals, sign=True)
                tested = [difference, *map(tables.p_value, test.p_values(self.several))]
            rows.append([system, cell, *tested])
        return rows

    def records(self) -> list[dict[str, Any]]:
        """Return the dicts of `Results.records`, with more keys.

        ``baseline``; ``difference``, ``difference_low`` and ``difference_high`` from it, with
        ``bootstrap_p``, ``bootstrap_p_holm``, ``permutation_p`` and ``permutation_p_holm``; and
        ``best``, of main scores whether the system is among the best. None for other numbers.
        """
        records = []
        for system, scores in self.systems.items():
            tests = self.differences.get(system, {})
            for record in scores.records():
                name, of_corpus = record["score"], record["example"] is None
                test = tests.get(name) if of_corpus else None
                judged = of_corpus and name == self.main.key and self.best
                record = {"system": system, **record, "baseline": self.baseline}
                record |= dict.fromkeys(_TESTED)
                if test is not None:
                    record |= zip(_TESTED, test.to_dict().values(), strict=True)
                records.append(record | {"best": system in self.best if judged else None})
        return records

    @property
    def _first(self) -> Scores:
        return next(iter(self.systems.values()))

    @property
    def metric(self) -> Declarations:
        """The metric."""
        return self._first.metric

    @property
    def main(self) -> Score:
        """The metric's main score."""
        return self.metric.scores[0]

    @property
    def examples(self) -> int:
        """Number of examples."""
        return self._first.examples

    @property
    def too_few_examples(self) -> int:
        """Number of examples, if they are too few to call a system better; else 0."""
        return self.examples if self.examples < FEWEST else 0

    @cached_property
    def ranked(self) -> list[str]:
        """Systems with a main score, without baselines and unranked ones; the best first."""
        rest = {*self.baselines, *self.unranked}
        systems = {name: own for name, own in self.systems.items() if name not in rest}
        return [name for name in rank(systems) if _is_number(systems[name].main.value)]

    def test(self, system: str, other: str) -> Difference | None:
        """Return a system's main score minus another's with its tests, if there are any."""
        return between(self.tests, system, other).get(self.main.key)

    def differ(self, system: str, other: str) -> bool:
        """Whether the main scores of two systems differ significantly."""
        test = self.test(system, other)
        return test is not None and test.is_significant(self.confidence)

    def _find_best(self) -> list[str]:
        if not self.main.better or len(self.ranked) < 2 or self.examples < 2:
            return []
        top = self.ranked[0]
        return [n for n in self.systems if n in self.ranked and not self.differ(top, n)]

    @property
    def marks(self) -> dict[str, str]:
        """The marks of the best systems and those that can't be ranked."""
        return dict.fromkeys(self.unranked, "unranked") | mark_best(self.systems, self.best)

    @property
    def baseline_is_best(self) -> bool:
        """Whether several systems are compared with the best of them."""
        return bool(self.best) and self.ranked[0] == self.baseline

    @property
    def gaps(self) -> str:
        """Which differences of main scores are not of all examples; "" if none is."""
        tests = {name: own.get(self.main.key) for name, own in self.differences.items()}
        parts = [
            f"{name} on the {test.units:,} of {self.examples:,} rows that both have"
            for name, test in tests.items()
            if test is not None and test.units < self.examples
        ]
        what = f"{self.main.title}: compared with {self.baseline} is "
        return what + ", ".join(parts) if parts else ""

    @property
    def caution(self) -> str:
        """A warning of tests of the main score with few examples; "" if there are enough."""
        main = self.main
        tests = {name: own[main.key] for name, own in self.differences.items() if main.key in own}
        few = " or ".join(name for name, test in tests.items() if test.permutation_p is None)
        if self.examples == 1 or not few:
            return significance.caution(self.examples, self.resamples)
        both = f"{FEWEST} examples have a number of both {self.baseline} and {few}"
        return f"{main.title}: fewer than {both}, so there is no p-value"

    @property
    def detectable(self) -> float | None:
        """The smallest difference of main scores that these examples can detect.

        A test at 1 − confidence finds it in 80 % of tries (`significance.detectable`). With several
        differences from the baseline it is the median of theirs; of one system, that from the
        sources, unchanged, if these are among `baselines`. None if there is none.
        """
        main = self.main.key
        others = [name for name in self.differences if name not in self.baselines]
        compared = [self.differences[name] for name in others or [*self.differences][:1]]
        tests = [of_system[main] for of_system in compared if main in of_system]
        sizes = [significance.detectable(test.interval, self.confidence) for test in tests]
        known = [size for size in sizes if size is not None]
        return median(known) if known else None

    @property
    def several(self) -> bool:
        """Whether several systems are tested, so that Holm's method changes p-values."""
        return len(self.differences) > 1

    def _difference_heads(self) -> list[str]:
        """Return the headings of a difference and its p-values; of several tests also Holm's."""
        minus = f"minus {self.baseline}{' (best)' * self.baseline_is_best}"
        holm = ["Holm"] * self.several
        return [minus, "p, bootstrap", *holm, "p, permutation", *holm]

    def p_cell(self, system: str) -> str:
        """Return Holm's p-value of the permutation test of the main score, with its mark."""
        difference = self.differences.get(system, {}).get(self.main.key)
        if difference is None or difference.permutation_p_holm is None:
            return ""
        significant = not self.too_few_examples and difference.is_significant(self.confidence)
        p_value = tables.p_value(difference.permutation_p_holm)
        return p_value + (SIGNIFICANT if significant else " ")

    def explain_p(self) -> str:
        """Return the note that explains `p_cell`."""
        return (
            "p: paired permutation test against the system in the heading, Holm-adjusted; "
            f"{SIGNIFICANT} p < {1 - self.confidence:.2g}"
        )


class Comparisons(Tabular, dict[str, Comparison]):
    """Comparisons of the same systems by one or more metrics: a dict, metric → `Comparison`."""

    def grid(self) -> Grid:
        """A row per system; per metric its main score, the difference from the baseline and p."""
        first = next(iter(self.values()))
        heads = _heads([one._first for one in self.values()])
        columns: list[list[Any]] = [["", *first.systems]]
        for head, comparison in zip(heads, self.values(), strict=True):
            grid = comparison.grid()
            columns += [
                [head, *(row[1] for row in grid.rows)],
                [grid.header[2], *(row[2] for row in grid.rows)],
                ["p", *(comparison.p_cell(system) for system in comparison.systems)],
            ]
        header, *rows = map(list, zip(*columns, strict=True))
        joined = [j for j in range(1, len(header)) if j % 3 != 1]
        gaps = filter(None, (comparison.gaps for comparison in self.values()))
        notes = [first.explain_p(), *gaps, *(one.signature for one in self.values())]
        return _grid(header, rows, notes, first.confidence, joined=joined)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: metric → result of `Comparison.to_dict`."""
        return {metric: comparison.to_dict() for metric, comparison in self.items()}

    def records(self) -> list[dict[str, Any]]:
        """Return the dicts of `Comparison.records`."""
        return [{**row, "metric": name} for name, one in self.items() for row in one.records()]


def between(tests: Tests, system: str, other: str) -> Mapping[str, Difference]:
    """Return the tests of a pair of systems, in whichever order they have been made."""
    reverse = {name: test.reversed for name, test in tests.get((other, system), {}).items()}
    return tests.get((system, other), reverse)


def _heads(columns: Sequence[Scores]) -> list[str]:
    """Return headings of main scores, with what differs between metrics of the same name.

    An arrow points in the direction of better scores, if there is one.
    """
    names = [scores.metric.heading(scores.metric.scores[0].title) for scores in columns]
    parts = [scores.signature.split("|") for scores in columns]
    heads = []
    for scores, name, own in zip(columns, names, parts, strict=True):
        alike = [other for head, other in zip(names, parts, strict=True) if head == name]
        differs = [part for part in own if not all(part in other for other in alike)]
        arrow = {"higher": ["↑"], "lower": ["↓"], "": []}[scores.metric.scores[0].better]
        heads.append(" ".join([name, *differs, *arrow]))
    return heads


def _grid(
    header: Sequence[Any],
    rows: list[list[Any]],
    notes: list[str],
    confidence: float | None,
    joined: Collection[int] = (),
) -> Grid:
    """Return a table of scores, with what bold numbers and marks mean."""
    words = {
        "best": "significantly the best system",
        "undecided": "the best score, and those not significantly different from it",
    }
    marks = {cell.mark for row in rows for cell in row if isinstance(cell, Cell)}
    legend = "; ".join(f"{MARKS[mark][0]} {words[mark]}" for mark in words if mark in marks)
    if legend and confidence is not None:
        legend += f" (paired permutation test at p < {1 - confidence:.2g}, Holm-adjusted)"
    return Grid(header, rows, notes, explain_bold(confidence), legend, joined=joined)


def mark_best(systems: Mapping[str, Scores], best: Sequence[str]) -> dict[str, str]:
    """Return the marks of the best systems; none of few examples, or if all of them have 0."""
    few = next(iter(systems.values())).examples < FEWEST
    if few or not any(systems[name].main.value for name in best if name in systems):
        return {}
    return dict.fromkeys(best, "best" if len(best) == 1 else "undecided")


def rank(systems: Mapping[str, Scores]) -> list[str]:
    """Sort systems by their main score, best first; keep the order if it has no direction."""
    better = next(iter(systems.values())).metric.scores[0].better if systems else ""
    sign = {"higher": -1, "lower": 1}.get(better)
    if sign is None:
        return list(systems)
    values = {name: scores.main.value for name, scores in systems.items()}
    known = [name for name in systems if _is_number(values[name])]
    undefined = [name for name in systems if name not in known]
    return sorted(known, key=lambda name: sign * values[name]) + undefined


def _is_number(value: Any) -> bool:
    return value is not None and not isinstance(value, list) and not math.isnan(value)


def explain_bold(confidence: float | None) -> str:
    """Return the note that explains bold in tables of systems."""
    if confidence is None:
        return ""
    return (
        "Bold: the best system, and all that do not differ significantly from it "
        f"(paired permutation test, p >= {1 - confidence:.2g}, Holm-adjusted)."
    )


def _numbers(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list) else [value]


def score_grid(systems: Mapping[str, Scores]) -> Grid:
    """Return a row per score; columns for each system's outputs, and for sources and references."""
    first = next(iter(systems.values()))
    columns = {name: scores.predictions for name, scores in systems.items()}
    columns |= {side: own for side, own in first.sides().items() if side != "predictions"}
    rows = []
    for name in dict.fromkeys(name for own in columns.values() for name in own):
        score = first.metric.find_score(name)
        rows.append(
            [score.title, *format_values([own.get(name) for own in columns.values()], score)]
        )
    return Grid(["", *columns], rows, [first.signature])


def _main_cells(systems: Mapping[str, Scores], best: Sequence[str]) -> list[Any]:
    """Format the main scores of systems, with marks of the best."""
    score = next(iter(systems.values())).metric.scores[0]
    cells = zip(systems, format_values([one.main for one in systems.values()], score), strict=True)
    marks = mark_best(systems, best)
    return [replace(cell, mark=marks[name]) if name in marks else cell for name, cell in cells]


def format_values(values: Sequence[Value | None], score: Score) -> list[Any]:
    """Format a score's values with their intervals, or several numbers side by side."""
    known = [None if one is None or one.value is None else one for one in values]
    decimals = tables.count_decimals(
        (number for one in known if one is not None for number in _numbers(one.value)), score
    )
    return ["" if one is None else _cell(one, decimals) for one in known]


def _cell(score: Value, decimals: int) -> Cell:
    """Return a score with its interval, or several numbers side by side."""
    if score.many:
        return Cell(" ".join(str(Cell.of(value, None, decimals)) for value in score.value))
    return Cell.of(score.value, score.interval, decimals)
