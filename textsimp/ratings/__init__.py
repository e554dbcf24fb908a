"""People's ratings of outputs: what they are asked, studies, and the analysis of answers."""

from __future__ import annotations

from textsimp.ratings.schemes import Criterion, Scheme

__all__ = ["Criterion", "Scheme"]
