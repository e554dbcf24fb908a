"""The splits of a corpus: at random, balanced, without poor alignments, and how they differ.

- In: `datasets`, Arrow tables, or, for `split_files`, files.
- Out: the same, cut anew, and `divergence` of a column between subsets.
- Read ``random_splits.py`` first, then ``corpus_files.py``: a function of `STRATEGIES` takes
  subsets by name and returns them.
"""

from functools import partial
from typing import TYPE_CHECKING

from textsimp.support.imports import lazy_name

if TYPE_CHECKING:
    from textsimp.splits.api import *
else:
    __getattr__ = partial(lazy_name, __name__)

    def __dir__() -> list[str]:
        return sorted({*globals(), *__getattr__("__all__")})
