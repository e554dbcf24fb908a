"""Public names of `textsimp.extensions.people`."""

from textsimp.extensions.people.judgements.agreement import RaterAgreement, rater_agreement
from textsimp.extensions.people.judgements.analysis import analyse
from textsimp.extensions.people.judgements.analysis_results import Analysis
from textsimp.extensions.people.judgements.assignment import design
from textsimp.extensions.people.judgements.correlation import correlate, evaluate
from textsimp.extensions.people.judgements.correlation_results import (
    Agreement,
    CorrelationDifference,
    Estimate,
)
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.pairs import Preference, Preferences, evaluate_pairs
from textsimp.extensions.people.judgements.raters import CriterionAgreement, Rater
from textsimp.extensions.people.judgements.reading import read
from textsimp.extensions.people.judgements.schemes import Criterion, Practice, Scheme
from textsimp.extensions.people.judgements.studies import Plan, Screen, read_plan
from textsimp.extensions.people.judgements.tool_projects import export_project, export_sheets

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
    "export_sheets",
    "rater_agreement",
    "read",
    "read_plan",
]
