"""How good predicted labels of information errors are, beside baselines."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.metric import Floats, divide
from textsimp.core.sample import Sample, compare
from textsimp.core.significance import Difference
from textsimp.core.tables import Grid, Tabular
from textsimp.errors.labels import Ints, LabelledRows
from textsimp.metrics.information_errors import GIBBERISH


@dataclass(frozen=True)
class Assessment:
    """Scores of a predictor's labels.

    Attributes:
        labels: The labels there are, in the order of all lists.
        f1: F1 of each label, 0 to 1; 0 for a label that neither is there nor is predicted.
        f1_intervals: [low, high] of each; None if none were asked for.
        mean_f1: Mean of F1(1) and F1(2), 0 to 1.
        mean_f1_interval: Its [low, high].
        confusion: A row per true label, and in it how often each label was predicted.
    """

    labels: list[int]
    f1: list[float]
    f1_intervals: list[list[float]] | None
    mean_f1: float
    mean_f1_interval: list[float] | None
    confusion: list[list[int]]


@dataclass(frozen=True, eq=False)
class Report(Tabular):
    """Scores of a classifier's labels, beside those of baselines.

    Attributes:
        category: Which errors.
        predictors: Name → `Assessment`. The first is the classifier; ``features`` is a logistic
            regression on `textsimp.errors.features`; ``majority`` gives every output the most
            frequent label.
        differences: Baseline → the classifier's mean F1 minus the baseline's, with paired tests.
        outputs: How many labelled outputs it is measured on.
        sources: How many sources they have; these are resampled.
        confidence: Coverage of the intervals.
        notes: How it was measured, and what to beware of.
    """

    category: str
    predictors: Mapping[str, Assessment]
    differences: Mapping[str, Difference]
    outputs: int
    sources: int
    confidence: float | None
    notes: Sequence[str]

    @property
    def beats_baselines(self) -> bool:
        """Whether its mean F1 is significantly above each baseline's; False without intervals."""
        return bool(self.differences) and all(
            difference.interval[0] > 0 for difference in self.differences.values()
        )

    def to_dict(self) -> dict[str, Any]:
        """All as plain data, as JSON can hold it, with the names of the fields."""
        return asdict(self)

    def grid(self) -> Grid:
        """A row per predictor: F1 of each label, and the mean of F1(1) and F1(2), in percent."""
        first = next(iter(self.predictors.values()))
        header = ["", *(f"F1({_name(label)})" for label in first.labels), "mean of F1(1), F1(2)"]
        rows = []
        for name, one in self.predictors.items():
            bounds: Any = one.f1_intervals or [None] * len(one.f1)
            cells = [_percent(*pair) for pair in zip(one.f1, bounds, strict=True)]
            rows.append([name, *cells, _percent(one.mean_f1, one.mean_f1_interval)])
        counts = ", ".join(
            f"{sum(row):,} of {_name(label)}"
            for label, row in zip(first.labels, first.confusion, strict=True)
        )
        notes = [
            f"{self.category}: {self.outputs:,} outputs of {self.sources:,} sources ({counts})"
        ]
        if self.confidence is not None:
            notes.append(f"intervals: {self.confidence:.0%}, bootstrap over sources")
        return Grid(header, rows, [*notes, *self.notes])


def assess(
    rows: LabelledRows,
    predicted: Mapping[str, Ints],
    *,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
    notes: Sequence[str] = (),
) -> Report:
    """Compare predicted labels with those that people gave; the first predictor with the others."""
    seen = {*rows.labels.tolist(), *np.concatenate(list(predicted.values())).tolist()}
    labels = [0, 1, 2, *([GIBBERISH] if GIBBERISH in seen else [])]
    k = len(labels)
    _, sources = np.unique(rows.groups, return_inverse=True)
    n = int(sources.max()) + 1

    def counts(guesses: Ints) -> Floats:
        """(sources, k²) how often a source has a label and is given another."""
        cells = (sources * k + rows.labels % k) * k + guesses % k  # -1 is the last of four
        return np.bincount(cells, minlength=n * k * k).reshape(n, k * k).astype(np.float64)

    samples = {name: Sample(counts(guesses), f1) for name, guesses in predicted.items()}
    sampling: dict[str, Any] = {"confidence": confidence, "resamples": resamples, "seed": seed}
    predictors = {}
    for name, sample in samples.items():
        values = sample.value()
        bounds = {} if confidence is None else sample.interval(**sampling)
        predictors[name] = Assessment(
            labels=labels,
            f1=values["f1"].tolist(),
            f1_intervals=bounds.get("f1"),
            mean_f1=float(values["mean_f1"]),
            mean_f1_interval=bounds.get("mean_f1"),
            confusion=sample.rows.sum(axis=0).reshape(k, k).astype(int).tolist(),
        )
    first, *others = samples
    differences = {}
    if confidence is not None:
        pairs = [(other, first) for other in others]
        tests = compare(samples, pairs, **sampling)
        differences = {other: tests[other, first]["mean_f1"] for other in others}
    return Report(rows.category, predictors, differences, len(rows), n, confidence, list(notes))


def f1(totals: Floats) -> dict[str, Floats]:
    """F1 of each label, and the mean of those of 1 and 2, from (..., k²) confusion counts.

    >>> scores = f1(np.array([2.0, 1, 0, 0, 1, 0, 0, 0, 0]))
    >>> scores["f1"].round(3).tolist(), round(float(scores["mean_f1"]), 3)
    ([0.8, 0.667, 0.0], 0.333)
    """
    k = round(totals.shape[-1] ** 0.5)
    matrix = totals.reshape(*totals.shape[:-1], k, k)
    right = np.diagonal(matrix, axis1=-2, axis2=-1)
    values = divide(2 * right, matrix.sum(axis=-1) + matrix.sum(axis=-2))
    return {"f1": values, "mean_f1": values[..., 1:3].mean(axis=-1)}


def _name(label: int) -> str:
    return "gibberish" if label == GIBBERISH else str(label)


def _percent(value: float, bounds: Sequence[float] | None) -> str:
    scaled = None if bounds is None else [100 * bound for bound in bounds]
    return tables.cell(100 * value, scaled, 1)
