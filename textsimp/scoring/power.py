"""Which difference between systems a test set can detect."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from textsimp.core import significance, statistics
from textsimp.core.declarations import PREDICTIONS
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.metrics.catalogue import Metrics
from textsimp.scoring import baselines, comparison, headlines
from textsimp.scoring.headlines import Ranking
from textsimp.support.errors import InputError, check_integer, check_number, take_either


@dataclass(frozen=True, repr=False)
class Power(Tabular):
    """What a test set can detect, and other numbers of examples.

    ``rankings`` are the systems by each metric that says what is better, ``examples`` numbers of
    examples, first that of the test set.
    """

    rankings: Sequence[Ranking]
    examples: Sequence[int]
    difference: float | None
    confidence: float

    def sizes(self, ranking: Ranking) -> list[tuple[int, float]]:
        """Return numbers of examples with the smallest difference that each detects."""
        n = self.examples[0]
        sizes = [(m, ranking.detectable * (n / m) ** 0.5) for m in self.examples]
        if self.difference is not None:
            needed = math.ceil(n * (ranking.detectable / self.difference) ** 2)
            sizes.append((needed, self.difference))
        return sizes

    def grid(self) -> Grid:
        """Return a table: so many examples detect this difference or a larger one."""
        rows: list[list[Any]] = [
            [one.label, Cell(f"{n:,}", value=n), Cell(headlines.two_digits(size), value=size)]
            for one in self.rankings
            for n, size in self.sizes(one)
        ]
        return Grid(["metric", "examples", "difference"], rows, self.sentences())

    def sentences(self) -> list[str]:
        """Say the same in words."""
        n = self.examples[0]
        lines = [
            headlines.describe_detection(
                self.rankings, m, self.confidence, "" if i else "These ", (n / m) ** 0.5
            )
            for i, m in enumerate(self.examples)
        ]
        if self.difference is not None:
            lines += [
                f"It takes {self.sizes(one)[-1][0]:,} examples to detect "
                f"{self.difference:g} {one.unit} or more."
                for one in self.rankings
            ]
        return lines


@take_either("metrics", "metric")
def power(
    systems: Mapping[str, Any] | Sequence[str] | Examples,
    *,
    metrics: Metrics = "sari",
    sources: Any = None,
    references: Any = None,
    examples: int | None = None,
    difference: float | None = None,
    baseline: str | None = None,
    confidence: float = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    **options: Any,
) -> Power:
    """Say which difference between systems a test set can detect.

    The paired permutation test finds it in 80 % of tries. A single system is compared with its
    sources, unchanged; several are compared with the baseline.

    Args:
        systems: See `textsimp.score`.
        metrics: See `textsimp.score`.
        sources: The original texts.
        references: One or more reference simplifications per source.
        examples: What so many examples can detect.
        difference: How many examples can detect this difference. Choose the smallest that would
            matter, not the one that these systems have.
        baseline: The system that the others are compared with. Default: the best of each metric.
        confidence: Coverage of the intervals; a difference is significant if p is below
            1 − confidence.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        **options: See `textsimp.score`.

    Example:
        >>> import textsimp
        >>> sources = [f"In {year} he was extremely ill." for year in range(1900, 1920)]
        >>> simple = [source.replace("extremely", "very") for source in sources]
        >>> ours = [*simple[:15], *sources[15:]]
        >>> found = textsimp.power({"ours": ours}, sources=sources, references=simple, examples=80)
        >>> now, planned = (row["difference"] for row in found.records())
        >>> round(now / planned, 2)
        2.0
    """
    sampling = significance.check(confidence, resamples, seed, optional=False)
    if examples is not None:
        check_integer("examples", examples, significance.FEWEST)
    if difference is not None:
        check_number("difference", difference, 1e-6)
    scorers, shared = comparison.choose_metrics(metrics, options)
    shared |= {"sources": sources, "references": references}
    data = comparison.check_examples(scorers.values(), systems, shared)
    if len(data.systems) == 1:
        if data.sources is None or {*next(iter(data.systems.values()))} != {PREDICTIONS.name}:
            raise InputError("systems: expected two systems, or one with sources")
        baseline = baseline or baselines.UNCHANGED
        name = "copy" if baseline == "copy" else baselines.UNCHANGED
        copy = {name: {PREDICTIONS.name: data.sources}}
        data = Examples(data.shared, {**copy, **data.systems})
    baselines.check_baselines(baseline, data.systems)
    if len(data) < significance.FEWEST:
        raise InputError(f"expected at least {significance.FEWEST} examples, got {len(data)}")
    tests = {
        name: comparison.make_comparison(one, baseline, **sampling)
        for name, one in statistics.measure(scorers, data).items()
    }
    rankings = [ranking for ranking in headlines.judge(tests).values() if ranking.detectable]
    if not rankings:
        raise InputError("expected outputs that differ, and a metric that says what is better")
    planned = [] if examples is None else [examples]
    return Power(rankings, [len(data), *planned], difference, confidence)
