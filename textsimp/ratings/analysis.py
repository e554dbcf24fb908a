"""What ratings say: how far raters agree, and which systems people prefer."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from textsimp.core import significance, tables
from textsimp.core.metric import Floats
from textsimp.core.scores import Value
from textsimp.core.significance import RESAMPLES, Difference
from textsimp.core.tables import Grid, Tabular
from textsimp.meta import ratings as reading
from textsimp.meta.raters import RaterAgreement, measure_agreement
from textsimp.meta.resampling import MIN_SIZE, Ints, draw, encode
from textsimp.ratings import strengths
from textsimp.ratings.answers import Ratings
from textsimp.support.errors import InputError
from textsimp.support.version import __version__

MAX_SYSTEMS = 100
STANDARDISED = "_z"
"""The end of the name of a criterion whose ratings are standardised per rater."""

FEW_PASSED = 0.5  # share of controls
SAME = 0.95  # share of ratings
FAST = 1 / 3  # of the other raters' median time
MIN_RATINGS = 10  # of a rater who is called careless for ratings or time
_AT_ONCE = 64  # resamples


@dataclass(frozen=True)
class CriterionAgreement:
    """How far raters agree on a criterion.

    Attributes:
        raters: Krippendorff's alpha over outputs, or over pairs that were compared.
        correlation: Pearson's r of a rater with another, averaged over the others and then over
            raters; None for comparisons and for one rater.
        repeated: The same alpha of raters with themselves, on items that they rated twice.
    """

    raters: RaterAgreement
    correlation: float | None
    repeated: RaterAgreement


@dataclass(frozen=True)
class Rater:
    """What is known of a rater.

    Attributes:
        ratings: How many outputs or comparisons, without controls.
        correlation: Mean Pearson's r with the others, averaged over criteria; None without.
        controls: How many controls with a declared answer were rated.
        passed: How many of them with that answer.
        seconds: Median time of an answer; None where unknown.
        careless: Why the rater looks careless; empty if nothing tells.
    """

    ratings: int
    correlation: float | None
    controls: int
    passed: int
    seconds: float | None
    careless: tuple[str, ...] = ()


class Analysis(Tabular, dict[str, Any]):
    """The analysis of ratings.

    The results are fields. The object is also a dict with the keys of `to_dict`.

    Attributes:
        systems: System → criterion → mean rating, or Bradley–Terry strength, with interval.
            ``<criterion>_z`` is of ratings standardised per rater.
        differences: (system, another) → criterion → `Difference` of mean ratings. Its p-values
            are of the permutation test; none for comparisons.
        agreement: Criterion → `CriterionAgreement`.
        raters: Name → `Rater`.
        consistency: Criterion → share of preferences that the order of strengths has right, and
            how many triples of systems are preferred in a circle; for comparisons only.
        counts: How many ``ratings``, ``controls``, ``items``, ``systems`` and ``raters``.
        signature: Scheme and options.
        confidence: Coverage of the intervals.
        notes: Remarks.
    """

    def __init__(
        self,
        systems: Mapping[str, Mapping[str, Value]],
        differences: Mapping[tuple[str, str], Mapping[str, Difference]],
        agreement: Mapping[str, CriterionAgreement],
        raters: Mapping[str, Rater],
        consistency: Mapping[str, tuple[float | None, int]],
        counts: Mapping[str, int],
        signature: str,
        confidence: float,
        notes: Sequence[str] = (),
    ) -> None:
        self.systems = systems
        self.differences = differences
        self.agreement = agreement
        self.raters = raters
        self.consistency = consistency
        self.counts = counts
        self.signature = signature
        self.confidence = confidence
        self.notes = notes
        super().__init__(self.to_dict())

    @property
    def compares(self) -> bool:
        """Whether raters compared outputs."""
        return bool(self.consistency)

    def heading(self) -> str:
        """Return a line on what was analysed."""
        counts = {name.rstrip("s") if n == 1 else name: n for name, n in self.counts.items() if n}
        return ", ".join(f"{n:,} {name}" for name, n in counts.items())

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "counts": dict(self.counts),
            "systems": {
                system: {
                    key: part
                    for name, value in own.items()
                    for key, part in ((name, value.value), (f"{name}_interval", value.interval))
                }
                for system, own in self.systems.items()
            },
            "differences": [r for r in self.records() if r["what"] == "difference"],
            "agreement": {name: asdict(one) for name, one in self.agreement.items()},
            "raters": {name: asdict(one) for name, one in self.raters.items()},
            "consistency": {
                name: {"in_order": share, "circles": circles}
                for name, (share, circles) in self.consistency.items()
            },
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def records(self) -> list[dict[str, Any]]:
        """Return a row per number, for CSV."""
        return list(self._records())

    def _records(self) -> Iterator[dict[str, Any]]:
        empty = dict.fromkeys(("permutation_p", "permutation_p_holm", "detectable"))

        def record(
            what: str, name: str, value: Any, interval: Any, *systems: str
        ) -> dict[str, Any]:
            system, other = [*systems, "", ""][:2]
            low, high = interval or (None, None)
            keys = {"what": what, "criterion": name, "system": system, "other": other}
            return {**keys, "value": value, "low": low, "high": high, **empty}

        for system, own in self.systems.items():
            for name, value in own.items():
                what = "strength" if self.compares else "mean"
                yield record(what, name, value.value, value.interval, system)
        for pair, tests in self.differences.items():
            for name, test in tests.items():
                plain = test.to_dict()
                yield {
                    **record("difference", name, test.value, test.interval, *pair),
                    "permutation_p": plain["permutation_p"],
                    "permutation_p_holm": plain["permutation_p_holm"],
                    "detectable": significance.detectable(test.interval, self.confidence),
                }
        for name, one in self.agreement.items():
            yield record("alpha", name, one.raters.alpha, one.raters.interval)
            yield record("correlation", name, one.correlation, None)
            yield record("alpha, repeated", name, one.repeated.alpha, one.repeated.interval)

    def __str__(self) -> str:
        """Return the table of systems as text."""
        return "\n".join([self.grid().to_text().rstrip(), *self.grid().notes])

    __repr__ = __str__

    def grid(self) -> Grid:
        """Return a row per system and a column per criterion, of ratings as they are."""
        return self._systems(list(self.agreement), [*self.notes, self.signature])

    def _systems(self, names: Sequence[str], notes: Sequence[str] = ()) -> Grid:
        columns = [[own[name] for own in self.systems.values()] for name in names]
        cells = [
            [_cell(v.value, v.interval, tables.places(v.value for v in values)) for v in values]
            for values in columns
        ]
        rows = [[system, *row] for system, *row in zip(self.systems, *cells, strict=True)]
        return Grid(["", *(name.removesuffix(STANDARDISED) for name in names)], rows, list(notes))

    def tables(self) -> dict[str, Grid]:
        """Return title → table, of all that was measured."""
        percent = f"{100 * self.confidence:g} % intervals over sources and raters"
        what = "Bradley–Terry strengths" if self.compares else "mean ratings"
        parts = {f"Systems: {what}, {percent}": self._systems(list(self.agreement))}
        standardised = [f"{name}{STANDARDISED}" for name in self.agreement]
        if set(standardised) <= set(next(iter(self.systems.values()))):
            parts["Systems: standardised per rater"] = self._systems(standardised)
        if self.differences:
            parts["Differences of mean ratings"] = self._difference_grid()
        parts["Agreement of raters"] = self._agreement_grid()
        parts["Raters"] = self._rater_grid()
        last = next(reversed(parts.values()))
        last.notes.extend([*self.notes, self.signature])
        return parts

    def _difference_grid(self) -> Grid:
        rows = []
        for name in self.agreement:
            tests = {pair: own[name] for pair, own in self.differences.items() if name in own}
            places = tables.places(test.value for test in tests.values())
            for pair, test in tests.items():
                detectable = significance.detectable(test.interval, self.confidence)
                rows.append(
                    [
                        name,
                        " − ".join(pair),
                        tables.cell(test.value, test.interval, places, sign=True),
                        tables.p_value(test.permutation_p),
                        tables.p_value(test.permutation_p_holm),
                        "" if detectable is None else tables.number(detectable, places),
                    ]
                )
        return Grid(["", "", "difference", "p", "Holm", "detectable"], rows, named=2)

    def _agreement_grid(self) -> Grid:
        header = ["", "level", "alpha", "outputs", "r with the others", "alpha, repeated"]
        rows = []
        for name, one in self.agreement.items():
            repeated = one.repeated
            rows.append(
                [
                    name,
                    one.raters.level,
                    _cell(one.raters.alpha, one.raters.interval, 2),
                    f"{one.raters.outputs:,}",
                    _cell(one.correlation, None, 2),
                    _cell(repeated.alpha, repeated.interval, 2),
                ]
            )
        if self.compares:
            header += ["in order", "circles"]
            for row, (share, circles) in zip(rows, self.consistency.values(), strict=True):
                row += [_cell(share, None, 2), str(circles)]
        return Grid(header, rows, named=2)

    def _rater_grid(self) -> Grid:
        rows = []
        for name, one in self.raters.items():
            controls = f"{one.passed} of {one.controls}" if one.controls else "–"
            seconds = _cell(one.seconds, None, 0)
            rows.append(
                [name, f"{one.ratings:,}", _cell(one.correlation, None, 2), controls, seconds]
            )
        header = ["", "ratings", "r with the others", "controls passed", "median seconds"]
        return Grid(header, rows)


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
    shown = ratings.take(i for i, control in enumerate(ratings.controls) if not control)
    if not len(shown):
        raise InputError("expected ratings of systems, got controls only")
    names = sorted({system for outputs in shown.outputs for one in outputs for system in one})
    if len(names) > MAX_SYSTEMS:
        raise InputError(f"expected at most {MAX_SYSTEMS} systems, got {len(names):,}")
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    codes = _Codes(encode(shown.items), encode(shown.raters), names)
    raters = list(dict.fromkeys(shown.raters))
    agreement, correlations = {}, {}
    for name in ratings.criteria:
        agreement[name], correlations[name] = _agree(ratings, name, raters, sampling)
    consistency: dict[str, tuple[float | None, int]] = {}
    differences: Mapping[tuple[str, str], Mapping[str, Difference]] = {}
    if ratings.compares:
        systems, consistency = _compare(shown, codes, sampling)
    else:
        systems, differences = _rate(shown, codes, sampling)
    rows: dict[str, list[int]] = {}
    for row, rater in enumerate(ratings.raters):
        rows.setdefault(rater, []).append(row)
    found = {rater: _judge(ratings, rater, own, correlations) for rater, own in rows.items()}
    seconds = {rater: one.seconds for rater, one in found.items() if one.seconds is not None}
    for rater, own in rows.items():
        others = [time for name, time in seconds.items() if name != rater]
        reasons = _suspect(ratings, found[rater], own, others)
        found[rater] = replace(found[rater], careless=tuple(reasons))
    notes = [
        f"{name} looks careless: {reason}"
        for name, rater in found.items()
        for reason in rater.careless
    ]
    items = len(set(shown.items))
    notes += filter(None, [significance.caution(items, resamples)] if differences else [])
    counts = {
        "ratings": len(shown),
        "controls": len(ratings) - len(shown),
        "items": items,
        "systems": len(names),
        "raters": len(found),
    }
    options = f"resamples:{resamples}|seed:{seed}|v:{__version__}"
    signature = "|".join(filter(None, ["ratings", ratings.scheme, options]))
    results = (systems, differences, agreement, found, consistency, counts)
    return Analysis(*results, signature, confidence, notes)


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
    values = dict(ratings.values)
    if codes.sizes[1] > 1:
        for name, column in ratings.values.items():
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
) -> tuple[dict[str, dict[str, Value]], dict[str, tuple[float | None, int]]]:
    """Return Bradley–Terry strengths of systems, and their consistency."""
    at = {name: i for i, name in enumerate(codes.systems)}
    n = len(at)
    cells = []
    for measure, name in enumerate(ratings.criteria):
        rows, places, weights = [], [], []
        preferences = strengths.list_preferences(ratings, name)
        for row, win, loss, share in zip(*preferences, strict=True):
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
        in_order = strengths.share_in_order(decided.reshape(n, n), observed)
        consistency[name] = (in_order, strengths.count_circles(wins))
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


def _agree(
    ratings: Ratings, name: str, raters: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[CriterionAgreement, dict[str, float]]:
    """Return how far raters agree on a criterion, and each one's mean correlation with others."""
    units, values, rows = _units(ratings, name)
    repeats = np.array([ratings.controls[row] == "repeat" for row in rows], bool)
    of_systems = np.array([not ratings.controls[row] for row in rows], bool)
    level = "nominal" if ratings.compares else ratings.criteria[name].level
    places = {rater: i for i, rater in enumerate(raters)}
    who = np.array([places.get(ratings.raters[row], -1) for row in rows], int)
    alpha = measure_agreement(_gather(units[of_systems], values[of_systems]), level, **sampling)
    twice = {(unit, rater) for unit, rater in zip(units[repeats], who[repeats], strict=True)}
    again = [pair in twice for pair in zip(units.tolist(), who.tolist(), strict=True)]
    own = np.array(again, bool) & (repeats | of_systems)
    repeated = measure_agreement(
        _gather(units[own] * len(raters) + who[own], values[own]), level, **sampling
    )
    correlations: dict[str, float] = {}
    if not ratings.compares and level != "nominal":
        table = (units[of_systems], who[of_systems], values[of_systems])
        correlations = dict(zip(raters, _correlate(*table, len(raters)).tolist(), strict=True))
        correlations = {rater: r for rater, r in correlations.items() if r == r}
    mean = float(np.mean(list(correlations.values()))) if correlations else None
    return CriterionAgreement(alpha, mean, repeated), correlations


def _units(ratings: Ratings, name: str) -> tuple[Ints, Floats, Ints]:
    """Return (m,) units, each an output or a pair of a source, what raters said, and the rows."""
    if not ratings.compares:
        values = ratings.values[name]
        rows = np.flatnonzero(~np.isnan(values))
        keys = [(item, outputs, text) for item, outputs, _, text in ratings.subjects()]
        return encode(keys)[rows], values[rows], rows
    rows, wins, losses, weights = strengths.list_preferences(ratings, name)
    pairs, values = [], np.zeros(len(rows))
    for i, (row, win, loss) in enumerate(zip(rows, wins, losses, strict=True)):
        winner, loser = ratings.outputs[row][win], ratings.outputs[row][loss]
        pairs.append((ratings.items[row], min(winner, loser), max(winner, loser)))
        values[i] = (winner < loser) - (winner > loser) if weights[i] == 1 else 0
    once = ~((weights < 1) & (wins > losses))  # a tie is two halves, of which one counts
    return encode(pairs)[once], values[once], rows[once]


def _gather(units: Ints, values: Floats) -> Floats:
    """Return (units, most ratings of one) values, NaN where a unit has fewer."""
    if not len(units):
        return np.full((0, 1), np.nan)
    codes = np.unique(units, return_inverse=True)[1]
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    gathered = np.full((len(sizes), sizes.max()), np.nan)
    places = np.arange(len(codes)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    gathered[codes[order], places] = values[order]
    return gathered


def _correlate(units: Ints, who: Ints, values: Floats, raters: int) -> Floats:
    """Return (raters,) mean Pearson's r with each other rater, of three common outputs or more."""
    from scipy import sparse

    sizes = np.maximum(1, np.bincount(who, minlength=raters))
    centred = values - (np.bincount(who, values, raters) / sizes)[who]
    shape = (int(units.max(initial=0)) + 1, raters)

    def table(entries: Floats) -> Any:
        return sparse.csr_array((entries, (units, who)), shape=shape)

    rated, x, squares = table(np.ones(len(who))), table(centred), table(centred**2)
    common = (rated.T @ rated).toarray()
    sums, of_squares, products = (
        (one.T @ other).toarray() for one, other in ((x, rated), (squares, rated), (x, x))
    )
    n = np.maximum(1, common)
    spread = of_squares - sums**2 / n
    spread = np.where(spread > 1e-12 * of_squares, spread, np.nan)
    r = (products - sums * sums.T / n) / np.sqrt(spread * spread.T)
    r[common < MIN_SIZE] = np.nan
    np.fill_diagonal(r, np.nan)
    counts = np.count_nonzero(~np.isnan(r), axis=1)
    return np.where(counts > 0, np.nansum(r, axis=1) / np.maximum(1, counts), np.nan)


def _judge(
    ratings: Ratings,
    rater: str,
    rows: Sequence[int],
    correlations: Mapping[str, Mapping[str, float]],
) -> Rater:
    """Return what is known of a rater, before raters are compared."""
    results = [one for one in (_passes(ratings, row) for row in rows) if one is not None]
    own = [by_rater[rater] for by_rater in correlations.values() if rater in by_rater]
    seconds = ratings.seconds[np.array(rows)]
    return Rater(
        sum(not ratings.controls[row] for row in rows),
        float(np.mean(own)) if own else None,
        len(results),
        sum(results),
        None if np.isnan(seconds).all() else float(np.nanmedian(seconds)),
    )


def _passes(ratings: Ratings, row: int) -> bool | None:
    """Whether a control has the declared ratings; None where none is declared."""
    results = []
    for name, criterion in ratings.criteria.items():
        bounds = criterion.controls.get(ratings.controls[row])
        if bounds is not None:
            low, high = (criterion.codes.get(step, step) for step in bounds)
            results.append(low <= ratings.values[name][row] <= high)
    return all(results) if results else None


def _suspect(
    ratings: Ratings, found: Rater, rows: Sequence[int], others: Sequence[float]
) -> list[str]:
    """Return why a rater looks careless; ``others`` are the other raters' median times."""
    reasons = []
    if found.controls and found.passed < FEW_PASSED * found.controls:
        reasons.append(f"passed {found.passed} of {found.controls} controls")
    if found.ratings < MIN_RATINGS:
        return reasons
    kept = np.array([row for row in rows if not ratings.controls[row]])
    share = min(_largest_share(values[kept]) for values in ratings.values.values())
    if share >= SAME:
        reasons.append(f"gave the same answer to {100 * share:.0f} % of the outputs")
    if found.correlation is not None and found.correlation <= 0:
        reasons.append(f"the correlation with the others is {found.correlation:.2f}")
    if found.seconds is not None and others and found.seconds < FAST * np.median(others):
        median = float(np.median(others))
        reasons.append(f"took {found.seconds:.0f} s an answer, the others {median:.0f} s")
    return reasons


def _largest_share(values: Floats) -> float:
    """Return the share of the most frequent answer."""
    given = values[~np.isnan(values).reshape(len(values), -1).any(axis=1)]
    if not len(given):
        return 0.0
    return float(np.unique(given, axis=0, return_counts=True)[1].max() / len(given))


def _cell(value: float | None, interval: Sequence[float] | None, places: int) -> str:
    return "–" if value is None else tables.cell(value, interval, places)
