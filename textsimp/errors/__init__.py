"""Whether a simplification is still true: information errors (Devaraj et al. 2022).

- `distribution`, `agreement`, `by_level`, `correlate`: tables of labels that people gave;
- `synthetic`: errors made of pairs without any; `mix` makes sets to train on of them;
- `audit`: whether scores notice such errors in outputs.
"""

from __future__ import annotations

from textsimp.errors.agreement import CategoryAgreement, LabelAgreement, agreement
from textsimp.errors.auditing import Audit, Effect, audit
from textsimp.errors.correlation import correlate
from textsimp.errors.distribution import Distribution, distribution
from textsimp.errors.levels import Level, Levels, by_level
from textsimp.errors.measures import edit_distance, jaccard, length_change, noise
from textsimp.errors.plots import plot
from textsimp.errors.synthetic import Generator, mix

__all__ = [
    "Audit",
    "CategoryAgreement",
    "Distribution",
    "Effect",
    "Generator",
    "LabelAgreement",
    "Level",
    "Levels",
    "agreement",
    "audit",
    "by_level",
    "correlate",
    "distribution",
    "edit_distance",
    "jaccard",
    "length_change",
    "mix",
    "noise",
    "plot",
]
