"""Language models as raters: they read the scheme that people read, and fill the same file.

- In: a plan, the names of models and the address of a server, for `judge`.
- Out: a file of answers; `assess` says how far to believe them, as an `Assessment`.
- Read ``panel.py`` first, then ``prompts.py``.
"""

from functools import partial
from typing import TYPE_CHECKING

from textsimp.support.imports import lazy_name

if TYPE_CHECKING:
    from textsimp.extensions.judges.api import *
else:
    __getattr__ = partial(lazy_name, __name__)
