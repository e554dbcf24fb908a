"""Coefficients with their intervals, tests and reasons, of columns that were checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.sample import Numbers, percentiles
from textsimp.judgements import coefficients, resampling
from textsimp.judgements.agreement import RaterAgreement
from textsimp.judgements.correlation_results import (
    Agreement,
    CorrelationDifference,
    Estimate,
    Estimates,
)
from textsimp.judgements.resampling import MIN_SIZE, Judged


def agreement(
    judged: Judged,
    names: list[str],
    baseline: str | None,
    options: Mapping[str, Any],
    raters: RaterAgreement | None,
    notes: Sequence[str],
    signatures: Mapping[str, str] | None = None,
    progress: Callable[[], object] = lambda: None,
) -> Agreement:
    """Measure how well the metrics of these names agree with people.

    ``options`` are ``system_score``, ``over``, ``confidence``, ``resamples`` and ``seed``.
    """
    over, confidence, resamples, seed = (
        options[name] for name in ("over", "confidence", "resamples", "seed")
    )
    sizes = judged.sizes
    few = [what for what in sizes if over in (what, "both") and sizes[what] < MIN_SIZE]
    sample = resampling.make_sample(judged)
    resampled: Numbers = {}
    if confidence is not None and few:
        notes = [*notes, f"no intervals: fewer than {MIN_SIZE} {few[0]} to resample"]
    elif confidence is not None:
        kinds = [over] if over != "both" else [*sizes]
        resampled = sample.resample(kinds, resamples=resamples, seed=seed)
        progress()
    results = _Results(judged, sample.value(), resampled, over, confidence)
    metrics = {name: results.estimates(metric) for metric, name in enumerate(names)}
    gaps = {}
    for metric, name in enumerate(names):
        if baseline is not None and name != baseline:
            first = names.index(baseline)
            p_values = resampling.permute(judged, first, metric, resamples, seed)
            both = metrics[baseline], metrics[name]
            gaps[name] = results.differences(first, metric, *both, p_values)
            progress()
    return Agreement(
        metrics,
        gaps,
        len(judged.ratings),
        sizes["items"],
        sizes["systems"] if "systems" in judged.by else None,
        baseline=baseline,
        signatures=signatures or {},
        notes=tuple(notes),
        raters=raters,
        judged=judged,
        **options,
    )


@dataclass(frozen=True, eq=False)
class _Results:
    """Numbers of all metrics, and those of resamples, if there are any; the last axis is theirs."""

    judged: Judged
    values: Numbers
    resampled: Numbers
    over: str
    confidence: float | None

    def estimates(self, metric: int) -> dict[str, dict[str, Estimate]]:
        """Level → coefficient → estimate."""
        sizes = {"outputs": len(self.judged.ratings), **self.judged.sizes}
        estimates: dict[str, dict[str, Estimate]] = {level: {} for level in self.judged.by}
        for label, values in self.values.items():
            level, key, *count = label.split(".")
            if count:
                continue
            value = float(values[metric])
            of_groups = level.startswith("within")
            size = int(self.values[f"{label}.groups"][metric]) if of_groups else sizes[level]
            reason = _reason(self.judged, level, metric, value)
            interval = None if reason else self._interval(label, metric)
            estimates[level][key] = Estimate(None if reason else value, interval, size, reason)
        return estimates

    def _interval(self, label: str, metric: int, minus: int | None = None) -> list[float] | None:
        if self.confidence is None or not self.resampled:
            return None
        drawn = self.resampled[label]
        values = drawn[:, metric] if minus is None else drawn[:, metric] - drawn[:, minus]
        interval: list[float] | None = percentiles(values, self.confidence)
        return interval

    def differences(
        self,
        baseline: int,
        metric: int,
        of_baseline: Estimates,
        of_metric: Estimates,
        p_values: Mapping[str, Mapping[str, float]],
    ) -> dict[str, dict[str, CorrelationDifference]]:
        """Level → coefficient → how far a metric is from the baseline, where both have it."""
        gaps: dict[str, dict[str, CorrelationDifference]] = {level: {} for level in of_metric}
        for level, estimates in of_metric.items():
            for key, estimate in estimates.items():
                other = of_baseline[level][key]
                if estimate.value is None or other.value is None:
                    continue
                interval = self._interval(f"{level}.{key}", metric, minus=baseline)
                williams_p, detectable = None, None
                # Over items, the interval by system tells of these systems only.
                if interval and self.confidence and (level, self.over) != ("systems", "items"):
                    detectable = significance.detectable(interval, self.confidence)
                if key == "pearson" and not level.startswith("within") and estimate.over > MIN_SIZE:
                    both = (
                        resampling.columns_of(self.judged, level, m) for m in (metric, baseline)
                    )
                    x, z = (scores for scores, _ in both)
                    between = float(coefficients.pearson(x, z, np.ones((1, len(x))))[0])
                    williams_p = coefficients.williams(estimate.value, other.value, between, len(x))
                gap, p = estimate.value - other.value, p_values[level].get(key)
                gaps[level][key] = CorrelationDifference(gap, interval, p, williams_p, detectable)
        return gaps


def _reason(judged: Judged, level: str, metric: int, value: float) -> str:
    """Why there is no coefficient; nothing if there is."""
    sizes = {"outputs": len(judged.ratings), **judged.sizes}
    what = {"within_items": "items", "within_systems": "systems"}.get(level, level)
    if sizes[what] < MIN_SIZE:
        return f"fewer than {MIN_SIZE} {what}"
    scores, ratings = resampling.columns_of(judged, level, metric)
    for name, column in (("ratings", ratings), ("scores", scores)):
        if np.ptp(column) <= 1e-13 * np.abs(column).max():
            return f"constant {name}"
    if math.isnan(value):
        return f"none of the {what} has 2 outputs with different scores and ratings"
    return ""
