"""Tables of outputs with people's ratings or choices, as ``textsimp meta`` reads them."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from textsimp.cli.data_reading import read_columns
from textsimp.core import examples
from textsimp.core.columns import bad_row
from textsimp.core.declarations import PREDICTIONS, REFERENCES, SOURCES, Column
from textsimp.core.metric import Metric
from textsimp.corpora.tables import Table
from textsimp.extensions import people
from textsimp.extensions.people.judgements.numbers import read_column
from textsimp.extensions.people.judgements.tool_files import has_raters
from textsimp.support.errors import InputError, listed

Columns = dict[str, list[Any]]


def read_pairs(pairs: str, metrics: Sequence[Metric], files: Mapping[str, Any]) -> Columns:
    """Return the columns that metrics read, and ``better`` and ``worse``, from a table of pairs.

    Args:
        pairs: The names of the two columns of texts, with a comma between.
        metrics: The metrics.
        files: Arguments of `textsimp.cli.data_reading.read_columns`.
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
    reading: Mapping[str, Any],
) -> tuple[Columns, dict[str, Any]]:
    """Return columns with an output a row, and the names there of ratings, items and systems.

    Args:
        names: ``item`` and ``system`` → the name of the column; None for the usual one.
        metrics: The metrics that read columns.
        score_columns: Names of columns of scores.
        files: Arguments of `textsimp.cli.data_reading.read_columns`.
        reading: Arguments of `people.read`, of which ``criteria`` has the column of ratings.
    """
    declared, data = _declare_columns(metrics), files["data"]
    labels = [name for name, column in declared.items() if column.kind == "ratings"]
    asked = reading["plan"] or reading["scheme"]
    is_dataset = files["config"] or files["split"]
    table: Table | None = None
    if not data or (not asked and (is_dataset or not has_raters(data))):
        table, columns = read_columns(list(declared.values()), **files)
    if table is None or "rater" in table.names:
        _check_usual_names(str(data), names, files)
        return _read_answers(str(data), labels, score_columns, reading)
    rating, *others = reading["criteria"] or ["rating"]
    if others:
        raise InputError(f"--rating: expected one column, got {listed([rating, *others])}")
    if rating == "rating" and rating not in table.names:
        raise table.without(rating, ": choose with --rating, or --pairs")
    keys: dict[str, Any] = {}
    for argument, column in {"rating": rating, **names}.items():
        if column is not None or argument in table.names:
            key = keys[argument] = f"column {column or argument!r} of {table.where}"  # in messages
            read = read_column if argument == "rating" else Table.column
            columns[key] = read(table, column or argument)
    return columns | {name: table.column(name) for name in score_columns}, keys


def _read_answers(
    data: str, labels: Sequence[str], score_columns: Sequence[str], reading: Mapping[str, Any]
) -> tuple[Columns, dict[str, Any]]:
    """Return the columns of answers, which have the usual names."""
    more = [*labels, *score_columns]
    chosen = reading["criteria"] or ["rating"] * bool(more)
    criteria = [*dict.fromkeys([*chosen, *more])]
    answers = people.read(data, **{**reading, "criteria": criteria})
    rating, *others = chosen or answers.criteria
    if others:
        raise InputError(f"{data}: choose a column by --rating: {listed([rating, *others])}")
    columns = answers.by_output()
    scores = {name: _unrepeat(columns[name], name, data) for name in score_columns}
    return columns | scores, {"rating": rating}


def _declare_columns(metrics: Sequence[Metric]) -> dict[str, Column]:
    """Return name → column that metrics read, and the sources, by which outputs are grouped."""
    declared = dict(examples.columns_of(metrics))
    declared.setdefault(SOURCES.name, SOURCES.optional)
    if REFERENCES.name in declared:  # rows without any are left out
        declared[REFERENCES.name] = replace(declared[REFERENCES.name], items=True)
    return declared


def _check_usual_names(
    where: str, names: Mapping[str, str | None], files: Mapping[str, Any]
) -> None:
    """Check that answers are read by the usual names of columns."""
    renamed = {**names}
    renamed |= {usual: files[f"{usual}_column"] for usual in ("source", "prediction")}
    renamed["references"] = ", ".join(files["reference_column"])
    for argument in files["columns"]:
        usual, _, name = argument.partition("=")
        renamed[usual] = name
    for usual, name in renamed.items():
        if name and name != usual:
            raise InputError(
                f"column {name!r} of {where}: call it {usual!r}, as answers with a "
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
