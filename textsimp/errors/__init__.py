"""Whether a simplification is still true: information errors (Devaraj et al. 2022).

- `distribution`, `agreement`, `by_level`, `correlate`: tables of labels that people gave;
- `synthetic`: errors made of pairs without any; `mix` makes sets to train on of them;
- `train`, `classifier`, `predict`: labels that a model guesses, and how good they are;
- `features`, `cross_validate`: the baseline that needs no model.
"""

from __future__ import annotations

from textsimp.errors.agreement import CategoryAgreement, LabelAgreement, agreement
from textsimp.errors.assessment import Assessment, Report
from textsimp.errors.baselines import FEATURES, cross_validate, features
from textsimp.errors.classifiers import Classifier, Predicted, classifier, predict
from textsimp.errors.correlation import correlate
from textsimp.errors.distribution import Distribution, distribution
from textsimp.errors.levels import Level, Levels, by_level
from textsimp.errors.measures import edit_distance, jaccard, length_change, noise
from textsimp.errors.plots import plot
from textsimp.errors.synthetic import Generator, mix
from textsimp.errors.training import STAGES, Stage, train

__all__ = [
    "FEATURES",
    "STAGES",
    "Assessment",
    "CategoryAgreement",
    "Classifier",
    "Distribution",
    "Generator",
    "LabelAgreement",
    "Level",
    "Levels",
    "Predicted",
    "Report",
    "Stage",
    "agreement",
    "by_level",
    "classifier",
    "correlate",
    "cross_validate",
    "distribution",
    "edit_distance",
    "features",
    "jaccard",
    "length_change",
    "mix",
    "noise",
    "plot",
    "predict",
    "train",
]
