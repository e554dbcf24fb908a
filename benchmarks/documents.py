"""Sentence counts and document analyses, beside NLTK's and pySBD's own splitters.

    python benchmarks/documents.py --documents 8000

Documents are made up, of a vocabulary with Zipf's frequencies, with initials, numbers,
abbreviations and quotes around some stops. Ratios compare runs over the same documents in one
process; pySBD gets a few of them only.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pysbd
from nltk.tokenize.punkt import PunktSentenceTokenizer

from textsimp.documents import corpus_statistics, drop_long, odds_ratio, sentence_operations
from textsimp.text.sentences import get_splitter

SENTENCE_ENDS = ("{}.",) * 16 + ("{}?", "{}!", '{}."', "{} 1990.", "{} J.", "{} U.S. {}.")


def make_documents(n: int, words: int, seed: int = 0) -> list[str]:
    """n documents of about so many words each, detokenised."""
    rng = random.Random(seed)
    vocabulary = ["".join(rng.choices("aeioulnrst", k=rng.randint(2, 9))) for _ in range(20_000)]
    weights = [*itertools.accumulate(1 / rank for rank in range(1, len(vocabulary) + 1))]
    documents = []
    for _ in range(n):
        tokens = rng.choices(vocabulary, cum_weights=weights, k=words)
        start, sentences = 0, []
        while start < words:
            length = rng.randint(8, 32)
            first, *rest = tokens[start : start + length]
            last = rng.choice(SENTENCE_ENDS).format(
                *rng.choices(vocabulary, cum_weights=weights, k=2)
            )
            sentences.append(" ".join([first.capitalize(), *rest, last]))
            start += length
        documents.append(" ".join(sentences))
    return documents


def simplify(document: str, seed: int) -> str:
    """Leave out a third of the sentences and a fifth of the words."""
    rng = random.Random(seed)
    kept = [s for s in get_splitter().sentences(document) if rng.random() < 2 / 3]
    return " ".join(" ".join(w for w in s.split() if rng.random() < 0.8) for s in kept)


def seconds(function: Callable[..., Any], *args: Any, **options: Any) -> float:
    start = time.process_time()
    function(*args, **options)
    return time.process_time() - start


def split_each(split: Callable[[str], list[str]], documents: list[str]) -> None:
    for document in documents:
        split(document)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=800)
    parser.add_argument("--words", type=int, default=1000)
    args = parser.parse_args()

    sources = make_documents(args.documents, args.words)
    tokenised = [d.replace(".", " .").replace("?", " ?").replace("!", " !") for d in sources]
    punkt, segmenter = PunktSentenceTokenizer(), pysbd.Segmenter(language="en", clean=False)
    get_splitter().count(["Load it ."])
    few = max(1, args.documents // 400)

    print(f"{args.documents} documents of {args.words} words: seconds, and the peer's over ours")
    for form, documents in (("detokenised", sources), ("tokenised", tokenised)):
        nltk_time = seconds(split_each, punkt.tokenize, documents)
        sbd_time = seconds(split_each, segmenter.segment, documents[:few]) * len(documents) / few
        for name in ("nltk-punkt-untrained", "simple-token"):
            ours = seconds(get_splitter(name).count, documents)
            ratios = f"NLTK {nltk_time / ours:6.1f} x   pySBD {sbd_time / ours:6.0f} x"
            print(f"  sentences, {form:11}  {name:20} {ours:7.2f} s   {ratios}")

    targets = [simplify(document, seed) for seed, document in enumerate(sources)]
    for function, options in (
        (corpus_statistics, {}),
        (odds_ratio, {"words": ["the", "aeiou"]}),
        (drop_long, {}),
        (sentence_operations, {}),
    ):
        took = seconds(function, sources, targets, **options)
        print(f"  {function.__name__:44} {took:7.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        for name, column in (("source.txt", sources), ("simple.txt", targets)):
            Path(folder, name).write_text("\n".join(column), encoding="utf-8")
        command = [sys.executable, "-m", "textsimp", "documents", "-s", "source.txt"]
        subprocess.run(
            [*command, "-t", "simple.txt", "--json"],
            cwd=folder,
            check=True,
            stdout=subprocess.DEVNULL,
        )
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = used.ru_utime + used.ru_stime
    print(f"  {'textsimp documents':44} {took:7.2f} s, {used.ru_maxrss / 1024:.0f} MiB")


if __name__ == "__main__":
    main()
