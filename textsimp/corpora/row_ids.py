"""Rows of gold and of runs, joined by their ids, and which rows a join leaves out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from textsimp.core import cells, columns
from textsimp.core.declarations import PREDICTIONS
from textsimp.core.examples import emit_warning
from textsimp.support.errors import InputError, advise, check_choice

__all__ = ["Coverage", "Missing", "align", "check_once", "cover", "empty", "fold", "join", "take"]

Key = tuple[str, ...]
"""The ids of a row."""

Missing = Literal["error", "empty", "skip"]
"""What becomes of rows of gold that a run lacks: an error, an empty output, or left out."""

Place = int | None
_ROWS = 20  # of a list of rows in print
_FLOAT = re.compile(r"(-?\d+\.0)?")  # a whole number, or an empty cell


@dataclass(frozen=True)
class Coverage:
    """Rows that official scores leave out. Rows count from 1."""

    gold: int  # number of instances of gold
    scored: int  # number of rows that are scored
    missing: Sequence[int] = ()  # rows of gold without a prediction
    extra: Sequence[int] = ()  # rows of the run that gold has no instance for
    repeated: Sequence[int] = ()  # rows of the run whose instance has an earlier row
    remarks: Mapping[str, Sequence[int]] = field(default_factory=dict)  # other rows of the run

    def describe(self) -> list[str]:
        """Return a line on each kind of rows, with their numbers."""
        parts = {
            "gold without a prediction": self.missing,
            "instance that gold lacks": self.extra,
            "instance that has an earlier row": self.repeated,
            **self.remarks,
        }
        return [f"{what} ({_shown(rows)})" for what, rows in parts.items() if rows]


def _shown(rows: Sequence[int]) -> str:
    ranges = cells.runs(rows)
    which = ", ".join([*ranges[:_ROWS], *(["…"] if len(ranges) > _ROWS else [])])
    return f"row {which}" if len(rows) == 1 else f"{len(rows):,} rows: {which}"


def empty(texts: Sequence[str]) -> dict[str, list[int]]:
    """Return a remark on rows without text, if there are any.

    >>> empty(["It rained.", " "])
    {'empty output': [2]}
    """
    rows = [i for i, text in enumerate(texts, 1) if not text.strip()]
    return {"empty output": rows} if rows else {}


def check_once(keys: Sequence[tuple[str, ...]], where: str) -> None:
    """Check that no two rows have the same ids."""
    first: dict[tuple[str, ...], int] = {}
    for i, key in enumerate(keys, 1):
        if first.setdefault(key, i) != i:
            raise InputError(
                f"{where}: expected each id once, got {', '.join(key)} in rows {first[key]} and {i}"
            )


def join(
    keys: Sequence[Hashable], run_keys: Sequence[Hashable], *, repeated: bool = False
) -> list[tuple[int, int]]:
    """Return the places of rows of gold and of a run with equal keys, in the order of gold.

    If gold or the run repeats a key, its last row counts; with ``repeated`` each row of the run
    counts. Rows that the run lacks aren't scored.

    >>> join(["a", "b", "c"], ["c", "a", "c", "x"])
    [(0, 1), (2, 2)]
    """
    places = {key: i for i, key in enumerate(keys)}
    last = {key: i for i, key in enumerate(run_keys)}
    rows = [i for i, key in enumerate(run_keys) if repeated or last[key] == i]
    return sorted((places[run_keys[i]], i) for i in rows if run_keys[i] in places)


def cover(
    gold: Sequence[Hashable],
    predicted: Sequence[Hashable],
    *,
    scored: int,
    lines: tuple[Sequence[int], Sequence[int]] | None = None,
    remarks: Mapping[str, Sequence[int]] | None = None,
) -> Coverage:
    """Compare the keys of gold's rows with those of a run's rows.

    A remark lists keys that differ from gold's in Unicode form, case or spacing only. ``lines``
    are the numbers of both files' rows in messages.
    """
    numbers = lines or (range(1, len(gold) + 1), range(1, len(predicted) + 1))
    gold_rows = [*zip(gold, numbers[0], strict=True)]
    run_rows = [*zip(predicted, numbers[1], strict=True)]
    last, first = dict(gold_rows), dict(reversed(run_rows))
    similar = {fold(key) for key in last if key not in first}
    extra = [(key, i) for key, i in run_rows if key not in last]
    all_remarks = {
        "instance of gold but for case, spaces, quotes or Unicode form": [
            i for key, i in extra if fold(key) in similar
        ],
        "gold whose instance has a later row": [i for key, i in gold_rows if last[key] != i],
        **(remarks or {}),
    }
    return Coverage(
        gold=len(last),
        scored=scored,
        missing=[i for key, i in gold_rows if key not in first],
        extra=[i for _, i in extra],
        repeated=[i for key, i in run_rows if first[key] != i],
        remarks={what: rows for what, rows in all_remarks.items() if rows},
    )


def align(
    keys: Sequence[Key],
    where: str,
    systems: Mapping[str, Sequence[Key]],
    missing: Missing = "error",
    code: str = "missing rows",
) -> tuple[list[int], dict[str, list[Place]], list[str]]:
    """Return the rows of gold that are kept, each system's row for each of them, and notes.

    A system has None for a row that it lacks. With ``missing="skip"`` only rows of all systems are
    kept. Ids may be repeated if rows are in the order of gold. ``code`` is that of errors.

    >>> rows = {"ours": [("b",), ("a",), ("x",)]}
    >>> align([("a",), ("b",)], "gold", rows)
    ([0, 1], {'ours': [1, 0]}, ['ours: instance that gold lacks (row 3); rows count from 1'])
    """
    check_choice("missing", missing, get_args(Missing))
    places: dict[str, dict[int, int]] = {}
    notes: list[str] = []
    for name, system_keys in systems.items():
        if system_keys == keys:
            places[name] = {i: i for i in range(len(keys))}
            continue
        check_once(keys, where)
        places[name] = dict(join(keys, system_keys))
        if not places[name]:
            raise InputError(f"{name}: no row has an id of {where}", code)
        coverage = cover(keys, system_keys, scored=len(places[name]))
        notes.append(f"{name}: {'; '.join(coverage.describe())}; rows count from 1")
        if coverage.missing and missing == "error":
            first = ", ".join(keys[coverage.missing[0] - 1])[:60]
            raise InputError(f"{notes[-1]}; expected a row for {first!r} of {where}", code)
        if not coverage.describe():
            notes.pop()
    kept = [*range(len(keys))]
    if missing == "skip":
        kept = [i for i in kept if all(i in rows for rows in places.values())]
    if not kept:
        raise InputError(f"{where}: no row is in all of {', '.join(systems)}", code)
    return kept, {name: [rows.get(i) for i in kept] for name, rows in places.items()}, notes


def take(column: str, rows: Sequence[Any], places: Sequence[Place], system: str) -> list[Any]:
    """Return the rows of a system's column in these places; a missing output is empty."""
    if None in places and column != PREDICTIONS.name:
        raise InputError(
            f"{column} of {system}: expected a row for each id, as only predictions may be empty: "
            "skip missing rows"
        )
    return ["" if i is None else rows[i] for i in places]


def join_columns(
    systems: Any, shared: Mapping[str, Any], ids: Any, missing: Missing
) -> tuple[Any, dict[str, Any]]:
    """Return systems and shared columns of users, joined by ids unless these are None.

    Systems without a column ``ids`` have the order of the shared columns.
    """
    if ids is None:
        if missing != "error":
            raise InputError("missing: expected ids, by which systems are joined, got none")
        return systems, {**shared}
    if not isinstance(systems, Mapping) or not systems:
        raise InputError("ids: expected systems, name → column → rows, to join with")
    keys = _keys(ids, "ids")
    gold = {name: columns.plain_list(rows) for name, rows in shared.items() if rows is not None}
    columns.check_lengths(ids=keys, **gold)
    own_keys, own_columns = {}, {}
    for name, own in systems.items():
        own = {**own} if isinstance(own, Mapping) else {PREDICTIONS.name: own}
        own_keys[name] = _keys(own.pop("ids"), f"ids of {name}") if "ids" in own else keys
        own_columns[name] = {column: columns.plain_list(rows) for column, rows in own.items()}
        lengths = {f"{column} of {name}": rows for column, rows in own_columns[name].items()}
        columns.check_lengths(**{f"ids of {name}": own_keys[name]}, **lengths)
    with advise({"missing rows": "; missing='empty' and missing='skip' go on without it"}):
        kept, places, notes = align(keys, "ids", own_keys, missing)
    for note in notes:
        emit_warning(note, UserWarning)
    joined = {
        name: {column: take(column, rows, places[name], name) for column, rows in own.items()}
        for name, own in own_columns.items()
    }
    kept_rows = {name: [rows[i] for i in kept] for name, rows in gold.items()}
    return joined, {**dict.fromkeys(shared), **kept_rows}


def _keys(ids: Any, name: str) -> list[Key]:
    rows = columns.plain_rows(ids, name, "a list of texts or whole numbers")
    return [(text,) for text in as_texts(rows, name)]


def is_id(value: Any) -> bool:
    """Return whether a value is an id: a text or a whole number, such as 25 or 25.0."""
    return type(value) in (str, int) or (isinstance(value, float) and value.is_integer())


def as_texts(ids: Sequence[Any], name: str, first: int = 0) -> list[str]:
    """Return ids as texts; messages count rows from ``first``.

    A column of floats has whole numbers where other rows are missing, in CSV as 25.0.

    >>> as_texts([25.0, 7], "id"), as_texts(["25.0", "7.0"], "id"), as_texts(["1", "1.0"], "id")
    (['25', '7'], ['25', '7'], ['1', '1.0'])
    """
    for i, value in enumerate(ids):
        if not is_id(value):
            raise columns.bad_row(i, name, "a text or whole number", value, first)
    texts = [str(int(value)) if isinstance(value, float) else str(value) for value in ids]
    floats = [*map(_FLOAT.fullmatch, texts)]
    return [text.removesuffix(".0") for text in texts] if all(floats) else texts


def fold(key: Any) -> Hashable:
    """Return a key as people read it: without case, spaces, marks and Unicode forms."""
    if isinstance(key, tuple):
        return tuple(map(fold, key))
    text = unicodedata.normalize("NFKC", str(key)).casefold()
    return "".join(c for c in text if c.isprintable() and c not in "\" \u201c\u201d\u2018\u2019'")
