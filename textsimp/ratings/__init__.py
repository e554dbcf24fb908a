"""People's ratings of outputs: what they are asked, and what their answers say.

- `Scheme`: what raters are asked, on which scale, about what they see;
- `design`: a study, `Plan`: which rater sees what; `read_plan`: one from its file;
- `read`: ratings from files, `Ratings`;
- `analyse`: agreement of raters, and systems compared, `Analysis`.
"""

from __future__ import annotations

from textsimp.ratings.analysis import analyse
from textsimp.ratings.answer_tables import is_answers, read
from textsimp.ratings.answers import Ratings
from textsimp.ratings.raters import CriterionAgreement, Rater
from textsimp.ratings.results import Analysis
from textsimp.ratings.schemes import Criterion, Practice, Scheme
from textsimp.ratings.studies import Plan, Screen, design, read_plan

__all__ = [
    "Analysis",
    "Criterion",
    "CriterionAgreement",
    "Plan",
    "Practice",
    "Rater",
    "Ratings",
    "Scheme",
    "Screen",
    "analyse",
    "design",
    "is_answers",
    "read",
    "read_plan",
]
