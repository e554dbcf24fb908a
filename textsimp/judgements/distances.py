"""How far outputs are from their sources, as Devaraj et al. (2022) measure it.

Treebank tokens are those of NLTK's ``TreebankWordTokenizer``, without NLTK's data.
"""

import functools
from collections.abc import Callable, Sequence
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from textsimp.core import columns
from textsimp.core.metric import Floats, divide
from textsimp.support.errors import check_choice
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter

Unit = Literal["characters", "tokens"]
Per = Literal["source", "longer"]


def length_change(sources: Any, predictions: Any) -> Floats:
    """Return how much longer outputs are than their sources, in percent of these.

    Args:
        sources: The original texts.
        predictions: An output of each.

    Returns:
        (n,) 100·(p − s)/s of the numbers of Treebank tokens; NaN for a source without any.

    Example:
        >>> length_change(["The cat sat there."], ["The cat sat."]).tolist()  # 5 and 4 tokens
        [-20.0]
    """
    sources, predictions = columns.parallel_texts(sources=sources, predictions=predictions)
    tokens = _treebank()
    before, after = (
        np.array([len(tokens(text)) for text in texts], float) for texts in (sources, predictions)
    )
    return divide(100 * (after - before), before, np.nan)


def edit_distance(
    sources: Any, predictions: Any, *, unit: Unit = "characters", per: Per = "source"
) -> Floats:
    """Return Levenshtein distances of lowercased sources and outputs, by length.

    Args:
        sources: The original texts.
        predictions: An output of each.
        unit: What is inserted, deleted or substituted: ``"characters"`` or Treebank ``"tokens"``.
        per: Whose length divides it: that of the ``"source"``, or of the ``"longer"`` of the two.

    Returns:
        (n,) 0 for equal texts; per source it may be above 1. NaN where that is empty.

    Example:
        >>> edit_distance(["abcd"], ["ABxd"]).tolist()
        [0.25]
        >>> edit_distance(["It rained ."], ["It rained"], unit="tokens").round(2).tolist()
        [0.33]
    """
    check_choice("unit", unit, get_args(Unit))
    check_choice("per", per, get_args(Per))
    sources, predictions = columns.parallel_texts(sources=sources, predictions=predictions)
    parts: Callable[[str], Sequence[str]] = str if unit == "characters" else _treebank()
    distances, lengths = np.zeros(len(sources)), np.zeros(len(sources))
    for i, (source, prediction) in enumerate(zip(sources, predictions, strict=True)):
        before, after = parts(source.lower()), parts(prediction.lower())
        distances[i] = Levenshtein.distance(before, after)
        lengths[i] = len(before) if per == "source" else max(len(before), len(after))
    return divide(distances, lengths, np.nan)


def noise(sources: Any, predictions: Any) -> NDArray[np.bool_]:
    """Return which outputs have too little in common with their source.

    Sets of Porter stems of Treebank tokens without punctuation: of two texts' stems together, both
    must have 40 % if the output is one sentence, 20 % otherwise. Sentences are those of
    ``nltk-punkt-untrained``, which knows no abbreviations.

    Args:
        sources: The original texts.
        predictions: An output of each.

    Returns:
        (n,) True for those to leave out.

    Example:
        >>> noise(["The cats sat."] * 2, ["A cat sat.", "It is raining."]).tolist()
        [False, True]
    """
    from nltk.stem import PorterStemmer  # type: ignore[import-untyped, unused-ignore]

    sources, predictions = columns.parallel_texts(sources=sources, predictions=predictions)
    tokens = _treebank()
    stem = functools.cache(PorterStemmer().stem)
    several = get_splitter(DEFAULT_SPLITTER).count(predictions) > 1
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
