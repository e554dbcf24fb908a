"""Agreement at every level: by output, within an item or a system, and by system; resampled.

Deutsch, Dror & Roth (2021), "A Statistical Analysis of Summarization Evaluation Metrics Using
Resampling Methods", TACL 9: intervals by bootstrap over items, systems or both, and the
permutation test of both.
"""

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from textsimp.core import draws
from textsimp.core.metric import Floats
from textsimp.core.sample import Ints, Numbers, WeightedSample
from textsimp.extensions.people.judgements import coefficients

Over = Literal["items", "systems", "both"]
Level = Literal["outputs", "within_items", "within_systems", "systems"]
Weights = Mapping[str, Floats]  # of items and systems: (m, size), or (1, size)
PValues = dict[str, tuple[float, float]]
"""Label → the p-value that two metrics agree equally well, and the one adjusted for its level."""
Measure = tuple[Floats, Callable[[Floats], Floats]]
"""(n, k) statistics of outputs, and the function of their sums that is a system's score."""

COEFFICIENTS = {
    "pearson": "Pearson r",
    "spearman": "Spearman ρ",
    "kendall": "Kendall τ-b",
    coefficients.TIE_CALIBRATED: "tie-calibrated accuracy",
    "accuracy": "pairwise accuracy",
    "soft_accuracy": "soft accuracy",
}
SOFT_ACCURACY = "systems.soft_accuracy"
MAX_SYSTEMS = 1000
MIN_SIZE = 3  # of what is correlated or resampled

_ENTRIES_AT_ONCE = 2**20  # of weights, of which some ten arrays are there at once
_SWAPS_AT_ONCE = 2**26


@dataclass(frozen=True, eq=False)
class Judged:
    """Outputs with scores of metrics and people's ratings."""

    scores: Floats  # (metrics, n)
    ratings: Floats  # (n,)
    items: Ints  # (n,) from 0
    systems: Ints  # (n,) from 0
    by: Sequence[str]  # levels
    measures: Sequence[Measure]  # of the metrics
    names: Sequence[Any]  # of systems

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of items and of systems."""
        return {"items": int(self.items.max()) + 1, "systems": int(self.systems.max()) + 1}

    def kinds(self, over: str, level: str = "") -> tuple[str, ...]:
        """Return what is resampled for a level's intervals; by system, "items" means both."""
        if over == "both" or (over == "items" and level == "systems"):
            return ("items", "systems") if self.names else ("items",)
        return (over,)

    def groups(self, level: str) -> list[Ints]:
        """Return the rows of each group of a level."""
        if level == "outputs":
            return [np.arange(len(self.ratings))]
        return split_rows(self.items if level == "within_items" else self.systems)

    def note_pairs(self) -> list[str]:
        """Return a note if there are too many pairs within items to compare."""
        groups = self.groups("within_items") if "within_items" in self.by else []
        pairs, most = coefficients.count_pairs(groups), coefficients.MAX_PAIRS
        if pairs <= most:
            return []
        return [f"no tie-calibrated accuracy: {pairs:,} pairs within items, at most {most:,}"]


def judge(
    scores: Floats,
    ratings: Floats,
    items: Sequence[Any] | None,
    systems: Sequence[Any] | None,
    measures: Sequence[Measure] = (),
) -> Judged:
    """Number items and systems, which have names or numbers of any kind, or are None.

    A system's score is the mean of its outputs', unless the first metrics have other ``measures``.
    """
    levels = ["outputs"]
    if items is not None:
        levels.append("within_items")
    if systems is not None:
        levels += ["within_systems", "systems"]
    n, names = len(ratings), list(dict.fromkeys(systems or ()))
    units = encode(items or range(n)), encode(systems or [None] * n)
    means = [_mean_of(values) for values in scores[len(measures) :]]
    return Judged(scores, ratings, *units, levels, [*measures, *means], names)


def _mean_of(values: Floats) -> Measure:
    rows = np.column_stack([values, np.ones(len(values))])
    return rows, lambda sums: sums[..., 0] / sums[..., 1]


def encode(ids: Iterable[Any]) -> Ints:
    """Return (n,) ints from 0, in the order in which ids first come."""
    codes: dict[Any, int] = {}
    return np.array([codes.setdefault(name, len(codes)) for name in ids], int)


def split_rows(codes: Ints) -> list[Ints]:
    """Return the rows of each code of `encode`."""
    order = np.argsort(codes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(codes[order])) + 1)


def make_sample(judged: Judged) -> WeightedSample:
    """Return the coefficients as a sample: "level.coefficient" → (metrics,) numbers.

    Within items or systems "level.coefficient.groups" are how many groups define one. Coefficients
    are no function of sums: ranks and pairs depend on which outputs count, and how often.
    """

    def reduce(weights: Weights) -> dict[str, Floats]:
        m = max(map(len, weights.values()))
        weights = {k: np.broadcast_to(drawn, (m, drawn.shape[1])) for k, drawn in weights.items()}
        numbers: dict[str, Floats] = {}
        for level in judged.by:
            if level == "systems":
                by_coefficient = _by_system(judged, weights)
            else:
                by_coefficient = _by_output(judged, level, weights)
            if level == "within_items" and not judged.note_pairs():
                by_coefficient |= _calibrate(judged, weights)
            numbers |= {f"{level}.{name}": values for name, values in by_coefficient.items()}
        return numbers

    return WeightedSample(judged.sizes, reduce)


def _by_output(judged: Judged, level: str, weights: Weights) -> dict[str, Floats]:
    """Average coefficients, (m, metrics), over the groups that define them, and count these."""
    kind = level.removeprefix("within_")
    m = len(weights["items"])
    group_weights = weights.get(kind, np.ones((m, 1)))  # outputs are one group
    inner = {**weights, kind: np.ones_like(weights[kind])} if kind in weights else weights
    names = [*coefficients.OF_OUTPUTS]
    sums, counts = np.zeros((2, len(names), m, len(judged.scores)))
    for group, rows in enumerate(judged.groups(level)):
        if len(rows) < 2:
            continue
        y, items, systems = judged.ratings[rows], judged.items[rows], judged.systems[rows]
        for block in _blocks(m, len(rows)):
            drawn = inner["items"][block].take(items, axis=1)
            drawn *= inner["systems"][block].take(systems, axis=1)
            times = group_weights[block, group]
            for metric, scores in enumerate(judged.scores):
                for i, coefficient in enumerate(coefficients.OF_OUTPUTS.values()):
                    values = coefficient(scores[rows], y, drawn)
                    defined = np.isfinite(values)
                    sums[i, block, metric] += times * np.where(defined, values, 0)
                    counts[i, block, metric] += times * defined
    with np.errstate(invalid="ignore"):
        numbers = dict(zip(names, sums / counts, strict=True))
    return numbers | dict(zip((f"{name}.groups" for name in names), counts, strict=True))


def _calibrate(judged: Judged, weights: Weights) -> dict[str, Floats]:
    """Return tie-calibrated accuracies within items, (m, metrics), and the numbers of items."""
    first, second, items = coefficients.list_pairs(judged.groups("within_items"))
    m, name = len(weights["items"]), coefficients.TIE_CALIBRATED
    sums, counts = np.zeros((2, m, len(judged.scores)))
    pairs = np.stack([first, second])
    for block in _blocks(m, len(items)):
        systems = weights["systems"][block]
        drawn = systems[:, judged.systems[first]] * systems[:, judged.systems[second]]
        shares, total = coefficients.share_pairs(items, drawn, weights["items"][block])
        counts[block] = total[:, None]
        for metric, scores in enumerate(judged.scores):
            ratings = judged.ratings[pairs]
            sums[block, metric] = coefficients.calibrate(scores[pairs], ratings, shares)
    with np.errstate(invalid="ignore"):
        return {name: sums / counts, f"{name}.groups": counts}


def sample_systems(judged: Judged, metric: int) -> WeightedSample:
    """Return ``scores`` and mean ``ratings`` of systems as a sample; NaN of one without output."""

    def reduce(weights: Weights) -> dict[str, Floats]:
        counts = weights["items"]
        scores, ratings = np.full((2, len(counts), judged.sizes["systems"]), np.nan)
        measures = [(scores, judged.measures[metric]), (ratings, _mean_of(judged.ratings))]
        for system, rows in enumerate(judged.groups("within_systems")):
            for block in _blocks(len(counts), len(rows)):
                times = counts[block].take(judged.items[rows], axis=1)
                present = np.flatnonzero(times.any(axis=1))
                for column, (statistics, reduce_sums) in measures if len(present) else ():
                    sums = times[present] @ statistics[rows]
                    column[block.start + present, system] = reduce_sums(sums)
        return {"scores": scores, "ratings": ratings}

    return WeightedSample({"items": judged.sizes["items"]}, reduce)


def columns_of(judged: Judged, level: str, metric: int) -> tuple[Floats, Floats]:
    """Return a metric's scores and the ratings, of outputs or of systems."""
    if level != "systems":
        return judged.scores[metric], judged.ratings
    means = sample_systems(judged, metric).value()
    return means["scores"], means["ratings"]


def resample(
    judged: Judged, over: Over, wanted: bool, tested: bool, resamples: int, seed: int
) -> tuple[Numbers, Numbers]:
    """Return the resamples of intervals, if ``wanted``, and of tests: those of items and systems.

    Fewer than three items or systems aren't resampled.
    """

    @functools.cache
    def draw(level: str, kinds: tuple[str, ...]) -> Numbers:
        if min(judged.sizes[kind] for kind in kinds) < MIN_SIZE:
            return {}
        sample = make_sample(replace(judged, by=[level]))
        return sample.resample(kinds, resamples=resamples, seed=seed)

    of_intervals: dict[str, Floats] = {}
    of_tests: dict[str, Floats] = {}
    for level in judged.by:
        if wanted:
            of_intervals |= draw(level, judged.kinds(over, level))
        if tested:
            of_tests |= draw(level, judged.kinds("both"))
    return of_intervals, of_tests


def permute(judged: Judged, first: int, second: int, resamples: int, seed: int) -> PValues:
    """Test whether two metrics agree equally well with ratings.

    Return "level.coefficient" → two-sided p-value, as it is and adjusted for all coefficients of
    the level (Westfall & Young 1993).

    Under the hypothesis it makes no difference which of two metrics gave a score, once both are
    standardised. So each output's two scores are swapped at random (PERM-BOTH). By system each
    system's are (PERM-SYS), as a metric errs alike on all outputs of a system. The observed scores
    count as one permutation. Within groups, those where a coefficient is undefined add nothing.
    """
    p_values: PValues = {}
    for level in judged.by:
        (x, y), (z, _) = (columns_of(judged, level, metric) for metric in (first, second))
        x, z = ((scores - scores.mean()) / (scores.std() or 1.0) for scores in (x, z))
        size = len(x)
        # From the same seed at each level, so that a level's p-value doesn't depend on the others.
        drawn = draws.swaps(size, resamples, seed, at_once=max(1, _SWAPS_AT_ONCE // size))
        observed = np.zeros((1, size), np.bool_)
        swaps = itertools.chain([observed], drawn)
        if level == "systems":
            parts = [_swap_systems(x, z, y, swap) for swap in swaps]
        else:
            groups = judged.groups(level)
            parts = [_swap_outputs(x, z, y, swap, groups) for swap in swaps]
        values = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        tested = {
            f"{level}.{name}": differences
            for name, differences in values.items()
            if np.isfinite(differences[0]) and np.isfinite(differences).sum() > 1
        }
        wider = (size / max(1, size - 1)) ** 0.5 if level == "systems" else 1.0
        p_values |= _adjust(tested, wider)
    return p_values


def _adjust(values: Mapping[str, Floats], wider: float) -> PValues:
    """Return the p-values of `permute`, from (m,) differences of which the first is observed.

    Standardised scores of few systems vary less than they should. So the adjusted p-values are of
    ``wider`` differences after swaps.
    """
    shares = {
        label: _share_larger(np.append(differences[0], wider * differences[1:]))
        for label, differences in values.items()
    }
    least = np.min([*shares.values()], axis=0) if shares else np.empty(0)
    return {
        label: (float(_share_larger(values[label])[0]), float(np.mean(least <= own[0])))
        for label, own in shares.items()
    }


def _share_larger(values: Floats) -> Floats:
    """Return (m,) shares of the differences that are at least as large as each; 1 for NaN."""
    sizes = np.abs(values)
    ordered = np.sort(sizes[np.isfinite(sizes)])
    # Equal ones may differ by rounding in the order of their sums.
    smaller = np.searchsorted(ordered, sizes - 1e-9)
    return np.where(np.isfinite(sizes), 1 - smaller / len(ordered), 1.0)


def soft_accuracies(judged: Judged, resamples: int, seed: int) -> Floats:
    """Return (metrics,) soft pairwise accuracies; NaN if no two systems have two items in common.

    Thompson, Mathur, Deutsch & Khayrallah (2024), "Improving Statistical Significance in Human
    Evaluation of Automatic Metrics via Soft Pairwise Accuracy", WMT: whether a metric is as sure as
    people which of two systems is better.

    A pair of systems counts 1 − \\|p − q\\|: p is the one-sided p-value that people rate the first
    better, q that the metric scores it better. Both are of permutation tests that swap the outputs
    of items that the two have in common, of which the first output counts.
    """
    measures = [_mean_of(judged.ratings), *judged.measures]
    rows: dict[int, dict[int, int]] = {}
    for row, (system, item) in enumerate(zip(judged.systems, judged.items, strict=True)):
        rows.setdefault(int(system), {}).setdefault(int(item), row)
    agreed = []
    drawn: dict[int, NDArray[np.bool_]] = {}
    for first, second in itertools.combinations(rows.values(), 2):
        common = [item for item in first if item in second]
        if len(common) < 2:
            continue
        if len(common) not in drawn:
            parts = [*draws.swaps(len(common), resamples, seed)]
            drawn[len(common)] = np.concatenate([np.zeros((1, len(common)), np.bool_), *parts])
        pair = [np.array([by_item[item] for item in common]) for by_item in (first, second)]
        people, *metrics = (_p_value(one, pair, drawn[len(common)]) for one in measures)
        agreed.append(1 - np.abs(np.array(metrics) - people))
    return np.mean(agreed, axis=0) if agreed else np.full(len(judged.scores), np.nan)


def _p_value(measure: Measure, pair: list[NDArray[np.int64]], swaps: NDArray[np.bool_]) -> float:
    """Return the one-sided p-value that the first of two systems is better."""
    statistics, reduce = measure
    first, second = (np.nan_to_num(statistics[rows]) for rows in pair)
    moved = swaps @ (second - first)
    differences = reduce(first.sum(0) + moved) - reduce(second.sum(0) - moved)
    return float(np.mean(differences >= differences[0] - 1e-9))


def _by_system(judged: Judged, weights: Weights) -> dict[str, Floats]:
    """Compute the coefficients of systems, (m, metrics) each; NaN where a system has no score."""
    columns = []
    for metric in range(len(judged.scores)):
        means = sample_systems(judged, metric).reduce(weights)
        present = np.where(np.isnan(means["ratings"]), 0, weights["systems"])
        scores, ratings = (np.nan_to_num(means[name]) for name in ("scores", "ratings"))
        undefined = (np.isnan(means["scores"]) & (present > 0)).any(axis=1)
        values = _of_systems(scores, ratings, present)
        columns.append({name: np.where(undefined, np.nan, x) for name, x in values.items()})
    return {n: np.stack([column[n] for column in columns], axis=1) for n in columns[0]}


def _of_systems(x: Floats, y: Floats, weights: Floats) -> dict[str, Floats]:
    """Compute the coefficients of (m, systems) columns; pairs of systems take memory."""
    blocks = list(_blocks(len(weights), weights.shape[1] ** 2))
    return {
        name: np.concatenate([f(x[b], y[b], weights[b]) for b in blocks])
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
            swapped = swap[block][:, rows]
            weights = np.concatenate([~swapped, swapped], axis=1).astype(np.float64)
            for name, coefficient in coefficients.OF_OUTPUTS.items():
                difference = coefficient(scores, ratings, 1 - weights)
                difference -= coefficient(scores, ratings, weights)
                sums[name][block] += np.nan_to_num(difference) if len(groups) > 1 else difference
    return sums


def _swap_systems(x: Floats, z: Floats, y: Floats, swap: NDArray[np.bool_]) -> dict[str, Floats]:
    """Return the same of the scores of systems."""
    ratings, every = np.broadcast_to(y, swap.shape), np.ones(swap.shape)
    first = _of_systems(np.where(swap, z, x), ratings, every)
    second = _of_systems(np.where(swap, x, z), ratings, every)
    return {name: values - first[name] for name, values in second.items()}


def _blocks(m: int, entries: int) -> Iterator[slice]:
    """Slice resamples, so that a slice has at most so many entries, or one resample."""
    size = max(1, _ENTRIES_AT_ONCE // max(1, entries))
    for start in range(0, m, size):
        yield slice(start, min(m, start + size))
