"""Judgements of outputs: what raters are asked, what they say, and how well scores agree with them.

- In: a `Scheme` (what is asked), a `Plan` from `design` or `read_plan` (who sees what), and files
  of answers, which `read` turns into `Judgements`: a table with a row per value.
- Out: `analyse` compares systems and raters (`Analysis`); `rater_agreement` is Krippendorff's
  alpha; `evaluate` and `correlate` say how well scores agree with ratings, `evaluate_pairs`
  with choices between two texts.
- Read ``judgements/judgements.py`` first, then ``judgements/reading.py``; ``README.md`` there says
  which file does what.
"""

from functools import partial
from typing import TYPE_CHECKING

from textsimp.support.imports import lazy_name

if TYPE_CHECKING:
    from textsimp.extensions.people.api import *
else:
    __getattr__ = partial(lazy_name, __name__)
