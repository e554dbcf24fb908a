"""Splits of corpora in files: what `textsimp split` does.

>>> split_files("random", ["train.jsonl", "test.jsonl"], "new", seed=1)     # doctest: +SKIP
{'subsets': {'train': {'rows': 32, 'files': ['new/train.jsonl']}, ...}, ...}
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from textsimp.corpora.subsets import join_tables, new_files, read_subsets, write_subsets
from textsimp.splits.random_splits import parse_sizes
from textsimp.splits.subsets import cut, in_merge_order, shared_groups, source_groups
from textsimp.support.errors import InputError, check_choice

PLACES = {
    "random": "textsimp.splits.random_splits:random_files",
    "poor_alignments": "textsimp.splits.poor_alignments:remove_from_files",
    "balanced": "textsimp.splits.balanced_files:balance_files",
}
"""Strategy → its function of files, which is imported when it is used."""


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
    if isinstance(options.get("sizes"), str):
        options["sizes"] = parse_sizes(options["sizes"])
    sizes, removes = options.get("sizes"), strategy == "poor_alignments"
    corpus = read_subsets(subsets, config, named=not sizes)
    if len(corpus) == 1 and not sizes and not removes:
        raise InputError("expected two or more subsets, or sizes such as 0.9,0.05,0.05, to cut one")
    table = join_tables([*corpus.values()])
    lists = ["removed"] if removes else []
    files = new_files(table, output, sizes or corpus, lists, overwrite=overwrite)
    if strategy != "random":
        options |= {"source": source, "target": target}
    made = getattr(importlib.import_module(module), name)(corpus, seed=seed, **options)
    given = cut(np.arange(len(table)), {name: len(subset) for name, subset in corpus.items()})
    order = np.concatenate([given[name] for name in in_merge_order(corpus)])
    rows = {name: order[made.rows[name]] for name in sizes or corpus}
    removed = {} if made.removed is None else {"removed": (order[made.removed[0]], made.removed[1])}
    write_subsets(table, files, rows, removed, overwrite=overwrite)
    written = {name: [*map(str, paths)] for name, paths in files.items()}
    groups = source_groups(corpus, source)
    return {
        "subsets": {name: {**made.figures[name], "files": written[name]} for name in rows},
        "shared_sources": None if groups is None else shared_groups(rows, groups),
        **{name: written[name] for name in lists},
        **made.further,
    }
