"""D-SARI: SARI of documents, with penalties for output of the wrong length.

Sun, Jin & Wan (2021), section 4, equations 2–5.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from textsimp.core.declarations import Preset, Score
from textsimp.core.metric import Floats, MeanMetric, divide
from textsimp.core.option import option
from textsimp.metrics import options
from textsimp.metrics.sari import Sari
from textsimp.metrics.sides import mean_references
from textsimp.text.ngrams import PreparedTexts
from textsimp.text.sentences import get_splitter

Prepared = tuple[PreparedTexts, Floats, Floats]
"""Of each document's references the mean numbers of tokens and sentences, whole by `sun`."""


@dataclass(frozen=True)
class DSari(MeanMetric):
    """D-SARI, as published and corrected.

    I, O and R are the numbers of tokens of source, output and reference (mean over references). O_S
    and R_S are the numbers of sentences. F and P are components of the document's SARI (variant
    ``xu``).

    - LP1 = 1 if O ≥ R, else exp((O − R) / O): too short to have added much;
    - LP2 = 1 if O ≤ R, else exp((R − O) / max(I − R, 1)): longer than it should be;
    - SLP = exp(−|R_S − O_S| / max(R_S, O_S)): another number of sentences;
    - D_add = F_add · LP1, D_keep = F_keep · LP2 · SLP, D_delete = P_delete · LP2;
    - D-SARI is the mean of the last three.

    A corpus scores the mean over its documents. ``corrected`` differs as its metric card explains;
    there LP2 divides by max(I − R, R, 1). All scores are 0–100, penalties 0–1.

    Example:
        >>> from textsimp import DSari
        >>> scores = DSari.preset("sun").score(
        ...     sources=["the old cat sat on the mat . it was raining , so it stayed there ."],
        ...     predictions=["the cat sat on the mat . it rained ."],
        ...     references=["a cat sat on a mat . it rained ."],
        ... )
        >>> round(scores["d_sari"], 2)
        68.17
    """

    name: ClassVar[str] = "d_sari"
    about: ClassVar[str] = "SARI of documents, with penalties for the wrong length"
    papers: ClassVar = ("sun-etal-2021-document", "xu-etal-2016-optimizing")
    people: ClassVar[str] = (
        "over single documents the variant sun has a correlation of .38 [.32, .45] with "
        "people's ratings of simplicity and −.16 [−.27, −.07] with those of meaning"
    )
    reads: ClassVar = "documents"
    presets: ClassVar = {
        "sun": Preset("the authors' script", {"tokenizer": "none", "split": "space"}),
        "corrected": Preset(
            "13a tokens, exact means, and an LP2 that stays smooth", own="corrected, textsimp's"
        ),
    }
    scores: ClassVar = (
        Score("d_sari", "D-SARI", "mean of its three components", better="higher"),
        Score("d_add", "D-add", "add of SARI, less if too short", better="higher"),
        Score("d_keep", "D-keep", "keep of SARI, less if of the wrong length", better="higher"),
        Score("d_delete", "D-delete", "delete of SARI, less if too long", better="higher"),
        Score("lp1", "LP1", "penalty for too short an output: 1 is none", most=1, decimals=3),
        Score("lp2", "LP2", "penalty for too long an output: 1 is none", most=1, decimals=3),
        Score("slp", "SLP", "penalty for the number of sentences: 1 is none", most=1, decimals=3),
        *(score for score in Sari.scores if not score.many),
    )

    tokenizer: options.TokenizerLike = options.tokenizer()
    lowercase: bool = options.lowercase(
        "for the n-grams; sentences are counted in the text as it is"
    )
    splitter: options.SplitterLike = options.splitter()
    split: str = options.split()
    penalties: bool = option(
        False, about="also `lp1`, `lp2`, `slp` (0 to 1), `sari`, `add`, `keep`, `delete`", tag=""
    )

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """``d_sari`` and its parts; with ``penalties`` also those, and the plain SARI."""
        names = super().score_names(shared)
        return names if self.penalties else names[:4]

    def prepare(self, sources: list[str], references: list[list[str]]) -> Prepared:
        sari = self._sari.prepare(sources, references)
        sentences = get_splitter(self.splitter).count([text for row in references for text in row])
        counts = np.column_stack([sari.reference_sizes, sentences])
        means = mean_references(counts, sari.references_per_example)
        tokens, sentences = (np.floor(means) if self.variant == "sun" else means).T
        return sari, tokens, sentences

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n, 11) scores of each document, in the order of ``scores``."""
        sari, target, target_sentences = prepared
        tokens = sari.encoder.encode(predictions)
        components = 100 * self._sari.token_statistics(sari, tokens)[:, 36:39]
        lengths = np.diff(tokens.offsets)
        sentences = get_splitter(self.splitter).count(predictions)
        # An empty output can't be divided by; the limit of LP1 is 0.
        lp1 = np.exp(divide(lengths - target, lengths, zero=-np.inf))
        lp1 = np.where(lengths >= target, 1.0, lp1)
        room = np.maximum(sari.source_sizes - target, 1)
        if self.variant == "corrected":
            room = np.maximum(room, target)
        lp2 = np.exp(np.minimum(target - lengths, 0) / room)
        most, apart = np.maximum(target_sentences, sentences), np.abs(target_sentences - sentences)
        slp = np.exp(-divide(apart, most))
        d_components = components * np.stack([lp1, lp2 * slp, lp2], axis=1)
        means = d_components.mean(axis=1), components.mean(axis=1)
        return np.column_stack([means[0], d_components, lp1, lp2, slp, means[1], components])

    @property
    def _sari(self) -> Sari:
        return Sari.preset(
            "xu", tokenizer=self.tokenizer, lowercase=self.lowercase, split=self.split
        )
