"""Coefficients with their intervals, tests and reasons, of columns that were checked."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from textsimp.core import significance
from textsimp.core.sample import Numbers, percentiles
from textsimp.judgements import coefficients, resampling
from textsimp.judgements.agreement import RaterAgreement
from textsimp.judgements.correlation_results import Agreement, CorrelationDifference, Estimate
from textsimp.judgements.resampling import COEFFICIENTS, MIN_SIZE, Judged, Over


def agreement(
    judged: Judged,
    names: list[str],
    *,
    baseline: str | None,
    over: Over,
    confidence: float | None,
    resamples: int,
    seed: int,
    notes: Sequence[str],
    raters: RaterAgreement | None,
    signatures: Mapping[str, str] | None = None,
    system_score: str = "mean",
    progress: Callable[[], object] = lambda: None,
) -> Agreement:
    """Measure how well the metrics of these names agree with people."""
    sizes = dict(zip(("items", "systems"), judged.sizes, strict=True))
    thresholds = resampling.calibrate(judged)
    few = [what for what in sizes if over in (what, "both") and sizes[what] < MIN_SIZE]
    sample = resampling.make_sample(judged, thresholds)
    resampled: Numbers = {}
    if confidence is not None and few:
        notes = [*notes, f"no intervals: fewer than {MIN_SIZE} {few[0]} to resample"]
    elif confidence is not None:
        kinds = [over] if over != "both" else [*sizes]
        resampled = sample.resample(kinds, resamples=resamples, seed=seed)
        progress()
    metrics = _estimates(judged, names, thresholds, sample.value(), resampled, confidence)
    gaps: dict[str, dict[str, dict[str, CorrelationDifference]]] = {}
    if baseline is not None:
        first = names.index(baseline)
        for metric, name in enumerate(names):
            if metric != first:
                p_values = resampling.permute(judged, first, metric, resamples, seed)
                both = metrics[baseline], metrics[name]
                tests = _gaps(judged, first, metric, *both, p_values, resampled, confidence, over)
                gaps[name] = tests
                progress()
    return Agreement(
        metrics=metrics,
        gaps=gaps,
        outputs=len(judged.ratings),
        items=sizes["items"],
        systems=sizes["systems"] if "systems" in judged.by else None,
        system_score=system_score,
        over=over,
        baseline=baseline,
        confidence=None if confidence is None else float(confidence),
        resamples=int(resamples),
        seed=int(seed),
        signatures=dict(signatures or {}),
        notes=tuple(notes),
        raters=raters,
        judged=judged,
    )


def _estimates(
    judged: Judged,
    names: Sequence[str],
    thresholds: Mapping[str, list[float]],
    values: Numbers,
    resampled: Numbers,
    confidence: float | None,
) -> dict[str, dict[str, dict[str, Estimate]]]:
    """Metric → level → coefficient → estimate."""
    metrics: dict[str, dict[str, dict[str, Estimate]]] = {name: {} for name in names}
    for level, (metric, name) in itertools.product(judged.by, enumerate(names)):
        estimates = {}
        size = len(judged.ratings) if level == "outputs" else judged.sizes[1]
        for key in COEFFICIENTS:
            label = f"{level}.{key}"
            value = float(values[label][metric])
            reason = _reason(judged, level, metric, key, value)
            interval = None
            if confidence and resampled and not reason:
                interval = percentiles(resampled[label][:, metric], confidence)
            by_output = key == "accuracy" and level != "systems" and not reason
            groups = values.get(f"{label}.groups")
            estimates[key] = Estimate(
                None if reason else value,
                interval,
                size if groups is None else int(groups[metric]),
                thresholds[level][metric] if by_output else None,
                reason,
            )
        metrics[name][level] = estimates
    return metrics


def _gaps(
    judged: Judged,
    baseline: int,
    metric: int,
    of_baseline: Mapping[str, Mapping[str, Estimate]],
    of_metric: Mapping[str, Mapping[str, Estimate]],
    p_values: Mapping[str, Mapping[str, float]],
    resampled: Numbers,
    confidence: float | None,
    over: Over,
) -> dict[str, dict[str, CorrelationDifference]]:
    """Level → coefficient → how far a metric is from the baseline, where both have it."""
    gaps: dict[str, dict[str, CorrelationDifference]] = {}
    for level, estimates in of_metric.items():
        gaps[level] = {}
        for key, estimate in estimates.items():
            other = of_baseline[level][key]
            if estimate.value is None or other.value is None:
                continue
            interval, williams_p, detectable = None, None, None
            if confidence and resampled:
                drawn = resampled[f"{level}.{key}"]
                interval = percentiles(drawn[:, metric] - drawn[:, baseline], confidence)
            # Over items, the interval by system tells of these systems only.
            if interval and confidence and not (level == "systems" and over == "items"):
                detectable = significance.detectable(interval, confidence)
            if key == "pearson" and level in ("outputs", "systems") and estimate.over > MIN_SIZE:
                x, z = judged.scores[metric], judged.scores[baseline]
                if level == "systems":
                    systems = (resampling.sample_systems(judged, m) for m in (metric, baseline))
                    x, z = (sample.value()["scores"] for sample in systems)
                between = float(coefficients.pearson(x, z, np.ones((1, len(x))))[0])
                _, p = coefficients.williams(estimate.value, other.value, between, len(x))
                williams_p = None if math.isnan(p) else p
            p_value = p_values[level].get(key)
            value = estimate.value - other.value
            gaps[level][key] = CorrelationDifference(
                value, interval, p_value, williams_p, detectable
            )
    return gaps


def _reason(judged: Judged, level: str, metric: int, key: str, value: float) -> str:
    """Why there is no coefficient; nothing if there is."""
    items, systems = judged.sizes
    sizes = {"outputs": len(judged.ratings), "items": items, "systems": systems}
    what = {"outputs": "outputs", "within_items": "items"}.get(level, "systems")
    if sizes[what] < MIN_SIZE:
        return f"fewer than {MIN_SIZE} {what}"
    scores, ratings = judged.scores[metric], judged.ratings
    if level == "systems":
        scores, ratings = resampling.sample_systems(judged, metric).value().values()
    for name, column in (("ratings", ratings), ("scores", scores)):
        if np.ptp(column) <= 1e-13 * np.abs(column).max():
            return f"constant {name}"
    if math.isnan(value):
        enough = "" if key == "accuracy" else " with different scores and ratings"
        return f"none of the {what} has 2 outputs{enough}"
    return ""
