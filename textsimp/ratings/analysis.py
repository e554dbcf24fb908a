"""What ratings say: how far raters agree, and which systems people prefer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.metric import Floats
from textsimp.core.scores import Value
from textsimp.core.significance import RESAMPLES, Difference
from textsimp.meta import ratings as reading
from textsimp.meta.resampling import Ints, draw, encode
from textsimp.ratings import strengths
from textsimp.ratings.answers import Ratings
from textsimp.ratings.distributions import distribute
from textsimp.ratings.raters import agree, describe_raters
from textsimp.ratings.results import STANDARDISED, Analysis
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

MAX_SYSTEMS = 100
_AT_ONCE = 64  # resamples


def analyse(
    ratings: Ratings, *, confidence: float = 0.95, resamples: int = RESAMPLES, seed: int = 0
) -> Analysis:
    """Measure how far raters agree, and compare systems by their ratings.

    Intervals of systems resample sources and raters, those of alpha outputs. Permutation tests
    swap two systems' ratings of whole sources. Their p-values are adjusted by Holm's method for
    all pairs of systems.

    Args:
        ratings: What `read` returned.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples, and of permutations.
        seed: Seed of both.

    Example:
        >>> from textsimp import ratings
        >>> found = ratings.read("examples/ratings.jsonl", criteria=["rating"])
        >>> analysis = ratings.analyse(found)
        >>> round(analysis.agreement["rating"].raters.alpha, 2)
        0.86
        >>> print(analysis)
                                   rating
        copy         43.96 [36.33, 51.92]
        human        84.83 [78.66, 90.33]
        splitter     51.29 [44.54, 58.50]
        substituter  63.21 [54.33, 71.76]
        ratings|resamples:1000|seed:0|v:...
    """
    significance.check(confidence, resamples, seed, optional=False)
    shown = ratings.take(
        i for i, control in enumerate(ratings.controls) if not control and not ratings.invalid[i]
    )
    if not len(shown):
        what = "invalid answers" if any(ratings.invalid) else "controls"
        raise InputError(f"expected ratings of systems, got {what} only")
    names = sorted({system for outputs in shown.outputs for one in outputs for system in one})
    if len(names) > MAX_SYSTEMS:
        raise InputError(f"expected at most {MAX_SYSTEMS} systems, got {len(names):,}")
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    codes = _Codes(encode(shown.items), encode(shown.raters), names)
    raters = list(dict.fromkeys(shown.raters))
    agreement, correlations = {}, {}
    for name in ratings.criteria:
        agreement[name], correlations[name] = agree(ratings, name, raters, sampling)
    consistency: dict[str, float | None] = {}
    differences: Mapping[tuple[str, str], Mapping[str, Difference]] = {}
    if ratings.compares:
        systems, consistency = _compare(shown, codes, sampling)
    else:
        systems, differences = _rate(shown, codes, sampling)
    found = describe_raters(ratings, correlations)
    notes = [
        f"{name} looks careless: {reason}"
        for name, rater in found.items()
        for reason in rater.careless
    ]
    notes += [
        f"{name}: {rater.invalid:,} of {ratings.raters.count(name):,} answers are invalid, and "
        "count nowhere else"
        for name, rater in found.items()
        if rater.invalid
    ]
    notes += [_list_missing(rater, own) for rater, own in ratings.missing.items()]
    items = len(set(shown.items))
    notes += filter(None, [significance.caution(items, resamples)] if differences else [])
    counts = {
        "ratings": len(shown),
        "controls": sum(map(bool, ratings.controls)),
        "items": items,
        "systems": len(names),
        "raters": len(found),
    }
    options = f"resamples:{resamples}|seed:{seed}|v:{__version__}"
    judges = [f"judge({how})" for how in sorted(set(ratings.asked) - {""})]
    signature = "|".join(filter(None, ["ratings", ratings.scheme, *judges, options]))
    return Analysis(
        systems=systems,
        differences=differences,
        distributions=distribute(shown, names),
        agreement=agreement,
        raters=found,
        consistency=consistency,
        counts=counts,
        signature=signature,
        confidence=confidence,
        notes=notes,
    )


def _list_missing(rater: str, screens: Sequence[int]) -> str:
    first = ", ".join([*map(str, screens[:3]), *(["…"] if len(screens) > 3 else [])])
    count = f"{len(screens):,} screen{'s' * (len(screens) > 1)}"
    return f"{rater} has no whole answer to {count}: {first}"


@dataclass(frozen=True)
class _Codes:
    items: Ints
    raters: Ints
    systems: Sequence[str]

    @property
    def sizes(self) -> tuple[int, int]:
        return int(self.items.max()) + 1, int(self.raters.max()) + 1


def _rate(
    ratings: Ratings, codes: _Codes, sampling: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Value]], dict[tuple[str, str], dict[str, Difference]]]:
    """Return mean ratings of systems, and their differences."""
    values = {name: _on_scale(ratings, name) for name in ratings.criteria}
    if codes.sizes[1] > 1:
        for name, column in [*values.items()]:
            values[f"{name}{STANDARDISED}"] = _standardise(column, codes.raters)
    at = {name: i for i, name in enumerate(codes.systems)}
    pairs = [(row, at[s]) for row, (output,) in enumerate(ratings.outputs) for s in output]
    rows, systems = np.array(pairs).T
    cells = []
    for measure, column in enumerate(values.values()):
        kept = ~np.isnan(column[rows])
        place = 2 * (measure * len(at) + systems[kept])
        cells.append((rows[kept], place, column[rows[kept]]))
        cells.append((rows[kept], place + 1, np.ones(len(place))))
    shape = (len(values), len(at), 2)  # sums and counts
    by_item, drawn = _resample(codes, cells, shape, sampling)
    with np.errstate(invalid="ignore"):
        totals = by_item.sum(axis=0)
        observed = totals[..., 0] / totals[..., 1]
        resampled = drawn[..., 0] / drawn[..., 1]
    means: dict[str, dict[str, Value]] = {name: {} for name in codes.systems}
    differences: dict[tuple[str, str], dict[str, Difference]] = {
        pair: {} for pair in itertools.combinations(codes.systems, 2)
    }
    for measure, name in enumerate(values):
        mean, one = observed[measure], resampled[:, measure]
        intervals = _intervals(one.T, sampling)
        for system, value, interval in zip(codes.systems, mean, intervals, strict=True):
            means[system][name] = Value(None if np.isnan(value) else float(value), interval)
        tested = [p for p in differences if not np.isnan(mean[[at[s] for s in p]]).any()]
        first, second = ([at[pair[k]] for pair in tested] for k in (0, 1))
        gaps = _intervals((one[:, first] - one[:, second]).T, sampling)
        p_values = _permute(by_item[:, measure, first], by_item[:, measure, second], sampling)
        for pair, interval, p in zip(tested, gaps, p_values, strict=True):
            value = float(mean[at[pair[0]]] - mean[at[pair[1]]])
            differences[pair][name] = Difference(value, interval or [value, value], None, p)
    return means, significance.adjust({pair: own for pair, own in differences.items() if own})


def _compare(
    ratings: Ratings, codes: _Codes, sampling: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Value]], dict[str, float | None]]:
    """Return Bradley–Terry strengths of systems, and their consistency."""
    at = {name: i for i, name in enumerate(codes.systems)}
    n = len(at)
    cells = []
    for measure, name in enumerate(ratings.criteria):
        rows, places, weights = [], [], []
        preferences = strengths.list_preferences(ratings, name)
        lists = (part.tolist() for part in preferences)
        for row, win, loss, share in zip(*lists, strict=True):
            outputs = ratings.outputs[row]
            for winner, loser in itertools.product(outputs[win], outputs[loss]):
                rows.append(row)
                places.append((measure * n + at[winner]) * n + at[loser])
                weights.append(share)
        if not rows:
            raise InputError(f"{name}: expected comparisons, got none")
        cells.append((np.array(rows), np.array(places), np.array(weights)))
    shape = (len(cells), n, n)
    by_item, drawn = _resample(codes, cells, shape, sampling)
    found: dict[str, dict[str, Value]] = {name: {} for name in codes.systems}
    consistency = {}
    for measure, name in enumerate(ratings.criteria):
        wins = by_item[:, measure].sum(axis=0)
        observed = strengths.fit(wins)
        resampled = np.array([strengths.fit(one, observed) for one in drawn[:, measure]])
        intervals = _intervals(resampled.T, sampling)
        for system, value, interval in zip(codes.systems, observed, intervals, strict=True):
            found[system][name] = Value(float(value), interval)
        _, place, weight = cells[measure]
        decided = np.bincount(place - measure * n * n, weight == 1, n * n).astype(np.float64)
        consistency[name] = strengths.share_in_order(decided.reshape(n, n), observed)
    return found, consistency


def _resample(
    codes: _Codes,
    cells: Sequence[tuple[Ints, Ints, Floats]],
    shape: tuple[int, int, int],
    sampling: Mapping[str, Any],
) -> tuple[Floats, Floats]:
    """Sum numbers of rows at places: by item (items, *shape), and of resamples (m, *shape).

    A resample draws items and raters; a number counts as often as both were drawn.
    """
    from scipy import sparse

    rows, places, numbers = (np.concatenate(part) for part in zip(*cells, strict=True))
    (items, raters), size = codes.sizes, math.prod(shape)
    by_item = np.bincount(codes.items[rows] * size + places, numbers, items * size)
    at = (codes.raters[rows] * size + places, codes.items[rows])
    matrix = sparse.csr_array((numbers, at), shape=(raters * size, items))
    totals = []
    drawn = draw((items, raters), "both", sampling["resamples"], sampling["seed"])
    for of_items, of_raters in drawn:
        for start in range(0, len(of_items), _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            weights = np.ascontiguousarray(of_items[block].T, np.float64)
            parts = (matrix @ weights).reshape(raters, size, -1)
            totals.append(np.einsum("rkm,mr->mk", parts, of_raters[block]))
    sums = by_item.astype(np.float64).reshape(items, *shape)
    return sums, np.concatenate(totals).reshape(-1, *shape)


def _permute(first: Floats, second: Floats, sampling: Mapping[str, Any]) -> list[float | None]:
    """Return the p-value of each pair of systems, from (items, pairs, 2) sums and counts."""
    items, pairs, _ = first.shape
    if items < 2 or not pairs:
        return [None] * pairs

    def reduce(totals: Floats) -> dict[str, Floats]:
        with np.errstate(invalid="ignore", divide="ignore"):
            means = totals[..., ::2] / totals[..., 1::2]
        return {str(i): means[..., i] for i in range(pairs)}

    baseline, system = second.reshape(items, -1), first.reshape(items, -1)
    found = significance.paired_permutation(
        reduce, baseline, system, sampling["resamples"], sampling["seed"]
    )
    return list(found.values())


def _intervals(drawn: Floats, sampling: Mapping[str, Any]) -> list[list[float] | None]:
    """Return the interval of each row of resampled values."""
    defined = {str(i): row for i, row in enumerate(drawn) if not np.isnan(row).all()}
    found = significance.intervals(defined, sampling["confidence"])
    return [found.get(str(i)) for i in range(len(drawn))]


def _on_scale(ratings: Ratings, name: str) -> Floats:
    """Return ratings, NaN for the step aside."""
    criterion, values = ratings.criteria[name], ratings.values[name]
    if criterion.aside is None:
        return values
    return np.where(values == criterion.codes[criterion.aside], np.nan, values)


def _standardise(values: Floats, raters: Ints) -> Floats:
    """Return ratings without their rater's mean and spread."""
    order = np.argsort(raters, kind="stable")
    sizes = np.bincount(raters)
    places = np.arange(len(raters)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    columns = np.full((sizes.max(), len(sizes)), np.nan)
    columns[places, raters[order]] = values[order]
    standard = np.empty(len(values))
    standard[order] = reading.standardise(columns)[places, raters[order]]
    return standard
