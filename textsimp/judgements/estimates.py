"""Coefficients with their intervals, tests and reasons, of columns that were checked."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core import significance
from textsimp.core.sample import Numbers, percentiles
from textsimp.judgements import coefficients, resampling
from textsimp.judgements.agreement import RaterAgreement
from textsimp.judgements.correlation_results import Agreement, CorrelationDifference, Estimate
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
    over, confidence, sizes = options["over"], options["confidence"], judged.sizes
    drawing = {name: options[name] for name in ("resamples", "seed")}
    kinds = [*sizes] if over == "both" else [over]
    few = [what for what in kinds if sizes[what] < MIN_SIZE]
    sample = resampling.make_sample(judged)
    resampled: Numbers = {}
    if confidence is not None and few:
        notes = [*notes, f"no intervals: fewer than {MIN_SIZE} {few[0]} to resample"]
    elif confidence is not None:
        resampled = sample.resample(kinds, **drawing)
        progress()

    def interval(label: str, metric: int, minus: int | None = None) -> list[float] | None:
        if not resampled:
            return None
        drawn = resampled[label]
        values = drawn[:, metric] if minus is None else drawn[:, metric] - drawn[:, minus]
        ends: list[float] | None = percentiles(values, confidence)
        return ends

    numbers = sample.value()
    labels = [label.split(".") for label in numbers if not label.endswith(".groups")]
    metrics: dict[str, dict[str, dict[str, Estimate]]] = {}
    for metric, name in enumerate(names):
        metrics[name] = {level: {} for level in judged.by}
        for level, key in labels:
            label = f"{level}.{key}"
            size = sizes.get(level, len(judged.ratings))
            if level.startswith("within"):
                size = int(numbers[f"{label}.groups"][metric])
            value = float(numbers[label][metric])
            reason = _reason(judged, level, metric, value)
            found = Estimate(value, interval(label, metric), size)
            metrics[name][level][key] = Estimate(None, None, size, reason) if reason else found
    gaps: dict[str, dict[str, dict[str, CorrelationDifference]]] = {}
    for metric, name in enumerate(names):
        if baseline is None or name == baseline:
            continue
        first = names.index(baseline)
        p_values = resampling.permute(judged, first, metric, **drawing)
        gaps[name] = {level: {} for level in judged.by}
        for level, key in labels:
            one, other = metrics[name][level][key], metrics[baseline][level][key]
            if one.value is None or other.value is None:
                continue
            ends, detectable, p = interval(f"{level}.{key}", metric, minus=first), None, None
            # Over items, the interval by system tells of these systems only.
            if ends and (level, over) != ("systems", "items"):
                detectable = significance.detectable(ends, confidence)
            if key == "pearson" and not level.startswith("within") and one.over > MIN_SIZE:
                x, z = (resampling.columns_of(judged, level, m)[0] for m in (metric, first))
                between = float(coefficients.pearson(x, z, np.ones((1, len(x))))[0])
                p = coefficients.williams(one.value, other.value, between, len(x))
            gaps[name][level][key] = CorrelationDifference(
                one.value - other.value, ends, p_values[level].get(key), p, detectable
            )
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


def _reason(judged: Judged, level: str, metric: int, value: float) -> str:
    """Why there is no coefficient; nothing if there is."""
    what = level.removeprefix("within_")
    if judged.sizes.get(what, len(judged.ratings)) < MIN_SIZE:
        return f"fewer than {MIN_SIZE} {what}"
    scores, ratings = resampling.columns_of(judged, level, metric)
    for name, column in (("ratings", ratings), ("scores", scores)):
        if np.ptp(column) <= 1e-13 * np.abs(column).max():
            return f"constant {name}"
    if math.isnan(value):
        return f"none of the {what} has 2 outputs with different scores and ratings"
    return ""
