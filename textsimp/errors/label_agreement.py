"""How far annotators of information errors agree: Table 3 of Devaraj et al. (2022)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from textsimp import judgements
from textsimp.core import tables
from textsimp.core.draws import RESAMPLES
from textsimp.core.tables import Grid, Tabular
from textsimp.errors import labels
from textsimp.metrics.information_errors import LABELS, majority


@dataclass(frozen=True)
class CategoryAgreement:
    """Agreement of annotators on a category.

    Attributes:
        outputs: How many have labels of two annotators or more; the others are left out of all.
        majority: Share of them with a label that more than half of their annotators gave.
        nonzero: How many have a majority for an error, whichever: a label other than 0.
        nonzero_agreed: Share of these with a majority for one label; None if there are none.
        alpha: Krippendorff's, ordinal, gibberish above 2; None where undefined.
        interval: [low, high] of alpha's bootstrap over outputs, or None.
        reason: Why there is no alpha.
    """

    outputs: int
    majority: float | None
    nonzero: int
    nonzero_agreed: float | None
    alpha: float | None
    interval: list[float] | None
    reason: str = ""


@dataclass(frozen=True, eq=False)
class LabelAgreement(Tabular):
    """Agreement of annotators: category → `CategoryAgreement`."""

    categories: Mapping[str, CategoryAgreement]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """All as plain data: category → the fields of `CategoryAgreement`."""
        return {category: asdict(one) for category, one in self.categories.items()}

    def grid(self) -> Grid:
        """A row per category; shares in percent."""
        header = ["", "majority %", "an error", "label agreed %", "alpha", "outputs"]
        rows = [
            [
                category,
                _percent(one.majority),
                f"{one.nonzero:,}",
                _percent(one.nonzero_agreed),
                "–" if one.alpha is None else tables.cell(one.alpha, one.interval, 3),
                f"{one.outputs:,}",
            ]
            for category, one in self.categories.items()
        ]
        reasons = {c: one.reason for c, one in self.categories.items() if one.reason}
        return Grid(header, rows, [f"{c}: no alpha, {reason}" for c, reason in reasons.items()])


def agreement(
    *,
    insertion: Any = None,
    deletion: Any = None,
    substitution: Any = None,
    confidence: float | None = 0.95,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> LabelAgreement:
    """Measure how far annotators agree on the labels of information errors.

    Args:
        insertion: A list of annotators' labels per output: 0, 1, 2 or -1; None where one gave none.
        deletion: The same.
        substitution: The same; one of the three is enough.
        confidence: Coverage of alpha's intervals; None for none.
        resamples: Number of bootstrap resamples, of outputs.
        seed: Their seed.

    Example:
        >>> from textsimp import errors
        >>> agreement = errors.agreement(
        ...     deletion=[[0, 0, 0], [0, 1, 2], [2, 2, 1], [0, 0, 1]], confidence=None
        ... )
        >>> agreement.categories["deletion"].majority
        0.75
        >>> agreement.categories["deletion"].nonzero_agreed  # the third; the second has no label
        0.5
    """
    sampling = {"confidence": confidence, "resamples": resamples, "seed": seed}
    checked = labels.check(insertion, deletion, substitution)
    return LabelAgreement({name: _agreement(rows, sampling) for name, rows in checked.items()})


def _agreement(rows: Sequence[Sequence[int]], sampling: Mapping[str, Any]) -> CategoryAgreement:
    raters = judgements.rater_agreement(rows, level="ordinal", labels=LABELS, **sampling)
    several = [row for row in rows if len(row) > 1]
    wrong = [row for row in several if 2 * np.count_nonzero(row) > len(row)]
    agreed = sum(label is not None for label in majority(wrong)) if wrong else 0
    share = agreed / len(wrong) if wrong else None
    errors = (raters.outputs, raters.majority, len(wrong), share)
    return CategoryAgreement(*errors, raters.alpha, raters.interval, raters.reason)


def _percent(share: float | None) -> str:
    return "–" if share is None else tables.number(100 * share, 1)
