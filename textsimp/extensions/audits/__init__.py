"""Audits of metrics: do scores rise for tricks, and do they fall for false statements?

- In: metrics, and the sources, outputs and references of a system.
- Out: an `Audit` with an `Effect` for each change and score, from `audit_gaming` (changes that
  make no text simpler, Tanprasert & Kauchak 2021) and `audit_errors` (changes that make outputs
  say something false, Devaraj et al. 2022).
- Read ``gaming_audit.py`` first, then ``effects.py``.
"""

from functools import partial
from typing import TYPE_CHECKING

from textsimp.support.imports import lazy_name

if TYPE_CHECKING:
    from textsimp.extensions.audits.api import *
else:
    __getattr__ = partial(lazy_name, __name__)
