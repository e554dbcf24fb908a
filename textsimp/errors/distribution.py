"""How often systems make information errors: Tables 4 and 6 of Devaraj et al. (2022)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from textsimp.core import tables
from textsimp.core.scores import Scores
from textsimp.core.tables import Grid, Tabular
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.support.errors import InputError

SHARES = ("0", "1", "2", "gibberish")


@dataclass(frozen=True, eq=False)
class Distribution(Tabular):
    """How often systems have each label.

    Attributes:
        systems: Name → scores of `textsimp.InformationErrors`.
    """

    systems: Mapping[str, Scores]

    def to_dict(self) -> dict[str, dict[str, Any]]:
        """All as plain data: system → scores."""
        return {system: scores.to_dict() for system, scores in self.systems.items()}

    def grid(self) -> Grid:
        """A row per system and category: percent of the labelled with each label."""
        rows = []
        for system, scores in self.systems.items():
            for category in CATEGORIES:
                found = [scores.predictions[f"{category}_{share}"] for share in SHARES]
                cells = [tables.cell(value.value, value.interval, 1) for value in found]
                labelled = scores[f"{category}_labelled"]
                rows.append([system, category, *(cells if labelled else "––––"), f"{labelled:,}"])
        signatures = dict.fromkeys(scores.signature for scores in self.systems.values())
        return Grid(["system", "category", *SHARES, "labelled"], rows, [*signatures], named=2)


def distribution(
    systems: Mapping[str, Mapping[str, Any]],
    *,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int = 0,
) -> Distribution:
    """How often systems have each label, whose outputs need not be of the same sources.

    Args:
        systems: Name → ``insertion``, ``deletion`` and ``substitution``, each a label, or a list
            with one of each annotator, per output.
        confidence: Coverage of the intervals; None for none.
        resamples: Number of bootstrap resamples.
        seed: Their seed.

    Raises:
        InputError: No system, a wrong column, or bad options.

    Example:
        >>> from textsimp import errors
        >>> labels = {"insertion": [0, 0], "deletion": [1, 0], "substitution": [0, 2]}
        >>> print(errors.distribution({"ours": labels}, confidence=None).to_markdown())
        | system | category | 0 | 1 | 2 | gibberish | labelled |
        | --- | --- | ---: | ---: | ---: | ---: | ---: |
        | ours | insertion | 100.0 | 0.0 | 0.0 | 0.0 | 2 |
        | ours | deletion | 50.0 | 50.0 | 0.0 | 0.0 | 2 |
        | ours | substitution | 50.0 | 0.0 | 50.0 | 0.0 | 2 |
        <BLANKLINE>
        `information_errors|variant:majority|v:...`
        <BLANKLINE>
    """
    if not isinstance(systems, Mapping) or not systems:
        raise InputError("systems: expected a mapping from names to columns of labels")
    found = {}
    for system, labels in systems.items():
        if not isinstance(labels, Mapping):
            raise InputError(f"systems: expected columns of labels for {system!r}")
        found[system] = InformationErrors().score(
            **labels, confidence=confidence, resamples=resamples, seed=seed
        )
    return Distribution(found)
