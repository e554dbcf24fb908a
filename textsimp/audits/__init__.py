"""Audits of metrics: do scores rise for tricks, and do they fall for false statements?

- `audit_gaming`: changes that make no text simpler (Tanprasert & Kauchak 2021);
- `audit_errors`: changes that make outputs say something false (Devaraj et al. 2022).

Both return an `Audit`, with an `Effect` for each change and score. Language models that rate are
audited, too: `trick_judges` makes what they rate, `audit_judges` returns a `JudgeAudit`.
"""

from textsimp.audits.effects import Audit, Effect
from textsimp.audits.error_audit import audit_errors
from textsimp.audits.gaming_audit import audit_gaming
from textsimp.audits.judge_audit import JudgeAudit, audit_judges, trick_judges

__all__ = [
    "Audit",
    "Effect",
    "JudgeAudit",
    "audit_errors",
    "audit_gaming",
    "audit_judges",
    "trick_judges",
]
