"""The strategies to split a corpus anew, as the command line and the page offer them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
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
    options: Sequence[str]  # of the function
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


STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(
        "Merge all subsets, shuffle the rows, and cut them at the original or at other sizes.",
        random_splits.random_split,
        ("variant", "sizes", "together"),
    ),
    "poor_alignments": Strategy(
        "Remove the pairs that differ most from their source: many of them are misaligned.",
        poor_alignments.drop_poor_alignments,
        ("fraction", "mode", "ties", "duplicates", "variant", "by"),
        compares=lambda options: options.get("by") is None or options.get("duplicates") == "drop",
        lists=lambda options: (
            ("removed", "duplicates") if options.get("duplicates") == "drop" else ("removed",)
        ),
    ),
    "balanced": Strategy(
        "Give every subset similar edit operations per row, at the original sizes.",
        balanced.balanced_split,
        ("method", "variant", "iterations", "columns", "together"),
        compares=lambda options: options.get("columns") is None,
    ),
}
