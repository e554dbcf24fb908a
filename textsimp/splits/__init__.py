"""The splits of a corpus: at random, balanced, without poor alignments, and how they differ.

- In: `datasets`, Arrow tables, or, for `split_files`, files.
- Out: the same, cut anew, and `divergence` of a column between subsets.
- Read ``random_splits.py`` first, then ``corpus_files.py``: a function of `STRATEGIES` takes
  subsets by name and returns them.
"""

from textsimp.splits.balanced import balanced_split
from textsimp.splits.corpus_files import STRATEGIES, divergence_of_files, split_files
from textsimp.splits.divergences import divergence
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
