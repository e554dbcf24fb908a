"""Comparisons of systems: their scores, differences and paired tests."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from textsimp.core import significance, tables
from textsimp.core.declarations import Score
from textsimp.core.scores import (
    Scores,
    Value,
    count_runs,
    explain_runs,
    format_values,
    headings,
    is_number,
    main_cells,
    make_grid,
    mark_best,
    rank,
)
from textsimp.core.significance import FEWEST, NO_DIFFERENCE, P_VALUES, Difference
from textsimp.core.tables import Cell, Grid, Tabular

__all__ = ["SIGNIFICANT", "Comparison", "between"]

SIGNIFICANT = "*"
"""The mark of a significant p-value."""

DAGGERS = "†‡§¶"
"""The marks of scores that differ significantly from each of several baselines."""

_SETTINGS = ("signature", "baseline", "confidence", "resamples", "seed")
_PLAIN = ("interval", "bootstrap_p", "permutation_p", "bootstrap_p_holm", "permutation_p_holm")
_TESTED = ("difference", "difference_low", "difference_high", *P_VALUES)

EQUAL = 1e-9
"""Scores of equal outputs may differ by so much, by rounding."""

Tests = Mapping[tuple[str, str], Mapping[str, Difference]]
"""(system, other) → score → the system's score minus the other's."""


class Comparison(Tabular, dict[str, Any]):
    """A comparison of systems by one metric: scores, and paired tests.

    The results are fields. The object is also a dict with the keys of `to_dict`.

    Attributes:
        systems: Name → `Scores`, with intervals.
        differences: Name of every other system → score → its difference from the baseline.
        signature: The metric's signature.
        baseline: The system that the others are compared with.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        baselines: Names of those systems that are the sources, unchanged or truncated. They are not
            among the best, and their p-values are adjusted apart, for each system and baseline.
        hidden_baselines: Name → main score of such baselines that aren't among ``systems``.
        tests: (system, other) → score → difference, either way round, of the best system and the
            baseline from every other one; in a report of all pairs. The p-values are adjusted for
            all pairs of systems, since scores choose the best; those of a best one that is the
            chosen baseline as in ``differences``.
        unranked: Systems with errors in their outputs, which are not among the best.
        references: Score → mean score of each reference against the others, in a report.
        by_people: Whether scores are people's.
        other_differences: With several baselines, each further one → differences from it.
        best: The system with the best main score, and all systems that do not differ significantly
            from it by the paired permutation test. Tables of at least ten examples print them in
            bold. Empty for scores without a direction, for one example, and where a baseline is
            ahead, or another system is ``better``.
        better: Systems that are significantly better than that of the best main score, on the
            examples that both have.
        ranked: Systems with a main score, without baselines and unranked ones; the best first.
        ahead: Main scores of the baselines that no system is ahead of.
        first: The scores of the first system.
        metric: The metric.
        main: Its main score.
        examples: The number of examples.
        too_few_examples: The number of examples, if they are too few to call a system better;
            else 0.
        from_each: Baseline → differences from it, the first baseline first.
        main_tests: System → difference of main scores from the baseline, where there is one.
        several: Whether several systems are tested, so that Holm's method changes p-values.
        baseline_is_best: Whether several systems are compared with the best of them.
    """

    systems: Mapping[str, Scores]
    differences: Mapping[str, Mapping[str, Difference]]
    signature: str
    baseline: str
    confidence: float
    resamples: int
    seed: int
    baselines: Sequence[str] = ()
    hidden_baselines: Mapping[str, float] = MappingProxyType({})
    tests: Tests = MappingProxyType({})
    unranked: Collection[str] = ()
    references: Mapping[str, Value] = MappingProxyType({})
    by_people: bool = False
    other_differences: Mapping[str, Mapping[str, Mapping[str, Difference]]] = MappingProxyType({})

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        # What follows from these: who is ranked, ahead and best.
        self.first = next(iter(self.systems.values()))
        self.metric, self.main = self.first.metric, self.first.metric.scores[0]
        self.examples = self.first.examples
        self.too_few_examples = self.examples if self.examples < FEWEST else 0
        self.from_each = {self.baseline: self.differences, **self.other_differences}
        self.several = len(self.differences) > 1
        main = self.main.key
        self.main_tests = {
            name: tests[main] for name, tests in self.differences.items() if main in tests
        }
        rest = {*self.baselines, *self.unranked}
        order = rank({name: x for name, x in self.systems.items() if name not in rest})
        self.ranked = [name for name in order if is_number(self.systems[name].main.value)]
        self.ahead: dict[str, float] = {}
        self.best: list[str] = []
        self.better: list[str] = []
        if self.main.better and self.ranked:
            top, sign = self.ranked[0], 1 if self.main.better == "higher" else -1
            score = self.systems[top].main.value
            baselines = {name: self.systems[name].main.value for name in self.baselines}
            for name, value in {**baselines, **self.hidden_baselines}.items():
                if is_number(value) and sign * (value - score) > -EQUAL:
                    self.ahead[name] = value
            self.better = [name for name in self.ranked if self.beats(name, top)]
            if len(self.ranked) > 1 and self.examples > 1 and not (self.ahead or self.better):
                ranked = [name for name in self.systems if name in self.ranked]
                self.best = [name for name in ranked if not self.differ(top, name)]
        self.baseline_is_best = bool(self.best) and self.ranked[0] == self.baseline
        super().__init__(self.to_dict())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data with the keys that `textsimp.compare` describes."""
        others = {name: _plain(differences) for name, differences in self.other_differences.items()}
        return {
            "systems": {name: scores.to_dict() for name, scores in self.systems.items()},
            "differences": _plain(self.differences),
            **({"other_differences": others} if others else {}),
            **{name: getattr(self, name) for name in ("best", *_SETTINGS)},
        }

    def grid(self) -> Grid:
        """A row per system: its main score, the difference from the baseline and all p-values."""
        scores = [*headings([self.first]), *main_cells(self.systems, self.best)]
        columns = [["", *self.systems], scores, *self.test_columns(self.main)]
        header, *rows = map(list, zip(*columns, strict=True))
        notes = [self.signature, *filter(None, [self.gaps, self.caution])]
        return make_grid([self.first], rows, notes, self.confidence, header)

    def full_grid(self) -> Grid:
        """A row per score and system, likewise."""
        heads = [column[0] for column in self.test_columns(self.main)]
        rows: list[list[Any]] = []
        for name, value in self.first.predictions.items():
            if not value.many:
                score = self.metric.find_score(name)
                values = [scores.predictions[name] for scores in self.systems.values()]
                titles = [score.title, *[""] * (len(values) - 1)]
                tests = [cells for _, *cells in self.test_columns(score)]
                columns = [titles, self.systems, format_values(values, score), *tests]
                rows += map(list, zip(*columns, strict=True))
        return Grid(["score", "system", "", *heads], rows, named=2)

    def test_columns(self, score: Score) -> list[list[Any]]:
        """Return columns below their headings: of each baseline differences and p-values.

        Of several tests there are Holm's p-values, too.
        """
        decimals = tables.count_decimals(
            [scores.predictions[score.key].value for scores in self.systems.values()], score
        )
        heads = ["p, bootstrap", "p, permutation"]
        if self.several:
            heads = ["p, bootstrap", "Holm", "p, permutation", "Holm"]
        columns: list[list[Any]] = []
        for name, differences in self.from_each.items():
            best = " (best)" if self.baseline_is_best and name == self.baseline else ""
            rows: list[list[Any]] = [[f"minus {name}{best}", *heads]]
            for system in self.systems:
                test = differences.get(system, {}).get(score.key, NO_DIFFERENCE)
                cell: Any = ""
                if not math.isnan(test.value):
                    cell = Cell.of(test.value, test.interval, decimals, sign=True)
                rows.append([cell, *map(tables.p_value, test.p_values(self.several))])
            columns += map(list, zip(*rows, strict=True))
        return columns

    def records(self) -> list[dict[str, Any]]:
        """Return the dicts of `Results.records`, with more keys.

        ``baseline``; ``difference``, ``difference_low`` and ``difference_high`` from it, with
        ``bootstrap_p``, ``bootstrap_p_holm``, ``permutation_p`` and ``permutation_p_holm``; and
        ``best``, of main scores whether the system is among the best. None for other numbers. Of
        several baselines, a number has a row for each.
        """
        records = []
        for system, scores in self.systems.items():
            for record in scores.records():
                name, whole = record["score"], record["example"] is None
                judged = whole and name == self.main.key and self.best
                best = system in self.best if judged else None
                for baseline, differences in self.from_each.items():
                    test = differences.get(system, {}).get(name) if whole else None
                    if test is None and baseline != self.baseline:
                        continue
                    numbers = [None] * len(_TESTED) if test is None else test.to_dict().values()
                    tested = dict(zip(_TESTED, numbers, strict=True))
                    record = {"system": system, **record, "baseline": baseline, **tested}
                    records.append(record | {"best": best})
        return records

    def test(self, system: str, other: str) -> Difference | None:
        """Return a system's main score minus another's with its tests, if there are any."""
        return between(self.tests, system, other).get(self.main.key)

    def differ(self, system: str, other: str, metrics: int = 1) -> bool:
        """Whether main scores of two systems differ significantly, as one of so many metrics."""
        test, level = self.test(system, other), (1 - self.confidence) / metrics
        return test is not None and abs(test.value) > EQUAL and test.is_significant(1 - level)

    def beats(self, system: str, other: str, metrics: int = 1) -> bool:
        """Whether they differ, and the system is better on the examples that both have."""
        test, sign = self.test(system, other), -1 if self.main.better == "lower" else 1
        return test is not None and sign * test.value > 0 and self.differ(system, other, metrics)

    @property
    def marks(self) -> dict[str, str]:
        """The marks of the best systems and those that can't be ranked."""
        return dict.fromkeys(self.unranked, "unranked") | mark_best(self.systems, self.best)

    @property
    def gaps(self) -> str:
        """Which differences of main scores are not of all examples; "" if none is."""
        parts = [
            f"{name} on the {test.units:,} of {self.examples:,} rows that both have"
            for name, test in self.main_tests.items()
            if test.units < self.examples
        ]
        what = f"{self.main.title}: compared with {self.baseline} is "
        return what + ", ".join(parts) if parts else ""

    @property
    def caution(self) -> str:
        """A warning of tests of the main score with few examples; "" if there are enough."""
        tests = self.main_tests.items()
        few = " or ".join(name for name, test in tests if test.permutation_p is None)
        if self.examples == 1 or (self.too_few_examples and not few):
            return significance.caution(self.examples, self.resamples)
        if not few:
            return ""
        both = f"{FEWEST} examples have a number of both {self.baseline} and {few}"
        return f"{self.main.title}: fewer than {both}, so there is no p-value"

    @property
    def detectable(self) -> float | None:
        """The smallest difference of main scores that these examples can detect."""
        return self.detectable_with(self.examples)

    def detectable_with(self, examples: int) -> float | None:
        """Return the smallest difference of main scores that so many examples can detect.

        A test at 1 − confidence finds it in 80 % of tries (`significance.detectable`). With several
        differences from the baseline it is the median of theirs; of one system, that from the
        sources, unchanged, if these are among `baselines`. None if there is none.
        """
        from statistics import median

        tests = self.main_tests
        others = [name for name in self.differences if name not in self.baselines]
        compared = [tests[name] for name in others or [*self.differences][:1] if name in tests]
        sizes = [
            significance.detectable(test, self.confidence, test.units * examples / self.examples)
            for test in compared
        ]
        detected = [size for size in sizes if size is not None]
        return median(detected) if detected else None

    def p_cell(self, system: str) -> str:
        """Return Holm's p-value of the permutation test of the main score, with its mark."""
        difference = self.main_tests.get(system)
        if difference is None or difference.permutation_p_holm is None:
            return ""
        significant = not self.too_few_examples and difference.is_significant(self.confidence)
        p_value = tables.p_value(difference.permutation_p_holm)
        return p_value + (SIGNIFICANT if significant else " ")

    def dagger_cells(self) -> list[Any]:
        """Return the main scores, each with the marks of the baselines that it differs from."""
        cells = main_cells(self.systems, self.best)
        if self.too_few_examples:
            return cells
        marked = []
        for system, cell in zip(self.systems, cells, strict=True):
            marks = ""
            for mark, differences in zip(DAGGERS, self.from_each.values(), strict=False):
                test = differences.get(system, {}).get(self.main.key)
                if test is not None and test.is_significant(self.confidence):
                    marks += mark
            marked.append(replace(cell, text=cell.text + marks) if marks else cell)
        return marked

    def explain_p(self) -> str:
        """Return the note that explains `p_cell`, or `dagger_cells` of several baselines."""
        level = f"p < {1 - self.confidence:.2g}"
        test = "paired permutation test"
        if self.other_differences:
            marks = [f"{mark} {name}" for mark, name in zip(DAGGERS, self.from_each, strict=False)]
            family = f"({test}, {level}, Holm-adjusted for all of these tests)"
            return f"Significantly different from {', '.join(marks)} {family}."
        return f"p: {test} against the system in the heading, Holm-adjusted; {SIGNIFICANT} {level}"


class Comparisons(Tabular, dict[str, Comparison]):
    """Comparisons of the same systems by one or more metrics: a dict, metric → `Comparison`."""

    def grid(self) -> Grid:
        """A row per system; per metric its main score, the difference from the baseline and p."""
        first = next(iter(self.values()))
        firsts = [comparison.first for comparison in self.values()]
        gaps = filter(None, (comparison.gaps for comparison in self.values()))
        notes = [*explain_runs(count_runs(first.systems), first.confidence), *gaps]
        notes += [comparison.signature for comparison in self.values()]
        columns: list[list[Any]] = [["", *first.systems]]
        for head, comparison in zip(headings(firsts), self.values(), strict=True):
            if first.other_differences:
                columns.append([head, *comparison.dagger_cells()])
                continue
            columns += [
                [head, *main_cells(comparison.systems, comparison.best)],
                comparison.test_columns(comparison.main)[0],
                ["p", *map(comparison.p_cell, comparison.systems)],
            ]
        header, *rows = map(list, zip(*columns, strict=True))
        beside = [j for j in range(1, len(header)) if j % 3 != 1]
        joined = [] if first.other_differences else beside
        notes = [first.explain_p(), *notes]
        grid = make_grid(firsts, rows, notes, first.confidence, header, joined)
        titles = [x.main.title for x in self.values() if {*x.ahead} & {*first.systems}]
        why = f" By {' and '.join(titles)} a baseline is ahead, so none is bold." if titles else ""
        return replace(grid, baselines=first.baselines, meaning=grid.meaning + why)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: metric → result of `Comparison.to_dict`."""
        return {metric: comparison.to_dict() for metric, comparison in self.items()}

    def records(self) -> list[dict[str, Any]]:
        """Return the dicts of `Comparison.records`."""
        return [
            {**record, "metric": metric}
            for metric, comparison in self.items()
            for record in comparison.records()
        ]


def _plain(differences: Mapping[str, Mapping[str, Difference]]) -> dict[str, dict[str, Any]]:
    plain: dict[str, dict[str, Any]] = {}
    for name, scores in differences.items():
        plain[name] = {}
        for score, difference in scores.items():
            plain[name][score] = difference.value
            for field in _PLAIN:
                plain[name][f"{score}_{field}"] = getattr(difference, field)
    return plain


def between(tests: Tests, system: str, other: str) -> Mapping[str, Difference]:
    """Return the tests of a pair of systems, in whichever order they have been made."""
    if (system, other) in tests:
        return tests[system, other]
    return {name: test.reversed for name, test in tests.get((other, system), {}).items()}
