"""Judgements of outputs: what raters are asked, what they say, and how well scores agree with them.

- `Scheme`: what raters are asked, on which scale, about what they see;
- `design`: a study, `Plan`: which rater sees what; `read_plan`: one from its file;
- `read`: judgements from files, `Judgements`;
- `analyse`: agreement of raters, and systems compared, `Analysis`;
- `evaluate`: how well metrics computed here agree with ratings; `correlate`: scores from anywhere;
- `evaluate_pairs`, `preferences`: the same for pairs of texts of which one is better;
- `plot`: scores against ratings, as a picture; `rater_agreement`: Krippendorff's alpha.
"""

from __future__ import annotations

from textsimp.judgements.agreement import RaterAgreement, rater_agreement
from textsimp.judgements.analysis import analyse
from textsimp.judgements.analysis_results import Analysis
from textsimp.judgements.assignment import design
from textsimp.judgements.correlation import correlate, evaluate
from textsimp.judgements.correlation_plots import plot
from textsimp.judgements.correlation_results import (
    Agreement,
    CorrelationDifference,
    Estimate,
)
from textsimp.judgements.judgements import Judgements
from textsimp.judgements.pairs import Preference, Preferences, evaluate_pairs, preferences
from textsimp.judgements.raters import CriterionAgreement, Rater
from textsimp.judgements.reading import is_answers, read
from textsimp.judgements.schemes import Criterion, Practice, Scheme
from textsimp.judgements.studies import Plan, Screen, read_plan
from textsimp.judgements.tool_projects import export_project

__all__ = [
    "Agreement",
    "Analysis",
    "CorrelationDifference",
    "Criterion",
    "CriterionAgreement",
    "Estimate",
    "Judgements",
    "Plan",
    "Practice",
    "Preference",
    "Preferences",
    "Rater",
    "RaterAgreement",
    "Scheme",
    "Screen",
    "analyse",
    "correlate",
    "design",
    "evaluate",
    "evaluate_pairs",
    "export_project",
    "is_answers",
    "plot",
    "preferences",
    "rater_agreement",
    "read",
    "read_plan",
]
