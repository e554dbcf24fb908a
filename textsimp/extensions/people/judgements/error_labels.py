"""Labels of information errors, from tables with a row per output and from raters' answers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from textsimp.extensions.people.judgements.judgements import ALL, Judgements, join
from textsimp.extensions.people.judgements.reading import read
from textsimp.extensions.people.judgements.studies import read_plan
from textsimp.extensions.people.judgements.tool_files import has_raters, list_files
from textsimp.metrics.information_errors import CATEGORIES, majority
from textsimp.support.errors import InputError

SCHEME = "information_errors"

Rows = list[dict[str, Any]]


def merge(paths: Sequence[str | Path], plan: Any = None) -> Rows:
    """Merge the labels of several raters.

    Args:
        paths: Files of answers by the scheme ``information_errors``, or a table with a row per
            output, with a label or a list of raters' labels in ``insertion`` and so on.
        plan: The plan of the answers, or its file.

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
    return list_rows(read(paths, SCHEME, plan=plan))


def list_rows(answers: Judgements) -> Rows:
    """Return the rows of `merge` from what `people.read` returned."""
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


def read_systems(
    paths: Sequence[str | Path], plan: Any = None
) -> tuple[dict[str, Rows], Judgements]:
    """Return the rows of `merge` by system, and all labels; answers of all files are merged.

    A table without a column ``system`` is a system, called as the file. An output that two tables
    have is an error, such as in answers and what they were merged into.
    """
    study = read_plan(plan) if plan else None
    files = list_files(paths)
    answers = [path for path in files if has_raters(path)]
    systems: dict[str, Rows] = {}
    named: dict[str, Path] = {}
    outputs: dict[tuple[Any, ...], Path] = {}  # → the file that has it
    parts = []
    for part in filter(None, [answers, *([path] for path in files if path not in answers)]):
        path, labels = part[0], read(part, SCHEME, plan=study if part is answers else None)
        if part is not answers and {*labels.frame["system"]} == {(ALL,)}:
            name = path.stem
            if named.setdefault(name, path) != path:
                raise InputError(f"{named[name]} and {path}: two systems are called {name!r}")
            labels = labels.assign([*labels.answers["item"]], [[(name,)]] * len(labels))
        rows = list_rows(labels)
        if not rows:
            raise InputError(f"{path}: expected labels of information errors, got none")
        for row in rows:
            system, text = row.get("system", ALL), row.get("prediction")
            first = outputs.setdefault((row["item"], system, text), path)
            if text is not None and first != path:
                output = f"item {row['item']!r} of {system}"
                raise InputError(f"{first} and {path} both have {output}: give one of them")
            systems.setdefault(system, []).append(row)
        parts.append(labels)
    return systems, join(parts)


def list_labels(row: dict[str, Any], category: str) -> list[int]:
    """Return the labels of a merged row that raters gave."""
    return [label for label in row[category] if label is not None]
