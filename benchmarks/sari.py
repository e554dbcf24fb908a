"""SARI against BLEU: CPU time, memory, and growth with the length of texts.

    OMP_NUM_THREADS=1 python benchmarks/sari.py [--data FOLDER]

The yardstick is sacrebleu's ``corpus_bleu`` (13a, lowercased) on the same outputs and references,
its caches emptied before each run. Medians of runs that take turns: those from lists with BLEU,
then those of an ``evaluate`` module or a trainer, then those from columns of other kinds.
*Prepared*: sources and references have been seen before, as for the second system of a comparison.
*Again*: a module, or what evaluates for a trainer, has scored other outputs with them.

Texts are drawn with a seed from a Zipfian vocabulary; references and outputs drop and replace some
of the source's words. With ``--data`` they are read from source.txt, references/*.txt and
systems/*.txt, a text per line, and that corpus is timed first.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import datasets
import numpy as np
import pandas
import pyarrow as pa
import sacrebleu
from sacrebleu.tokenizers.tokenizer_13a import Tokenizer13a
from sacrebleu.tokenizers.tokenizer_re import TokenizerRegexp
from texts import Corpus, Zipfian, read
from timing import Row, cpu, peak, show

import textsimp
from textsimp.metrics.sari import Sari
from textsimp.trainer import make_compute_metrics

SIZES = ((359, 10, 9), (10_000, 10, 3), (100_000, 1, 1))  # examples, references, repeats
WITH_MEMORY = ("SARI, from strings", "SARI, prepared")
GOALS = {  # ratio to BLEU, by examples
    ("`compute`, first", 359): 0.12,
    ("`compute`, again", 359): 0.05,
    ("SARI at level `aligned`", 359): 2.5,
    ("`compute_metrics`, again", 10_000): 0.04,
}
LENGTHS = ((1_000, 10), (10_000, 10), (1_000, 100))  # words, references


def bleu(predictions: list[str], references: list[list[str]]) -> float:
    Tokenizer13a.__call__.cache_clear()
    TokenizerRegexp.__call__.cache_clear()
    columns = [list(column) for column in zip(*references, strict=True)]
    task = partial(sacrebleu.corpus_bleu, predictions, columns, tokenize="13a", lowercase=True)
    return cpu(task)


def split(*columns: list[str]) -> None:
    for column in columns:
        for text in column:
            text.split()


def score_prepared(metric: Sari, prepared: Any, predictions: list[str]) -> None:
    metric.reduce(metric.statistics(prepared, predictions).sum(0))


Times = dict[str, list[float]]  # task → seconds of each run, the yardstick first


def from_python(corpus: Corpus, repeats: int) -> Times:
    metric, aligned = Sari.preset(), Sari.preset(level="aligned")
    columns = {"sources": corpus.sources, "references": corpus.references}
    times = defaultdict(list)
    for _ in range(repeats):
        predictions = next(corpus.systems)
        prepared = metric.prepare(**columns)  # anew: it remembers the words that it has seen
        times["`corpus_bleu`"].append(bleu(predictions, corpus.references))
        task = partial(metric.score, predictions=predictions, **columns)
        times["SARI, from strings"].append(cpu(task))
        times["SARI, prepared"].append(cpu(partial(score_prepared, metric, prepared, predictions)))
        times["`str.split` of all texts"].append(
            cpu(partial(split, corpus.sources, predictions, *corpus.references))
        )
        if len(corpus.sources) < 1_000:
            task = partial(aligned.score, predictions=predictions, **columns)
            times["SARI at level `aligned`"].append(cpu(task))
    return times


def through_evaluate(corpus: Corpus, repeats: int) -> Times:
    columns = {"sources": corpus.sources, "references": corpus.references}
    times = defaultdict(list)
    for _ in range(repeats):
        module = textsimp.load("sari")
        for which in ("first", "again"):
            task = partial(module.compute, predictions=next(corpus.systems), **columns)
            times[f"`compute`, {which}"].append(cpu(task))
    return times


class Tokenizer:
    """Has a number for each text, so that only what is done with texts is timed."""

    pad_token_id = 0

    def __init__(self) -> None:
        self.texts: list[str] = []

    def encode(self, texts: list[str]) -> np.ndarray:
        self.texts += texts
        return np.arange(len(self.texts) - len(texts), len(self.texts))[:, np.newaxis]

    def batch_decode(self, ids: np.ndarray, skip_special_tokens: bool) -> list[str]:
        return [self.texts[i] for i in ids[:, 0].tolist()]


def through_trainer(corpus: Corpus, repeats: int) -> Times:
    """The first reference of each row is the label that the model learns from."""
    tokenizer, times = Tokenizer(), defaultdict(list)
    inputs = tokenizer.encode(corpus.sources)
    labels = tokenizer.encode([row[0] for row in corpus.references])
    for _ in range(repeats):
        compute_metrics = make_compute_metrics(
            tokenizer, "sari", sources=corpus.sources, references=corpus.references
        )
        for which in ("first", "again"):
            outputs = tokenizer.encode(next(corpus.systems))
            evaluated = SimpleNamespace(predictions=outputs, label_ids=labels, inputs=inputs)
            times[f"`compute_metrics`, {which}"].append(cpu(partial(compute_metrics, evaluated)))
    return times


def of_kinds(corpus: Corpus, repeats: int) -> Times:
    """Columns that aren't lists; strings of pandas 3 and polars are Arrow's."""
    kinds: dict[str, Callable[[Any], Any]] = {
        "pandas": pandas.Series,
        "Arrow": pa.array,
        "`datasets`": lambda rows: datasets.Dataset.from_dict({"column": rows})["column"],
    }
    if importlib.util.find_spec("polars"):
        kinds["polars"] = importlib.import_module("polars").Series
    metric = Sari.preset()
    times = defaultdict(list)
    for _ in range(repeats):
        given = {
            "sources": corpus.sources,
            "predictions": next(corpus.systems),
            "references": corpus.references,
        }
        for name, make in kinds.items():
            columns = {column: make(rows) for column, rows in given.items()}
            times[f"SARI, from {name}"].append(cpu(partial(metric.score, **columns)))
    return times


def timed(corpus: Corpus, repeats: int, size: str, with_memory: bool = False) -> Iterator[Row]:
    times = from_python(corpus, repeats)
    if len(corpus.references[0]) > 1:
        times |= through_evaluate(corpus, repeats) | through_trainer(corpus, repeats)
    if not with_memory:
        times |= of_kinds(corpus, repeats)
    peer = None
    for name, seconds in times.items():
        used = memory(name, corpus) if with_memory and name in WITH_MEMORY else None
        goal = GOALS.get((name, len(corpus.sources)))
        row = Row(name, size, statistics.median(seconds), peer, used, goal=goal)
        yield row
        peer = peer or row


def best_reference(corpus: Corpus, size: str, repeats: int = 15) -> Iterator[Row]:
    """Each output against its best reference, beside all references pooled."""
    columns = {"sources": corpus.sources, "references": corpus.references}
    for variant in ("easse", "xu"):
        times = defaultdict(list)
        for _ in range(repeats):
            predictions = next(corpus.systems)
            for way in ("pooled", "best"):
                metric = Sari(variant, multi_reference=way)
                times[way].append(cpu(partial(metric.score, predictions=predictions, **columns)))
        pooled, best = map(statistics.median, times.values())
        peer = Row(f"`{variant}`, references pooled", size, pooled)
        yield from (peer, Row(f"`{variant}`, the best reference", size, best, peer))


def intervals() -> Iterator[Row]:
    metric = Sari.preset()
    for examples in (359, 20_000):
        rows = np.random.default_rng(0).integers(0, 30, (examples, 36)).astype(float)
        task = partial(metric.sample(rows).resample, resamples=1000, seed=0)
        seconds = [cpu(task) for _ in range(5)]
        what = "intervals of statistics, 1,000 resamples"
        yield Row(what, f"{examples:,} examples", statistics.median(seconds))


def growth() -> Iterator[Row]:
    zipfian = Zipfian()
    for words, references in LENGTHS:
        corpus = zipfian.corpus(10, references, words)
        columns = {
            "sources": corpus.sources,
            "predictions": next(corpus.systems),
            "references": corpus.references,
        }
        seconds = statistics.median(cpu(partial(Sari().score, **columns)) for _ in range(3))
        size = f"10 × {references} references of {words:,} words"
        yield Row("SARI, from strings", size, seconds)


def memory(way: str, corpus: Corpus) -> float:
    """MB, by this script on a file of texts, so that only reading and scoring count."""
    rows = zip(corpus.sources, next(corpus.systems), corpus.references, strict=True)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "texts.tsv"
        with file.open("w", encoding="utf-8") as out:
            out.writelines("\t".join([source, text, *refs]) + "\n" for source, text, refs in rows)
        command = [sys.executable, __file__, "--memory", way, str(file)]
        return float(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)


def measure_memory(way: str, file: Path) -> None:
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
    if way == "SARI, from strings":
        metric.score(sources=sources, predictions=predictions, references=references)
    else:
        metric.statistics(metric.prepare(sources, references), predictions)
    print(peak() - before)


def rows(data: Path | None) -> Iterator[Row]:
    if data:
        corpus = read(data)
        size = f"{data.name}, {len(corpus.sources):,} × {len(corpus.references[0])}"
        yield from timed(corpus, 9, size)
    for examples, references, repeats in SIZES:
        corpus = Zipfian().corpus(examples, references)
        size = f"{examples:,} × {references} reference{'s' * (references > 1)}"
        yield from timed(corpus, repeats, size, with_memory=examples > 1000)
        if references > 1 and examples < 1000:
            yield from best_reference(corpus, size)
    yield from intervals()
    yield from growth()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--data", type=Path, metavar="FOLDER", help="a corpus to be timed too")
    parser.add_argument("--memory", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.memory:
        way, file = options.memory
        measure_memory(way, Path(file))
        return
    show(rows(options.data))


if __name__ == "__main__":
    main()
