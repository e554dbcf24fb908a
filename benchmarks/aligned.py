"""SARI of documents by groups of aligned sentences, beside SARI and D-SARI of whole documents.

    python benchmarks/aligned.py [--documents 2000] [--words 1000]

Documents are made up as in ``benchmarks/documents.py``: a vocabulary with Zipf's frequencies, in
sentences of 8 to 32 words. References and outputs leave out a third of the sentences, each its own,
and a fifth of the words.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from documents import make_documents, simplify
from timing import Row, cpu, peak, show

from textsimp import Bleu, DSari, F1Token, Sari, SimplificationStats
from textsimp.core.metric import Metric

ALIGNED: dict[str, Metric] = {
    "SARI, all links, no penalty": Sari(
        level="aligned",
        links="all",
        monotone=False,
        group_weights="equal",
        repetition="ignored",
    ),
    "BLEU": Bleu(level="aligned"),
    "Token F1": F1Token(level="aligned"),
    "Simplification statistics": SimplificationStats(level="aligned"),
}


def rows(documents: int, words: int) -> Iterator[Row]:
    sources = make_documents(documents, words)
    references = [simplify(document, seed) for seed, document in enumerate(sources)]
    predictions = [simplify(document, -1 - seed) for seed, document in enumerate(sources)]

    def seconds(metric: Metric, of: int = documents) -> float:
        columns = {"sources": sources, "predictions": predictions, "references": references}
        return cpu(lambda: metric.score(**{name: texts[:of] for name, texts in columns.items()}))

    def size(of: int) -> str:
        return f"{of:,} documents of {words:,} words"

    sari = Sari(level="aligned")
    seconds(sari, 1)  # imports
    quarter, eighth = max(1, documents // 4), max(1, documents // 8)
    before = peak()
    few = seconds(sari, quarter)
    aligned = seconds(sari)
    memory = peak() - before
    whole = Row("SARI of whole documents", size(documents), seconds(Sari()))
    yield whole
    yield Row("D-SARI", size(documents), seconds(DSari()), whole)
    yield Row("SARI, aligned", size(documents), aligned, whole, memory)
    yield Row("SARI, aligned", size(quarter), few)
    for name, metric in ALIGNED.items():
        took = seconds(metric, eighth) * documents / eighth
        yield Row(f"{name}, aligned", size(documents), took, whole, extrapolated=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--words", type=int, default=1000)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
