"""D-SARI of documents as long as those of D-Wikipedia, against BLEU.

    python benchmarks/d_sari.py [--documents 2000] [--words 1000]

Documents are drawn with a seed from a Zipfian vocabulary, in sentences of about 20 words; outputs
and references leave out and replace some words. The yardstick is sacrebleu's ``corpus_bleu`` (13a,
lowercased) on the same outputs and references, its caches emptied before each run. All take turns
on eighths of the documents, whose times are added up; memory is that of all documents at once.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from timing import Row, cpu, peak, show

from textsimp.metrics.d_sari import DSari

TURNS = 8


def corpus(documents: int, words: int) -> tuple[list[str], list[str], list[str]]:
    rng = np.random.default_rng(0)
    vocabulary = np.array([f"w{i}" for i in range(50_000)])
    columns: tuple[list[str], list[str], list[str]] = ([], [], [])
    for _ in range(documents):
        source = vocabulary[np.minimum(rng.zipf(1.3, words) - 1, len(vocabulary) - 1)]
        source[rng.random(words) < 0.05] = "."
        for column, kept in zip(columns, (1.0, 0.6, 0.5), strict=True):
            text = source[rng.random(words) < kept]
            replaced = rng.random(len(text)) < (0.1 if kept < 1 else 0)
            text[replaced] = rng.choice(vocabulary, replaced.sum())
            column.append(" ".join(text))
    return columns


def bleu(predictions: list[str], references: list[str]) -> float:
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    return cpu(lambda: sacrebleu.corpus_bleu(predictions, [references], lowercase=True))


def rows(documents: int, words: int) -> Iterator[Row]:
    sources, predictions, references = corpus(documents, words)
    data = f"{documents:,} documents of {words:,} words"
    metrics = {variant: DSari.preset(variant) for variant in ("sun", "corrected")}
    for metric in metrics.values():
        metric.score(sources=["a b"], predictions=["a"], references=["b"])  # loads what it needs
    before = peak()
    metrics["sun"].score(sources=sources, predictions=predictions, references=references)
    memory = peak() - before
    yardstick, seconds = 0.0, dict.fromkeys(metrics, 0.0)
    size = -(-documents // TURNS)
    for start in range(0, documents, size):
        some = slice(start, start + size)
        columns = {
            "sources": sources[some],
            "predictions": predictions[some],
            "references": references[some],
        }
        yardstick += bleu(predictions[some], references[some])
        for variant, metric in metrics.items():
            seconds[variant] += cpu(lambda m=metric, c=columns: m.score(**c))
    peer = Row("`corpus_bleu`", data, yardstick)
    yield peer
    for variant, took in seconds.items():
        used = memory if variant == "sun" else None
        yield Row(f"D-SARI, `{variant}`", data, took, peer, used)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--words", type=int, default=1000)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
