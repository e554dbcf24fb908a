"""Whether a simplification is still true: information errors (Devaraj et al. 2022).

- `synthetic`: errors made of pairs without any; `mix` makes sets to train on of them;
- `audit`: whether scores notice such errors in outputs;
- `train`, `classifier`, `predict`: labels that a model guesses, and how good they are;
- `features`, `cross_validate`: the baseline that needs no model.
"""

from __future__ import annotations

from textsimp.errors.assessment import Assessment, Report
from textsimp.errors.auditing import Audit, Effect, audit
from textsimp.errors.baselines import FEATURES, cross_validate, features
from textsimp.errors.classifiers import Classifier, Predicted, classifier, predict
from textsimp.errors.synthetic import Generator, mix
from textsimp.errors.training import STAGES, Stage, train

__all__ = [
    "FEATURES",
    "STAGES",
    "Assessment",
    "Audit",
    "Classifier",
    "Effect",
    "Generator",
    "Predicted",
    "Report",
    "Stage",
    "audit",
    "classifier",
    "cross_validate",
    "features",
    "mix",
    "predict",
    "train",
]
