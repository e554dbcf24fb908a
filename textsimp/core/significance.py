"""Bootstrap intervals and paired tests, on a metric's statistics instead of its texts.

Resampling examples means summing some rows of the statistics matrix, so all resamples are one
matrix product and one vectorised reduction. Of more than `textsimp.core.sums.MANY` examples random
blocks of them are drawn, and swapped, instead: a resample's totals are scaled to the number of
examples, since blocks differ in size. The sums of random blocks vary as the examples do, so
intervals are as wide and p-values as large, but for chance. Memory: about 100 MB.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.sums import Sums
from textsimp.support.errors import check_integer, check_number

Floats = NDArray[np.float64]
RowsOrSums = Floats | Sums
"""(n, k) rows, one per example, or what is kept of them."""
Scores = Mapping[str, Floats]
Reduce = Callable[[Floats], Scores]
Key = TypeVar("Key", bound=Hashable)

RESAMPLES = 1000
"""The default number of resamples."""

FEWEST = 10
"""Examples that the bootstrap can test: of fewer its p-values are too small."""

_RESAMPLES_AT_ONCE = 64
_ENTRIES_AT_ONCE = 2**22
_MANY_EXAMPLES = 10_000  # which, if a tenth of them or fewer differ, are drawn by kind
_MOST_RESAMPLES = 1_000_000  # whose totals take some 300 MB


@dataclass(frozen=True)
class Difference:
    """A score of a system minus that of another, with paired tests that they are alike.

    Attributes:
        value: The difference.
        interval: [low, high] of the paired bootstrap.
        bootstrap_p: Two-sided p-value of the paired bootstrap test; None of a single example.
        permutation_p: Of the paired permutation test.
        bootstrap_p_holm: Adjusted for the number of systems that are tested, see `adjusted`; None
            where they weren't tested together.
        permutation_p_holm: So of the permutation test.
    """

    value: float
    interval: list[float]
    bootstrap_p: float | None
    permutation_p: float | None
    bootstrap_p_holm: float | None = None
    permutation_p_holm: float | None = None

    def p_values(self, holm: bool) -> list[float | None]:
        """Of the bootstrap and of the permutation test, each followed by Holm's if asked for."""
        if not holm:
            return [self.bootstrap_p, self.permutation_p]
        return [
            *(self.bootstrap_p, self.bootstrap_p_holm),
            *(self.permutation_p, self.permutation_p_holm),
        ]

    def to_dict(self) -> dict[str, float | None]:
        """A number in each: ``difference``, ``low``, ``high``, and the p-values."""
        low, high = self.interval
        return {
            "difference": self.value,
            "low": low,
            "high": high,
            "bootstrap_p": self.bootstrap_p,
            "bootstrap_p_holm": self.bootstrap_p_holm,
            "permutation_p": self.permutation_p,
            "permutation_p_holm": self.permutation_p_holm,
        }


def p_heads(bootstrap: str, permutation: str, holm: bool) -> list[str]:
    """What columns of `Difference.p_values` are called, given what those of the tests are."""
    return [bootstrap, "Holm", permutation, "Holm"] if holm else [bootstrap, permutation]


def check(confidence: float | None, resamples: int, seed: int, *, optional: bool = True) -> None:
    """Check the options that all intervals and tests share.

    Args:
        confidence: Coverage of the intervals.
        resamples: Number of resamples.
        seed: Their seed.
        optional: Whether there may be no intervals, and ``confidence`` None.

    Raises:
        InputError: ``confidence`` not in (0, 1), ``resamples`` not in 1 to a million, ``seed`` < 0.
    """
    if confidence is not None or not optional:
        check_number("confidence", confidence, 0, 1, inside=True)
    check_integer("resamples", resamples, 1, _MOST_RESAMPLES)
    check_integer("seed", seed, 0)


def bootstrap(statistics: Floats, resamples: int, seed: int) -> Floats:
    """Totals of examples drawn with replacement.

    Args:
        statistics: (n, k) the statistics, one row per example.
        resamples: How many times n examples are drawn.
        seed: Statistics of the same number of rows get the same draws, so systems that are
            scored on the same data can be compared resample by resample.

    Returns:
        (resamples, k) sums.
    """
    rng = np.random.default_rng(seed)
    n = len(statistics)
    totals = []
    for m in _blocks(resamples, n):
        drawn = rng.integers(0, n, size=(m, n))
        drawn += n * np.arange(m)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=m * n).reshape(m, n)
        totals.append(counts.astype(np.float64) @ statistics)
    return np.concatenate(totals)


def resampled(*statistics: RowsOrSums, resamples: int, seed: int) -> list[Floats]:
    """Totals of resamples, as `bootstrap` draws them, or faster where there are many examples.

    Of those beyond `sums.MANY` random blocks are drawn; of many of few kinds, kinds: of
    100,000 rows of labels hardly a hundred differ.

    Args:
        *statistics: (n, k) each, of the same examples, which get the same draws.
        resamples: How many times n examples are drawn.
        seed: Of the draws.

    Returns:
        (resamples, k) sums of each of the statistics.
    """
    sums = [Sums.of(one) for one in statistics]
    (*_, sizes), *_ = units = [one.units for one in sums]
    ends = np.cumsum([rows.shape[1] for rows, _ in units])
    together = np.hstack([rows for rows, _ in units])
    if sizes is None:
        drawn = _resampled(together, resamples, seed)
    else:
        drawn = bootstrap(np.hstack([together, sizes[:, None]]), resamples, seed)
        drawn = drawn[:, :-1] * len(sums[0]) / drawn[:, -1:]  # exact where all rows have a 1
    return np.split(drawn, ends[:-1], axis=1)


def _resampled(statistics: Floats, resamples: int, seed: int) -> Floats:
    kinds = _kinds(statistics)
    if kinds is None:
        return bootstrap(statistics, resamples, seed)
    rows, counts = kinds
    rng = np.random.default_rng(seed)
    n, shares = len(statistics), counts / counts.sum()
    blocks = (rng.multinomial(n, shares, m) for m in _blocks(resamples, len(rows)))
    return np.concatenate([drawn.astype(np.float64) @ rows for drawn in blocks])


def _kinds(statistics: Floats) -> tuple[Floats, Floats] | None:
    """The distinct rows and how often each occurs, if there are many rows and few of these."""
    n, k = statistics.shape
    if n < _MANY_EXAMPLES:
        return None
    rows = np.ascontiguousarray(statistics).view(np.dtype((np.void, k * statistics.itemsize)))
    counts: Counter[bytes] = Counter()
    for start in range(0, n, _MANY_EXAMPLES):
        counts.update(rows[start : start + _MANY_EXAMPLES, 0].tolist())
        if 10 * len(counts) > n:
            return None
    distinct = np.frombuffer(b"".join(counts), statistics.dtype).reshape(-1, k)
    return distinct, np.fromiter(counts.values(), np.float64)


def _swapped(changes: Floats, counts: Floats, resamples: int, seed: int) -> Iterator[Floats]:
    """Sums of changes where each example's is taken or not, by chance, of distinct ones."""
    rng = np.random.default_rng(seed)
    for m in _blocks(resamples, len(changes)):
        yield rng.binomial(counts.astype(np.int64), 0.5, (m, len(counts))) @ changes


def intervals(scores: Scores, confidence: float) -> dict[str, list[float]]:
    """Percentile intervals.

    Args:
        scores: name → (resamples,) scores of the resamples, or (resamples, m) for a list of m.
            Resamples in which a single score is NaN, so undefined, don't count.
        confidence: Coverage, such as 0.95.

    Returns:
        name → [low, high], or a list of m of these.
    """
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    return {
        name: np.moveaxis(np.quantile(_defined(values), tails, axis=0), 0, -1).tolist()
        for name, values in scores.items()
    }


def _defined(values: Floats) -> Floats:
    """(resamples,) scores without NaN; 0 if there is nothing else."""
    undefined = np.isnan(values)
    if values.ndim > 1 or not undefined.any():
        return values
    return np.zeros(1) if undefined.all() else values[~undefined]


def paired(
    reduce: Reduce,
    baseline: RowsOrSums,
    system: RowsOrSums,
    *,
    confidence: float,
    resamples: int,
    seed: int,
    of_resamples: Reduce | None = None,
    drawn: tuple[Scores, Scores] | None = None,
) -> dict[str, Difference]:
    """Both paired tests of every score that is a single number: system − baseline.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: Of the other, same examples.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        of_resamples: See `paired_bootstrap`.
        drawn: Scores of resamples of both, the same draws, if there are some already: where many
            pairs are tested, each system needs them only once.
    """
    baseline, system = Sums.of(baseline), Sums.of(system)
    observed = differences(reduce, baseline.total, system.total)
    if drawn is None:
        found = paired_bootstrap(reduce, baseline, system, resamples, seed, of_resamples)
        bootstrap_p, changes = found
    else:
        changes = {name: drawn[1][name] - drawn[0][name] for name in observed}
        bootstrap_p = _bootstrap_p(observed, changes)
    permutation_p = paired_permutation(reduce, baseline, system, resamples, seed)
    bounds = intervals(changes, confidence)
    tests = {}
    for name, value in observed.items():
        p_values = (bootstrap_p[name], permutation_p[name]) if len(baseline) > 1 else (None, None)
        tests[name] = Difference(float(value), bounds[name], *p_values)
    return tests


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's (1979) adjusted p-values, which hold for all of several tests together.

    Reject those up to a level of 5 %, and the chance that any rejection is wrong is at most 5 %,
    whatever depends on what.

    >>> holm([0.01, 0.5, 0.02])
    [0.03, 0.5, 0.04]
    """
    values = np.asarray(p_values, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    raised = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    found = np.empty_like(values)
    found[order] = np.minimum(raised, 1)
    return [float(p) for p in found]


def adjusted(tests: Mapping[Key, Mapping[str, Difference]]) -> dict[Key, dict[str, Difference]]:
    """Differences with Holm's adjusted p-values.

    What is adjusted for is the number of systems, score by score: each score answers a question of
    its own.

    Args:
        tests: System, or pair of systems → score → its difference; all of the same scores.
    """
    found = {key: dict(test) for key, test in tests.items()}
    for name in next(iter(tests.values()), {}):
        for field in ("bootstrap_p", "permutation_p"):
            p_values = [getattr(test[name], field) for test in tests.values()]
            if None not in p_values:
                for test, p in zip(found.values(), holm(p_values), strict=True):
                    adjusted_p: dict[str, Any] = {f"{field}_holm": p}
                    test[name] = replace(test[name], **adjusted_p)
    return found


def best(
    reduce: Reduce,
    systems: Mapping[Key, RowsOrSums],
    score: str,
    *,
    lower: bool,
    confidence: float,
    resamples: int,
    seed: int,
    tested: Mapping[frozenset[Key], float | None] = MappingProxyType({}),
) -> list[Key]:
    """Return the best system, and all that do not differ significantly from it.

    Args:
        reduce: The metric's reduction.
        systems: Name → (n, k) statistics, of the same examples.
        score: The score that says which is best.
        lower: Whether lower values are better.
        confidence: Two are told apart where Holm's adjusted p-value, of the tests of the best
            system and each other one, is below 1 − confidence.
        resamples: Number of random assignments.
        seed: Seed of the assignments.
        tested: Pair of systems → p-value of the same test, where there is one already.

    Returns:
        Their names as they were given; none if there is nothing to test, a single example or
        system.
    """
    if len(systems) < 2 or len(next(iter(systems.values()))) < 2:
        return []
    sums = {name: Sums.of(rows) for name, rows in systems.items()}
    sign = -1 if lower else 1
    values = {name: sign * float(reduce(rows.total)[score]) for name, rows in sums.items()}
    top = max(values, key=lambda name: values[name])
    others = [name for name in systems if name != top]
    p_values = []
    for name in others:
        p = tested.get(frozenset((top, name)))
        if p is None:
            p = paired_permutation(reduce, sums[top], sums[name], resamples, seed)[score]
        p_values.append(p)
    tied = {name for name, p in zip(others, holm(p_values), strict=True) if p >= 1 - confidence}
    return [name for name in systems if name == top or name in tied]


def smallest_p(examples: int, resamples: int) -> float:
    """The smallest p-value that the permutation test can give."""
    return 2 / 2**examples if _exact(examples, resamples) else 1 / (1 + resamples)


def caution(examples: int, resamples: int) -> str:
    """What is to be said of tests of so few examples; nothing of enough."""
    if examples >= FEWEST:
        return ""
    if examples == 1:
        return "one example: no test can tell systems apart by it, so there is no p-value"
    return (
        f"{examples} examples: the bootstrap cannot test so few, its p-values are too small; the "
        f"smallest that the permutation test can give is {smallest_p(examples, resamples):.3g}"
    )


def paired_bootstrap(
    reduce: Reduce,
    baseline: RowsOrSums,
    system: RowsOrSums,
    resamples: int,
    seed: int,
    of_resamples: Reduce | None = None,
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Two-sided paired bootstrap test (Koehn 2004) that two systems score alike.

    sacrebleu's takes absolute values before it centres, which leaves one of the two tails: its
    p-values are about half of these, and of those of its own permutation test.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: Of the other, same examples.
        resamples: Number of resamples.
        seed: Seed of the draws.
        of_resamples: The metric's reduction of resamples, where that is another: those in which a
            score is NaN don't count. (A permutation test may take any statistic.)

    Returns:
        name → p-value: how often a resampled difference, shifted to mean 0, is at least as large
        as the observed one, counting the observed one itself; and name → (resamples,) the
        differences system − baseline.
    """
    baseline, system = Sums.of(baseline), Sums.of(system)
    observed = differences(reduce, baseline.total, system.total)
    both = resampled(baseline, system, resamples=resamples, seed=seed)
    drawn = differences(of_resamples or reduce, *both)
    return _bootstrap_p(observed, drawn), drawn


def _bootstrap_p(observed: Scores, drawn: Scores) -> dict[str, float]:
    centred = {name: values - _defined(values).mean() for name, values in drawn.items()}
    return _p_values(observed, centred)


def paired_permutation(
    reduce: Reduce, baseline: RowsOrSums, system: RowsOrSums, resamples: int, seed: int
) -> dict[str, float]:
    """Two-sided paired permutation test (approximate randomisation) that two systems score alike.

    Under the hypothesis it makes no difference which system wrote which of an example's two
    outputs, so they are swapped at random; or in all 2**n ways, where these aren't more than the
    resamples, which makes the test exact. The smallest p-value there can be is 1 / (1 + resamples),
    or of an exact test 2 / 2**n. Of more than `sums.MANY` examples whole random blocks are
    swapped.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: Of the other, same examples.
        resamples: Number of random assignments.
        seed: Seed of the assignments.

    Returns:
        name → p-value, counting the observed assignment itself.
    """
    baseline, system = Sums.of(baseline), Sums.of(system)
    total_baseline, total_system = baseline.total, system.total
    change = system.units[0] - baseline.units[0]
    kinds = _kinds(change)
    blocks = []
    swaps: Iterator[Floats] = (
        assignments.astype(np.float64) @ change
        for assignments in _assignments(len(change), resamples, seed)
    )
    if kinds is not None:
        swaps = _swapped(*kinds, resamples, seed)
    for swapped in swaps:
        blocks.append(differences(reduce, total_baseline + swapped, total_system - swapped))
    permuted = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    return _p_values(differences(reduce, total_baseline, total_system), permuted)


def _exact(n: int, resamples: int) -> bool:
    """Whether there are no more assignments of n examples than would be drawn."""
    return n <= math.log2(resamples)


def _assignments(n: int, resamples: int, seed: int) -> Iterator[NDArray[np.bool_]]:
    """(m, n) which examples are swapped: at random, or in all ways but not at all."""
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
    """name → score of system − score of baseline, from totals; single numbers only."""
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
