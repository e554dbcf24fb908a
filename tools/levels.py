"""Simulate how often tests err, differences are found and intervals hold, for docs/tests.md.

    python tools/levels.py            writes the tables (ten minutes)
    python tools/levels.py --check    1 if they differ

``levels.csv`` has a row for each row of the tables. Made-up studies are drawn from seeds. A level
is the share of studies without a difference in which a test at 5 % finds one, coverage the share in
which a 95 % interval has the true value.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np
import pages
import pyarrow as pa
from pages import table

import textsimp
from textsimp.core import sample
from textsimp.core.comparisons import Comparison
from textsimp.core.intervals import percentiles
from textsimp.core.sample import Sample, means_of, reduce_means
from textsimp.core.significance import Difference, adjust
from textsimp.documents import odds_ratio
from textsimp.extensions.people import correlate
from textsimp.extensions.people.judgements import analysis, pairs, resampling
from textsimp.scoring.verdict import find_failures
from textsimp.splits import divergence, random_split

Rng = np.random.Generator
Study = Callable[[Rng, int], Any]
"""A generator and a seed → whether a made-up study finds a difference."""
SAMPLING: dict[str, Any] = {"confidence": 0.95, "resamples": 400}
SEED = 63
ROWS = pages.PROJECT / "tools" / "levels.csv"


def share(found: Sequence[Any]) -> str:
    """A share of studies, with its standard error."""
    mean = float(np.mean(found))
    return f"{mean:.3f} ± {(mean * (1 - mean) / len(found)) ** 0.5:.3f}"


def simulate(tries: int, study: Study) -> list[Any]:
    """Return the results of studies, which have a generator and a seed each."""
    return [study(np.random.default_rng([SEED, seed]), seed) for seed in range(tries)]


def differ(rng: Rng, seed: int, n: int, effect: float = 0.0) -> Difference:
    """Two systems on n examples."""
    ease = rng.normal(size=n)
    before, after = ease + rng.normal(size=(2, n)) + [[0], [effect]]
    samples = {0: means_of({"mean": before}), 1: means_of({"mean": after})}
    return sample.compare(samples, **SAMPLING, seed=seed)[0, 1]["mean"]


def compare_systems(
    rng: Rng, seed: int, systems: int, effect: float = 0.0, **options: Any
) -> Comparison:
    """Systems on 40 examples, of which the first is better."""
    scores = rng.normal(size=40) + rng.normal(size=(systems, 40))
    scores[0] += effect
    columns = {f"s{i}": {"score": own} for i, own in enumerate(scores)}
    metric = textsimp.ColumnMeans(names="score")
    return textsimp.compare(columns, metric=metric, resamples=400, seed=seed, **options)["column"]


def best_differs(rng: Rng, seed: int, systems: int, effect: float = 0.0) -> bool:
    """Whether the observed best differs from any other system; with an effect, from each."""
    found = compare_systems(rng, seed, systems, effect)
    top, *others = found.ranked
    differ = [found.differ(top, other) for other in others]
    return all(differ) and top == "s0" if effect else any(differ)


def baselines_differ(rng: Rng, seed: int, effect: float = 0.0) -> bool:
    """Whether any of six systems differs from any of three baselines among them."""
    found = compare_systems(rng, seed, 6, effect, baseline=["s3", "s4", "s5"])
    tests = [own["score"] for each in found.from_each.values() for own in each.values()]
    return any(test.is_significant(0.95) for test in tests)


def gate_fails(rng: Rng, seed: int, drop: float) -> bool:
    """Whether a gate that allows a drop of half a standard deviation fails."""
    found = compare_systems(rng, seed, 2, drop, baseline="s0")
    return bool(find_failures(found, "worse", 0.5))


def runs_differ(rng: Rng, seed: int, runs: int, effect: float = 0.0, number: int = 2) -> bool:
    """Whether the best of systems of so many runs differs from another; runs vary by 0.1."""
    ease, systems = rng.normal(size=100), {}
    for name in range(number):
        own = ease + rng.normal(size=100) + (effect if name == 1 else 0.0)
        levels = 0.1 * rng.normal(size=(runs, 1))
        scores = own + levels + 0.5 * rng.normal(size=(runs, 100))
        systems[f"s{name}"] = [{"score": one} for one in scores]
    metric = textsimp.ColumnMeans(names="score")
    found = textsimp.compare(systems, metric=metric, resamples=400, seed=seed)["column"]
    best, *others = found.ranked
    return any(found.differ(best, other) for other in others)


def systems_differ(rng: Rng, seed: int, n: int, effect: float = 0.0) -> bool:
    """Whether two systems differ."""
    return differ(rng, seed, n, effect).permutation_p <= 0.05


def metrics_of(rng: Rng, systems: int, items: int, metrics: int) -> dict[str, Any]:
    """Ratings, and metrics that are equally good: each errs on systems, items and outputs."""
    quality = rng.normal(size=systems) + 0.7 * rng.normal(size=(items, 1))
    quality = quality + 0.7 * rng.normal(size=(items, systems))
    errors = [
        0.7 * rng.normal(size=systems) + 0.5 * rng.normal(size=(items, 1)) for _ in range(metrics)
    ]
    scores = [quality + error + rng.normal(size=quality.shape) for error in errors]
    return {
        "scores": {str(i): one.ravel() for i, one in enumerate(scores)},
        "ratings": (quality + rng.normal(size=quality.shape)).ravel(),
        "items": np.repeat(np.arange(items), systems).tolist(),
        "systems": [*range(systems)] * items,
    }


def judged_of(rng: Rng, systems: int, items: int, metrics: int) -> resampling.Judged:
    """The same without what `correlate` does with it."""
    made = metrics_of(rng, systems, items, metrics)
    scores = np.array([*made["scores"].values()])
    return resampling.judge(scores, made["ratings"], made["items"], made["systems"])


def metrics_by_system(rng: Rng, seed: int, systems: int) -> bool:
    """Whether any coefficient of two equally good metrics differs by system."""
    judged = replace(judged_of(rng, systems, 20, 2), by=["systems"])
    found = resampling.permute(judged, 0, 1, 200, seed)
    return min(adjusted for _, adjusted in found.values()) < 0.05


def metrics_anywhere(rng: Rng, seed: int) -> bool:
    """Whether any p-value of a table of three equally good metrics is below 5 %."""
    found = correlate(**metrics_of(rng, 8, 12, 3), baseline="0", resamples=100, seed=seed)
    levels = itertools.chain.from_iterable(metric.values() for metric in found.gaps.values())
    p_values = [gap.permutation_p_holm for own in levels for gap in own.values()]
    return min(p for p in p_values if p is not None) < 0.05


TRUE = {"systems": (1 + 0.7**2) ** -0.5, "outputs": 1.98 / (3.72 * 2.98) ** 0.5}
"""Pearson's r of the metric and the ratings of `metrics_of`, by level."""


def correlation_holds(rng: Rng, seed: int, systems: int, level: str = "systems") -> bool:
    """Whether the interval of Pearson's r, over items and systems, has the true one."""
    judged = replace(judged_of(rng, systems, 30, 1), by=[level])
    drawn = resampling.make_sample(judged).resample(resamples=200, seed=seed)
    low, high = percentiles(drawn[f"{level}.pearson"][:, 0], 0.95, systems)
    return bool(low <= TRUE[level] <= high)


def correlation_of_outputs_holds(rng: Rng, seed: int, systems: int) -> bool:
    """The same by output."""
    return correlation_holds(rng, seed, systems, "outputs")


def ratings(
    rng: Rng, seed: int, raters: int, per_output: int | None, favour: float, effect: float = 0.0
) -> Difference:
    """Two systems' ratings of 40 sources by raters, who may favour a system."""
    leniency = 0.5 * rng.normal(size=(raters, 1)) + favour * rng.normal(size=(raters, 2))
    sums = np.full((40, raters, 2, 2), np.nan)
    for item in range(40):
        ease, order = rng.normal(), rng.permutation(raters)
        for system in (0, 1):
            quality = ease + 0.5 * rng.normal() + effect * system
            first = system * (per_output or 0)
            who = order if per_output is None else order[first : first + per_output]
            noise = 0.8 * rng.normal(size=len(who))
            sums[item, who, system] = np.stack(
                [quality + leniency[who, system] + noise, np.ones(len(who))], axis=1
            )
    item, rater = (codes.ravel() for codes in np.indices((40, raters)))
    rows = sums.reshape(-1, 2, 2)
    rated = ~np.isnan(rows[:, :, 0]).all(axis=1)
    rows, units = rows[rated], {"item": item[rated], "rater": rater[rated]}
    reduce = partial(reduce_means, ["mean"])
    samples = {i: Sample(rows[:, i], reduce, units) for i in (0, 1)}
    found = sample.compare(samples, **SAMPLING, seed=seed)[0, 1]["mean"]
    found = analysis.pair_up(rows, **units).generalise(found, 0.95)
    return adjust({0: {"mean": found}})[0]["mean"]


def raters_differ(rng: Rng, seed: int, raters: int, per_output: int | None, **options: Any) -> bool:
    """Whether raters rate two systems differently."""
    return ratings(rng, seed, raters, per_output, **options).is_significant(0.95)


def words_differ(rng: Rng, seed: int) -> bool:
    """Whether a word that few of 60 documents repeat differs between equal sides."""
    sides = []
    for _ in range(2):
        shares = np.where(rng.random(60) < 0.1, 0.3 * rng.random(60), 0)
        said = [np.where(rng.random(100) < one, "word", "the") for one in shares]
        sides.append([" ".join(one) for one in said])
    return bool(odds_ratio(*sides, words="word", resamples=200, seed=seed)["p_value"] < 0.05)


def pairs_of_sources(rng: Rng, seed: int) -> pairs.Preference:
    """Five pairs of each of 20 sources, of which half are rather higher, and half lower."""
    items = np.repeat(np.arange(20), 5)
    chance = np.where(rng.random(20) < 0.5, 0.8, 0.2)[items]
    return pairs._count(np.where(rng.random(100) < chance, 1.0, -1.0), items, 0.95, 400, seed)


def pairs_differ(rng: Rng, seed: int) -> bool:
    """Whether one side of pairs is preferred."""
    return pairs_of_sources(rng, seed).p < 0.05


def splits_differ(rng: Rng, seed: int) -> bool:
    """Whether a random split that keeps ten rows of each source together differs."""
    values = np.repeat(rng.normal(size=40), 10)
    rows = pa.table({"x": values, "source": np.repeat([f"{i}" for i in range(40)], 10)})
    data = random_split({"a": rows[:200], "b": rows[200:]}, seed, together="source")
    (found,) = divergence(data, "x", permutations=99, seed=seed)["pairs"]
    return bool(found["p_value"] <= 0.05)


def mean_holds(sample: Any, true: float, seed: int) -> bool:
    """Whether the interval of a mean has the true one."""
    drawn = means_of({"mean": sample}, {"mean": 1.0})
    low, high = drawn.interval(confidence=0.95, resamples=1000, seed=seed)["mean"]
    return bool(low <= true <= high)


def normal_mean_holds(rng: Rng, seed: int, n: int) -> bool:
    """Whether the interval of normal numbers' mean has the true one."""
    return mean_holds(rng.normal(size=n), 0.0, seed)


def log_normal_mean_holds(rng: Rng, seed: int, n: int) -> bool:
    """The same of log-normal numbers."""
    return mean_holds(rng.lognormal(size=n), np.exp(0.5), seed)


def share_holds(rng: Rng, seed: int, p: float, n: int) -> bool:
    """The same of a share."""
    return mean_holds(rng.random(n) < p, p, seed)


def holds(found: Difference | pairs.Preference, true: float = 0.0) -> bool:
    """Whether an interval has the true value."""
    low, high = found.interval
    return bool(low <= true <= high)


def difference_holds(rng: Rng, seed: int, n: int) -> bool:
    """Whether the interval of the difference of two equal systems has 0."""
    return holds(differ(rng, seed, n))


def rating_difference_holds(rng: Rng, seed: int, raters: int, per_output: int | None) -> bool:
    """Whether the interval of the difference of mean ratings has 0."""
    return holds(ratings(rng, seed, raters, per_output, favour=0.2))


def preference_holds(rng: Rng, seed: int) -> bool:
    """Whether the interval of a share of pairs has one half."""
    return holds(pairs_of_sources(rng, seed), 0.5)


@dataclass(frozen=True)
class Row:
    """A row of ``levels.csv``: cells, and studies that fill the others.

    The second study has a difference; without one it is None.
    """

    cells: Sequence[str]
    study: Study
    better: Study | None
    tries: Sequence[int]

    def fill(self) -> list[str]:
        """Return the cells and the shares of studies."""
        filled = [*self.cells, share(simulate(self.tries[0], self.study))]
        return [*filled, share(simulate(self.tries[1], self.better))] if self.better else filled


def read_rows(table: str) -> list[Row]:
    """The rows of ``tests`` or ``intervals``; options are arguments of the study's function."""
    rows = []
    for row in pages.read_csv(ROWS):
        if row["table"] == table:
            cells = [row[name] for name in ("question", "test", "family", "setting") if row[name]]
            options, difference = parse(row["options"]), parse(row["difference"])
            study = partial(globals()[row["study"]], **options)
            better = partial(study, **difference) if difference else None
            tries = [int(row[name] or 0) for name in ("studies", "studies_with_difference")]
            rows.append(Row(cells, study, better, tries))
    return rows


def parse(options: str) -> dict[str, Any]:
    """Name → value, of "n=10 effect=0.5"."""
    pairs = (option.split("=") for option in options.split())
    return {name: json.loads(value) for name, value in pairs}


def group(rows: Sequence[Sequence[str]], leading: int) -> list[list[str]]:
    """Return rows whose leading cells are empty where they repeat those of the row above."""
    grouped, above = [], None
    for row in rows:
        same = list(row[:leading]) == above
        grouped.append([""] * leading * same + list(row[leading * same :]))
        above = list(row[:leading])
    return grouped


def main(arguments: Sequence[str] | None = None) -> int:
    """Write tables, or with ``--check`` compare them: 1 if some differ."""
    options = pages.parser(__doc__).parse_args(arguments)
    head = ["question", "test", "family", "simulated setting", "level", "power"]
    of_tests = [[*row.fill(), ""][: len(head)] for row in read_rows("tests")]
    of_intervals = [row.fill() for row in read_rows("intervals")]
    tables = {
        "tests": table(head, group(of_tests, 3)),
        "intervals": table(
            ["interval of", "simulated setting", "coverage"], group(of_intervals, 1)
        ),
    }
    return pages.write("levels", tables, check=options.check)


if __name__ == "__main__":
    raise SystemExit(main())
