"""What the package textstat counts and prints, by versions 0.7.4 and 0.7.13.

Both versions find the same words and sentences: a word is what stands between white space, without
punctuation, and a sentence of one or two words doesn't count. They differ in these:

- 0.7.4, and 0.7.3, count hyphenation points as syllables and round ratios and scores.
- 0.7.13 looks words up in the CMU Pronouncing Dictionary first, keeps the apostrophe of ``don't``,
  counts each difficult word as often as it occurs, and rounds nothing. It downloads NLTK's copy of
  the dictionary; ours is the newer one of `textsimp.text.syllables`.
"""

import functools
import importlib.resources
import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.core.metric import Floats, divide
from textsimp.metrics.readability_formulas import FORMULAS, Formula
from textsimp.support.imports import require
from textsimp.text.syllables import counter, hyphenator

__all__ = ["PROGRAMS"]

CountSyllables = Callable[[str], int]


@dataclass(frozen=True)
class Program:
    """What a version of textstat counts in texts, and its scores of the sums."""

    scores: tuple[str, ...]
    counts: tuple[str, ...]
    count: Callable[[list[str]], Floats]  # from n texts to (n, k)
    reduce: Callable[[dict[str, Floats]], dict[str, Floats]]


def average(scores: tuple[str, ...], grade: Callable[[str], Sequence[float]]) -> Program:
    """Return the program that averages the scores of texts, which ``grade`` returns."""

    def count(texts: list[str]) -> Floats:
        return np.array([(*grade(text), 1.0) for text in texts])

    def reduce(totals: dict[str, Floats]) -> dict[str, Floats]:
        return {name: divide(totals[name], totals["texts"]) for name in scores}

    return Program(scores, (*scores, "texts"), count, reduce)


# Words, sentences, syllables ----------------------------------------------------------------------

_PUNCTUATION = re.compile(r"[^\w\s]")
_ALL_BUT_CONTRACTIONS = re.compile(r"[^\w\s']|'(?!ve|ll|re|[std])")


def split_words(text: str) -> list[str]:
    """Return the words of a text by version 0.7.4."""
    return _PUNCTUATION.sub("", text).split()


def split_contracted_words(text: str) -> list[str]:
    """Return the words of a text by version 0.7.13, which keep the apostrophe of ``don't``."""
    return _ALL_BUT_CONTRACTIONS.sub("", text).split()


def count_sentences(texts: list[str]) -> NDArray[np.int64]:
    """Count the sentences that begin in each text; those of one or two words don't count."""
    begins = [
        match.start()
        for match in re.finditer(r"\b[^.!?]+[.!?]*", "\n".join(texts))
        if len(split_words(match[0])) > 2
    ]
    ends = np.cumsum([len(text) + 1 for text in texts])
    return np.bincount(np.searchsorted(ends, begins, side="right"), minlength=len(texts))


def syllable_counter(name: str) -> CountSyllables:
    """Return a counter of `textsimp.text.syllables`, or that of a name such as `textstat-de`."""
    if name.startswith("textstat-"):
        positions = hyphenator(name).positions
        return lambda word: len(positions(word)) + 1
    return counter(name)


def count_words_and_syllables(texts: list[str], count_syllables: CountSyllables) -> Floats:
    """(n, 2) words and syllables by version 0.7.4."""
    rows = [
        (len(split_words(text)), sum(map(count_syllables, split_words(text.lower()))))
        for text in texts
    ]
    return np.array(rows, np.float64).reshape(-1, 2)


def count_contracted_words(texts: list[str], count_syllables: CountSyllables) -> Floats:
    """(n, 2) words and syllables by version 0.7.13."""
    words = [split_contracted_words(text) for text in texts]
    rows = [(len(row), sum(count_syllables(word.lower()) for word in row)) for row in words]
    return np.array(rows, np.float64).reshape(-1, 2)


@functools.cache
def easy_words() -> frozenset[str]:
    """Read Dale and Chall's list of some 2,900 easy words from the package textstat."""
    folder = importlib.resources.files(require("textstat", extra="languages"))
    text = (folder / "resources" / "en" / "easy_words.txt").read_text(encoding="utf-8")
    return frozenset(text.split())


# Version 0.7.4 ------------------------------------------------------------------------------------

SCORES_0_7_4 = ("fkgl", "coleman_liau", "dale_chall")


def rounded(values: Any, decimals: int) -> Any:
    """Round as version 0.7.4 does: numbers below 0 go down, unless they are exact."""
    scale = 10**decimals
    return np.floor(values * scale + np.copysign(0.5, values)) / scale


def grades_0_7_4(text: str) -> tuple[float, float, float]:
    """Return `SCORES_0_7_4` of a text, rounded as textstat 0.7.3 and 0.7.4 do."""
    words = split_words(text)
    ((_, syllables),) = count_words_and_syllables([text], syllable_counter("textstat-en_US"))
    sentences = max(1, int(count_sentences([text])[0]))
    n = len(words) or math.inf
    difficult = {*re.findall(r"[\w\='‘’]+", text.lower())} - easy_words()
    length = rounded(len(words) / sentences, 1)
    letters = rounded(100 * rounded(sum(map(len, words)) / n, 2), 2)
    ends = rounded(100 * rounded(sentences / n, 2), 2)
    percent = 100 - (len(words) - len(difficult)) / n * 100 if words else 0.0
    dale_chall = 0.1579 * percent + 0.0496 * length + (3.6365 if percent > 5 else 0.0)
    return (
        rounded(0.39 * length + 11.8 * rounded(syllables / n, 1) - 15.59, 1),
        rounded(0.058 * letters - 0.296 * ends - 15.8, 2),
        rounded(dale_chall, 2),
    )


# Version 0.7.13 -----------------------------------------------------------------------------------

_ENGLISH = FORMULAS["en"]
FORMULAS_0_7_13 = {
    "fkgl": Formula("", -15.59, {"words/sentences": "0.39", "syllables/words": "11.8"}),
    "flesch_reading_ease": _ENGLISH["flesch_reading_ease"],
    "ari": Formula("", -21.43, {"characters/tokens": "4.71", "words/sentences": "0.5"}),
    "coleman_liau": Formula("", -15.8, {"letters/words": "5.8", "sentences/words": "-29.6"}),
    "gunning_fog": Formula("", 0, {"words/sentences": "0.4", "hard_words/words": "40"}),
    "smog": _ENGLISH["smog"],
    "dale_chall": _ENGLISH["dale_chall"],
    "lix": _ENGLISH["lix"],
    "rix": _ENGLISH["rix"],
}
COUNTS_0_7_13 = (
    *("sentences", "characters", "tokens", "words", "syllables", "letters", "long_words"),
    *("polysyllables", "difficult_words", "hard_words"),
)
"""Characters are of all tokens; hard words are the difficult ones of three syllables or more."""

_NEEDED = {"fkgl": "syllables", "flesch_reading_ease": "syllables", "smog": "sentences"}
_LINSEAR_WORDS = 100  # of a text


def apply_formulas(counts: dict[str, Floats]) -> dict[str, Floats]:
    """Return the scores of counts; 0 for texts without words, which have a SMOG."""
    no_sentence = (counts["words"] > 0) & (counts["sentences"] == 0)
    counts = counts | {"sentences": np.where(no_sentence, 1.0, counts["sentences"])}
    scores = {}
    for name, formula in FORMULAS_0_7_13.items():
        score = formula(**{part: counts[part] for part in formula.counts})
        scores[name] = np.where(counts[_NEEDED.get(name, "words")] > 0, score, 0.0)
    return scores


def count_0_7_13(texts: list[str]) -> Floats:
    """Return (n, k) `COUNTS_0_7_13` of texts; a sentence counts for the text in which it begins."""
    counts = np.zeros((len(texts), len(COUNTS_0_7_13)))
    counts[:, 0] = count_sentences(texts)
    for row, text in zip(counts, texts, strict=True):
        tokens = text.split()
        row[1:3] = sum(map(len, tokens)), len(tokens)
        for word in split_contracted_words(text):
            row[3:] += _count_word(word)
    return counts


def grades_0_7_13(text: str) -> list[float]:
    """Return the scores by `FORMULAS_0_7_13` and Linsear Write of a text."""
    counts = dict(zip(COUNTS_0_7_13, count_0_7_13([text])[0], strict=True))
    counts["sentences"] = max(counts["sentences"], text != "")
    return [*map(float, apply_formulas(counts).values()), linsear_write(text)]


def linsear_write(text: str) -> float:
    """Return Linsear Write of the first 100 words; a word of three syllables counts three times."""
    tokens: list[str] = []
    syllables: list[int] = []
    for token in text.split():
        if len(syllables) == _LINSEAR_WORDS:
            break
        tokens.append(token)
        syllables += [_count_word(word)[1] for word in split_contracted_words(token)]
    if not tokens:
        return 0.0
    points = sum(3 if n >= 3 else min(n, 1) for n in syllables)
    score = points / max(1, int(count_sentences([" ".join(tokens)])[0]))
    return (score if score > 20 else score - 2) / 2


@functools.lru_cache(2**16)
def _count_word(word: str) -> tuple[int, ...]:
    """Count a word for `COUNTS_0_7_13`, without sentences, characters and tokens."""
    count_syllables = syllable_counter("cmudict")
    syllables, letters = count_syllables(word), len(_PUNCTUATION.sub("", word))
    difficult = word.lower() not in easy_words()
    hard = difficult and syllables >= 3
    return 1, syllables, letters, letters > 6, syllables >= 3, difficult, hard


JOINED = Program((*FORMULAS_0_7_13,), COUNTS_0_7_13, count_0_7_13, apply_formulas)
PROGRAMS = {
    ("textstat_0_7_4", "joined"): average(SCORES_0_7_4, grades_0_7_4),
    ("textstat_0_7_13", "mean"): average((*FORMULAS_0_7_13, "linsear_write"), grades_0_7_13),
    ("textstat_0_7_13", "joined"): JOINED,
}
"""Variant and aggregation of `textsimp.Readability` → what computes it."""
