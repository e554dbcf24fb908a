"""Labels of information errors, from tables with a row per output and from raters' answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textsimp.corpora.tables import read_table
from textsimp.extensions.people.judgements.judgements import ALL
from textsimp.extensions.people.judgements.reading import read
from textsimp.metrics.information_errors import CATEGORIES, majority
from textsimp.support.errors import InputError

SCHEME = "information_errors"

Rows = list[dict[str, Any]]


def merge(paths: Sequence[str | Path]) -> Rows:
    """Merge the labels of several raters.

    Args:
        paths: Files of answers by the scheme ``information_errors``, or a table with a row per
            output, with a label or a list of raters' labels in ``insertion`` and so on.

    Returns:
        A row for each output that has a label: ``item``, ``system``, the texts and ``raters``.
        ``insertion``, ``deletion`` and ``substitution`` are lists with a label per rater or None.
        ``insertion_majority`` and so on are the label of more than half of those who gave one, or
        None.

    Example:
        >>> from textsimp.extensions.people.judgements import error_labels
        >>> folder = "examples/annotations"
        >>> rows = error_labels.merge([f"{folder}/ann.jsonl", f"{folder}/bob.jsonl"])
        >>> rows[8]["raters"], rows[8]["substitution"], rows[8]["substitution_majority"]
        (['Ann', 'Bob'], [2, 1], None)
    """
    answers = read(paths, SCHEME)
    table = answers.by_output()
    for name, criterion in answers.criteria.items():
        labels = {code: label for label, code in criterion.codes.items()}
        table[name] = [[labels.get(code) for code in row] for row in table[name]]
    rows = [dict(zip(table, row, strict=True)) for row in zip(*table.values(), strict=True)]
    labelled = [row for row in rows if any(list_labels(row, name) for name in CATEGORIES)]
    for row in labelled:
        row["raters"] = answers.raters
        for name in CATEGORIES:
            (row[f"{name}_majority"],) = majority([list_labels(row, name)])
    return labelled


def read_systems(paths: Sequence[str | Path]) -> dict[str, Rows]:
    """Return the rows of `merge` by system; answers of all files are merged.

    A table without a column ``system`` is a system, called as the file. An output that two tables
    have is an error, such as in answers and what they were merged into.
    """
    answers = [path for path in paths if "rater" in read_table(path).names]
    systems: dict[str, Rows] = {}
    files: dict[str, str] = {}
    outputs: dict[tuple[Any, ...], str] = {}  # → the file that has it
    parts = [[path] for path in paths if path not in answers]
    for part in [answers, *parts] if answers else parts:
        rows = merge(part)
        if not rows:
            raise InputError(f"{part[0]}: expected labels of information errors, got none")
        name = ALL if part is answers else Path(part[0]).stem
        if "system" not in rows[0] and name in files:
            raise InputError(f"{files[name]} and {part[0]}: two systems are called {name!r}")
        files[name] = str(part[0])
        for row in rows:
            system, text = row.get("system", name), row.get("prediction")
            first = outputs.setdefault((row["item"], system, text), str(part[0]))
            if text is not None and first != str(part[0]):
                output = f"item {row['item']!r} of {system}"
                raise InputError(f"{first} and {part[0]} both have {output}: give one of them")
            systems.setdefault(system, []).append(row)
    return systems


def list_labels(row: dict[str, Any], category: str) -> list[int]:
    """Return the labels of a merged row that raters gave."""
    return [label for label in row[category] if label is not None]
