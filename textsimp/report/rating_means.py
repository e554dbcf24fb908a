"""People's ratings as a metric, so that they stand beside scores wherever these stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textsimp.core.declarations import Column, Preset, Score
from textsimp.metrics.column import Means

RATING = "rating"
"""The column of ratings, unless others are named."""


@dataclass(frozen=True)
class RatingMeans(Means):
    """Means of ratings, each the mean of an output's raters. Outputs without any don't count."""

    name: ClassVar[str] = "ratings"
    about: ClassVar[str] = "what people think of outputs"
    description: ClassVar[str] = "The mean of people's ratings; higher is better."
    papers: ClassVar = ()
    people: ClassVar[str] = "it is what people said, and as good as their agreement"
    presets: ClassVar = {"mean": Preset("each output counts once, however many rated it")}


def read(questions: Sequence[str]) -> RatingMeans:
    """Return the metric of columns of ratings; without names that of ``rating``, if there is one.

    >>> means = read(["simplicity"])
    >>> float(means.score(simplicity=[[3, 4], [1], None])["simplicity"])
    2.25
    """
    names = questions or [RATING]
    columns = tuple(
        Column(name, "ratings", "people's ratings", own=True, required=bool(questions))
        for name in names
    )
    titles = {name: f"{name} (raters)" for name in names} | {RATING: "people's rating"}
    scores = tuple(Score(name, titles[name], "mean", None, None, "higher") for name in names)
    kind = type(RatingMeans.__name__, (RatingMeans,), {"columns": columns, "scores": scores})
    means: RatingMeans = kind("mean")
    return means
