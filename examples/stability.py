"""How much of a model's SARI is due to the split it was trained on: a small model, 25 trainings.

    python examples/stability.py            (needs textsimp[report]; about five seconds)

The corpus to split is the first 36 sentences of the example corpus with each of their three
references as a target, 108 pairs; the other 12 sentences are the test set, whatever the split. The
original split has the mild and the splitting references in its train set and the bold ones in
validation and test, as if it came from several places.
"""

from __future__ import annotations

import json
import random
from collections import Counter, defaultdict
from pathlib import Path

from datasets import Dataset, DatasetDict

from textsimp.splits import benchmark, plot_benchmark
from textsimp.text.alignment import operations, words

HERE = Path(__file__).parent
RESULTS = HERE.parent / "results"
TRAINED_ON = 36


def lines(name: str) -> list[str]:
    """The lines of a file; only a line feed ends a line."""
    return (HERE / name).read_text(encoding="utf-8").removesuffix("\n").split("\n")


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
    test = {
        "sources": sources[TRAINED_ON:],
        "references": list(zip(*(column[TRAINED_ON:] for column in references), strict=True)),
    }

    RESULTS.mkdir(exist_ok=True)
    with open(RESULTS / "stability.jsonl", "w", encoding="utf-8") as file:
        result = benchmark(
            train_and_predict,
            corpus,
            test=test,
            strategies={
                "original": {},
                "random": {},
                "poor_alignments": {"fraction": [0.1, 0.2]},
                "balanced": {},
            },
            on_result=lambda run: print(json.dumps(run), file=file, flush=True),
        )

    print(f"{'SARI':22}{'runs':>4}{'all references':>16}   each alone")
    for row in result["summary"]:
        scores = [row["sari"], *row["sari_per_reference"]]
        deviations = [row["sari_std"], *row["sari_per_reference_std"]]
        every, *each = (f"{m:.1f} ± {s:.1f}" for m, s in zip(scores, deviations, strict=True))
        print(f"{row['strategy']:22}{row['runs']:>4}{every:>16}   {'  '.join(each)}")
    print("\nIts parts, with all references (means)")
    for row in result["summary"]:
        parts = (f"{part} {row[part]:.1f}" for part in ("add", "keep", "delete"))
        print(f"{row['strategy']:22}{'   '.join(parts)}")
    print(f"\n{result['signature']}")
    plot_benchmark(result["runs"]).savefig(RESULTS / "stability.png", dpi=100)
    print(f"Runs and figure are in {RESULTS.name}/stability.jsonl and stability.png")


if __name__ == "__main__":
    main()
