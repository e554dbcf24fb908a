"""Values of every pair of a corpus, such as edit operations, as arrays or columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from textsimp.core.columns import check_lengths, references, texts
from textsimp.core.draws import Ints
from textsimp.corpora.datasets import is_a
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.subsets import CHANGE
from textsimp.support.errors import InputError, NoColumn, shown
from textsimp.support.progress import progress
from textsimp.text.alignment import COUNTED, encode_words, operation_counts

_BATCH = 20_000
_MAP = "call dataset.map(edit_columns, batched=True)"


class Pairs(NamedTuple):
    """Values of every pair of a dataset; a row with several targets is several pairs."""

    values: NDArray[Any]  # (pairs,) or (pairs, k)
    sizes: Ints  # (rows,) pairs of each row of the dataset, at least 1

    def sums(self) -> NDArray[Any]:
        """Return sums over the pairs of each row: shape (rows,) or (rows, k)."""
        return np.add.reduceat(self.values, np.cumsum(self.sizes) - self.sizes, axis=0)


def concatenate(parts: list[Pairs]) -> Pairs:
    """Return the pairs of several datasets, one after the other."""
    return Pairs(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.sizes for part in parts]),
    )


def count_operations(batch: Mapping[str, Any], source: str, target: str) -> Pairs:
    """Count the operations (pairs, 4) of a batch of rows."""
    sources, targets = batch[source], batch[target]
    sizes = np.ones(len(targets), np.int64)
    if not isinstance(targets[0], str):
        sizes = np.fromiter(map(len, targets), np.int64, len(targets))
        sources = [text for text, row in zip(sources, targets, strict=True) for _ in row]
        targets = [text for row in targets for text in row]
    counts = operation_counts(*encode_words(sources, targets), "paper")
    return Pairs(counts[:, : len(COUNTED)], sizes)


def edit_columns(
    batch: Mapping[str, list[Any]], source: str = "source", target: str = "target"
) -> dict[str, list[Any]]:
    """Operation counts and change percentage of a batch, for ``Dataset.map(…, batched=True)``.

    Tokens are those of a text stripped, lowercased and split on single spaces; operations are those
    of a shortest token-level edit path from source to target, as Vásquez-Rodríguez et al. 2021
    count them.

    Args:
        batch: Lists of equal lengths, by column.
        source: Column of strings.
        target: Column of strings, or of lists of strings: each is a pair with the source.

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
    if is_a(batch, "Dataset", "IterableDataset"):
        raise InputError(f"expected a batch of rows, got {type(batch).__name__}: {_MAP}")
    for column in (source, target):
        if column not in batch:
            raise NoColumn("the batch", column, [*batch])
    if isinstance(batch[source], str):
        raise InputError(f"{source}: expected a batch of rows, got one row: {_MAP}")
    checked: dict[str, Sequence[Any]] = {
        source: texts(batch[source], source),
        target: references(batch[target], target),
    }
    check_lengths(**checked)
    pairs = count_operations(checked, source, target)
    columns = {name: pairs.values[:, i] for i, name in enumerate(COUNTED)}
    columns[CHANGE] = change_percentages(pairs.values)
    if isinstance(batch[target][0], str):
        return {name: column.tolist() for name, column in columns.items()}
    starts = np.cumsum(pairs.sizes)[:-1]
    return {
        name: [part.tolist() for part in np.split(column, starts)]
        for name, column in columns.items()
    }


def edit_counts(subsets: Mapping[str, Any], source: str, target: str) -> dict[str, Pairs]:
    """Count the operations (pairs, 4) of checked subsets, with a progress bar."""
    counts = {}
    total = sum(map(len, subsets.values()))
    with progress(desc="Edit operations", total=total, unit=" rows") as bar:
        for name, subset in subsets.items():
            parts = []
            for part in subset.select([source, target]).to_batches(_BATCH):
                batch = part.to_pydict()
                pairs = count_operations(batch, source, target)
                # half the memory; no text has 2³¹ words
                parts.append(Pairs(pairs.values.astype(np.int32), pairs.sizes))
                bar.update(len(batch[source]))
            counts[name] = concatenate(parts)
    return counts


def values_of(
    subsets: Mapping[str, Any], column: str | None, source: str, target: str
) -> dict[str, Pairs]:
    """Return the values of a column, or change percentages if it is ``None``."""
    if column is not None:
        return column_values(subsets, column)
    counts = edit_counts(subsets, source, target)
    return {name: Pairs(change_percentages(n), sizes) for name, (n, sizes) in counts.items()}


def column_values(subsets: Mapping[str, Any], column: str) -> dict[str, Pairs]:
    """Return a column of numbers, or of lists of numbers, as float64."""
    return {name: _numbers(subset, column, name) for name, subset in subsets.items()}


def _numbers(table: Any, column: str, name: str) -> Pairs:
    import pyarrow as pa

    cells, sizes = flatten(table[column])
    is_number = pa.types.is_integer(cells.type) or pa.types.is_floating(cells.type)
    numbers = np.full(len(cells), np.nan)
    if is_number:
        numbers = np.asarray(cells.to_numpy(zero_copy_only=False), float)  # null becomes NaN
    rows = np.repeat(np.arange(len(sizes)), sizes)
    bad = np.union1d(rows[~np.isfinite(numbers)], np.flatnonzero(sizes == 0))
    if bad.size:
        raise InputError(
            f"row {bad[0]} of column {column!r} of subset {name!r} (counted from 0): expected a "
            f"finite number, got {shown(table[column][int(bad[0])].as_py())}"
        )
    return Pairs(numbers, sizes)


def flatten(column: Any) -> tuple[Any, Ints]:
    """Return the values of an Arrow column that may have lists, and how many each row has."""
    import pyarrow as pa
    import pyarrow.compute as pc

    cells = column.combine_chunks()
    if pa.types.is_dictionary(cells.type):
        cells = cells.dictionary_decode()
    if not (pa.types.is_list(cells.type) or pa.types.is_large_list(cells.type)):
        return cells, np.ones(len(cells), np.int64)
    sizes = pc.fill_null(pc.list_value_length(cells), 0).to_numpy(zero_copy_only=False)
    return pc.list_flatten(cells), sizes.astype(np.int64)
