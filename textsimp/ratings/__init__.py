"""People's ratings of outputs: what they are asked, studies, and the analysis of answers."""

from __future__ import annotations

from textsimp.ratings.answers import Ratings, is_answers, read
from textsimp.ratings.schemes import Criterion, Scheme

__all__ = ["Criterion", "Ratings", "Scheme", "is_answers", "read"]
