"""Several systems on the same data: their scores, differences and paired tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textsimp import columns, significance
from textsimp.catalogue import metric_class
from textsimp.columns import InputError


def compare(
    systems: Mapping[str, Any],
    *,
    sources: Any = None,
    references: Any = None,
    metric: str = "sari",
    baseline: str | None = None,
    confidence: float = 0.95,
    resamples: int = 1000,
    seed: int = 0,
    **options: Any,
) -> dict[str, Any]:
    """Score systems and test whether they differ from a baseline.

    Args:
        systems: Name → predictions, one per source; at least two systems.
        sources: The original texts.
        references: One or more reference simplifications per source.
        metric: A metric's name.
        baseline: The system that the others are tested against; the first unless given.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        **options: ``variant`` and other options of the metric.

    Returns:
        ``systems``: name → what the metric's ``score`` returns, with intervals.
        ``differences``: name of every other system → for each score its ``<score>``, the
        difference system − baseline; ``<score>_interval``, the paired bootstrap interval of the
        difference; ``<score>_bootstrap_p`` and ``<score>_permutation_p``, two-sided p-values.
        ``signature``, ``baseline``, ``confidence``, ``resamples``, ``seed``: what was done.

    Raises:
        InputError: Fewer than two systems, an unknown baseline, or bad columns or options.

    Example:
        >>> from textsimp import compare
        >>> result = compare(
        ...     {"copy": ["A feline sat.", "It rained."], "ours": ["A cat sat.", "It rained."]},
        ...     sources=["A feline sat.", "It rained."],
        ...     references=["A cat sat.", "Rain fell."],
        ... )
        >>> result["differences"]["ours"]["sari"] > 0
        True
    """
    if len(systems) < 2:
        raise InputError(f"systems: expected at least two, got {len(systems)}")
    baseline = next(iter(systems)) if baseline is None else baseline
    if baseline not in systems:
        raise InputError(f"baseline: expected one of {', '.join(systems)}, got {baseline!r}")
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    scorer, score_options = metric_class(metric).configure({**options, **sampling})
    predictions = {
        name: columns.texts(column, f"predictions of {name}") for name, column in systems.items()
    }
    columns.check_lengths(**{f"predictions of {name}": p for name, p in predictions.items()})
    sources, _, references = scorer.check(sources, predictions[baseline], references)

    rows = scorer.statistics_of(sources, list(predictions.values()), references)
    statistics = dict(zip(predictions, rows, strict=True))
    scores = {
        name: scorer.results(
            of_system, sources, references, predictions=predictions[name], **score_options
        )
        for name, of_system in statistics.items()
    }
    differences = {}
    for name, of_system in statistics.items():
        if name == baseline:
            continue
        pair = statistics[baseline], of_system
        observed = significance.differences(scorer.reduce, *(part.sum(axis=0) for part in pair))
        bootstrap_p, resampled = significance.paired_bootstrap(
            scorer.reduce, *pair, resamples, seed
        )
        permutation_p = significance.paired_permutation(scorer.reduce, *pair, resamples, seed)
        interval = significance.intervals(resampled, confidence)
        differences[name] = {
            key: value
            for score in interval
            if score in scores[name] and not score.startswith(("source_", "reference_"))
            for key, value in (
                (score, float(observed[score])),
                (f"{score}_interval", interval[score]),
                (f"{score}_bootstrap_p", bootstrap_p[score]),
                (f"{score}_permutation_p", permutation_p[score]),
            )
        }
    return {
        "systems": scores,
        "differences": differences,
        "signature": scorer.signature(references),
        "baseline": baseline,
        **sampling,
    }
