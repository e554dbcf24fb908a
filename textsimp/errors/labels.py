"""Labels of information errors: columns and rows as users hand them in, checked."""

from __future__ import annotations

from typing import Any

from textsimp.core import columns
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors
from textsimp.support.errors import InputError

Labels = dict[str, list[list[int]]]
"""Category → labels of each output, one of each annotator."""

COLUMNS = {column.name: column for column in InformationErrors.columns if column.name in CATEGORIES}


def check(insertion: Any, deletion: Any, substitution: Any, **others: Any) -> Labels:
    """Check labels of one category or more, each as long as the other columns."""
    given = zip(CATEGORIES, (insertion, deletion, substitution), strict=True)
    checked: Labels = {
        category: columns.check_column(COLUMNS[category], rows)
        for category, rows in given
        if rows is not None
    }
    if not checked:
        raise InputError(f"expected labels of {', '.join(CATEGORIES)}, or one of these, got none")
    columns.check_lengths(**others, **checked)
    return checked
