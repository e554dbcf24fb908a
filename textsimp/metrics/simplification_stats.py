"""Simplification statistics: what a system does to its sources, without judging it.

The first seven are the quality-estimation features of EASSE (Alva-Manchego et al. 2019). The metric
card gives the origin of the others.
"""

from __future__ import annotations

import functools
import importlib.metadata
import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import Indel, LCSseq, Levenshtein

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.metrics.sides import by_side, mean_references, pair_references
from textsimp.support.errors import check_choice
from textsimp.support.imports import require
from textsimp.text import ngrams
from textsimp.text.languages import language_reads
from textsimp.text.sentences import get_splitter
from textsimp.text.tokenizers import Encoder, Tokens

__all__ = ["EASSE_NAMES", "SimplificationStats"]

Ints = NDArray[np.int64]

_OF_TEXT = ("words", "words_per_sentence", "lexical_complexity")
_COUNTS = ("words", "sentences", "lexical_complexity", "with_lexical_complexity")
STOP_WORDS = 100  # the most frequent words of a language say nothing about a text's difficulty

_OF_EASSE = (
    *("compression_ratio", "sentence_splits", "levenshtein_similarity", "exact_copies"),
    *("additions_proportion", "deletions_proportion"),
)
EASSE_NAMES = {key.replace("_", " ").capitalize(): key for key in _OF_EASSE}
"""EASSE's name of a quality feature → its score here."""


@dataclass(frozen=True)
class Texts:
    """The counts of n texts."""

    raw: list[str]
    strings: list[str]  # normalised
    tokens: Tokens
    characters: Ints  # (n,) of the normalised string
    words: Ints  # (n,)
    words_13a: Ints  # (n,) words of the normalised string by the rules of 13a
    sentences: Ints  # (n,)
    complexity: Floats  # (n, 2) lexical complexity or 0, and whether it has one

    def statistics(self) -> Floats:
        """(n, 4) words, sentences and lexical complexity."""
        return np.column_stack([self.words, self.sentences, self.complexity])


Prepared = tuple[Encoder, Texts, Floats]
"""The sources; (n, 23) means over each example's references, or (n, 0)."""


@dataclass(frozen=True)
class SimplificationStats(Metric):
    """Statistics of predictions, and side by side of sources and references.

    Texts are lowercased and tokenised first; what a score is about is the result, joined by
    spaces. `score_names` lists the scores, the metric card defines them.

    Example:
        >>> from textsimp import SimplificationStats
        >>> scores = SimplificationStats.preset().score(
        ...     sources=["About 95 species are currently accepted, and more are found."],
        ...     predictions=["About 95 species are now accepted. More are found."],
        ... )
        >>> scores["sentence_splits"], round(scores["compression_ratio"], 3)
        (2.0, 0.839)
    """

    name: ClassVar[str] = "simplification_stats"
    about: ClassVar[str] = (
        "compression, splits, similarity, novelty, complexity: what a system does"
    )
    papers: ClassVar = ("alva-manchego-etal-2019-easse", "martin-etal-2018-reference")
    people: ClassVar[str] = (
        "it describes, and must not rank systems: by single outputs the correlation of its "
        "levenshtein_similarity with "
        "people's ratings of simplicity runs from −.55 [−.63, −.45] on one set to "
        ".27 [.19, .36] on another"
    )
    columns: ClassVar = (SOURCES, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"easse": Preset("of lowercased 13a tokens, as EASSE has them")}
    scores: ClassVar = (
        Score(
            "compression_ratio", "Compression", "characters per character of the source", most=None
        ),
        Score("sentence_splits", "Splits", "sentences per sentence of the source", most=None),
        Score("levenshtein_similarity", "Similarity", "to the source, in characters", most=1),
        Score.share("exact_copies", "Copies", "outputs equal to the source after tokenisation"),
        Score.share("additions_proportion", "Added", "share of output words the source lacks"),
        Score.share("deletions_proportion", "Deleted", "share of source words the output lacks"),
        Score("words", "Words", "words per text, punctuation marks included", most=None),
        Score("words_per_sentence", "Words per sentence", "", most=None, decimals=1),
        Score(
            "lexical_complexity",
            "Lexical complexity",
            "third quartile of log(1 + rank) of the words",
            most=None,
        ),
        Score(
            "length_change",
            "Length change",
            "change of the number of words over the corpus, in percent",
            least=-100,
            most=None,
            decimals=1,
        ),
        Score("kept_words", "Kept words", "mean per example", most=None, unit="words"),
        Score("added_words", "Added words", "mean per example", most=None, unit="words"),
        Score("deleted_words", "Deleted words", "mean per example", most=None, unit="words"),
        Score("reordered_words", "Reordered words", "mean per example", most=None, unit="words"),
        Score(
            "jaccard_similarity",
            "Jaccard similarity",
            "distinct words in common per distinct word in either",
            most=1,
        ),
        Score(
            "word_edit_distance", "Edit distance", "in words, per word of the longer text", most=1
        ),
        *(
            Score.share(
                f"novel_{n}grams", f"Novel {n}-grams", "distinct n-grams that the source lacks"
            )
            for n in range(1, ngrams.ORDERS + 1)
        ),
        Score.share("split_share", "Split", "texts with more sentences than their source"),
        Score.share(
            "unchanged_share", "Unchanged", "texts that are their source, letter for letter"
        ),
        Score.share(
            "under_half_share", "Under half", "texts with less than half the source's words"
        ),
    )

    tokenizer: options.TokenizerLike = options.tokenizer()
    lowercase: bool = options.lowercase()
    splitter: options.SplitterLike = options.splitter()
    lexical_complexity: bool = option(
        False,
        about="also `lexical_complexity` (extra `languages`)",
        tag="lexical",
        label=lambda _: f"wordfreq-{importlib.metadata.version('wordfreq')}",
        parse_label=lambda _: True,
    )
    language: str = option(
        "en",
        about="language of the word frequencies for `lexical_complexity`, one that wordfreq has; "
        "any other than `en` needs `lexical_complexity=True`",
        tag="lang",
        reads=language_reads,
        only_with={"lexical_complexity": (True,)},
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.lexical_complexity:
            languages = sorted(require("wordfreq", extra="languages").available_languages())
            check_choice("language", self.language, languages)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        left_out = () if self.lexical_complexity else ("lexical_complexity",)
        names = [score.key for score in self.scores if score.key not in left_out]
        sources = [f"source_{name}" for name in names if name in _OF_TEXT]
        references = [f"reference_{name}" for name in names if "references" in shared]
        return (*names, *sources, *references)

    def prepare(self, sources: list[str], references: list[list[str]] | None) -> Prepared:
        """Read the sources, and compare the references with them."""
        encoder = Encoder(self.tokenizer, self.lowercase)
        read = self._read(encoder, sources)
        if references is None:
            return encoder, read, np.empty((len(sources), 0))
        repeated, texts = (self._read(encoder, of) for of in pair_references(sources, references))
        pair_scores = np.hstack([texts.statistics(), compare(repeated, texts)])
        return encoder, read, mean_references(pair_scores, [*map(len, references)])

    def statistics(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return counts of each side, also scores of predictions and references; and 1."""
        encoder, sources, references = prepared
        targets, ones = self._read(encoder, predictions), np.ones((len(predictions), 1))
        own = [targets.statistics(), compare(sources, targets)]
        return np.hstack([*own, sources.statistics(), references, ones])

    def _read(self, encoder: Encoder, texts: list[str]) -> Texts:
        """Normalise texts and count what is in them."""
        tokens = encoder.encode(texts)
        vocabulary = [*encoder.vocabulary]
        strings = [*map(" ".join, encoder.decode(tokens))]
        if self.tokenizer == "none":
            strings = [text.lower() for text in texts] if self.lowercase else texts
        # Of its own tokens 13a splits again only some with a stop or comma, such as ",5".
        own = self.tokenizer == "13a"
        again = [i for i, word in enumerate(vocabulary) if not own or "." in word or "," in word]
        sizes = np.ones(len(vocabulary), np.int64)
        split = Encoder("13a", lowercase=False).encode([vocabulary[i] for i in again])
        sizes[again] = np.diff(split.offsets)
        sums = np.concatenate(([0], np.cumsum(sizes[tokens.ids])))
        complexity = np.zeros((len(texts), 2))
        if self.lexical_complexity:
            rank_of = word_ranks(self.language)
            ranks = np.log1p([rank_of.get(word.lower(), np.nan) for word in vocabulary])
            complexity = _third_quartiles(ranks[tokens.ids], tokens.offsets)
        characters = np.fromiter(map(len, strings), np.int64, len(strings))
        words, words_13a = np.diff(tokens.offsets), np.diff(sums[tokens.offsets])
        sentences = get_splitter(self.splitter).count(strings)
        return Texts(texts, strings, tokens, characters, words, words_13a, sentences, complexity)

    def statistic_names(self, width: int) -> list[str]:
        own = [*_COUNTS, *_PAIR_SCORES]
        references = [f"reference_{name}" for name in own if width > len(own) + len(_COUNTS) + 1]
        return [*own, *(f"source_{name}" for name in _COUNTS), *references, "examples"]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Means over examples, and ratios of sums over the corpus."""
        sides = by_side(self.by_name(totals))
        n, source_words = sides[""]["examples"], sides["source_"]["words"]
        scores: dict[str, Floats] = {}
        for side, sums in sides.items():
            if not sums:  # no references
                continue
            words, sentences, complexity, having = (sums[name] for name in _COUNTS)
            scores[f"{side}words"] = divide(words, n)
            scores[f"{side}words_per_sentence"] = divide(words, sentences)
            scores[f"{side}lexical_complexity"] = divide(complexity, having)
            if side != "source_":
                # From nothing to something is as much growth as there is: 100 %.
                growth = divide(words - source_words, source_words, zero=1)
                scores[f"{side}length_change"] = 100 * np.where(words == source_words, 0, growth)
                scores |= {side + name: divide(sums[name], n) for name in _PAIR_SCORES}
        return scores


_PAIR_SCORES = [
    score.key
    for score in SimplificationStats.scores
    if score.key not in (*_OF_TEXT, "length_change")
]
"""Of a text and its source, means over examples: one column of statistics each."""


def compare(sources: Texts, targets: Texts) -> Floats:
    """(pairs, 19) the scores of each pair that are means over examples."""
    exact = [a == b for a, b in zip(sources.strings, targets.strings, strict=True)]
    unchanged = [a.strip() == b.strip() for a, b in zip(sources.raw, targets.raw, strict=True)]
    similarity = process.cpdist(
        sources.strings, targets.strings, scorer=Indel.normalized_similarity, dtype=np.float64
    )
    pairs = sources.tokens.strings(), targets.tokens.strings()
    in_order = process.cpdist(*pairs, scorer=LCSseq.similarity, dtype=np.int64)
    distance = process.cpdist(*pairs, scorer=Levenshtein.normalized_distance, dtype=np.float64)
    kept, jaccard, novel = _count_ngrams(sources.tokens, targets.tokens)
    added, deleted = targets.words - kept, sources.words - kept
    longer = np.maximum(sources.words_13a, targets.words_13a)
    compression = divide(targets.characters, sources.characters)
    sentences = divide(targets.sentences, sources.sentences)
    split, halved = targets.sentences > sources.sentences, 2 * targets.words < sources.words
    shares = divide(added, longer), divide(deleted, longer)
    of_easse = compression, sentences, similarity, exact, *shares
    of_words = kept, added, deleted, kept - in_order, jaccard, distance
    return np.column_stack([*of_easse, *of_words, novel, split, unchanged, halved])


def _count_ngrams(sources: Tokens, targets: Tokens) -> tuple[Ints, Floats, Floats]:
    """(pairs,) words in common, (pairs,) Jaccard, (pairs, 4) share of n-grams not in the source."""
    kept = np.zeros(len(sources), np.int64)
    jaccard, novel = np.zeros(len(sources)), np.zeros((len(sources), ngrams.ORDERS))
    one_each = np.ones(len(sources), np.int64)
    base = int(max(sources.ids.max(initial=0), targets.ids.max(initial=0))) + 1
    for block in ngrams.prepare_blocks(sources, targets, one_each, base):
        part = block.examples
        n = part.stop - part.start
        for order, table in enumerate(block.tables):
            common = np.bincount(table.example[table.r > 0], minlength=n)
            novel[part, order] = divide(table.reference_only, common + table.reference_only)
            if order == 0:
                union = np.diff(table.bounds) + table.reference_only
                jaccard[part] = divide(common, union, zero=1)
                kept[part] = np.bincount(table.example, np.minimum(table.s, table.r), minlength=n)
    return kept, jaccard, novel


def _third_quartiles(values: Floats, offsets: Ints) -> Floats:
    """(texts, 2) third quartile of each text's values other than NaN, and 1; 0, 0 without any."""
    quartiles = np.zeros((len(offsets) - 1, 2))
    for i, (start, stop) in enumerate(itertools.pairwise(offsets.tolist())):
        ranked = values[start:stop][~np.isnan(values[start:stop])]
        if len(ranked):
            quartiles[i] = np.quantile(ranked, 0.75), 1
    return quartiles


def lettered_words(language: str) -> Iterator[str]:
    """Yield the lowercase words with a letter, the most frequent first."""
    words = require("wordfreq", extra="languages").iter_wordlist(language)
    return (word for word in words if any(map(str.isalpha, word)))


@functools.cache
def word_ranks(language: str) -> dict[str, int]:
    """Word → rank by frequency, from 0, but for the first 100."""
    ranks = enumerate(lettered_words(language))
    return {word: rank for rank, word in ranks if rank >= STOP_WORDS}
