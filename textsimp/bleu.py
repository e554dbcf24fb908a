"""BLEU by sacrebleu, as a `Metric`: with intervals, per-example scores and paired tests.

Papineni, Roukos, Ward & Zhu (2002), "BLEU: a Method for Automatic Evaluation of Machine
Translation", ACL; computed by sacrebleu: Post (2018), "A Call for Clarity in Reporting BLEU
Scores", WMT. BLEU rewards copying the source, so it says little about simplification.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from textsimp.metric import Floats, Metric, divide, option

_ORDERS = 4


@dataclass(frozen=True)
class Bleu(Metric):
    """sacrebleu's ``corpus_bleu``: its tokens and counts, its `exp` smoothing, its signature.

    An example's score is that of a corpus of this one example: 0 for fewer than four tokens, and
    no effective order.

    Example:
        >>> from textsimp.bleu import Bleu
        >>> scores = Bleu.preset().score(
        ...     predictions=["The cat sat on the mat."], references=["The cat sat on a mat."]
        ... )
        >>> round(scores["bleu"], 2)
        48.89
    """

    name: ClassVar[str] = "bleu"
    required: ClassVar[tuple[str, ...]] = ("predictions", "references")
    presets: ClassVar = {"sacrebleu": {}}

    variant: str = "sacrebleu"
    tokenizer: str = option("13a", choices=("13a", "intl", "char", "zh", "none"))
    lowercase: bool = option(False, choices=(True, False))

    def reported(self, given: Sequence[str] = ()) -> tuple[str, ...]:
        """``bleu`` (0–100), ``precisions`` of orders 1–4 (0–100), and two length ratios."""
        return ("bleu", "precisions", "brevity_penalty", "length_ratio")

    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Any:
        """A ``sacrebleu.BLEU`` that has counted the references' n-grams."""
        assert references is not None
        return self._sacrebleu(references=list(itertools.zip_longest(*references)))

    def statistics(self, prepared: Any, predictions: list[str]) -> Floats:
        """(n, 10) sacrebleu's counts: two lengths, and correct and all n-grams of orders 1–4.

        The lengths are the prediction's and that of the reference closest to it, in tokens.
        """
        # The only way to its counts without counting the references anew for each system.
        counts = prepared._extract_corpus_statistics(predictions, None)
        return np.array(counts, np.float64)

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Scores of summed counts: (..., 10) → (...), and (..., 4) ``precisions``."""
        predicted, reference = totals[..., 0], totals[..., 1]
        correct, possible = totals[..., 2 : 2 + _ORDERS], totals[..., 2 + _ORDERS :]
        missed = (correct == 0) & (possible > 0)
        halvings = np.cumsum(missed, axis=-1)  # `exp` smoothing: 1/2, 1/4, … of one match
        precisions = divide(np.where(missed, 0.5**halvings, correct), possible)
        precisions *= correct.any(axis=-1, keepdims=True)  # no match at all is 0
        # 0 without any token; reference/predicted only where it is above 1
        ratio = divide(np.maximum(reference, predicted), predicted, zero=np.inf)
        brevity_penalty = np.where(reference > 0, np.exp(1 - ratio), 1.0)
        return {
            "bleu": 100 * brevity_penalty * precisions.prod(axis=-1) ** (1 / _ORDERS),
            "precisions": 100 * precisions,
            "brevity_penalty": brevity_penalty,
            "length_ratio": divide(predicted, reference),
        }

    def signature(self, references: list[list[str]] | None = None) -> str:
        """sacrebleu's own signature."""
        bleu = self._sacrebleu()
        sizes = {len(row) for row in references or ()}
        bleu.num_refs = None if not sizes else -1 if len(sizes) > 1 else sizes.pop()
        return f"BLEU|{bleu.get_signature().format()}"

    def _sacrebleu(self, **options: Any) -> Any:
        from sacrebleu.metrics.bleu import BLEU

        # `force` only silences a warning about tokenised text.
        return BLEU(lowercase=self.lowercase, tokenize=self.tokenizer, force=True, **options)
