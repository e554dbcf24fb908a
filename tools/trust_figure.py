"""Draw the figure of docs/trust.md from docs/trust.csv.

python tools/trust_figure.py
"""

from __future__ import annotations

import csv
from pathlib import Path

import textsimp

DOCS = Path(__file__).parents[1] / "docs"
FIGURE = DOCS / "images" / "trust.svg"
OUTPUTS = "outputs, r"
SETS = {
    "SimpEval past": ("simpeval-past", OUTPUTS),
    "SimpEval 2022": ("simpeval-2022", OUTPUTS),
    "SimpDA 2022": ("simpda-2022-simplicity", OUTPUTS),
    "WikiDA": ("wikida-simplicity", OUTPUTS),
    "QuestEval": ("questeval-simplicity", OUTPUTS),
    "structural": ("structural-simplicity", OUTPUTS),
    "LLMs": ("llms-simplicity", OUTPUTS),
    "LLMs, TurkCorpus": ("llms-turkcorpus-simplicity", OUTPUTS),
    "D-Wikipedia": ("d-wikipedia", "simplicity-overall"),
}
SCORES = {
    "SARI": "`sari` easse",
    "BLEU": "`bleu` sacrebleu",
    "length": "`simplification_stats`: compression_ratio",
}


def records() -> list[dict[str, str]]:
    """Return correlations with simplicity: a row per test set, a panel per score."""
    with (DOCS / "trust.csv").open(encoding="utf-8", newline="") as file:
        found = {
            ((row["set"], row["coefficient"]), row["score"]): row for row in csv.DictReader(file)
        }
    ends = ("value", "low", "high")
    return [
        {"set": panel, "metric": title, "level": "outputs", "coefficient": "pearson"}
        | {end: found[place, score][end] for end in ends}
        for panel, score in SCORES.items()
        for title, place in SETS.items()
    ]


if __name__ == "__main__":
    chart = textsimp.figure("trust", {"": records()}, width="page")
    chart.save(FIGURE)
