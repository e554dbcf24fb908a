"""ROUGE (Lin 2004): the numbers of rouge_score 0.1.2, which `evaluate` and BioLaySumm use."""

import functools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score, option
from textsimp.core.metric import Floats, MeanMetric
from textsimp.metrics import options
from textsimp.text.sentences import get_splitter

Tokens = list[str]

_WORD = re.compile(r"[a-z0-9]+")


@dataclass(frozen=True)
class Rouge(MeanMetric):
    """F1 of ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, in percent, means over examples.

    Words are lowercased runs of Latin letters and digits: other scripts have none. ROUGE-L takes
    the longest common subsequence of the whole texts. ROUGE-Lsum takes, for each sentence of a
    reference, the union of those with all sentences of the prediction. Of several references each
    score takes the best.

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
        " −.11 [−.23, .01] on newer ones"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {
        "stemmed": Preset("words by their stems, as in shared tasks on summaries"),
        "evaluate": Preset("whole words, the default of `evaluate`", {"stem": False}),
    }
    scores: ClassVar = (
        Score("rouge1", "ROUGE-1", "F1 of words", better="higher"),
        Score("rouge2", "ROUGE-2", "F1 of pairs of words", better="higher"),
        Score("rougeL", "ROUGE-L", "F1 of the longest common subsequence", better="higher"),
        Score("rougeLsum", "ROUGE-Lsum", "the same by sentences", better="higher"),
    )
    slow: ClassVar = True

    stem: bool = option(True, about="compare the stems of words, by NLTK's Porter stemmer")
    splitter: options.SplitterLike = options.splitter()

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> list[list[str]]:
        """Return the references."""
        return references

    def numbers(self, prepared: list[list[str]], predictions: list[str]) -> Floats:
        """Return (n, 4) an example's best F1 in percent."""
        split = get_splitter(self.splitter).split
        rows = [
            np.max([f1_scores(text, prediction, split, self.stem) for text in references], axis=0)
            for prediction, references in zip(predictions, prepared, strict=True)
        ]
        return 100 * np.array(rows).reshape(-1, 4)


def f1_scores(
    text: str, other: str, split: Callable[[str], Sequence[str]], stem: bool = True
) -> list[float]:
    """Return F1 of ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, whose sentences ``split`` finds.

    Lsum matches each sentence of ``text``: the reference in Lin's definition, the output in
    BioLaySumm's.
    """
    own, others = _tokenize(text, stem), _tokenize(other, stem)
    overlaps = [
        _f1((_ngrams(own, n) & _ngrams(others, n)).total(), len(own) - n + 1, len(others) - n + 1)
        for n in (1, 2)
    ]
    longest = _f1(len(_lcs_places(own, others)), len(own), len(others))
    sentences = ([_tokenize(part, stem) for part in split(whole)] for whole in (text, other))
    return [*overlaps, longest, _lsum(*sentences)]


def _lsum(own: Sequence[Tokens], other: Sequence[Tokens]) -> float:
    """F1 of the words of each own sentence that are in its LCS with any of the other's."""
    hits: Counter[str] = Counter()
    for sentence in own:
        places = {i for candidate in other for i in _lcs_places(sentence, candidate)}
        hits.update(sentence[i] for i in places)
    own_words, other_words = Counter(chain(*own)), Counter(chain(*other))
    return _f1((hits & own_words & other_words).total(), own_words.total(), other_words.total())


def _lcs_places(sentence: Tokens, other: Tokens) -> list[int]:
    """The places in a sentence of its longest common subsequence; of several the one read last."""
    table = [[0] * (len(other) + 1)]
    for token in sentence:
        above, row = table[-1], [0]
        for j, candidate in enumerate(other):
            row.append(above[j] + 1 if candidate == token else max(above[j + 1], row[j]))
        table.append(row)
    places = []
    i, j = len(sentence), len(other)
    while i and j:
        if sentence[i - 1] == other[j - 1]:
            i, j = i - 1, j - 1
            places.append(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return places


def _tokenize(text: str, stem: bool) -> Tokens:
    words = _WORD.findall(text.lower())
    return [_stem(word) if len(word) > 3 else word for word in words] if stem else words


@functools.lru_cache(2**16)
def _stem(word: str) -> str:
    return str(_stemmer().stem(word))


@functools.cache
def _stemmer() -> Any:
    from nltk.stem.porter import PorterStemmer  # type: ignore[import-untyped, unused-ignore]

    return PorterStemmer()


def _ngrams(tokens: Tokens, n: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[i:] for i in range(n)), strict=False))


def _f1(hits: int, own: int, other: int) -> float:
    if not hits:
        return 0.0
    precision, recall = hits / own, hits / other
    return 2 * precision * recall / (precision + recall)
