"""Public names of `textsimp.extensions.judges`."""

from textsimp.extensions.judges.assessment import Assessment, assess
from textsimp.extensions.judges.panel import judge

__all__ = [
    "Assessment",
    "assess",
    "judge",
]
