"""Edit operations of every pair of a corpus, as columns or as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.pairs import count_operations
from textsimp.splits.subsets import BATCH, check_choice, check_subsets, check_texts, column_names
from textsimp.support.errors import InputError
from textsimp.text.alignment import COUNTED, EditPath

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict, IterableDataset, IterableDatasetDict

Data = TypeVar("Data", bound="Dataset | DatasetDict | IterableDataset | IterableDatasetDict")

CHANGE = "change_percentage"


def edit_columns(
    batch: Mapping[str, list[Any]],
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
) -> dict[str, list[Any]]:
    """Operation counts and change percentage of a batch, for ``Dataset.map(…, batched=True)``.

    Tokens are those of a text stripped, lowercased and split on single spaces; operations are those
    of a shortest token-level edit path from source to target, as Vásquez-Rodríguez et al. 2021
    count them.

    Args:
        batch: Lists of equal lengths, by column.
        source: Column of strings.
        target: Column of strings, or of lists of strings: each is a pair with the source.
        edits: Which edits are counted where several paths are as short: ``"paper"``, those that
            the authors count, or ``"shortest"``, those with the fewest insertions.

    Returns:
        ``insert``, ``delete``, ``replace``, ``keep`` (tokens) and ``change_percentage`` (0–100):
        a number per row, or a list of numbers per row where the target is a list.

    Raises:
        InputError: A missing column, or a row that is not a string or a list of at least one; row
            numbers are within the batch.

    Example:
        >>> edit_columns({"source": ["a big cat"], "target": ["a cat"]})["delete"]
        [1]
    """
    check_choice("edits", edits, EditPath)
    for column in (source, target):
        if not isinstance(batch, Mapping) or not isinstance(column, str) or column not in batch:
            got = list(batch) if isinstance(batch, Mapping) else type(batch).__name__
            raise InputError(f"batch: expected lists by column, {column!r} among them, got {got}")
    return _columns(batch, source, target, edits, checked=False)


def _columns(
    batch: Mapping[str, list[Any]], source: str, target: str, edits: EditPath, checked: bool = True
) -> dict[str, list[Any]]:
    pairs = count_operations(batch, source, target, edits, checked)
    nested = not isinstance(batch[target][0], str)
    ends = np.cumsum(pairs.sizes)
    columns = {name: pairs.values[:, i] for i, name in enumerate(COUNTED)}
    columns[CHANGE] = change_percentages(pairs.values)
    if nested:
        return {
            name: [part.tolist() for part in np.split(column, ends[:-1])]
            for name, column in columns.items()
        }
    return {name: column.tolist() for name, column in columns.items()}


def annotate_edits(
    data: Data,
    *,
    source: str = "source",
    target: str = "target",
    edits: EditPath = "paper",
    num_proc: int | None = None,
) -> Data:
    """Add operation counts and change percentage as columns.

    Args:
        data: A ``Dataset``, ``DatasetDict`` or their streamed kinds.
        source: Column of strings.
        target: Column of strings, or of lists of strings: each is a pair with the source.
        edits: Which edits are counted, see `edit_columns`.
        num_proc: Processes of ``Dataset.map``; has no meaning for a stream.

    Returns:
        The same kind with the columns ``insert``, ``delete``, ``replace``, ``keep`` (int64, tokens)
        and ``change_percentage`` (float64, 0–100); lists of them where the target is a list.

    Raises:
        InputError: A column is missing, not of strings, lacks a text in some row, or one of the new
            columns is already there. A stream's texts are checked as they flow.
    """
    from datasets import Dataset, IterableDataset

    check_choice("edits", edits, EditPath)
    if num_proc is not None and (type(num_proc) is not int or num_proc < 1):
        raise InputError(f"num_proc: expected None or an integer of at least 1, got {num_proc!r}")
    one = isinstance(data, (Dataset, IterableDataset))
    subsets = check_subsets({"all": data} if one else data, at_least=1, streamed=True)
    for name, subset in subsets.items():
        where = "the dataset" if one else f"subset {name!r}"
        check_texts(subset, source, target, where)
        for column in (*COUNTED, CHANGE):
            if column in column_names(subset):
                raise InputError(f"{where} already has a column {column!r}: rename or remove it")
    options = {"source": source, "target": target, "edits": edits}

    def annotated(subset: Any) -> Any:
        if isinstance(subset, IterableDataset):
            return subset.map(edit_columns, batched=True, fn_kwargs=options)
        as_checked = subset.format["type"] is None  # otherwise NumPy's texts, or others
        # datasets' cache knows the function by its name only, so it would outlive our changes to it
        return subset.map(
            _columns if as_checked else edit_columns,
            batched=True,
            fn_kwargs=options,
            batch_size=BATCH,
            num_proc=num_proc,
            load_from_cache_file=False,
            desc="Edit operations",
        )

    result: Data = (
        annotated(data)
        if one
        else type(data)({name: annotated(subset) for name, subset in data.items()})
    )
    return result
