"""Likeness of whole texts: the cosine of the vectors of a model (Reimers & Gurevych 2019)."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.inference import Embedder, check_embedder
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.sides import best_references

Prepared = tuple[list[str], list[list[str]] | None]
"""Sources and references."""


@dataclass(frozen=True)
class EmbeddingSimilarity(SentenceMetric, ModelMetric, MeanMetric):
    """Cosine of an output's vector to that of the most similar reference, and to the source's.

    Scores are means over examples, in percent. A text of white space scores 0 with any other. A
    copy scores 100 with its source: that measures how much is kept, not whether it is simple.

    The model's configuration for sentence-transformers says how vectors are made. Without one,
    they are means of the last layer's vectors of all tokens, special tokens included.
    """

    name: ClassVar[str] = "embedding_similarity"
    about: ClassVar[str] = (
        "experimental: likeness to source and references, by a pretrained model's vectors"
    )
    papers: ClassVar = ("reimers-gurevych-2019-sentence",)
    columns: ClassVar = (SOURCES, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"cosine": Preset("of vectors of whole texts")}
    meaning: ClassVar = "similarity_to_source"
    scores: ClassVar = (
        Score(
            "similarity_to_references",
            "similarity to references",
            "cosine to the most similar reference",
            -100,
            better="higher",
        ),
        Score("similarity_to_source", "similarity to source", "cosine to the source", -100),
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        check_embedder(self.pretrained)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """With references likeness to these comes first, which has a direction."""
        return self.mean_names() if "references" in shared else self.mean_names()[1:]

    def prepare(self, sources: list[str], references: list[list[str]] | None) -> Prepared:
        return sources, references

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n, 2) cosines to the nearest reference (0 if none) and the source, in percent."""
        embed = checkpoints.load_once(self.pretrained, Embedder).vectors
        sources, references = prepared
        outputs = embed(predictions).astype(np.float64)
        rows = np.zeros((len(predictions), 2))
        rows[:, 1] = (outputs * embed(sources)).sum(axis=1)
        if references is not None:
            sizes = [*map(len, references)]
            texts = embed([*itertools.chain.from_iterable(references)])
            cosines = (np.repeat(outputs, sizes, axis=0) * texts).sum(axis=1)
            rows[:, 0] = best_references(cosines, sizes)
        return 100 * np.clip(rows, -1, 1)
