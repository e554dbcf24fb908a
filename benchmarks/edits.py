"""Pairs per second from strings to counts of edit operations, and the ratio to rapidfuzz.

    python benchmarks/edits.py

Both start from the same lists of words, made by the same function. rapidfuzz (compiled C++) gives
the edit operations of one pair at a time, from which the same counts follow, but of a path that
breaks ties otherwise. CPU time of one process, medians of interleaved runs.
"""

from __future__ import annotations

import random
import sys

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein
from timing import medians

from textsimp.text.alignment import operation_counts, operations, words

PAIRS, RUNS = 20_000, 7


def corpus(rng: random.Random, source_words: int, target_words: int, pairs: int) -> list[list[str]]:
    """Sources and targets: words from a long-tailed vocabulary, four in five of them kept."""
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=1 + k % 9)) for k in range(20_000)]

    def draw(k: int) -> list[str]:
        return [vocabulary[int(rng.paretovariate(0.5)) % len(vocabulary)] for _ in range(k)]

    sources, targets = [], []
    for _ in range(pairs):
        source = draw(source_words)
        left = sorted(rng.sample(range(source_words), target_words))
        target = [source[k] if rng.random() < 0.8 else draw(1)[0] for k in left]
        sources.append(" ".join(source))
        targets.append(" ".join(target))
    return [sources, targets]


def from_rapidfuzz(sources: list[str], targets: list[str]) -> object:
    """Insertions, deletions and replacements by rapidfuzz."""
    counts = []
    for source, target in zip(map(words, sources), map(words, targets), strict=True):
        tags = [operation.tag for operation in Levenshtein.editops(source, target)]
        counts.append((tags.count("insert"), tags.count("delete"), tags.count("replace")))
    return np.array(counts)


def main() -> None:
    rng = random.Random(0)
    versions = f"NumPy {np.__version__}, rapidfuzz {rapidfuzz.__version__}"
    print(f"Python {sys.version.split()[0]}, {versions}")

    sources, targets = corpus(rng, 25, 19, PAIRS)
    print(f"\n{PAIRS:,} pairs of 25 × 19 words, from strings: pairs/s, ratio to rapidfuzz")
    taken = medians(
        {
            "rapidfuzz editops": lambda: from_rapidfuzz(sources, targets),
            "counts": lambda: operation_counts(map(words, sources), map(words, targets)),
            'counts, path="shortest"': lambda: operation_counts(
                map(words, sources), map(words, targets), "shortest"
            ),
            'counts, moves="one_to_one"': lambda: operation_counts(
                map(words, sources), map(words, targets), moves="one_to_one"
            ),
            "operations": lambda: list(operations(map(words, sources), map(words, targets))),
        },
        RUNS,
    )
    for name, seconds in taken.items():
        ratio = taken["rapidfuzz editops"] / seconds
        print(f"  {name:28} {PAIRS / seconds:9,.0f} {ratio:6.2f} ×")

    sources, targets = corpus(rng, 5000, 4000, 1)
    print("\none pair of 5,000 × 4,000 words: seconds")
    taken = medians(
        {
            "rapidfuzz editops": lambda: from_rapidfuzz(sources, targets),
            "counts": lambda: operation_counts(map(words, sources), map(words, targets)),
            "operations": lambda: list(operations(map(words, sources), map(words, targets))),
        },
        3,
    )
    for name, seconds in taken.items():
        print(f"  {name:28} {seconds:9.3f}")


if __name__ == "__main__":
    main()
