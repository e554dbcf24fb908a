"""Bootstrap intervals and paired tests on a metric's statistics.

A resample of examples is a sum of rows of the statistics matrix. So all resamples are one matrix
product and one vectorised reduction. Beyond `MANY` examples, random blocks of examples are drawn
and swapped instead. Intervals and p-values stay the same, up to chance. Memory: about 100 MB.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from statistics import NormalDist
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.support.errors import check_integer, check_number

Floats = NDArray[np.float64]
Scores = Mapping[str, Floats]
Reduce = Callable[[Floats], Scores]
Key = TypeVar("Key", bound=Hashable)

RESAMPLES = 1000
"""The default number of resamples."""

FEWEST = 10
"""The fewest examples that the bootstrap can test: with fewer its p-values are too small."""

POWER = 0.8
"""The share of tries in which a test finds the smallest difference that examples can detect."""

MOST_RESAMPLES = 1_000_000
"""Their totals take about 300 MB."""

MANY = 100_000
"""The most examples that are drawn and swapped one by one; of more examples random blocks are."""

BLOCKS = 4096
"""The number of blocks. The width of an interval varies by 1/√(2·4096), about 1.1 %."""

_RESAMPLES_AT_ONCE = 64
_ENTRIES_AT_ONCE = 2**22


@dataclass(frozen=True)
class Difference:
    """A system's score minus another's, with paired tests that they are equal.

    Attributes:
        value: The difference, on the examples of which both systems have a number; NaN without any.
        interval: [low, high] of the paired bootstrap.
        bootstrap_p: Two-sided p-value of the paired bootstrap test. None for a single example, or
            where one system lacks numbers and fewer than `FEWEST` examples have both.
        permutation_p: Two-sided p-value of the paired permutation test, likewise.
        bootstrap_p_holm: ``bootstrap_p`` adjusted for several systems, see `adjust`, or None.
        permutation_p_holm: ``permutation_p``, likewise.
    """

    value: float
    interval: list[float]
    bootstrap_p: float | None
    permutation_p: float | None
    bootstrap_p_holm: float | None = None
    permutation_p_holm: float | None = None

    @property
    def reversed(self) -> Difference:
        """The other system's score minus this one's."""
        low, high = self.interval
        return replace(self, value=-self.value, interval=[-high, -low])

    def is_significant(self, confidence: float) -> bool:
        """Whether Holm's p-value of the permutation test is below 1 − confidence."""
        return self.permutation_p_holm is not None and self.permutation_p_holm < 1 - confidence

    def p_values(self, holm: bool) -> list[float | None]:
        """Return the p-values of both tests; with ``holm`` each is followed by the adjusted one."""
        if not holm:
            return [self.bootstrap_p, self.permutation_p]
        return [
            *(self.bootstrap_p, self.bootstrap_p_holm),
            *(self.permutation_p, self.permutation_p_holm),
        ]

    def to_dict(self) -> dict[str, float | None]:
        """Return plain numbers: ``difference``, ``low``, ``high``, and the p-values."""
        low, high = self.interval
        names = ("bootstrap_p", "bootstrap_p_holm", "permutation_p", "permutation_p_holm")
        p_values = {name: getattr(self, name) for name in names}
        return {"difference": self.value, "low": low, "high": high, **p_values}


NO_DIFFERENCE = Difference(math.nan, [math.nan, math.nan], None, None)
"""The difference of systems of which no example has both numbers."""


def p_heads(bootstrap: str, permutation: str, holm: bool) -> list[str]:
    """Return the headings of `Difference.p_values` from those of the two tests."""
    return [bootstrap, "Holm", permutation, "Holm"] if holm else [bootstrap, permutation]


def check(confidence: float | None, resamples: int, seed: int, *, optional: bool = True) -> None:
    """Check the options of all intervals and tests; None may be an ``optional`` confidence."""
    if confidence is not None or not optional:
        check_number("confidence", confidence, 0, 1, inside=True)
    check_integer("resamples", resamples, 1, MOST_RESAMPLES)
    check_integer("seed", seed, 0)


def bootstrap(statistics: Floats, resamples: int, seed: int) -> Floats:
    """Return (resamples, k) totals of drawn examples; equal numbers of rows get equal draws."""
    rng = np.random.default_rng(seed)
    n = len(statistics)
    totals = []
    for m in _blocks(resamples, n):
        drawn = rng.integers(0, n, size=(m, n))
        drawn += n * np.arange(m)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=m * n).reshape(m, n)
        totals.append(counts.astype(np.float64) @ statistics)
    return np.concatenate(totals)


def total(statistics: Floats) -> Floats:
    """Return the (k,) sums of (n, k) rows."""
    sums: Floats = np.ascontiguousarray(statistics).sum(axis=0)  # other layouts round otherwise
    return sums


def sum_blocks(statistics: Floats) -> Floats:
    """Return (BLOCKS, k) sums of random blocks of (n, k) rows.

    Rows beside each other are often alike, in a sorted corpus or a document. So blocks of these
    would vary more.
    """
    blocks = np.random.default_rng(0).permutation(len(statistics)) % BLOCKS
    return np.stack([np.bincount(blocks, column, BLOCKS) for column in statistics.T], axis=1)


def resample(*statistics: Floats, resamples: int, seed: int) -> list[Floats]:
    """Return `bootstrap` totals of each of the statistics; beyond `MANY` rows, of blocks."""
    n = len(statistics[0])
    if n <= MANY:
        totals = bootstrap(np.hstack(statistics), resamples, seed)
    else:
        totals = bootstrap(sum_blocks(np.column_stack([*statistics, np.ones(n)])), resamples, seed)
        totals = totals[:, :-1] * n / totals[:, -1:]  # blocks differ in size by one example
    ends = np.cumsum([rows.shape[1] for rows in statistics])
    return np.split(totals, ends[:-1], axis=1)


def intervals(scores: Scores, confidence: float) -> dict[str, list[float]]:
    """Return name → percentile interval [low, high], or a list of m. NaN scores don't count."""
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    return {
        name: np.moveaxis(np.quantile(_defined(values), tails, axis=0), 0, -1).tolist()
        for name, values in scores.items()
    }


def _defined(values: Floats) -> Floats:
    """Return (resamples,) scores without NaN; 0 if all are NaN."""
    undefined = np.isnan(values)
    if values.ndim > 1 or not undefined.any():
        return values
    return np.zeros(1) if undefined.all() else values[~undefined]


def compute_differences(
    reduce: Reduce,
    baseline: Floats,
    system: Floats,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    reduce_resamples: Reduce | None = None,
    drawn: tuple[Scores, Scores] | None = None,
    gaps: Mapping[str, int] = MappingProxyType({}),
) -> dict[str, Difference]:
    """Test scores that are single numbers by both tests.

    ``drawn`` are scores of the resamples, ``gaps`` those of the metric, see `Metric.gaps`.
    """
    baseline, system, few = pair(baseline, system, gaps)
    observed = differences(reduce, total(baseline), total(system))
    if drawn is None:
        bootstrap_p, changes = paired_bootstrap(
            reduce, baseline, system, resamples, seed, reduce_resamples
        )
    else:
        changes = {name: drawn[1][name] - drawn[0][name] for name in observed}
        bootstrap_p = _bootstrap_p(observed, changes)
    permutation_p = paired_permutation(reduce, baseline, system, resamples, seed)
    bounds = intervals(changes, confidence)
    tests = {}
    for name, value in observed.items():
        tested = len(baseline) > 1 and name not in few
        p_values = (bootstrap_p[name], permutation_p[name]) if tested else (None, None)
        tests[name] = Difference(float(value), bounds[name], *p_values)
    return tests | {name: NO_DIFFERENCE for name, left in few.items() if not left and name in tests}


def pair(
    baseline: Floats, system: Floats, gaps: Mapping[str, int]
) -> tuple[Floats, Floats, dict[str, int]]:
    """Leave out the statistics that only one of two systems has, see `Metric.gaps`.

    Return both systems, and score → number of examples left, of those with too few to test.
    """
    if not gaps:
        return baseline, system, {}
    starts = sorted({*gaps.values()})
    present = (np.logical_or.reduceat(one != 0, starts, axis=1) for one in (baseline, system))
    both = np.logical_and(*present)
    left = dict(zip(starts, both.sum(axis=0).tolist(), strict=True))
    few = {name: left[i] for name, i in gaps.items() if left[i] < min(FEWEST, len(both))}
    kept = np.repeat(both, np.diff([*starts, baseline.shape[1]]), axis=1)
    return baseline * kept, system * kept, few


def compare_pairs(
    reduce: Reduce,
    systems: Mapping[Key, Floats],
    pairs: Collection[tuple[Key, Key]],
    reduce_resamples: Reduce,
    gaps: Mapping[str, int],
    **sampling: Any,
) -> dict[tuple[Key, Key], dict[str, Difference]]:
    """Test each pair as `compute_differences` does: the second's scores minus the first's."""
    resampling = {name: sampling[name] for name in ("resamples", "seed")}
    drawn: dict[Key, Scores] = {}
    if not gaps:  # equal seeds draw equal examples, so each system is drawn once for all pairs
        for name in dict.fromkeys(chain.from_iterable(pairs)):
            drawn[name] = reduce_resamples(*resample(systems[name], **resampling))
    return {
        (first, second): compute_differences(
            *(reduce, systems[first], systems[second]),
            reduce_resamples=reduce_resamples,
            drawn=None if gaps else (drawn[first], drawn[second]),
            gaps=gaps,
            **sampling,
        )
        for first, second in pairs
    }


def holm(p_values: Sequence[float]) -> list[float]:
    """Return Holm's (1979) adjusted p-values of several tests.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(raised, 1)
    return [float(p) for p in adjusted]


def adjust(tests: Mapping[Key, Mapping[str, Difference]]) -> dict[Key, dict[str, Difference]]:
    """Return differences with p-values adjusted for the number of systems, score by score."""
    adjusted = {key: dict(test) for key, test in tests.items()}
    for name in dict.fromkeys(chain.from_iterable(tests.values())):
        for field in ("bootstrap_p", "permutation_p"):
            found = {key: getattr(test[name], field) for key, test in tests.items() if name in test}
            p_values = {key: p for key, p in found.items() if p is not None}
            for key, p in zip(p_values, holm([*p_values.values()]), strict=True):
                change: dict[str, Any] = {f"{field}_holm": p}
                adjusted[key][name] = replace(adjusted[key][name], **change)
    return adjusted


def best(
    reduce: Reduce,
    systems: Mapping[Key, Floats],
    score: str,
    *,
    lower: bool,
    confidence: float,
    resamples: int,
    seed: int,
    tested: Mapping[frozenset[Key], float | None] = MappingProxyType({}),
    gaps: Mapping[str, int] = MappingProxyType({}),
) -> list[Key]:
    """Return the best system, and all that do not differ significantly from it; none of one."""
    if len(systems) < 2 or len(next(iter(systems.values()))) < 2:
        return []
    sign = -1 if lower else 1
    values = {name: sign * float(reduce(total(rows))[score]) for name, rows in systems.items()}
    top = max(values, key=lambda name: values[name])
    p_values: dict[Key, float] = {}  # without those of too few examples
    for name in systems:
        first, other, few = pair(systems[top], systems[name], gaps)
        if name != top and score not in few:
            p = tested.get(frozenset((top, name)))
            tests = paired_permutation(reduce, first, other, resamples, seed) if p is None else {}
            p_values[name] = tests[score] if p is None else p
    adjusted = zip(p_values, holm([*p_values.values()]), strict=True)
    behind = {name for name, p in adjusted if p < 1 - confidence}
    return [name for name in systems if name not in behind]


def smallest_p(examples: int, resamples: int) -> float:
    """Return the smallest p-value that the permutation test can give."""
    return 2 / 2**examples if _exact(examples, resamples) else 1 / (1 + resamples)


def caution(examples: int, resamples: int) -> str:
    """Return a warning of tests with few examples; "" if there are enough."""
    if examples >= FEWEST:
        return ""
    if examples == 1:
        return "one example: no test can tell systems apart by it, so there is no p-value"
    return (
        f"{examples} examples: the bootstrap cannot test so few, its p-values are too small; the "
        f"smallest that the permutation test can give is {smallest_p(examples, resamples):.3g}"
    )


def detectable(interval: Sequence[float], confidence: float) -> float | None:
    """Return the smallest difference that a test finds in 80 % of tries, by a paired interval.

    The test is at 1 − confidence. At 95 % the difference is 2.80 standard errors, or 0.715 widths
    of the interval. None where all resamples have the same difference.

    >>> round(detectable([-1, 1], 0.95), 2)
    1.43
    """
    width, z = interval[1] - interval[0], -NormalDist().inv_cdf((1 - confidence) / 2)
    if not (width > 1e-9 and z > 0):
        return None
    return width * (z + NormalDist().inv_cdf(POWER)) / (2 * z)


def paired_bootstrap(
    reduce: Reduce,
    baseline: Floats,
    system: Floats,
    resamples: int,
    seed: int,
    reduce_resamples: Reduce | None = None,
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Test by a two-sided paired bootstrap (Koehn 2004): return p-values and resampled differences.

    sacrebleu takes absolute values before it centres, which leaves one of the two tails. So its
    p-values are about half of these. Resamples in which a score is NaN don't count.
    """
    observed = differences(reduce, total(baseline), total(system))
    both = resample(baseline, system, resamples=resamples, seed=seed)
    drawn = differences(reduce_resamples or reduce, *both)
    return _bootstrap_p(observed, drawn), drawn


def _bootstrap_p(observed: Scores, drawn: Scores) -> dict[str, float]:
    centred = {name: values - _defined(values).mean() for name, values in drawn.items()}
    return _p_values(observed, centred)


def paired_permutation(
    reduce: Reduce, baseline: Floats, system: Floats, resamples: int, seed: int
) -> dict[str, float]:
    """Test by a two-sided paired permutation test that two systems have equal scores.

    The outputs of examples are swapped at random, or in all 2**n ways if these aren't more than the
    resamples. Beyond `MANY` examples, whole random blocks are swapped.
    """
    total_baseline, total_system = total(baseline), total(system)
    change = system - baseline
    if len(change) > MANY:
        change = sum_blocks(change)
    blocks = []
    for swaps in assignments(len(change), resamples, seed):
        swap = swaps.astype(np.float64) @ change
        blocks.append(differences(reduce, total_baseline + swap, total_system - swap))
    permuted = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    return _p_values(differences(reduce, total_baseline, total_system), permuted)


def _exact(n: int, resamples: int) -> bool:
    """Whether all assignments of n examples are no more than the resamples."""
    return n <= math.log2(resamples)


def assignments(n: int, resamples: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """Yield (m, n) examples to swap: at random, or all ways except none."""
    if _exact(n, resamples):
        first = 1  # the observed assignment, 0, is counted by `_p_values`
        for m in _blocks(2**n - 1, n):
            yield (np.arange(first, first + m)[:, None] >> np.arange(n)) & 1 > 0
            first += m
        return
    rng = np.random.default_rng(seed)
    for m in _blocks(resamples, n):
        yield rng.random((m, n)) < 0.5


def differences(reduce: Reduce, baseline: Floats, system: Floats) -> dict[str, Floats]:
    """Return name → score of system − score of baseline, from totals; only single numbers."""
    scores, others = reduce(system), reduce(baseline)
    leading = baseline.ndim - 1
    return {
        name: values - others[name] for name, values in scores.items() if values.ndim == leading
    }


def _p_values(observed: Scores, resampled: Scores) -> dict[str, float]:
    # Equal differences may differ by rounding in the order of their sums.
    return {
        name: float(
            (1 + np.count_nonzero(np.abs(values) >= np.abs(observed[name]) - 1e-12))
            / (1 + np.count_nonzero(~np.isnan(values)))
        )
        for name, values in resampled.items()
    }


def _blocks(resamples: int, n: int) -> Iterator[int]:
    at_once = max(1, min(_RESAMPLES_AT_ONCE, _ENTRIES_AT_ONCE // n))
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)
