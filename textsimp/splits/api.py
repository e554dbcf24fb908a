"""Public names of `textsimp.splits`."""

from collections.abc import Callable
from typing import Any

from textsimp.splits.balanced import balanced_split
from textsimp.splits.corpus_files import FUNCTIONS, split_files
from textsimp.splits.divergences import divergence, divergence_of_files
from textsimp.splits.pair_values import edit_columns
from textsimp.splits.poor_alignments import Alignments, drop_poor_alignments
from textsimp.splits.random_splits import random_split

__all__ = [
    "STRATEGIES",
    "Alignments",
    "balanced_split",
    "divergence",
    "divergence_of_files",
    "drop_poor_alignments",
    "edit_columns",
    "random_split",
    "split_files",
]

STRATEGIES: dict[str, Callable[..., Any]] = {name: split for name, (split, _) in FUNCTIONS.items()}
"""The ways to split a corpus anew: functions that take and return subsets by name."""
