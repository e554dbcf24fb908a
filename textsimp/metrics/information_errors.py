"""Information errors in outputs, as people labelled them (Devaraj et al. 2022)."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from textsimp.core.declarations import PREDICTIONS, SOURCES, Column, Preset, Score
from textsimp.core.metric import Floats, Metric, divide

__all__ = ["CATEGORIES", "LABELS", "InformationErrors", "majority"]

CATEGORIES = ("insertion", "deletion", "substitution")
GIBBERISH = -1
LABELS = (0, 1, 2, GIBBERISH)
QUESTIONS = {
    "insertion": "what the output says and the source does not",
    "deletion": "what the source says and the output does not",
    "substitution": "what the output says otherwise than the source",
}
_MEANINGS = {  # of the labels, in their order
    "0": "none or trivial",
    "1": "nontrivial, the main idea is kept",
    "2": "the main idea is not kept",
    "gibberish": "gibberish",
}
_SIZE = len(LABELS)  # statistics of a category


def _column(category: str) -> Column:
    about = (
        f"labels of {QUESTIONS[category]}: 0, 1, 2 or -1 (gibberish), one or one of each annotator"
    )
    return Column(category, "labels", about, own=True, labels=LABELS)


def _scores(category: str) -> tuple[Score, ...]:
    title = category.capitalize()
    return (
        *(
            Score(f"{category}_{name}", f"{title} {name}", f"{meaning}, % of outputs")
            for name, meaning in _MEANINGS.items()
        ),
        Score(f"{category}_labelled", f"{title} labelled", "outputs", most=None, unit="outputs"),
        Score(
            f"{category}_rate",
            f"{title} rate",
            "share of the labelled with 1 or 2",
            most=1,
            better="lower",
            unit="share",
        ),
        Score(
            f"{category}_severity",
            f"{title} severity",
            "mean of the labels 0, 1 and 2",
            most=2,
            better="lower",
        ),
    )


@dataclass(frozen=True)
class InformationErrors(Metric):
    """Frequency and severity of information errors in outputs, from annotators' labels.

    Annotators label what was inserted, deleted and substituted in each output. A label is 0
    (nothing, or trivial), 1 (nontrivial, but the main idea is kept), 2 (the main idea is not kept)
    or -1 (the output is gibberish). With several annotators the label of more than half of them
    counts. A row without one is left out for that category only. Two systems are compared on the
    rows that are labelled for both.

    Percentages are of an output's labelled rows, gibberish among them. The severity is a mean over
    0, 1 and 2, without gibberish. Without labelled rows all are 0, and ``<category>_labelled``
    says so; bootstrap resamples without any don't count. The main score is the share of outputs
    with a label other than 0 in any category, among those that have one in each. Gibberish counts
    as an error there, so it can't win a ranking.

    Example:
        >>> from textsimp import InformationErrors
        >>> scores = InformationErrors().score(
        ...     insertion=[0, 0, [1, 1, 0], None],
        ...     deletion=[0, [0, 2], 2, 1],
        ...     substitution=[0, 0, 0, 0],
        ... )
        >>> round(scores["insertion_1"], 1), scores["insertion_labelled"]
        (33.3, 3)
        >>> scores["deletion_rate"], scores["deletion_severity"]  # 0, 2 and 1
        (0.6666666666666666, 1.0)
        >>> scores["information_errors"]  # of the first and third
        0.5
    """

    name: ClassVar[str] = "information_errors"
    about: ClassVar[str] = "what annotators found inserted, deleted, substituted, and how badly"
    papers: ClassVar = ("devaraj-etal-2022-evaluating",)
    people: ClassVar[str] = "it is what people judged, and as good as their agreement"
    columns: ClassVar = (SOURCES.optional, PREDICTIONS.optional, *map(_column, CATEGORIES))
    averages: ClassVar = True
    presets: ClassVar = {"majority": Preset("labels that more than half of the annotators gave")}
    scores: ClassVar = (
        Score(
            "information_errors",
            "Information errors",
            "share of outputs with an error in any category, of those labelled in all",
            most=1,
            better="lower",
            unit="share",
        ),
        Score("labelled", "Labelled", "outputs with all three labels", most=None, unit="outputs"),
        *itertools.chain.from_iterable(map(_scores, CATEGORIES)),
    )

    def statistics(
        self, prepared: None, predictions: list[str] | None, **labels: list[list[int]]
    ) -> Floats:
        """(n, 14) 1 for the label in each category, for any error, and for labels in all.

        NaN without labels.
        """
        majorities: Any = np.stack([one_hot(labels[name]) for name in CATEGORIES], axis=1)
        labelled = majorities.any(axis=2)
        wrong = majorities[:, :, 1:].any(axis=(1, 2))
        counts = np.where(labelled[:, :, None], majorities, np.nan)
        any_error = np.where(labelled.all(axis=1), [wrong, np.ones(len(wrong))], np.nan).T
        return np.hstack([counts.reshape(len(counts), -1), any_error])

    def statistic_names(self, width: int) -> list[str]:
        labels = [f"{category}_{name}" for category in CATEGORIES for name in _MEANINGS]
        return [*labels, self.name, "labelled"]

    def reduce(self, totals: Floats) -> dict[str, Floats]:
        """Percentages, rates and severities of counts."""
        counts = self.by_name(totals)
        scores: dict[str, Any] = {
            "information_errors": divide(counts["information_errors"], counts["labelled"], np.nan),
            "labelled": counts["labelled"].astype(np.int64),
        }
        for category in CATEGORIES:
            names = [f"{category}_{name}" for name in _MEANINGS]
            none, minor, major, gibberish = (counts[name] for name in names)
            levelled = none + minor + major
            labelled = levelled + gibberish
            scores |= {name: divide(100 * counts[name], labelled, np.nan) for name in names}
            scores[f"{category}_labelled"] = labelled.astype(np.int64)
            scores[f"{category}_rate"] = divide(minor + major, labelled, np.nan)
            scores[f"{category}_severity"] = divide(minor + 2 * major, levelled, np.nan)
        return scores


def one_hot(rows: Sequence[Sequence[int]]) -> NDArray[np.bool_]:
    """(n, 4) the label that more than half of a row has, if any, in the order of ``LABELS``."""
    sizes = np.fromiter(map(len, rows), np.int64, len(rows))
    labels = np.fromiter(itertools.chain.from_iterable(rows), np.int64, sizes.sum())
    # The remainder is the place in LABELS, where gibberish is the last.
    at = np.repeat(np.arange(len(rows)), sizes) * _SIZE + labels % _SIZE
    counts = np.bincount(at, minlength=len(rows) * _SIZE).reshape(-1, _SIZE)
    most: NDArray[np.bool_] = 2 * counts > sizes[:, None]
    return most


def majority(rows: Sequence[Sequence[int]]) -> list[int | None]:
    """Return the label that more than half of a row's annotators gave; None without one."""
    most: Any = one_hot(rows)
    labels = np.array([*LABELS, None], dtype=object)
    return list(labels[np.where(most.any(axis=1), most.argmax(axis=1), _SIZE)])
