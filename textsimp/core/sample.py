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
from itertools import chain, combinations
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core import draws
from textsimp.core.block_sums import Blocks
from textsimp.core.draws import Floats
from textsimp.core.draws import Ints as Ints
from textsimp.core.intervals import MANY_UNITS, freedom, refine, widen
from textsimp.core.intervals import percentiles as percentiles
from textsimp.core.permutations import Numbers as Numbers
from textsimp.core.permutations import Reduce, find_p_values, round_down, subtract
from textsimp.core.significance import FEWEST, NO_DIFFERENCE, Difference, p_of

__all__ = [
    "Ints",
    "Numbers",
    "Sample",
    "WeightedSample",
    "average",
    "compare",
    "join",
    "means_of",
    "percentiles",
    "reduce_means",
    "total",
]

Key = TypeVar("Key", bound=Hashable)
Pair = tuple[Key, Key]

_ENTRIES_AT_ONCE = 2**21  # of rows of several pairs
_COUNTS_AT_ONCE = 2**22  # of units with weights


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
        blocks: Of many rows, or of sums: blocks, which are drawn and swapped instead of rows.
    """

    rows: Floats
    reduce: Reduce
    units: Mapping[str, Ints] = field(default_factory=dict)
    strata: Ints | None = None
    largest: Mapping[str, float] = field(default_factory=dict)
    blocks: Blocks | None = None

    @property
    def size(self) -> int:
        """The number of units of the first kind, such as examples."""
        if self.blocks is not None:
            return self.blocks.extent.examples
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
        return self.reduce(self.sums)

    @functools.cached_property
    def sums(self) -> Floats:
        """The (k,) sums of all rows."""
        return total(self.rows if self.blocks is None else self.drawn[0])

    def resample(self, *, resamples: int, seed: int) -> Numbers:
        """Return name → (resamples, ...) numbers of bootstrap resamples; equal units draw alike."""
        (drawn,) = _resample([self], resamples, seed)
        return self.reduce(drawn)

    def interval(self, *, confidence: float, resamples: int, seed: int) -> dict[str, Any]:
        """Return name → percentile interval, see `percentiles`; of some numbers a better one.

        See `refine` for these.
        """
        drawn = self.resample(resamples=resamples, seed=seed)
        if len(self.units) > 1:
            return {name: percentiles(values, confidence) for name, values in drawn.items()}
        present = _count_units(self, self) if self.has_gaps else {}
        sizes = {name: present.get(name) or self.size for name in drawn}
        ends = {name: percentiles(x, confidence, sizes[name]) for name, x in drawn.items()}
        if self.strata is None and self.blocks is None and self.size <= draws.MANY:
            each = self.reduce(self.by_unit())
            ends = refine(ends, self.value(), each, self.largest, confidence)
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
            return np.stack([np.bincount(codes, x, self.size) for x in rows.T], axis=1)
        return rows

    @functools.cached_property
    def drawn(self) -> tuple[Floats, Floats | None]:
        """(m, k) sums of what is drawn and swapped: units, or blocks of many with (m,) sizes."""
        rows, blocks = self.by_unit(), self.blocks
        if blocks is None:
            if self.strata is not None or len(rows) <= draws.MANY:
                return rows, None
            blocks = Blocks.of(np.arange(len(rows)))
        sizes: Floats = np.bincount(blocks.blocks, blocks.counts, draws.BLOCKS).astype(np.float64)
        return draws.sum_blocks(rows, blocks.blocks)[sizes > 0], sizes[sizes > 0]

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

    Only units that both samples have count. With fewer than `FEWEST` of them, if there are more,
    nothing can be tested. Intervals come from the paired bootstrap, and so does the first p-value
    (Koehn 2004); it is two-sided, sacrebleu's one-sided. The second p-value comes from the paired
    permutation test, which swaps units of the first kind. It is exact if all swaps of the units
    that differ fit into ``resamples``. The permutation test takes runs as they are. So a
    difference of runs is significant only if its interval says so, too.

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
        sides = [*dict.fromkeys(chain.from_iterable(part.values()))]
        totals = zip(sides, _resample(sides, resamples, seed), strict=True)
        drawn = {side: side.reduce(own) for side, own in totals}
        paired = {side: side.paired for side in sides}
        swapped = {pair: (paired[first], paired[second]) for pair, (first, second) in part.items()}
        p_values = find_p_values(swapped, resamples, seed, levels)
        for pair, (first, second) in part.items():
            resampled = subtract(drawn[first], drawn[second])
            tests[pair] = _test(first, second, resampled, p_values[pair], confidence)
    return tests


def join(samples: Sequence[Sample]) -> Sample:
    """Put statistics of the same rows beside each other."""
    ends = np.cumsum([sample.rows.shape[1] for sample in samples])[:-1]

    def reduce(totals: Floats) -> Numbers:
        numbers: dict[str, Floats] = {}
        for sample, part in zip(samples, np.split(totals, ends, axis=-1), strict=True):
            numbers |= sample.reduce(part)
        return numbers

    return replace(samples[0], rows=np.hstack([sample.rows for sample in samples]), reduce=reduce)


def average(samples: Sequence[Sample]) -> Sample:
    """Put different rows below each other; numbers are means of the samples', which are strata."""
    ends = np.cumsum([sample.rows.shape for sample in samples], axis=0)
    rows = np.zeros(ends[-1])
    for sample, (bottom, right) in zip(samples, ends, strict=True):
        n, k = sample.rows.shape
        rows[bottom - n : bottom, right - k : right] = sample.rows

    def reduce(totals: Floats) -> Numbers:
        split = np.split(totals, ends[:-1, 1], axis=-1)
        each = [sample.reduce(part) for sample, part in zip(samples, split, strict=True)]
        return {name: np.mean([numbers[name] for numbers in each], axis=0) for name in each[0]}

    strata = np.repeat(np.arange(len(samples)), [len(sample.rows) for sample in samples])
    return Sample(rows, reduce, strata=strata)


def means_of(columns: Mapping[str, Any], largest: Mapping[str, float] | None = None) -> Sample:
    """Return the sample of means, from name → (n,) numbers, NaN for a missing one.

    ``largest`` is that of the `Sample`, of shares.
    """
    values = np.stack([np.asarray(x, np.float64) for x in columns.values()], axis=1)
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
    sums: Floats = np.ascontiguousarray(rows).sum(axis=0)
    if np.isnan(sums).any():
        sums = np.ascontiguousarray(zero_missing(rows)).sum(axis=0)
    return sums


def zero_missing(rows: Floats) -> Floats:
    """Return (n, k) rows with 0 for NaN."""
    missing = np.isnan(rows)
    return np.where(missing, 0.0, rows) if missing.any() else rows


def _resample(samples: Sequence[Sample], resamples: int, seed: int) -> Sequence[Floats]:
    """Return (resamples, k) totals of each sample; they have the same units, drawn alike."""
    first, sizes_of_blocks = samples[0], None
    if len(first.units) > 1:
        rows = np.hstack([zero_missing(sample.rows) for sample in samples])
        sizes = {kind: int(codes.max()) + 1 for kind, codes in first.units.items()}
        counts = draws.draw(sizes, resamples, seed, at_once=draws.room(len(rows)))
        drawn = (multiply(kinds, first.units) for kinds in counts)
    else:
        sizes_of_blocks = first.drawn[1]
        parts = [sample.drawn[0] for sample in samples]
        rows = np.hstack(parts if sizes_of_blocks is None else [*parts, sizes_of_blocks[:, None]])
        sizes = {"": len(rows)}
        drawn = (counts[""] for counts in draws.draw(sizes, resamples, seed, first.strata))
    totals = np.concatenate([weights @ rows for weights in drawn])
    if sizes_of_blocks is not None:  # which differ
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
    if kept:
        yield kept


def _count_units(first: Sample, second: Sample) -> dict[str, int]:
    """Return name → number of units for which both have a single number."""
    numbers, others = (sample.reduce(sample.by_unit()) for sample in (first, second))
    counts = 1 if first.blocks is None else first.blocks.counts
    return {
        name: int(np.sum(counts * (~np.isnan(values) & ~np.isnan(others[name]))))
        for name, values in numbers.items()
        if values.ndim == 1
    }


def _test(
    first: Sample,
    second: Sample,
    resampled: Numbers,
    permutation_p: Mapping[str, float],
    confidence: float,
) -> dict[str, Difference]:
    """Return the difference of each single number, from those of resamples and after swaps."""
    before, after = first.value(), second.value()
    paired = (first.paired, second.paired)
    runs = paired != (first, second)
    gaps = any(side.has_gaps for side in paired)
    units = _count_units(*paired) if gaps else {}
    tests = {}
    for name, p in permutation_p.items():
        common = units.get(name, first.size)
        difference = float(after[name]) - float(before[name])
        if common < min(FEWEST, first.size):
            few = replace(NO_DIFFERENCE, value=difference, units=common, interval_decides=runs)
            tests[name] = few if common else NO_DIFFERENCE
            continue
        drawn, degrees = resampled[name], np.inf
        if runs:
            sides = [side.of_runs(name) for side in (first, second)]
            degrees = float(freedom(drawn, sides))
            drawn = widen(drawn, np.asarray(difference), sides, confidence)
        width = common if len(first.units) < 2 else MANY_UNITS
        interval = percentiles(drawn, confidence, width)
        least = float(round_down(before[name], after[name]))
        reach = p_of(difference, interval, confidence, degrees) if runs and interval else 0.0
        tests[name] = Difference(
            difference,
            interval or NO_DIFFERENCE.interval,
            _bootstrap_p(drawn, least) if common > 1 else None,
            p if common > 1 else None,
            units=common,
            interval_decides=runs,
            interval_p=reach,
        )
    return tests


def _bootstrap_p(values: Floats, least: float) -> float:
    """Return the share of values as far from their mean; the observed counts, NaN doesn't."""
    values = values[~np.isnan(values)]
    larger = np.count_nonzero(np.abs(values - values.mean()) >= least) if len(values) else 0
    return float((1 + larger) / (1 + len(values)))
