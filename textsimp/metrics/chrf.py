"""chrF as sacrebleu computes it, and what metrics that sacrebleu computes share.

Popović (2015): character n-grams, recall counts more than precision.
"""

import itertools
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.core.declarations import (
    PREDICTIONS,
    REFERENCES,
    SOURCES,
    Preset,
    References,
    Score,
    count_references,
)
from textsimp.core.metric import Floats, Metric, divide
from textsimp.core.option import Option, option
from textsimp.metrics import options
from textsimp.text.languages import LanguageProfile


class SacrebleuMetric(Metric):
    """A metric whose statistics of an example are sacrebleu's."""

    characters_at_once: ClassVar[int] = 2**16  # after which progress is shown

    @abstractmethod
    def scorer(self) -> Any:
        """Return sacrebleu's object with the options of this metric."""

    def prepare(self, sources: list[str] | None, references: list[list[str]]) -> Any:
        """Return sacrebleu's object, and what it keeps of each example's references."""
        scorer = self.scorer()
        return scorer, scorer._cache_references([*itertools.zip_longest(*references)])

    def statistics(self, prepared: Any, predictions: list[str]) -> Floats:
        """Return (n, k) sacrebleu's statistics."""
        scorer, references = prepared
        rows = [
            scorer._compute_segment_statistics(scorer._preprocess_segment(prediction), kept)
            for prediction, kept in zip(predictions, references, strict=True)
        ]
        return np.array(rows, np.float64)

    def in_signature(self, option: Option) -> bool:
        """Leave the options to sacrebleu's part of the signature."""
        return option.name == "variant"

    def signature(self, references: References | None = None) -> str:
        """Return name and variant, then sacrebleu's own signature."""
        return join_signature(super().signature(), self.scorer(), references)


def join_signature(own: str, scorer: Any, references: References | None) -> str:
    """Add sacrebleu's signature, which has the number of references and its version."""
    scorer.num_refs = None
    if references is not None:
        counts = references if isinstance(references, tuple) else count_references(references)
        scorer.num_refs = counts[0] if counts[0] == counts[1] else -1
    return f"{own.rpartition('|v:')[0]}|{scorer.get_signature().format()}"


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

    word_order: int = option(0, about="longest n-grams of words", tag="nw", least=0)
    lowercase: bool = options.lowercase(default=False)

    def misfit(self, texts: LanguageProfile) -> str:
        """Say that n-grams of words, if any, are of words between spaces."""
        fits = texts.spaced or self.word_order == 0
        return "" if fits else "its n-grams of words are of words between spaces, take chrf(chrf)"

    def scorer(self) -> Any:
        """Return sacrebleu's CHRF."""
        from sacrebleu.metrics.chrf import CHRF

        return CHRF(word_order=self.word_order, lowercase=self.lowercase)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Return chrF of summed counts: (..., 3 k) → (...)."""
        predicted, reference, correct = (totals[..., part::3] for part in range(3))
        orders = np.count_nonzero((predicted > 0) & (reference > 0), axis=-1)
        precision = divide(divide(correct, predicted).sum(axis=-1), orders)
        recall = divide(divide(correct, reference).sum(axis=-1), orders)
        return {"chrf": 100 * divide(5 * precision * recall, 4 * precision + recall)}
