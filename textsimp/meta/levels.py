"""Agreement at every level: by output, within an item or a system, and by system; resampled.

Deutsch, Dror & Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods", TACL 9: intervals by bootstrap over items, systems or both, and the
permutation test of both.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.extras import require
from textsimp.meta import correlations
from textsimp.metric import Floats

Over = Literal["items", "systems", "both"]
Ints = NDArray[np.int64]
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
LEAST = 3  # of what is correlated or resampled

_ENTRIES_AT_ONCE = 2**22


@dataclass(frozen=True, eq=False)
class Judged:
    """Outputs with scores of metrics and people's ratings.

    Attributes:
        scores: (metrics, n) each output's.
        ratings: (n,) each output's.
        items: (n,) ints from 0, which item an output is of.
        systems: (n,) ints from 0, whose it is.
        by: The levels that there are.
        corpus: Of each metric, a function from statistics (..., k) to scores (...), and the (n, k)
            statistics; None to take the mean of outputs' scores for a system's.
    """

    scores: Floats
    ratings: Floats
    items: Ints
    systems: Ints
    by: Sequence[str]
    corpus: Sequence[tuple[Callable[[Floats], Floats], Floats] | None]

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of items and of systems."""
        return int(self.items.max()) + 1, int(self.systems.max()) + 1

    def groups(self, level: str) -> tuple[Ints, Ints]:
        """Of each output its group, whose outputs are compared, and its unit within it."""
        within_items = level == "within_items"
        return (self.items, self.systems) if within_items else (self.systems, self.items)


def draw(judged: Judged, over: Over, resamples: int, seed: int) -> tuple[Floats, Floats]:
    """How often bootstrap resamples hold each item and each system.

    Returns:
        (resamples, items) and (resamples, systems), or (1, ·) ones of what isn't resampled.
    """
    rng = np.random.default_rng(seed)
    counts = []
    for what, size in zip(("items", "systems"), judged.sizes, strict=True):
        if over in (what, "both"):
            drawn = rng.integers(0, size, size=(resamples, size))
            drawn += size * np.arange(resamples)[:, None]
            found = np.bincount(drawn.ravel(), minlength=resamples * size)
            counts.append(found.reshape(resamples, size).astype(np.float64))
        else:
            counts.append(np.ones((1, size)))
    return counts[0], counts[1]


def epsilons(judged: Judged) -> dict[str, list[float]]:
    """Level → the tie threshold of each metric, see `correlations.calibrated`."""
    found = {}
    for level in judged.by:
        if level != "systems":
            groups = _groups(judged, level)
            found[level] = [
                correlations.calibrated([(x[rows], judged.ratings[rows]) for rows in groups])
                for x in judged.scores
            ]
    return found


def coefficients(
    judged: Judged, of_items: Floats, of_systems: Floats, thresholds: dict[str, list[float]]
) -> tuple[Table, Table]:
    """All coefficients at all levels.

    Args:
        judged: The outputs.
        of_items: (m, items) how often each item counts, or (1, items).
        of_systems: (m, systems) how often each system counts, or (1, systems).
        thresholds: What `epsilons` returns.

    Returns:
        The coefficients, NaN where undefined; and the number of outputs, groups or systems that
        they are over.
    """
    values: Table = {}
    over: Table = {}
    metrics = len(judged.scores)
    for level in judged.by:
        if level in ("outputs", "systems"):
            size = len(judged.ratings) if level == "outputs" else judged.sizes[1]
            over[level] = dict.fromkeys(COEFFICIENTS, np.full((metrics, 1), float(size)))
        if level == "outputs":
            values[level] = _over_all(judged, of_items, of_systems, thresholds[level])
        elif level == "systems":
            found = [_by_system(judged, i, of_items, of_systems) for i in range(metrics)]
            values[level] = {name: np.stack([row[name] for row in found]) for name in COEFFICIENTS}
        else:
            weights = (of_items, of_systems)
            outer, inner = weights if level == "within_items" else weights[::-1]
            values[level], over[level] = _within(judged, level, outer, inner, thresholds[level])
    return values, over


def _within(
    judged: Judged, level: str, outer: Floats, inner: Floats, epsilons: list[float]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Coefficients within each group, averaged over the groups where they are defined.

    Correlations take groups of three rows or more; accuracies of two.

    Args:
        judged: The outputs.
        level: ``within_items`` or ``within_systems``.
        outer: (m, groups) weights of groups, or (1, groups).
        inner: (m, units) weights of what is compared within a group, or (1, units).
        epsilons: Of each metric, see `correlations.calibrated`.

    Returns:
        Coefficient → (metrics, m) averages; coefficient → how many groups these are over.
    """
    shape = (len(judged.scores), max(len(outer), len(inner)))
    sums, counts = ({name: np.zeros(shape) for name in COEFFICIENTS} for _ in range(2))
    group_of, unit_of = judged.groups(level)
    for rows in _groups(judged, level):
        x, y, weights = judged.scores[:, rows], judged.ratings[rows], inner[:, unit_of[rows]]
        found = {}
        if len(rows) >= LEAST:
            found = {name: f(x, y, weights) for name, f in correlations.OF_OUTPUTS.items()}
            found["kendall"] = correlations.kendall(x, y, weights)
        if len(rows) > 1:
            found["accuracy"] = correlations.calibrated_accuracy(x, y, weights, epsilons)
        for name, values in found.items():
            defined = np.isfinite(values)
            weight = outer[:, group_of[rows[0]]] * defined
            sums[name] += weight * np.where(defined, values, 0)
            counts[name] += weight
    with np.errstate(invalid="ignore"):
        return {name: sums[name] / counts[name] for name in COEFFICIENTS}, counts


def system_scores(judged: Judged, metric: int, of_items: Floats) -> tuple[Floats, Floats]:
    """(m, systems) scores and mean ratings of systems; NaN where one has no output."""
    scores, ratings = (np.full((len(of_items), judged.sizes[1]), np.nan) for _ in range(2))
    corpus = judged.corpus[metric]
    for system in range(judged.sizes[1]):
        rows = np.flatnonzero(judged.systems == system)
        weights = of_items[:, judged.items[rows]]
        total = weights.sum(axis=1)
        given = total > 0
        weights, total = weights[given], total[given]
        ratings[given, system] = weights @ judged.ratings[rows] / total
        if corpus is None:
            scores[given, system] = weights @ judged.scores[metric, rows] / total
        elif given.any():
            reduce, statistics = corpus
            scores[given, system] = reduce(weights @ statistics[rows])
    return scores, ratings


def permutation(
    judged: Judged, first: int, second: int, resamples: int, seed: int
) -> dict[str, dict[str, float]]:
    """Two-sided p-values that two metrics agree with ratings alike: level → coefficient → p.

    Under the hypothesis it makes no difference which of two metrics gave a score, once both are
    standardised. So each output's two scores are swapped at random (PERM-BOTH); or each system's,
    where they are no means of outputs' (PERM-SYS). The observed scores count as one permutation.
    Within groups, those where a coefficient is undefined add nothing. There is none of accuracies
    by output: their thresholds belong to the metric.
    """
    every = np.ones((1, judged.sizes[0]))
    x, z = (_standard(judged.scores[metric]) for metric in (first, second))
    n = len(judged.ratings)
    corpus = judged.corpus[first] is not None or judged.corpus[second] is not None
    found: dict[str, dict[str, float]] = {}
    for level in judged.by:
        # From the same seed at each level, so that a level's p-value doesn't depend on the others.
        rng = np.random.default_rng(seed)
        if level == "systems" and corpus:
            (x_of, y), (z_of, _) = (system_scores(judged, m, every) for m in (first, second))
            x_of, z_of = _standard(x_of[0]), _standard(z_of[0])
            swapped = _swapped(x_of, z_of, _swaps(rng, resamples, len(x_of)))
            found[level] = _p_values(_by_systems_swapped(*swapped, y[0]))
        elif level == "systems":
            of = np.eye(judged.sizes[1])[judged.systems]
            of /= of.sum(axis=0)
            one, two = _swapped(x, z, _swaps(rng, resamples, n))
            found[level] = _p_values(_by_systems_swapped(one @ of, two @ of, judged.ratings @ of))
        else:
            swap = _swaps(rng, resamples, n)
            groups = _groups(judged, level)
            totals = {name: np.zeros(resamples + 1) for name in ("pearson", "spearman", "kendall")}
            for rows in groups:
                if len(rows) >= LEAST:
                    parts = _rows_swapped(x[rows], z[rows], judged.ratings[rows], swap[:, rows])
                    for name, difference in parts.items():
                        share = np.nan_to_num(difference) if len(groups) > 1 else difference
                        totals[name] += share
            found[level] = _p_values(totals)
    return found


def _over_all(
    judged: Judged, of_items: Floats, of_systems: Floats, epsilons: list[float]
) -> dict[str, Floats]:
    x, y = judged.scores, judged.ratings
    m = max(len(of_items), len(of_systems))

    def by_row(block: slice) -> Floats:
        return _some(of_items, block)[:, judged.items] * _some(of_systems, block)[:, judged.systems]

    found = {
        name: np.concatenate([f(x, y, by_row(b)) for b in _blocks(m, len(y))], axis=1)
        for name, f in correlations.OF_OUTPUTS.items()
    }
    if (of_systems == 1).all():
        weights, units = of_items, judged.items
    elif (of_items == 1).all():
        weights, units = of_systems, judged.systems
    else:
        weights, units = by_row(slice(None)), np.arange(len(y))
    found["kendall"] = correlations.kendall(x, y, weights, units)
    found["accuracy"] = correlations.calibrated_accuracy(x, y, weights, epsilons, units)
    return found


def _by_system(
    judged: Judged, metric: int, of_items: Floats, of_systems: Floats
) -> dict[str, Floats]:
    scores, ratings = system_scores(judged, metric, of_items)
    weights = np.where(np.isnan(ratings), 0, of_systems)
    scores, ratings = np.nan_to_num(scores), np.nan_to_num(ratings)
    scores, ratings, weights = np.broadcast_arrays(scores, ratings, weights)
    blocks = list(_blocks(len(weights), weights.shape[1] ** 2))
    return {
        name: np.concatenate([f(scores[b], ratings[b], weights[b]) for b in blocks])
        for name, f in correlations.OF_SYSTEMS.items()
    }


def _groups(judged: Judged, level: str) -> list[Ints]:
    """The rows of each group."""
    if level == "outputs":
        return [np.arange(len(judged.ratings))]
    groups, _ = judged.groups(level)
    order = np.argsort(groups, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(groups[order])) + 1)


def _rows_swapped(x: Floats, z: Floats, y: Floats, swap: Floats) -> dict[str, Floats]:
    """Differences of coefficients of z and x, the first without swaps."""
    rankdata = require("scipy.stats", extra="meta").rankdata
    found: dict[str, list[Floats]] = {"pearson": [], "spearman": []}
    for block in _blocks(len(swap), len(y)):
        one, two = _swapped(x, z, swap[block])
        for name, of in (
            ("pearson", np.asarray),
            ("spearman", functools.partial(rankdata, axis=-1)),
        ):
            ratings = np.broadcast_to(of(y), one.shape)
            first, second = (
                correlations.pearson_of_systems(of(part), ratings, np.ones(one.shape))
                for part in (one, two)
            )
            found[name].append(second - first)
    first, second = correlations.swapped_kendall(x, z, y, swap)
    return {name: np.concatenate(part) for name, part in found.items()} | {
        "kendall": second - first
    }


def _by_systems_swapped(x: Floats, z: Floats, y: Floats) -> dict[str, Floats]:
    """The same of systems' scores (m, systems) after swaps."""
    y, every = np.broadcast_to(y, x.shape), np.ones(x.shape)
    blocks = list(_blocks(len(x), x.shape[1] ** 2))
    return {
        name: np.concatenate([f(z[b], y[b], every[b]) - f(x[b], y[b], every[b]) for b in blocks])
        for name, f in correlations.OF_SYSTEMS.items()
    }


def _swapped(x: Floats, z: Floats, swap: Floats) -> tuple[Floats, Floats]:
    return np.where(swap > 0, z, x), np.where(swap > 0, x, z)


def _swaps(rng: np.random.Generator, resamples: int, n: int) -> Floats:
    """(1 + resamples, n) random 0 and 1, the first row all 0."""
    return np.concatenate([np.zeros((1, n)), (rng.random((resamples, n)) < 0.5).astype(float)])


def _p_values(differences: dict[str, Floats]) -> dict[str, float]:
    """How often differences are as large as the first, which counts; none if it is undefined."""
    found = {}
    for name, values in differences.items():
        values = values[np.isfinite(values)] if np.isfinite(values[0]) else values[:0]
        if len(values) > 1:
            # Equal ones may differ by rounding in the order of their sums.
            found[name] = float(np.mean(np.abs(values) >= abs(values[0]) - 1e-9))
    return found


def _standard(scores: Floats) -> Floats:
    standard: Floats = (scores - scores.mean()) / (scores.std() or 1.0)
    return standard


def _some(weights: Floats, block: slice) -> Floats:
    return weights if len(weights) == 1 else weights[block]


def _blocks(m: int, entries: int) -> Iterator[slice]:
    """Resamples in slices of at most some four million entries."""
    at_once = max(1, _ENTRIES_AT_ONCE // max(1, entries))
    for start in range(0, m, at_once):
        yield slice(start, min(m, start + at_once))
