"""Edit operations of every pair of a corpus, as columns or as arrays."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core.columns import check_lengths, references, texts
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.pair_values import count_operations
from textsimp.support.errors import NoColumn
from textsimp.text.alignment import COUNTED

CHANGE = "change_percentage"


def edit_columns(
    batch: Mapping[str, list[Any]],
    source: str = "source",
    target: str = "target",
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
    for column in (source, target):
        if column not in batch:
            raise NoColumn("the batch", column, [*batch])
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
