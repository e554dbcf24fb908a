"""Audits of metrics: do scores rise for tricks, and do they fall for false statements?

- In: metrics, and the sources, outputs and references of a system.
- Out: an `Audit` with an `Effect` for each change and score, from `audit_gaming` (changes that
  make no text simpler, Tanprasert & Kauchak 2021) and `audit_errors` (changes that make outputs
  say something false, Devaraj et al. 2022).
- Read ``gaming_audit.py`` first, then ``effects.py``.
"""

from typing import TYPE_CHECKING

from textsimp.support.lazy import lazy_names

__all__ = [
    "Audit",
    "Effect",
    "audit_errors",
    "audit_gaming",
]

if TYPE_CHECKING:
    from textsimp.extensions.audits.effects import Audit, Effect
    from textsimp.extensions.audits.error_audit import audit_errors
    from textsimp.extensions.audits.gaming_audit import audit_gaming
else:
    __getattr__ = lazy_names(
        __name__,
        {
            ".effects": ("Audit", "Effect"),
            ".error_audit": ("audit_errors",),
            ".gaming_audit": ("audit_gaming",),
        },
    )
