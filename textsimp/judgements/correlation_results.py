"""What is known of how well scores agree with people, as values with fields."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from textsimp.core import tables
from textsimp.core.tables import Grid, Tabular
from textsimp.judgements.agreement import RaterAgreement
from textsimp.judgements.resampling import COEFFICIENTS, LEVELS, Judged, Over

# Columns of the table: level, coefficient, head.
COLUMNS = (
    ("outputs", "pearson", "outputs, r"),
    ("within_items", "kendall", "within an item, τ"),
    ("systems", "spearman", "systems, ρ"),
    ("systems", "accuracy", "pairs of systems"),
)


@dataclass(frozen=True)
class Estimate:
    """A coefficient.

    Attributes:
        value: Correlations from -1 to 1, accuracies from 0 to 1; None where undefined.
        interval: [low, high] of the bootstrap; None if none was asked for or there is none.
            Resamples in which it is undefined don't count.
        over: The number of outputs or systems that it is of, or of groups that it is averaged over.
        epsilon: Of accuracies by output, the difference up to which scores count as ties, so that
            the accuracy is largest (Deutsch, Foster & Freitag 2023). Resamples keep it. Random
            outputs are taken if there are more than some 4.5 million pairs (3,000 outputs).
        reason: Why there is no value.
    """

    value: float | None
    interval: list[float] | None
    over: int
    epsilon: float | None = None
    reason: str = ""


@dataclass(frozen=True)
class CorrelationDifference:
    """A coefficient of a metric minus that of the baseline, with tests that they are alike.

    Attributes:
        value: The difference.
        interval: [low, high] of the paired bootstrap.
        permutation_p: Two-sided p-value of the permutation test of Deutsch, Dror & Roth 2021: of
            outputs' standardised scores (PERM-BOTH); by system, where its score is the corpus's, of
            systems' (PERM-SYS). None for accuracies by output.
        williams_p: Of Williams' test, for Pearson's r over all outputs and by system. It takes
            outputs to be independent, which those of one item are not.
        detectable: The smallest difference that a test at 1 − confidence finds in 80 % of tries, by
            the interval. By system there is one only if systems are resampled.
    """

    value: float
    interval: list[float] | None = None
    permutation_p: float | None = None
    williams_p: float | None = None
    detectable: float | None = None


Estimates = Mapping[str, Mapping[str, Estimate]]


@dataclass(frozen=True, eq=False)
class Agreement(Tabular):
    """Agreement of metrics with people.

    Attributes:
        metrics: Name → level → coefficient → `Estimate`. The levels are the keys of
            `textsimp.judgements.resampling.LEVELS`, those that items and systems were given for;
            the coefficients are ``pearson``, ``spearman``, ``kendall`` and ``accuracy``.
        gaps: Name of every metric but the baseline → level → coefficient →
            `CorrelationDifference`; empty without a baseline.
        outputs, items, systems: Their numbers; None if systems weren't given.
        system_score, over, baseline, confidence, resamples, seed: The options.
        signatures: Metric → what exactly was computed, of metrics computed here.
        notes: What was left out, and what to beware of.
        raters: How far raters agree with each other, of the outputs that are judged; None if none
            has two ratings. Labels are ordinal, numbers interval.
        judged: The outputs' scores and ratings, which `textsimp.judgements.plot` shows.
    """

    metrics: Mapping[str, Estimates]
    gaps: Mapping[str, Mapping[str, Mapping[str, CorrelationDifference]]]
    outputs: int
    items: int
    systems: int | None
    system_score: str
    over: Over
    baseline: str | None
    confidence: float | None
    resamples: int
    seed: int
    signatures: Mapping[str, str]
    notes: Sequence[str]
    raters: RaterAgreement | None
    judged: Judged = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the outputs as plain data for JSON."""
        plain: dict[str, Any] = asdict(replace(self, judged=cast(Any, None)))
        del plain["judged"]
        return plain

    def __str__(self) -> str:
        """Return the table as plain text."""
        return self.grid().to_text()

    def grid(self) -> Grid:
        """Return a row per metric, with some coefficients; `records` has all."""
        first = next(iter(self.metrics.values()))
        columns = [(level, name, head) for level, name, head in COLUMNS if level in first]
        rows = [
            [metric, *(_cell(result[level][name]) for level, name, _ in columns)]
            for metric, result in self.metrics.items()
        ]
        return Grid(
            ["", *(head for *_, head in columns)],
            rows,
            [self.heading(), *self.rater_lines(), *self.signatures.values(), *self.notes],
        )

    def level_grid(self, level: str) -> Grid:
        """Return all coefficients of a level, and with a baseline differences with p-values."""
        rows, notes = [], []
        for metric, levels in self.metrics.items():
            rows.append([metric, *(_cell(levels[level][name]) for name in COEFFICIENTS)])
            reasons = dict.fromkeys(e.reason for e in levels[level].values() if e.reason)
            notes += [f"{metric}: {reason}" for reason in reasons]
            gaps = self.gaps.get(metric, {}).get(level, {})
            if gaps:
                williams = gaps["pearson"].williams_p if "pearson" in gaps else None
                if williams is not None:
                    p = tables.p_value(williams)
                    notes.append(f"{metric} minus {self.baseline}: Williams' test of r, p {p}")
                cells = [_gap(gaps[name]) if name in gaps else "–" for name in COEFFICIENTS]
                rows.append([f"  minus {self.baseline}", *cells])
                sizes = [gaps[name].detectable if name in gaps else None for name in COEFFICIENTS]
                if any(sizes):
                    cells = [tables.Cell.of(size, None, 2) if size else "–" for size in sizes]
                    rows.append(["  detectable", *cells])
        return Grid([LEVELS[level], *COEFFICIENTS.values()], rows, notes)

    def records(self) -> list[dict[str, Any]]:
        """Return a record per coefficient: metric, level, coefficient, value, low, high and so on.

        With a baseline also ``gap``, ``gap_low``, ``gap_high``, ``permutation_p``, ``williams_p``
        and ``detectable``.
        """
        records = []
        for metric, levels in self.metrics.items():
            for level, estimates in levels.items():
                for name, estimate in estimates.items():
                    low, high = estimate.interval or (None, None)
                    record: dict[str, Any] = {"metric": metric, "level": level, "coefficient": name}
                    record |= {"value": estimate.value, "low": low, "high": high}
                    record |= {"over": estimate.over, "epsilon": estimate.epsilon}
                    record["reason"] = estimate.reason or None
                    if self.baseline is not None:
                        record |= _gap_record(self.gaps.get(metric, {}).get(level, {}).get(name))
                    records.append(record)
        return records

    def rater_lines(self) -> list[str]:
        """Return a line on how far raters agree, if there is more than one."""
        if self.raters is None:
            return []
        if self.raters.alpha is None:
            return [f"raters: no Krippendorff's α: {self.raters.reason}"]
        alpha = tables.Cell.of(self.raters.alpha, self.raters.interval, 2)
        return [f"raters: Krippendorff's α ({self.raters.level}) {alpha}"]

    def heading(self) -> str:
        """Return the numbers of outputs, items and systems, and what intervals are over."""
        counts = f"{count_noun(self.outputs, 'output')} of {count_noun(self.items, 'item')}"
        if self.systems is not None:
            counts += f" by {count_noun(self.systems, 'system')}, scored by {self.system_score}"
        if self.confidence is None:
            return counts
        over = {"both": "items and systems"}.get(self.over, self.over)
        return f"{counts}; {100 * self.confidence:g} % bootstrap intervals over {over}"


@dataclass(frozen=True)
class Preference:
    """The share of pairs in which the better text scores higher.

    Attributes:
        higher, tied, lower: Numbers of pairs in which it scores so.
        share: Share of all pairs in which it scores higher.
        interval: [low, high] of the share, by Wilson's method.
        p: Two-sided p-value of the sign test, of the pairs that aren't tied; None if all are.
    """

    higher: int
    tied: int
    lower: int
    share: float
    interval: list[float] | None
    p: float | None


@dataclass(frozen=True, eq=False)
class Preferences(Tabular):
    """The share of pairs in which the better text scores higher, by metric.

    Attributes:
        metrics: Name → `Preference`.
        pairs: The number of pairs.
        confidence: Coverage of the intervals.
        signatures: Metric → what exactly was computed, of metrics computed here.
        notes: What was left out.
    """

    metrics: Mapping[str, Preference]
    pairs: int
    confidence: float | None
    signatures: Mapping[str, str] = field(default_factory=dict)
    notes: Sequence[str] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return asdict(self)

    def grid(self) -> Grid:
        """Return a row per metric."""
        rows = []
        for name, result in self.metrics.items():
            share = tables.Cell.of(result.share, result.interval, 3)
            counts = [f"{count:,}" for count in (result.higher, result.tied, result.lower)]
            p = "–" if result.p is None else tables.p_value(result.p)
            rows.append([name, share, *counts, p])
        header = ["", "better scores higher", "higher", "tied", "lower", "p, sign test"]
        below = [count_noun(self.pairs, "pair"), *self.signatures.values(), *self.notes]
        return Grid(header, rows, below)

    def records(self) -> list[dict[str, Any]]:
        """Return a record per metric: the fields of `Preference`, and the interval's ends."""
        records = []
        for name, preference in self.metrics.items():
            low, high = preference.interval or (None, None)
            plain = {key: value for key, value in vars(preference).items() if key != "interval"}
            records.append({"metric": name, **plain, "low": low, "high": high})
        return records


def count_noun(n: int, what: str) -> str:
    """Return a number with a noun: 1 pair, 1,200 pairs."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _cell(estimate: Estimate) -> tables.Cell:
    if estimate.value is None:
        return tables.Cell("–")
    return tables.Cell.of(estimate.value, estimate.interval, 2)


def _gap(gap: CorrelationDifference) -> tables.Cell:
    cell = tables.Cell.of(gap.value, gap.interval, 2, sign=True)
    p = [] if gap.permutation_p is None else [f"p {tables.p_value(gap.permutation_p)}"]
    return replace(cell, small=[*cell.small, *p])


def _gap_record(gap: CorrelationDifference | None) -> dict[str, Any]:
    own = vars(gap) if gap else dict.fromkeys(CorrelationDifference.__dataclass_fields__)
    low, high = own["interval"] or (None, None)
    tests = {name: own[name] for name in ("permutation_p", "williams_p", "detectable")}
    return {"gap": own["value"], "gap_low": low, "gap_high": high, **tests}
