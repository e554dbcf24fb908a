"""Tables of outputs with people's ratings or choices, as ``textsimp meta`` reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from textsimp.cli.data_arguments import read_columns
from textsimp.core import examples
from textsimp.core.columns import bad_row
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.metric import Metric
from textsimp.corpora.tables import Table
from textsimp.extensions.people.judgements import reading
from textsimp.extensions.people.judgements.numbers import read_column
from textsimp.support.errors import InputError

Columns = dict[str, list[Any]]


def read_pairs(pairs: str, metrics: Sequence[Metric], files: Mapping[str, Any]) -> Columns:
    """Return the columns that metrics read, and ``better`` and ``worse``, from a table of pairs.

    Args:
        pairs: The names of the two columns of texts, with a comma between.
        metrics: The metrics.
        files: Arguments of `textsimp.cli.data_arguments.read_columns`.
    """
    names = pairs.split(",")
    if len(names) != 2 or names[0] == names[1]:
        raise InputError(f"--pairs: expected two columns, BETTER,WORSE, got {pairs!r}")
    declared = _declare_columns(metrics)
    declared.pop(PREDICTIONS.name, None)
    table, columns = read_columns(list(declared.values()), **files)
    return columns | {"better": table.column(names[0]), "worse": table.column(names[1])}


def read_ratings(
    names: Mapping[str, str | None],
    metrics: Sequence[Metric],
    score_columns: Sequence[str],
    files: Mapping[str, Any],
) -> tuple[Columns, dict[str, Any]]:
    """Return columns with an output a row, and the names there of ratings, items and systems.

    Args:
        names: ``rating``, ``item`` and ``system`` → the name of the column; None for the usual one.
        metrics: The metrics that read columns.
        score_columns: Names of columns of scores.
        files: Arguments of `textsimp.cli.data_arguments.read_columns`.
    """
    declared = _declare_columns(metrics)
    table, columns = read_columns(list(declared.values()), **files)
    rating = names["rating"] or "rating"
    if rating == "rating" and rating not in table.names:
        raise table.without(rating, ": choose with --rating, or --pairs")
    if "rater" in table.names:
        _check_usual_names(table, names, files)
        labels = [name for name, column in declared.items() if column.kind == "ratings"]
        criteria = [*dict.fromkeys([rating, *labels, *score_columns])]
        columns = reading.read(str(files["data"]), criteria=criteria).by_output()
        for name in score_columns:
            columns[name] = _unrepeat(columns[name], name, table.where)
        table = replace(table, names=[*columns], read=columns.__getitem__)
    keys: dict[str, Any] = {}
    for argument, column in names.items():
        if column is not None or argument in table.names:
            key = keys[argument] = f"column {column or argument!r} of {table.where}"  # in messages
            read = read_column if argument == "rating" else Table.column
            columns[key] = read(table, column or argument)
    return columns | {name: table.column(name) for name in score_columns}, keys


def _declare_columns(metrics: Sequence[Metric]) -> dict[str, Column]:
    """Return name → column that metrics read, and the sources, by which outputs are grouped."""
    declared = dict(examples.columns_of(metrics))
    declared.setdefault(SOURCES.name, SOURCES.optional)
    if REFERENCES.name in declared:  # rows without any are left out
        declared[REFERENCES.name] = replace(declared[REFERENCES.name], items=True)
    return declared


def _check_usual_names(
    table: Table, names: Mapping[str, str | None], files: Mapping[str, Any]
) -> None:
    """Check that answers are read by the usual names of columns."""
    renamed = {usual: names[usual] for usual in ("item", "system")}
    renamed |= {usual: files[f"{usual}_column"] for usual in ("source", "prediction")}
    renamed["references"] = ", ".join(files["reference_column"])
    for argument in files["columns"]:
        usual, _, name = argument.partition("=")
        renamed[usual] = name
    for usual, name in renamed.items():
        if name and name != usual:
            raise InputError(
                f"column {name!r} of {table.where}: call it {usual!r}, as answers with a "
                "column 'rater' are read by the usual names"
            )


def _unrepeat(rows: Sequence[list[Any]], name: str, where: str) -> list[Any]:
    """Return the score of each output, which all answers on it repeat."""
    scores = []
    for i, row in enumerate(rows):
        different = {score for score in row if score is not None}
        if len(different) != 1:
            raise bad_row(i, f"outputs of {where}", f"one score {name!r}", sorted(different))
        scores.append(different.pop())
    return scores
