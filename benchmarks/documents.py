"""Sentence counts and document analyses, beside NLTK's and pySBD's own splitters.

    python benchmarks/documents.py [--documents 800] [--words 1000]

Documents are made up, of a vocabulary with Zipf's frequencies, with initials, numbers,
abbreviations and quotes around some stops. pySBD gets a few of them only.
"""

from __future__ import annotations

import argparse
import itertools
import random
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pysbd
from nltk.tokenize.punkt import PunktSentenceTokenizer
from timing import Row, cpu, show

from textsimp.documents import corpus_statistics, odds_ratio, sentence_operations
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


def split_each(split: Callable[[str], list[str]], documents: list[str]) -> None:
    for document in documents:
        split(document)


def rows(documents: int, words: int) -> Iterator[Row]:
    sources = make_documents(documents, words)
    tokenised = [d.replace(".", " .").replace("?", " ?").replace("!", " !") for d in sources]
    punkt, segmenter = PunktSentenceTokenizer(), pysbd.Segmenter(language="en", clean=False)
    get_splitter().count(["Load it ."])
    few = max(1, documents // 400)
    size = f"{documents:,} documents of {words:,} words"

    for texts, splitters in (
        (sources, ("nltk-punkt-untrained",)),
        (tokenised, ("nltk-punkt-untrained", "simple-token")),
    ):
        data = size if texts is sources else f"{size}, tokenised"
        of_nltk = cpu(lambda texts=texts: split_each(punkt.tokenize, texts))
        peer = Row("sentences, NLTK's Punkt", data, of_nltk)
        yield peer
        of_pysbd = cpu(lambda texts=texts: split_each(segmenter.segment, texts[:few]))
        of_all = of_pysbd * documents / few
        yield Row("sentences, pySBD", data, of_all, peer, extrapolated=True)
        for name in splitters:
            split = get_splitter(name).count
            took = cpu(lambda split=split, texts=texts: split(texts))
            yield Row(f"sentences, `{name}`", data, took, peer)

    targets = [simplify(document, seed) for seed, document in enumerate(sources)]
    yield Row("`corpus_statistics`", size, cpu(lambda: corpus_statistics(sources, targets)))
    odds = cpu(lambda: odds_ratio(sources, targets, words=["the", "aeiou"]))
    yield Row("`odds_ratio`", size, odds)
    yield Row("`sentence_operations`", size, cpu(lambda: sentence_operations(sources, targets)))
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
    yield Row("`textsimp documents`, start included", size, used.ru_utime + used.ru_stime)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--documents", type=int, default=800)
    parser.add_argument("--words", type=int, default=1000)
    show(rows(**vars(parser.parse_args())))


if __name__ == "__main__":
    main()
