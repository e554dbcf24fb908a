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
from textsimp.meta import correlations

Over = Literal["items", "systems", "both"]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Corpus = tuple[Callable[[Floats], Floats], Floats]
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
MOST_SYSTEMS = 1000
LEAST = 3  # of what is correlated or resampled

_ENTRIES_AT_ONCE = 2**20  # of weights, of which some ten arrays are there at once
_DRAWN_AT_ONCE = 2**26
# Comparing all pairs once pays up to so many outputs for each resample, and units.
_OUTPUTS_A_RESAMPLE = 10
_MOST_UNITS = 500


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
        names: What the user calls each system, by its int.
    """

    scores: Floats
    ratings: Floats
    items: Ints
    systems: Ints
    by: Sequence[str]
    corpus: Sequence[Corpus | None]
    names: Sequence[Any] = ()

    @property
    def sizes(self) -> tuple[int, int]:
        """The numbers of items and of systems."""
        return int(self.items.max()) + 1, int(self.systems.max()) + 1


def judged(
    scores: Floats,
    ratings: Floats,
    items: Sequence[Any] | None,
    systems: Sequence[Any] | None,
    corpus: Sequence[Corpus | None],
) -> Judged:
    """Outputs of items and systems that have names or numbers of any kind, or none."""
    by = {"outputs": True, "within_items": items is not None}
    by |= {"within_systems": systems is not None, "systems": systems is not None}
    return Judged(
        scores,
        ratings,
        codes(range(len(ratings)) if items is None else items),
        codes([None] * len(ratings) if systems is None else systems),
        [level for level, there in by.items() if there],
        corpus,
        [] if systems is None else list(dict.fromkeys(systems)),
    )


def codes(ids: Iterable[Any]) -> Ints:
    """(n,) ints from 0, in the order in which they first come."""
    found: dict[Any, int] = {}
    return np.array([found.setdefault(name, len(found)) for name in ids])


def groups_of(of: Ints) -> list[Ints]:
    """The rows of each of some `codes`."""
    order = np.argsort(of, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(of[order])) + 1)


def draws(
    judged: Judged, over: Over, resamples: int, seed: int
) -> Iterator[tuple[NDArray[np.float32], NDArray[np.float32]]]:
    """How often bootstrap resamples hold each item and each system, some resamples at a time.

    Yields:
        (m, items) and (m, systems), or (1, ·) ones of what isn't resampled.
    """
    rng = np.random.default_rng(seed)
    for block in _blocks(resamples, max(judged.sizes), _DRAWN_AT_ONCE):
        counts = []
        for what, size in zip(("items", "systems"), judged.sizes, strict=True):
            found = np.ones((1, size), np.float32)
            if over in (what, "both"):
                rows = range(block.start, block.stop)
                drawn = (rng.integers(0, size, size) for _ in rows)
                found = np.array([np.bincount(d, minlength=size) for d in drawn], np.float32)
            counts.append(found)
        yield counts[0], counts[1]


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
    judged: Judged, of_items: Any, of_systems: Any, thresholds: dict[str, list[float]]
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
            rows = np.arange(len(judged.ratings))
            values[level] = _of_outputs(judged, rows, of_items, of_systems, thresholds[level])
        elif level == "systems":
            found = [_by_system(judged, i, of_items, of_systems) for i in range(metrics)]
            values[level] = {name: np.stack([row[name] for row in found]) for name in COEFFICIENTS}
        else:
            values[level], over[level] = _within(
                judged, level, of_items, of_systems, thresholds[level]
            )
    return values, over


def resampled(
    judged: Judged, over: Over, resamples: int, seed: int, thresholds: dict[str, list[float]]
) -> Table:
    """`coefficients` of bootstrap resamples."""
    parts = [
        coefficients(judged, *drawn, thresholds)[0]
        for drawn in draws(judged, over, resamples, seed)
    ]
    return {
        level: {
            name: np.concatenate([part[level][name] for part in parts], axis=1) for name in found
        }
        for level, found in parts[0].items()
    }


def _within(
    judged: Judged, level: str, of_items: Any, of_systems: Any, epsilons: list[float]
) -> tuple[dict[str, Floats], dict[str, Floats]]:
    """Coefficients within each group, averaged over the groups where they are defined.

    Correlations take groups of three rows or more; accuracies of two. A group counts as often as
    it was drawn, and its rows as often as what is compared within it.

    Returns:
        Coefficient → (metrics, m) averages; coefficient → how many groups these are over.
    """
    shape = (len(judged.scores), max(len(of_items), len(of_systems)))
    sums, counts = ({name: np.zeros(shape) for name in COEFFICIENTS} for _ in range(2))
    of_group, inner = of_items, (np.ones((1, judged.sizes[0])), of_systems)
    if level == "within_systems":
        of_group, inner = of_systems, (of_items, np.ones((1, judged.sizes[1])))
    for group, rows in enumerate(_groups(judged, level)):
        if len(rows) < 2:
            continue
        for name, values in _of_outputs(judged, rows, *inner, epsilons).items():
            if len(rows) >= LEAST or name == "accuracy":
                defined = np.isfinite(values)
                weight = of_group[:, group] * defined
                sums[name] += weight * np.where(defined, values, 0)
                counts[name] += weight
    with np.errstate(invalid="ignore"):
        return {name: sums[name] / counts[name] for name in COEFFICIENTS}, counts


def system_scores(judged: Judged, metric: int, of_items: Any) -> tuple[Floats, Floats]:
    """(m, systems) scores and mean ratings of systems; NaN where one has no output."""
    scores, ratings = (np.full((len(of_items), judged.sizes[1]), np.nan) for _ in range(2))
    corpus = judged.corpus[metric]
    for system, rows in enumerate(_groups(judged, "within_systems")):
        for block in _blocks(len(of_items), len(rows)):
            weights = of_items[block].take(judged.items[rows], axis=1).astype(np.float64)
            given = np.flatnonzero(weights.any(axis=1))
            weights, at = weights[given], block.start + given
            total = weights.sum(axis=1)
            ratings[at, system] = weights @ judged.ratings[rows] / total
            if corpus is None:
                scores[at, system] = weights @ judged.scores[metric, rows] / total
            elif len(at):
                reduce, statistics = corpus
                scores[at, system] = reduce(weights @ statistics[rows])
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
    y = judged.ratings
    corpus = judged.corpus[first] is not None or judged.corpus[second] is not None
    found: dict[str, dict[str, float]] = {}
    for level in judged.by:
        of_system: Any = None  # whose scores are swapped, and which system's they are
        swapped = (x, z, y)
        if level == "systems" and corpus:
            (x_of, y_of), (z_of, _) = (system_scores(judged, m, every) for m in (first, second))
            swapped = (_standard(x_of[0]), _standard(z_of[0]), y_of[0])
            of_system = np.arange(len(y_of[0]))
        elif level == "systems":
            of_system = judged.systems
        parts: dict[str, list[Floats]] = {}
        # From the same seed at each level, so that a level's p-value doesn't depend on the others.
        rng = np.random.default_rng(seed)
        for block in _blocks(resamples + 1, len(swapped[0]), _DRAWN_AT_ONCE):
            size = (block.stop - block.start, len(swapped[0]))
            swap = rng.integers(0, 2, size, dtype=np.bool_)
            swap[: block.start == 0] = False  # the first is as observed
            if of_system is None:
                differences = _within_swapped(*swapped, swap, _groups(judged, level))
            else:
                differences = _systems_swapped(*swapped, swap, of_system)
            for name, values in differences.items():
                parts.setdefault(name, []).append(values)
        found[level] = _p_values({name: np.concatenate(part) for name, part in parts.items()})
    return found


def _of_outputs(
    judged: Judged, rows: Any, of_items: Any, of_systems: Any, epsilons: list[float]
) -> dict[str, Floats]:
    """Coefficients of some outputs, (metrics, m) each."""
    x, y = judged.scores[:, rows], judged.ratings[rows]
    items, systems = judged.items[rows], judged.systems[rows]
    m, pairs = max(len(of_items), len(of_systems)), []
    _, first, units = np.unique(
        systems if len(of_items) == 1 else items, return_index=True, return_inverse=True
    )
    by_units = any(len(of) == 1 and (of == 1).all() for of in (of_items, of_systems))
    if by_units and len(rows) <= m * _OUTPUTS_A_RESAMPLE and len(first) <= _MOST_UNITS:
        pairs = [
            correlations.pairs_of_units(scores, y, units, epsilon)
            for scores, epsilon in zip(x, epsilons, strict=True)
        ]
    found: dict[str, list[Floats]] = {name: [] for name in COEFFICIENTS}
    for block in _blocks(m, len(rows)):
        weights = (
            _some(of_items, block).take(items, axis=1)
            * _some(of_systems, block).take(systems, axis=1)
        ).astype(np.float64)
        found["pearson"].append(correlations.pearson(x, y, weights))
        found["spearman"].append(correlations.spearman(x, y, weights))
        if pairs:
            of_each = [correlations.of_pairs(part, weights[:, first]) for part in pairs]
            kendall, accuracy = (np.stack(part) for part in zip(*of_each, strict=True))
        else:
            kendall = correlations.kendall(x, y, weights)
            accuracy = correlations.calibrated_accuracy(x, y, weights, epsilons)
        found["kendall"].append(kendall)
        found["accuracy"].append(accuracy)
    return {name: np.concatenate(parts, axis=1) for name, parts in found.items()}


def _by_system(
    judged: Judged, metric: int, of_items: Floats, of_systems: Floats
) -> dict[str, Floats]:
    scores, ratings = system_scores(judged, metric, of_items)
    weights = np.where(np.isnan(ratings), 0, of_systems).astype(np.float64)
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
    return groups_of(judged.items if level == "within_items" else judged.systems)


def _within_swapped(
    x: Floats, z: Floats, y: Floats, swap: Bools, groups: list[Ints]
) -> dict[str, Floats]:
    """Differences of coefficients of z and x after swaps (m, n), summed over groups."""
    found = {name: np.zeros(len(swap)) for name in correlations.OF_OUTPUTS}
    for rows in groups:
        if len(rows) < LEAST:
            continue
        for block in _blocks(len(swap), 2 * len(rows)):
            of_both = correlations.swapped(x[rows], z[rows], y[rows], swap[block][:, rows])
            for name, (of_x, of_z) in of_both.items():
                difference = of_z - of_x
                found[name][block] += np.nan_to_num(difference) if len(groups) > 1 else difference
    return found


def _systems_swapped(
    x: Floats, z: Floats, y: Floats, swap: Bools, systems: Ints
) -> dict[str, Floats]:
    """The same of systems' mean scores."""
    size = int(systems.max()) + 1
    rated, one, two = np.empty(size), *np.empty((2, len(swap), size))
    for system in range(size):
        rows = np.flatnonzero(systems == system)
        rated[system] = y[rows].mean()
        for block in _blocks(len(swap), len(rows)):
            gained = swap[block][:, rows] @ (z - x)[rows] / len(rows)
            one[block, system] = x[rows].mean() + gained
            two[block, system] = z[rows].mean() - gained
    parts: dict[str, list[Floats]] = {name: [] for name in correlations.OF_SYSTEMS}
    for block in _blocks(len(swap), size**2):
        ratings, every = np.broadcast_to(rated, one[block].shape), np.ones(one[block].shape)
        for name, f in correlations.OF_SYSTEMS.items():
            parts[name].append(f(two[block], ratings, every) - f(one[block], ratings, every))
    return {name: np.concatenate(part) for name, part in parts.items()}


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


def _some(weights: Any, block: slice) -> Any:
    return weights if len(weights) == 1 else weights[block]


def _blocks(m: int, entries: int, at_once: int = _ENTRIES_AT_ONCE) -> Iterator[slice]:
    """Resamples in slices of at most so many entries, or one by one."""
    size = max(1, at_once // max(1, entries))
    for start in range(0, m, size):
        yield slice(start, min(m, start + size))
