"""Splits of corpora in files: what `textsimp split` does.

>>> split_files("random", ["train.jsonl", "test.jsonl"], "new", seed=1)     # doctest: +SKIP
{'subsets': {'train': {'rows': 32, 'files': ['new/train.jsonl']}, ...}, ...}
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.corpora.subsets import join_tables, new_files, read_subsets, write_subsets
from textsimp.corpora.tables import Table, arrow_table
from textsimp.metrics.edit_ops import change_percentages
from textsimp.splits.balanced import balanced_split
from textsimp.splits.divergences import divergence
from textsimp.splits.pair_values import Pairs, column_values, edit_counts
from textsimp.splits.poor_alignments import drop_poor_alignments
from textsimp.splits.random_splits import named_sizes, parse_sizes, random_split
from textsimp.splits.subsets import CHANGE, Rows, check_subsets, in_merge_order, shared_sources
from textsimp.support.errors import InputError, check_choice
from textsimp.text.alignment import CHANGES, COUNTED

Report = Mapping[str, Any]  # keys of JSON
FileSplit = tuple[
    Mapping[str, Rows],  # the rows of each new subset, numbered in merge order
    Mapping[str, Report],  # what is said of each
    Report,  # of the whole
    Mapping[str, tuple[Rows, Mapping[str, Any]]],  # lists of other rows, and columns to add
]
"""A split of a corpus in files."""

_PERMUTATIONS = 100  # random splits with which a balanced one is compared


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
        `shared_sources`; and the options, or the files of what was removed. Of balanced subsets
        also ``divergences``: of each column that was ``balanced``, and of some that were not, the
        Jensen–Shannon divergence in bits of every two subsets ``before``, ``after`` and, on
        average, in a ``random_split``.

    Raises:
        InputError: What `read_subsets` or the strategy refuses, subsets of different forms, or a
            file that is there already.
    """
    check_choice("strategy", strategy, [*FUNCTIONS])
    sizes, removes = options.get("sizes"), strategy == "poor_alignments"
    if sizes:
        options["sizes"] = parse_sizes(sizes) if isinstance(sizes, str) else named_sizes(sizes)
    corpus = read_subsets(subsets, config, named=not sizes)
    if len(corpus) == 1 and not sizes and not removes:
        raise InputError("expected two or more subsets, or sizes such as 0.9,0.05,0.05, to cut one")
    table = join_tables([*corpus.values()])
    names = options["sizes"] if sizes else corpus
    files = new_files(table, output, names, ["removed"] * removes, overwrite=overwrite)
    if strategy != "random":
        options |= {"source": source, "target": target}
    function, split = FUNCTIONS[strategy]
    parameters = [*inspect.signature(function).parameters.values()]
    defaults = {p.name: p.default for p in parameters if p.default is not p.empty}
    del defaults["seed"]
    rows, figures, report, lists = split(corpus, {**defaults, **options, "seed": seed})
    ends = dict(zip(corpus, np.cumsum([*map(len, corpus.values())]), strict=True))
    ordered = in_merge_order(corpus).items()
    order = np.concatenate([np.arange(ends[n] - len(subset), ends[n]) for n, subset in ordered])
    rows = {name: order[part] for name, part in rows.items()}
    lists = {name: (order[part], added) for name, (part, added) in lists.items()}
    write_subsets(table, files, rows, lists, overwrite=overwrite)
    written = {name: [*map(str, paths)] for name, paths in files.items()}
    return {
        "subsets": {
            name: {"rows": len(part), **figures.get(name, {}), "files": written[name]}
            for name, part in rows.items()
        },
        "shared_sources": shared_sources(corpus, rows, source),
        **{name: written[name] for name in lists},
        **report,
    }


# Strategies --------------------------------------------------------------------------------------


def _split_at_random(corpus: Mapping[str, Table], options: dict[str, Any]) -> FileSplit:
    return random_split(corpus, **options), {}, options, {}


def _remove_poor(corpus: Mapping[str, Table], options: dict[str, Any]) -> FileSplit:
    removed: Any
    kept, removed = drop_poor_alignments(corpus, **options)
    gone = Counter(removed["removed_from"].to_pylist())
    figures = {
        name: {"rows": len(corpus[name]), "removed": gone[name], "kept": len(part)}
        for name, part in kept.items()
    }
    added = {name: removed[name] for name in removed.column_names if name not in ("row", "badness")}
    least = removed["badness"][-1].as_py() if len(removed) else None
    report = {"ranked_by": options["by"] or CHANGE, "least_removed": least}
    return kept, figures, report, {"removed": (removed["row"].to_numpy(), added)}


def _balance(corpus: Mapping[str, Table], options: dict[str, Any]) -> FileSplit:
    """Balance subsets, and report what is alike before and after."""
    import pyarrow as pa

    source, target = options.pop("source"), options.pop("target")
    measured, compared = corpus, options["columns"]
    if compared is None:
        others = [] if options["together"] is None else [options["together"]]
        measured = _measure(corpus, source, target, others)
        options["columns"], compared = [*CHANGES], [*COUNTED, CHANGE]
    rows: Any = balanced_split(measured, **options)
    before = check_subsets(measured, at_least=1, numbers=compared)
    merged = pa.concat_tables(before.values())
    after = {name: merged.take(part) for name, part in rows.items()}
    divergences = [
        {"column": column, "balanced": column in options["columns"], **pair}
        for column in compared
        for pair in _compare(before, after, column, options["seed"])
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


FUNCTIONS: dict[str, tuple[Callable[..., Any], Callable[..., FileSplit]]] = {
    "random": (random_split, _split_at_random),
    "poor_alignments": (drop_poor_alignments, _remove_poor),
    "balanced": (balanced_split, _balance),
}
"""Strategy → its function of datasets, which has the options, and its function of files."""
