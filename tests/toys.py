"""Metrics that read more than texts, as small as can be: for tests of what follows from columns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column, Preset, Score
from textsimp.core.metric import MeanMetric, Metric, divide
from textsimp.core.option import option


@dataclass(frozen=True)
class Marked(Metric):
    """Share of outputs that most annotators marked, and their mean weight."""

    name: ClassVar[str] = "marked"
    about: ClassVar[str] = "outputs that most annotators marked"
    papers: ClassVar = ()
    columns: ClassVar = (
        SOURCES.optional,
        PREDICTIONS,
        Column("mark", "labels", "marks of the annotators: 1 or 0", own=True, labels=(0, 1)),
        Column("weight", "number", "how much a source counts", required=False),
    )
    presets: ClassVar = {"usual": Preset("one half is not most")}
    scores: ClassVar = (
        Score("marked", "Marked", "share of those with a mark", most=1, better="lower"),
        Score("labelled", "Labelled", "outputs with a mark", most=None, unit="outputs"),
    )

    least: int = option(1, about="labels that an output must have", least=1, most=9, tag="")

    def prepare(self, sources, weight):
        return weight

    def statistics(self, prepared, predictions, mark):
        weights = np.array(prepared if prepared is not None else [1.0] * len(mark))
        labelled = np.array([len(row) >= self.least for row in mark])
        most = np.array([2 * sum(row) > len(row) for row in mark])
        return np.column_stack([weights * (labelled & most), weights * labelled, labelled])

    def reduce(self, totals):
        return {
            "marked": divide(totals[..., 0], totals[..., 1]),
            "labelled": totals[..., 2].astype(np.int64),
        }


@dataclass(frozen=True)
class Parsed(MeanMetric):
    """Mean depth of trees that were parsed elsewhere."""

    name: ClassVar[str] = "parsed"
    about: ClassVar[str] = "how deep trees are"
    papers: ClassVar = ()
    columns: ClassVar = (PREDICTIONS, Column("trees", "structured", "nested lists", own=True))
    presets: ClassVar = {"usual": Preset("levels below the root")}
    scores: ClassVar = (Score("depth", "Depth", "levels", most=None),)

    def numbers(self, prepared, predictions, trees):
        return np.array([*map(depth, trees)], np.float64)


def depth(tree):
    return 1 + max(map(depth, tree), default=0) if isinstance(tree, list) else 0


@dataclass(frozen=True)
class Long(MeanMetric):
    """Percentage of outputs that are long, by options that nobody else has."""

    name: ClassVar[str] = "long"
    about: ClassVar[str] = "outputs that are long"
    papers: ClassVar = ()
    columns: ClassVar = (PREDICTIONS,)
    presets: ClassVar = {
        "words": Preset("longer than three words"),
        "letters": Preset("longer than twelve letters", {"unit": "letters", "most": 12}),
    }
    scores: ClassVar = (Score("long", "Long", "share of long outputs", better="lower"),)

    unit: str = option("words", about="what counts", choices=("words", "letters"))
    most: int = option(3, about="what isn't long yet", least=1, most=99)
    strict: bool = option(True, about="more than that")
    loud: bool = option(False, about="changes nothing", tag="")

    def numbers(self, prepared, predictions):
        sizes = [len(text.split() if self.unit == "words" else text) for text in predictions]
        least = self.most + self.strict
        return np.array([100.0 * (size >= least) for size in sizes])
