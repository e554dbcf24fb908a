"""How far raters agree with each other: Krippendorff's alpha, and the share with a majority.

Krippendorff (2011), "Computing Krippendorff's Alpha-Reliability", University of Pennsylvania.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import draws, tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.intervals import FEW_UNITS, MANY_UNITS
from textsimp.core.metric import Floats
from textsimp.core.sample import Ints, Sample, WeightedSample, percentiles
from textsimp.core.tables import Grid, Tabular
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.support.errors import check_choice, check_sampling

MeasurementLevel = Literal["nominal", "ordinal", "interval"]


@dataclass(frozen=True)
class RaterAgreement(Tabular):
    """Agreement of raters.

    Attributes:
        alpha: Krippendorff's: 1 is perfect agreement, 0 what chance gives; None where undefined.
        interval: [low, high] of the bootstrap over sources, for these raters; None without an
            alpha or a confidence. Resamples without an alpha are left out. `rater_agreement`
            resamples outputs.
        majority: Share of the outputs to which more than half of the raters gave the same rating.
        level: The level of measurement that alpha took.
        outputs: How many outputs have two ratings or more; all numbers leave out the others.
        ratings: How many ratings these outputs have.
        reason: Why there is no alpha.
        reliability: Of outputs' mean ratings: kα / (1 + (k − 1)α), with k ratings of an output on
            average; 0 for a negative alpha, None without one.
    """

    alpha: float | None
    interval: list[float] | None
    majority: float | None
    level: MeasurementLevel
    outputs: int
    ratings: int
    reason: str = ""
    reliability: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    def grid(self) -> Grid:
        """Return one row."""
        alpha = tables.Cell.of(self.alpha, self.interval, 3)
        majority = tables.Cell.of(self.majority, None, 3)
        header = ["level", "alpha", "with a majority", "outputs", "ratings"]
        cells = [self.level, alpha, majority, f"{self.outputs:,}", f"{self.ratings:,}"]
        return Grid(header, [cells], [self.reason] if self.reason else [])


def rater_agreement(
    ratings: Any,
    *,
    level: MeasurementLevel = "interval",
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> RaterAgreement:
    """Measure how far raters agree with each other.

    Args:
        ratings: A list of raters' ratings per output; None where a rater gave none. The method
            ``by_output`` of `people.Judgements` has it.
        level: What differences between ratings mean: ``"nominal"``, equal or not; ``"ordinal"``,
            how many ratings lie between; ``"interval"``, the difference.
        confidence: Coverage of the interval; None for none.
        resamples: Number of bootstrap resamples, of outputs.
        seed: Their seed.

    Example:
        >>> from textsimp.extensions import people
        >>> ratings = [[1, 1], [2, 2], [3, 4], [4, None]]
        >>> raters = people.rater_agreement(ratings, confidence=None)
        >>> round(raters.alpha, 3), raters.majority
        (0.878, 0.6666666666666666)
        >>> people.rater_agreement([[3, 3], [3, 3]]).reason
        'all ratings are the same, so chance would agree as well'
    """
    check_choice("level", level, get_args(MeasurementLevel))
    check_sampling(confidence, resamples, seed)
    values = reading.matrix(ratings, "ratings")
    return measure_agreement(values, np.arange(len(values)), level, confidence, resamples, seed)


def measure_agreement(
    values: Floats,
    items: Ints,
    level: MeasurementLevel,
    confidence: float | None,
    resamples: int,
    seed: int,
) -> RaterAgreement:
    """Return `rater_agreement` of (n, raters) numbers, NaN for none, in any order within a row.

    The interval draws the ``items`` of the rows.
    """
    numbers = np.count_nonzero(~np.isnan(values), axis=1)
    k = float(numbers[numbers > 0].mean()) if numbers.any() else 0.0
    values, items = values[numbers > 1], items[numbers > 1]
    if not len(values):
        return RaterAgreement(None, None, None, level, 0, 0, "no output has two ratings")
    _, items = np.unique(items, return_inverse=True)
    sample = _make_sample(values, level, items)
    value, interval = float(sample.value()["alpha"]), None
    alpha = None if np.isnan(value) else value
    if alpha is not None and confidence is not None:
        drawn = sample.resample(resamples=resamples, seed=seed)["alpha"]
        sources = int(items.max()) + 1
        if FEW_UNITS <= sources <= MANY_UNITS:  # whose resamples have lower alphas
            drawn = np.minimum(1.0, drawn + alpha - np.nanmean(drawn))
        interval = percentiles(drawn, confidence, sources)
    rated = int(np.count_nonzero(~np.isnan(values)))
    reason = "all ratings are the same, so chance would agree as well" if alpha is None else ""
    same = (values[:, :, None] == values[:, None, :]).sum(axis=2)
    majority = float(np.mean(same.max(axis=1) > np.count_nonzero(~np.isnan(values), axis=1) / 2))
    positive = max(0.0, alpha or 0.0)
    reliability = None if alpha is None else k * positive / (1 + (k - 1) * positive)
    return RaterAgreement(alpha, interval, majority, level, len(values), rated, reason, reliability)


def _make_sample(values: Floats, level: MeasurementLevel, items: Ints) -> Sample | WeightedSample:
    """Return alpha as a sample of items, of (n, raters) outputs with two ratings or more each.

    Nominal differences are squared differences of a number per rating, which is 0 or 1.
    """
    present = ~np.isnan(values)
    steps, codes = np.unique(values[present], return_inverse=True)
    code_table = np.full(values.shape, len(steps))  # where missing
    code_table[present] = codes
    if level == "ordinal":
        return _sample_ranks(code_table, len(steps), items)
    scaled = values / (np.abs(steps).max() or 1)
    x = scaled[..., None] if level == "interval" else code_table[..., None] == np.arange(len(steps))
    x = np.where(present[..., None], x - x[present].mean(axis=0), 0)
    n, sums = present.sum(axis=1), x.sum(axis=1)
    from_mean = np.where(present[..., None], x - (sums / n[:, None])[:, None], 0)
    observed = 2 * n / (n - 1) * (from_mean**2).sum(axis=(1, 2))
    rows = np.column_stack([n, (x**2).sum(axis=(1, 2)), observed, sums])

    def reduce(totals: Floats) -> dict[str, Floats]:
        n, squares, observed, *sums = np.moveaxis(totals, -1, 0)
        expected = 2 * (n * squares - np.square(sums).sum(axis=0))
        varied = expected > 1e-12 * n * squares  # else all the same, but for rounding
        return {"alpha": _alpha(n, observed, np.where(varied, expected, 0))}

    return Sample(rows, reduce, {"item": items})


def _sample_ranks(codes: Ints, steps: int, items: Ints) -> WeightedSample:
    """Return ordinal alpha: differences are of ranks, which depend on the outputs that count."""
    from scipy import sparse

    # Outputs with the same ratings count together.
    codes, kinds = np.unique(np.sort(codes, axis=1), axis=0, return_inverse=True)
    many = int(items.max()) + 1
    units = items if many <= draws.MANY else draws.block_of(np.arange(many))[items]
    incidence = sparse.csr_array((np.ones(len(kinds)), (kinds.ravel(), units)))
    counts = np.stack([np.bincount(row, minlength=steps + 1)[:-1] for row in codes])
    rated = (codes < steps).sum(axis=1)

    def reduce(weights: Mapping[str, Floats]) -> dict[str, Floats]:
        drawn = np.ascontiguousarray((incidence @ weights["output"].T).T)
        step_counts = drawn @ counts
        n = step_counts.sum(axis=1)
        ranks = np.cumsum(step_counts, axis=1) - (step_counts + n[:, None]) / 2  # their mean is 0
        ranked = np.pad(ranks, [(0, 0), (0, 1)]).take(codes, axis=1)
        observed = 2 * (rated * (ranked**2).sum(axis=2) - ranked.sum(axis=2) ** 2) / (rated - 1)
        expected = 2 * n * (step_counts * ranks**2).sum(axis=1)
        return {"alpha": _alpha(n, np.vecdot(drawn, observed), expected)}

    return WeightedSample({"output": int(units.max()) + 1}, reduce)


def _alpha(n: Floats, observed: Floats, expected: Floats) -> Floats:
    """Return alphas from sums of squared differences; NaN where all ratings are the same."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(expected > 0, 1 - (n - 1) * observed / expected, np.nan)
