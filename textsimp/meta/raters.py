"""How far raters agree with each other: Krippendorff's alpha, and the share with a majority.

Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", University of Pennsylvania.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import significance, tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats
from textsimp.core.sample import Sample, percentiles
from textsimp.core.tables import Grid, Tabular
from textsimp.meta import ratings as reading
from textsimp.support.errors import check_choice

Level = Literal["nominal", "ordinal", "interval"]
_STEPS = 20  # of a scale whose pairs of steps are counted


@dataclass(frozen=True)
class RaterAgreement(Tabular):
    """Agreement of raters.

    Attributes:
        alpha: Krippendorff's: 1 is perfect agreement, 0 what chance gives; None where undefined.
        interval: [low, high] of the bootstrap over outputs; None if none was asked for, or without
            an alpha. Resamples in which it is undefined don't count.
        majority: Share of the outputs to which more than half of the raters gave the same rating.
        level: The level of measurement that alpha took.
        outputs: How many have two ratings or more; the others are left out of all numbers.
        ratings: How many ratings these have.
        reason: Why there is no alpha.
    """

    alpha: float | None
    interval: list[float] | None
    majority: float | None
    level: Level
    outputs: int
    ratings: int
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    def grid(self) -> Grid:
        """Return one row."""
        alpha = "–" if self.alpha is None else tables.cell(self.alpha, self.interval, 3)
        majority = "–" if self.majority is None else tables.number(self.majority, 3)
        header = ["level", "alpha", "with a majority", "outputs", "ratings"]
        cells = [self.level, alpha, majority, f"{self.outputs:,}", f"{self.ratings:,}"]
        return Grid(header, [cells], [self.reason] if self.reason else [])


def rater_agreement(
    ratings: Any,
    *,
    level: Level = "interval",
    labels: Sequence[Any] | Mapping[Any, float | None] | None = None,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RaterAgreement:
    """Measure how far raters agree with each other.

    Args:
        ratings: A list of raters' ratings per output; None where a rater gave none.
        level: What differences between ratings mean: ``"nominal"``, equal or not; ``"ordinal"``,
            how many ratings lie between; ``"interval"``, the difference.
        labels: See `textsimp.meta.correlate`.
        confidence: Coverage of the interval; None for none.
        resamples: Number of bootstrap resamples, of outputs.
        seed: Their seed.

    Example:
        >>> from textsimp import meta
        >>> raters = meta.rater_agreement([[1, 1], [2, 2], [3, 4], [4, None]], confidence=None)
        >>> round(raters.alpha, 3), raters.majority
        (0.878, 0.6666666666666666)
        >>> meta.rater_agreement([[3, 3], [3, 3]]).reason
        'all ratings are the same, so chance would agree as well'
    """
    check_choice("level", level, get_args(Level))
    significance.check(confidence, resamples, seed)
    values = reading.matrix(ratings, "ratings", labels)
    return measure_agreement(values, level, confidence, resamples, seed)


def measure_agreement(
    values: Floats, level: Level, confidence: float | None, resamples: int, seed: int
) -> RaterAgreement:
    """Return `rater_agreement` of (n, raters) numbers, NaN for none, in any order within a row."""
    values = values[np.count_nonzero(~np.isnan(values), axis=1) > 1]
    if not len(values):
        return RaterAgreement(None, None, None, level, 0, 0, "no output has two ratings")
    alpha, interval = krippendorff(values, level), None
    if alpha is not None and confidence is not None:
        alphas = _resample(values, level, resamples, seed)
        defined = alphas[np.isfinite(alphas)]
        if len(defined):
            interval = percentiles(defined, confidence)
    rated = int(np.count_nonzero(~np.isnan(values)))
    reason = "all ratings are the same, so chance would agree as well" if alpha is None else ""
    same = (values[:, :, None] == values[:, None, :]).sum(axis=2)
    majority = float(np.mean(same.max(axis=1) > np.count_nonzero(~np.isnan(values), axis=1) / 2))
    return RaterAgreement(alpha, interval, majority, level, len(values), rated, reason)


def krippendorff(values: Floats, level: Level = "interval") -> float | None:
    """Return Krippendorff's alpha of (n, raters); None if all are the same, or no row has two."""
    present = ~np.isnan(values)
    paired = present.sum(axis=1) > 1
    values, present = values[paired], present[paired]
    distinct, codes, counts = np.unique(values[present], return_inverse=True, return_counts=True)
    if len(distinct) < 2:
        return None
    if level == "nominal":
        distinct = np.arange(len(distinct), dtype=float)
    elif level == "ordinal":  # the distance is that of the ranks in the middle of each rating's
        distinct = np.cumsum(counts) - counts / 2
    else:
        distinct = distinct / np.abs(distinct).max()
    values = np.full(values.shape, np.nan)
    values[present] = distinct[codes]
    pairs = np.nan_to_num(values[:, :, None] - values[:, None, :]) ** 2
    if level == "nominal":
        pairs = np.sign(pairs)
    observed = (pairs.sum(axis=(1, 2)) / (present.sum(axis=1) - 1)).sum()
    n = counts.sum()
    if level == "nominal":
        expected = n**2 - (counts**2).sum()
    else:
        expected = 2 * n * (counts @ (distinct - counts @ distinct / n) ** 2)
    return float(1 - (n - 1) * observed / expected)


def _resample(values: Floats, level: Level, resamples: int, seed: int) -> Floats:
    """Return the alphas of rows drawn with replacement: (resamples,), NaN where undefined."""
    if level != "interval" and len(np.unique(values[~np.isnan(values)])) <= _STEPS:
        return _resample_steps(values, level, resamples, seed)
    if level != "interval":
        rng = np.random.default_rng(seed)
        draws = (rng.integers(0, len(values), len(values)) for _ in range(resamples))
        return np.array([krippendorff(values[rows], level) for rows in draws], np.float64)
    # Squared differences of many numbers follow from sums of them and of their squares.
    present = ~np.isnan(values)
    values = values / np.nanmax(np.abs(values))
    centred = np.where(present, values - np.nanmean(values), 0)
    n, sums, squares = present.sum(axis=1), centred.sum(axis=1), (centred**2).sum(axis=1)
    observed = 2 * (n * squares - sums**2) / (n - 1)
    rows = np.column_stack([n, sums, squares, observed])
    n, sums, squares, observed = _totals(rows, resamples, seed).T
    expected = 2 * (n * squares - sums**2)
    varied = expected > 1e-12 * n * squares  # else all the same, but for rounding
    alphas = np.full(resamples, np.nan)
    np.divide((n - 1) * observed, expected, out=alphas, where=varied)
    return 1 - alphas


def _resample_steps(values: Floats, level: Level, resamples: int, seed: int) -> Floats:
    """Return the same for a scale of few steps, from sums of the outputs' coincidences."""
    steps = np.unique(values[~np.isnan(values)])
    counts = (values[:, :, None] == steps).sum(axis=1).astype(np.float64)  # (n, k)
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(len(steps))
    pairs /= counts.sum(axis=1)[:, None, None] - 1
    drawn = _totals(pairs.reshape(len(values), -1), resamples, seed)
    coincidences = drawn.reshape(resamples, len(steps), len(steps))
    of_step = coincidences.sum(axis=2)
    if level == "nominal":
        distance = np.broadcast_to(1 - np.eye(len(steps)), coincidences.shape)
    else:
        rank = np.cumsum(of_step, axis=1) - of_step / 2
        distance = (rank[:, :, None] - rank[:, None, :]) ** 2
    observed = (coincidences * distance).sum(axis=(1, 2))
    expected = (of_step[:, :, None] * of_step[:, None, :] * distance).sum(axis=(1, 2))
    alphas = np.full(resamples, np.nan)
    np.divide((of_step.sum(axis=1) - 1) * observed, expected, out=alphas, where=expected > 0)
    return 1 - alphas


def _totals(rows: Floats, resamples: int, seed: int) -> Floats:
    return Sample(rows, lambda totals: {"": totals}).resample(resamples=resamples, seed=seed)[""]
