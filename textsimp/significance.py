"""Bootstrap intervals and paired tests, on a metric's statistics instead of its texts.

Resampling examples means summing some rows of the statistics matrix, so all resamples are one
matrix product and one vectorised reduction. They are drawn in blocks of at most 2**22 entries:
about 100 MB, however many examples there are (up to four million).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from textsimp.columns import InputError

Floats = NDArray[np.float64]
Scores = Mapping[str, Floats]
Reduce = Callable[[Floats], Scores]

_RESAMPLES_AT_ONCE = 64
_ENTRIES_AT_ONCE = 2**22
_MOST_RESAMPLES = 1_000_000  # whose totals take some 300 MB


@dataclass(frozen=True)
class Difference:
    """A score of a system minus that of another, with paired tests that they are alike.

    Attributes:
        value: The difference.
        interval: [low, high] of the paired bootstrap.
        bootstrap_p: Two-sided p-value of the paired bootstrap test.
        permutation_p: Of the paired permutation test.
    """

    value: float
    interval: list[float]
    bootstrap_p: float
    permutation_p: float


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
    coverage = isinstance(confidence, (float, np.floating)) and 0 < confidence < 1
    if not coverage and not (confidence is None and optional):
        raise InputError(f"confidence: expected a number between 0 and 1, got {confidence!r}")
    for name, value, least in (("resamples", resamples, 1), ("seed", seed, 0)):
        if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
            raise InputError(f"{name}: expected an integer of at least {least}, got {value!r}")
    if resamples > _MOST_RESAMPLES:
        raise InputError(f"resamples: expected at most {_MOST_RESAMPLES:,}, got {resamples!r}")


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


def intervals(scores: Scores, confidence: float) -> dict[str, list[float]]:
    """Percentile intervals.

    Args:
        scores: name → (resamples,) scores of the resamples, or (resamples, m) for a list of m.
        confidence: Coverage, such as 0.95.

    Returns:
        name → [low, high], or a list of m of these.
    """
    tails = [(1 - confidence) / 2, (1 + confidence) / 2]
    return {
        name: np.moveaxis(np.quantile(values, tails, axis=0), 0, -1).tolist()
        for name, values in scores.items()
    }


def paired(
    reduce: Reduce,
    baseline: Floats,
    system: Floats,
    *,
    confidence: float,
    resamples: int,
    seed: int,
) -> dict[str, Difference]:
    """Both paired tests of every score that is a single number: system − baseline.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: (n, k) statistics of the other, same examples.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
    """
    observed = differences(reduce, baseline.sum(axis=0), system.sum(axis=0))
    bootstrap_p, resampled = paired_bootstrap(reduce, baseline, system, resamples, seed)
    permutation_p = paired_permutation(reduce, baseline, system, resamples, seed)
    bounds = intervals(resampled, confidence)
    return {
        name: Difference(float(value), bounds[name], bootstrap_p[name], permutation_p[name])
        for name, value in observed.items()
    }


def paired_bootstrap(
    reduce: Reduce, baseline: Floats, system: Floats, resamples: int, seed: int
) -> tuple[dict[str, float], dict[str, Floats]]:
    """Two-sided paired bootstrap test (Koehn 2004) that two systems score alike.

    sacrebleu's takes absolute values before it centres, which leaves one of the two tails: its
    p-values are about half of these, and of those of its own permutation test.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: (n, k) statistics of the other, same examples.
        resamples: Number of resamples.
        seed: Seed of the draws.

    Returns:
        name → p-value: how often a resampled difference, shifted to mean 0, is at least as large
        as the observed one, counting the observed one itself; and name → (resamples,) the
        differences system − baseline.
    """
    observed = differences(reduce, baseline.sum(axis=0), system.sum(axis=0))
    resampled = differences(
        reduce, bootstrap(baseline, resamples, seed), bootstrap(system, resamples, seed)
    )
    centred = {name: values - values.mean(axis=0) for name, values in resampled.items()}
    return _p_values(observed, centred), resampled


def paired_permutation(
    reduce: Reduce, baseline: Floats, system: Floats, resamples: int, seed: int
) -> dict[str, float]:
    """Two-sided paired permutation test (approximate randomisation) that two systems score alike.

    Under the hypothesis it makes no difference which system wrote which of an example's two
    outputs, so they are swapped at random.

    Args:
        reduce: The metric's reduction.
        baseline: (n, k) statistics of one system.
        system: (n, k) statistics of the other, same examples.
        resamples: Number of random assignments.
        seed: Seed of the assignments.

    Returns:
        name → p-value, counting the observed assignment itself.
    """
    rng = np.random.default_rng(seed)
    n = len(baseline)
    total_baseline, total_system = baseline.sum(axis=0), system.sum(axis=0)
    change = system - baseline
    blocks = []
    for m in _blocks(resamples, n):
        swapped = (rng.random((m, n)) < 0.5).astype(np.float64) @ change
        blocks.append(differences(reduce, total_baseline + swapped, total_system - swapped))
    permuted = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    return _p_values(differences(reduce, total_baseline, total_system), permuted)


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
            / (1 + len(values))
        )
        for name, values in resampled.items()
    }


def _blocks(resamples: int, n: int) -> Iterator[int]:
    at_once = max(1, min(_RESAMPLES_AT_ONCE, _ENTRIES_AT_ONCE // n))
    for start in range(0, resamples, at_once):
        yield min(at_once, resamples - start)
