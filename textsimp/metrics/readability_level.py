"""The readability level of texts: what people would rate their sentences, on the CEFR's scale.

A sentence's level is a linear function of six features. ``readability_level.csv`` has its weights.
``tools/fit_readability.py`` fitted them to the ratings of ReadMe++ (Naous et al. 2024), which run
from 1 (A1) to 6 (C2).
"""

import csv
import functools
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from textsimp.core.metric import Floats, divide
from textsimp.metrics.word_difficulty import ZIPF_OF_RARE, bare_word
from textsimp.support.imports import require
from textsimp.text.sentences import Splitter
from textsimp.text.tokenizers import Encoder

__all__ = ["FEATURES", "WEIGHTS", "sentence_features", "text_levels"]

FEATURES = ("log_words", "words", "syllables", "letters", "zipf", "rare")
"""Natural logarithm of the words, words, then means over words: syllables, letters, Zipf frequency,
and whether the word is rare."""

CountWord = Callable[[str], tuple[int, ...]]
"""From a token to 1, its syllables, its letters and further counts; to zeros if it is no word."""

with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    WEIGHTS = {
        row["language"]: np.array([float(row[name]) for name in ("constant", *FEATURES)])
        for row in csv.DictReader(_file)
    }
"""Language → (7,) the constant and the weight of each feature."""


def text_levels(
    texts: Sequence[str], splitter: Splitter, encoder: Encoder, count: CountWord, language: str
) -> Floats:
    """Return (n, 2) the mean level of each text's sentences, and 1; 0, 0 for texts without words.

    A text in which the splitter finds no sentence is one.
    """
    split = [splitter.sentences(text) or [text] for text in texts]
    features = sentence_features([s for own in split for s in own], encoder, count, language)
    worded = features[:, FEATURES.index("words")] > 0
    levels = np.where(worded, WEIGHTS[language][0] + features @ WEIGHTS[language][1:], 0.0)
    starts = np.cumsum([0, *map(len, split[:-1])])
    sums, sizes = np.add.reduceat(np.stack([levels, worded], axis=1), starts).T
    return np.stack([divide(sums, sizes), sizes > 0], axis=1)


def sentence_features(
    sentences: Sequence[str], encoder: Encoder, count: CountWord, language: str
) -> Floats:
    """Return (n, 6) `FEATURES` of sentences; zeros without words."""

    def count_token(token: str) -> tuple[int, ...]:
        words, syllables, letters, *_ = count(token)
        return (words, syllables, letters, *(zipf_counts(token, language) if words else (0, 0)))

    counts = encoder.sum_counts(encoder.encode([*sentences]), count_token, 5)
    words = counts[:, 0]
    syllables, letters, zipf, rare = divide(counts[:, 1:], words[:, None]).T
    features = (np.log(np.maximum(words, 1)), words, syllables, letters, zipf / 100, rare)
    return np.stack(features, axis=1)


@functools.lru_cache(2**16)
def zipf_counts(token: str, language: str) -> tuple[int, int]:
    """Return hundredths of a word's Zipf frequency, 0 if it is unknown, and whether it is rare."""
    frequency = require("wordfreq", extra="languages").zipf_frequency
    zipf = frequency(bare_word(token, language) or token, language)
    return round(100 * zipf), zipf < ZIPF_OF_RARE
