"""Balanced subsets of files: means and divergences before and after the split."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.corpora.tables import Table
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.balanced import Method, Variant, check_columns, count, draw
from textsimp.splits.divergences import divergence
from textsimp.splits.pair_values import Pairs, column_values, concatenate, edit_counts
from textsimp.splits.random_splits import Sizes, new_lengths
from textsimp.splits.subsets import CHANGE, Cut, Rows, check_subsets, corpus_tables, cut
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
) -> Cut:
    """Do with files what `balanced_split` does, and report what is alike before and after."""
    equal = [] if together is None else [together]
    texts, numbers = ([source, target], []) if columns is None else ([], check_columns(columns))
    tables = corpus_tables(corpus, texts, numbers, equal)
    subsets = check_subsets(tables, at_least=1, mergeable=True)
    balanced = reported = numbers
    if columns is None:
        subsets = _measure(subsets, source, target, equal)
        balanced, reported = [*CHANGES], [*COUNTED, CHANGE]
    lengths = new_lengths({name: len(subset) for name, subset in corpus.items()}, sizes)
    options: dict[str, Any] = {"method": method, "variant": variant, "iterations": iterations}
    rows = draw(count(subsets, balanced), lengths, subsets, together, seed=seed, **options)
    figures, divergences = _report(subsets, rows, balanced, reported, seed)
    options |= {"columns": balanced, "sizes": sizes, "together": together, "seed": seed}
    return Cut(rows, figures, options | {"divergences": divergences})


def _measure(
    subsets: Mapping[str, Any], source: str, target: str, others: Sequence[str]
) -> dict[str, Any]:
    """Return each row's operations and change percentage in place of its texts."""
    import pyarrow as pa

    parts = {}
    for name, pairs in edit_counts(subsets, source, target).items():
        changes = Pairs(change_percentages(pairs.values), pairs.sizes).sums() / pairs.sizes
        columns = dict(zip(COUNTED, map(pa.array, pairs.sums().T), strict=True))
        parts[name] = pa.table({CHANGE: pa.array(changes), **columns})
        for other in others:
            parts[name] = parts[name].append_column(other, subsets[name][other])
    return parts


def _report(
    data: Mapping[str, Any],
    rows: Mapping[str, Rows],
    balanced: Sequence[str],
    columns: Sequence[str],
    seed: int,
) -> tuple[dict[str, dict[str, Any]], list[dict[str, Any]]]:
    """Return each new subset's figures, and how far every two differ in columns.

    Figures are ``rows`` and the means of balanced columns ``before`` and ``after`` the split. Means
    before are those of all rows where the subset is a new one.
    """
    lengths = {name: len(table) for name, table in data.items()}
    every = np.arange(sum(lengths.values()))
    before = cut(every, lengths)
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


def _compare(
    data: Mapping[str, Any], rows: Mapping[str, Any], column: str, seed: int
) -> list[dict[str, Any]]:
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
