"""The result of an analysis of ratings: fields, tables, plain data."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

from textsimp.core import tables
from textsimp.core.comparisons import SIGNIFICANT
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.extensions.people.judgements.raters import CriterionAgreement, Rater

INTERVALS = (
    "Intervals are over sources and raters; p-values are of these raters, and permute sources: p "
    "may be small although an interval contains 0."
)
"""The note under tables of ratings."""
_TESTED = ("permutation_p", "permutation_p_holm", "common")


class Analysis(Tabular, dict[str, Any]):
    """The analysis of ratings.

    The results are fields. The object is also a dict with the keys of `to_dict`.

    Attributes:
        systems: System → criterion → mean rating, or Bradley–Terry strength, with interval.
        differences: (system, another) → criterion → `Difference`; none for comparisons.
        agreement: Criterion → `CriterionAgreement`.
        raters: Name → `Rater`.
        counts: How many ``ratings``, ``controls``, ``items``, ``systems`` and ``raters``.
        signature: Scheme and options.
        confidence: Coverage of the intervals.
        notes: Remarks.
        compares: Whether raters compared outputs.
    """

    systems: Mapping[str, Mapping[str, Value]]
    differences: Mapping[tuple[str, str], Mapping[str, Difference]]
    agreement: Mapping[str, CriterionAgreement]
    raters: Mapping[str, Rater]
    counts: Mapping[str, int]
    signature: str
    confidence: float
    notes: Sequence[str]
    compares: bool

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        super().__init__(self.to_dict())

    def heading(self) -> str:
        """Return a line on what was analysed."""
        counts = {name.rstrip("s") if n == 1 else name: n for name, n in self.counts.items() if n}
        return ", ".join(f"{n:,} {name}" for name, n in counts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        systems: dict[str, dict[str, Any]] = {name: {} for name in self.systems}
        for system, means in self.systems.items():
            for name, value in means.items():
                systems[system] |= {name: value.value, f"{name}_interval": value.interval}
        return {
            "counts": dict(self.counts),
            "systems": systems,
            "differences": self._difference_records(),
            "agreement": {name: asdict(entry) for name, entry in self.agreement.items()},
            "raters": {name: asdict(entry) for name, entry in self.raters.items()},
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def records(self) -> list[dict[str, Any]]:
        """Return a row per number, for CSV."""
        rows = []
        for system, means in self.systems.items():
            what = "strength" if self.compares else "mean"
            rows += [_record(what, name, v.value, v.interval, system) for name, v in means.items()]
        rows += self._difference_records()
        for name, entry in self.agreement.items():
            raters, repeated = entry.raters, entry.repeated
            rows.append(_record("alpha", name, raters.alpha, raters.interval))
            rows.append(_record("correlation", name, entry.correlation, None))
            rows.append(_record("alpha, repeated", name, repeated.alpha, repeated.interval))
            rows.append(_record("reliability", name, entry.reliability, None))
        return rows

    def _difference_records(self) -> list[dict[str, Any]]:
        rows = []
        for pair, tests in self.differences.items():
            for name, test in tests.items():
                row = _record("difference", name, test.value, _bounds(test), *pair)
                tested = (test.permutation_p, test.permutation_p_holm, test.units)
                rows.append(row | dict(zip(_TESTED, tested, strict=True)))
        return rows

    def grid(self) -> Grid:
        """Return a row per system and a column per criterion, of ratings as they are."""
        return self._systems([*self.notes, self.signature])

    def _systems(self, notes: Sequence[str] = ()) -> Grid:
        rows: list[list[Any]] = [[system] for system in self.systems]
        for name in self.agreement:
            values = [means[name] for means in self.systems.values()]
            decimals = tables.count_decimals(value.value for value in values)
            for row, value in zip(rows, values, strict=True):
                row.append(Cell.of(value.value, value.interval, decimals))
        return Grid(["", *self.agreement], rows, [INTERVALS, *notes])

    def tables(self) -> dict[str, Grid]:
        """Return title → table, of all that was measured."""
        percent = f"{100 * self.confidence:g} % intervals over sources and raters"
        what = "Bradley–Terry strengths" if self.compares else "mean ratings"
        parts = {f"Systems: {what}, {percent}": self._systems()}
        if self.differences:
            parts["Differences of mean ratings"] = self._difference_grid()
        parts["Agreement of raters"] = agreement_grid(self.agreement)
        parts["Raters"] = rater_grid(self.raters)
        last = next(reversed(parts.values()))
        last.notes.extend([*self.notes, self.signature])
        return parts

    def _difference_grid(self) -> Grid:
        rows = []
        for name in self.agreement:
            tests = {pair: gaps[name] for pair, gaps in self.differences.items() if name in gaps}
            decimals = tables.count_decimals(test.value for test in tests.values())
            for pair, test in tests.items():
                mark = SIGNIFICANT if test.is_significant(self.confidence) else " "
                rows.append(
                    [
                        name,
                        " - ".join(pair),
                        Cell.of(test.value, _bounds(test), decimals, sign=True),
                        tables.p_value(test.permutation_p),
                        tables.p_value(test.permutation_p_holm) + mark,
                        f"{test.units:,}",
                    ]
                )
        level = f"{1 - self.confidence:.2g}"
        note = (
            f"{SIGNIFICANT} Holm's p < {level} for these raters, and an interval over items and "
            "raters, adjusted likewise, without 0"
        )
        header = ["", "", "difference", "p", "Holm", "sources"]
        return Grid(header, rows, [note], named=2)


def agreement_grid(agreement: Mapping[str, CriterionAgreement]) -> Grid:
    """Return a row per criterion."""
    rows = [
        [
            name,
            entry.raters.level,
            Cell.of(entry.raters.alpha, entry.raters.interval, 2),
            f"{entry.raters.outputs:,}",
            Cell.of(entry.reliability, None, 2),
            Cell.of(entry.correlation, None, 2),
            Cell.of(entry.repeated.alpha, entry.repeated.interval, 2),
        ]
        for name, entry in agreement.items()
    ]
    header = ["", "level", "alpha", "outputs", "reliability", "r with the others"]
    return Grid([*header, "alpha, repeated"], rows, named=2)


def rater_grid(raters: Mapping[str, Rater]) -> Grid:
    """Return a row per rater."""
    rows = [
        [
            name,
            f"{rater.ratings:,}",
            Cell.of(rater.correlation, None, 2),
            f"{rater.passed} of {rater.controls}" if rater.controls else "–",
            f"{rater.same:,}",
            Cell.of(rater.seconds, None, 0),
        ]
        for name, rater in raters.items()
    ]
    header = ["", "ratings", "r with the others", "controls passed", "same answer"]
    return Grid([*header, "median seconds"], rows)


def _bounds(test: Difference) -> list[float] | None:
    return None if isnan(test.interval[0]) else test.interval


def _record(
    what: str, criterion: str, value: Any, interval: Any, system: str = "", other: str = ""
) -> dict[str, Any]:
    """Return a row of the CSV, in which tests are empty."""
    low, high = interval or (None, None)
    row: dict[str, Any] = {"what": what, "criterion": criterion, "system": system, "other": other}
    row |= {"value": value, "low": low, "high": high}
    return row | dict.fromkeys(_TESTED)
