"""CEFR levels of texts by classifiers, and how near they are to target levels.

Targets count as in the TSAR 2025 shared task (Alva-Manchego et al. 2025).
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column, Preset, Score
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, divide
from textsimp.extensions.models.modelled import ModelMetric
from textsimp.extensions.models.networks import checkpoints
from textsimp.extensions.models.networks.checkpoints import Pretrained
from textsimp.extensions.models.networks.inference import Classifier
from textsimp.metrics.sides import CountedSides, count_sides, side_names
from textsimp.support.errors import InputError, RowError, listed

CEFR = ("A1", "A2", "B1", "B2", "C1", "C2")
TARGETS = Column(
    "targets",
    "labels",
    "the levels that the outputs should have, None where it doesn't matter",
    "target_level",
    required=False,
)

_SHARES = tuple(f"level_{name.lower()}" for name in CEFR)
_TARGET_SCORES = (  # with targets
    *("at_or_under", "accuracy", "adjacent_accuracy", "weighted_f1", "rmse"),
    "with_target",
)


Prepared = tuple[CountedSides, NDArray[np.int64] | None]
"""Levels of sources and references; (n,) numbers of targets from 0, 6 for none."""


@dataclass(frozen=True)
class Level(ModelMetric):
    """CEFR levels of texts by one or more classifiers, and their distance from targets.

    A text's level is the most probable level. Of several classifiers the most confident counts; of
    equally confident ones the first. Scores describe the corpus: shares of the texts, and their
    mean level, counted from 1 for the lowest. If an example has several references, their counts
    are averaged.

    The column ``targets`` has the levels that the outputs should have. Examples without a target
    don't count in the scores that compare with it.
    """

    name: ClassVar[str] = "level"
    about: ClassVar[str] = (
        "experimental: CEFR levels that classifiers give the texts, and how near they are to a "
        "target"
    )
    papers: ClassVar = ("alva-manchego-etal-2025-findings",)
    columns: ClassVar = (SOURCES.optional, PREDICTIONS, REFERENCES.optional, TARGETS)
    presets: ClassVar = {"confident": Preset("of several classifiers the most confident one's")}
    scores: ClassVar = (
        Score("mean_level", "Mean level", "mean level; 1 is the lowest", most=None, decimals=2),
        Score("shares", "Shares", "share per level, lowest first", most=1, unit="share", many=True),
        *(
            Score.share(key, name, f"texts of CEFR level {name}")
            for key, name in zip(_SHARES, CEFR, strict=True)
        ),
        Score.share(
            "at_or_under",
            "At or under the target",
            "outputs whose level isn't above the target",
            "higher",
        ),
        Score.share("accuracy", "Accuracy", "outputs of the target level", "higher"),
        Score.share(
            "adjacent_accuracy",
            "Adjacent accuracy",
            "outputs of the target level or the next above or below",
            "higher",
        ),
        Score(
            "weighted_f1",
            "Weighted F1",
            "mean of the levels' F1, weighted by how often each is the target",
            most=1,
            better="higher",
            decimals=3,
        ),
        Score(
            "rmse",
            "RMSE",
            "root mean squared error to the target, in levels",
            most=None,
            better="lower",
            decimals=3,
        ),
        Score("with_target", "With a target", "outputs", most=None, unit="outputs", decimals=0),
    )
    profiles: ClassVar = {"Texts by CEFR level": _SHARES}

    def __post_init__(self) -> None:
        super().__post_init__()
        for model in self.models():
            _levels(model)

    def models(self) -> list[Pretrained]:
        """The classifiers."""
        models = [name.strip() for name in self.model.split(",")]
        if not all(models):
            raise InputError(f"model: expected names separated by commas, got {self.model!r}")
        if self.revision is not None and len(models) > 1:
            raise InputError(f"revision: expected none of several models, got {self.revision!r}")
        return [replace(self.pretrained, model=name) for name in models]

    def score_names(self, shared: Sequence[str] = ()) -> tuple[str, ...]:
        names = ["mean_level", "shares", *_SHARES]
        of_others = side_names(names, shared)[len(names) :]
        targets = _TARGET_SCORES if TARGETS.name in shared else ()
        return (*names, *targets, *of_others)

    def compute_statistics(
        self, examples: Examples, *args: Any, piece: bool = False, **more: Any
    ) -> dict[str, Floats]:
        """Check all targets, and that there is one, before a text is read."""
        targets = examples.shared.get(TARGETS.name)
        if targets is not None:
            self._numbers(targets)
            if not piece and not any(targets):
                raise InputError("targets: expected a level, got none in any row")
        return super().compute_statistics(examples, *args, piece=piece, **more)

    def prepare(
        self,
        sources: list[str] | None,
        references: list[list[str]] | None,
        targets: list[list[str]] | None = None,
    ) -> Prepared:
        numbers = None if targets is None else self._numbers(targets)
        return count_sides(self._one_hot, sources, references), numbers

    def statistics(self, prepared: Prepared, predictions: list[str]) -> Floats:
        """Return (n, 54) statistics.

        First a 1 at target and level, row by row, the last row for no target. Then 1 for the level
        of the source, and 1 for that of the reference. Zeros stand for missing texts.
        """
        sides, targets = prepared
        n, m = len(predictions), len(CEFR)
        table = np.zeros((n, m + 1, m))
        rows = np.full(n, m) if targets is None else targets
        table[np.arange(n), rows, self._classify(predictions)[0]] = 1
        return np.hstack([table.reshape(n, -1), *sides.others(np.zeros((n, m)))])

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Means and shares of counts: (..., 54) → (...), or (..., 6)."""
        m = len(CEFR)
        predictions, *sides = np.split(totals, [m * (m + 1), m * (m + 2)], axis=-1)
        table = predictions.reshape(*predictions.shape[:-1], m + 1, m)
        scores: dict[str, Any] = {}
        for side, counts in zip(
            ("", "source_", "reference_"), (table.sum(axis=-2), *sides), strict=True
        ):
            shares = divide(counts, counts.sum(axis=-1, keepdims=True))
            scores[f"{side}mean_level"] = shares @ np.arange(1, m + 1)
            scores[f"{side}shares"] = shares
            scores |= {side + key: shares[..., i] for i, key in enumerate(_SHARES)}
        return scores | compare_levels(table[..., :m, :])

    def details(self, *, predictions: list[str], **columns: Any) -> dict[str, list[Any]]:
        """``level`` and ``confidence``, the share of its probability, of each output."""
        numbers, confidences = self._classify(predictions)
        return {"level": [CEFR[i] for i in numbers], "confidence": confidences.tolist()}

    def _numbers(self, targets: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """(n,) the number of each target from 0; that of levels where there is none."""
        column = np.full(len(targets), len(CEFR))
        for i, row in enumerate(targets):
            names = [target.strip().upper() for target in row]
            if len(names) > 1 or not {*names} <= {*CEFR}:
                expected = f"expected one of {', '.join(CEFR)} or None"
                raise RowError(i, "targets", f"{expected}, got {listed(row)}")
            column[i] = CEFR.index(names[0]) if names else len(CEFR)
        return column

    def _one_hot(self, texts: list[str]) -> Floats:
        return np.eye(len(CEFR))[self._classify(texts)[0]]

    def _classify(self, texts: list[str]) -> tuple[NDArray[np.int64], Floats]:
        """(n,) the number of each text's level from 0; (n,) how probable it is."""
        numbers, confidences = np.zeros(len(texts), np.int64), np.zeros(len(texts))
        for model in self.models():
            levels = np.array(_levels(model))
            order = levels.argsort()
            classifier = checkpoints.load_once(model, Classifier)
            shares = classifier.probabilities(texts, order)
            surer = shares.max(axis=1) > confidences  # of equals the first
            numbers = np.where(surer, levels[order][shares.argmax(axis=1)], numbers)
            confidences = np.where(surer, shares.max(axis=1), confidences)
        return numbers, confidences


def compare_levels(table: Floats) -> dict[str, Any]:
    """Return the scores of (..., m, m) counts of outputs by target and level."""
    m = table.shape[-1]
    above = np.arange(m) - np.arange(m)[:, None]  # the target, of each target and level
    counted = table.sum(axis=(-2, -1))

    def mean(values: Any) -> Floats:
        return divide((table * values).sum(axis=(-2, -1)), counted, np.nan)

    wanted, hits = table.sum(axis=-1), np.diagonal(table, axis1=-2, axis2=-1)
    f1 = divide(2 * hits, wanted + table.sum(axis=-2))
    return {
        "at_or_under": mean(above <= 0),
        "accuracy": mean(above == 0),
        "adjacent_accuracy": mean(np.abs(above) <= 1),
        "weighted_f1": divide((f1 * wanted).sum(axis=-1), counted, np.nan),
        "rmse": np.sqrt(mean(above**2)),
        "with_target": counted.astype(np.int64),
    }


def _levels(model: Pretrained) -> list[int]:
    """Return the levels that a classifier's labels are, as numbers from 0."""
    names = [name.strip().upper() for name in checkpoints.label_names(model)]
    if len(names) < 2 or not {*names} <= {*CEFR}:
        raise InputError(
            f"model: level expects a classifier of {', '.join(CEFR)}, {model.model} has "
            f"{listed(names)}"
        )
    return [*map(CEFR.index, names)]
