"""Lexical substitution: ranked substitutes of a complex word, against those of annotators.

The scores of TSAR-2022 (Saggion et al. 2022) and MLSP-2024 (Shardlow et al. 2024).
"""

from collections import Counter
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from textsimp.core.declarations import SOURCES, Column, Preset, Score
from textsimp.core.metric import Floats, MeanMetric, divide

__all__ = ["TITLES", "USUAL", "Gold", "LexicalSubstitution", "key_of"]

RANKS = range(1, 11)
_ABOUT = {
    "Potential@{}": "share of targets with a gold substitute among the first {}",
    "ACC@{}@Top1": "share of targets with the commonest gold substitute among the first {}",
    "MAP@{}": "mean average precision of the first {}",
    "Precision@{}": "mean share of the first {} that are gold substitutes",
    "Recall@{}": "mean share of the gold substitutes that are among the first {}",
}
_DESCRIPTIONS = {
    title.format(rank): about.format(rank) for title, about in _ABOUT.items() for rank in RANKS
}
TITLES = tuple(_DESCRIPTIONS)
"""Titles of all scores, in the order of their numbers."""

USUAL = (
    *("Potential@1", "ACC@1@Top1", "ACC@2@Top1", "ACC@3@Top1", "MAP@3", "MAP@5", "MAP@10"),
    *("Potential@3", "Potential@5", "Potential@10"),
)
"""Titles of the scores in the tables of TSAR-2022, in their order."""


def key_of(title: str) -> str:
    """Return a score's name in results.

    >>> key_of("ACC@1@Top1")
    'acc_1_top1'
    """
    return title.lower().replace("@", "_")


class Gold(NamedTuple):
    """What a target's substitutes are compared with."""

    target: str
    substitutes: frozenset[str]
    commonest: frozenset[str]


@dataclass(frozen=True)
class LexicalSubstitution(MeanMetric):
    """How well ranked substitutes of complex words match those of annotators.

    The target itself and repetitions are dropped from a system's substitutes first. Let p be the
    rest in order, G the distinct gold substitutes, and T the commonest of them, all that tie:

    - Potential@K is 1 if one of the first K is in G, else 0.
    - ACC@K@Top1 is 1 if one of the first K is in T, else 0.
    - MAP@K sums, over the ranks i up to K whose substitute is in G, the share of p up to i that is
      in G. The sum is divided by K, however many substitutes there are.
    - Precision@K is the share of the first K that is in G. If there are fewer, it is their share.
    - Recall@K is the share of G that is among the first K.

    All are means over targets. A target without substitutes has 0. Strings are compared as they
    are: cased, without lemmas. Potential@1 is called ACC@1 in tables of shared tasks.

    Example:
        >>> from textsimp import LexicalSubstitution
        >>> scores = LexicalSubstitution().score(
        ...     targets=["erected", "capitulated"],
        ...     gold=[["built", "built", "made"], ["gave in", "surrendered", "gave in"]],
        ...     substitutes=[["raised", "built", "made"], ["surrendered"]],
        ... )
        >>> scores["potential_1"], scores["potential_3"], scores["acc_3_top1"]
        (0.5, 1.0, 0.5)
        >>> scores["recall_3"]
        0.75
    """

    name: ClassVar[str] = "lexical_substitution"
    about: ClassVar[str] = "how well ranked substitutes of complex words match those of annotators"
    papers: ClassVar = (
        "saggion-etal-2022-findings",
        "shardlow-etal-2024-bea",
        "stajner-etal-2022-lexical",
    )
    columns: ClassVar = (
        SOURCES.optional,
        Column("targets", "text", "the complex words, one per example", "target"),
        Column(
            "gold",
            "texts",
            "annotators' substitutes of each target: a list with one per annotator, so that "
            "repetitions count",
            items=True,
        ),
        Column(
            "substitutes",
            "texts",
            "a system's substitutes of each target: a list, the best first, which may be empty",
            "substitute",
            own=True,
            items=True,
        ),
    )
    presets: ClassVar = {
        "tsar2022": Preset("TSAR-2022: annotators who gave the target itself don't count"),
        "mlsp2024": Preset(
            "MLSP-2024: the target stays in gold; if it is the commonest, no system can score at "
            "@Top1"
        ),
    }
    scores: ClassVar = tuple(
        Score(key_of(title), title, _DESCRIPTIONS[title], most=1, better="higher", decimals=4)
        for title in dict.fromkeys((*USUAL, *TITLES))
    )

    def prepare(
        self, sources: list[str] | None, targets: list[str], gold: list[list[str]]
    ) -> list[Gold]:
        """Return the sets that each target's substitutes are compared with."""
        prepared = []
        for target, substitutes in zip(targets, gold, strict=True):
            kept = self.variant == "mlsp2024"
            counts = Counter(item for item in substitutes if kept or item != target)
            most = max(counts.values(), default=0)
            commonest = frozenset(item for item, count in counts.items() if count == most)
            prepared.append(Gold(target, frozenset(counts), commonest))
        return prepared

    def mean_names(self) -> tuple[str, ...]:
        return tuple(map(key_of, TITLES))

    def numbers(self, prepared: list[Gold], substitutes: list[list[str]]) -> Floats:
        """Return (n, 50) scores of each example, in the order of `TITLES`."""
        in_gold = np.zeros((len(prepared), len(RANKS)))
        in_commonest = np.zeros_like(in_gold)
        lengths = np.zeros((len(prepared), 1))
        for i, (gold, row) in enumerate(zip(prepared, substitutes, strict=True)):
            kept = [item for item in dict.fromkeys(row) if item != gold.target][: len(RANKS)]
            lengths[i] = len(kept)
            in_gold[i, : len(kept)] = [item in gold.substitutes for item in kept]
            in_commonest[i, : len(kept)] = [item in gold.commonest for item in kept]
        ranks = np.array(RANKS)
        hits = in_gold.cumsum(axis=1)
        sizes = np.array([[len(gold.substitutes)] for gold in prepared])
        potential, accuracy = hits > 0, in_commonest.cumsum(axis=1) > 0
        average_precision = (in_gold * hits / ranks).cumsum(axis=1) / ranks
        precision, recall = divide(hits, np.minimum(lengths, ranks)), divide(hits, sizes)
        return np.column_stack([potential, accuracy, average_precision, precision, recall])
