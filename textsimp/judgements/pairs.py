"""Pairs of texts of which people prefer one: how often it scores higher."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

from textsimp.core import significance, tables
from textsimp.core.metric import Floats, Metric
from textsimp.core.tables import Grid, Tabular
from textsimp.judgements import correlation_arguments as arguments
from textsimp.judgements.correlation_arguments import References
from textsimp.judgements.correlation_results import count_noun
from textsimp.metrics import catalogue
from textsimp.support.errors import check_choice, take_either


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
        signatures: Metric → what exactly was computed.
        notes: What was left out.
    """

    metrics: Mapping[str, Preference]
    pairs: int
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
        return Grid(header, rows, [count_noun(self.pairs, "pair"), *self.notes, *signatures])

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
    confidence: float | None = 0.95,
) -> Preferences:
    """Measure how often metrics score the better text of a pair higher, with a sign test.

    Args:
        rows: A pair a row, as `evaluate` takes them.
        metrics: See `evaluate`.
        better: The column of the texts that people prefer.
        worse: The column of the others.
        references: A reference that equals one of the texts is left out for both; and so is a pair
            without another one, from all metrics. ``"as_given"`` keeps them.
        confidence: Coverage of the intervals; None for none.

    Example:
        >>> from textsimp import judgements
        >>> rows = [
        ...     {"better": "The cat lay.", "worse": "The dog lay.", "references": ["The cat sat."]},
        ...     {"better": "It rained.", "worse": "It snowed.", "references": ["It rained a lot."]},
        ... ]
        >>> judgements.evaluate_pairs(rows, "bleu").metrics["bleu"].higher
        2
    """
    significance.check(confidence, 1, 0)
    check_choice("references", references, get_args(References))
    chosen = arguments.read_metrics(metrics)
    table = arguments.read_table(rows)
    examples, chosen = arguments.read_examples(chosen, table, {"better": better, "worse": worse})
    every = range(len(examples))
    examples, kept, notes = arguments.drop_outputs(examples, every, None, references, "pair")
    examples = examples.take(kept)
    found = {}
    for label, (metric, key) in chosen.items():
        statistics = metric.compute_statistics(examples)
        better_scores, worse_scores = (
            metric.reduce_examples(statistics[system])[key] for system in ("better", "worse")
        )
        found[label] = _count(better_scores, worse_scores, confidence)
    signatures = arguments.sign(chosen, examples)
    return Preferences(found, len(examples), confidence, signatures, tuple(notes))


def _count(better: Floats, worse: Floats, confidence: float | None) -> Preference:
    from scipy import stats

    n, higher, lower = len(better), int((better > worse).sum()), int((better < worse).sum())
    interval, p = None, None
    if confidence is not None:
        bounds = stats.binomtest(higher, n).proportion_ci(confidence, method="wilson")
        interval = [float(bounds.low), float(bounds.high)]
    if higher + lower:
        p = float(stats.binomtest(higher, higher + lower).pvalue)
    return Preference(higher, n - higher - lower, lower, higher / n, interval, p)
