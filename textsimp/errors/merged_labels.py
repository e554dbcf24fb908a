"""Answers on information errors, a row per output with the labels of all raters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp import judgements
from textsimp.metrics.information_errors import CATEGORIES, majority

SCHEME = "information_errors"


def merge(paths: Sequence[str | Path]) -> list[dict[str, Any]]:
    """Merge the answers of several raters.

    Args:
        paths: Files of answers by the scheme ``information_errors``.

    Returns:
        A row for each output that has a label: ``item``, ``system``, the texts and ``raters``.
        ``insertion``, ``deletion`` and ``substitution`` are lists with a label per rater or None.
        ``insertion_majority`` and so on are the label of more than half of those who gave one, or
        None.

    Example:
        >>> from textsimp import errors
        >>> folder = "examples/annotations"
        >>> rows = errors.merge([f"{folder}/ann.jsonl", f"{folder}/bob.jsonl"])
        >>> rows[8]["raters"], rows[8]["substitution"], rows[8]["substitution_majority"]
        (['Ann', 'Bob'], [2, 1], None)
    """
    found = judgements.read(paths, SCHEME)
    columns = found.by_output()
    for name, criterion in found.criteria.items():
        labels = {code: label for label, code in criterion.codes.items()}
        columns[name] = [[labels.get(code) for code in row] for row in columns[name]]
    rows = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    labelled = [row for row in rows if any(given_labels(row, name) for name in CATEGORIES)]
    for row in labelled:
        row["raters"] = list(dict.fromkeys(found.raters))
    for name in CATEGORIES:
        majorities = majority([given_labels(row, name) for row in labelled])
        for row, label in zip(labelled, majorities, strict=True):
            row[f"{name}_majority"] = label
    return labelled


def given_labels(row: Mapping[str, Any], category: str) -> list[int]:
    """Return the labels of a merged row that raters gave."""
    return [label for label in row[category] if label is not None]


def disagreements(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the merged rows in which raters differ, with the categories to ``discuss``."""
    differing = []
    for row in rows:
        differ = [name for name in CATEGORIES if len(set(given_labels(row, name))) > 1]
        if differ:
            differing.append({**row, "discuss": differ})
    return differing
