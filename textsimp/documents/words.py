"""Alignment and labels of the words of texts and their simplifications.

    >>> from textsimp import words
    >>> (pair,) = words.align(["He bought a big car."], ["He bought a car."])
    >>> [*zip(pair.source_words, pair.source_labels)][2:5]
    [('a', 'copy'), ('big', 'delete'), ('car', 'copy')]

The options are those of `WordTransformations`, which scores systems by these labels.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

from textsimp.core.columns import parallel_texts
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.text.functions import check_pairs, check_strings
from textsimp.text.word_labels import WordLabels, word_labels

__all__ = ["WordLabels", "Words", "align", "labels"]


class Words(NamedTuple):
    """The words of a pair of texts.

    Attributes:
        source_words: The words of the source.
        source_labels: As many of ``"copy"``, ``"move"``, ``"replace"`` and ``"delete"``.
        prediction_words: The words of its simplification.
        prediction_labels: As many of ``"copy"``, ``"move"``, ``"replace"`` and ``"add"``.
        word_alignment: Which are aligned, in order: pairs [index of a source word, index of a
            prediction's word].
    """

    source_words: list[str]
    source_labels: list[str]
    prediction_words: list[str]
    prediction_labels: list[str]
    word_alignment: list[list[int]]


def align(sources: Sequence[str], predictions: Sequence[str], **options: Any) -> list[Words]:
    """Align and label the words of texts and their simplifications.

    Args:
        sources: n texts.
        predictions: As many.
        **options: Those of `WordTransformations`, such as ``aligner``, ``parts``, ``tokenizer`` or
            ``variant``. With ``punctuation="unlabelled"`` the label of a mark is ``""``.
    """
    metric = WordTransformations.preset(**options)
    texts, others = parallel_texts(sources=sources, predictions=predictions)
    details = metric.details(texts, others, None)
    return [Words(*row) for row in zip(*(details[name] for name in Words._fields), strict=True)]


def labels(
    source_words: list[str], prediction_words: list[str], pairs: Sequence[tuple[int, int]]
) -> WordLabels:
    """Label the words of a pair of texts by an alignment of your own.

    Args:
        source_words: The words of the source.
        prediction_words: The words of its simplification.
        pairs: Which are aligned: pairs of indices.

    Returns:
        ``source`` and ``target``, a label per word, see `Words`. Words that differ in case are
        different.

    >>> labels(["a", "big", "cat"], ["the", "cat"], [(0, 0), (2, 1)])
    WordLabels(source=['replace', 'delete', 'copy'], target=['replace', 'copy'])
    """
    source = check_strings(source_words, "source_words")
    target = check_strings(prediction_words, "prediction_words")
    links = check_pairs(pairs, (len(source), len(target)), "pairs", "words")
    return word_labels(source, target, links)
