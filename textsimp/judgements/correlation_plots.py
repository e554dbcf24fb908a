"""Scores against people's ratings, as a picture."""

from __future__ import annotations

from math import nan
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.metric import Floats
from textsimp.core.sample import percentiles
from textsimp.judgements import resampling
from textsimp.judgements.correlation_results import Agreement, Estimate
from textsimp.judgements.resampling import MIN_SIZE, Judged
from textsimp.support.errors import one_line
from textsimp.support.extras import require

ACROSS = 3  # panels in a row
FEW = 400  # outputs that are shown as points
MOST_NAMES = 60  # of systems

_COEFFICIENTS = {"systems": ("ρ", "spearman"), "outputs": ("r", "pearson")}
_WIDTH, _HEIGHT = 4.4, 3.4  # of a panel, in inches
_LINE = 0.13  # of a name, in inches
_LEADER = {"arrowstyle": "-", "color": "0.6", "linestyle": ":", "relpos": (0, 0.5)}
_BLUE, _GREY = "#2166ac", "0.55"


def plot(agreement: Agreement) -> Any:
    """Draw a panel per metric with systems' scores and mean ratings, and one with outputs'.

    At most 60 systems have names. Their intervals are of a bootstrap over items, whatever the
    coefficients' are over. More than 400 outputs are drawn as their density.

    Args:
        agreement: What `correlate` or `evaluate` returned.

    Returns:
        A ``matplotlib.figure.Figure``; save it with its ``savefig``.

    Example:
        >>> from textsimp import judgements
        >>> agreement = judgements.correlate([1, 2, 4, 3], [1, 3, 4, 5], systems=list("abab"))
        >>> [panel.get_title().split()[0] for panel in judgements.plot(agreement).axes]
        ['scores,', 'scores,']
    """
    figures = require("matplotlib.figure", extra="report")
    names = list(agreement.metrics)
    down, across = -(-len(names) // ACROSS), min(ACROSS, len(names))
    heights = {"outputs": _HEIGHT}
    if agreement.systems is not None:
        lines = agreement.systems if agreement.systems <= MOST_NAMES else 0
        heights = {"systems": max(_HEIGHT, _LINE * lines + 1.2), **heights}
    ratios = list(heights.values())
    figure = figures.Figure((_WIDTH * across, down * sum(ratios)), layout="constrained")
    parts = figure.subfigures(len(ratios), 1, squeeze=False, height_ratios=ratios)[:, 0]
    for part, (level, height) in zip(parts, heights.items(), strict=True):
        sign, coefficient = _COEFFICIENTS[level]
        panels = part.subplots(down, across, squeeze=False, sharey=True).ravel()
        for metric, (panel, name) in enumerate(zip(panels, names, strict=False)):
            if level == "systems":
                _draw_systems(panel, agreement, metric, height - 1)
            else:
                _draw_outputs(panel, agreement.judged, metric)
            text = _format(sign, agreement.metrics[name][level][coefficient])
            panel.set_title(f"{_short(name)}, {level}\n{text}", fontsize=9, parse_math=False)
            panel.set_xlabel("score", fontsize=8)
            if metric % ACROSS == 0:
                panel.set_ylabel("people's mean rating", fontsize=8)
            panel.tick_params(labelsize=8)
            panel.spines[["top", "right"]].set_visible(False)
        for panel in panels[len(names) :]:
            panel.remove()
    return figure


def _format(sign: str, estimate: Estimate) -> str:
    if estimate.value is None:
        return estimate.reason
    text = f"{sign} = {tables.number(estimate.value, 2, minus='−')}"
    return f"{text} {tables.interval(estimate.interval, 2, minus='−')}".strip()


def _draw_outputs(panel: Any, judged: Judged, metric: int) -> None:
    scores = judged.scores[metric]
    if len(scores) <= FEW:
        panel.scatter(scores, judged.ratings, s=12, color=_BLUE, alpha=0.4, linewidths=0)
        return
    density = panel.hexbin(scores, judged.ratings, gridsize=28, mincnt=1, cmap="viridis_r")
    bar = panel.figure.colorbar(density, ax=panel, pad=0.01)
    bar.set_label("outputs", fontsize=8)
    bar.ax.tick_params(labelsize=7)


def _draw_systems(panel: Any, agreement: Agreement, metric: int, height: float) -> None:
    """Draw points with names at the right, in their order, as far apart as lines of text are."""
    judged = agreement.judged
    sample = resampling.sample_systems(judged, metric)
    scores, ratings = sample.value().values()
    if agreement.confidence is not None and judged.sizes[0] >= MIN_SIZE:
        drawn = sample.resample(resamples=agreement.resamples, seed=agreement.seed)
        bars = [
            _bars(points, drawn[name], agreement.confidence)
            for name, points in sample.value().items()
        ]
        style = {"fmt": "none", "ecolor": _GREY, "elinewidth": 0.7, "zorder": 1}
        panel.errorbar(scores, ratings, xerr=bars[0], yerr=bars[1], **style)
    panel.scatter(scores, ratings, s=22, color=_BLUE, zorder=3)
    panel.margins(0.06)
    if len(scores) > MOST_NAMES:
        return
    order = np.argsort(ratings, kind="stable")
    low, high = panel.get_ylim()
    places = spread((ratings[order] - low) / (high - low), _LINE / height)
    for system, place in zip(order, places, strict=True):
        panel.annotate(
            _short(str(judged.names[system])),
            (scores[system], ratings[system]),
            xytext=(1.03, place),
            textcoords="axes fraction",
            fontsize=7,
            va="center",
            parse_math=False,
            arrowprops=_LEADER,
            zorder=2,
        )


def _short(name: str, most: int = 28) -> str:
    name = one_line(" ".join(name.split()))
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _bars(points: Floats, resampled: Floats, confidence: float) -> Floats:
    """Return how far intervals reach below and above points: (2, n). Points may lie outside."""
    low, high = np.array([one or [nan, nan] for one in percentiles(resampled, confidence)]).T
    reach: Floats = np.maximum([points - low, high - points], 0)
    return reach


def spread(places: Floats, gap: float) -> Floats:
    """Return the nearest places from 0 to 1 that are a gap apart, or less if they don't fit."""
    from scipy.optimize import isotonic_regression

    gap = min(gap, 1 / max(1, len(places) - 1))
    steps = gap * np.arange(len(places))
    apart: Floats = np.clip(isotonic_regression(places - steps).x, 0, 1 - steps[-1]) + steps
    return apart
