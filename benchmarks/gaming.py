"""FKGL beside a program that counts line by line, and the audit beside scoring every text anew.

    python benchmarks/gaming.py

Texts are made up, of a vocabulary with Zipf's frequencies. Seconds are CPU time.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable
from typing import Any

from nltk.tokenize.punkt import PunktSentenceTokenizer
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a

from textsimp import gaming
from textsimp.gaming.perturb import MODIFICATIONS
from textsimp.metrics.bleu import Bleu
from textsimp.metrics.fkgl_components import FkglComponents
from textsimp.metrics.sari import Sari
from textsimp.text.syllables import published_rule


def make_corpus(n: int, references: int, seed: int = 0) -> dict[str, Any]:
    """n sources of some 22 words, and outputs and references that share most of these."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("aeioulnrst", k=rng.randint(2, 9))) for _ in range(20_000)]
    weights = [1 / rank for rank in range(1, len(vocabulary) + 1)]
    words = iter(rng.choices(vocabulary, weights, k=n * 40 * (references + 2)))

    def rewrite(tokens: list[str]) -> str:
        kept = [next(words) if rng.random() < 0.2 else t for t in tokens if rng.random() < 0.9]
        return " ".join(kept).capitalize() + "."

    sources = [[next(words) for _ in range(rng.randint(10, 34))] for _ in range(n)]
    return {
        "sources": [" ".join(tokens).capitalize() + "." for tokens in sources],
        "predictions": [rewrite(tokens) for tokens in sources],
        "references": [[rewrite(tokens) for _ in range(references)] for tokens in sources],
    }


def cpu_seconds(function: Callable[..., Any], *args: Any, **options: Any) -> float:
    start = time.process_time()
    function(*args, **options)
    return time.process_time() - start


def line_by_line(texts: list[str]) -> float:
    """FKGL as programs compute it that meet every token for the first time."""
    tokenize, punkt = Tokenizer13a().__call__.__wrapped__, PunktSentenceTokenizer()
    sentences = words = syllables = 0
    for text in texts:
        line = tokenize(Tokenizer13a(), text.lower())
        sentences += len(punkt.tokenize(line))
        for word in line.split():
            words += 1
            syllables += published_rule.__wrapped__(word, "easse")
    return 0.39 * words / sentences + 11.8 * syllables / words - 15.59


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--lines", type=int, default=1077)
    parser.add_argument("--references", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=100)
    args = parser.parse_args()
    corpus = make_corpus(args.lines, args.references)

    many = make_corpus(20 * args.lines, 0, seed=1)["predictions"]
    peer = cpu_seconds(line_by_line, many)
    print(f"FKGL of {len(many)} lines: CPU seconds, and the loop's over ours")
    print(f"  line by line, each token anew {peer:7.2f} s")
    for variant in ("easse", "default", "paper"):
        ours = cpu_seconds(FkglComponents.preset(variant).score, predictions=many)
        print(f"  {variant:29} {ours:7.2f} s {peer / ours:6.1f} x")

    points = args.repeats * len(MODIFICATIONS) * len(gaming.SHARES)
    metrics = (FkglComponents.preset(), Bleu.preset(), Sari.preset("joshua", per_order=True))
    prepared = [m.prepare(corpus["sources"], corpus["references"]) for m in metrics]

    def score_anew(seeds: range) -> None:
        for seed in seeds:
            for modification in MODIFICATIONS.values():
                texts = modification(corpus["predictions"], 0.5, seed)
                for metric, sides in zip(metrics, prepared, strict=True):
                    metric.reduce(metric.statistics(sides, texts).sum(axis=0))

    anew = cpu_seconds(score_anew, range(2)) / (2 * len(MODIFICATIONS)) * points
    ours = cpu_seconds(gaming.audit, **corpus, repeats=args.repeats)
    print(f"Audit of {args.lines} lines, {args.references} reference(s), {points} texts:")
    print(f"  every text anew (from a few)  {anew:7.0f} s")
    print(f"  gaming.audit                  {ours:7.1f} s {anew / ours:6.1f} x")


if __name__ == "__main__":
    main()
