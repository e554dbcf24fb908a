"""Labels of information errors, by category, as users hand them in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textsimp.core import columns
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.support.errors import InputError

Labels = dict[str, list[list[int]]]
"""Category → labels of each output, one of each annotator."""

COLUMNS = {column.name: column for column in InformationErrors.columns if column.name in CATEGORIES}


def check(given: Mapping[str, Any], **others: Any) -> Labels:
    """Check labels of one category or more.

    Args:
        given: Category → one label, or a list with one of each annotator, per output; None for a
            category that nobody labelled.
        **others: Columns that must have as many rows, checked before.

    Raises:
        InputError: No category, another label, or columns of unequal lengths.
    """
    found: Labels = {
        category: columns.checked(COLUMNS[category], given[category])
        for category in CATEGORIES
        if given[category] is not None
    }
    if not found:
        raise InputError(f"expected labels of {', '.join(CATEGORIES)}, or one of these, got none")
    columns.check_lengths(**others, **found)
    return found
