"""SARI of documents by groups of aligned sentences, beside SARI and D-SARI of whole documents.

    python benchmarks/aligned.py [--documents 8000] [--words 1000]

Documents are made up as in ``benchmarks/documents.py``: a vocabulary with Zipf's frequencies, in
sentences of 8 to 32 words. References and outputs leave out a third of the sentences, each its own,
and a fifth of the words. CPU time of one process, and the most memory beyond the texts.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable

from documents import make_documents, simplify

from textsimp import Bleu, DSari, F1Token, Sari, SimplificationStats
from textsimp.metric import Metric

ALIGNED: dict[str, Metric] = {
    "SARI, aligned": Sari(level="aligned"),
    "SARI, aligned, as published": Sari(
        level="aligned",
        links="all",
        monotone=False,
        group_weights="equal",
        repetition="ignored",
    ),
    "BLEU, aligned": Bleu(level="aligned"),
    "Token F1, aligned": F1Token(level="aligned"),
    "statistics, aligned": SimplificationStats(level="aligned"),
}
WHOLE: dict[str, Metric] = {"SARI": Sari(), "D-SARI": DSari()}


def cpu(task: Callable[[], object]) -> float:
    start = time.process_time()
    task()
    return time.process_time() - start


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=8000)
    parser.add_argument("--words", type=int, default=1000)
    args = parser.parse_args()

    sources = make_documents(args.documents, args.words)
    references = [simplify(document, seed) for seed, document in enumerate(sources)]
    predictions = [simplify(document, -1 - seed) for seed, document in enumerate(sources)]

    def scorer(metric: Metric, documents: int) -> Callable[[], object]:
        return lambda: metric.score(
            sources=sources[:documents],
            predictions=predictions[:documents],
            references=references[:documents],
        )

    first = next(iter(ALIGNED))
    scorer(ALIGNED[first], 1)()  # imports
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    quarter, eighth = args.documents // 4, args.documents // 8
    few = cpu(scorer(ALIGNED[first], quarter))
    seconds = {first: cpu(scorer(ALIGNED[first], args.documents))}
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    seconds |= {name: cpu(scorer(metric, args.documents)) for name, metric in WHOLE.items()}
    for name, metric in ALIGNED.items():
        if name != first:
            seconds[f"{name} *"] = 8 * cpu(scorer(metric, eighth))

    print(f"{args.documents:,} documents of {args.words:,} words")
    for name, took in seconds.items():
        whole = "   ".join(f"{took / seconds[other]:5.2f} x {other}" for other in WHOLE)
        print(f"  {name:30} {took:6.1f} s   {whole}")
    print("  * an eighth of the documents, times eight")
    print(f"  {first}: {memory:.0f} MB more at most; {quarter:,} documents take {few:.1f} s")


if __name__ == "__main__":
    main()
