"""Several systems on the same data: their scores, differences and paired tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from textsimp import catalogue, columns, significance
from textsimp.columns import InputError
from textsimp.metric import Metric, check_score_options


def compare(
    systems: Mapping[str, Any],
    *,
    sources: Any = None,
    references: Any = None,
    metric: str | Sequence[str] | Mapping[str, Mapping[str, Any]] = "sari",
    baseline: str | None = None,
    per_example: bool = False,
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
        metric: A metric's name; or, for several metrics, a list of names, or name → options, such
            as ``{"sari": {"variant": "xu"}, "bleu": {}}``.
        baseline: The system that the others are tested against; the first unless given.
        per_example: Also each example's scores.
        confidence: Coverage of the intervals.
        resamples: Number of bootstrap resamples and of random assignments.
        seed: Seed of both.
        **options: ``variant`` and other options of the one metric.

    Returns:
        For one name, a dict; for a list or a mapping, a dict of such dicts by metric:

        ``systems``: name → what the metric's ``score`` returns, with intervals.
        ``differences``: name of every other system → for each score its ``<score>``, the
        difference system − baseline; ``<score>_interval``, the paired bootstrap interval of the
        difference; ``<score>_bootstrap_p`` and ``<score>_permutation_p``, two-sided p-values.
        ``signature``, ``baseline``, ``confidence``, ``resamples``, ``seed``: what was done.

    Raises:
        InputError: Fewer than two systems, an unknown baseline, or bad columns or options. All
            metrics are checked before the first is computed.

    Example:
        >>> from textsimp import compare
        >>> columns = {
        ...     "sources": ["A feline sat.", "It rained."],
        ...     "references": ["A cat sat.", "Rain fell."],
        ... }
        >>> systems = {"copy": columns["sources"], "ours": ["A cat sat.", "It rained."]}
        >>> result = compare(systems, **columns, variant="xu")
        >>> result["differences"]["ours"]["sari"] > 0
        True
        >>> results = compare(systems, **columns, metric=["sari", "bleu"])
        >>> results["bleu"]["differences"]["ours"]["bleu"] > 0
        True
    """
    check_score_options(per_example)
    significance.check(confidence, resamples, seed, optional=False)
    # Plain numbers, as they are among the results.
    sampling = {"confidence": float(confidence), "resamples": int(resamples), "seed": int(seed)}
    if options and not isinstance(metric, str):
        name = next(iter(options))
        raise InputError(
            f"{name}: options of several metrics are given by metric, as in "
            f"metric={{'sari': {{{name!r}: …}}}}"
        )
    metrics = {metric: options} if isinstance(metric, str) else metric
    scorers = catalogue.configured(metrics, "metric")
    predictions = checked_systems(systems)
    if len(predictions) < 2:
        raise InputError(f"systems: expected at least two, got {len(predictions)}")
    baseline = next(iter(predictions)) if baseline is None else baseline
    if not isinstance(baseline, str) or baseline not in predictions:
        meant = columns.nearest(baseline, predictions)
        raise InputError(
            f"baseline: expected one of {', '.join(predictions)}, got {baseline!r}{meant}"
        )
    for scorer in scorers.values():
        sources, _, references = scorer.check(sources, predictions[baseline], references)
    results = {
        name: _compare(scorer, predictions, sources, references, baseline, per_example, sampling)
        for name, scorer in scorers.items()
    }
    return results[metric] if isinstance(metric, str) else results


def checked_systems(systems: Mapping[str, Any]) -> dict[str, list[str]]:
    """Check systems' names and predictions: name → as many texts for each.

    Raises:
        InputError: Not a mapping, a name that is no text, or see `textsimp.columns`.
    """
    if not isinstance(systems, Mapping):
        raise InputError(
            f"systems: expected a mapping from names to predictions, got {type(systems).__name__}"
        )
    for name in systems:
        if not isinstance(name, str) or not name.strip():
            raise InputError(f"systems: expected names, got {name!r}")
    if systems:
        columns.texts(list(systems), "names of systems")  # they are written to files
    predictions = {
        name: columns.texts(column, f"predictions of {name}") for name, column in systems.items()
    }
    columns.check_lengths(**{f"predictions of {name}": p for name, p in predictions.items()})
    return predictions


def _compare(
    scorer: Metric,
    predictions: Mapping[str, list[str]],
    sources: list[str] | None,
    references: list[list[str]] | None,
    baseline: str,
    per_example: bool,
    sampling: Mapping[str, Any],
) -> dict[str, Any]:
    resamples, seed = sampling["resamples"], sampling["seed"]
    rows = scorer.statistics_of(sources, list(predictions.values()), references)
    statistics = dict(zip(predictions, rows, strict=True))
    scores = {
        name: scorer.results(
            of_system,
            sources,
            references,
            predictions=predictions[name],
            per_example=per_example,
            **sampling,
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
        interval = significance.intervals(resampled, sampling["confidence"])
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
