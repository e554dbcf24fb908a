"""Agreement at every level: by output, within an item or a system, and by system; resampled.

Deutsch, Dror & Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods", TACL 9: intervals by bootstrap over items, systems or both, and the
permutation test of both.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats
from textsimp.meta import coefficients

Over = Literal["items", "systems", "both"]
Ints = NDArray[np.int64]
Corpus = tuple[Callable[[Floats], Floats], Floats]  # from statistics (..., k), and (n, k) of these
Table = dict[str, dict[str, Floats]]  # level → coefficient → (metrics, resamples)

LEVELS = {
    "outputs": "over all outputs",
    "within_items": "within an item, averaged",
    "within_systems": "within a system, averaged",
    "systems": "by system",
}
COEFFICIENTS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    "accuracy": "pairwise accuracy",
}
MAX_SYSTEMS = 1000
MIN_SIZE = 3  # of what is correlated or resampled

_ENTRIES_AT_ONCE = 2**20  # of weights, of which some ten arrays are there at once
_DRAWN_AT_ONCE = 2**26


@dataclass(frozen=True, eq=False)
class Judged:
    """Outputs with scores of metrics and people's ratings."""

    scores: Floats  # (metrics, n)
    ratings: Floats  # (n,)
    items: Ints  # (n,) from 0
    systems: Ints  # (n,) from 0
    by: Sequence[str]  # levels
    corpus: Sequence[Corpus | None]  # of metrics; None: a system's score is its outputs' mean
    names: Sequence[Any]  # of systems

    @property
    def sizes(self) -> tuple[int, int]:
        """Numbers of items and of systems."""
        return int(self.items.max()) + 1, int(self.systems.max()) + 1

    def groups(self, level: str) -> list[Ints]:
        """Return the rows of each group of a level."""
        if level == "outputs":
            return [np.arange(len(self.ratings))]
        return split_rows(self.items if level == "within_items" else self.systems)


def judge(
    scores: Floats,
    ratings: Floats,
    items: Sequence[Any] | None,
    systems: Sequence[Any] | None,
    corpus: Sequence[Corpus | None],
) -> Judged:
    """Number items and systems, which have names or numbers of any kind, or are None."""
    levels = ["outputs"]
    if items is not None:
        levels.append("within_items")
    if systems is not None:
        levels += ["within_systems", "systems"]
    return Judged(
        scores,
        ratings,
        encode(range(len(ratings)) if items is None else items),
        encode([None] * len(ratings) if systems is None else systems),
        levels,
        corpus,
        [] if systems is None else list(dict.fromkeys(systems)),
    )


def encode(ids: Iterable[Any]) -> Ints:
    """Return (n,) ints from 0, in the order in which ids first come."""
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(name, len(codes)) for name in ids])


def split_rows(codes: Ints) -> list[Ints]:
    """Return the rows of each code of `encode`."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def draw(
    sizes: tuple[int, int], over: Over, resamples: int, seed: int
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """Yield (m, items) and (m, systems): how often m resamples hold each; (1, ·) ones for all."""
    rng = np.random.default_rng(seed)
    for block in _blocks(resamples, max(sizes), _DRAWN_AT_ONCE):
        counts = []
        for what, size in zip(("items", "systems"), sizes, strict=True):
            part = np.ones((1, size), np.float32)
            if over in (what, "both"):
                rows = (rng.integers(0, size, size) for _ in range(block.start, block.stop))
                part = np.array([np.bincount(row, minlength=size) for row in rows], np.float32)
            counts.append(part)
        yield counts[0], counts[1]


def calibrate(judged: Judged) -> dict[str, list[float]]:
    """Return the tie threshold of each metric by level, see `coefficients.calibrate`."""
    thresholds = {}
    for level in judged.by:
        if level != "systems":
            groups = judged.groups(level)
            thresholds[level] = [
                coefficients.calibrate([(x[rows], judged.ratings[rows]) for rows in groups])
                for x in judged.scores
            ]
    return thresholds


def compute(
    judged: Judged, item_counts: Any, system_counts: Any, thresholds: dict[str, list[float]]
) -> tuple[Table, Table]:
    """Compute the coefficients of resamples, and of how many outputs, groups or systems."""
    values: Table = {}
    over: Table = {}
    counts = item_counts, system_counts
    n, metrics = len(judged.ratings), len(judged.scores)
    for level in judged.by:
        size = n if level == "outputs" else judged.sizes[1]
        over[level] = dict.fromkeys(COEFFICIENTS, np.full((metrics, 1), float(size)))
        if level == "outputs":
            values[level] = _by_output(judged, np.arange(n), *counts, thresholds[level])
        elif level == "systems":
            rows = [_by_system(judged, i, *counts) for i in range(metrics)]
            values[level] = {name: np.stack([row[name] for row in rows]) for name in COEFFICIENTS}
        else:
            values[level], over[level] = _within(judged, level, *counts, thresholds[level])
    return values, over


def bootstrap(
    judged: Judged, over: Over, resamples: int, seed: int, thresholds: dict[str, list[float]]
) -> Table:
    """Compute the coefficients of bootstrap resamples, see `compute`."""
    parts = [
        compute(judged, items, systems, thresholds)[0]
        for items, systems in draw(judged.sizes, over, resamples, seed)
    ]
    levels = {level: [part[level] for part in parts] for level in judged.by}
    return {
        level: {key: np.concatenate([one[key] for one in own], axis=1) for key in COEFFICIENTS}
        for level, own in levels.items()
    }


def _within(
    judged: Judged, level: str, item_counts: Any, system_counts: Any, epsilons: list[float]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Average coefficients over the groups that define them, and count these groups."""
    shape = (len(judged.scores), max(len(item_counts), len(system_counts)))
    sums, counts = ({name: np.zeros(shape) for name in COEFFICIENTS} for _ in range(2))
    if level == "within_items":
        group_counts, inner = item_counts, (np.ones((1, judged.sizes[0])), system_counts)
    else:
        group_counts, inner = system_counts, (item_counts, np.ones((1, judged.sizes[1])))
    for group, rows in enumerate(judged.groups(level)):
        if len(rows) < 2:
            continue
        for name, values in _by_output(judged, rows, *inner, epsilons).items():
            defined = np.isfinite(values)
            weight = group_counts[:, group] * defined
            sums[name] += weight * np.where(defined, values, 0)
            counts[name] += weight
    with np.errstate(invalid="ignore"):
        return {name: sums[name] / counts[name] for name in COEFFICIENTS}, counts


def system_scores(judged: Judged, metric: int, item_counts: Any) -> tuple[Floats, Floats]:
    """Return (m, systems) scores and mean ratings of systems; NaN where one has no output."""
    scores, ratings = (np.full((len(item_counts), judged.sizes[1]), np.nan) for _ in range(2))
    corpus = judged.corpus[metric]
    for system, rows in enumerate(judged.groups("within_systems")):
        for block in _blocks(len(item_counts), len(rows)):
            weights = item_counts[block].take(judged.items[rows], axis=1).astype(np.float64)
            present = np.flatnonzero(weights.any(axis=1))
            weights, at = weights[present], block.start + present
            total = weights.sum(axis=1)
            ratings[at, system] = weights @ judged.ratings[rows] / total
            if corpus is None:
                scores[at, system] = weights @ judged.scores[metric, rows] / total
            elif len(at):
                reduce, statistics = corpus
                scores[at, system] = reduce(weights @ statistics[rows])
    return scores, ratings


def permute(
    judged: Judged, first: int, second: int, resamples: int, seed: int
) -> dict[str, dict[str, float]]:
    """Test whether two metrics agree with ratings alike: level → coefficient → two-sided p-value.

    Under the hypothesis it makes no difference which of two metrics gave a score, once both are
    standardised. So each output's two scores are swapped at random (PERM-BOTH); or each system's,
    where they are no means of outputs' (PERM-SYS). The observed scores count as one permutation.
    Within groups, those where a coefficient is undefined add nothing. There is none of accuracies
    by output: their thresholds belong to the metric.
    """
    every = np.ones((1, judged.sizes[0]))
    x, z = (_standardise(judged.scores[metric]) for metric in (first, second))
    y = judged.ratings
    corpus = judged.corpus[first] is not None or judged.corpus[second] is not None
    p_values: dict[str, dict[str, float]] = {}
    for level in judged.by:
        systems: Any = None  # the system of each score that is swapped
        columns = (x, z, y)
        if level == "systems" and corpus:
            (x_of, y_of), (z_of, _) = (system_scores(judged, m, every) for m in (first, second))
            columns = (_standardise(x_of[0]), _standardise(z_of[0]), y_of[0])
            systems = np.arange(len(y_of[0]))
        elif level == "systems":
            systems = judged.systems
        parts: dict[str, list[Floats]] = {}
        # From the same seed at each level, so that a level's p-value doesn't depend on the others.
        rng = np.random.default_rng(seed)
        for block in _blocks(resamples + 1, len(columns[0]), _DRAWN_AT_ONCE):
            size = (block.stop - block.start, len(columns[0]))
            swap = rng.integers(0, 2, size, dtype=np.bool_)
            swap[: block.start == 0] = False  # the first is as observed
            if systems is None:
                differences = _swap_outputs(*columns, swap, judged.groups(level))
            else:
                differences = _swap_systems(*columns, swap, systems)
            for name, values in differences.items():
                parts.setdefault(name, []).append(values)
        p_values[level] = _p_values({name: np.concatenate(part) for name, part in parts.items()})
    return p_values


def _by_output(
    judged: Judged, rows: Any, item_counts: Any, system_counts: Any, epsilons: list[float]
) -> dict[str, Floats]:
    """Compute the coefficients of some outputs, (metrics, m) each."""
    y, items, systems = judged.ratings[rows], judged.items[rows], judged.systems[rows]
    m = max(len(item_counts), len(system_counts))
    values = {name: np.empty((len(epsilons), m)) for name in COEFFICIENTS}
    for block in _blocks(m, len(rows)):
        weights = (
            _rows_of(item_counts, block).take(items, axis=1)
            * _rows_of(system_counts, block).take(systems, axis=1)
        ).astype(np.float64)
        for metric, epsilon in enumerate(epsilons):
            x = judged.scores[metric, rows]
            for name, coefficient in coefficients.OF_OUTPUTS.items():
                values[name][metric, block] = coefficient(x, y, weights)
            accuracy = coefficients.calibrated_accuracy(x, y, weights, epsilon)
            values["accuracy"][metric, block] = accuracy
    return values


def _by_system(
    judged: Judged, metric: int, item_counts: Floats, system_counts: Floats
) -> dict[str, Floats]:
    scores, ratings = system_scores(judged, metric, item_counts)
    weights = np.where(np.isnan(ratings), 0, system_counts).astype(np.float64)
    scores, ratings = np.nan_to_num(scores), np.nan_to_num(ratings)
    scores, ratings, weights = np.broadcast_arrays(scores, ratings, weights)
    blocks = list(_blocks(len(weights), weights.shape[1] ** 2))
    return {
        name: np.concatenate([f(scores[b], ratings[b], weights[b]) for b in blocks])
        for name, f in coefficients.OF_SYSTEMS.items()
    }


def _swap_outputs(
    x: Floats, z: Floats, y: Floats, swap: NDArray[np.bool_], groups: list[Ints]
) -> dict[str, Floats]:
    """Return differences of coefficients of z and x after swaps (m, n), summed over groups."""
    sums = {name: np.zeros(len(swap)) for name in coefficients.OF_OUTPUTS}
    for rows in groups:
        if len(rows) < 2:
            continue
        scores, ratings = np.concatenate([x[rows], z[rows]]), np.tile(y[rows], 2)
        for block in _blocks(len(swap), 2 * len(rows)):
            own = swap[block][:, rows]
            weights = np.concatenate([~own, own], axis=1).astype(np.float64)
            for name, coefficient in coefficients.OF_OUTPUTS.items():
                difference = coefficient(scores, ratings, 1 - weights)
                difference -= coefficient(scores, ratings, weights)
                sums[name][block] += np.nan_to_num(difference) if len(groups) > 1 else difference
    return sums


def _swap_systems(
    x: Floats, z: Floats, y: Floats, swap: NDArray[np.bool_], systems: Ints
) -> dict[str, Floats]:
    """Return the same of systems' mean scores."""
    groups = split_rows(systems)
    means = np.empty(len(groups))
    one, two = np.empty((2, len(swap), len(groups)))
    for system, rows in enumerate(groups):
        means[system] = y[rows].mean()
        for block in _blocks(len(swap), len(rows)):
            gain = swap[block][:, rows] @ (z - x)[rows] / len(rows)
            one[block, system] = x[rows].mean() + gain
            two[block, system] = z[rows].mean() - gain
    parts: dict[str, list[Floats]] = {name: [] for name in coefficients.OF_SYSTEMS}
    for block in _blocks(len(swap), len(groups) ** 2):
        ratings, every = np.broadcast_to(means, one[block].shape), np.ones(one[block].shape)
        for name, f in coefficients.OF_SYSTEMS.items():
            parts[name].append(f(two[block], ratings, every) - f(one[block], ratings, every))
    return {name: np.concatenate(part) for name, part in parts.items()}


def _p_values(differences: dict[str, Floats]) -> dict[str, float]:
    """Return the share of differences as large as the first, which counts; none if undefined."""
    p_values = {}
    for name, values in differences.items():
        values = values[np.isfinite(values)] if np.isfinite(values[0]) else values[:0]
        if len(values) > 1:
            # Equal ones may differ by rounding in the order of their sums.
            p_values[name] = float(np.mean(np.abs(values) >= abs(values[0]) - 1e-9))
    return p_values


def _standardise(scores: Floats) -> Floats:
    standard: Floats = (scores - scores.mean()) / (scores.std() or 1.0)
    return standard


def _rows_of(weights: Any, block: slice) -> Any:
    return weights if len(weights) == 1 else weights[block]


def _blocks(m: int, entries: int, at_once: int = _ENTRIES_AT_ONCE) -> Iterator[slice]:
    """Slice resamples, so that a slice has at most so many entries, or one resample."""
    size = max(1, at_once // max(1, entries))
    for start in range(0, m, size):
        yield slice(start, min(m, start + size))
