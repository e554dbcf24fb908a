"""Draws the figures of docs/splits.md from a synthetic corpus, and prints what they show.

python docs/images/splits.py
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict

from textsimp.report import bins, charts, figures
from textsimp.splits import balanced_split, drop_poor_alignments, edit_columns

OPERATIONS = {"keep": "kept", "replace": "replaced", "delete": "deleted", "insert": "inserted"}
FOLDER = Path(__file__).parent

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


def plot_change_percentage(data: DatasetDict) -> charts.Chart:
    """Draw how much the pairs of each subset change: Figure 1 of the paper."""
    values = {
        name: np.array(subset["change_percentage"][:]) for name, subset in label(data).items()
    }
    rows = [
        {"label": name, "kind": "system", "metric": "change", **row}
        for name, parts in bins.bin_rows(values).items()
        for row in parts
    ]
    axis = charts.Axis("Change percentage of a pair")
    return charts.histograms(rows, {"change": axis}, [*values], 1)


def plot_operations(data: DatasetDict) -> charts.Chart:
    """Draw the operations in each subset, as Figure 3 of the paper does."""
    rows: list[dict[str, Any]] = []
    for name, subset in label(data).items():
        means = {title: float(np.mean(subset[key][:])) for key, title in OPERATIONS.items()}
        rows += [{"label": name, "kind": "system", **row} for row in bins.share_rows(means)]
    return charts.bars(rows, [*dict.fromkeys(row["label"] for row in rows)], 4)


def label(data: DatasetDict) -> dict[str, Dataset]:
    """Return name and size of each subset → the subset, with columns of its edits."""
    annotated = data.map(edit_columns, batched=True)
    return {f"{name} ({len(annotated[name]):,} pairs)": annotated[name] for name in SIZES}


def main() -> None:
    data = corpus()
    drawn = {
        "splits-change-percentage": plot_change_percentage(data),
        "splits-change-percentage-kept": plot_change_percentage(
            drop_poor_alignments(data, 0.2).kept
        ),
        "splits-operations": plot_operations(data),
        "splits-operations-balanced": plot_operations(balanced_split(data)),
    }
    for name, chart in drawn.items():
        picture = figures.render(figures.finish(chart, figures.WIDTHS["page"]), ".svg")
        (FOLDER / f"{name}.svg").write_bytes(picture)
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
