"""How far raters agree, with each other and with themselves, and who fails controls."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints
from textsimp.extensions.people.judgements.agreement import (
    MeasurementLevel,
    RaterAgreement,
    measure_agreement,
)
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.resampling import MIN_SIZE, encode

UNRELIABLE = 0.4  # a mean with less reliability tells little
_FEW_PASSED = 0.5  # share of controls; who passes fewer looks careless
_MOSTLY, _MANY = 0.9, 10  # share and number of answers that are named if all are the same


@dataclass(frozen=True)
class CriterionAgreement:
    """How far raters agree on a criterion.

    Attributes:
        raters: Krippendorff's alpha over outputs, or over pairs that were compared.
        correlation: Pearson's r of a rater with another, averaged over the others and then over
            raters; None for comparisons and for one rater.
        repeated: The same alpha of raters with themselves, on items that they rated twice.
        reliability: Of the mean of an output's raters, on which means of systems rest:
            kα / (1 + (k − 1)α) with k, the mean number of raters (Spearman–Brown). 0 if alpha is
            negative; None for comparisons and without an alpha.
    """

    raters: RaterAgreement
    correlation: float | None
    repeated: RaterAgreement
    reliability: float | None

    @property
    def caution(self) -> str:
        """What to say before a sentence on means; "" if they are reliable."""
        if self.reliability is None or self.reliability >= UNRELIABLE:
            return ""
        return f"Raters agree little (reliability of their mean {self.reliability:.2f})"


@dataclass(frozen=True)
class Rater:
    """A rater's answers in numbers.

    Attributes:
        ratings: How many outputs or comparisons, without controls.
        correlation: Mean Pearson's r with the others, averaged over criteria; None without.
        controls: How many controls with a declared answer were rated.
        passed: How many of them with that answer.
        seconds: Median time of an answer; None where unknown.
        invalid: How many answers of a judge aren't valid, see `textsimp.extensions.judges`.
        same: How many outputs or comparisons have the rater's most frequent ratings.
    """

    ratings: int
    correlation: float | None
    controls: int
    passed: int
    seconds: float | None
    invalid: int = 0
    same: int = 0

    def warn(self) -> Iterator[str]:
        """Yield what may be careless."""
        if self.passed < _FEW_PASSED * self.controls:
            yield f"looks careless: passed {self.passed} of {self.controls} controls"
        if self.ratings >= _MANY and self.same >= _MOSTLY * self.ratings:
            yield f"gave the same answer {self.same} times of {self.ratings}"


def agree(
    judgements: Judgements, name: str, sampling: Mapping[str, Any]
) -> tuple[CriterionAgreement, dict[str, float]]:
    """Return how far raters agree on a criterion, and each one's mean correlation with others."""
    units, values, rows = _units(judgements, name)
    names = judgements.raters
    who = encode(judgements.frame["rater"])[rows]
    control = judgements.frame["control"].to_numpy()[rows]
    first, again = control == "", control == "repeat"
    level: MeasurementLevel = "nominal" if judgements.compares else judgements.criteria[name].level
    items = encode(judgements.frame["item"])[rows]
    rater_units = units * len(names) + who  # an output and its rater
    repeats = (first | again) & np.isin(rater_units, rater_units[again])
    raters, repeated = (
        measure_agreement(*_gather(of[kept], values[kept], items[kept]), level=level, **sampling)
        for of, kept in ((units, first), (rater_units, repeats))
    )
    correlations: dict[str, float] = {}
    if not judgements.compares and level != "nominal":
        means = _correlate(units[first], who[first], values[first], len(names)).tolist()
        correlations = {name: r for name, r in zip(names, means, strict=True) if r == r}
    mean = float(np.mean(list(correlations.values()))) if correlations else None
    reliability = None if judgements.compares else raters.reliability
    return CriterionAgreement(raters, mean, repeated, reliability), correlations


def _units(judgements: Judgements, name: str) -> tuple[Ints, Floats, Ints]:
    """Return (m,) units, each an output or a pair of a source, what raters said, and the rows."""
    frame = judgements.frame
    if not judgements.compares:
        rows = np.flatnonzero((frame["criterion"] == name) & frame["value"].notna())
        return frame["output"].to_numpy()[rows], frame["value"].to_numpy()[rows], rows
    pairs, values = judgements.rows(name), judgements.values(name)[:, 0]
    pairs, values = pairs[~np.isnan(values)], values[~np.isnan(values)]
    first, second = frame["system"].to_numpy()[pairs].T
    items = frame["item"].to_numpy()[pairs[:, 0]]
    units = [(item, *sorted(both)) for item, *both in zip(items, first, second, strict=True)]
    turned = np.array([one > other for one, other in zip(first, second, strict=True)], bool)
    return encode(units), np.where(turned, 1 - values, values), pairs[:, 0]


def _gather(units: Ints, values: Floats, items: Ints) -> tuple[Floats, Ints]:
    """Return (units, most ratings of one) values, NaN where a unit has fewer; the units' items."""
    if not len(units):
        return np.full((0, 1), np.nan), items
    import pandas as pd  # type: ignore[import-untyped]

    frame = pd.DataFrame({"unit": units, "value": values, "item": items})
    frame["place"] = frame.groupby("unit").cumcount()
    gathered: Floats = frame.pivot(index="unit", columns="place", values="value").to_numpy()
    return gathered, frame.groupby("unit")["item"].first().to_numpy()


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
    sums, square_sums = (x.T @ rated).toarray(), (squares.T @ rated).toarray()
    products = (x.T @ x).toarray()
    n = np.maximum(1, common)
    spread = square_sums - sums**2 / n
    spread = np.where(spread > 1e-12 * square_sums, spread, np.nan)
    r = (products - sums * sums.T / n) / np.sqrt(spread * spread.T)
    r[common < MIN_SIZE] = np.nan
    np.fill_diagonal(r, np.nan)
    counts = np.count_nonzero(~np.isnan(r), axis=1)
    return np.where(counts > 0, np.nansum(r, axis=1) / np.maximum(1, counts), np.nan)


def measure_raters(
    judgements: Judgements, sampling: Mapping[str, Any]
) -> tuple[dict[str, CriterionAgreement], dict[str, Rater]]:
    """Return how far raters agree on each criterion, and the numbers of each rater."""
    agreed = {name: agree(judgements, name, sampling) for name in judgements.criteria}
    answers = judgements.answers
    declared, passed = _pass_controls(judgements)
    plain = (answers["control"] == "") & (answers["invalid"] == "")
    flags = {"plain": plain, "controls": declared, "passed": passed}
    counted = answers.assign(**flags, wrong=answers["invalid"] != "").groupby("rater", sort=False)
    seconds = counted["seconds"].median()
    frame = judgements.rated.frame.fillna({"value": np.inf})
    given = frame.groupby(["answer", "rater"])["value"].agg(tuple).groupby("rater")
    same = given.value_counts().groupby("rater").max()
    raters = {}
    for name, row in counted[[*flags, "wrong"]].sum().astype(int).iterrows():
        values = [by_rater[name] for _, by_rater in agreed.values() if name in by_rater]
        raters[name] = Rater(
            int(row["plain"]),
            float(np.mean(values)) if values else None,
            int(row["controls"]),
            int(row["passed"]),
            None if np.isnan(seconds[name]) else float(seconds[name]),
            int(row["wrong"]),
            int(same.get(name, 0)),
        )
    return {name: agreement for name, (agreement, _) in agreed.items()}, raters


def _pass_controls(judgements: Judgements) -> tuple[Any, Any]:
    """Return which answers are valid ones to controls with declared ratings, and have these."""
    controls = judgements.answers["control"].to_numpy()
    valid = (judgements.answers["invalid"] == "").to_numpy()
    declared, passed = np.zeros(len(judgements), bool), np.ones(len(judgements), bool)
    for name, criterion in judgements.criteria.items():
        for kind, ratings in criterion.controls.items():
            low, high = criterion.bounds(ratings)
            asked, values = valid & (controls == kind), judgements.values(name)
            declared |= asked
            passed &= ~asked | ((low <= values) & (values <= high))
    return declared, declared & passed
