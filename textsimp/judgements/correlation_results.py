"""What is known of how well scores agree with people, as values with fields."""

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
    ("systems", "soft_accuracy", "soft pairs"),
)


@dataclass(frozen=True)
class Estimate:
    """A coefficient.

    Attributes:
        value: Correlations from -1 to 1, accuracies from 0 to 1; None where undefined.
        interval: [low, high] of the bootstrap; None if none was asked for or there is none.
            Resamples in which it is undefined don't count.
        over: The number of outputs or systems that it is of, or of groups that it is averaged over.
        reason: Why there is no value.
    """

    value: float | None
    interval: list[float] | None
    over: int
    reason: str = ""

    def cell(self) -> tables.Cell:
        """Return its cell of a table."""
        return tables.Cell.of(self.value, self.interval, 2)


@dataclass(frozen=True)
class CorrelationDifference:
    """A coefficient of a metric minus that of the baseline, with tests that they are alike.

    Attributes:
        value: The difference.
        interval: [low, high] of the paired bootstrap.
        permutation_p: Two-sided p-value of the permutation test of Deutsch, Dror & Roth 2021: of
            outputs' standardised scores (PERM-BOTH); by system, where its score is the corpus's, of
            systems' (PERM-SYS).
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
            the coefficients are ``pearson``, ``spearman``, ``kendall`` and, by system,
            ``accuracy`` and ``soft_accuracy``, see `textsimp.judgements.soft_accuracy`.
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

    def grid(self) -> Grid:
        """Return a row per metric, with some coefficients; `records` has all."""
        first = next(iter(self.metrics.values()))
        columns = [(level, name, head) for level, name, head in COLUMNS if level in first]
        rows = [
            [metric, *(result[level][name].cell() for level, name, _ in columns)]
            for metric, result in self.metrics.items()
        ]
        return Grid(
            ["", *(head for *_, head in columns)],
            rows,
            [self.heading(), *self.rater_lines(), *self.signatures.values(), *self.notes],
        )

    def level_grid(self, level: str) -> Grid:
        """Return all coefficients of a level, and with a baseline differences with p-values."""
        rows, heads = [], {}
        notes: list[str] = []
        for metric, levels in self.metrics.items():
            estimates, gaps = levels[level], self.gaps.get(metric, {}).get(level, {})
            heads = {name: COEFFICIENTS[name] for name in estimates}
            rows.append([metric, *(one.cell() for one in estimates.values())])
            notes += dict.fromkeys(f"{metric}: {e.reason}" for e in estimates.values() if e.reason)
            if not gaps:
                continue
            if "pearson" in gaps and gaps["pearson"].williams_p is not None:
                p = tables.p_value(gaps["pearson"].williams_p)
                notes.append(f"{metric} minus {self.baseline}: Williams' test of r, p {p}")
            shown = [gaps.get(name) for name in heads]
            rows.append([f"  minus {self.baseline}", *(_gap(gap) if gap else "–" for gap in shown)])
            sizes = [gap.detectable if gap else None for gap in shown]
            if any(sizes):
                cells = [tables.Cell.of(size or None, None, 2) for size in sizes]
                rows.append(["  detectable", *cells])
        return Grid([LEVELS[level], *heads.values()], rows, notes)

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
                    record |= {"over": estimate.over, "reason": estimate.reason or None}
                    if self.baseline is not None:
                        record |= _gap_record(self.gaps.get(metric, {}).get(level, {}).get(name))
                    records.append(record)
        return records

    def rater_lines(self) -> list[str]:
        """Return a line on how far raters agree, if there is more than one."""
        if self.raters is None:
            return []
        if self.raters.alpha is None or self.raters.reliability is None:
            return [f"raters: no Krippendorff's α: {self.raters.reason}"]
        alpha = tables.Cell.of(self.raters.alpha, self.raters.interval, 2)
        reliability = tables.number(self.raters.reliability, 2)
        about = f"raters: Krippendorff's α ({self.raters.level}) {alpha}"
        return [f"{about}, reliability of their mean {reliability}"]

    def heading(self) -> str:
        """Return the numbers of outputs, items and systems, and what intervals are over."""
        counts = f"{count_noun(self.outputs, 'output')} of {count_noun(self.items, 'item')}"
        if self.systems is not None:
            counts += f" by {count_noun(self.systems, 'system')}, scored by {self.system_score}"
        if self.confidence is None:
            return counts
        over = {"both": "items and systems"}.get(self.over, self.over)
        return f"{counts}; {100 * self.confidence:g} % bootstrap intervals over {over}"


def count_noun(n: int, what: str) -> str:
    """Return a number with a noun: 1 pair, 1,200 pairs."""
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _gap(gap: CorrelationDifference) -> tables.Cell:
    cell = tables.Cell.of(gap.value, gap.interval, 2, sign=True)
    p = [] if gap.permutation_p is None else [f"p {tables.p_value(gap.permutation_p)}"]
    return replace(cell, small=[*cell.small, *p])


def _gap_record(gap: CorrelationDifference | None) -> dict[str, Any]:
    own = vars(gap) if gap else dict.fromkeys(CorrelationDifference.__dataclass_fields__)
    low, high = own["interval"] or (None, None)
    tests = {name: own[name] for name in ("permutation_p", "williams_p", "detectable")}
    return {"gap": own["value"], "gap_low": low, "gap_high": high, **tests}
