"""Translation edit rate as sacrebleu computes it (Snover et al. 2006)."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, divide
from textsimp.metrics import options
from textsimp.metrics.bleu import SacrebleuMetric
from textsimp.text.languages import LanguageProfile


@dataclass(frozen=True)
class Ter(SacrebleuMetric):
    """Edits and shifts from the prediction to the closest reference, per word of the references.

    An edit inserts, deletes or replaces a word; a shift moves a phrase. Edits are divided by the
    mean length of an example's references; both are summed over examples.

    Example:
        >>> from textsimp import Ter
        >>> columns = {"predictions": ["The cat sat."], "references": [["The old cat sat."]]}
        >>> Ter().score(**columns)["ter"]
        25.0
    """

    name: ClassVar[str] = "ter"
    about: ClassVar[str] = "edits to the closest reference, per word; rewards copying"
    papers: ClassVar = ("snover-etal-2006-study", "post-2018-call")
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {"tercom": Preset("lowercased words, which is sacrebleu's default")}
    scores: ClassVar = (Score("ter", "TER", about, better="lower", most=None),)
    slow: ClassVar = True

    lowercase: bool = options.lowercase()

    def misfit(self, texts: LanguageProfile) -> str:
        """Say that it compares words between spaces."""
        return "" if texts.spaced else "it takes words between spaces, take chrf"

    def scorer(self) -> Any:
        from sacrebleu.metrics.ter import TER

        return TER(case_sensitive=not self.lowercase)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return the edit rate of sums: (..., 2) → (...); 100 for edits of empty references."""
        edits, words = totals[..., 0], totals[..., 1]
        return {"ter": 100 * np.where(words > 0, divide(edits, words), edits > 0)}
