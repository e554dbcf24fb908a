"""Runs of a shared task: the official table, and the tables of what it hides."""

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, combinations
from typing import Any

import numpy as np

from textsimp.core import sample, significance, tables
from textsimp.core.significance import Difference
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.corpora import row_ids
from textsimp.extensions.tasks.leaderboard import write_page
from textsimp.extensions.tasks.task import Run, Task

_PLACES = 4  # decimals of numbers, unless the run says others


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
        pairs: Two runs but baselines → official name → the second minus the first, likewise.
    """

    task: Task
    runs: Mapping[str, Run]
    options: Mapping[str, Any]
    confidence: float
    resamples: int
    seed: int
    baselines: Sequence[str] = ()

    @functools.cached_property
    def results(self) -> list[Result]:
        return [Result(name, run) for name, run in self.runs.items()]

    @functools.cached_property
    def intervals(self) -> dict[str, dict[str, Any]]:
        drawn: dict[str, dict[str, Any]] = {}
        for name, run in self.runs.items():
            bounds = run.sample.interval(**self._sampling) if run.sample else {}
            drawn[name] = {n: bounds[n] for n in self.estimates[name]}
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
        first, *others = self.runs
        tests = {name: self._test(first, name, len(others)) for name in others}
        return significance.adjust({name: test for name, test in tests.items() if test})

    @functools.cached_property
    def pairs(self) -> dict[tuple[str, str], dict[str, Difference]]:
        ranked = {name: run for name, run in self.runs.items() if name not in self.baselines}
        samples = {name: run.sample for name, run in ranked.items() if run.sample}
        first, *others = [tuple(run.instances) for run in ranked.values()]
        if len(samples) == len(ranked) and {first} == {first, *others} and len(first) > 1:
            return significance.adjust(sample.compare(samples, **self._sampling))  # much faster
        pairs = [*combinations(ranked, 2)]
        return significance.adjust({pair: self._test(*pair, len(pairs)) for pair in pairs})

    def _test(self, first: str, second: str, family: int) -> dict[str, Difference]:
        """Test the second run minus the first, as one of a family of tests.

        Without two common instances there is no test.
        """
        base, other = self.runs[first], self.runs[second]
        places = row_ids.join(base.instances, other.instances)
        if len(places) < 2 or not base.sample or not other.sample:
            return {}
        ours, theirs = np.array(places).T
        base_sample = base.sample.take(ours)
        return other.sample.take(theirs).minus(base_sample, **self._sampling, family=family)

    @property
    def _sampling(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("confidence", "resamples", "seed")}

    @property
    def _main(self) -> str:
        """The first number that ranks runs; "" if there is none."""
        return next(iter(self.task.ranked_by), "")

    def ranking(self) -> list[dict[str, Any]]:
        """Return the runs, the best first, each with the ranks that its tests leave it.

        Of a run with significantly better and worse ones these are the ranks between. Equal runs
        have one rank. Baselines are last and have none.
        """
        keys = {name: self._rank_key(name) for name in self.runs if name not in self.baselines}
        beaten, rows = self._beaten(), list[dict[str, Any]]()
        for name in sorted(keys, key=keys.__getitem__):
            rank = 1 + sum(key < keys[name] for key in keys.values())
            worst = len(keys) - sum(name in winners for winners in beaten.values())
            best = 1 + len(beaten[name])
            ranks = f"{best}" if best == worst else f"{best}–{worst}"
            rows.append({"rank": rank, "ranks": ranks, "run": name})
        rows += [{"rank": None, "ranks": "", "run": name} for name in self.baselines]
        return [row | dict(self.runs[row["run"]].official) for row in rows]

    def _rank_key(self, run: str) -> list[float]:
        official = self.runs[run].official
        return [
            -official[name] if higher else official[name]
            for name, higher in self.task.ranked_by.items()
        ]

    def _beaten(self) -> dict[str, list[str]]:
        """Return run → those that are significantly better, on the instances that both have."""
        beaten: dict[str, list[str]] = {name: [] for name in self.runs}
        for (first, second), tests in self.pairs.items():
            test = tests.get(self._main)
            if test and test.is_significant(self.confidence):
                better = (test.value > 0) == self.task.ranked_by[self._main]
                beaten[first if better else second].append(second if better else first)
        return beaten

    def _p(self, one: str, other: str) -> str:
        """Return the p-value of two runs by the first number that ranks; "" without a test."""
        tests = self.pairs.get((one, other)) or self.pairs.get((other, one), {})
        test = tests.get(self._main)
        return tables.p_value(test.permutation_p_holm) if test else ""

    def rankings(self) -> Mapping[str, list[dict[str, Any]]]:
        """Return title → rows of the official ranking."""
        return {} if self.task.rank is None else self.task.rank(self.runs, **self.options)

    def verdict(self) -> list[str]:
        """Return who leads and whether significantly, and which baselines no run beats."""
        if self._main:
            return [self._lead(), *self._unbeaten()]
        unranked = len(self.runs) > 1 and self.task.rank is None
        return ["The task declares no ranking, so no run leads."] if unranked else []

    def _lead(self) -> str:
        first, *others = [row["run"] for row in self.ranking() if row["rank"]]
        lead = f"by {self._title(self._main)} with {self._shown(first, self._main)}"
        if not others:
            return f"{first}, the only run, is ranked {lead}."
        tied = [name for name in others if self._rank_key(name) == self._rank_key(first)]
        if tied:
            names = ", ".join([first, *tied[:-1]])
            return f"{names} and {tied[-1]} share the first rank {lead}."
        second, p = others[0], self._p(first, others[0])
        rival = f"{second} has {self._shown(second, self._main)}"
        if not p:
            return f"{first} leads {lead}: {rival}."
        rival += f" (p {'' if p.startswith('<') else '= '}{p})"
        if first in self._beaten()[second]:
            return f"{first} leads significantly {lead}: {rival}."
        return f"{first} leads {lead}, but not significantly: {rival}."

    def _unbeaten(self) -> list[str]:
        """Return by which numbers no run beats a baseline."""
        sentences = []
        for name, higher in self.task.better.items():
            values = {run: scored.exact[name] for run, scored in self.runs.items()}
            if None in values.values():
                continue
            gains = {run: value if higher else -value for run, value in values.items()}
            best = max((run for run in gains if run not in self.baselines), key=gains.__getitem__)
            ahead = [
                f"{n} ({self._shown(n, name)})" for n in self.baselines if gains[n] >= gains[best]
            ]
            if ahead:
                sentences.append(
                    f"By {self._title(name)} no run beats {' or '.join(ahead)}: "
                    f"the best, {best}, has {self._shown(best, name)}."
                )
        return sentences

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
            name: {score: test.to_dict() for score, test in by_score.items()}
            for name, by_score in self.differences.items()
        }
        ranking = {"ranking": self.ranking()} if self._main else {}
        return {"runs": records, "differences": tests, **self.rankings(), **ranking}

    # Tables ---------------------------------------------------------------------------------------

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
        if self._main and self.pairs:
            by_title[f"p of all pairs, {self._title(self._main)}"] = self._pairs_grid()
        elif any(self.differences.values()):
            by_title[f"Minus {next(iter(self.runs))}"] = self._difference_grid()
        return by_title

    def grid(self) -> Grid:
        """The official table, with ranks if the task has them."""
        grid = official_grid(self.runs)
        if not self._main:
            return replace(grid, notes=[*self.verdict(), *grid.notes])
        numbers = {row[0]: row[1:] for row in grid.rows}
        ranking = self.ranking()
        explained = (
            f"ranks: a run shares them with those that it doesn't differ from significantly by "
            f"{self._title(self._main)} (p ≥ {1 - self.confidence:.2g}, paired permutation tests "
            "of all pairs, Holm-adjusted)"
        )
        return replace(
            grid,
            header=["", "rank", "ranks", *grid.header[1:]],
            rows=[
                [row["run"], str(row["rank"] or ""), row["ranks"], *numbers[row["run"]]]
                for row in ranking
            ],
            notes=[explained, *self._unbeaten(), *grid.notes],
            baselines=self.baselines,
        )

    def to_page(self) -> str:
        """Return the verdict and the tables as a page that stands alone: HTML without scripts."""
        official, *others = self.tables().items()
        shown = {official[0]: self._board()}
        for title, grid in others:
            if not title.startswith("Intervals"):
                shown[title] = replace(grid, header=[self._title(str(x)) for x in grid.header])
        instances = max(run.coverage.gold for run in self.runs.values())
        sizes = f"Runs: {len(self.runs) - len(self.baselines):,}; instances: {instances:,}"
        return write_page(self.task, sizes, self.verdict(), shown)

    def _board(self) -> Grid:
        """The official table, with the ranks, and intervals below the numbers."""
        names = _names(self.runs)
        ranking = {row["run"]: row for row in self.ranking()} if self._main else {}
        rows = []
        for run in ranking or self.runs:
            row = [Cell(run, kind="baseline" if run in self.baselines else "")]
            if ranking:
                rank, ranks = str(ranking[run]["rank"] or ""), ranking[run]["ranks"]
                row.append(Cell(rank, [ranks] if ranks != rank else []))
            rows.append([*row, *(self._board_cell(run, name) for name in names)])
        notes = [*self.grid().notes, *self._interval_notes()]
        header = ["run", *(["rank"] if ranking else []), *map(self._title, names)]
        return Grid(header, rows, [x for x in notes if x not in self.verdict()])

    def _board_cell(self, run: str, name: str) -> Cell:
        text, estimate = self._shown(run, name), self.estimates[run].get(name)
        if estimate is None:
            return Cell(text)
        own = self._interval_cell(run, name)
        same = abs(estimate - self.runs[run].exact[name]) < 10 ** -self._decimals(run, name)
        return Cell(text, own.small if same else [str(own)])

    def _interval_grid(self) -> Grid:
        names = _names(self.runs, self.estimates)
        rows = [
            [run, *(self._interval_cell(run, name) if name in own else "" for name in names)]
            for run, own in self.estimates.items()
        ]
        return Grid(["", *names], rows, self._interval_notes())

    def _interval_cell(self, run: str, name: str) -> Cell:
        bounds = self.intervals[run][name]
        return Cell.of(self.estimates[run][name], bounds, self._decimals(run, name))

    def _interval_notes(self) -> list[str]:
        note = (
            f"in brackets: {100 * self.confidence:g} % bootstrap intervals over instances, "
            f"{self.resamples:,} resamples, seed {self.seed}"
        )
        fewer = any(len(run.instances) > run.coverage.scored for run in self.runs.values())
        return [note, *(["of all instances of gold: missing ones count as 0"] if fewer else [])]

    def _pairs_grid(self) -> Grid:
        """The p-values of all pairs by the first number that ranks, in the order of ranks."""
        names = [row["run"] for row in self.ranking() if row["rank"]]
        return Grid(["", *names], [[one, *(self._p(one, name) for name in names)] for one in names])

    def _difference_grid(self) -> Grid:
        names = _names(self.runs, self.differences)
        header = ["", *chain.from_iterable((name, "p") for name in names)]
        rows = []
        for run, tests in self.differences.items():
            row: list[Any] = [run]
            for name in names:
                test = tests[name]
                row.append(Cell.of(test.value, None, self._decimals(run, name), sign=True))
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

    def _title(self, name: str) -> str:
        return self.task.titles.get(name, name)

    def _shown(self, run: str, name: str) -> str:
        return _cell(self.runs[run].official.get(name), self._decimals(run, name))

    def _decimals(self, run: str, name: str) -> int:
        return min(self.runs[run].decimals.get(name, _PLACES), _PLACES)


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
    missing = [f"{', '.join(affected)}: {why}" for why, affected in by_reason.items()]
    return Grid(["", *names], rows, [*notes, *missing])


def coverage_grid(runs: Mapping[str, Run]) -> Grid:
    """A row per run: how many rows the official numbers are of, and which they hide."""
    header = ["", "scored", "of gold", "missing", "extra", "repeated"]
    rows: list[list[str]] = []
    noted: dict[str, list[str]] = {}  # what of which rows → runs
    for name, run in runs.items():
        coverage = run.coverage
        sizes = map(len, (coverage.missing, coverage.extra, coverage.repeated))
        rows.append([name, *(f"{size:,}" for size in (coverage.scored, coverage.gold, *sizes))])
        for what in coverage.describe():
            noted.setdefault(what, []).append(name)
    notes = [f"{', '.join(names)}: {what}" for what, names in noted.items()]
    return Grid(header, rows, [*notes, *(["rows count from 1"] if notes else [])])


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
