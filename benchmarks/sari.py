"""SARI against BLEU: CPU time, memory, and growth with the length of texts.

    OMP_NUM_THREADS=1 python benchmarks/sari.py
    OMP_NUM_THREADS=1 python benchmarks/sari.py --data FOLDER

The yardstick is sacrebleu's ``corpus_bleu`` (13a, lowercased) on the same outputs and references,
its caches emptied before each run. All tasks of a size take turns, and medians are printed.

Texts are drawn with a seed from a Zipfian vocabulary; references and outputs drop and replace some
of the source's words. With ``--data`` they are read from source.txt, references/*.txt and
systems/*.txt, a text per line, and only that corpus is timed.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp

import textsimp
from textsimp import significance
from textsimp.metrics.sari import Sari

SIZES = ((359, 10, 9), (20_000, 10, 3), (200_000, 1, 3))  # examples, references, repeats
MODULE_SIZES = SIZES[:2]  # also through `evaluate`


@dataclass
class Corpus:
    sources: list[str]
    references: list[list[str]]
    systems: Iterator[list[str]]  # without end


class Zipfian:
    """Draws texts of made-up words, the more frequent the shorter."""

    def __init__(self, seed: int = 0) -> None:
        self.rng = np.random.default_rng(seed)
        ranks = np.arange(60_000)
        letters = np.array(list("etaoinshrdlcumwfgypbvk"))
        sizes = 1 + np.log2(ranks + 2).astype(int) // 3 + self.rng.integers(0, 4, len(ranks))
        flat = "".join(self.rng.choice(letters, sizes.sum()))
        ends = np.cumsum(sizes)
        words = [flat[end - size : end] for end, size in zip(ends, sizes, strict=True)]
        # One in ten is a name, one in fifty has a dash and digits.
        words[50::10] = [word.capitalize() for word in words[50::10]]
        words[99::50] = [f"{word}-{i}" for i, word in enumerate(words[99::50])]
        self.words = np.array(words, dtype=object)
        weights = 1 / (ranks + 2.7)
        self.cumulative = np.cumsum(weights / weights.sum())

    def draw(self, count: int) -> np.ndarray:
        words = self.words[np.searchsorted(self.cumulative, self.rng.random(count))]
        words[self.rng.random(count) < 0.06] += ","
        return words

    def texts(self, count: int, words: int) -> list[np.ndarray]:
        sizes = np.maximum(self.rng.normal(words, words / 3, count).astype(int), 3)
        return np.split(self.draw(int(sizes.sum())), np.cumsum(sizes)[:-1])

    def rewrite(self, texts: list[np.ndarray]) -> list[str]:
        """The texts without some words, and with others replaced."""
        sizes = np.fromiter(map(len, texts), int, len(texts))
        words = np.concatenate(texts)
        chance = self.rng.random(len(words))
        words[chance < 0.12] = self.draw(int((chance < 0.12).sum()))
        kept = chance < 0.85
        ends = np.cumsum(np.add.reduceat(kept, np.cumsum(sizes) - sizes))
        return [" ".join(text) + "." for text in np.split(words[kept], ends[:-1])]

    def corpus(self, examples: int, references: int, words: int = 22) -> Corpus:
        texts = self.texts(examples, words)
        columns = [self.rewrite(texts) for _ in range(references)]
        return Corpus(
            [" ".join(text) + "." for text in texts],
            [list(row) for row in zip(*columns, strict=True)],
            (self.rewrite(texts) for _ in itertools.count()),
        )


def read(folder: Path) -> Corpus:
    def lines(file: Path) -> list[str]:
        return file.read_text(encoding="utf-8").removesuffix("\n").split("\n")

    columns = [lines(file) for file in sorted(folder.glob("references/*.txt"))]
    systems = [lines(file) for file in sorted(folder.glob("systems/*.txt"))]
    references = [list(row) for row in zip(*columns, strict=True)]
    return Corpus(lines(folder / "source.txt"), references, itertools.cycle(systems))


def cpu(task: Callable[..., object], *args: object, **kwargs: object) -> float:
    gc.collect()  # what the task before left behind is not charged to this one
    start = time.process_time()
    task(*args, **kwargs)
    return time.process_time() - start


def bleu(predictions: list[str], references: list[list[str]]) -> float:
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    columns = [list(column) for column in zip(*references, strict=True)]
    return cpu(sacrebleu.corpus_bleu, predictions, columns, tokenize="13a", lowercase=True)


def split(*columns: list[str]) -> None:
    for column in columns:
        for text in column:
            text.split()


Times = dict[str, list[float]]  # task → seconds of each run, the yardstick first


def print_table(columns: dict[str, Times]) -> None:
    """Print medians: of the first task in seconds, of the others their ratio to it."""
    names = list(dict.fromkeys(name for times in columns.values() for name in times))
    print(f"\n| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}")
    for i, name in enumerate(names):
        cells = []
        for times in columns.values():
            medians = [statistics.median(times[n]) for n in (names[0], name) if n in times]
            yardstick, seconds = medians[0], medians[-1]
            missing = len(medians) < 2
            cells.append(
                "" if missing else f"{seconds / yardstick:.3f} ×" if i else f"{seconds:.3g} s"
            )
        print(f"| {name} | {' | '.join(cells)} |")


def from_python(corpus: Corpus, repeats: int) -> Times:
    metric = Sari.preset()
    columns = {"sources": corpus.sources, "references": corpus.references}
    times = defaultdict(list)
    for _ in range(repeats):
        predictions = next(corpus.systems)
        prepared = metric.prepare(**columns)  # anew: it remembers the words that it has seen
        times["`corpus_bleu`"].append(bleu(predictions, corpus.references))
        times["SARI, from strings"].append(cpu(metric.score, predictions=predictions, **columns))
        times["SARI, prepared"].append(
            cpu(lambda *args: metric.reduce(metric.statistics(*args).sum(0)), prepared, predictions)
        )
        times["`str.split` of all texts"].append(
            cpu(split, corpus.sources, predictions, *corpus.references)
        )
    return times


def through_evaluate(corpus: Corpus, repeats: int) -> Times:
    columns = {"sources": corpus.sources, "references": corpus.references}
    times = defaultdict(list)
    for _ in range(repeats):
        module = textsimp.load("sari")
        first, second = next(corpus.systems), next(corpus.systems)
        times["`corpus_bleu`"].append(bleu(first, corpus.references))
        for name, predictions in (
            ("`compute`, first call", first),
            ("`compute`, same sources and references again", second),
        ):
            times[name].append(cpu(module.compute, predictions=predictions, **columns))
    return times


def intervals() -> None:
    print("\nBootstrap of 1,000 resamples\n")
    metric = Sari.preset()
    for examples in (359, 20_000):
        rows = np.random.default_rng(0).integers(0, 30, (examples, 36)).astype(float)
        seconds = [
            cpu(lambda rows: metric.reduce(significance.bootstrap(rows, 1000, 0)), rows)
            for _ in range(5)
        ]
        print(f"- {examples:,} examples: {1e3 * statistics.median(seconds):.0f} ms")


def growth() -> None:
    print("\nGrowth with the size of an example (seconds of 10 examples, SARI from strings)\n")
    print("| | seconds | per word |\n|---|---|---|")
    zipfian = Zipfian()
    sizes = ((100, 10), (1_000, 10), (10_000, 10), (1_000, 2), (1_000, 20), (1_000, 200))
    for words, references in sizes:
        corpus = zipfian.corpus(10, references, words)
        columns = {
            "sources": corpus.sources,
            "predictions": next(corpus.systems),
            "references": corpus.references,
        }
        seconds = statistics.median(cpu(Sari.preset().score, **columns) for _ in range(3))
        total = 10 * words * (references + 2)
        print(
            f"| {words:,} words × {references} references | {seconds:.3f} "
            f"| {1e6 * seconds / total:.2f} µs |"
        )


def memory(examples: int, references: int) -> None:
    """Run this script on a file of texts, so that only reading and scoring count."""
    corpus = Zipfian().corpus(examples, references)
    rows = zip(corpus.sources, next(corpus.systems), corpus.references, strict=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.tsv"
        with file.open("w", encoding="utf-8") as out:
            out.writelines("\t".join([source, text, *refs]) + "\n" for source, text, refs in rows)
        for way in ("score", "prepared"):
            print(f"- {examples:,} × {references}, {way}: ", end="", flush=True)
            subprocess.run([sys.executable, __file__, "--memory", way, str(file)], check=True)


def measure_memory(way: str, file: Path) -> None:
    def peak() -> float:
        """MB; ru_maxrss would count the parent's too."""
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    metric = Sari.preset()
    metric.score(sources=["a b"], predictions=["a"], references=["b"])  # loads what it needs
    sources, predictions, references = [], [], []
    with file.open(encoding="utf-8") as rows:
        for row in rows:
            source, prediction, *texts = row.rstrip("\n").split("\t")
            sources.append(source)
            predictions.append(prediction)
            references.append(texts)
    before = peak()
    if way == "score":
        metric.score(sources=sources, predictions=predictions, references=references)
    else:
        metric.statistics(metric.prepare(sources, references), predictions)
    print(f"{peak() - before:.0f} MB beyond the {before:.0f} MB of Python and the texts")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="time this corpus instead")
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        way, file = options.memory
        measure_memory(way, Path(file))
        return
    print(f"Python {platform.python_version()}, NumPy {np.__version__}, {platform.machine()}")
    if options.data:
        corpus = read(options.data)
        size = f"{options.data.name}, {len(corpus.sources):,} × {len(corpus.references[0])}"
        print_table({size: from_python(corpus, 9)})
        print_table({f"{size}, through `evaluate`": through_evaluate(corpus, 9)})
        return
    drawn = {
        f"{examples:,} × {references} references": (Zipfian().corpus(examples, references), repeats)
        for examples, references, repeats in SIZES
    }
    print_table({size: from_python(*corpus) for size, corpus in drawn.items()})
    some = list(drawn.items())[: len(MODULE_SIZES)]
    print_table({size: through_evaluate(*corpus) for size, corpus in some})
    intervals()
    growth()
    print("\nMemory\n")
    for examples, references, _ in SIZES[1:]:
        memory(examples, references)


if __name__ == "__main__":
    main()
