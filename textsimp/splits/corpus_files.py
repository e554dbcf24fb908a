"""Splits of corpora in files: what `textsimp split` does.

>>> split_files("random", ["train.jsonl", "test.jsonl"], "new", seed=1)     # doctest: +SKIP
{'subsets': {'train': {'rows': 32, 'files': ['new/train.jsonl']}, ...}, ...}
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.corpora.datasets import check_texts
from textsimp.corpora.subsets import (
    arrow_column,
    join_tables,
    new_files,
    read_subsets,
    write_subsets,
)
from textsimp.corpora.tables import Table
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.balanced import balanced_split
from textsimp.splits.divergences import divergence
from textsimp.splits.pair_values import CHANGE, Pairs, column_values, concatenate, edit_counts
from textsimp.splits.poor_alignments import Alignments, drop_poor_alignments
from textsimp.splits.random_splits import parse_sizes, random_split
from textsimp.splits.subsets import (
    check_subsets,
    equal_rows,
    shared_groups,
)
from textsimp.support.errors import InputError, check_choice
from textsimp.text.alignment import CHANGES, COUNTED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = Mapping[str, NDArray[np.int64]]

STRATEGIES: dict[str, Callable[..., Any]] = {
    "random": random_split,
    "poor_alignments": drop_poor_alignments,
    "balanced": balanced_split,
}
"""The ways to split a corpus anew: functions that take and return subsets by name."""
_COMMON = ("data", "dataset_dict", "seed", "source", "target")
_PERMUTATIONS = 100  # random splits with which a balanced one is compared
ROW = "textsimp_row"
"""The column of a row's number over all subsets, in the order in which they were given."""


def own_options(strategy: str) -> list[str]:
    """Return the options of a strategy that others needn't have."""
    parameters = inspect.signature(STRATEGIES[strategy]).parameters
    return [name for name in parameters if name not in _COMMON]


def about(strategy: str) -> str:
    """Return the first sentence on a strategy."""
    return (inspect.getdoc(STRATEGIES[strategy]) or "").partition("\n")[0]


def split_files(
    strategy: str,
    subsets: Sequence[str] | str,
    output: str,
    *,
    config: str | None = None,
    source: str = "source",
    target: str = "target",
    seed: int = 0,
    overwrite: bool = False,
    **options: Any,
) -> dict[str, Any]:
    """Split a corpus in files anew, and write it in the form in which it came.

    Args:
        strategy: A name in `STRATEGIES`.
        subsets: Files or datasets, see `textsimp.corpora.subsets.read_subsets`.
        output: Where the files are written: all of them whole, or none.
        config: Configuration of the dataset.
        source: The column of sources, which are texts.
        target: The column of targets, which are texts or lists of texts.
        seed: The seed, an integer from 0 below 2³².
        overwrite: Overwrite files that are there already.
        **options: Those of the strategy's function; ``sizes`` may be a text such as
            ``"80,10,10"`` or ``"train=rest,test=100"``.

    Returns:
        ``subsets``: the ``rows`` and ``files`` of each and, if the strategy removes or balances
        rows, how many, or the means ``before`` and ``after``; ``shared_sources``, see
        `shared_groups`; and the options, or the files of what was removed. Of balanced subsets
        also ``divergences``: of each column that was ``balanced``, and of some that were not, the
        Jensen–Shannon divergence in bits of every two subsets ``before``, ``after`` and, on
        average, in a ``random_split``.

    Raises:
        InputError: What `read_subsets` or the strategy refuses, subsets of different forms, or a
            file that is there already.
    """
    check_choice("strategy", strategy, [*STRATEGIES])
    parameters = inspect.signature(STRATEGIES[strategy]).parameters
    defaults = {name: parameters[name].default for name in own_options(strategy)}
    options = {
        n: value for n, value in defaults.items() if value is not inspect.Parameter.empty
    } | options
    sizes = options.get("sizes")
    if isinstance(sizes, str):
        options["sizes"] = sizes = parse_sizes(sizes)
    corpus = read_subsets(subsets, config, named=not sizes)
    if len(corpus) == 1 and "sizes" in options and not sizes:
        raise InputError("expected two or more subsets, or sizes such as 0.9,0.05,0.05, to cut one")
    list_names = ["removed"] if strategy == "poor_alignments" else []
    table = join_tables([*corpus.values()])
    files = new_files(table, output, sizes or corpus, list_names, overwrite=overwrite)
    pair: dict[str, Any] = {"source": source, "target": target}
    ranking = options.get("by")
    balanced = options.get("columns", ())
    texts = [source, target] if "source" in parameters and not (ranking or balanced) else []
    numbers = [ranking] if ranking else balanced or []
    equal = [options["together"]] if options.get("together") else []
    data = corpus_tables(corpus, texts, numbers, equal)
    check_subsets(data, at_least=1, mergeable=True)
    groups = _source_groups(corpus, source)
    del corpus  # texts that are no longer needed
    measured = balanced
    if balanced is None:
        options["columns"] = balanced = list(CHANGES)
        measured = [*COUNTED, CHANGE]
        data = _with_changes(data, pair, equal)
    needed = {name: value for name, value in pair.items() if name in parameters}
    made = STRATEGIES[strategy](data, seed=seed, **options, **needed)
    removed = made.removed if isinstance(made, Alignments) else None
    new = made if removed is None else made.kept
    rows = {name: part[ROW].to_numpy() for name, part in new.items()}
    lists = {}
    if removed is not None:
        added = ["removed_from", "removed_row", *([] if ranking else [CHANGE])]
        columns = {column: removed[column] for column in added}
        lists["removed"] = removed[ROW].to_numpy(), columns
    write_subsets(table, files, rows, lists, overwrite=overwrite)
    written = {name: [*map(str, paths)] for name, paths in files.items()}
    figures = _figures(data, rows, removed, balanced)
    report = {name: {**figures[name], "files": written[name]} for name in figures}
    shared = None if groups is None else shared_groups(rows, groups)
    further = {**options, "seed": seed}
    if measured:
        differ = {column: _divergences(data, rows, column, seed) for column in measured}
        further["divergences"] = [
            {"column": column, "balanced": column in balanced, **pair}
            for column, pairs in differ.items()
            for pair in pairs
        ]
    if removed is not None:
        worst = removed[ranking or CHANGE].to_pylist()
        further = {"removed": written["removed"]}
        further["ranked_by"] = ranking or CHANGE
        further["least_removed"] = float(np.mean(worst[-1])) if worst else None
    return {"subsets": report, "shared_sources": shared, **further}


def divergence_of_files(
    subsets: Sequence[str] | str,
    column: str | None = None,
    *,
    config: str | None = None,
    source: str = "source",
    target: str = "target",
    **options: Any,
) -> dict[str, Any]:
    """Compare the distributions of a column between every two subsets in files.

    Args:
        subsets: Files or datasets, see `textsimp.corpora.subsets.read_subsets`.
        column: See `divergence`.
        config: Configuration of the dataset.
        source: See `split_files`.
        target: See `split_files`.
        **options: Those of `divergence`.

    Returns:
        What `divergence` does, and ``shared_sources``, see `shared_groups`.
    """
    corpus = read_subsets(subsets, config)
    equal = [options["together"]] if options.get("together") else []
    texts, numbers = ([], [column]) if column else ([source, target], [])
    data = corpus_tables(
        corpus, texts, numbers, [column for column in equal if column not in texts]
    )
    options |= {"source": source, "target": target}
    groups = _source_groups(corpus, source)
    rows = {name: table[ROW].to_numpy() for name, table in data.items()}
    shared = None if groups is None else shared_groups(rows, groups)
    if column and groups is not None and not equal:
        data = {
            name: table.append_column(source, [groups[rows[name]]]) for name, table in data.items()
        }
    return {**divergence(data, column, **options), "shared_sources": shared}


def corpus_tables(
    corpus: Mapping[str, Table],
    pair: Sequence[str] = (),
    numbers: Sequence[str] = (),
    equal: Sequence[str] = (),
) -> dict[str, Any]:
    """Return columns of a corpus as Arrow tables, with the number of each row over all subsets."""
    import pyarrow as pa

    data: dict[str, Any] = {}
    start = 0
    for name, subset in corpus.items():
        columns = {ROW: pa.array(np.arange(start, start + len(subset)))}
        columns |= {column: arrow_column(subset, column) for column in (*pair, *equal)}
        columns |= {column: arrow_column(subset, column, numbers=True) for column in numbers}
        data[name] = pa.table(columns)
        start += len(subset)
        if pair:
            check_texts(data[name], pair[0], subset.where)
            check_texts(data[name], pair[1], subset.where, lists=True)
    return data


def _with_changes(
    data: Mapping[str, Any], pair: Mapping[str, Any], others: Sequence[str]
) -> dict[str, Any]:
    """Return each row's operations and change percentage in place of its texts."""
    import pyarrow as pa

    parts = {}
    for name, pairs in edit_counts(data, **pair).items():
        changes = Pairs(change_percentages(pairs.values), pairs.sizes).sums() / pairs.sizes
        parts[name] = data[name].select([ROW, *others]).append_column(CHANGE, pa.array(changes))
        for operation, counts in zip(COUNTED, pairs.sums().T, strict=True):
            parts[name] = parts[name].append_column(operation, pa.array(counts))
    return parts


def _divergences(
    data: Mapping[str, Any], rows: Rows, column: str, seed: int
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


def _figures(
    data: Mapping[str, Any], rows: Rows, removed: Any, columns: Sequence[str]
) -> dict[str, dict[str, Any]]:
    """Return each subset's rows, how many were left out, and means of columns.

    Means before are those of all rows where the subset is a new one.
    """
    before = {name: table[ROW].to_numpy() for name, table in data.items()}
    every = np.concatenate([*before.values()])
    values = {name: concatenate([*column_values(data, name).values()]).sums() for name in columns}
    figures: dict[str, dict[str, Any]] = {}
    for name, part in rows.items():
        if removed is not None:
            gone = removed["removed_from"].to_pylist().count(name)
            figures[name] = {"rows": len(data[name]), "removed": gone, "kept": len(part)}
            continue
        figures[name] = {"rows": len(part)}
        parts = {"before": before.get(name, every), "after": part} if columns else {}
        for key, chosen in parts.items():
            means = {column: numbers[chosen].mean() for column, numbers in values.items()}
            figures[name][key] = {column: float(mean) for column, mean in means.items()}
    return figures


def _source_groups(corpus: Mapping[str, Table], column: str) -> NDArray[np.int64] | None:
    """Return the number of each row's group, rows of one source; None without such a column."""
    try:
        return equal_rows(chain.from_iterable(part.column(column) for part in corpus.values()))
    except InputError:
        return None
