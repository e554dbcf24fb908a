"""Scores against people's ratings, as a picture."""

from typing import Any

import numpy as np

from textsimp.core.sample import percentiles
from textsimp.core.tables import Cell
from textsimp.judgements import resampling
from textsimp.judgements.correlation_results import Agreement
from textsimp.judgements.resampling import MIN_SIZE
from textsimp.support.errors import one_line
from textsimp.support.extras import require

ACROSS = 3  # panels in a row
MOST_NAMES = 60  # of systems

_COEFFICIENTS = {"systems": ("ρ", "spearman"), "outputs": ("r", "pearson")}
_WIDTH, _HEIGHT = 4.4, 3.4  # of a panel, in inches
_LINE = 0.13  # of a name, in inches
_LEADER = {"arrowstyle": "-", "color": "0.6", "linestyle": ":", "relpos": (0, 0.5)}
_BLUE, _GREY = "#2166ac", "0.55"


def plot(agreement: Agreement) -> Any:
    """Draw a panel per metric with systems' scores and mean ratings, and one with outputs'.

    At most 60 systems have names. Their intervals are of a bootstrap over items, whatever the
    coefficients' are over. Outputs at the same place make it darker.

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
    names, judged = list(agreement.metrics), agreement.judged
    down, across = -(-len(names) // ACROSS), min(ACROSS, len(names))
    heights = {"outputs": _HEIGHT}
    if agreement.systems is not None:
        lines = agreement.systems if agreement.systems <= MOST_NAMES else 0
        heights = {"systems": max(_HEIGHT, _LINE * lines + 1), **heights}
    ratios = np.repeat(list(heights.values()), down)
    figure = figures.Figure((_WIDTH * across, sum(ratios)), layout="constrained")
    rows = figure.subplots(len(ratios), across, squeeze=False, height_ratios=ratios)
    for level, panels in zip(heights, np.split(rows, len(heights)), strict=True):
        sign, coefficient = _COEFFICIENTS[level]
        for metric, panel in enumerate(panels.ravel()):
            if metric >= len(names):
                panel.remove()
                continue
            if level == "systems":
                _draw_systems(panel, agreement, metric)
            else:
                points = judged.scores[metric], judged.ratings
                panel.scatter(*points, s=12, color=_BLUE, alpha=0.3, linewidths=0)
            estimate = agreement.metrics[names[metric]][level][coefficient]
            cell = Cell.of(estimate.value, estimate.interval, 2, minus="−")
            text = estimate.reason or f"{sign} = {cell}"
            title = f"{_short(names[metric])}, {level}\n{text}"
            panel.set_title(title, fontsize=9, parse_math=False)
            panel.set_xlabel("score", fontsize=8)
            panel.set_ylabel("people's mean rating", fontsize=8)
            panel.tick_params(labelsize=8)
            panel.spines[["top", "right"]].set_visible(False)
    return figure


def _draw_systems(panel: Any, agreement: Agreement, metric: int) -> None:
    """Draw points with intervals, and names at the right in the order of ratings."""
    judged = agreement.judged
    sample = resampling.sample_systems(judged, metric)
    scores, ratings = sample.value().values()
    if agreement.confidence is not None and judged.sizes["items"] >= MIN_SIZE:
        drawn = sample.resample(resamples=agreement.resamples, seed=agreement.seed)
        lines = (panel.hlines, ratings), (panel.vlines, scores)
        for (draw, places), numbers in zip(lines, drawn.values(), strict=True):
            intervals = percentiles(numbers, agreement.confidence)
            low, high = np.array([ends or [np.nan] * 2 for ends in intervals]).T
            draw(places, low, high, color=_GREY, linewidth=0.7, zorder=1)
    panel.scatter(scores, ratings, s=22, color=_BLUE, zorder=3)
    if len(scores) > MOST_NAMES:
        return
    for place, system in enumerate(np.argsort(ratings, kind="stable")):
        panel.annotate(
            _short(str(judged.names[system])),
            (scores[system], ratings[system]),
            xytext=(1.03, (place + 0.5) / len(scores)),
            textcoords="axes fraction",
            fontsize=7,
            va="center",
            parse_math=False,
            arrowprops=_LEADER,
        )


def _short(name: str, most: int = 28) -> str:
    name = one_line(" ".join(name.split()))
    return name if len(name) <= most else f"{name[: most - 1]}…"
