"""Simplification statistics, beside computing them one pair at a time.

    python benchmarks/stats.py [--pairs 10000]

The peer computes six of the twenty-four statistics, those of EASSE, on each pair of strings by
itself: sacrebleu's tokenizer and NLTK's Punkt as they come, and the same compiled library for the
similarity. The yardstick beside it is sacrebleu's ``corpus_bleu`` on the same predictions.
Sentences are drawn with a seed. Medians of runs that take turns.
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import sacrebleu
from nltk.tokenize.punkt import PunktSentenceTokenizer
from rapidfuzz.distance import Indel
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from timing import Row, compared, medians, show

from textsimp.metrics.simplification_stats import SimplificationStats, word_ranks

RUNS = 3


def corpus(pairs: int) -> tuple[list[str], list[str]]:
    """Sources of about 25 words, and predictions with 80 % of them, a tenth replaced."""
    rng = random.Random(0)
    vocabulary = ["".join(rng.choices("etaoinshrdlu", k=1 + k % 9)) for k in range(20_000)]

    def word() -> str:
        return vocabulary[int(rng.paretovariate(0.5)) % len(vocabulary)]

    sources, predictions = [], []
    for _ in range(pairs):
        source = [word() + ("," if rng.random() < 0.1 else "") for _ in range(rng.randint(15, 35))]
        target = [word() if rng.random() < 0.1 else w for w in source if rng.random() < 0.8]
        if target and rng.random() < 0.2:
            target[len(target) // 2] += "."
        sources.append(" ".join(source).capitalize() + ".")
        predictions.append(" ".join(target).capitalize() + ".")
    return sources, predictions


def one_by_one(sources: list[str], predictions: list[str]) -> object:
    """Means of six statistics, each pair by itself."""
    tokenize = Tokenizer13a()
    punkt = PunktSentenceTokenizer()
    rows = []
    for source, prediction in zip(sources, predictions, strict=True):
        s, t = (tokenize(text.lower()) for text in (source, prediction))
        words, others = Counter(s.split()), Counter(t.split())
        longer = max(words.total(), others.total())
        rows.append(
            (
                len(t) / len(s),
                len(punkt.tokenize(t)) / len(punkt.tokenize(s)),
                Indel.normalized_similarity(s, t),
                s == t,
                (others - words).total() / longer,
                (words - others).total() / longer,
            )
        )
    return np.mean(rows, axis=0)


def rows(pairs: int) -> Iterator[Row]:
    sources, predictions = corpus(pairs)

    def run(**options: object) -> dict[str, object]:
        metric = SimplificationStats.preset(**options)
        return metric.score(sources=sources, predictions=predictions)

    ours = run()
    for name, value in zip(
        ("compression_ratio", "sentence_splits", "levenshtein_similarity"),
        one_by_one(sources, predictions),  # type: ignore[call-overload]
        strict=False,
    ):
        assert abs(ours[name] - value) < 1e-9, name
    word_ranks("en")  # read once per process
    taken = medians(
        {
            "six statistics, one by one": lambda: one_by_one(sources, predictions),
            "all statistics": run,
            "all statistics and lexical complexity": lambda: run(lexical_complexity=True),
            "`corpus_bleu`": lambda: sacrebleu.corpus_bleu(predictions, [sources], lowercase=True),
        },
        RUNS,
    )
    yield from compared(taken, f"{pairs:,} × 25 and 20 words")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--pairs", type=int, default=10_000)
    show(rows(parser.parse_args().pairs))


if __name__ == "__main__":
    main()
