"""What is measured on every pair of a corpus, as arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

import numpy as np

from textsimp.core.columns import check_lengths, references, texts
from textsimp.corpora.dataset_columns import arrow_batches, batches, check_texts
from textsimp.metrics.edit_ops import change_percentages
from textsimp.support.errors import InputError, check_choice
from textsimp.text.alignment import EditPath, text_operation_counts

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
    return Pairs(text_operation_counts(sources, targets, edits), sizes)


def edit_counts(
    subsets: Mapping[str, Any], source: str, target: str, edits: EditPath
) -> dict[str, Pairs]:
    """Operation counts (pairs, 4) of subsets, with a progress bar on a terminal."""
    # half the memory; no text has 2³¹ words
    return _counted(subsets, source, target, edits, lambda counts: counts.astype(np.int32))


def _counted(
    subsets: Mapping[str, Any],
    source: str,
    target: str,
    edits: EditPath,
    kept: Callable[[NDArray[np.int64]], NDArray[Any]],
) -> dict[str, Pairs]:
    """What is kept of the operation counts of each batch of pairs."""
    from datasets import IterableDataset
    from datasets.utils import tqdm

    check_choice("edits", edits, get_args(EditPath))
    for name, subset in subsets.items():
        check_texts(subset, source, f"subset {name!r}")
        check_texts(subset, target, f"subset {name!r}", lists=True)
    counts = {}
    lengths = [None if isinstance(s, IterableDataset) else len(s) for s in subsets.values()]
    total = None if None in lengths else sum(filter(None, lengths))
    with tqdm(
        desc="Edit operations", total=total, unit=" rows", disable=None, leave=False
    ) as progress:
        for name, subset in subsets.items():
            checked = not isinstance(subset, IterableDataset)
            parts = []
            for batch in batches(subset, source, target):
                pairs = count_operations(batch, source, target, edits, checked)
                parts.append(Pairs(kept(pairs.values), pairs.sizes))
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
    return _counted(subsets, source, target, edits, change_percentages)


def column_values(subsets: Mapping[str, Any], column: str) -> dict[str, Pairs]:
    """Values of a column of checked subsets: float64 numbers, or str categories as objects."""
    values = {name: _values(subset, column, name) for name, subset in subsets.items()}
    if len({pairs.values.dtype for pairs in values.values()}) > 1:
        kinds = ", ".join(
            f"{'categories' if pairs.values.dtype == object else 'numbers'} in {name!r}"
            for name, pairs in values.items()
        )
        raise InputError(f"column {column!r} has {kinds}")
    return values


def _values(dataset: Any, column: str, name: str) -> Pairs:
    where = f"column {column!r} of subset {name!r}"
    feature: Any = (dataset.features or {}).get(column)
    spelled = getattr(feature, "int2str", None)  # of a ClassLabel
    arrow = spelled is None and _are_numbers(dataset, column)
    parts: list[Pairs] = []
    kinds: set[type] = set()
    known: dict[str, str] = {}  # a category is held once
    first = 0
    for batch in arrow_batches(dataset, column) if arrow else batches(dataset, column):
        data: Any = batch[column]
        found = _plain_numbers(data) if arrow else None
        if found is None:
            data = data.to_pylist() if arrow else data
            flat, sizes = _flat(data, first, where)
            flat = spelled(flat) if spelled else flat
            kinds |= {
                bool if isinstance(v, bool) else float if isinstance(v, int) else type(v)
                for v in flat
            }
            if kinds <= {float}:
                values = np.array(flat, float)
            elif len(kinds) == 1 and kinds <= {str, bool}:
                values = np.empty(len(flat), object)
                values[:] = [known.setdefault(text, text) for text in map(str, flat)]
            else:
                raise InputError(
                    f"{where}: expected numbers, strings, booleans or lists of them, got "
                    f"{', '.join(sorted(kind.__name__ for kind in kinds))}"
                )
            found = Pairs(values, sizes)
        if found.values.dtype == float and not np.isfinite(found.values).all():
            bad = int(np.flatnonzero(~np.isfinite(found.values))[0])
            i = first + int(np.searchsorted(np.cumsum(found.sizes), bad, side="right"))
            got = found.values[bad]
            raise InputError(
                f"row {i} of {where} (counted from 0): expected a finite number, got {got}"
            )
        parts.append(found)
        first += len(found.sizes)
    if not parts:
        raise InputError(f"subset {name!r} has no rows")
    return concatenate(parts)


def _are_numbers(dataset: Any, column: str) -> bool:
    """Whether Arrow knows that a column has numbers, or lists of them."""
    import pyarrow as pa
    from datasets import IterableDataset

    if isinstance(dataset, IterableDataset):
        return False
    kind = dataset.features.arrow_schema.field(column).type
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        kind = kind.value_type
    return bool(pa.types.is_integer(kind) or pa.types.is_floating(kind))


def _plain_numbers(values: Any) -> Pairs | None:
    """An Arrow column of numbers, or None if a value is missing."""
    import pyarrow.compute as pc

    sizes = np.ones(len(values), np.int64)
    if values.null_count:
        return None
    if hasattr(values.type, "value_type"):
        sizes = pc.list_value_length(values).to_numpy().astype(np.int64)
        values = pc.list_flatten(values)
        if values.null_count or not sizes.all():
            return None
    return Pairs(values.to_numpy().astype(float), sizes)


def _flat(data: list[Any], first: int, where: str) -> tuple[list[Any], NDArray[np.int64]]:
    """Values of rows, and how many each has."""
    nested = any(isinstance(row, list) for row in data)
    if not nested:
        data = [[row] for row in data]
    for i, row in enumerate(data, first):
        if not row or any(value is None for value in row):
            raise InputError(
                f"row {i} of {where} (counted from 0): expected a value, got "
                f"{row if nested else None}"
            )
    return [value for row in data for value in row], np.array([len(row) for row in data])
