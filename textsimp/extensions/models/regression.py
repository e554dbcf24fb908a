"""Numbers that a pretrained model gives texts or pairs of texts: SLE, MeaningBERT and the like.

Cripwell et al. (2023) is the paper of SLE, Beauchemin et al. (2023) that of MeaningBERT.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Preset, Score
from textsimp.core.metric import Floats, MeanMetric
from textsimp.core.option import option
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.inference import Classifier, Text
from textsimp.metrics.aligned import SentenceMetric
from textsimp.metrics.sides import CountedSides, best_references, count_sides
from textsimp.support.errors import InputError, listed

NOTHING, SOURCE, REFERENCE = "nothing", "source", "reference"

_SLE, _MEANINGBERT = "cripwell-etal-2023-simplicity", "beauchemin-etal-2023-meaningbert"


Prepared = tuple[list[list[str]] | None, CountedSides]
"""Texts that each output is read together with, if any; numbers of sources and references."""


@dataclass(frozen=True)
class Regression(SentenceMetric, ModelMetric, MeanMetric):
    """The number of a model for outputs, or for each with its source or reference.

    Scores are means over examples, on the model's scale. If the model reads outputs alone,
    there are also the numbers of sources and references (the mean of several), and the difference
    from the sources: ΔSLE, of the model SLE. With references, an output's highest number counts.
    """

    name: ClassVar[str] = "regression"
    about: ClassVar[str] = (
        "experimental: the number that a model such as SLE or MeaningBERT gives texts or pairs"
    )
    papers: ClassVar = (_SLE, _MEANINGBERT)
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional)
    presets: ClassVar = {"mean": Preset("means over examples")}
    scores: ClassVar = (
        Score(
            "regression",
            "Regression",
            "mean of the model's numbers, on its scale",
            least=None,
            most=None,
            better="higher",
        ),
        Score(
            "difference",
            "Difference",
            "difference from the sources, where the model reads texts alone",
            least=None,
            most=None,
            better="higher",
        ),
    )

    paired_with: str = option(
        about="what the model reads together with an output: `nothing`, as SLE; the `source`, as "
        "MeaningBERT; or each `reference`. The other text is the first of the pair",
        choices=(NOTHING, SOURCE, REFERENCE),
        tag="pair",
        always=True,
    )

    def __post_init__(self) -> None:
        super().__post_init__()
        labels = checkpoints.label_names(self.pretrained)
        if len(labels) != 1:
            raise InputError(
                f"model: regression expects a model with one number, {self.model} has the "
                f"labels {listed(labels)}: it is for the metric level"
            )

    def paper_keys(self) -> tuple[str, ...]:
        """Return the paper of a model that reads such texts."""
        return (_SLE if self.paired_with == NOTHING else _MEANINGBERT,)

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        """``regression``; where outputs are read alone also what needs sources and references."""
        if self.paired_with != NOTHING:
            return ("regression",)
        sources = ("difference", "source_regression") if "sources" in shared else ()
        references = ("reference_regression",) if "references" in shared else ()
        return ("regression", *sources, *references)

    def prepare(self, sources: list[str] | None, references: list[list[str]] | None) -> Prepared:
        if self.paired_with == NOTHING:
            return None, count_sides(self._numbers, sources, references)
        others = references
        if self.paired_with == SOURCE:
            others = None if sources is None else [[text] for text in sources]
        if others is None:
            raise InputError(
                f"{self.paired_with}s: regression with paired_with={self.paired_with!r} needs this "
                "column, got none"
            )
        return others, CountedSides(self._numbers, None, None)

    def mean_names(self) -> tuple[str, ...]:
        return ("regression", "difference", "source_regression", "reference_regression")

    def numbers(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n, 4) numbers; those of missing texts are 0."""
        others, sides = prepared
        if others is None:
            outputs = self._numbers(predictions)
        else:
            rows = zip(others, predictions, strict=True)
            numbers = self._numbers([(other, output) for row, output in rows for other in row])
            outputs = best_references(numbers, [*map(len, others)])
        sources, references = sides.others(outputs)
        return np.hstack([outputs, outputs - sources, sources, references])

    def _numbers(self, texts: Sequence[Text]) -> Floats:
        """(n, 1) of texts or pairs."""
        return checkpoints.load_once(self.pretrained, Classifier).logits(texts)
