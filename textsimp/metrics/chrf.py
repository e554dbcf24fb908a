"""chrF as sacrebleu computes it.

Popović (2015): character n-grams, recall counts more than precision.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, divide
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.metrics.bleu import SacrebleuMetric
from textsimp.text.languages import LanguageProfile


@dataclass(frozen=True)
class Chrf(SacrebleuMetric):
    """chrF: F2 of the character n-grams of orders 1–6, with the best reference of an example.

    White space doesn't count. Precision and recall are means over orders, of n-grams summed over
    examples. Of several references that are equally good the first counts.

    Example:
        >>> from textsimp import Chrf
        >>> columns = {"predictions": ["The cat sat."], "references": [["The cat sat down."]]}
        >>> round(Chrf().score(**columns)["chrf"], 2)
        61.01
        >>> round(Chrf.preset("chrf++").score(**columns)["chrf"], 2)
        62.81
    """

    name: ClassVar[str] = "chrf"
    about: ClassVar[str] = "character n-grams in common with the references; rewards copying"
    papers: ClassVar = ("popovic-2015-chrf", "post-2018-call")
    people: ClassVar[str] = (
        "the variant chrf has a rank correlation of .55 [.41, .62] with people's ratings of 22"
        " older systems; over single outputs its correlation is .41 [.36, .47] on these and"
        " −.20 [−.31, −.09] on SimpEval 2022"
    )
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES)
    presets: ClassVar = {
        "chrf": Preset("character n-grams alone, which is sacrebleu's default"),
        "chrf++": Preset("words and pairs of words, too (Popović 2017)", {"word_order": 2}),
    }
    scores: ClassVar = (Score("chrf", "chrF", about, better="higher"),)
    slow: ClassVar = True
    ordered_references: ClassVar[bool] = True
    bytes_remembered: ClassVar[int] = 2**20  # sacrebleu's counts take 280 times as much

    word_order: int = option(0, about="longest n-grams of words", tag="nw", least=0)
    lowercase: bool = options.lowercase(default=False)

    def misfit(self, texts: LanguageProfile) -> str:
        """Say that n-grams of words, if any, are of words between spaces."""
        fits = texts.spaced or self.word_order == 0
        return "" if fits else "its n-grams of words are of words between spaces, take chrf(chrf)"

    def scorer(self) -> Any:
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=self.word_order, lowercase=self.lowercase)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return chrF of summed counts: (..., 3 k) → (...)."""
        predicted, reference, correct = (totals[..., part::3] for part in range(3))
        orders = np.count_nonzero((predicted > 0) & (reference > 0), axis=-1)
        precision = divide(divide(correct, predicted).sum(axis=-1), orders)
        recall = divide(divide(correct, reference).sum(axis=-1), orders)
        return {"chrf": 100 * divide(5 * precision * recall, 4 * precision + recall)}
