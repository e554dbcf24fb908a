"""What is measured on every pair of a corpus, as arrays."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from textsimp.columns import InputError, check_lengths, references, texts
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.subsets import batches, check_choice, check_texts, rows
from textsimp.text.alignment import COUNTED, EditPath, operation_counts, words

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Pairs(NamedTuple):
    """Something measured on every pair of a dataset; a row with several targets is several pairs.

    Attributes:
        values: One row per pair: shape (pairs,) or (pairs, k).
        sizes: Pairs of each row of the dataset, at least 1: shape (rows,).
    """

    values: NDArray[Any]
    sizes: NDArray[np.int64]

    def sums(self) -> NDArray[Any]:
        """Sums over the pairs of each row: shape (rows,) or (rows, k)."""
        return np.add.reduceat(self.values, np.cumsum(self.sizes) - self.sizes, axis=0)

    def take(self, rows: NDArray[np.int64]) -> Pairs:
        """The pairs of some rows, in the order of these."""
        sizes = self.sizes[rows]
        starts = (np.cumsum(self.sizes) - self.sizes)[rows]
        within = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        return Pairs(self.values[np.repeat(starts, sizes) + within], sizes)


def concatenate(parts: list[Pairs]) -> Pairs:
    """Pairs of several datasets, one after the other."""
    return Pairs(
        np.concatenate([part.values for part in parts]),
        np.concatenate([part.sizes for part in parts]),
    )


def count_operations(
    batch: Mapping[str, Any], source: str, target: str, edits: EditPath, checked: bool
) -> Pairs:
    """Operation counts (pairs, 4) of a batch of rows, whose texts may have been checked before."""
    sources, targets = batch[source], batch[target]
    if not checked:
        sources, targets = texts(sources, source), references(targets, target)
        both: dict[str, Sequence[Any]] = {source: sources, target: targets}
        check_lengths(**both)
    sizes = np.ones(len(targets), np.int64)
    if not isinstance(targets[0], str):
        sizes = np.fromiter(map(len, targets), np.int64, len(targets))
        sources = [text for text, row in zip(sources, targets, strict=True) for _ in row]
        targets = [text for row in targets for text in row]
    counts = operation_counts(map(words, sources), map(words, targets), edits)
    return Pairs(counts[:, : len(COUNTED)], sizes)


def edit_counts(
    subsets: Mapping[str, Any], source: str, target: str, edits: EditPath
) -> dict[str, Pairs]:
    """Operation counts (pairs, 4) of subsets, with a progress bar on a terminal."""
    from datasets import IterableDataset
    from datasets.utils import tqdm

    check_choice("edits", edits, EditPath)
    for name, subset in subsets.items():
        check_texts(subset, source, target, f"subset {name!r}")
    counts = {}
    with tqdm(desc="Edit operations", unit=" rows", disable=None, leave=False) as progress:
        for name, subset in subsets.items():
            checked = not isinstance(subset, IterableDataset)
            parts = []
            for batch in batches(subset, source, target):
                parts.append(count_operations(batch, source, target, edits, checked))
                progress.update(len(batch[source]))
            if not parts:
                raise InputError(f"subset {name!r} has no rows")
            counts[name] = concatenate(parts)
    return counts


def measured(
    subsets: Mapping[str, Any], column: str | None, source: str, target: str, edits: EditPath
) -> dict[str, Pairs]:
    """Values of a column, or change percentages where it is ``None``."""
    if column is not None:
        return column_values(subsets, column)
    counts = edit_counts(subsets, source, target, edits)
    return {n: Pairs(change_percentages(pairs.values), pairs.sizes) for n, pairs in counts.items()}


def column_values(subsets: Mapping[str, Any], column: str) -> dict[str, Pairs]:
    """Values of a column of checked subsets: float64 numbers, or str categories as objects.

    Raises:
        InputError: Values of no or of several such kinds, or a row without any.
    """
    values = {name: _values(subset, column, name) for name, subset in subsets.items()}
    if len({pairs.values.dtype for pairs in values.values()}) > 1:
        kinds = ", ".join(
            f"{'categories' if pairs.values.dtype == object else 'numbers'} in {name!r}"
            for name, pairs in values.items()
        )
        raise InputError(f"column {column!r} has {kinds}")
    return values


def _values(dataset: Any, column: str, name: str) -> Pairs:
    data = rows(dataset, column)
    where = f"of column {column!r} of subset {name!r} (counted from 0)"
    if not data:
        raise InputError(f"subset {name!r} has no rows")
    nested = any(isinstance(row, list) for row in data)
    if not nested:
        data = [[row] for row in data]
    for i, row in enumerate(data):
        if not row or any(value is None for value in row):
            raise InputError(f"row {i} {where}: expected a value, got {row if nested else None}")
    flat = [value for row in data for value in row]
    feature: Any = (dataset.features or {}).get(column)
    if hasattr(feature, "int2str"):  # a ClassLabel
        flat = feature.int2str(flat)
    kinds = {
        bool if isinstance(v, bool) else float if isinstance(v, int) else type(v) for v in flat
    }
    sizes = np.array([len(row) for row in data])
    if kinds <= {str} or kinds <= {bool}:
        values = np.empty(len(flat), object)
        values[:] = [str(value) for value in flat]
        return Pairs(values, sizes)
    if kinds <= {float}:
        numbers = np.array(flat, float)
        if not np.isfinite(numbers).all():
            bad = int(np.flatnonzero(~np.isfinite(numbers))[0])
            i = int(np.searchsorted(np.cumsum(sizes), bad, side="right"))
            raise InputError(f"row {i} {where}: expected a finite number, got {numbers[bad]}")
        return Pairs(numbers, sizes)
    raise InputError(
        f"column {column!r} of subset {name!r}: expected numbers, strings, booleans or lists of "
        f"them, got {', '.join(sorted(kind.__name__ for kind in kinds))}"
    )
