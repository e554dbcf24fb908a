"""The strategies to split a corpus anew, as the command line and the page offer them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from textsimp.splits import balanced, poor_alignments, random_splits

if TYPE_CHECKING:
    from datasets import Dataset, DatasetDict


class Split(NamedTuple):
    """New subsets, and lists of the rows that are left out of them, by name."""

    splits: DatasetDict
    lists: dict[str, Dataset]


@dataclass(frozen=True)
class Strategy:
    """A way to split a corpus anew; the function takes and returns a ``DatasetDict``."""

    about: str
    function: Callable[..., Any]
    options: Mapping[str, str]  # of the function → what they are about
    compares: Callable[[Mapping[str, Any]], bool] = lambda options: False  # sources with targets
    lists: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda options: ()  # worth keeping

    def split(self, data: DatasetDict, seed: int, options: Mapping[str, Any], **pair: Any) -> Split:
        """Split a corpus; ``source``, ``target`` and ``edits`` are passed on if needed."""
        parameters = inspect.signature(self.function).parameters
        needed = {name: value for name, value in pair.items() if name in parameters}
        result = self.function(data, seed=seed, **options, **needed)
        if isinstance(result, poor_alignments.Alignments):
            return Split(result.kept, {"removed": result.removed, "duplicates": result.duplicates})
        return Split(result, {})


_TOGETHER = "Rows that are equal in this column, such as the source, come into the same subset."

STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        "Merge all subsets, shuffle the rows, and cut them at the original or at other sizes.",
        random_splits.random_split,
        {
            "variant": "How rows are shuffled: paper gives the splits of Vásquez-Rodríguez et al. "
            "2021 (their seeds: 155, 324, 393, 728, 989).",
            "sizes": "Cut all rows into new subsets: shares such as 0.9,0.05,0.05 or numbers of "
            "rows, one of which may be `rest`. Two are train and test, three train, validation and "
            "test.",
            "together": _TOGETHER,
        },
    ),
    "poor_alignments": Strategy(
        "Remove the pairs that differ most from their source: many of them are misaligned.",
        poor_alignments.drop_poor_alignments,
        {
            "fraction": "Share of the rows to remove, such as 0.02 to 0.2.",
            "mode": "Remove the worst rows of each subset; or of all, and shuffle and cut the "
            "rest.",
            "ties": "Which of equally bad rows to remove. Default: first; of merged subsets as "
            "published, last.",
            "duplicates": "Whether repeated pairs are removed first.",
            "variant": "Exact counts of rows, or those of Vásquez-Rodríguez et al. 2021.",
            "by": "Rank by these numbers, larger is worse.",
        },
        compares=lambda options: options.get("by") is None or options.get("duplicates") == "drop",
        lists=lambda options: (
            ("removed", "duplicates") if options.get("duplicates") == "drop" else ("removed",)
        ),
    ),
    "balanced": Strategy(
        "Give every subset similar edit operations per row, at the original sizes.",
        balanced.balanced_split,
        {
            "method": "Improve a random split, or draw many and keep the best, as published.",
            "variant": "What is to be alike: operations per row, or what Vásquez-Rodríguez et al. "
            "2021 compare.",
            "iterations": "Swaps to try, or splits to draw.",
            "columns": "Numbers to balance instead of insertions, deletions and replacements.",
            "together": _TOGETHER,
        },
        compares=lambda options: options.get("columns") is None,
    ),
}
