"""Ratings from tables: answers of the page, tables from elsewhere, tables with a row per output."""

import contextlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, get_args

import numpy as np

from textsimp.core.columns import as_number, bad_row, is_missing, is_sequence
from textsimp.core.metric import Floats
from textsimp.corpora.tables import Table, json_list
from textsimp.extensions.people.judgements import numbers as reading
from textsimp.extensions.people.judgements import schemes, tool_files
from textsimp.extensions.people.judgements.agreement import MeasurementLevel
from textsimp.extensions.people.judgements.answer_files import answered_at
from textsimp.extensions.people.judgements.criteria import Control, Criterion, Grouping, choice
from textsimp.extensions.people.judgements.judgements import ALL, Judgements, Subject, join
from textsimp.extensions.people.judgements.schemes import Scheme
from textsimp.extensions.people.judgements.studies import Plan, Screen, read_plan
from textsimp.support.errors import InputError, check_choice, listed, shown
from textsimp.support.names import note_alike, trim
from textsimp.support.progress import note

ASKED = (
    *("model", "reported", "fingerprint", "prompt", "temperature", "seed", "samples"),
    *("answer_tokens", "left_out"),
)
"""What signatures say of the way in which a judge was asked: keys of the column ``judge``."""
_ABOUT = ("item", "system", "rater", "raters")


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
    timed = [time is not None for time in _column(answers, "time")]
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
    if "rater" not in table.names and all(np.isnan(rows).all() for rows in values.values()):
        raise InputError(f"{table.where}: expected ratings in {listed(criteria)}, got none")
    n = len(next(iter(values.values())))
    columns = _read_texts(table, grouping)
    about = {name: table.column(name) for name in _ABOUT if name in table.names}
    items = [*map(trim, about.get("item") or columns.get("source") or range(n))]
    columns |= {"file": [number] * n, "row": [*range(n)], "item": items}
    columns["system"] = _parse_systems(about.get("system", [ALL] * n), table, grouping)
    columns |= _read_optional(table)
    if "rater" not in about:
        return Judgements.of({**columns, **values}, criteria, _name_raters(about, table))
    columns["rater"] = [_parse_rater(name, i, table) for i, name in enumerate(about["rater"])]
    for name, matrix in () if grouping == "pair" else values.items():
        if matrix.shape[1] > 1:
            raise _several_ratings(table, name)
    return Judgements.of_answers(columns, values, criteria, grouping)


def _read_optional(table: Table) -> dict[str, list[Any]]:
    """Return the optional columns of answers that a table has."""
    columns = {}
    for name, (column, read) in _OPTIONAL.items():
        cells = table.sparse(name)  # people and models may share a file
        if cells is not None:
            columns[column] = read(cells, table)
    return columns


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


def _wrong(table: Table, name: str, i: int, expected: str, cell: Any) -> InputError:
    return bad_row(i, f"column {name!r} of {table.where}", expected, cell)


def _read_seconds(cells: Sequence[Any], table: Table) -> list[float]:
    seconds = list(map(as_number, cells))
    for i, (cell, number) in enumerate(zip(cells, seconds, strict=True)):
        if not is_missing(cell, or_nan=True) and not 0 <= number < math.inf:
            raise _wrong(table, "seconds", i, "a number of at least 0", cell)
    return seconds


def _read_times(cells: Sequence[Any], table: Table) -> list[datetime]:
    where = f"column 'time' of {table.where} (counted from 0)"
    return [answered_at(cell, f"row {i} of {where}") for i, cell in enumerate(cells)]


def _how_asked(judge: Any) -> str:
    """Return a part of signatures from a cell of the column ``judge``."""
    if not isinstance(judge, Mapping):
        return "" if is_missing(judge) else str(judge)
    parts = {name: judge[name] for name in ASKED if judge.get(name) not in (None, [])}
    if "left_out" in parts:
        parts["left_out"] = "+".join(parts["left_out"])
    return ",".join(f"{name}:{value}" for name, value in parts.items())


def _read_texts(table: Table, grouping: Grouping) -> dict[str, list[Any]]:
    texts: dict[str, list[Any]] = {}
    for name in (name for name in ("source", "prediction") if name in table.names):
        two = grouping == "pair" and name == "prediction"
        column = table.column(name)
        texts[name] = [json_list(cell) or cell for cell in column] if two else column
        for i, cell in enumerate(texts[name]):
            parts = cell if two and is_sequence(cell) else [cell]
            texts_only = all(isinstance(text, str) or text is None for text in parts)
            if cell is not None and (len(parts) != 1 + two or not texts_only):
                raise _wrong(table, name, i, "a list of two texts" if two else "a text", cell)
    if "references" in table.names:
        with contextlib.suppress(InputError):  # some rows may have none
            texts["references"] = reading.read_column(table, "references")
    return texts


def _name_raters(about: Mapping[str, list[Any]], table: Table) -> Callable[[int, int], str]:
    """Return a function from a row of a table with a row per output, and a place, to the rater."""
    if "raters" not in about:
        return lambda _, place: str(place + 1)
    lists = [row if is_sequence(row) else json_list(row) or [] for row in about["raters"]]

    def name(row: int, place: int) -> str:
        if place >= len(lists[row]):
            expected = f"a list with the names of {place + 1} raters or more"
            raise _wrong(table, "raters", row, expected, lists[row])
        return _parse_rater(lists[row][place], row, table)

    return name


def _read_values(table: Table, name: str, criterion: Criterion, grouping: Grouping) -> Floats:
    """Return (n, raters) ratings, or (n, 2) values of outputs that were compared."""
    column, where = reading.read_column(table, name), f"column {name!r} of {table.where}"
    if grouping == "pair":
        if "rater" not in table.names:
            raise table.without("rater", ": comparisons have a row per answer")
        values = np.full((len(column), 2), np.nan)
        for i, cell in enumerate(column):
            if not is_missing(cell):
                values[i] = choice(cell, f"row {i} of {where} (counted from 0)")
        return values
    codes = criterion.codes
    if not codes or criterion.slider:
        matrix = reading.matrix(column, where)
        wrong = (matrix < min(codes)) | (matrix > max(codes)) if codes else []
        for i, j in np.argwhere(wrong):
            expected = f"a number from {min(codes)} to {max(codes)}"
            raise _wrong(table, name, i, expected, float(matrix[i, j]))
        return matrix
    return reading.matrix(column, where, codes)


def _parse_systems(cells: Sequence[Any], table: Table, grouping: Grouping) -> list[Any]:
    """Return the systems of each row's output, or of each of its outputs.

    A system is a text, or a list of those that are equal.
    """
    if grouping != "pair":
        return [list_systems(cell if (row := json_list(cell)) is None else row) for cell in cells]
    systems = []
    for i, cell in enumerate(cells):
        row = cell if is_sequence(cell) else json_list(cell)
        if row is None or len(row) != 2 or any(map(is_missing, row)):
            raise _wrong(table, "system", i, "a list of two systems", cell)
        systems.append(tuple(map(list_systems, row)))
    return systems


def list_systems(part: Any) -> tuple[str, ...]:
    """Return all systems that wrote an output."""
    if is_sequence(part):
        return tuple(map(trim, part))
    return (ALL if is_missing(part) else trim(part) or ALL,)


def _parse_controls(kinds: Sequence[Any], table: Table) -> list[str]:
    controls = ["" if is_missing(kind, or_nan=True) else str(kind) for kind in kinds]
    for i, kind in enumerate(controls):
        if kind and kind not in get_args(Control):
            raise _wrong(table, "control", i, f"one of {listed(get_args(Control))}", kind)
    return controls


def _parse_rater(name: Any, i: int, table: Table) -> str:
    legal = isinstance(name, (str, int, float)) and not isinstance(name, bool)
    if not legal or is_missing(name) or not trim(name):
        raise _wrong(table, "rater", i, "a name or number", name)
    return trim(name)


def _note_alike(answers: Judgements) -> None:
    """Print raters, and systems, whose names differ in case or look only."""
    systems = sorted({name for names in {*answers.frame["system"]} for name in names})
    for text in [*note_alike("raters", sorted(answers.raters)), *note_alike("systems", systems)]:
        note(text)


@dataclass(frozen=True)
class _Answer:
    """An answer, by its number, and when it was given in which file."""

    number: int
    file: int
    time: datetime | None


def _last_answers(answers: Judgements, places: Sequence[str]) -> list[int]:
    """Return the answers that count, by first ones; check that they are on the same texts."""
    last: dict[Any, _Answer] = {}  # by question
    texts: dict[Any, tuple[Any, int]] = {}
    columns = (_column(answers, name) for name in ("rater", "source", "file", "time", "screen"))
    for i, (subject, *row) in enumerate(zip(answers.subjects(), *columns, strict=True)):
        rater, source, file, time, screen = row
        if time is not None and not subject.control and (ALL,) not in subject.systems:
            shown_texts = (source, *subject.predictions)
            output = (subject.item, subject.systems)
            expected, first = texts.setdefault(output, (shown_texts, i))
            if shown_texts != expected:
                raise InputError(f"{places[i]}: {subject} has other texts than in {places[first]}")
        # An item may be repeated several times, on screens of their own.
        question = (rater, subject, screen if subject.control == "repeat" else None)
        earlier = last.get(question)
        if earlier is not None and (time is None or earlier.file != file):
            raise InputError(
                f"{places[i]}: rater {rater!r} answers as in {places[earlier.number]}, on "
                f"{subject}: expected one answer, or a column 'time' in one file, of which "
                "the last counts"
            )
        if earlier is None or time >= earlier.time:
            last[question] = _Answer(i, file, time)
    return [answer.number for answer in last.values()]


def _column(answers: Judgements, name: str) -> list[Any]:
    """Return a column of answers; None where there is none."""
    return list(answers.answers[name]) if name in answers.frame else [None] * len(answers)


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
    raters, sources = _column(answers, "rater"), _column(answers, "source")
    for i, question in enumerate(zip(raters, answers.subjects(), strict=True)):
        rater, subject = question
        if question not in planned or sources[i] not in (None, planned[question].source):
            raise InputError(
                f"{places[i]}: the plan has no such screen of rater {rater!r}: "
                f"{subject}, source {shown(sources[i])}, prediction "
                f"{', '.join(map(shown, subject.predictions))}, control {subject.control!r}"
            )
        if whole[i]:
            answered.add(question)
    missing: dict[str, list[int]] = {}
    for question, screen in planned.items():
        if question not in answered and screen.screen not in missing.setdefault(screen.rater, []):
            missing[screen.rater].append(screen.screen)
    return {rater: screens for rater, screens in missing.items() if screens}


_OPTIONAL: dict[str, tuple[str, Callable[[Sequence[Any], Table], list[Any]]]] = {
    "control": ("control", _parse_controls),
    "seconds": ("seconds", _read_seconds),
    "time": ("time", _read_times),
    "screen": ("screen", lambda cells, _: [*cells]),
    "invalid": ("invalid", lambda cells, _: ["" if is_missing(why) else str(why) for why in cells]),
    "judge": ("how", lambda cells, _: [*map(_how_asked, cells)]),
}
"""Column of a table → that of `Judgements`, and what reads its cells."""
