"""ROUGE of single texts (Lin 2004), with stemmed words: the numbers of rouge_score 0.1.2."""

import functools
import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

Tokens = list[str]

_WORD = re.compile(r"[a-z0-9]+")


def rouge(
    output: str, reference: str, split: Callable[[str], Sequence[str]]
) -> tuple[float, float, float]:
    """Return F1 of ROUGE-1, ROUGE-2 and ROUGE-Lsum, whose sentences ``split`` finds.

    Lsum matches each sentence of the output, as BioLaySumm does, which exchanges the texts. Lin
    matches each of the reference.
    """
    own, other = _tokenize(output), _tokenize(reference)
    overlaps = [
        _f1((_ngrams(own, n) & _ngrams(other, n)).total(), len(own) - n + 1, len(other) - n + 1)
        for n in (1, 2)
    ]
    own_sentences, other_sentences = map(_tokenize, split(output)), map(_tokenize, split(reference))
    return overlaps[0], overlaps[1], _lsum([*own_sentences], [*other_sentences])


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


def _tokenize(text: str) -> Tokens:
    return [_stem(word) if len(word) > 3 else word for word in _WORD.findall(text.lower())]


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
