"""What is alike in balanced subsets of files: means and divergences before and after the split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.corpus_files import ROW
from textsimp.splits.divergences import divergence
from textsimp.splits.pair_values import Pairs, column_values, concatenate, edit_counts
from textsimp.splits.subsets import CHANGE
from textsimp.text.alignment import CHANGES, COUNTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = Mapping[str, NDArray[np.int64]]

_PERMUTATIONS = 100  # random splits with which a balanced one is compared


def measure(
    data: Mapping[str, Any], pair: Mapping[str, Any], options: Mapping[str, Any]
) -> tuple[Mapping[str, Any], Sequence[str], Sequence[str]]:
    """Return tables of numbers, the columns to balance, and the columns to report.

    Unless the options name columns, each row's operations and change percentage take the place of
    its texts.
    """
    import pyarrow as pa

    if options["columns"] is not None:
        return data, options["columns"], options["columns"]
    kept = [ROW, options["together"]] if options["together"] else [ROW]
    parts = {}
    for name, pairs in edit_counts(data, **pair).items():
        changes = Pairs(change_percentages(pairs.values), pairs.sizes).sums() / pairs.sizes
        parts[name] = data[name].select(kept).append_column(CHANGE, pa.array(changes))
        for operation, counts in zip(COUNTED, pairs.sums().T, strict=True):
            parts[name] = parts[name].append_column(operation, pa.array(counts))
    return parts, [*CHANGES], [*COUNTED, CHANGE]


def report(
    data: Mapping[str, Any], rows: Rows, balanced: Sequence[str], columns: Sequence[str], seed: int
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """Return each new subset's figures, and how far every two differ in columns.

    Figures are ``rows`` and the means of balanced columns ``before`` and ``after`` the split. Means
    before are those of all rows where the subset is a new one.
    """
    before = {name: table[ROW].to_numpy() for name, table in data.items()}
    every = np.concatenate([*before.values()])
    values = {name: concatenate([*column_values(data, name).values()]).sums() for name in balanced}
    figures: dict[str, dict[str, Any]] = {}
    for name, part in rows.items():
        figures[name] = {"rows": len(part)}
        for key, chosen in (("before", before.get(name, every)), ("after", part)):
            figures[name][key] = {
                column: float(numbers[chosen].mean()) for column, numbers in values.items()
            }
    divergences = []
    for column in columns:
        pairs = _compare(data, rows, column, seed)
        divergences += [
            {"column": column, "balanced": column in balanced, **pair} for pair in pairs
        ]
    return figures, divergences


def _compare(data: Mapping[str, Any], rows: Rows, column: str, seed: int) -> list[dict[str, Any]]:
    """Return how far every two new subsets differ, and those of their names before."""
    import pyarrow as pa

    whole = pa.concat_tables(part.select([column]) for part in data.values())
    new = {name: whole.take(part) for name, part in rows.items()}
    after = divergence(new, column, permutations=_PERMUTATIONS, seed=seed)["pairs"]
    old = divergence(data, column, permutations=0)["pairs"] if len(data) > 1 else []
    before = {(pair["first"], pair["second"]): pair["js_divergence_bits"] for pair in old}
    return [
        {
            "first": pair["first"],
            "second": pair["second"],
            "before": before.get((pair["first"], pair["second"])),
            "after": pair["js_divergence_bits"],
            "random_split": pair["random_split_js_divergence_bits"],
        }
        for pair in after
    ]
