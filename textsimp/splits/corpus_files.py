"""Splits of corpora in files: what `textsimp split` does.

>>> split_files("random", ["train.jsonl", "test.jsonl"], "new", seed=1)     # doctest: +SKIP
{'subsets': {'train': {'rows': 32, 'files': ['new/train.jsonl']}, ...}, ...}
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from textsimp.corpora.subsets import join_tables, new_files, read_subsets, write_subsets
from textsimp.splits.balanced_files import balance_files
from textsimp.splits.poor_alignments import remove_from_files
from textsimp.splits.random_splits import named_sizes, parse_sizes, random_files
from textsimp.splits.subsets import FileSplit, in_merge_order, shared_sources
from textsimp.support.errors import InputError, check_choice

PLACES: dict[str, Callable[..., FileSplit]] = {
    "random": random_files,
    "poor_alignments": remove_from_files,
    "balanced": balance_files,
}
"""Strategy → its function of files."""


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
    check_choice("strategy", strategy, [*PLACES])
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
    rows, figures, report, lists = PLACES[strategy](corpus, seed=seed, **options)
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
