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

    def ranking(self) -> list[dict[str, Any]]:
        """Return the runs, the best first, each with the ranks that its tests leave it.

        Of a run with significantly better and worse ones these are the ranks between. Equal runs
        have one rank. Baselines are last and have none.
        """
        keys = {name: self._rank_key(run) for name, run in self.runs.items()}
        ranked = sorted((n for n in self.runs if n not in self.baselines), key=keys.__getitem__)
        beaten, rows = self._beaten(), list[dict[str, Any]]()
        for name in [*ranked, *self.baselines]:
            row: dict[str, Any] = {"rank": None, "ranks": "", "run": name}
            if name in ranked:
                row["rank"] = 1 + sum(keys[other] < keys[name] for other in ranked)
                worst = len(ranked) - sum(name in winners for winners in beaten.values())
                best = 1 + len(beaten[name])
                row["ranks"] = f"{best}" if best == worst else f"{best}–{worst}"
            rows.append(row | dict(self.runs[name].official))
        return rows

    def _beaten(self) -> dict[str, list[str]]:
        """Return run → those that are significantly better, on the instances that both have."""
        beaten: dict[str, list[str]] = {name: [] for name in self.runs}
        main, higher = next(iter(self.task.ranked_by.items()))
        for (first, second), test in self.pairs.items():
            if main in test and test[main].is_significant(self.confidence):
                better = (test[main].value > 0) == higher
                beaten[first if better else second].append(second if better else first)
        return beaten

    def _rank_key(self, run: Run) -> list[float]:
        return [
            run.official[name] * (-1 if higher else 1)
            for name, higher in self.task.ranked_by.items()
        ]

    @property
    def _sampling(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("confidence", "resamples", "seed")}

    def grid(self) -> Grid:
        """The official table, with ranks if the task has them."""
        if self.task.ranked_by:
            return self._ranking_grid()
        grid = official_grid(self.runs)
        return replace(grid, notes=[*self.verdict(), *grid.notes])

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
        if self.task.ranked_by and self.pairs:
            by_title[f"p of all pairs, {self._title(next(iter(self.task.ranked_by)))}"] = (
                self._pairs_grid()
            )
        elif any(self.differences.values()):
            by_title[f"Minus {next(iter(self.runs))}"] = self._difference_grid()
        return by_title

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
            name: {score: test.to_dict() for score, test in by_score.items()}
            for name, by_score in self.differences.items()
        }
        ranking = {"ranking": self.ranking()} if self.task.ranked_by else {}
        return {"runs": records, "differences": tests, **self.rankings(), **ranking}

    def _ranking_grid(self) -> Grid:
        rows = self.ranking()
        grid = official_grid(self.runs)
        official = {row[0]: row for row in grid.rows}
        cells = [
            [row["run"], str(row["rank"] or ""), row["ranks"], *official[row["run"]][1:]]
            for row in rows
        ]
        return replace(
            grid,
            header=["", "rank", "ranks", *grid.header[1:]],
            rows=cells,
            notes=[self._explain_ranks(), *self._unbeaten(), *grid.notes],
            baselines=self.baselines,
        )

    def _explain_ranks(self) -> str:
        main = self._title(next(iter(self.task.ranked_by)))
        return (
            f"ranks: a run shares them with those that it doesn't differ from significantly by "
            f"{main} (p ≥ {1 - self.confidence:.2g}, paired permutation tests of all pairs, "
            "Holm-adjusted)"
        )

    def _title(self, name: str) -> str:
        return self.task.titles.get(name, name)

    def verdict(self) -> list[str]:
        """Return who leads and whether significantly, and which baselines no run beats."""
        if not self.task.ranked_by:
            unranked = len(self.runs) > 1 and self.task.rank is None
            return ["The task declares no ranking, so no run leads."] if unranked else []
        first, *others = [row["run"] for row in self.ranking() if row["rank"]]
        main = next(iter(self.task.ranked_by))
        lead = f"by {self._title(main)} with {self._shown(first, main)}"
        if not others:
            return [f"{first}, the only run, is ranked {lead}.", *self._unbeaten()]
        keys = {name: self._rank_key(self.runs[name]) for name in (first, *others)}
        tied = [name for name in others if keys[name] == keys[first]]
        if tied:
            names = ", ".join([first, *tied[:-1]])
            return [f"{names} and {tied[-1]} share the first rank {lead}.", *self._unbeaten()]
        pairs = {frozenset(pair): tests for pair, tests in self.pairs.items()}
        test = pairs.get(frozenset((first, others[0])), {}).get(main)
        second = f"{others[0]} has {self._shown(others[0], main)}"
        if not _p(test):
            return [f"{first} leads {lead}: {second}.", *self._unbeaten()]
        second += f" (p {'' if _p(test).startswith('<') else '= '}{_p(test)})"
        if first in self._beaten()[others[0]]:
            return [f"{first} leads significantly {lead}: {second}.", *self._unbeaten()]
        return [f"{first} leads {lead}, but not significantly: {second}.", *self._unbeaten()]

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

    def _board(self) -> Grid:
        """The official table, with the ranks, and intervals below the numbers."""
        names, grid = _names(self.runs), self.grid()
        ranking = {row["run"]: row for row in self.ranking()} if self.task.ranked_by else {}
        rows = []
        for run in ranking or self.runs:
            kind = "baseline" if run in self.baselines else ""
            row = [Cell(run, kind=kind)]
            if ranking:
                rank, ranks = str(ranking[run]["rank"] or ""), ranking[run]["ranks"]
                row.append(Cell(rank, [ranks] if ranks != rank else []))
            rows.append([*row, *(self._board_cell(run, name) for name in names)])
        notes = [*grid.notes, *self._interval_notes()]
        header = ["run", *(["rank"] if ranking else []), *map(self._title, names)]
        return Grid(header, rows, [x for x in notes if x not in self.verdict()])

    def _board_cell(self, run: str, name: str) -> Cell:
        text, estimate = self._shown(run, name), self.estimates[run].get(name)
        if estimate is None:
            return Cell(text)
        decimals = min(self.runs[run].decimals.get(name, _PLACES), _PLACES)
        own = Cell.of(estimate, self.intervals[run][name], decimals)
        same = abs(estimate - self.runs[run].exact[name]) < 10**-decimals
        return Cell(text, own.small if same else [str(own)])

    def _shown(self, run: str, name: str) -> str:
        decimals = min(self.runs[run].decimals.get(name, _PLACES), _PLACES)
        return _cell(self.runs[run].official.get(name), decimals)

    def _pairs_grid(self) -> Grid:
        """The p-values of all pairs by the first number that ranks, in the order of ranks."""
        main = next(iter(self.task.ranked_by))
        names = [row["run"] for row in self.ranking() if row["rank"]]
        tests = {frozenset(pair): test[main] for pair, test in self.pairs.items() if main in test}
        rows = [
            [row_name, *(_p(tests.get(frozenset((row_name, name)))) for name in names)]
            for row_name in names
        ]
        return Grid(["", *names], rows)

    def _interval_grid(self) -> Grid:
        names = _names(self.runs, self.estimates)
        rows = []
        for run, values in self.estimates.items():
            decimals_of, bounds = self.runs[run].decimals, self.intervals[run]
            decimals = {name: min(decimals_of.get(name, _PLACES), _PLACES) for name in values}
            cells = {n: tables.Cell.of(values[n], bounds[n], decimals[n]) for n in values}
            rows.append([run, *(cells.get(name, "") for name in names)])
        return Grid(["", *names], rows, self._interval_notes())

    def _interval_notes(self) -> list[str]:
        note = (
            f"in brackets: {100 * self.confidence:g} % bootstrap intervals over instances, "
            f"{self.resamples:,} resamples, seed {self.seed}"
        )
        fewer = any(len(run.instances) > run.coverage.scored for run in self.runs.values())
        return [note, *(["of all instances of gold: missing ones count as 0"] if fewer else [])]

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


def _p(test: Difference | None) -> str:
    return tables.p_value(test.permutation_p_holm) if test else ""


def _cell(value: Any, decimals: int) -> str:
    if value is None:
        return "-"
    return f"{value:.{decimals}f}" if isinstance(value, float) else str(value)
