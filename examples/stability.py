"""How much of a model's SARI is due to the split it was trained on: a small model, 25 trainings.

    python examples/stability.py            (needs the extra figures; about five seconds)

Vásquez-Rodríguez et al. 2021 train a model on the published split of a corpus, on random ones and
without poor alignments, and score it on a test set that stays the same, against each reference and
against all of them. `benchmark` does the same: pass it a function of your own.

The corpus to split is the first 36 sentences of the example corpus with each of their three
references as a target, 108 pairs; the other 12 sentences are the test set, whatever the split. The
original split has the mild and the splitting references in its train set and the bold ones in
validation and test, as if it came from several places.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from datasets import Dataset, DatasetDict

import textsimp
from textsimp.report import charts, figures
from textsimp.splits import balanced_split, drop_poor_alignments, random_split
from textsimp.text.alignment import operations

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"
TRAINED_ON = 36
SEEDS = (155, 324, 393, 728, 989)  # the paper's

Run = dict[str, Any]
STRATEGIES: dict[str, Callable[[DatasetDict, int], DatasetDict]] = {
    "original": lambda data, seed: data,
    "random": lambda data, seed: random_split(data, seed, variant="paper"),
    "poor alignments 0.1": lambda data, seed: drop_poor_alignments(data, 0.1, seed=seed).kept,
    "poor alignments 0.2": lambda data, seed: drop_poor_alignments(data, 0.2, seed=seed).kept,
    "balanced": lambda data, seed: balanced_split(data, seed=seed),
}


def benchmark(
    train_and_predict: Callable[[DatasetDict, list[str], int], list[str]],
    corpus: DatasetDict,
    sources: list[str],
    references: list[list[str]],
    seeds: Sequence[int] = SEEDS,
) -> list[Run]:
    """Train on splits of a corpus and score each model on the same test set.

    Every strategy is run with every seed: the deviation over seeds of ``"original"`` is due to
    training alone, that of ``"random"`` to training and the split.

    Args:
        train_and_predict: Called as ``train_and_predict(splits, sources, seed)``, trains a new
            model and returns a simplification of each source.
        corpus: The corpus, as it was split originally.
        sources: The test set's sources.
        references: Its references, one list per source.
        seeds: Of the splits and of the training.

    Returns:
        For each run its strategy, seed, and SARI with all references and with each alone.
    """
    metric = textsimp.Sari()
    splits = {
        (name, seed): split(corpus, seed) for seed in seeds for name, split in STRATEGIES.items()
    }
    runs = []
    for (name, seed), data in splits.items():
        predictions = train_and_predict(data, sources, seed)

        scores = [
            metric.score(sources=sources, predictions=predictions, references=part)["sari"]
            for part in (references, *zip(*references, strict=True))
        ]
        runs.append(
            {"strategy": name, "seed": seed, "sari": scores[0], "sari_per_reference": scores[1:]}
        )
    return runs


def summarise(runs: Sequence[Run]) -> dict[str, tuple[list[float], list[float]]]:
    """Return means and sample deviations of each strategy: with all references, with each alone."""
    summary = {}
    for strategy in dict.fromkeys(run["strategy"] for run in runs):
        scores = np.array(
            [[r["sari"], *r["sari_per_reference"]] for r in runs if r["strategy"] == strategy]
        )
        summary[strategy] = scores.mean(0).tolist(), scores.std(0, ddof=1).tolist()
    return summary


def plot(runs: Sequence[Run]) -> Any:
    """Draw SARI by the split a model was trained on, like the paper's Figure 2."""
    summary = summarise(runs)
    alone = range(len(runs[0]["sari_per_reference"]))
    names = ["all references", *(f"reference {i}" for i in alone)]
    axes = {name: charts.Axis(f"SARI ({name}) ↑") for name in names}
    rows = [
        {"label": strategy, "kind": "system", "metric": references, "value": mean}
        | {"low": mean - deviation, "high": mean + deviation}
        for strategy, scores in summary.items()
        for references, mean, deviation in zip(names, *scores, strict=True)
    ]
    return figures.finish(charts.forest(rows, axes, [*summary], 4), figures.WIDTHS["page"])


def lines(name: str) -> list[str]:
    """Return the lines of a file; only a line feed ends a line."""
    return (HERE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


def words(text: str) -> list[str]:
    return text.strip().lower().split(" ")


def train_and_predict(splits: DatasetDict, sources: list[str], seed: int) -> list[str]:
    """Learn what mostly becomes of each word, and do the same to the words of the sources.

    As real trainings differ by their seed, so does this one: it learns from a bootstrap sample.
    """
    pairs = splits["train"]
    sample = pairs.select(random.Random(seed).choices(range(len(pairs)), k=len(pairs)))
    originals = [words(text) for text in sample["source"]]
    targets = [words(text) for text in sample["target"]]
    becomes: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for original, target, path in zip(
        originals, targets, operations(originals, targets), strict=True
    ):
        for _, i, j in path:
            if i is not None:  # kept, replaced, or deleted
                becomes[original[i]]["" if j is None else target[j]] += 1
    mostly = {word: counts.most_common(1)[0][0] for word, counts in becomes.items()}
    return [
        " ".join(filter(None, (mostly.get(word, word) for word in words(source))))
        for source in sources
    ]


def main() -> None:
    sources = lines("source.txt")
    references = [lines(f"references/{i}.txt") for i in range(3)]
    pairs = Dataset.from_dict(
        {
            "source": sources[:TRAINED_ON] * 3,
            "target": [text for column in references for text in column[:TRAINED_ON]],
        }
    )
    corpus = DatasetDict(
        {
            "train": pairs.select(range(72)),
            "validation": pairs.select(range(72, 90)),
            "test": pairs.select(range(90, 108)),
        }
    )
    test_references = [
        list(row) for row in zip(*(column[TRAINED_ON:] for column in references), strict=True)
    ]
    runs = benchmark(train_and_predict, corpus, sources[TRAINED_ON:], test_references)
    print(f"{'SARI':22}{'all references':>16}   each alone")
    for strategy, scores in summarise(runs).items():
        cells = [f"{mean:.1f} ± {deviation:.1f}" for mean, deviation in zip(*scores, strict=True)]
        print(f"{strategy:22}{cells[0]:>16}   {'  '.join(cells[1:])}")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "stability.jsonl").write_text("".join(json.dumps(run) + "\n" for run in runs))
    figures.write(plot(runs), RESULTS / "stability.svg")
    print(f"\nRuns and figure are in {RESULTS.name}/stability.jsonl and stability.svg")


if __name__ == "__main__":
    main()
