"""Tools for the splits of a corpus: `datasets` in, `datasets` out."""

from textsimp.splits.balanced import (
    Balance,
    Checkpoint,
    SearchInterrupted,
    balance,
    balanced_split,
    monte_carlo_draw,
)
from textsimp.splits.divergences import divergence
from textsimp.splits.edits import annotate_edits, edit_columns
from textsimp.splits.plots import plot_change_percentage, plot_operations
from textsimp.splits.poor_alignments import Alignments, drop_poor_alignments
from textsimp.splits.random_splits import RandomSplit, random_split, stability
from textsimp.splits.strategies import STRATEGIES

__all__ = [
    "STRATEGIES",
    "Alignments",
    "Balance",
    "Checkpoint",
    "RandomSplit",
    "SearchInterrupted",
    "annotate_edits",
    "balance",
    "balanced_split",
    "divergence",
    "drop_poor_alignments",
    "edit_columns",
    "monte_carlo_draw",
    "plot_change_percentage",
    "plot_operations",
    "random_split",
    "stability",
]
