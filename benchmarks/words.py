"""Word transformations, beside the edit operations of the same texts.

    OMP_NUM_THREADS=1 python benchmarks/words.py [--examples 359] [--references 8]

Pairs of 20 words are made up, of a vocabulary with Zipf's frequencies: in a target some words are
left out, others stand in place of some, and a part may be moved to the front. What was learnt of
words is forgotten before each run.
"""

from __future__ import annotations

import argparse
import itertools
import random
from collections.abc import Iterator

from timing import Row, compared, medians, show

from textsimp.metrics.edit_ops import EditOps
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.text import parts_of_speech, word_alignment


def make_words(n: int, rng: random.Random) -> list[list[str]]:
    """n texts of 20 words."""
    vocabulary = ["".join(rng.choices("aeioulnrst", k=rng.randint(2, 9))) for _ in range(20_000)]
    weights = [*itertools.accumulate(1 / rank for rank in range(1, len(vocabulary) + 1))]
    return [rng.choices(vocabulary, cum_weights=weights, k=20) for _ in range(n)]


def change(words: list[str], others: list[str], rng: random.Random) -> str:
    """A tenth of the words left out, a tenth replaced; of every fourth text a part moved."""
    kept = [
        other if rng.random() < 0.1 else word
        for word, other in zip(words, others, strict=True)
        if rng.random() < 0.9
    ]
    cut = rng.randrange(len(kept) + 1) if rng.random() < 0.25 else 0
    return " ".join([*kept[cut:], *kept[:cut]])


def forget() -> None:
    """What is known of words."""
    for known in (parts_of_speech._usual, word_alignment._stem, word_alignment._has_content):
        known.cache_clear()


def rows(examples: int, references: int) -> Iterator[Row]:
    rng = random.Random(0)
    words = make_words(examples, rng)
    others = make_words(examples, rng)
    pairs = [*zip(words, others, strict=True)]
    columns = {
        "sources": [" ".join(text) for text in words],
        "predictions": [change(*pair, rng) for pair in pairs],
        "references": [[change(*pair, rng) for _ in range(references)] for pair in pairs],
    }

    def score(metric: EditOps | WordTransformations) -> None:
        forget()
        metric.score(**columns)

    metrics = {
        "`edit_ops`": EditOps(),
        **{f"`{variant}`": WordTransformations(variant) for variant in WordTransformations.presets},
        '`corpus`, `parts="none"`': WordTransformations(parts="none"),
    }
    score(metrics["`corpus`"])  # loads the lexicon
    seconds = medians({name: lambda m=m: score(m) for name, m in metrics.items()}, runs=3)
    yield from compared(seconds, f"{examples:,} × {references} references of 20 words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--examples", type=int, default=359)
    parser.add_argument("--references", type=int, default=8)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
