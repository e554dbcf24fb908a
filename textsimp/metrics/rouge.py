"""ROUGE (Lin 2004): the numbers of rouge_score 0.1.2, which `evaluate` and BioLaySumm use."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import ClassVar, NamedTuple

import numpy as np
from rapidfuzz.distance import LCSseq

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.examples import Examples, count_texts
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.text import stems
from textsimp.text.sentences import get_splitter

__all__ = ["f1_scores"]

Tokens = list[str]

_WORD = re.compile(r"[a-z0-9]+")


class Text(NamedTuple):
    """What a text is compared by."""

    words: Tokens
    unigrams: Counter[str]
    bigrams: Counter[tuple[str, str]]
    sentences: list[Tokens]
    in_sentences: Counter[str]  # their words


@dataclass(frozen=True)
class Rouge(MeanMetric):
    """F1 of ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, in percent, means over examples.

    Words are lowercased runs of the letters a to z and digits: other scripts have none. ROUGE-L
    takes the longest common subsequence of the whole texts. ROUGE-Lsum takes, for each sentence of
    a reference, the union of those with all sentences of the prediction. Of several references
    each score takes the best.

    The variant ``evaluate`` takes each line as a sentence, as rouge_score does. The variant
    ``stemmed`` splits texts into sentences itself.

    Example:
        >>> from textsimp import Rouge
        >>> columns = {"predictions": ["The cats sat."], "references": [["The old cat sat."]]}
        >>> scores = Rouge().score(**columns)
        >>> round(scores["rouge1"], 2), round(scores["rouge2"], 2)
        (85.71, 40.0)
    """

    name: ClassVar[str] = "rouge"
    about: ClassVar[str] = "words in common with the most similar reference; rewards copying"
    papers: ClassVar = ("lin-2004-rouge",)
    people: ClassVar[str] = (
        "ROUGE-1 has a rank correlation of .42 [.23, .51] with people's ratings of 22 older"
        " systems; over single outputs its correlation is .38 [.31, .44] on these and"
        " −.11 [−.23, .01] on SimpEval 2022"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {
        "stemmed": Preset(
            "words by their stems, as in shared tasks on summaries; Lsum by sentences that "
            "`splitter` finds"
        ),
        "evaluate": Preset(
            "the default of `evaluate` and rouge_score: whole words; Lsum by lines",
            {"stem": False, "splitter": "lines"},
        ),
    }
    scores: ClassVar = (
        Score("rouge1", "ROUGE-1", "F1 of words", better="higher"),
        Score("rouge2", "ROUGE-2", "F1 of pairs of words", better="higher"),
        Score("rougeL", "ROUGE-L", "F1 of the longest common subsequence", better="higher"),
        Score("rougeLsum", "ROUGE-Lsum", "ROUGE-L by sentences", better="higher"),
    )
    slow: ClassVar = True
    characters_at_once: ClassVar = 2**16  # after which progress is shown

    stem: bool = option(
        True,
        about="compare the stems of words, by NLTK's Porter stemmer",
        reads=lambda stem, texts: not stem or "en" in (texts.languages or ["en"]),
    )
    splitter: options.SplitterLike = options.splitter()

    def doubts(self, examples: Examples) -> str:
        """Say that other letters are no words."""
        unread = count_texts(self, examples, _is_unread)
        return unread and (
            f"rouge reads the letters a to z and digits, and {unread} are mostly of other letters: "
            "take chrf"
        )

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> list[list[Text]]:
        split = get_splitter(self.splitter).sentences
        return [[read(text, split, self.stem) for text in row] for row in references]

    def drawn_error(self, statistics: Floats, score: str) -> float:
        """Return three standard errors of what `evaluate` prints: a median of 1,000 resamples."""
        if self.splitter != "lines":
            return 0.0
        numbers = statistics[:, self.mean_names().index(score)]
        of_mean = float(np.std(numbers)) / math.sqrt(len(numbers))
        return 3 * math.sqrt(math.pi / 2 / 1000) * of_mean

    def numbers(self, prepared: list[list[Text]], predictions: list[str]) -> Floats:
        """Return (n, 4) an example's best F1 in percent."""
        split, rows = get_splitter(self.splitter).sentences, []
        for prediction, references in zip(predictions, prepared, strict=True):
            output = read(prediction, split, self.stem)
            rows.append(np.max([compare(text, output) for text in references], axis=0))
        return 100 * np.array(rows).reshape(-1, 4)


def read(text: str, split: Callable[[str], Sequence[str]], stem: bool) -> Text:
    """Read a text whose sentences ``split`` returns."""
    words, sentences = _tokenize(text, stem), [_tokenize(part, stem) for part in split(text)]
    ngrams = Counter(words), Counter(pairwise(words))
    return Text(words, *ngrams, sentences, Counter(chain(*sentences)))


def f1_scores(
    text: str, other: str, split: Callable[[str], Sequence[str]], stem: bool = True
) -> list[float]:
    """Return F1 of ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, whose sentences ``split`` finds.

    Lsum matches each sentence of ``text``: the reference in Lin's definition, the output in
    BioLaySumm's.
    """
    return compare(read(text, split, stem), read(other, split, stem))


def compare(text: Text, other: Text) -> list[float]:
    """Return what `f1_scores` does, of texts that were read."""
    sizes = len(text.words), len(other.words)
    return [
        _f1((text.unigrams & other.unigrams).total(), *sizes),
        _f1((text.bigrams & other.bigrams).total(), sizes[0] - 1, sizes[1] - 1),
        _f1(LCSseq.similarity(text.words, other.words), *sizes),
        _f1(_count_hits(text, other), text.in_sentences.total(), other.in_sentences.total()),
    ]


def _count_hits(text: Text, other: Text) -> int:
    """Count the words of each sentence that are in its LCS with any of the other's."""
    hits: Counter[str] = Counter()
    for sentence in text.sentences:
        places = {i for candidate in other.sentences for i in _lcs_places(sentence, candidate)}
        hits.update(sentence[i] for i in places)
    return (hits & text.in_sentences & other.in_sentences).total()


def _lcs_places(sentence: Tokens, other: Tokens) -> list[int]:
    """The places in a sentence of its longest common subsequence; of several the one read last."""
    table, places = _lcs_table(sentence, other), []

    def length(i: int, j: int) -> int:
        """Of the LCS of the first i words and the other's first j."""
        return (table[i] & (1 << j) - 1).bit_count()

    i, j = len(sentence), len(other)
    while i and j:
        if sentence[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif length(i, j - 1) > length(i - 1, j):
            j -= 1
        else:
            i -= 1
    return places


def _lcs_table(sentence: Tokens, other: Tokens) -> list[int]:
    """For each beginning of a sentence the other's words with which its LCS grows, as bits.

    Hyyrö (2004): a row is three operations on integers, and an entry takes a bit.
    """
    places: Counter[str] = Counter()
    for j, token in enumerate(other):
        places[token] |= 1 << j
    every = (1 << len(other)) - 1
    table, rest = [0], every
    for token in sentence:
        new = rest & places[token]
        rest = (rest + new | rest - new) & every
        table.append(every ^ rest)
    return table


def _is_unread(text: str) -> bool:
    """Whether most letters of a text are in no word."""
    letters = [*filter(str.isalpha, text)]
    return 2 * sum(map(str.isascii, letters)) < len(letters)


def _tokenize(text: str, stem: bool) -> Tokens:
    words = _WORD.findall(text.lower())
    return [stems.stem(word) if len(word) > 3 else word for word in words] if stem else words


def _f1(hits: int, own: int, other: int) -> float:
    if not hits:
        return 0.0
    precision, recall = hits / own, hits / other
    return 2 * precision * recall / (precision + recall)
