"""Correlations of scores with information errors: Tables 7 to 9 of Devaraj et al. (2022)."""

from __future__ import annotations

from typing import Any

from textsimp import judgements
from textsimp.errors import labels
from textsimp.metrics.information_errors import GIBBERISH, majority
from textsimp.support.errors import InputError


def correlate(
    scores: Any,
    *,
    insertion: Any = None,
    deletion: Any = None,
    substitution: Any = None,
    gibberish: float | None = 3,
    **options: Any,
) -> dict[str, judgements.Agreement]:
    """Correlate scores of outputs with the labels of their errors.

    A score for which higher is better sees errors if its correlations are negative. Outputs without
    a majority are left out for that category.

    Args:
        scores: A number per output; or name → a number per output.
        insertion: A label, or a list with one of each annotator, per output; the majority counts.
        deletion: The same.
        substitution: The same; one of the three is enough.
        gibberish: The level that gibberish counts as; None leaves these outputs out.
        **options: See `textsimp.judgements.correlate`, such as ``items`` and ``systems``.

    Returns:
        Category → what `textsimp.judgements.correlate` returns.

    Example:
        >>> from textsimp import errors
        >>> found = errors.correlate([40, 35, 30, 20], deletion=[0, 0, 1, 2], confidence=None)
        >>> round(found["deletion"].metrics["scores"]["outputs"]["spearman"].value, 3)
        -0.949
    """
    levels = {0: 0, 1: 1, 2: 2, GIBBERISH: gibberish}
    agreements = {}
    for category, rows in labels.check(insertion, deletion, substitution).items():
        try:
            agreements[category] = judgements.correlate(
                scores, majority(rows), labels=levels, **options
            )
        except InputError as error:
            raise InputError(f"{category}: {error}") from None
    return agreements
