"""Ratings from tables: answers of the page, tables from elsewhere, tables with a row per output."""

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from textsimp.core.columns import as_number, bad_row, is_missing, is_sequence
from textsimp.core.metric import Floats
from textsimp.corpora.tables import Table, json_list
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.extensions.people.judgements import schemes, tool_files
from textsimp.extensions.people.judgements.agreement import MeasurementLevel
from textsimp.extensions.people.judgements.answer_files import TIME, answered_at
from textsimp.extensions.people.judgements.judgements import ALL, Judgements, Subject, join
from textsimp.extensions.people.judgements.schemes import (
    CHOICES,
    Control,
    Criterion,
    Grouping,
    Scheme,
    choice,
)
from textsimp.extensions.people.judgements.studies import Plan, Screen, read_plan
from textsimp.support.errors import InputError, check_choice, listed, shown
from textsimp.support.names import note_alike, trim
from textsimp.support.progress import note

ASKED = (
    *("model", "reported", "fingerprint", "prompt", "temperature", "seed", "samples"),
    *("answer_tokens", "left_out"),
)
"""What signatures say of the way in which a judge was asked: keys of the column ``judge``."""
_KINDS = get_args(Control)
_IN_SOME_ROWS = ("control", "seconds", "time", "screen", "invalid", "judge")
"""Columns that only some rows may have, as people and models may share a file."""


def read(
    paths: str | Path | Sequence[str | Path],
    scheme: str | Path | Scheme | None = None,
    *,
    criteria: Sequence[str] | None = None,
    level: MeasurementLevel = "interval",
    plan: str | Path | Plan | None = None,
    checked: bool = True,
) -> Judgements:
    """Read judgements from JSONL, JSON, CSV, TSV, parquet or Excel files.

    A file has a row per answer, with a column ``rater``, or a row per output, with a list of all
    raters' ratings under each criterion and, if known, a list of their names in ``raters``. Other
    columns: ``item``, ``system``, ``control``, ``seconds``, ``time`` and the texts. Where there is
    a time, the last answer of a rater to the same question counts, and of those given at the same
    time the last row; without one, a second answer is an error. Answers without any rating are
    left out.

    Exports of other tools are read, too: Potato's ``user_state.json``, JSONL, CSV and TSV, Label
    Studio's JSON, JSON-MIN, CSV and TSV, and edits as Thresh and SALSA keep them, of which the
    numbers in each category count, and how many are good and bad.

    With a plan `Judgements.missing` says which screens of each rater have no whole answer yet.

    Args:
        paths: One or more files, or folders of them.
        scheme: The scheme of the answers, if they don't say which it is, or its file, if it is
            your own: likert, direct_assessment, rank_and_rate, pairwise, level, information_errors,
            or a YAML or JSON file.
        criteria: The columns of ratings. Default: those of the plan or scheme, or else ``rating``.
            Without a column ``rater``, A,B are the columns of two raters of one criterion.
        level: The level of measurement of criteria without a scheme.
        plan: The study, or its file. Answers that it doesn't have are an error.
        checked: Whether answers are compared with the plan; otherwise it only gives their texts.

    Example:
        >>> from textsimp.extensions import people
        >>> ratings = people.read("examples/ratings.jsonl")
        >>> len(ratings), ratings.raters
        (96, ['1', '2'])
    """
    check_choice("level", level, get_args(MeasurementLevel))
    given = [paths] if isinstance(paths, (str, Path)) else list(paths)
    study = read_plan(plan, scheme) if isinstance(plan, (str, Path)) else plan
    files = tool_files.list_files(given)
    if not files:
        raise InputError("expected files of ratings, got none")
    found = [tool_files.read(path, study) for path in files]
    tables, exported = [table for table, _ in found], any(tool for _, tool in found)
    if exported and not criteria and scheme is None and study is None:
        criteria = tool_files.list_criteria(tables)
    asked = schemes.find(tables, study.scheme if study else scheme, needed=not criteria)
    chosen = _choose_criteria(asked, criteria, level, tables[0])
    grouping: Grouping = asked.grouping if asked else "output"
    answers = join([_read_table(table, i, chosen, grouping) for i, table in enumerate(tables)])
    _note_alike(answers)
    timed = [time is not None for time in answers.column("time")]
    answers = answers.take(_are_given(answers) | timed)  # not the empty rows of a sheet
    answers = answers.take(_last_answers(answers, _places(answers, tables)))
    missing = {}
    if study is not None and checked and not exported:  # other tools choose who rates what
        missing = _follow(answers, study, _places(answers, tables))
    frame = answers.frame.drop(columns=["file", "row"])
    answers = replace(answers, frame=frame, scheme=str(asked or ""), missing=missing)
    return answers.take(_are_given(answers))


def _are_given(answers: Judgements) -> Any:
    """Return whether each answer has a rating, or says why it has none."""
    rated = answers.frame["value"].notna().groupby(answers.frame["answer"]).any()
    return rated.to_numpy() | (answers.answers["invalid"] != "").to_numpy()


def _places(answers: Judgements, tables: Sequence[Table]) -> list[str]:
    """Return where each answer stands."""
    rows = answers.answers[["file", "row"]].itertuples(index=False)
    return [f"row {row} of {tables[file].where} (counted from 0)" for file, row in rows]


def _choose_criteria(
    scheme: Scheme | None, names: Sequence[str] | None, level: MeasurementLevel, table: Table
) -> dict[str, Criterion]:
    if scheme is not None:
        for name in names or []:
            check_choice("criteria", name, list(scheme.criteria))
        return {name: scheme.criteria[name] for name in names or scheme.criteria}
    names = names or [name for name in ["rating"] if name in table.names]
    if not names:
        raise InputError(
            f"{table.where}: expected a column 'rating' or 'scheme', a plan, or columns by name: "
            f"choose with criteria, or --rating; its columns are {listed(table.names)}"
        )
    return {name: Criterion("", level) for name in names}


def _read_table(
    table: Table, number: int, criteria: Mapping[str, Criterion], grouping: Grouping
) -> Judgements:
    """Return the judgements in a table, with ``file`` and ``row`` of each answer."""
    values = {
        name: _read_values(table, name, criterion, grouping) for name, criterion in criteria.items()
    }
    has_raters = "rater" in table.names
    if not has_raters and all(np.isnan(rows).all() for rows in values.values()):
        raise InputError(f"{table.where}: expected ratings in {listed(criteria)}, got none")
    n = len(next(iter(values.values())))
    columns: dict[str, list[Any]] = {"file": [number] * n, "row": [*range(n)]}
    columns["system"] = [(ALL,)] * n
    for name, (read, expected) in _columns_of_answers(grouping == "pair").items():
        cells = None
        if name in _IN_SOME_ROWS:
            cells = table.sparse(name)
        elif name in table.names:
            cells = table.column(name)
        if cells is not None:
            column = "how" if name == "judge" else name
            columns[column] = _read_cells(table, name, cells, read, expected)
    items = table.column("item") if "item" in table.names else columns.get("source", range(n))
    columns["item"] = [*map(trim, items)]
    if "references" in table.names:
        with contextlib.suppress(InputError):  # some rows may have none
            columns["references"] = reading.read_column(table, "references")
    if not has_raters:
        return Judgements.of({**columns, **values}, criteria, _name_raters(table))
    for name, matrix in () if grouping == "pair" else values.items():
        if matrix.shape[1] > 1:
            raise _several_ratings(table, name)
    return Judgements.of_answers(columns, values, criteria, grouping)


Read = Callable[[Any], Any]
"""What makes a value of a cell; a ValueError says that the cell is wrong."""


def _read_cells(
    table: Table, name: str, cells: Sequence[Any], read: Read, expected: str
) -> list[Any]:
    values = []
    for i, cell in enumerate(cells):
        try:
            values.append(read(cell))
        except ValueError:
            where = f"column {name!r} of {table.where}"
            raise bad_row(i, where, expected, cell) from None
    return values


def _columns_of_answers(pair: bool) -> dict[str, tuple[Read, str]]:
    """Return column → what reads a cell, and what is expected there."""
    return {
        "source": (_read_text, "a text"),
        "prediction": (_read_two, "a list of two texts") if pair else (_read_text, "a text"),
        "system": (_read_pair if pair else read_systems, "a list of two systems"),
        "rater": (_read_rater, "a name or number"),
        "control": (_read_control, f"one of {listed(_KINDS)}"),
        "seconds": (_read_seconds, "a number of at least 0"),
        "time": (lambda cell: answered_at(cell, "time"), TIME),
        "screen": (lambda cell: cell, ""),
        "invalid": (lambda why: "" if is_missing(why) else str(why), ""),
        "judge": (_how_asked, ""),
    }


def _read_text(cell: Any) -> str | None:
    if cell is not None and not isinstance(cell, str):
        raise ValueError
    return cell


def _read_two(cell: Any) -> list[str | None] | None:
    texts = json_list(cell) or cell
    if texts is None:
        return None
    first, second = map(_read_text, texts if is_sequence(texts) else ())
    return [first, second]


def read_systems(cell: Any) -> tuple[str, ...]:
    """Return all systems that wrote an output: a name, or a list of names, also as JSON."""
    names = json_list(cell)
    if names is None and not is_sequence(cell):
        return (ALL if is_missing(cell) else trim(cell) or ALL,)
    return tuple(map(trim, cell if names is None else names))


def _read_pair(cell: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the systems of each output that was compared."""
    row = cell if is_sequence(cell) else json_list(cell)
    if row is None or any(map(is_missing, row)):
        raise ValueError
    first, second = row
    return read_systems(first), read_systems(second)


def _read_rater(name: Any) -> str:
    legal = isinstance(name, (str, int, float)) and not isinstance(name, bool)
    if not legal or is_missing(name) or not trim(name):
        raise ValueError
    return trim(name)


def _read_control(cell: Any) -> str:
    kind = "" if is_missing(cell, or_nan=True) else str(cell)
    if kind not in ("", *_KINDS):
        raise ValueError
    return kind


def _read_seconds(cell: Any) -> float:
    number = as_number(cell)
    if not is_missing(cell, or_nan=True) and not 0 <= number < math.inf:
        raise ValueError
    return number


def _how_asked(judge: Any) -> str:
    """Return a part of signatures from a cell of the column ``judge``."""
    if not isinstance(judge, Mapping):
        return "" if is_missing(judge) else str(judge)
    parts = {name: judge[name] for name in ASKED if judge.get(name) not in (None, [])}
    if "left_out" in parts:
        parts["left_out"] = "+".join(parts["left_out"])
    return ",".join(f"{name}:{value}" for name, value in parts.items())


def _name_raters(table: Table) -> Callable[[int, int], str]:
    """Return a function from a row of a table with a row per output, and a place, to the rater."""
    if "raters" not in table.names:
        return lambda _, place: str(place + 1)
    cells = table.column("raters")
    lists = [row if is_sequence(row) else json_list(row) or [] for row in cells]

    def name(row: int, place: int) -> str:
        try:
            return _read_rater(lists[row][place])
        except (ValueError, IndexError):
            expected = f"a list with the names of {place + 1} raters or more"
            where = f"column 'raters' of {table.where}"
            raise bad_row(row, where, expected, lists[row]) from None

    return name


def _read_values(table: Table, name: str, criterion: Criterion, grouping: Grouping) -> Floats:
    """Return (n, raters) ratings, or (n, 2) values of outputs that were compared."""
    column, where = reading.read_column(table, name), f"column {name!r} of {table.where}"
    if grouping == "pair":
        if "rater" not in table.names:
            raise table.without("rater", ": comparisons have a row per answer")
        expected = f"one of {listed(CHOICES)}"
        return np.array(_read_cells(table, name, column, _read_choice, expected))
    codes = criterion.codes
    if codes and not criterion.slider:
        return reading.matrix(column, where, codes)
    matrix = reading.matrix(column, where)
    wrong = (matrix < min(codes)) | (matrix > max(codes)) if codes else []
    for i, j in np.argwhere(wrong):
        expected = f"a number from {min(codes)} to {max(codes)}"
        raise bad_row(i, where, expected, float(matrix[i, j]))
    return matrix


def _read_choice(cell: Any) -> tuple[float, float]:
    return (math.nan, math.nan) if is_missing(cell) else choice(cell, "")


def _several_ratings(table: Table, name: str) -> InputError:
    """Return the error for a criterion with several ratings in the row of a rater."""
    if name in table.names:
        return InputError(
            f"column {name!r} of {table.where}: expected one rating a row, as there is a column "
            "'rater', got lists"
        )
    each = " ".join(f"--rating {part}" for part in name.split(","))
    return InputError(
        f"{table.where}: expected one column for a criterion, got {name!r}, as there is a column "
        f"'rater'; if these are several criteria, give each by itself: {each}"
    )


def _note_alike(answers: Judgements) -> None:
    """Print raters, and systems, whose names differ in case or look only."""
    systems = sorted({name for names in {*answers.frame["system"]} for name in names})
    for text in [*note_alike("raters", sorted(answers.raters)), *note_alike("systems", systems)]:
        note(text)


def _last_answers(answers: Judgements, places: Sequence[str]) -> list[int]:
    """Return the answers that count, by first ones; check that they are on the same texts."""
    last: dict[Any, int] = {}  # by question
    texts: dict[Any, tuple[Any, int]] = {}
    names = ("rater", "source", "screen", "file", "time")
    raters, sources, screens, files, times = map(answers.column, names)
    for i, subject in enumerate(answers.subjects()):
        if times[i] is not None and not subject.control and (ALL,) not in subject.systems:
            shown_texts = (sources[i], *subject.predictions)
            output = (subject.item, subject.systems)
            expected, first = texts.setdefault(output, (shown_texts, i))
            if shown_texts != expected:
                raise InputError(f"{places[i]}: {subject} has other texts than in {places[first]}")
        # An item may be repeated several times, on screens of their own.
        question = (raters[i], subject, screens[i] if subject.control == "repeat" else None)
        earlier = last.get(question)
        if earlier is not None and (times[i] is None or files[earlier] != files[i]):
            raise InputError(
                f"{places[i]}: rater {raters[i]!r} answers as in {places[earlier]}, on "
                f"{subject}: expected one answer, or a column 'time' in one file, of which "
                "the last counts"
            )
        if earlier is None or times[i] >= times[earlier]:
            last[question] = i
    return [*last.values()]


def _follow(answers: Judgements, plan: Plan, places: Sequence[str]) -> dict[str, list[int]]:
    """Check that all answers are planned; return rater → the screens without a whole answer."""
    has_texts = "prediction" in answers.frame
    planned: dict[tuple[str, Subject], Screen] = {}
    for screen in plan.screens:
        for systems, texts in screen.outputs(plan.scheme):
            predictions = texts if has_texts else (None,) * len(texts)
            subject = Subject(screen.item, systems, predictions, screen.control)
            planned[screen.rater, subject] = screen
    whole = answers.frame["value"].notna().groupby(answers.frame["answer"]).all()
    answered = set()
    sources = answers.column("source")
    for i, question in enumerate(zip(answers.column("rater"), answers.subjects(), strict=True)):
        rater, subject = question
        if question not in planned or sources[i] not in (None, planned[question].source):
            raise InputError(
                f"{places[i]}: the plan has no such screen of rater {rater!r}: "
                f"{subject}, source {shown(sources[i])}, prediction "
                f"{', '.join(map(shown, subject.predictions))}, control {subject.control!r}"
            )
        if whole[i]:
            answered.add(question)
    missing: dict[str, dict[int, None]] = {}
    for question, screen in planned.items():
        if question not in answered:
            missing.setdefault(screen.rater, {})[screen.screen] = None
    return {rater: [*screens] for rater, screens in missing.items()}
