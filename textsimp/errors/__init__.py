"""Whether a simplification is still true: information errors (Devaraj et al. 2022)."""

from __future__ import annotations

from textsimp.errors.assessment import Assessment, Report
from textsimp.errors.baselines import FEATURES, cross_validate, features
from textsimp.errors.classifiers import (
    Classifier,
    PredictedLabels,
    classifier,
    evaluate,
    fit,
    predict,
)
from textsimp.errors.distances import edit_distance, jaccard, length_change, noise
from textsimp.errors.distribution import Distribution, distribution, plot
from textsimp.errors.error_correlation import correlate
from textsimp.errors.error_levels import Level, Levels, by_level
from textsimp.errors.label_agreement import CategoryAgreement, LabelAgreement, agreement
from textsimp.errors.merged_labels import disagreements, merge
from textsimp.errors.synthetic import Generator

__all__ = [
    "FEATURES",
    "Assessment",
    "CategoryAgreement",
    "Classifier",
    "Distribution",
    "Generator",
    "LabelAgreement",
    "Level",
    "Levels",
    "PredictedLabels",
    "Report",
    "agreement",
    "by_level",
    "classifier",
    "correlate",
    "cross_validate",
    "disagreements",
    "distribution",
    "edit_distance",
    "evaluate",
    "features",
    "fit",
    "jaccard",
    "length_change",
    "merge",
    "noise",
    "plot",
    "predict",
]
