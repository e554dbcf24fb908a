"""Splits of corpora in files: what `textsimp split` does.

>>> split_files("random", ["train.jsonl", "test.jsonl"], "new", seed=1)     # doctest: +SKIP
{'subsets': {'train': {'rows': 32, 'files': ['new/train.jsonl']}, ...}, ...}
"""

from __future__ import annotations

import importlib
import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
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
from textsimp.splits.random_splits import parse_sizes
from textsimp.splits.subsets import CHANGE, check_subsets, equal_rows, shared_groups
from textsimp.support.errors import InputError, check_choice

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = Mapping[str, NDArray[np.int64]]
    Figures = dict[str, dict[str, Any]]

PLACES = {
    "random": "textsimp.splits.random_splits:random_split",
    "poor_alignments": "textsimp.splits.poor_alignments:drop_poor_alignments",
    "balanced": "textsimp.splits.balanced:balanced_split",
}
"""Strategy → its function, which is imported when it is used."""
_COMMON = ("data", "dataset_dict", "seed", "source", "target")
ROW = "textsimp_row"
"""The column of a row's number over all subsets, in the order in which they were given."""


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
        strategy: A name in `textsimp.splits.STRATEGIES`.
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
    check_choice("strategy", strategy, [*PLACES])
    module, _, name = PLACES[strategy].partition(":")
    function = getattr(importlib.import_module(module), name)
    parameters = inspect.signature(function).parameters
    options = _complete(options, parameters)
    sizes = options.get("sizes")
    corpus = read_subsets(subsets, config, named=not sizes)
    if len(corpus) == 1 and "sizes" in options and not sizes:
        raise InputError("expected two or more subsets, or sizes such as 0.9,0.05,0.05, to cut one")
    table = join_tables([*corpus.values()])
    lists = ["removed"] if strategy == "poor_alignments" else []
    files = new_files(table, output, sizes or corpus, lists, overwrite=overwrite)
    pair = {"source": source, "target": target}
    pair = {name: column for name, column in pair.items() if name in parameters}
    data: Mapping[str, Any] = _read_columns(corpus, [*pair.values()], options)
    groups = source_groups(corpus, source)
    del corpus  # texts that are no longer needed
    measured: Sequence[str] = ()
    if "columns" in options:
        from textsimp.splits import balance_report

        data, options["columns"], measured = balance_report.measure(data, pair, options)
    made = function(data, seed=seed, **options, **pair)
    removed = getattr(made, "removed", None)
    rows = {name: part[ROW].to_numpy() for name, part in getattr(made, "kept", made).items()}
    added = {} if removed is None else {"removed": _list_removed(removed, options["by"])}
    write_subsets(table, files, rows, added, overwrite=overwrite)
    figures: Figures = {name: {"rows": len(part)} for name, part in rows.items()}
    further = {**options, "seed": seed}
    if removed is not None:
        figures, further = _report_removed(data, rows, removed, options["by"])
    if measured:
        figures, divergences = balance_report.report(data, rows, options["columns"], measured, seed)
        further["divergences"] = divergences
    written = {name: [*map(str, paths)] for name, paths in files.items()}
    return {
        "subsets": {name: {**figures[name], "files": written[name]} for name in rows},
        "shared_sources": None if groups is None else shared_groups(rows, groups),
        **{name: written[name] for name in added},
        **further,
    }


def _complete(
    options: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter]
) -> dict[str, Any]:
    """Return options with the defaults of others, and sizes by name."""
    complete = {
        name: parameter.default
        for name, parameter in parameters.items()
        if name not in _COMMON and parameter.default is not inspect.Parameter.empty
    }
    complete |= options
    if isinstance(complete.get("sizes"), str):
        complete["sizes"] = parse_sizes(complete["sizes"])
    return complete


def _read_columns(
    corpus: Mapping[str, Table], texts: Sequence[str], options: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the columns that a strategy needs: those that its options name, or else texts."""
    numbers = [options["by"]] if options.get("by") else options.get("columns") or []
    equal = [options["together"]] if options.get("together") else []
    data = corpus_tables(corpus, [] if numbers else texts, numbers, equal)
    check_subsets(data, at_least=1, mergeable=True)
    return data


def _list_removed(removed: Any, by: str | None) -> tuple[NDArray[np.int64], dict[str, Any]]:
    """Return the rows that were removed, and what is written of them beside their columns."""
    names = ["removed_from", "removed_row", *([] if by else [CHANGE])]
    return removed[ROW].to_numpy(), {name: removed[name] for name in names}


def _report_removed(
    data: Mapping[str, Any], rows: Rows, removed: Any, by: str | None
) -> tuple[Figures, dict[str, Any]]:
    """Return how many rows of each subset were removed, and by what they were ranked."""
    gone = Counter(removed["removed_from"].to_pylist())
    figures = {
        name: {"rows": len(data[name]), "removed": gone[name], "kept": len(part)}
        for name, part in rows.items()
    }
    worst = removed[by or CHANGE].to_pylist()
    least = float(np.mean(worst[-1])) if worst else None
    return figures, {"ranked_by": by or CHANGE, "least_removed": least}


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


def source_groups(corpus: Mapping[str, Table], column: str) -> NDArray[np.int64] | None:
    """Return the number of each row's group, rows of one source; None without such a column."""
    try:
        return equal_rows(chain.from_iterable(part.column(column) for part in corpus.values()))
    except InputError:
        return None
