"""D-SARI of documents as many and as long as D-Wikipedia's test set, against BLEU.

    python benchmarks/d_sari.py [--documents 8000] [--words 1000]

Documents are drawn with a seed from a Zipfian vocabulary, in sentences of about 20 words; outputs
and references leave out and replace some words. The yardstick is sacrebleu's ``corpus_bleu`` (13a,
lowercased) on the same outputs and references. CPU time, and the most memory beyond the texts.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

import numpy as np
import sacrebleu

from textsimp.metrics.d_sari import DSari


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


def cpu(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--documents", type=int, default=8000)
    parser.add_argument("--words", type=int, default=1000)
    options = parser.parse_args()
    sources, predictions, references = corpus(options.documents, options.words)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for variant in ("sun", "corrected"):
        metric = DSari.preset(variant)
        seconds = cpu(
            lambda m=metric: m.score(
                sources=sources, predictions=predictions, references=references
            )
        )
        memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
        print(f"{variant:10} {seconds:7.1f} s  {memory:6.0f} MB more at most")
    few = slice(0, options.documents // 8)
    bleu = 8 * cpu(
        lambda: sacrebleu.corpus_bleu(predictions[few], [references[few]], lowercase=True)
    )
    print(f"corpus_bleu {bleu:6.1f} s (an eighth of the documents, times eight)")


if __name__ == "__main__":
    main()
