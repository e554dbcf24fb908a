"""Whether a simplification is still true: information errors (Devaraj et al. 2022).

- `synthetic`: errors made of pairs without any; `mix` makes sets to train on of them;
- `audit`: whether scores notice such errors in outputs.
"""

from __future__ import annotations

from textsimp.errors.auditing import Audit, Effect, audit
from textsimp.errors.synthetic import Generator, mix

__all__ = ["Audit", "Effect", "Generator", "audit", "mix"]
