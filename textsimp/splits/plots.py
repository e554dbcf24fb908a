"""Plots of subsets, as in Vásquez-Rodríguez et al. 2021."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.pair_values import edit_counts
from textsimp.splits.subsets import check_subsets
from textsimp.support.extras import require
from textsimp.text.alignment import COUNTED, EditPath

if TYPE_CHECKING:
    from datasets import DatasetDict, IterableDatasetDict
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers can distinguish, also in grey
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")


def plot_change_percentage(
    dataset_dict: DatasetDict | IterableDatasetDict,
    *,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
) -> Figure:
    """Draw how much the pairs of each subset change: the paper's Figure 1.

    Args:
        dataset_dict: One or more subsets, streamed or not.
        source: Column of strings.
        target: Column of strings, or of lists of strings: each is a pair with the source.
        edits: Which edits are counted, see `edit_columns`.

    Returns:
        A matplotlib figure: for each subset, the percentage of its pairs in each of ten equal bins
        of change percentage over 0–100.
    """
    figure, axes = _figure()
    subsets = check_subsets(dataset_dict, source, target, at_least=1, streamed=True)
    counts = edit_counts(subsets, source, target, edits)
    edges = np.linspace(0, 100, 11)
    bars = {}
    for name, pairs in counts.items():
        heights, _ = np.histogram(change_percentages(pairs.values), edges)
        bars[f"{name} ({len(pairs.values):,} pairs)"] = 100 * heights / heights.sum()
    _grouped_bars(axes, edges[:-1] + 5, 10, bars)
    axes.set_xticks(edges)
    axes.set_xlim(0, 100)
    axes.set_xlabel("Change percentage of a pair")
    axes.set_ylabel("Pairs of the subset (%)")
    return figure


def plot_operations(
    dataset_dict: DatasetDict | IterableDatasetDict,
    *,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
) -> Figure:
    """Draw the mean operations per pair in each subset: the paper's Figure 3.

    Args:
        dataset_dict: One or more subsets, streamed or not.
        source: Column of strings.
        target: Column of strings, or of lists of strings: each is a pair with the source.
        edits: Which edits are counted, see `edit_columns`.

    Returns:
        A matplotlib figure: for each operation, the tokens inserted, deleted, replaced or kept per
        pair, by subset.
    """
    figure, axes = _figure()
    subsets = check_subsets(dataset_dict, source, target, at_least=1, streamed=True)
    counts = edit_counts(subsets, source, target, edits)
    bars = {
        f"{name} ({len(pairs.values):,} pairs)": pairs.values.mean(0)
        for name, pairs in counts.items()
    }
    _grouped_bars(axes, np.arange(len(COUNTED)), 1, bars, labels=True)
    axes.set_xticks(np.arange(len(COUNTED)), COUNTED)
    axes.set_ylabel("Tokens per pair (mean)")
    return figure


def _figure() -> tuple[Figure, Any]:
    """Make a figure without pyplot, which would keep it."""
    module = require("matplotlib.figure", extra="report")
    figure: Figure = module.Figure(figsize=(7, 3.5), layout="constrained")
    return figure, figure.subplots()


def _grouped_bars(
    axes: Any, centres: Any, room: float, bars: dict[str, Any], labels: bool = False
) -> None:
    width = 0.8 * room / len(bars)
    for i, (label, heights) in enumerate(bars.items()):
        drawn = axes.bar(
            centres + (i - (len(bars) - 1) / 2) * width,
            heights,
            width,
            label=label,
            color=_COLOURS[i % len(_COLOURS)],
        )
        if labels:
            axes.bar_label(drawn, fmt="{:.1f}", fontsize=7, padding=1)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", linewidth=0.4)
    axes.set_axisbelow(True)
    axes.margins(y=0.08)
    axes.legend(framealpha=1, edgecolor="none")
