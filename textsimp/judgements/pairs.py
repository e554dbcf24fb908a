"""Pairs of texts of which people prefer one: how often it scores higher."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, get_args

from textsimp.core import columns, significance, tables
from textsimp.core.metric import Metric
from textsimp.core.tables import Grid, Tabular
from textsimp.judgements import correlation_arguments as arguments
from textsimp.judgements.correlation_arguments import ChosenScores, References
from textsimp.judgements.correlation_results import count_noun
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, take_either


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


@take_either("metrics", "metric")
def evaluate_pairs(
    rows: Any,
    metrics: catalogue.Metrics | Mapping[str, Metric] = "sari",
    *,
    better: str = "better",
    worse: str = "worse",
    references: References = "without_output",
    confidence: float | None = 0.95,
    scores: ChosenScores = "main",
) -> Preferences:
    """Measure how often metrics, computed here, score the better text of a pair higher.

    See also `preferences`.

    Args:
        rows: A pair a row, as `evaluate` takes them.
        metrics: See `evaluate`.
        better: The column of the texts that people prefer.
        worse: The column of the others.
        references: A reference that equals one of the texts is left out for both; and so is a pair
            without another one, from all metrics. ``"as_given"`` keeps them.
        confidence: Coverage of the intervals; None for none.
        scores: See `evaluate`.

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
    scorers, scores = arguments.read_metrics(metrics, scores)
    table, notes = arguments.drop_unreferenced(scorers, arguments.read_table(rows), "pair")
    examples = arguments.read_examples(scorers, table, {"better": better, "worse": worse})
    chosen = arguments.choose_scores(scorers, examples.shared, scores)
    every = range(len(examples))
    examples, kept, equal = arguments.drop_outputs(examples, every, None, references, "pair")
    examples = examples.take(kept)
    values: dict[str, dict[str, Any]] = {"better": {}, "worse": {}}
    statistics = {name: metric.compute_statistics(examples) for name, metric in scorers.items()}
    for label, (name, key) in chosen.items():
        for system, rows in statistics[name].items():
            values[system][label] = scorers[name].reduce_examples(rows)[key]
    signatures = {name: metric.signature(examples.references) for name, metric in scorers.items()}
    result = preferences(values["better"], values["worse"], confidence=confidence)
    return replace(result, signatures=signatures, notes=(*equal, *notes))


def preferences(
    better_scores: Any, worse_scores: Any, *, confidence: float | None = 0.95
) -> Preferences:
    """Measure how often the better text of a pair scores higher, with a sign test.

    Args:
        better_scores: A number per pair, of the text that people prefer; or name → a number per
            pair.
        worse_scores: The same of the other text.
        confidence: Coverage of the intervals; None for none.

    Example:
        >>> from textsimp import judgements
        >>> preference = judgements.preferences([3, 5, 4, 2], [1, 2, 4, 3]).metrics["scores"]
        >>> preference.share, preference.tied
        (0.5, 1)
    """
    significance.check(confidence, 1, 0)
    from scipy import stats

    better = arguments.read_scores(better_scores, "better_scores")
    worse = arguments.read_scores(worse_scores, "worse_scores")
    if {*better} != {*worse}:
        expected = f"expected the metrics of better_scores, {', '.join(better)}"
        raise InputError(f"worse_scores: {expected}, got {', '.join(worse)}")
    first, *_ = better
    columns.check_lengths(better_scores=better[first], worse_scores=worse[first])
    metrics = {}
    for name, of_better in better.items():
        n = len(of_better)
        higher, lower = int((of_better > worse[name]).sum()), int((of_better < worse[name]).sum())
        interval, p = None, None
        if confidence is not None:
            bounds = stats.binomtest(higher, n).proportion_ci(confidence, method="wilson")
            interval = [float(bounds.low), float(bounds.high)]
        if higher + lower:
            p = float(stats.binomtest(higher, higher + lower).pvalue)
        tied = n - higher - lower
        metrics[name or "scores"] = Preference(higher, tied, lower, higher / n, interval, p)
    return Preferences(metrics, n, confidence)
