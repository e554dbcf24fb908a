"""Whether a score sees information errors: Tables 7 to 9 of Devaraj et al. (2022)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from textsimp import meta
from textsimp.core import columns, examples
from textsimp.errors import labels
from textsimp.meta import arguments
from textsimp.meta.results import counted
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
) -> dict[str, meta.Agreement]:
    """How well scores of outputs agree with the labels of their errors.

    A score for which higher is better sees errors if its correlations are negative. Outputs without
    a majority are left out for that category; a category without any has reasons in place of
    coefficients.

    Args:
        scores: A number per output; or name → a number per output. None and NaN are no score, such
            as `textsimp.errors.edit_distance` has of an empty source: an output without one is left
            out for all scores, and a note says so. Infinite ones are refused.
        insertion: A label, or a list with one of each annotator, per output; the majority counts.
        deletion: The same.
        substitution: The same; one of the three is enough.
        gibberish: The level that gibberish counts as; None leaves these outputs out.
        **options: See `textsimp.meta.correlate`, such as ``items`` and ``systems``.

    Returns:
        Category → what `textsimp.meta.correlate` returns.

    Raises:
        InputError: No category, another label, or see `textsimp.meta.correlate`.

    Example:
        >>> from textsimp import errors
        >>> found = errors.correlate([40, 35, 30, 20], deletion=[0, 0, 1, 2], confidence=None)
        >>> round(found["deletion"].metrics["scores"]["outputs"]["spearman"].value, 3)
        -0.949
    """
    columns_of_labels = {"insertion": insertion, "deletion": deletion, "substitution": substitution}
    numbers = {0: 0, 1: 1, 2: 2, GIBBERISH: gibberish}
    filled, without, notes = _filled(scores)
    agreements = {}
    for category, rows in labels.check(columns_of_labels).items():
        most = [None if i in without else label for i, label in enumerate(majority(rows))]
        rated = any(label is not None and numbers[label] is not None for label in most)
        try:
            agreement = meta.correlate(
                filled, most if rated else [0] * len(most), labels=numbers, **options
            )
        except InputError as error:
            raise InputError(f"{category}: {error}") from None
        if not rated:
            both = " and all scores" if without else ""
            agreement = _without_coefficients(
                agreement, f"no output has a label of {category}{both}"
            )
        agreements[category] = replace(agreement, notes=(*agreement.notes, *notes))
    return agreements


def _filled(scores: Any) -> tuple[dict[str, list[Any]], set[int], list[str]]:
    """Scores with 0 where there is none, the rows that lack one, and a note on these."""
    filled: dict[str, list[Any]] = {}
    without: set[int] = set()
    names: list[str] = []
    for name, column in arguments.name_columns(scores, "scores").items():
        rows = columns.plain_rows(
            column, examples.column_label("scores", name), "a list of numbers"
        )
        missing = {i for i, row in enumerate(rows) if columns.is_missing(row)}
        filled[name] = [0 if i in missing else row for i, row in enumerate(rows)]
        without |= missing
        if missing:
            names.append(name or "scores")
    note = f"{counted(len(without), 'output')} counted as without a rating: no {', '.join(names)}"
    return filled, without, [note] if names else []


def _without_coefficients(agreement: meta.Agreement, reason: str) -> meta.Agreement:
    """The same levels and coefficients, but a reason in place of each."""
    nothing = meta.Estimate(None, None, 0, reason=reason)
    metrics = {
        name: {level: dict.fromkeys(of_level, nothing) for level, of_level in levels.items()}
        for name, levels in agreement.metrics.items()
    }
    systems = None if agreement.systems is None else 0
    none: dict[str, Any] = {"outputs": 0, "items": 0, "systems": systems, "judged": None}
    return replace(agreement, metrics=metrics, gaps={}, notes=(reason,), **none)
