"""The aligned sentences of every pair of a corpus, as columns."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from textsimp.core.columns import texts
from textsimp.documents.alignment import SplitterLike, align_documents
from textsimp.documents.pairs import each_split
from textsimp.support.errors import InputError, nearest
from textsimp.support.version import __version__
from textsimp.text.functions import Function
from textsimp.text.sentence_alignment import LEXICAL, AlignerLike, get_aligner
from textsimp.text.sentences import DEFAULT_SPLITTER, get_splitter

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

Data = TypeVar("Data", bound="Dataset | DatasetDict | IterableDataset | IterableDatasetDict")

COLUMNS = (
    *("source_sentences", "target_sentences", "links"),
    *("source_operations", "target_operations", "reordered"),
)

_BATCH = 1_000


def alignment_columns(
    batch: Mapping[str, list[Any]],
    source: str = "source",
    target: str = "target",
    *,
    splitter: SplitterLike = DEFAULT_SPLITTER,
    aligner: AlignerLike = LEXICAL,
    threshold: float | None = None,
    links: str = "best",
    monotone: bool = False,
    tokenizer: str | Function = "13a",
) -> dict[str, list[list[Any]]]:
    """Aligned sentences of a batch of documents, for ``Dataset.map(…, batched=True)``.

    Args:
        batch: Lists of equal lengths, by column.
        source: Column of documents, strings.
        target: Column of their simplifications, strings.
        splitter: See `align_documents`.
        aligner: See `align_sentences`.
        threshold: See `align_sentences`.
        links: See `align_sentences`.
        monotone: See `align_sentences`.
        tokenizer: See `align_sentences`.

    Returns:
        A list per row in each of the columns

        - ``source_sentences`` and ``target_sentences``: the sentences;
        - ``links``: which are aligned, pairs [index of a source sentence, index of a target
          sentence];
        - ``source_operations``: what became of each source sentence, ``"aligned"``, ``"split"``,
          ``"joined"`` or ``"deleted"``, see `Alignment.source_operations`;
        - ``target_operations``: the same of each target sentence, with ``"added"`` for
          ``"deleted"``, see `Alignment.target_operations`;
        - ``reordered``: indices of the target sentences that were moved, see
          `Alignment.reordered`.

    Raises:
        InputError: A missing column, or see `align_documents`; row numbers are within the batch.

    Example:
        >>> batch = {"source": ["The hen sat. It slept."], "target": ["The hen sat."]}
        >>> alignment_columns(batch)["source_operations"]
        [['aligned', 'deleted']]
    """
    check_batch(batch, source, target)
    found = align_documents(
        texts(batch[source], source),
        texts(batch[target], target),
        splitter=splitter,
        aligner=aligner,
        threshold=threshold,
        links=links,
        monotone=monotone,
        tokenizer=tokenizer,
    )
    return {
        "source_sentences": [alignment.source for alignment in found],
        "target_sentences": [alignment.target for alignment in found],
        "links": [list(map(list, alignment.links)) for alignment in found],
        "source_operations": [alignment.source_operations() for alignment in found],
        "target_operations": [alignment.target_operations() for alignment in found],
        "reordered": [alignment.reordered() for alignment in found],
    }


@dataclass(frozen=True)
class _Columns:
    """`alignment_columns` with its options.

    The cache of `datasets` knows a function of a library by its name only; of this it knows all
    fields, so that nothing of another version of ours, or of the splitter's, is taken from it.
    """

    options: dict[str, Any]
    version: str = __version__

    def __call__(self, batch: Mapping[str, list[Any]]) -> dict[str, list[list[Any]]]:
        return alignment_columns(batch, **self.options)


@each_split
def annotate_alignment(
    data: Data,
    *,
    source: str = "source",
    target: str = "target",
    splitter: SplitterLike = DEFAULT_SPLITTER,
    aligner: AlignerLike = LEXICAL,
    threshold: float | None = None,
    links: str = "best",
    monotone: bool = False,
    tokenizer: str | Function = "13a",
    num_proc: int | None = None,
) -> Data:
    """Add aligned sentences, and what became of each, as columns.

    Args:
        data: A ``Dataset``, ``DatasetDict`` or their streamed kinds.
        source: Column of documents, strings.
        target: Column of their simplifications, strings.
        splitter: See `align_documents`.
        aligner: See `align_sentences`.
        threshold: See `align_sentences`.
        links: See `align_sentences`.
        monotone: See `align_sentences`.
        tokenizer: See `align_sentences`.
        num_proc: Processes of ``Dataset.map``; has no meaning for a stream.

    Returns:
        The same kind with the columns of `alignment_columns`. What was computed once is taken from
        the cache of `datasets`, where that is on and the data came from files.

    Raises:
        InputError: A column is missing, not of strings, lacks a text in some row, or one of the new
            columns is already there; or see `align_documents`. A stream's texts are checked as
            they flow.
    """
    check_kind(data, num_proc)
    get_aligner(aligner, threshold=threshold, links=links, monotone=monotone, tokenizer=tokenizer)
    splitting = get_splitter(splitter)
    check_texts(data, source, target, COLUMNS)
    options = {
        "source": source,
        "target": target,
        "aligner": aligner,
        "threshold": threshold,
        "links": links,
        "monotone": monotone,
        "tokenizer": tokenizer,
        "splitter": splitter if callable(splitter) else splitting.name,
    }
    kinds = dict.fromkeys(COLUMNS, "strings") | {"links": "pairs", "reordered": "integers"}
    return with_columns(data, _Columns(options), kinds, num_proc, "Aligned documents")


# What adds columns to a dataset, whichever they are


def check_batch(batch: Any, *columns: Any) -> None:
    """Check that a batch of ``Dataset.map`` has columns."""
    for column in columns:
        if not isinstance(batch, Mapping) or not isinstance(column, str) or column not in batch:
            got = list(batch) if isinstance(batch, Mapping) else type(batch).__name__
            raise InputError(f"batch: expected lists by column, {column!a} among them, got {got}")


def check_kind(data: Any, num_proc: Any) -> None:
    """Check that columns can be added to something by so many processes."""
    from datasets import Dataset, IterableDataset

    if not isinstance(data, (Dataset, IterableDataset)):
        raise InputError(f"expected a Dataset or DatasetDict, got {type(data).__name__}")
    if num_proc is not None and (type(num_proc) is not int or num_proc < 1):
        raise InputError(f"num_proc: expected None or an integer of at least 1, got {num_proc!a}")


def with_columns(
    data: Data,
    function: Callable[[Mapping[str, list[Any]]], Mapping[str, list[Any]]],
    kinds: Mapping[str, str],
    num_proc: int | None,
    title: str,
) -> Data:
    """A dataset with the columns that a function makes of batches.

    Args:
        data: A ``Dataset`` or its streamed kind.
        function: From lists by column to the new ones.
        kinds: New column → of what it has lists: ``"strings"``, ``"integers"`` or ``"pairs"``.
        num_proc: Processes of ``Dataset.map``.
        title: Of its progress bar.
    """
    from datasets import Dataset, Features, Value

    more: dict[str, Any] = {}
    if data.features is not None:  # else the first batch would tell, which may have empty lists
        types = {
            "strings": [Value("string")],
            "integers": [Value("int64")],
            "pairs": [[Value("int64")]],
        }
        new = {name: types[kind] for name, kind in kinds.items()}
        more["features"] = Features({**data.features, **new})
    annotated: Data
    if isinstance(data, Dataset):
        more |= {"num_proc": num_proc, "desc": title}
        mapped = data.with_format(None).map(function, batched=True, **more)
        annotated = mapped.with_format(data.format["type"], **data.format["format_kwargs"])
    else:
        annotated = data.map(function, batched=True, **more)
    return annotated


def check_texts(
    data: Dataset | IterableDataset, source: str, target: str, new: Iterable[str]
) -> None:
    """Check columns of texts, and that new ones aren't there, before a dataset is read to use."""
    names = data.column_names
    if names is None:
        # A copy: datasets 2 goes on from where another iteration stood.
        names = list(next(iter(copy.deepcopy(data)), {}))
    for name in (source, target):
        if not isinstance(name, str) or name not in names:
            raise InputError(
                f"column {name!a}: the dataset has none{nearest(name, names)}; it has "
                f"{', '.join(names)}"
            )
    for name in new:
        if name in names:
            raise InputError(f"the dataset already has a column {name!r}: rename or remove it")
    if not hasattr(data, "select"):
        return  # a stream
    plain = data.with_format(None).select_columns(list(dict.fromkeys((source, target))))
    try:
        if not len(plain):
            texts([], source)
        for batch in plain.iter(_BATCH):
            for name in (source, target):
                texts(batch[name], name)
    except InputError:
        for name in (source, target):
            texts(plain[name][:], name)  # which knows the row
        raise
