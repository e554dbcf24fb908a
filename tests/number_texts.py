"""A metric of which tests choose every score: the mean of the numbers that texts begin with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, SOURCES, Preset, Score
from textsimp.core.examples import Examples
from textsimp.core.metric import MeanMetric
from textsimp.scoring import comparison
from textsimp.scoring.systems import add_baselines, score_baselines

N = 10  # examples: 1,024 ways to swap outputs, so permutation tests of 2,000 resamples are exact


@dataclass(frozen=True)
class Number(MeanMetric):
    """The mean of the numbers that the outputs begin with; ``nan`` is a missing one."""

    name: ClassVar[str] = "number"
    about: ClassVar[str] = "what outputs say"
    papers: ClassVar = ()
    people: ClassVar[str] = "it is what it is"
    columns: ClassVar = (SOURCES, PREDICTIONS)
    presets: ClassVar = {"usual": Preset("as they are")}
    scores: ClassVar = (Score("number", "Number", "a mean", None, None, "higher", decimals=2),)
    incomplete: ClassVar[bool] = True
    undefined: ClassVar[float] = math.nan

    def prepare(self, sources):
        return None

    def numbers(self, prepared, predictions):
        return np.array([[float(text.split()[0])] for text in predictions])


@dataclass(frozen=True)
class Fewer(Number):
    """The same, of which less is better."""

    name: ClassVar[str] = "fewer"
    scores: ClassVar = (Score("number", "Fewer", "a mean", None, None, "lower", decimals=2),)


def around(mean, spread=0):
    """Numbers with this mean, half of them above and half below."""
    return [mean + spread, mean - spread] * (N // 2)


def texts(numbers, n=N):
    """Numbers as texts; one stands for all."""
    return [str(x) for x in (numbers if isinstance(numbers, Sequence) else [numbers] * n)]


def compared(
    systems, sources=0, metric=None, *, baselines=True, confidence=0.95, resamples=2000, **options
):
    """Compare numbers with each other, and with those of sources."""
    n = len(next(iter(systems.values())))
    outputs = {name: {"predictions": texts(own)} for name, own in systems.items()}
    examples, added, hidden = Examples({"sources": texts(sources, n)}, outputs), [], []
    if baselines:
        examples, added, hidden = add_baselines(examples)
    measured = score_baselines((metric or Number()).measure(examples), hidden)
    sampling = {"confidence": confidence, "resamples": resamples, "seed": 0}
    options = {"baselines": added, "all_pairs": True, **sampling, **options}
    return comparison.make_comparison(measured, **options)
