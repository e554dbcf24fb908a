"""How well scores agree with people's judgements, and these with each other.

- `evaluate`: metrics computed here, from texts with ratings;
- `correlate`: scores from anywhere, with ratings of the same outputs;
- `evaluate_pairs`, `preferences`: the same for pairs of texts of which one is better;
- `plot`: scores against ratings, as a picture;
- `rater_agreement`: Krippendorff's alpha of the ratings.
"""

from __future__ import annotations

from textsimp.meta.judgements import correlate, evaluate, evaluate_pairs, preferences
from textsimp.meta.plots import plot
from textsimp.meta.raters import RaterAgreement, rater_agreement
from textsimp.meta.results import (
    Agreement,
    CorrelationDifference,
    Estimate,
    Preference,
    Preferences,
)

__all__ = [
    "Agreement",
    "CorrelationDifference",
    "Estimate",
    "Preference",
    "Preferences",
    "RaterAgreement",
    "correlate",
    "evaluate",
    "evaluate_pairs",
    "plot",
    "preferences",
    "rater_agreement",
]
