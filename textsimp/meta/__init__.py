"""How well scores agree with people's judgements, and these with each other.

- `evaluate`: metrics computed here, from texts with ratings;
- `correlate`: scores from anywhere, with ratings of the same outputs;
- `preferences`: scores of pairs of texts of which one is better;
- `rater_agreement`: Krippendorff's alpha of the ratings.
"""

from __future__ import annotations

from textsimp.meta.agreement import RaterAgreement, rater_agreement
from textsimp.meta.evaluation import correlate, evaluate, preferences
from textsimp.meta.results import Agreement, Estimate, Gap, Preference, Preferences

__all__ = [
    "Agreement",
    "Estimate",
    "Gap",
    "Preference",
    "Preferences",
    "RaterAgreement",
    "correlate",
    "evaluate",
    "preferences",
    "rater_agreement",
]
