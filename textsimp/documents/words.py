"""Words of texts and of their simplifications: which are aligned, and what became of each.

    >>> from textsimp import words
    >>> (pair,) = words.align(["He bought a big car."], ["He bought a car."])
    >>> [*zip(pair.source_words, pair.source_labels)][2:5]
    [('a', 'copy'), ('big', 'delete'), ('car', 'copy')]

Options are those of `WordTransformations`, which scores systems by these labels.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from textsimp.core.columns import parallel_texts, texts
from textsimp.corpora.dataset_columns import Data, add_columns, check_batch
from textsimp.metrics.word_transformations import WordTransformations
from textsimp.text.functions import check_pairs, check_strings
from textsimp.text.word_labels import WordLabels, word_labels

__all__ = ["COLUMNS", "WordLabels", "Words", "align", "annotate_words", "labels", "word_columns"]


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


COLUMNS = Words._fields


def align(sources: Sequence[str], predictions: Sequence[str], **options: Any) -> list[Words]:
    """Align and label the words of texts and their simplifications.

    Args:
        sources: n texts.
        predictions: As many.
        **options: Those of `WordTransformations`, such as ``aligner``, ``parts``, ``tokenizer`` or
            ``variant``. With ``punctuation="unlabelled"`` the label of a mark is ``""``.
    """
    metric = WordTransformations.preset(**options)
    return of_metric(metric, *parallel_texts(sources=sources, predictions=predictions))


def of_metric(
    metric: WordTransformations, sources: list[str], predictions: list[str]
) -> list[Words]:
    """Words as a metric labels them, of columns that were checked."""
    details = metric.details(sources, predictions, None)
    return [Words(*row) for row in zip(*(details[name] for name in COLUMNS), strict=True)]


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


def word_columns(
    batch: Mapping[str, list[Any]],
    source: str = "source",
    prediction: str = "prediction",
    **options: Any,
) -> dict[str, list[list[Any]]]:
    """Labelled words of a batch of texts, for ``Dataset.map(…, batched=True)``.

    Args:
        batch: Lists of equal lengths, by column.
        source: Column of texts, strings.
        prediction: Column of their simplifications, strings.
        **options: See `align`.

    Returns:
        A list per row in each of the columns ``source_words``, ``source_labels``,
        ``prediction_words``, ``prediction_labels`` and ``word_alignment``, see `Words`.

    Example:
        >>> word_columns({"source": ["One hen sat."], "prediction": ["A hen sat."]})["source_words"]
        [['One', 'hen', 'sat', '.']]
    """
    check_batch(batch, source, prediction)
    rows = align(texts(batch[source], source), texts(batch[prediction], prediction), **options)
    return {name: [list(getattr(row, name)) for row in rows] for name in COLUMNS}


def annotate_words(
    data: Data,
    *,
    source: str = "source",
    prediction: str = "prediction",
    num_proc: int | None = None,
    **options: Any,
) -> Data:
    """Add words, their labels and which are aligned, as columns.

    Args:
        data: A ``Dataset``, ``DatasetDict`` or their streamed kinds.
        source: Column of texts, strings.
        prediction: Column of their simplifications, strings: of a corpus or of a system.
        num_proc: Processes of ``Dataset.map``; has no meaning for a stream.
        **options: See `align`.

    Returns:
        The same kind with the columns of `word_columns`. What was computed once is taken from the
        cache of `datasets`, where that is on and the data came from files.

    Raises:
        InputError: A column is missing, not of strings, lacks a text in some row, or one of the new
            columns is already there; or see `align`. A stream's texts are checked as they flow.
    """
    WordTransformations.preset(**options)
    return add_columns(
        data,
        word_columns,
        {"source": source, "prediction": prediction, **options},
        (source, prediction),
        {**{name: ["string"] for name in COLUMNS}, "word_alignment": [["int64"]]},
        title="Aligned words",
        num_proc=num_proc,
    )
