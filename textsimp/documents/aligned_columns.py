"""The aligned sentences of every pair of a corpus, as columns."""

from collections.abc import Mapping
from typing import Any

from textsimp.core.columns import texts
from textsimp.corpora.dataset_columns import Data, add_columns, check_batch
from textsimp.documents.document_alignment import align_documents
from textsimp.text.sentence_alignment import get_aligner
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter

COLUMNS = (
    *("source_sentences", "target_sentences", "links"),
    *("source_operations", "target_operations", "reordered"),
)


def alignment_columns(
    batch: Mapping[str, list[Any]], source: str = "source", target: str = "target", **options: Any
) -> dict[str, list[list[Any]]]:
    """Aligned sentences of a batch of documents, for ``Dataset.map(…, batched=True)``.

    Args:
        batch: Lists of equal lengths, by column.
        source: Column of documents, strings.
        target: Column of their simplifications, strings.
        **options: Those of `align_documents`, such as ``splitter``, ``aligner``, ``threshold``,
            ``links``, ``monotone`` or ``tokenizer``.

    Returns:
        A list per row in each of the columns

        - ``source_sentences`` and ``target_sentences``: the sentences;
        - ``links``: which are aligned, pairs [index of a source sentence, index of a target
          sentence];
        - ``source_operations``, ``target_operations`` and ``reordered``: what the methods of
          `Alignment` return.

    Raises:
        InputError: A missing column, or see `align_documents`; row numbers are within the batch.

    Example:
        >>> batch = {"source": ["The hen sat. It slept."], "target": ["The hen sat."]}
        >>> alignment_columns(batch)["source_operations"]
        [['aligned', 'deleted']]
    """
    check_batch(batch, source, target)
    columns = texts(batch[source], source), texts(batch[target], target)
    alignments = align_documents(*columns, **options)
    return {
        "source_sentences": [alignment.source for alignment in alignments],
        "target_sentences": [alignment.target for alignment in alignments],
        "links": [list(map(list, alignment.links)) for alignment in alignments],
        "source_operations": [alignment.source_operations() for alignment in alignments],
        "target_operations": [alignment.target_operations() for alignment in alignments],
        "reordered": [alignment.reordered() for alignment in alignments],
    }


def annotate_alignment(
    data: Data,
    *,
    source: str = "source",
    target: str = "target",
    num_proc: int | None = None,
    **options: Any,
) -> Data:
    """Add aligned sentences, and what became of each, as columns.

    Args:
        data: A ``Dataset``, ``DatasetDict`` or their streamed kinds.
        source: Column of documents, strings.
        target: Column of their simplifications, strings.
        num_proc: Processes of ``Dataset.map``; has no meaning for a stream.
        **options: See `alignment_columns`.

    Returns:
        The same kind with the columns of `alignment_columns`. What was computed once is taken from
        the cache of `datasets`, where that is on and the data came from files.

    Raises:
        InputError: A column is missing, not of strings, lacks a text in some row, or one of the new
            columns is already there; or see `align_documents`. A stream's texts are checked as
            they flow.
    """
    splitter = options.pop("splitter", DEFAULT_SPLITTER)
    get_aligner(**options)  # which checks them
    options["splitter"] = splitter if callable(splitter) else get_splitter(splitter).name
    return add_columns(
        data,
        alignment_columns,
        {"source": source, "target": target, **options},
        (source, target),
        {**{name: ["string"] for name in COLUMNS}, "links": [["int64"]], "reordered": ["int64"]},
        title="Aligned documents",
        num_proc=num_proc,
    )
