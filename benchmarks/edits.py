"""Edit operations of pairs, from strings, beside rapidfuzz.

    python benchmarks/edits.py [--pairs 20000]

Both start from the same lists of words, made by the same function. rapidfuzz (compiled C++) gives
the edit operations of one pair at a time, from which the same counts follow, but of a path that
breaks ties otherwise. Medians of runs that take turns.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator

import numpy as np
from rapidfuzz.distance import Levenshtein
from timing import Row, compared, medians, show

from textsimp.text.alignment import operation_counts, operations, words


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


def contestants(sources: list[str], targets: list[str]) -> dict[str, Callable[[], object]]:
    def counts(**options: str) -> object:
        return operation_counts(map(words, sources), map(words, targets), **options)

    return {
        "rapidfuzz `editops`": lambda: from_rapidfuzz(sources, targets),
        "`operation_counts`": counts,
        '`operation_counts`, `path="shortest"`': lambda: counts(path="shortest"),
        '`operation_counts`, `moves="one_to_one"`': lambda: counts(moves="one_to_one"),
        "`operations`, spelled out": lambda: list(
            operations(map(words, sources), map(words, targets))
        ),
    }


def rows(pairs: int) -> Iterator[Row]:
    rng = random.Random(0)
    for of, sizes, runs in ((pairs, (25, 19), 5), (1, (5000, 4000), 3)):
        data = f"{of:,} × {sizes[0]:,} and {sizes[1]:,} words"
        yield from compared(medians(contestants(*corpus(rng, *sizes, of)), runs), data)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=20_000)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
