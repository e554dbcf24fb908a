"""Language models as raters: they read the scheme that people read, and fill the same file.

- `judge`: ask models what a plan asks people;
- `assess`: how far to believe them, `Assessment`.
"""

from textsimp.judges.assessment import Assessment, assess
from textsimp.judges.panel import judge

__all__ = ["Assessment", "assess", "judge"]
