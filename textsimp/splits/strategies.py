"""The strategies to split a corpus anew, as the command line and the page offer them."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from textsimp.splits import balanced, poor_alignments, random_splits

_COMMON = ("data", "dataset_dict", "seed", "source", "target", "edits")


class Split(NamedTuple):
    """New subsets, and lists of the rows that are left out of them, by name."""

    splits: Mapping[str, Any]
    lists: dict[str, Any]


@dataclass(frozen=True)
class Strategy:
    """A way to split a corpus anew; the function takes and returns subsets by name."""

    function: Callable[..., Any]
    compares: Callable[[Mapping[str, Any]], bool] = lambda options: False  # sources with targets
    lists: Callable[[Mapping[str, Any]], tuple[str, ...]] = lambda options: ()  # worth keeping

    @property
    def about(self) -> str:
        """The first sentence of the function's docstring."""
        return (inspect.getdoc(self.function) or "").partition("\n")[0]

    @property
    def options(self) -> list[str]:
        """The function's arguments that other strategies needn't have."""
        return [name for name in inspect.signature(self.function).parameters if name not in _COMMON]

    def split(
        self, data: Mapping[str, Any], seed: int, options: Mapping[str, Any], **pair: Any
    ) -> Split:
        """Split a corpus; ``source``, ``target`` and ``edits`` are passed on if needed."""
        parameters = inspect.signature(self.function).parameters
        needed = {name: value for name, value in pair.items() if name in parameters}
        result = self.function(data, seed=seed, **options, **needed)
        if isinstance(result, poor_alignments.Alignments):
            return Split(result.kept, {"removed": result.removed, "duplicates": result.duplicates})
        return Split(result, {})


STRATEGIES: dict[str, Strategy] = {
    "random": Strategy(random_splits.random_split),
    "poor_alignments": Strategy(
        poor_alignments.drop_poor_alignments,
        compares=lambda options: options.get("by") is None or options.get("duplicates") == "drop",
        lists=lambda options: (
            ("removed", "duplicates") if options.get("duplicates") == "drop" else ("removed",)
        ),
    ),
    "balanced": Strategy(
        balanced.balanced_split, compares=lambda options: options.get("columns") is None
    ),
}
