"""Balanced subsets of files: means and divergences before and after the split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.corpora.tables import Table, arrow_table
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.balanced import Method, Variant, balanced_split
from textsimp.splits.divergences import divergence
from textsimp.splits.pair_values import Pairs, column_values, edit_counts
from textsimp.splits.random_splits import Sizes
from textsimp.splits.subsets import CHANGE, FileSplit, check_subsets
from textsimp.text.alignment import CHANGES, COUNTED

_PERMUTATIONS = 100  # random splits with which a balanced one is compared


def balance_files(
    corpus: Mapping[str, Table],
    *,
    method: Method = "local_search",
    variant: Variant = "rates",
    iterations: int = 500_000,
    columns: Sequence[str] | None = None,
    sizes: Sizes | None = None,
    together: str | None = None,
    seed: int,
    source: str,
    target: str,
) -> FileSplit:
    """Do with files what `balanced_split` does, and report what is alike before and after."""
    import pyarrow as pa

    options: dict[str, Any] = {"method": method, "variant": variant, "iterations": iterations}
    options |= {"columns": columns, "sizes": sizes, "together": together, "seed": seed}
    measured, compared = corpus, columns or []
    if columns is None:
        measured = _measure(corpus, source, target, [] if together is None else [together])
        options["columns"], compared = [*CHANGES], [*COUNTED, CHANGE]
    rows: Any = balanced_split(measured, **options)
    before = check_subsets(measured, at_least=1, numbers=compared)
    merged = pa.concat_tables(before.values())
    after = {name: merged.take(part) for name, part in rows.items()}
    divergences = [
        {"column": column, "balanced": column in options["columns"], **pair}
        for column in compared
        for pair in _compare(before, after, column, seed)
    ]
    figures = _report_means(before, after, options["columns"])
    return rows, figures, options | {"divergences": divergences}, {}


def _measure(
    corpus: Mapping[str, Table], source: str, target: str, others: Sequence[str]
) -> dict[str, Table]:
    """Return each row's operations and change percentage in place of its texts."""
    import pyarrow as pa

    texts = check_subsets(corpus, texts=[source, target], equal=others, at_least=1, mergeable=True)
    counts = edit_counts(texts, source, target)
    measured = {}
    for name, subset in corpus.items():
        pairs = counts[name]
        changes = Pairs(change_percentages(pairs.values), pairs.sizes).sums() / pairs.sizes
        columns = dict(zip(COUNTED, pairs.sums().T, strict=True))
        columns |= {other: texts[name][other] for other in others}
        measured[name] = arrow_table(subset.where, pa.table({CHANGE: changes, **columns}))
    return measured


def _report_means(
    before: Mapping[str, Any], after: Mapping[str, Any], columns: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return the means of columns per row ``before`` and ``after`` the split, of each new subset.

    Means before are those of all rows where the subset is a new one.
    """
    figures: dict[str, dict[str, Any]] = {name: {"before": {}, "after": {}} for name in after}
    for column in columns:
        old, new = (
            {name: pairs.sums() for name, pairs in column_values(data, column).items()}
            for data in (before, after)
        )
        every = np.concatenate([*old.values()])
        for name, means in figures.items():
            means["before"][column] = float(old.get(name, every).mean())
            means["after"][column] = float(new[name].mean())
    return figures


def _compare(
    before: Mapping[str, Any], after: Mapping[str, Any], column: str, seed: int
) -> list[dict[str, Any]]:
    """Return how far every two new subsets differ, and those of their names before."""
    new = divergence(after, column, permutations=_PERMUTATIONS, seed=seed)["pairs"]
    old = divergence(before, column, permutations=0)["pairs"] if len(before) > 1 else []
    there = {(pair["first"], pair["second"]): pair["js_divergence_bits"] for pair in old}
    return [
        {
            "first": pair["first"],
            "second": pair["second"],
            "before": there.get((pair["first"], pair["second"])),
            "after": pair["js_divergence_bits"],
            "random_split": pair["random_split_js_divergence_bits"],
        }
        for pair in new
    ]
