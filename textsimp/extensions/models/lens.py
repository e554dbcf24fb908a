"""LENS, LENS-SALSA and their kind: a model trained on people's ratings of simplifications.

Maddela et al. (2023) is the paper of LENS, Heineman et al. (2023) that of LENS-SALSA.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy.special import ndtr

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import option
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints, lens_model
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.sides import best_references
from textsimp.support.errors import InputError
from textsimp.text.languages import LanguageProfile, language_reads

Prepared = tuple[list[str], list[list[str]]]
"""Sources, and references; LENS-SALSA reads none."""


@dataclass(frozen=True)
class Lens(SentenceMetric, ModelMetric, MeanMetric):
    """The rating that a model of LENS or LENS-SALSA predicts, mean over examples.

    LENS reads source, output and reference; the reference with the highest number counts.
    LENS-SALSA reads output and source. Both are times 100, as by the package lens-metric.
    `rescale` converts the number of LENS to 0–100.
    """

    name: ClassVar[str] = "lens"
    about: ClassVar[str] = (
        "experimental: LENS and LENS-SALSA, models trained on people's ratings of simplifications"
    )
    papers: ClassVar = ("maddela-etal-2023-lens", "heineman-etal-2023-dancing")
    columns: ClassVar = (SOURCES, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"maddela": Preset("as the authors' package lens-metric")}
    characters_at_once: ClassVar = (
        2**18
    )  # some 2,500 texts, of which vectors are in memory together
    scores: ClassVar = (
        Score("lens", "LENS", "the model's rating times 100", None, None, better="higher"),
    )

    rescale: bool = option(
        False,
        about="convert the number of LENS, which is a standard score, to 0–100 by the normal "
        "distribution",
        labels={True: "yes", False: "no"},
        always=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.rescale and lens_model.is_salsa(self.pretrained):
            raise InputError("rescale: expected False for LENS-SALSA, got True")

    def misfit(self, texts: LanguageProfile) -> str:
        """Say that the models learned from ratings of English."""
        return "" if language_reads("en", texts) else "it learned from ratings of English"

    def paper_keys(self) -> tuple[str, ...]:
        """Return the paper of the kind of model."""
        return self.papers[1:] if lens_model.is_salsa(self.pretrained) else self.papers[:1]

    def prepare(self, sources: list[str], references: list[list[str]] | None) -> Prepared:
        if references is None and not lens_model.is_salsa(self.pretrained):
            raise InputError("references: lens with this model needs this column, got none")
        return sources, references or []

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n,) ratings; of several references the highest."""
        model = checkpoints.load_once(self.pretrained, lens_model.LensModel)
        sources, references = prepared
        if lens_model.is_salsa(self.pretrained):
            best = np.array(model.rate([*zip(predictions, sources, strict=True)]))
        else:
            rows = zip(sources, predictions, references, strict=True)
            texts = [(source, output, text) for source, output, row in rows for text in row]
            numbers = model.estimate(*zip(*texts, strict=True)).astype(np.float64)
            best = best_references(numbers, [*map(len, references)])
        ratings_in_percent: Floats = 100 * (ndtr(best) if self.rescale else best)
        return ratings_in_percent
