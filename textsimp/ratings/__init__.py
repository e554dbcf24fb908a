"""People's ratings of outputs: what they are asked, and what their answers say.

- `Scheme`: what raters are asked, on which scale, about what they see;
- `read`: ratings from files, `Ratings`;
- `analyse`: agreement of raters, and systems compared, `Analysis`.
"""

from __future__ import annotations

from textsimp.ratings.analysis import Analysis, CriterionAgreement, Rater, analyse
from textsimp.ratings.answers import Ratings, is_answers, read
from textsimp.ratings.schemes import Criterion, Scheme

__all__ = [
    "Analysis",
    "Criterion",
    "CriterionAgreement",
    "Rater",
    "Ratings",
    "Scheme",
    "analyse",
    "is_answers",
    "read",
]
