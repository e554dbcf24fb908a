"""Audits of metrics: do scores rise for tricks, and do they fall for false statements?

- `audit_gaming`: changes that make no text simpler (Tanprasert & Kauchak 2021);
- `audit_errors`: changes that make outputs say something false (Devaraj et al. 2022).

Both return an `Audit`, with an `Effect` for each change and score.
"""

from __future__ import annotations

from textsimp.audits.effects import Audit, Effect
from textsimp.audits.error_audit import audit_errors
from textsimp.audits.gaming_audit import audit_gaming

__all__ = ["Audit", "Effect", "audit_errors", "audit_gaming"]
