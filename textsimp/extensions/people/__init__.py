"""Judgements of outputs: what raters are asked, what they say, and how well scores agree with them.

- In: a `Scheme` (what is asked), a `Plan` from `design` or `read_plan` (who sees what), and files
  of answers, which `read` turns into `Judgements`: a table with a row per value.
- Out: `analyse` compares systems and raters (`Analysis`); `rater_agreement` is Krippendorff's
  alpha; `evaluate` and `correlate` say how well scores agree with ratings, `evaluate_pairs`
  with choices between two texts.
- Read ``judgements/judgements.py`` first, then ``judgements/reading.py``; ``README.md`` there says
  which file does what.
"""

from typing import TYPE_CHECKING

from textsimp.support.lazy import lazy_names

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

if TYPE_CHECKING:
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
    from textsimp.extensions.people.judgements.criteria import Criterion
    from textsimp.extensions.people.judgements.judgements import Judgements
    from textsimp.extensions.people.judgements.pairs import Preference, Preferences, evaluate_pairs
    from textsimp.extensions.people.judgements.raters import CriterionAgreement, Rater
    from textsimp.extensions.people.judgements.reading import read
    from textsimp.extensions.people.judgements.schemes import Practice, Scheme
    from textsimp.extensions.people.judgements.studies import Plan, Screen, read_plan
    from textsimp.extensions.people.judgements.tool_projects import export_project, export_sheets
else:
    __getattr__ = lazy_names(
        __name__,
        {
            ".judgements.agreement": ("RaterAgreement", "rater_agreement"),
            ".judgements.analysis": ("analyse",),
            ".judgements.analysis_results": ("Analysis",),
            ".judgements.assignment": ("design",),
            ".judgements.correlation": ("correlate", "evaluate"),
            ".judgements.correlation_results": ("Agreement", "CorrelationDifference", "Estimate"),
            ".judgements.criteria": ("Criterion",),
            ".judgements.judgements": ("Judgements",),
            ".judgements.pairs": ("Preference", "Preferences", "evaluate_pairs"),
            ".judgements.raters": ("CriterionAgreement", "Rater"),
            ".judgements.reading": ("read",),
            ".judgements.schemes": ("Practice", "Scheme"),
            ".judgements.studies": ("Plan", "Screen", "read_plan"),
            ".judgements.tool_projects": ("export_project", "export_sheets"),
        },
    )
