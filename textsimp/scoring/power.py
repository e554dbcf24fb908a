"""Which difference between systems a test set can detect."""

import bisect
from collections.abc import Mapping, Sequence
from typing import Any

from textsimp.core import significance
from textsimp.core.declarations import PREDICTIONS
from textsimp.core.draws import RESAMPLES
from textsimp.core.examples import Examples
from textsimp.core.metric import Metric
from textsimp.core.tables import Cell, Grid
from textsimp.metrics.catalogue import Metrics
from textsimp.scoring import comparison, headlines
from textsimp.scoring.ranking import Ranking, judge
from textsimp.scoring.systems import (
    UNCHANGED,
    check_baselines,
    check_examples,
    check_names,
    list_baselines,
)
from textsimp.support.errors import (
    InputError,
    check_integer,
    check_number,
    check_sampling,
    take_either,
)


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
) -> Grid:
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

    Returns:
        A table: so many examples detect this difference. The first row of a metric is of the test
        set.

    Example:
        >>> import textsimp
        >>> sources = [f"In {year} he was extremely ill." for year in range(1900, 1920)]
        >>> simple = [source.replace("extremely", "very") for source in sources]
        >>> ours = [*simple[:15], *sources[15:]]
        >>> found = textsimp.power({"ours": ours}, sources=sources, references=simple, examples=80)
        >>> now, planned = (row["difference"] for row in found.records())
        >>> round(now / planned, 1)
        2.1
    """
    sampling = check_sampling(confidence, resamples, seed, optional=False)
    if examples is not None:
        check_integer("examples", examples, significance.FEWEST)
    if difference is not None:
        check_number("difference", difference, 1e-6)
    scorers, shared = comparison.choose_metrics(metrics, options)
    shared |= {"sources": sources, "references": references}
    data = check_examples(scorers.values(), systems, shared)
    rows = list[list[Any]]()
    for ranking in _rank(data, scorers, baseline, sampling):
        sizes = [(n, ranking.detectable(n)) for n in (len(data), examples) if n is not None]
        if difference is not None:
            sizes.append((_count_examples(ranking, difference), difference))
        for n, size in sizes:
            detected = Cell(headlines.two_digits(size) if size else "", value=size or None)
            rows.append([ranking.label, Cell(f"{n:,}", value=n), detected])
    note = (
        "So many examples detect such a difference or a larger one in "
        f"{100 * significance.POWER:g} % of tries (paired permutation test, p < "
        f"{1 - confidence:.3g})."
    )
    return Grid(["metric", "examples", "difference"], rows, [note])


def _rank(
    data: Examples, metrics: Mapping[str, Metric], baseline: Any, sampling: Mapping[str, Any]
) -> list[Ranking]:
    """Rank systems, or one and its sources, by each metric that can detect a difference."""
    against = list_baselines(baseline)
    if len(data.systems) == 1:
        name = "copy" if baseline == "copy" else UNCHANGED
        if data.sources is None or {*next(iter(data.systems.values()))} != {PREDICTIONS.name}:
            raise InputError("systems: expected two systems, or one with sources")
        check_names(data.systems, [name])
        data = Examples(data.shared, {name: {PREDICTIONS.name: data.sources}, **data.systems})
        against = against or [name]
    check_baselines(against, data.systems)
    if len(data) < significance.FEWEST:
        raise InputError(f"expected at least {significance.FEWEST} examples, got {len(data)}")
    tests = {
        name: comparison.make_comparison(metric.measure(data), against, **sampling)
        for name, metric in metrics.items()
    }
    rankings = [ranking for ranking in judge(tests).values() if ranking.detectable()]
    if not rankings:
        raise InputError("expected outputs that differ, and a metric that says what is better")
    return rankings


def _count_examples(ranking: Ranking, difference: float) -> int:
    """Return the fewest examples that detect a difference."""

    def detects(number: int) -> bool:
        return 0 < ranking.detectable(number) <= difference

    number = significance.FEWEST
    while not detects(number):
        number *= 2
    return bisect.bisect_left(range(number), True, significance.FEWEST, key=detects)
