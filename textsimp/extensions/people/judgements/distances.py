"""How far outputs are from their sources, as Devaraj et al. (2022) measure it.

Treebank tokens are those of NLTK's ``TreebankWordTokenizer``, without NLTK's data. Sentences are
those of ``punkt-untrained``, which knows no abbreviations.
"""

from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from textsimp.core.metric import Floats, divide
from textsimp.text.sentences import get_splitter
from textsimp.text.stems import stem

Unit = Literal["characters", "tokens"]


def length_change(sources: Sequence[str], predictions: Sequence[str]) -> Floats:
    """Return how much longer outputs are than their sources, in percent of these.

    It is 100·(p − s)/s of the numbers of Treebank tokens; NaN for a source without any.

    Example:
        >>> length_change(["The cat sat there."], ["The cat sat."]).tolist()  # 5 and 4 tokens
        [-20.0]
    """
    tokens = _treebank()
    before, after = (
        np.array([len(tokens(text)) for text in texts], float) for texts in (sources, predictions)
    )
    return divide(100 * (after - before), before, np.nan)


def edit_distance(
    sources: Sequence[str], predictions: Sequence[str], unit: Unit = "characters"
) -> Floats:
    """Return Levenshtein distances of lowercased sources and outputs, by length of the source.

    The unit is what is inserted, deleted or substituted. NaN stands for an empty source, and for
    noise: an output that has too few stems in common with its source.

    Example:
        >>> edit_distance(["a b c d", "It rained."], ["A b x d", "The cat sat."]).round(2).tolist()
        [0.14, nan]
    """
    parts: Callable[[str], Sequence[str]] = str if unit == "characters" else _treebank()
    distances, lengths = np.zeros(len(sources)), np.zeros(len(sources))
    for i, (source, prediction) in enumerate(zip(sources, predictions, strict=True)):
        before, after = parts(source.lower()), parts(prediction.lower())
        distances[i] = Levenshtein.distance(before, after)
        lengths[i] = len(before)
    noise = _find_noise(sources, predictions)
    return np.where(noise, np.nan, divide(distances, lengths, np.nan))


def _find_noise(sources: Sequence[str], predictions: Sequence[str]) -> NDArray[np.bool_]:
    """Return which outputs have too little in common with their source.

    Sets of Porter stems of Treebank tokens without punctuation: of two texts' stems together, both
    must have 40 % if the output is one sentence, 20 % otherwise.
    """
    tokens = _treebank()
    several = get_splitter("punkt-untrained").count(predictions) > 1
    shares = np.ones(len(sources))
    for i, pair in enumerate(zip(sources, predictions, strict=True)):
        a, b = ({stem(t) for t in tokens(text) if any(map(str.isalnum, t))} for text in pair)
        if a or b:
            shares[i] = len(a & b) / len(a | b)
    return shares < np.where(several, 0.2, 0.4)


def _treebank() -> Callable[[str], list[str]]:
    from nltk import tokenize  # type: ignore[import-untyped, unused-ignore]

    tokens: Callable[[str], list[str]] = tokenize.TreebankWordTokenizer().tokenize
    return tokens
