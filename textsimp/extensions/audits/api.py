"""Public names of `textsimp.extensions.audits`."""

from textsimp.extensions.audits.effects import Audit, Effect
from textsimp.extensions.audits.error_audit import audit_errors
from textsimp.extensions.audits.gaming_audit import audit_gaming

__all__ = [
    "Audit",
    "Effect",
    "audit_errors",
    "audit_gaming",
]
