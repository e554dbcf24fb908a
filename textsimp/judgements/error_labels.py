"""Labels of information errors by system, from tables with a row per output and from answers.

Labels of outputs are columns, as `textsimp.InformationErrors` takes them: category → a label or a
list of annotators' labels per output.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES
from textsimp.corpora.files import STDIN
from textsimp.corpora.tables import Table, read_column, read_table
from textsimp.judgements.correlation_arguments import read_ids
from textsimp.judgements.judgements import ALL
from textsimp.judgements.reading import read
from textsimp.metrics.information_errors import CATEGORIES, InformationErrors, majority
from textsimp.support.errors import InputError, check_choice

SCHEME = "information_errors"
SYSTEM = "system"

_COLUMNS = {column.name: column for column in InformationErrors.columns}


def check(labels: Mapping[str, Any], **others: Any) -> dict[str, list[list[int]]]:
    """Check labels of one category or more, each as long as the other columns."""
    for name in labels:
        check_choice("category", name, CATEGORIES)
    checked = {
        name: columns.check_column(_COLUMNS[name], labels[name])
        for name in CATEGORIES
        if labels.get(name) is not None
    }
    if not checked:
        raise InputError(f"expected labels of {', '.join(CATEGORIES)}, or one of these, got none")
    columns.check_lengths(**others, **checked)
    return checked


def majorities(**labels: Any) -> dict[str, list[int | None]]:
    """Return the label that more than half of the annotators gave each output; None without one.

    Args:
        **labels: ``insertion``, ``deletion``, ``substitution``, or some of these: a label, or a
            list with one of each annotator, per output.

    Example:
        >>> majorities(deletion=[[0, 0, 1], [1, 2], 2])
        {'deletion': [0, None, 2]}
    """
    return {name: majority(rows) for name, rows in check(labels).items()}


def read_systems(paths: Sequence[str | Path], by: str | None = None) -> dict[str, dict[str, Any]]:
    """Read labelled outputs by system, from tables or files of answers.

    Args:
        paths: Files. Answers by the scheme ``information_errors`` are merged.
        by: The column of tables that names systems. Default: ``system`` if it is there, else the
            file names them.

    Returns:
        System → ``insertion``, ``deletion``, ``substitution``: lists of labels per output; and
        ``sources``, ``predictions``: a text per output, None where a table has none.
    """
    systems: dict[str, dict[str, Any]] = {}

    def add(system: str, row: Mapping[str, Any]) -> None:
        for name, cell in row.items():
            systems.setdefault(system, {}).setdefault(name, []).append(cell)

    files: dict[str, str] = {}
    answers = []
    for path in paths:
        table = read_table(path)
        if "rater" in table.names:
            answers.append(path)
            continue
        read_labels = {name: read_column(table, _COLUMNS[name], [name]) for name in CATEGORIES}
        own = {name: column.rows for name, column in read_labels.items() if column is not None}
        n = len(own[CATEGORIES[0]])
        for text in (SOURCES, PREDICTIONS):
            column = read_column(table, text, ())
            own[text.name] = [None] * n if column is None else column.rows
        for i, system in enumerate(_name_systems(table, by, path, n, files)):
            add(system, {name: column[i] for name, column in own.items()})
    for row in merge(answers) if answers else []:
        labels = {name: _given(row, name) for name in CATEGORIES}
        texts = {"sources": row.get("source"), "predictions": row.get("prediction")}
        add(row.get(SYSTEM, ALL), labels | texts)
    return systems


def _name_systems(
    table: Table, by: str | None, path: str | Path, n: int, files: dict[str, str]
) -> list[str]:
    """Return the name of each row's system; ``files`` collects systems called as their file."""
    names = table.column(SYSTEM) if SYSTEM in table.names else []
    if by is not None or not all(map(columns.is_missing, names)):
        column = by or SYSTEM
        where = f"column {column!r} of {table.where}"
        return [*map(str, read_ids(table.column(column), where))]
    name = "standard input" if str(path) == STDIN else Path(path).stem
    if name in files:
        raise InputError(f"{files[name]} and {path}: two systems are called {name!r}")
    files[name] = str(path)
    return [name] * n


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
        >>> from textsimp.judgements import error_labels
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
    labelled = [row for row in rows if any(_given(row, name) for name in CATEGORIES)]
    for row in labelled:
        row["raters"] = answers.raters
        for name in CATEGORIES:
            (row[f"{name}_majority"],) = majority([_given(row, name)])
    return labelled


def _given(row: Mapping[str, Any], category: str) -> list[int]:
    """Return the labels of a merged row that raters gave."""
    return [label for label in row[category] if label is not None]
