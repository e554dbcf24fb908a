"""Draws the figures of docs/splits.md from a synthetic corpus, and prints what they show.

python docs/images/splits.py
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict
from matplotlib.figure import Figure

from textsimp.splits import balanced_split, drop_poor_alignments, edit_columns

# Okabe and Ito's colours, which colour-blind readers can distinguish, also in grey
COLOURS = ("#0072B2", "#E69F00", "#009E73")
OPERATIONS = ("insert", "delete", "replace", "keep")

SIZES = {"test": 359, "validation": 992, "train": 8_000}
MISALIGNED = {"test": 0.0, "validation": 0.15, "train": 0.15}  # share of pairs
EDITS = {"test": 0.12, "validation": 0.35, "train": 0.35}  # mean share of words


def sentence(rng: random.Random) -> list[str]:
    ranks = [int(rng.paretovariate(0.6)) for _ in range(max(4, round(rng.gauss(22, 7))))]
    return [f"w{rank}" for rank in ranks]


def simplified(source: list[str], edits: float, rng: random.Random) -> list[str]:
    chance = rng.betavariate(4 * edits, 4 * (1 - edits))
    target = []
    for word in source:
        if rng.random() > chance:
            target.append(word)
        else:
            kinds = [[], [word + "s"], [word, "and"]]
            target += rng.choices(kinds, [5, 3, 1])[0]
    return target


def corpus(seed: int = 0) -> DatasetDict:
    rng = random.Random(seed)
    subsets = {}
    for name, size in SIZES.items():
        sources = [sentence(rng) for _ in range(size)]
        targets = [
            sentence(rng)
            if rng.random() < MISALIGNED[name]
            else simplified(source, EDITS[name], rng)
            for source in sources
        ]
        subsets[name] = Dataset.from_dict(
            {"source": list(map(" ".join, sources)), "target": list(map(" ".join, targets))}
        )
    return DatasetDict(subsets)


def plot_change_percentage(data: DatasetDict) -> Figure:
    """Draw how much the pairs of each subset change: Figure 1 of the paper."""
    figure, axes = new_figure()
    edges = np.linspace(0, 100, 11)
    bars = {}
    for name, subset in subsets(data).items():
        heights, _ = np.histogram(subset["change_percentage"][:], edges)
        bars[f"{name} ({len(subset):,} pairs)"] = 100 * heights / heights.sum()
    draw_bars(axes, edges[:-1] + 5, 10, bars)
    axes.set_xticks(edges)
    axes.set_xlim(0, 100)
    axes.set_xlabel("Change percentage of a pair")
    axes.set_ylabel("Pairs of the subset (%)")
    return figure


def plot_operations(data: DatasetDict) -> Figure:
    """Draw the mean operations per pair in each subset: Figure 3 of the paper."""
    figure, axes = new_figure()
    bars = {
        f"{name} ({len(subset):,} pairs)": [np.mean(subset[o][:]) for o in OPERATIONS]
        for name, subset in subsets(data).items()
    }
    for drawn in draw_bars(axes, np.arange(len(OPERATIONS)), 1, bars):
        axes.bar_label(drawn, fmt="{:.1f}", fontsize=7, padding=1)
    axes.set_xticks(np.arange(len(OPERATIONS)), OPERATIONS)
    axes.set_ylabel("Tokens per pair (mean)")
    return figure


def subsets(data: DatasetDict) -> dict[str, Dataset]:
    annotated = data.map(edit_columns, batched=True)
    return {name: annotated[name] for name in SIZES}


def new_figure() -> tuple[Figure, Any]:
    figure = Figure(figsize=(7, 3.5), layout="constrained")
    return figure, figure.subplots()


def draw_bars(axes: Any, centres: Any, room: float, bars: dict[str, Any]) -> list[Any]:
    width = 0.8 * room / len(bars)
    drawn = []
    for i, (label, heights) in enumerate(bars.items()):
        places = centres + (i - (len(bars) - 1) / 2) * width
        drawn.append(axes.bar(places, heights, width, label=label, color=COLOURS[i]))
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="y", linewidth=0.4)
    axes.set_axisbelow(True)
    axes.margins(y=0.08)
    axes.legend(framealpha=1, edgecolor="none")
    return drawn


def main() -> None:
    folder = Path(__file__).parent
    data = corpus()
    figures = {
        "splits-change-percentage": plot_change_percentage(data),
        "splits-change-percentage-kept": plot_change_percentage(
            drop_poor_alignments(data, 0.2).kept
        ),
        "splits-operations": plot_operations(data),
        "splits-operations-balanced": plot_operations(balanced_split(data)),
    }
    for name, figure in figures.items():
        figure.savefig(folder / f"{name}.png", dpi=100)
    # What the page says in place of the pictures.
    for title, splits in {
        "as they are": data,
        "kept": drop_poor_alignments(data, 0.2).kept,
        "balanced": balanced_split(data),
    }.items():
        for name, subset in splits.map(edit_columns, batched=True).items():
            means = (
                f"{o} {sum(subset[o][:]) / len(subset):.1f}"
                for o in ("insert", "delete", "replace")
            )
            changes = subset["change_percentage"][:]
            below_ten = sum(change < 10 for change in changes) / len(changes)
            print(
                f"{title}, {name}: {', '.join(means)}; change below 10 %: {below_ten:.0%}, "
                f"at most {max(changes):.0f} %"
            )


if __name__ == "__main__":
    main()
