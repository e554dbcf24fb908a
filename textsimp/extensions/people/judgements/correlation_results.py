"""Results of meta-evaluation: coefficients, their differences, and how far raters agree."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, cast

from textsimp.core import tables
from textsimp.core.cells import quantity
from textsimp.core.significance import smallest_p
from textsimp.core.tables import Grid, Tabular
from textsimp.extensions.people.judgements.agreement import RaterAgreement
from textsimp.extensions.people.judgements.resampling import COEFFICIENTS, Judged, Over


@dataclass(frozen=True)
class Estimate:
    """A coefficient.

    Attributes:
        value: Correlations from -1 to 1, accuracies from 0 to 1; None where undefined.
        interval: [low, high] of the bootstrap; None if none was asked for or there is none.
            Resamples in which it is undefined are left out.
        over: The number of outputs or systems, or of groups over which it is averaged.
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
    """The difference of a metric's coefficient from the baseline's, with a test.

    Attributes:
        value: The difference.
        interval: [low, high] of the paired bootstrap.
        permutation_p: Two-sided p-value of the permutation test of Deutsch, Dror & Roth 2021. By
            system it swaps systems' standardised scores (PERM-SYS). At other levels it swaps
            outputs' (PERM-BOTH); there it is at least the p-value of the bootstrap over items and
            systems. Tie-calibrated accuracy has the p-value of this bootstrap alone.
        permutation_p_holm: The same, adjusted for the coefficients of the level by the same
            permutations (Westfall & Young 1993), and for all metrics by Holm's method.
    """

    value: float | None
    interval: list[float] | None = None
    permutation_p: float | None = None
    permutation_p_holm: float | None = None

    def cell(self) -> tables.Cell:
        """Return its cell of a table, with the adjusted p-value."""
        cell = tables.Cell.of(self.value, self.interval, 2, sign=True)
        p = self.permutation_p_holm
        shown = [] if p is None else [f"p {tables.p_value(p)}"]
        return replace(cell, small=[*cell.small, *shown])


_NO_GAP = CorrelationDifference(None)


@dataclass(frozen=True, eq=False)
class Agreement(Tabular):
    """Agreement of metrics with people.

    Attributes:
        metrics: Name → level → coefficient → `Estimate`. The levels are
            ``outputs``, ``within_items``, ``within_systems`` and ``systems``, if items and systems
            were given. The coefficients are ``pearson``, ``spearman``, ``kendall``; within items
            ``tie_calibrated_accuracy`` (Deutsch, Foster & Freitag 2023); and, by system,
            ``accuracy`` and ``soft_accuracy`` (Thompson et al. 2024).
        gaps: Name of every metric but the baseline → level → coefficient →
            `CorrelationDifference`; empty without a baseline.
        outputs, items, systems: Their numbers; None if systems weren't given.
        system_score, over, baseline, confidence, resamples, seed: The options.
        signatures: Metric → what exactly was computed, of metrics computed here.
        notes: What was left out, and what to beware of.
        raters: How far raters agree with each other, of the outputs that are judged; None if none
            has two ratings.
        clusters: Level → coefficient → metric → rank, from 1 for the best; empty unless asked for.
        judged: The outputs' scores and ratings.
    """

    metrics: Mapping[str, Mapping[str, Mapping[str, Estimate]]]
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
    clusters: Mapping[str, Mapping[str, Mapping[str, int]]]
    judged: Judged = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """Return all but the outputs as plain data for JSON."""
        plain: dict[str, Any] = asdict(replace(self, judged=cast(Any, None)))
        del plain["judged"]
        return plain

    def grid(self) -> Grid:
        """Return a row per level and metric; with a baseline, one of the differences below it."""
        (first, *_) = self.metrics.values()
        keys = {key for estimates in first.values() for key in estimates}
        heads = {key: head for key, head in COEFFICIENTS.items() if key in keys}
        rows: list[list[Any]] = []
        reasons: list[str] = []
        for level in first:
            for metric, levels in self.metrics.items():
                estimates, gaps = levels[level], self.gaps.get(metric, {}).get(level, {})
                name = level.replace("_", " ")
                cells = [self._cell(metric, level, key) for key in heads]
                rows.append([name, metric, *cells])
                lacking = dict.fromkeys(e.reason for e in estimates.values() if e.reason)
                reasons += [f"{metric}, {name}: {reason}" for reason in lacking]
                if gaps:
                    cells = [gaps[key].cell() if key in gaps else "" for key in heads]
                    rows.append([name, f"  minus {self.baseline}", *cells])
        notes = [self.heading(), *self._group_lines(), *self.rater_lines(), *self.notes, *reasons]
        if self.gaps:
            notes.append(self._explain_p())
        if self.clusters:
            notes.append(
                "rank: metrics of a rank don't differ significantly, adjusted for all pairs"
            )
        notes += dict.fromkeys(self.signatures.values())
        return Grid(["level", "metric", *heads.values()], rows, notes, named=2)

    def _cell(self, metric: str, level: str, key: str) -> Any:
        """Return the cell of a coefficient, with the metric's rank."""
        if key not in self.metrics[metric][level]:
            return ""
        cell = self.metrics[metric][level][key].cell()
        rank = self._rank(metric, level, key)
        return cell if rank is None else replace(cell, small=[*cell.small, f"rank {rank}"])

    def _rank(self, metric: str, level: str, key: str) -> int | None:
        return self.clusters.get(level, {}).get(key, {}).get(metric)

    def records(self) -> list[dict[str, Any]]:
        """Return a record per coefficient: metric, level, coefficient, value, low, high and so on.

        With a baseline also ``gap``, ``gap_low``, ``gap_high``, ``permutation_p`` and
        ``permutation_p_holm``, with clusters also ``rank``.
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
                        gap = self.gaps.get(metric, {}).get(level, {}).get(name, _NO_GAP)
                        low, high = gap.interval or (None, None)
                        record |= {"gap": gap.value, "gap_low": low, "gap_high": high}
                        record["permutation_p"] = gap.permutation_p
                        record["permutation_p_holm"] = gap.permutation_p_holm
                    if self.clusters:
                        record["rank"] = self._rank(metric, level, name)
                    records.append(record)
        return records

    def _explain_p(self) -> str:
        """Return the note on p-values."""
        metrics = " and, by Holm's method, all metrics" if len(self.gaps) > 1 else ""
        about = f"p: of {self.resamples:,} permutations, adjusted for all coefficients{metrics}"
        if self.systems is None or "systems" not in self.judged.by:
            return about
        least = smallest_p(self.systems, self.resamples)
        return f"{about}; by system, of {self.systems:,} systems, it is at least {least:.2g}"

    def _group_lines(self) -> list[str]:
        """Return lines that say of how many outputs the coefficients within items and systems are.

        A group that doesn't define a coefficient adds nothing, see `Estimate.over`.
        """
        lines = []
        for level in self.judged.by:
            _, _, what = level.partition("within_")
            sizes = {len(rows) for rows in self.judged.groups(level)} if what else None
            if sizes:
                outputs = " to ".join(f"{size:,}" for size in sorted({min(sizes), max(sizes)}))
                number = self.judged.sizes[what]
                lines.append(f"within {what}: mean of {number:,} {what}, {outputs} outputs each")
        return lines

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
        counts = f"{quantity(self.outputs, 'output')} of {quantity(self.items, 'item')}"
        if self.systems is not None:
            counts += f" by {quantity(self.systems, 'system')}, scored by {self.system_score}"
        if self.confidence is None:
            return counts
        over = {"both": "items and systems"}.get(self.over, self.over)
        if self.over == "items" and "systems" in self.judged.by:
            over = "items, by system over items and systems"
        return f"{counts}; {100 * self.confidence:g} % bootstrap intervals over {over}"
