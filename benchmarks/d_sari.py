"""D-SARI of documents as long as those of D-Wikipedia, against BLEU.

    python benchmarks/d_sari.py [--documents 2000] [--words 1000]

Documents are drawn with a seed from a Zipfian vocabulary, in sentences of about 20 words; outputs
and references leave out and replace some words. The yardstick is sacrebleu's ``corpus_bleu`` (13a,
lowercased) on the same outputs and references.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import numpy as np
import sacrebleu
from timing import Row, cpu, peak, show

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


def rows(documents: int, words: int) -> Iterator[Row]:
    sources, predictions, references = corpus(documents, words)
    data = f"{documents:,} documents of {words:,} words"
    few = slice(0, max(1, documents // 8))
    part = cpu(lambda: sacrebleu.corpus_bleu(predictions[few], [references[few]], lowercase=True))
    bleu = Row("`corpus_bleu`", data, part * documents / few.stop, extrapolated=True)
    yield bleu
    columns = {"sources": sources, "predictions": predictions, "references": references}
    for variant in ("sun", "corrected"):
        metric = DSari.preset(variant)
        before = peak()
        seconds = cpu(lambda m=metric: m.score(**columns))
        memory = peak() - before if variant == "sun" else None  # it isn't given back
        yield Row(f"D-SARI, `{variant}`", data, seconds, bleu, memory)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--words", type=int, default=1000)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
