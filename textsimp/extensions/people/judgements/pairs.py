"""Pairs of texts of which people prefer one: how often it scores higher."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np

from textsimp.core import draws, tables
from textsimp.core.cells import quantity
from textsimp.core.draws import RESAMPLES
from textsimp.core.intervals import wilson
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Ints
from textsimp.core.tables import Grid, Tabular
from textsimp.extensions.people.judgements import correlation_arguments as arguments
from textsimp.extensions.people.judgements.correlation_arguments import References
from textsimp.extensions.people.judgements.resampling import encode
from textsimp.metrics import catalogue
from textsimp.support.errors import check_choice, check_sampling, take_either


@dataclass(frozen=True)
class Preference:
    """The share of pairs in which the better text scores higher.

    Attributes:
        higher, tied, lower: Numbers of pairs in which it scores so.
        share: Share of all pairs in which it scores higher.
        interval: [low, high] of the share, by Wilson's method.
        p: Two-sided p-value of the sign test, of the pairs that aren't tied; None if all are.

    Pairs of one source aren't independent. So the test swaps all pairs of a source together, and
    the interval is that of the effective number of pairs.
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
        sources: The number of sources; of pairs without.
        confidence: Coverage of the intervals.
        signatures: Metric → what exactly was computed.
        notes: What was left out.
    """

    metrics: Mapping[str, Preference]
    pairs: int
    sources: int
    confidence: float | None
    signatures: Mapping[str, str]
    notes: Sequence[str]

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
        signatures = dict.fromkeys(self.signatures.values())
        about = quantity(self.pairs, "pair")
        if self.sources < self.pairs:
            about += f" of {quantity(self.sources, 'source')}, swapped together"
        if self.sources == 1 < self.pairs:
            about = f"{self.pairs:,} pairs of one source, of which p and interval are"
        return Grid(header, rows, [about, *self.notes, *signatures])

    def records(self) -> list[dict[str, Any]]:
        """Return a record per metric: the fields of `Preference`, and the interval's ends."""
        records = []
        for name, preference in self.metrics.items():
            low, high = preference.interval or (None, None)
            plain = {key: value for key, value in vars(preference).items() if key != "interval"}
            records.append({"metric": name, **plain, "low": low, "high": high})
        return records


@take_either("metrics", "metric")
def evaluate_pairs(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric | tuple[Metric, str]] = "sari",
    *,
    better: str = "better",
    worse: str = "worse",
    references: References = "without_output",
    item: str | None = None,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Preferences:
    """Measure how often metrics score the better text of a pair higher, with a sign test.

    Args:
        rows: A pair a row, as `evaluate` takes them.
        metrics: See `evaluate`.
        better: The column of the texts that people prefer.
        worse: The column of the others.
        references: A reference that equals one of the texts is left out for both; and so is a pair
            without another one, from all metrics. ``"as_given"`` keeps them.
        item: The column of what both texts simplify. Default: ``item`` if there is such a column,
            or else each source is an item.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of swaps of items, if these have several pairs.
        seed: Their seed.

    Example:
        >>> from textsimp.extensions import people
        >>> rows = [
        ...     {"better": "The cat lay.", "worse": "The dog lay.", "references": ["The cat sat."]},
        ...     {"better": "It rained.", "worse": "It snowed.", "references": ["It rained a lot."]},
        ... ]
        >>> people.evaluate_pairs(rows, "bleu").metrics["bleu"].higher
        2
    """
    check_sampling(confidence, resamples, seed)
    check_choice("references", references, get_args(References))
    chosen = arguments.read_metrics(metrics)
    table = arguments.read_table(rows)
    examples, chosen = arguments.read_examples(chosen, table, {"better": better, "worse": worse})
    every = range(len(examples))
    examples, kept, notes = arguments.drop_outputs(examples, every, None, references, "pair")
    examples = examples.take(kept)
    items = arguments.find_ids(table, item, "item") or arguments.find_sources(table)
    codes = np.arange(len(kept)) if items is None else encode(items[i] for i in kept)
    preferences = {}
    for label, (metric, key) in chosen.items():
        statistics = metric.compute_statistics(examples)
        better_scores, worse_scores = (
            metric.reduce_examples(statistics[system])[key] for system in ("better", "worse")
        )
        signs = np.sign(better_scores - worse_scores)
        preferences[label] = _count(signs, codes, confidence, resamples, seed)
    signatures = arguments.sign(chosen, examples)
    sources = int(codes.max()) + 1
    return Preferences(preferences, len(examples), sources, confidence, signatures, tuple(notes))


def _count(
    signs: Floats, items: Ints, confidence: float | None, resamples: int, seed: int
) -> Preference:
    from scipy import stats

    n, higher, lower = len(signs), int((signs > 0).sum()), int((signs < 0).sum())
    share = higher / n
    several = 1 < items.max() + 1 < n  # of a single source, p and interval are of this source
    interval, p = None, None
    if confidence is not None:
        independent = _count_independent(signs > 0, items) if several else n
        interval = wilson(share, independent, confidence)
    if higher + lower and several:
        p = _swap_items(np.bincount(items, signs).astype(np.float64), resamples, seed)
    elif higher + lower:
        p = float(stats.binomtest(higher, higher + lower).pvalue)
    return Preference(higher, n - higher - lower, lower, share, interval, p)


def _count_independent(higher: Any, items: Ints) -> float:
    """Return the effective number of pairs: so many independent ones would vary as much."""
    n, share, groups = len(items), float(higher.mean()), int(items.max()) + 1
    item_sums = np.bincount(items, higher - share)
    variance = float((item_sums**2).sum()) / n**2 * groups / max(1, groups - 1)
    return min(n, share * (1 - share) / variance) if variance else groups


def _swap_items(sums: Floats, resamples: int, seed: int) -> float:
    """Return the two-sided p-value of a sign test that swaps whole items."""
    sums = sums[sums != 0]
    larger = drawn = 1
    for swap in draws.swaps(len(sums), resamples, seed):
        totals = np.where(swap, -sums, sums).sum(axis=1)
        larger += int(np.count_nonzero(np.abs(totals) >= abs(sums.sum())))
        drawn += len(totals)
    return larger / drawn
