"""Runs of a shared task: the official table, and the tables of what it hides."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from textsimp.core import significance, tables
from textsimp.core.significance import Difference
from textsimp.core.tables import Grid, Tabular
from textsimp.tasks.task import Run, Task

_PLACES = 4  # decimals of numbers, unless the run says others
_ROWS = 20  # of a list of rows in print


class Result(Tabular, dict[str, Any]):
    """The numbers of one run: official name → number, and ``exact`` → the same as full floats.

    Attributes:
        name: The run's name.
        run: The scored run, with statistics.
        coverage: How its rows meet gold's.
        missing: Official name → why its number is None, and what to do.
    """

    def __init__(self, name: str, run: Run) -> None:
        self.name = name
        self.run = run
        self.coverage = run.coverage
        self.missing = run.missing
        super().__init__({**run.official, "exact": dict(run.exact)})

    def grid(self) -> Grid:
        """A row with the official numbers."""
        return official_grid({self.name: self.run})


@dataclass(eq=False, repr=False)
class Results(Tabular):
    """Runs of one task.

    Attributes:
        task: The task.
        results: The numbers of each run.
        estimates: Run → official name → the number of the rows that its interval is of, if any.
        intervals: Run → official name → [low, high] of a bootstrap over these rows.
        differences: Run other than the first → official name → its difference from the first run,
            with paired tests, on the instances that both have.
    """

    task: Task
    runs: Mapping[str, Run]
    options: Mapping[str, Any]
    confidence: float
    resamples: int
    seed: int

    @functools.cached_property
    def results(self) -> list[Result]:
        return [Result(name, run) for name, run in self.runs.items()]

    @functools.cached_property
    def intervals(self) -> dict[str, dict[str, Any]]:
        drawn: dict[str, dict[str, Any]] = {}
        for name, run in self.runs.items():
            of_run = run.sample.interval(**self._sampling) if run.sample else {}
            drawn[name] = {n: of_run[n] for n in self.estimates[name]}
        return drawn

    @functools.cached_property
    def estimates(self) -> dict[str, dict[str, float]]:
        finite: dict[str, dict[str, float]] = {}
        for name, run in self.runs.items():
            values = run.sample.value() if run.sample else {}
            finite[name] = {n: float(value) for n, value in values.items() if np.isfinite(value)}
        return finite

    @functools.cached_property
    def differences(self) -> dict[str, dict[str, Difference]]:
        (_, first), *others = self.runs.items()
        tests = {}
        for name, run in others:
            pairs = _pair(first.instances, run.instances)
            if len(pairs) > 1 and first.sample and run.sample:
                ours, theirs = np.array(pairs).T
                before, after = first.sample.take(ours), run.sample.take(theirs)
                tests[name] = after.minus(before, **self._sampling)
        return significance.adjust(tests)

    @property
    def _sampling(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("confidence", "resamples", "seed")}

    def grid(self) -> Grid:
        """The official table."""
        return official_grid(self.runs)

    def tables(self) -> dict[str, Grid]:
        """Return title → table: the official one, rankings, rows, intervals and tests."""
        by_title = {f"{self.task.title}, official": self.grid()}
        # Team and run come first.
        for title, rows in self.rankings().items():
            cells = [[_cell(value, _PLACES) for value in row.values()] for row in rows]
            by_title[title] = Grid([*rows[0]], cells, named=2)
        by_title["Rows"] = coverage_grid(self.runs)
        if any(self.intervals.values()):
            by_title[f"Intervals, {100 * self.confidence:g} %"] = self._interval_grid()
        if any(self.differences.values()):
            by_title[f"Minus {next(iter(self.runs))}"] = self._difference_grid()
        return by_title

    def rankings(self) -> Mapping[str, list[dict[str, Any]]]:
        """Return title → rows of the official ranking."""
        return {} if self.task.rank is None else self.task.rank(self.runs, **self.options)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data: of one run its official names, ``exact`` and the rest; else ``runs``.

        The rest are ``missing``, ``notes``, ``coverage``, ``estimates`` and ``intervals``.
        """
        records = {
            result.name: {
                **result,
                "missing": dict(result.missing),
                "notes": list(result.run.notes),
                "coverage": vars(result.coverage),
                "estimates": self.estimates[result.name],
                "intervals": self.intervals[result.name],
            }
            for result in self.results
        }
        if len(records) == 1:
            return next(iter(records.values()))
        tests = {
            name: {score: test.to_dict() for score, test in own.items()}
            for name, own in self.differences.items()
        }
        return {"runs": records, "differences": tests, **self.rankings()}

    def _interval_grid(self) -> Grid:
        names = _names(self.runs, self.estimates)
        rows = []
        for run, values in self.estimates.items():
            decimals_of, bounds = self.runs[run].decimals, self.intervals[run]
            decimals = {name: min(decimals_of.get(name, _PLACES), _PLACES) for name in values}
            cells = {n: tables.Cell.of(values[n], bounds[n], decimals[n]) for n in values}
            rows.append([run, *(cells.get(name, "") for name in names)])
        notes = [f"bootstrap over instances, {self.resamples:,} resamples, seed {self.seed}"]
        if any(len(run.instances) > run.coverage.scored for run in self.runs.values()):
            notes.append("of all instances of gold: missing ones count as 0")
        return Grid(["", *names], rows, notes)

    def _difference_grid(self) -> Grid:
        names = _names(self.runs, self.differences)
        header = ["", *chain.from_iterable((name, "p") for name in names)]
        rows = []
        for run, tests in self.differences.items():
            row: list[Any] = [run]
            decimals_of = self.runs[run].decimals
            for name in names:
                test, decimals = tests[name], min(decimals_of.get(name, _PLACES), _PLACES)
                row.append(tables.Cell.of(test.value, None, decimals, sign=True))
                row.append(tables.p_value(test.permutation_p_holm))
            rows.append(row)
        note = (
            f"p: paired permutation test on the instances that both runs have, "
            f"{self.resamples:,} resamples, Holm-adjusted"
        )
        fewest = min(len(run.instances) for run in self.runs.values())
        caution = significance.caution(fewest, self.resamples)
        notes = [note, *filter(None, [caution])]
        return Grid(header, rows, notes, joined=[*range(2, len(header), 2)])


def _names(
    runs: Mapping[str, Run], numbers: Mapping[str, Mapping[str, Any]] | None = None
) -> list[str]:
    """Return the official names that tables show, of those in ``numbers``, if these are given."""
    names = chain.from_iterable(run.printed or run.official for run in runs.values())
    present = None if numbers is None else {*chain.from_iterable(numbers.values())}
    return [name for name in dict.fromkeys(names) if present is None or name in present]


def official_grid(runs: Mapping[str, Run]) -> Grid:
    """A row per run, with the official numbers in their official order and rounding."""
    names = _names(runs)
    rows = [
        [name, *(_cell(run.official.get(n), run.decimals.get(n, _PLACES)) for n in names)]
        for name, run in runs.items()
    ]
    reasons = {name: why for run in runs.values() for name, why in run.missing.items()}
    by_reason: dict[str, list[str]] = {}
    for name, why in reasons.items():
        by_reason.setdefault(why, []).append(name)
    notes = dict.fromkeys(note for run in runs.values() for note in run.notes)
    missing = [f"{', '.join(own)}: {why}" for why, own in by_reason.items()]
    return Grid(["", *names], rows, [*notes, *missing])


def coverage_grid(runs: Mapping[str, Run]) -> Grid:
    """A row per run: how many rows the official numbers are of, and which they hide."""
    header = ["", "scored", "of gold", "missing", "extra", "repeated", "can't be won"]
    rows: list[list[str]] = []
    noted: dict[str, list[str]] = {}  # what of which rows → runs
    for name, run in runs.items():
        one = run.coverage
        parts = {
            "gold without a prediction": one.missing,
            "instance that gold lacks": one.extra,
            "instance that has an earlier row": one.repeated,
            "gold that no answer can win": one.unwinnable,
            **one.remarks,
        }
        sizes = map(len, (one.missing, one.extra, one.repeated, one.unwinnable))
        rows.append([name, *(f"{size:,}" for size in (one.scored, one.gold, *sizes))])
        for what, which in parts.items():
            if which:
                noted.setdefault(f"{what} ({_shown(which)})", []).append(name)
    notes = [f"{', '.join(names)}: {what}" for what, names in noted.items()]
    return Grid(header, rows, [*notes, *(["rows count from 1"] if notes else [])])


def _shown(rows: Sequence[int]) -> str:
    ranges = tables.runs(rows)
    which = ", ".join([*ranges[:_ROWS], *(["…"] if len(ranges) > _ROWS else [])])
    return f"row {which}" if len(rows) == 1 else f"{len(rows):,} rows: {which}"


def _pair(ours: Sequence[Any], theirs: Sequence[Any]) -> list[tuple[int, int]]:
    """Return places of equal instances; of repeated ones the last."""
    places = {instance: i for i, instance in enumerate(theirs)}
    first = {instance: i for i, instance in enumerate(ours)}
    return [(i, places[instance]) for instance, i in first.items() if instance in places]


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
