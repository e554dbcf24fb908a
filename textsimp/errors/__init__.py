"""Whether a simplification is still true: information errors (Devaraj et al. 2022)."""

from __future__ import annotations

from textsimp.errors.distances import edit_distance, jaccard, length_change, noise
from textsimp.errors.distribution import Distribution, distribution, plot
from textsimp.errors.error_correlation import correlate
from textsimp.errors.error_levels import Level, Levels, by_level
from textsimp.errors.label_agreement import CategoryAgreement, LabelAgreement, agreement
from textsimp.errors.merged_labels import disagreements, merge

__all__ = [
    "CategoryAgreement",
    "Distribution",
    "LabelAgreement",
    "Level",
    "Levels",
    "agreement",
    "by_level",
    "correlate",
    "disagreements",
    "distribution",
    "edit_distance",
    "jaccard",
    "length_change",
    "merge",
    "noise",
    "plot",
]
