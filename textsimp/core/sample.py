"""A sample: rows of statistics whose sums become numbers, with their intervals and tests.

It is the statistician's sample, not one example. Whatever is printed with an interval is one: a
corpus score, F1 of labels, a mean rating, an agreement.

A resample is a sum of weighted rows. So all resamples are one matrix product and one vectorised
reduction. Memory: about 100 MB.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core import draws
from textsimp.core.draws import Floats
from textsimp.core.draws import Ints as Ints
from textsimp.core.intervals import MANY_UNITS, reach_tails, share_intervals, widen
from textsimp.core.intervals import percentiles as percentiles
from textsimp.core.significance import FEWEST, NO_DIFFERENCE, Difference, is_exact

Numbers = Mapping[str, Floats]
Reduce = Callable[[Floats], Numbers]
Key = TypeVar("Key", bound=Hashable)
Pair = tuple[Key, Key]

_ROUNDING = 1e-12  # relative to the scores: sums in another order differ by less
_ENTRIES_AT_ONCE = 2**21  # of rows of several pairs
_COUNTS_AT_ONCE = 2**22  # of units with weights
_SWAPS_PER_TEST = 5  # that are as large at its level
_RARE_SWAPS = 250  # then p-values vary by about 15 %, as with 50 swaps a test


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of statistics, and how their sums become numbers.

    Attributes:
        rows: (n, k) statistics, NaN where one is missing. A sum leaves it out.
        reduce: (..., k) sums → name → (...) numbers, or (..., m); NaN where one is undefined.
        units: Kind → (n,) ints from 0, what is drawn, such as items and raters; rows without any.
            Of several kinds a row has the product of its units' weights.
        strata: (size,) ints: resamples have as many units of each stratum as there are.
        largest: Name → the largest number of a row, of means of numbers from 0.
    """

    rows: Floats
    reduce: Reduce
    units: Mapping[str, Ints] = field(default_factory=dict)
    strata: Ints | None = None
    largest: Mapping[str, float] = field(default_factory=dict)

    @property
    def size(self) -> int:
        """The number of units of the first kind."""
        return len(self.rows) if not self.units else int(next(iter(self.units.values())).max()) + 1

    @property
    def paired(self) -> Sample:
        """The sample whose rows are swapped with those of another."""
        return self

    @property
    def has_gaps(self) -> bool:
        """Whether a statistic is missing."""
        return bool(np.isnan(self.rows).any())

    def value(self) -> Numbers:
        """Return the numbers of all rows."""
        return self.reduce(total(self.rows))

    def resample(self, *, resamples: int, seed: int) -> Numbers:
        """Return name → (resamples, ...) numbers of bootstrap resamples; equal units draw alike."""
        (drawn,) = _resample([self], resamples, seed)
        return self.reduce(drawn)

    def interval(self, *, confidence: float, resamples: int, seed: int) -> dict[str, Any]:
        """Return name → percentile interval, see `percentiles` and `reach_tails`.

        Shares have `wilson`'s.
        """
        drawn = self.resample(resamples=resamples, seed=seed)
        if len(self.units) > 1:
            return {name: percentiles(values, confidence) for name, values in drawn.items()}
        ends = {name: percentiles(own, confidence, self.size) for name, own in drawn.items()}
        if self.strata is None and self.size <= draws.MANY:
            values, each = self.value(), self.reduce(self.by_unit())
            ends = reach_tails(ends, values, each, confidence)
            ends |= share_intervals(values, each, self.largest, confidence)
        return ends

    def minus(self, other: Sample, family: int = 1, **sampling: Any) -> dict[str, Difference]:
        """Test each single number minus the other sample's of the same units, see `compare`."""
        return compare({0: other, 1: self}, families={(0, 1): family}, **sampling)[0, 1]

    def take(self, rows: Ints) -> Sample:
        """Return the sample of some rows, each a unit."""
        strata = None if self.strata is None else self.strata[rows]
        return Sample(self.rows[rows], self.reduce, strata=strata, largest=self.largest)

    def by_unit(self) -> Floats:
        """Return (units, k) sums of the rows of each unit of the first kind."""
        rows = zero_missing(self.rows)
        for codes in self.units.values():
            return np.stack([np.bincount(codes, one, self.size) for one in rows.T], axis=1)
        return rows

    def keep(self, both: NDArray[np.bool_]) -> Sample:
        """Return the sample without the statistics of units, (units, k), that aren't in both."""
        for codes in self.units.values():
            both = both[codes]
            break
        return replace(self, rows=np.where(both, self.rows, np.nan))

    def present(self) -> NDArray[np.bool_]:
        """Return (units, k): which statistics the units have."""
        present = ~np.isnan(self.rows)
        return replace(self, rows=present.astype(np.float64)).by_unit() > 0

    def weigh(self, totals: Floats, resamples: int, seed: int) -> None:
        """Draw further weights into (resamples, k) totals; only runs have some."""

    def of_runs(self, name: str) -> tuple[Floats, int]:
        """Return the variance of a number's mean over runs, and its degrees of freedom."""
        return np.zeros(()), 1


@dataclass(frozen=True, eq=False)
class WeightedSample:
    """Units whose weights become numbers that are no function of sums, such as correlations.

    Attributes:
        sizes: Kind → how many units are drawn.
        reduce: Kind → (m, size) weights of m resamples, or (1, size) ones, → name → (m, ...)
            numbers.
    """

    sizes: Mapping[str, int]
    reduce: Callable[[Mapping[str, Floats]], Numbers]

    def value(self) -> Numbers:
        """Return the numbers of all units."""
        return {name: values[0] for name, values in self.reduce(self._ones()).items()}

    def resample(
        self, over: Collection[str] | None = None, *, resamples: int, seed: int
    ) -> Numbers:
        """Return name → (resamples, ...) numbers, with units of some kinds drawn, or of all."""
        kinds = self.sizes if over is None else {kind: self.sizes[kind] for kind in over}
        at_once = max(1, _COUNTS_AT_ONCE // max(kinds.values()))
        drawn = draws.draw(kinds, resamples, seed, at_once=at_once)
        parts = [self.reduce({**self._ones(), **counts}) for counts in drawn]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    def _ones(self) -> dict[str, Floats]:
        return {kind: np.ones((1, size)) for kind, size in self.sizes.items()}


def compare(
    samples: Mapping[Key, Sample],
    pairs: Collection[tuple[Key, Key]] | None = None,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    families: Mapping[tuple[Key, Key], int] | None = None,
) -> dict[tuple[Key, Key], dict[str, Difference]]:
    """Test pairs of samples with the same units and reduction: the second minus the first.

    Numbers, interval and tests are of the units that both have. With fewer than `FEWEST` of them,
    if there are more, nothing can be tested. Intervals are of the paired bootstrap, as is the
    first p-value (Koehn 2004). sacrebleu's has one of its two tails. The second is of the paired
    permutation test, which swaps units of the first kind. Where all ways to swap those that differ
    are no more than the resamples, it is exact. It takes runs as they are, so that their interval
    decides, too.

    Args:
        samples: Name → sample.
        pairs: Pairs of names; by default all.
        confidence: Coverage of the intervals.
        resamples: Number of resamples and of swaps.
        seed: Seed of resamples and swaps.
        families: Pair → the number of tests that the smallest p-value will be adjusted for; by
            default of pairs. If resamples are too few for it, small p-values are of other swaps.

    Returns:
        Pair → name of each single number → its difference. p-values aren't adjusted, see
        `textsimp.core.significance.adjust`.
    """
    pairs = list(combinations(samples, 2)) if pairs is None else list(pairs)
    tests = {}
    families = families or dict.fromkeys(pairs, len(pairs))
    levels = {pair: (1 - confidence) / max(1, families[pair]) for pair in pairs}
    for part in _keep_common(samples, pairs):
        sides = {id(side): side for both in part.values() for side in both}
        totals = dict(zip(sides, _resample([*sides.values()], resamples, seed), strict=True))
        drawn = {key: side.reduce(totals[key]) for key, side in sides.items()}
        paired = {pair: (first.paired, second.paired) for pair, (first, second) in part.items()}
        p_values = _permute(paired, resamples, seed, levels)
        for pair, (first, second) in part.items():
            resampled = _subtract(drawn[id(first)], drawn[id(second)])
            tests[pair] = _test(first, second, resampled, p_values[pair], confidence)
    return tests


def join(samples: Sequence[Sample]) -> Sample:
    """Put statistics of the same rows beside each other."""
    ends = np.cumsum([one.rows.shape[1] for one in samples])[:-1]

    def reduce(totals: Floats) -> Numbers:
        numbers: dict[str, Floats] = {}
        for one, own in zip(samples, np.split(totals, ends, axis=-1), strict=True):
            numbers |= one.reduce(own)
        return numbers

    return replace(samples[0], rows=np.hstack([one.rows for one in samples]), reduce=reduce)


def average(samples: Sequence[Sample]) -> Sample:
    """Put different rows below each other; numbers are means of the samples', which are strata."""
    ends = np.cumsum([one.rows.shape for one in samples], axis=0)
    rows = np.zeros(ends[-1])
    for one, (bottom, right) in zip(samples, ends, strict=True):
        n, k = one.rows.shape
        rows[bottom - n : bottom, right - k : right] = one.rows

    def reduce(totals: Floats) -> Numbers:
        split = np.split(totals, ends[:-1, 1], axis=-1)
        each = [one.reduce(own) for one, own in zip(samples, split, strict=True)]
        return {name: np.mean([numbers[name] for numbers in each], axis=0) for name in each[0]}

    strata = np.repeat(np.arange(len(samples)), [len(one.rows) for one in samples])
    return Sample(rows, reduce, strata=strata)


def means_of(columns: Mapping[str, Any], largest: Mapping[str, float] | None = None) -> Sample:
    """Return the sample of means, from name → (n,) numbers, NaN for a missing one.

    ``largest`` is that of the `Sample`, of shares.
    """
    values = np.stack([np.asarray(one, np.float64) for one in columns.values()], axis=1)
    reduce = functools.partial(reduce_means, [*columns])
    return Sample(count_numbers(values), reduce, largest=largest or {})


def count_numbers(values: Floats) -> Floats:
    """Return (n, 2m) statistics of m means: numbers, and a count of each; both NaN for a NaN."""
    return np.hstack([values, np.where(np.isnan(values), np.nan, 1.0)])


def reduce_means(names: Sequence[str], totals: Floats) -> dict[str, Floats]:
    """Return name → mean from (..., 2m) totals of `count_numbers`; NaN without numbers.

    With one count for all means they are (..., m + 1).
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        means = np.moveaxis(totals[..., : len(names)] / totals[..., len(names) :], -1, 0)
    return dict(zip(names, means, strict=True))


def total(rows: Floats) -> Floats:
    """Return the (k,) sums of (n, k) rows without NaN."""
    # Other layouts round otherwise.
    sums: Floats = np.ascontiguousarray(zero_missing(rows)).sum(axis=0)
    return sums


def zero_missing(rows: Floats) -> Floats:
    """Return (n, k) rows with 0 for NaN."""
    missing = np.isnan(rows)
    return np.where(missing, 0.0, rows) if missing.any() else rows


def _resample(samples: Sequence[Sample], resamples: int, seed: int) -> Sequence[Floats]:
    """Return (resamples, k) totals of each sample; they have the same units, drawn alike."""
    if not samples:
        return []
    first = samples[0]
    many = False
    if len(first.units) > 1:
        rows = np.hstack([zero_missing(sample.rows) for sample in samples])
        sizes = {kind: int(codes.max()) + 1 for kind, codes in first.units.items()}
        counts = draws.draw(sizes, resamples, seed, at_once=draws.room(len(rows)))
        drawn = (multiply(of_kinds, first.units) for of_kinds in counts)
    else:
        parts = [sample.by_unit() for sample in samples]
        many = first.strata is None and len(parts[0]) > draws.MANY
        if many:
            parts = [*map(draws.sum_blocks, [*parts, np.ones((len(parts[0]), 1))])]
        rows = np.hstack(parts)
        sizes = {"": len(rows)}
        drawn = (counts[""] for counts in draws.draw(sizes, resamples, seed, first.strata))
    totals = np.concatenate([weights @ rows for weights in drawn])
    if many:  # blocks differ in size by one unit
        totals = totals[:, :-1] * first.size / totals[:, -1:]
    ends = np.cumsum([sample.rows.shape[1] for sample in samples])[:-1]
    parts = np.split(totals, ends, axis=1)
    for sample, part in zip(samples, parts, strict=True):
        sample.weigh(part, resamples, seed)
    return parts


def multiply(counts: Mapping[str, Floats], units: Mapping[str, Ints]) -> Floats:
    """Return (m, n) weights of rows, from the (m, size) counts of their units."""
    first, *others = (counts[kind].take(codes, axis=1) for kind, codes in units.items())
    weights: Floats = functools.reduce(np.multiply, others, first)  # a stack of them takes longer
    return weights


def _keep_common(
    samples: Mapping[Key, Sample], pairs: Collection[Pair[Key]]
) -> Iterator[dict[Pair[Key], tuple[Sample, Sample]]]:
    """Leave out statistics that only one sample of a pair has of a unit; some pairs at a time."""
    kept: dict[Pair[Key], tuple[Sample, Sample]] = {}
    entries = 0
    for pair in pairs:
        first, second = (samples[name] for name in pair)
        if first.has_gaps or second.has_gaps:
            present, others = first.present(), second.present()
            if (present & ~others).any():
                first = first.keep(others)
                entries += first.rows.size
            if (others & ~present).any():
                second = second.keep(present)
                entries += second.rows.size
        kept[pair] = first, second
        if entries > _ENTRIES_AT_ONCE:
            yield kept
            kept, entries = {}, 0
    yield kept


def _count_units(first: Sample, second: Sample) -> dict[str, int]:
    """Return name → number of units for which both have a single number; {} without gaps."""
    if not (first.has_gaps or second.has_gaps):
        return {}
    numbers, others = (sample.reduce(sample.by_unit()) for sample in (first, second))
    return {
        name: int(np.count_nonzero(~np.isnan(own) & ~np.isnan(others[name])))
        for name, own in numbers.items()
        if own.ndim == 1
    }


def _permute(
    pairs: Mapping[Pair[Key], tuple[Sample, Sample]],
    permutations: int,
    seed: int,
    levels: Mapping[Pair[Key], float],
) -> dict[Pair[Key], dict[str, float]]:
    """Return the p-values after swaps of units; pairs with as many to swap are swapped alike.

    If swaps are few for the level of a test, its small p-value is of `_swap_rarely`.
    """
    sizes = {pair: len(_list_changes(*both)) for pair, both in pairs.items()}
    p_values: dict[Pair[Key], dict[str, float]] = {}
    for size in dict.fromkeys(sizes.values()):
        alike = [pair for pair, own in sizes.items() if own == size]
        width = pairs[alike[0]][0].rows.shape[1]
        at_once = max(1, _ENTRIES_AT_ONCE // (width * (size + draws.AT_ONCE)))
        for start in range(0, len(alike), at_once):
            group = alike[start : start + at_once]
            found = _swap([pairs[pair] for pair in group], permutations, seed)
            p_values |= dict(zip(group, found, strict=True))
    for pair, own in p_values.items():
        exact = is_exact(sizes[pair], max(permutations, _RARE_SWAPS))
        if _are_few(permutations, levels[pair]) and not exact:
            for name, p in own.items():
                if p <= _SWAPS_PER_TEST / (1 + permutations):
                    own[name] = _swap_rarely(pairs[pair], name, seed, levels[pair])
    return p_values


def _are_few(permutations: int, level: float) -> bool:
    """Whether the smallest p-value isn't significant, or is with too few swaps to be sure."""
    usual = max(permutations, draws.RESAMPLES)
    return level * (1 + permutations) <= 1 or level * (1 + usual) <= _SWAPS_PER_TEST


def _list_changes(first: Sample, second: Sample) -> Floats:
    """Return (m, k) second minus first statistics of units, or blocks, that aren't alike."""
    changes = second.by_unit() - first.by_unit()
    changes = changes[changes.any(axis=1)]
    return changes if len(changes) <= draws.MANY else draws.sum_blocks(changes)


def _swap(
    pairs: Sequence[tuple[Sample, Sample]], permutations: int, seed: int
) -> list[dict[str, float]]:
    """Return name → p-value of each pair: the share of swaps with as large a difference.

    The observed one counts, undefined ones don't.
    """
    before, after = (np.stack([total(pair[side].rows) for pair in pairs]) for side in (0, 1))
    changes = np.stack([_list_changes(*pair) for pair in pairs], axis=1)
    reduce = pairs[0][0].reduce
    scores, others = reduce(before), reduce(after)
    least = {
        name: np.abs(others[name] - own) - _ROUNDING * np.maximum(np.abs(others[name]), np.abs(own))
        for name, own in scores.items()
        if own.ndim == 1
    }
    larger, drawn = ({name: np.ones(len(pairs)) for name in least} for _ in range(2))
    for swaps in draws.swaps(len(changes), permutations, seed):
        moved = np.tensordot(swaps.astype(np.float64), changes, 1)
        differences = _subtract(reduce(before + moved), reduce(after - moved))
        for name in least:
            larger[name] += np.count_nonzero(np.abs(differences[name]) >= least[name], axis=0)
            drawn[name] += np.count_nonzero(~np.isnan(differences[name]), axis=0)
    return [{n: float(larger[n][i] / drawn[n][i]) for n in least} for i in range(len(pairs))]


def _swap_rarely(pair: tuple[Sample, Sample], name: str, seed: int, level: float) -> float:
    """Return a p-value that may be far below 1 / permutations, by importance sampling.

    Units are swapped with such probabilities that differences are about as large as those with a
    p-value of ``level``. Weights make up for that, and the observed one counts (Harrison 2012).
    """
    from scipy.special import expit, ndtri

    before, after = (total(one.rows) for one in pair)
    changes, reduce = _list_changes(*pair), pair[0].reduce

    def subtract(first: Floats, second: Floats) -> Floats:
        return reduce(second)[name] - reduce(first)[name]

    middle = (before + after) / 2
    parts = np.nan_to_num(subtract(middle - changes / 2, middle + changes / 2))  # of a difference
    parts = parts * -ndtri(level / 2) / (np.linalg.norm(parts) or 1)
    scores = np.abs([reduce(before)[name], reduce(after)[name]])
    least = abs(subtract(before, after)) - _ROUNDING * scores.max()
    base = np.sum(_log_cosh(parts))
    larger = np.exp(base - _log_cosh(parts.sum()))
    for swaps in draws.swaps(len(changes), _RARE_SWAPS, seed, expit(-2 * parts)):
        moved = swaps.astype(np.float64) @ changes
        differences = subtract(before + moved, after - moved)
        weights = np.exp(base - _log_cosh(np.where(swaps, -parts, parts).sum(axis=1)))
        larger += weights[np.abs(differences) >= least].sum()
    return min(1.0, float(larger) / (1 + _RARE_SWAPS))


def _log_cosh(values: Floats) -> Floats:
    result: Floats = np.logaddexp(values, -values) - np.log(2)
    return result


def _subtract(before: Numbers, after: Numbers) -> dict[str, Floats]:
    return {name: values - before[name] for name, values in after.items()}


def _test(
    first: Sample,
    second: Sample,
    resampled: Numbers,
    permutation_p: Mapping[str, float],
    confidence: float,
) -> dict[str, Difference]:
    """Return the difference of each single number, from those of resamples and after swaps."""
    before, after = first.value(), second.value()
    units = _count_units(first.paired, second.paired)
    tests = {}
    for name, p in permutation_p.items():
        common = units.get(name, first.size)
        if not common:
            tests[name] = NO_DIFFERENCE
            continue
        few = common < min(FEWEST, first.size)
        one, other = float(before[name]), float(after[name])
        least = abs(other - one) - _ROUNDING * max(abs(one), abs(other))
        tested = common > 1 and not few
        runs = first.paired is not first or second.paired is not second
        drawn = resampled[name]
        if runs:
            sides = [side.of_runs(name) for side in (first, second)]
            drawn = widen(drawn, np.asarray(other - one), sides, confidence)
        width = common if len(first.units) < 2 else MANY_UNITS
        interval = None if few else percentiles(drawn, confidence, width)
        tests[name] = Difference(
            other - one,
            interval or NO_DIFFERENCE.interval,
            _bootstrap_p(drawn, least) if tested else None,
            p if tested else None,
            units=common,
            interval_decides=runs,
        )
    return tests


def _bootstrap_p(values: Floats, least: float) -> float:
    """Return the share of values as far from their mean; the observed counts, NaN doesn't."""
    values = values[~np.isnan(values)]
    larger = np.count_nonzero(np.abs(values - values.mean()) >= least) if len(values) else 0
    return float((1 + larger) / (1 + len(values)))
