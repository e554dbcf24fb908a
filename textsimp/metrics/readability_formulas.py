"""Published readability formulas, each a constant and weighted ratios of counts summed over texts.

``readability_formulas.csv`` has them. These counts need an explanation:

- ``letters`` excludes digits, ``characters`` includes them;
- ``polysyllables`` have three syllables or more, ``monosyllables`` one;
- ``long_words`` have more than six letters;
- ``difficult_words`` aren't on a list.
"""

import csv
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from textsimp.core.metric import Floats, divide

__all__ = ["FORMULAS"]

_CURVES: dict[str, Callable[[Floats], Floats]] = {
    "smog": lambda ratio: 1.043 * np.sqrt(30 * ratio),
    "dale_chall": lambda share: 15.79 * share + np.where(100 * share > 5, 3.6365, 0.0),
}
"""What stands in the table in place of a weight → a function of the ratio."""


@dataclass(frozen=True)
class Formula:
    """A readability formula: call it with the counts that it takes.

    Counts are numbers or arrays of one shape, and so are the results. A ratio to nothing is 0.

    >>> float(Formula("bjornsson-1968-lasbarhet", 0, {"words/texts": "2"})(words=9, texts=2))
    9.0
    """

    papers: str
    """Keys of `textsimp.metrics.citations`, with blanks between."""
    constant: float
    weights: Mapping[str, str]
    """Ratio, such as ``"words/sentences"`` → its weight, or the name of a function of it."""

    @property
    def counts(self) -> list[str]:
        """The names of the counts."""
        return list(dict.fromkeys(name for ratio in self.weights for name in ratio.split("/")))

    def __call__(self, **counts: Any) -> Floats:
        score: Any = self.constant
        for ratio, weight in self.weights.items():
            value = divide(*(counts[name] for name in ratio.split("/")))
            score = score + (_CURVES[weight](value) if weight in _CURVES else float(weight) * value)
        return np.asarray(score)


FORMULAS: dict[str, dict[str, Formula]] = {}
"""Language → score → formula."""

with Path(__file__).with_suffix(".csv").open(encoding="utf-8", newline="") as _file:
    for _row in csv.DictReader(_file):
        _weights = dict(part.split("=") for part in _row["weights"].split())
        _formula = Formula(_row["papers"], float(_row["constant"]), _weights)
        for _language in _row["languages"].split():
            FORMULAS.setdefault(_language, {})[_row["score"]] = _formula
