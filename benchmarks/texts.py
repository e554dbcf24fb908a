"""Corpora for all benchmarks: made up, or read from a folder."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np


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
