"""Ratings from files: answers of the page, tables from elsewhere, tables with a row per output."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

import numpy as np

from textsimp.core.columns import as_number, is_missing, is_sequence
from textsimp.core.metric import Floats
from textsimp.corpora.tables import Table, json_list, read_table
from textsimp.meta import ratings as reading
from textsimp.meta.raters import Level
from textsimp.meta.resampling import Ints
from textsimp.ratings import schemes
from textsimp.ratings.schemes import OLD_COLUMNS, Control, Criterion, Grouping, Scheme, choice
from textsimp.support.errors import InputError, check_choice, listed, shown

Outputs = tuple[tuple[str, ...], ...]
"""The outputs on a screen, each with all systems that wrote it."""

ALL = "all"
"""The system of a table without a column of systems."""
TEXTS = ("source", "prediction", "references")
ASKED = (
    *("model", "reported", "fingerprint", "prompt", "temperature", "seed", "samples", "left_out"),
)
"""What signatures say of the way in which a judge was asked: keys of the column ``judge``."""
_LISTS = ("raters", "items", "outputs", "controls", "invalid", "asked")


@dataclass(frozen=True, eq=False)
class Ratings:
    """People's ratings: a row per rater and output, or per rater and comparison.

    Attributes:
        scheme: Name, version and hash of the scheme; "" without one.
        grouping: What raters see on a screen, see `Scheme`.
        criteria: Name → `Criterion`.
        raters: Who rated each row.
        items: What each row's outputs simplify.
        outputs: The outputs of each row, each as the systems that wrote it: one output, or those
            that are compared.
        controls: The kind of control that a row is; "" for none.
        values: Criterion → (n,) ratings, NaN for none. Of comparisons: (n, 2), the best and the
            worst output by their numbers from 0; −1 and −1 if they are equal.
        seconds: How long each took; NaN where unknown.
        texts: ``source``, ``prediction`` and ``references`` of each row, if there are any.
        invalid: Why a judge's answer isn't valid, see `textsimp.judges`; "" for others.
        asked: How a judge was asked; "" for people.
    """

    scheme: str
    grouping: Grouping
    criteria: Mapping[str, Criterion]
    raters: list[str]
    items: list[Any]
    outputs: list[Outputs]
    controls: list[str]
    values: Mapping[str, Floats]
    seconds: Floats
    texts: Mapping[str, list[Any]]
    invalid: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.raters)

    @property
    def compares(self) -> bool:
        """Whether raters compared outputs."""
        return self.grouping in ("pair", "four")

    def subjects(self) -> list[tuple[Any, ...]]:
        """Return what each row is about: item, outputs, control and text; equal ones are one."""
        predictions = self.texts.get("prediction", [None] * len(self))
        texts = [tuple(text) if isinstance(text, list) else text for text in predictions]
        return list(zip(self.items, self.outputs, self.controls, texts, strict=True))

    def take(self, rows: Iterable[int]) -> Ratings:
        """Return some rows."""
        kept = [*rows]
        lists: dict[str, Any] = {name: [getattr(self, name)[i] for i in kept] for name in _LISTS}
        return replace(
            self,
            values={name: values[kept] for name, values in self.values.items()},
            seconds=self.seconds[kept],
            texts={name: [column[i] for i in kept] for name, column in self.texts.items()},
            **lists,
        )

    def without(self, raters: Collection[str]) -> Ratings:
        """Return the rows of all other raters."""
        names = list(dict.fromkeys(self.raters))
        for name in raters:
            check_choice("without", name, names)
        if set(names) <= set(raters):
            raise InputError("without: expected some of the raters, got all of them")
        return self.take(i for i, name in enumerate(self.raters) if name not in raters)

    def by_output(self) -> dict[str, list[Any]]:
        """Return columns with a row per output, as `textsimp.meta.evaluate` takes them.

        Controls are left out. A criterion has a list with a rating of each rater, or None. An
        output that several systems wrote has a row for each.
        """
        if self.compares:
            raise InputError("expected ratings of outputs, got comparisons")
        places = {name: i for i, name in enumerate(dict.fromkeys(self.raters))}
        columns: dict[str, list[Any]] = {name: [] for name in ("item", "system", *self.texts)}
        columns |= {name: [] for name in self.criteria}
        rows: dict[Any, int] = {}
        for i, (item, outputs, control, text) in enumerate(self.subjects()):
            for system in outputs[0] if not control else ():
                row = rows.setdefault((item, system, text), len(rows))
                if row == len(columns["item"]):
                    columns["item"].append(item)
                    columns["system"].append(system)
                    for name, texts in self.texts.items():
                        columns[name].append(texts[i])
                    for name in self.criteria:
                        columns[name].append([None] * len(places))
                for name, values in self.values.items():
                    columns[name][row][places[self.raters[i]]] = float(values[i])
        if set(columns["system"]) == {ALL}:
            del columns["system"]
        return columns


def read(
    paths: str | Path | Sequence[str | Path],
    scheme: str | Path | Scheme | None = None,
    *,
    criteria: Sequence[str] | None = None,
    level: Level = "interval",
) -> Ratings:
    """Read ratings from JSONL, JSON, CSV, TSV, parquet or Excel files.

    A file has a row per answer, with a column ``rater``, or a row per output, with a list of all
    raters' ratings under each criterion and, if known, a list of their names in ``raters``. Other
    columns: ``item``, ``system``, ``control``, ``seconds``, ``time`` and the texts. Where there is
    a time, the last answer of a rater to the same question counts; without one, a second answer is
    an error.

    Args:
        paths: One or more files.
        scheme: The scheme of the answers: a name, a file or a `Scheme`. Answers of the page say
            which it is. For a scheme of your own give its file.
        criteria: The columns of ratings. Default: those of the scheme.
        level: The level of measurement of criteria without a scheme.

    Example:
        >>> from textsimp import ratings
        >>> found = ratings.read("examples/ratings.jsonl", criteria=["rating"])
        >>> len(found), sorted(set(found.raters))
        (96, ['1', '2'])
    """
    check_choice("level", level, get_args(Level))
    files = [paths] if isinstance(paths, (str, Path)) else list(paths)
    if not files:
        raise InputError("expected files of ratings, got none")
    tables = [read_table(path, lines=False) for path in files]
    known = schemes.find(tables, scheme, needed=not criteria)
    if known is None and not criteria:
        raise InputError(
            f"{tables[0].where}: expected a column 'scheme', or columns of ratings by name; its "
            f"columns are {listed(tables[0].names)}"
        )
    if known is None:
        chosen = {name: Criterion("", level) for name in criteria or []}
    else:
        chosen = dict(known.criteria)
        for name in criteria or []:
            check_choice("criteria", name, list(chosen))
        chosen = {name: chosen[name] for name in criteria or chosen}
    grouping: Grouping = "output" if known is None else known.grouping
    parts, rows = zip(*(_read(table, chosen, grouping) for table in tables), strict=True)
    lists = {name: [one for part in parts for one in getattr(part, name)] for name in _LISTS}
    ratings = Ratings(
        scheme="" if known is None else str(known),
        grouping=grouping,
        criteria=chosen,
        values={name: np.concatenate([part.values[name] for part in parts]) for name in chosen},
        seconds=np.concatenate([part.seconds for part in parts]),
        texts={
            name: [text for part in parts for text in part.texts[name]]
            for name in TEXTS
            if all(name in part.texts for part in parts)
        },
        **lists,
    )
    origins = [(table, row) for table, own in zip(tables, rows, strict=True) for row in own]
    return ratings.take(_last_answers(ratings, origins))


def is_answers(names: Collection[str]) -> bool:
    """Whether a table with these columns has a row per answer."""
    return "rater" in names or OLD_COLUMNS["rater"] in names


def _read(
    table: Table, criteria: Mapping[str, Criterion], grouping: Grouping
) -> tuple[Ratings, Ints]:
    """Return the ratings in a table, and the row of each."""

    def find(name: str) -> list[Any] | None:
        old = OLD_COLUMNS.get(name)
        name = old if old in table.names and name not in table.names else name
        return table.column(name) if name in table.names else None

    values = {name: _values(table, name, one, grouping) for name, one in criteria.items()}
    n = len(next(iter(values.values())))
    texts = {}
    for name in TEXTS:
        if name in table.names:
            with contextlib.suppress(*([InputError] if name == "references" else [])):
                texts[name] = table.column(name)  # some rows may have no references
    items = find("item") or texts.get("source") or range(n)
    outputs = _outputs(find("system") or [ALL] * n, table, grouping)
    controls = [_control(kind, i, table) for i, kind in enumerate(find("control") or [""] * n)]
    seconds = np.array([as_number(s) for s in find("seconds") or [np.nan] * n])
    invalid = ["" if is_missing(reason) else str(reason) for reason in find("invalid") or [""] * n]
    asked = [_how_asked(cell) for cell in find("judge") or [""] * n]
    raters = find("rater")
    if raters is not None:
        rows = np.arange(n)
        names = [_rater(name, i, table) for i, name in enumerate(raters)]
        if grouping in ("output", "source"):
            for name, matrix in values.items():
                if matrix.shape[1] > 1:
                    raise InputError(
                        f"column {name!r} of {table.where}: expected one rating a row, as there "
                        "is a column 'rater', got lists"
                    )
            values = {name: matrix[:, 0] for name, matrix in values.items()}
    else:
        rows, names, values = _by_rater(values, find("raters"), table)
    ratings = Ratings(
        "",
        grouping,
        criteria,
        names,
        [str(items[i]) for i in rows],
        [outputs[i] for i in rows],
        [controls[i] for i in rows],
        values,
        seconds[rows],
        {name: [column[i] for i in rows] for name, column in texts.items()},
        [invalid[i] for i in rows],
        [asked[i] for i in rows],
    )
    return ratings, rows


def _how_asked(judge: Any) -> str:
    """Return a part of signatures from a cell of the column ``judge``."""
    if not isinstance(judge, Mapping):
        return "" if is_missing(judge) else str(judge)
    parts = [(name, judge.get(name)) for name in ASKED]
    texts = [
        (name, "+".join(map(str, value)) if is_sequence(value) else value)
        for name, value in parts
        if value not in (None, [])
    ]
    return ",".join(f"{name}:{text}" for name, text in texts)


def _by_rater(
    values: Mapping[str, Floats], named: list[Any] | None, table: Table
) -> tuple[Ints, list[str], dict[str, Floats]]:
    """Return a row per rating of a table with a row per output: its row, rater and ratings."""
    width = max(matrix.shape[1] for matrix in values.values())
    wide = np.full((len(values), len(next(iter(values.values()))), width), np.nan)
    for k, matrix in enumerate(values.values()):
        wide[k, :, : matrix.shape[1]] = matrix
    rows, places = np.nonzero(~np.isnan(wide).all(axis=0))
    names = [str(place + 1) for place in places]
    if named is not None:
        lists = [row if is_sequence(row) else json_list(row) for row in named]
        for at, (i, place) in enumerate(zip(rows.tolist(), places.tolist(), strict=True)):
            of_row = lists[i] or []
            if place >= len(of_row):
                raise InputError(
                    f"row {i} of column 'raters' of {table.where} (counted from 0): expected a "
                    f"list with the names of {place + 1} raters or more, got {shown(named[i])}"
                )
            names[at] = _rater(of_row[place], i, table)
    return rows, names, {name: wide[k, rows, places] for k, name in enumerate(values)}


def _values(table: Table, name: str, criterion: Criterion, grouping: Grouping) -> Floats:
    """Return (n, raters) ratings, or (n, 2) outputs that are best and worst."""
    column, where = reading.read_column(table, name), f"column {name!r} of {table.where}"
    if grouping in ("pair", "four"):
        cells = [
            (np.nan, np.nan)
            if is_missing(cell)
            else choice(cell, grouping, f"row {i} of {where} (counted from 0)")
            for i, cell in enumerate(column)
        ]
        return np.array(cells)
    codes = criterion.codes
    if not codes or criterion.slider:
        matrix = reading.matrix(column, where)
        wrong = ~np.isnan(matrix) & ((matrix < min(codes)) | (matrix > max(codes))) if codes else []
        for i, j in np.argwhere(wrong):
            raise InputError(
                f"row {i} of {where} (counted from 0): expected a number from {min(codes)} to "
                f"{max(codes)}, got {matrix[i, j]:g}"
            )
        return matrix
    return reading.matrix(column, where, codes)


def _outputs(systems: Sequence[Any], table: Table, grouping: Grouping) -> list[Outputs]:
    """Return the outputs of each row; a system is a text, or a list of those that are equal."""
    compared = {"pair": 2, "four": 4}.get(grouping)
    outputs = []
    for i, cell in enumerate(systems):
        row = cell if is_sequence(cell) else json_list(cell)
        parts = [cell if row is None else row] if compared is None else row
        if parts is None or len(parts) != (compared or 1) or any(map(is_missing, parts[1:])):
            raise InputError(
                f"row {i} of column 'system' of {table.where} (counted from 0): expected a list "
                f"of {compared} systems, got {shown(cell)}"
            )
        outputs.append(tuple(map(_systems, parts)))
    return outputs


def _systems(part: Any) -> tuple[str, ...]:
    """Return all systems that wrote an output."""
    return tuple(map(str, part)) if is_sequence(part) else (ALL if is_missing(part) else str(part),)


def _control(kind: Any, i: int, table: Table) -> str:
    if is_missing(kind):
        return ""
    check_choice(
        f"row {i} of column 'control' of {table.where} (counted from 0)", kind, get_args(Control)
    )
    return str(kind)


def _rater(name: Any, i: int, table: Table) -> str:
    if is_missing(name) or isinstance(name, bool) or not isinstance(name, (str, int, float)):
        raise InputError(
            f"row {i} of {table.where} (counted from 0): expected the name or number of a rater, "
            f"got {shown(name)}"
        )
    return str(name)


def _last_answers(ratings: Ratings, origins: Sequence[tuple[Table, int]]) -> list[int]:
    """Return the rows that count, and check that answers are on the same texts."""

    def where(row: int) -> str:
        return f"row {origins[row][1]} of {origins[row][0].where} (counted from 0)"

    tables = {id(table): table for table, _ in origins}
    screens = {
        key: table.column("screen") if "screen" in table.names else None
        for key, table in tables.items()
    }
    last: dict[Any, int] = {}
    texts: dict[Any, int] = {}
    for row, output in enumerate(ratings.subjects()):
        item, outputs, control, _ = output
        rater, table = ratings.raters[row], origins[row][0]
        timed = "time" in table.names
        for name, of in (("source", item), ("prediction", (item, outputs))):
            if name in ratings.texts and timed and not control:
                first = texts.setdefault((name, of), row)
                text, expected = ratings.texts[name][row], ratings.texts[name][first]
                if text != expected:
                    raise InputError(
                        f"{where(row)}: item {item!r} has the {name} {shown(text)}, but in "
                        f"{where(first)} {shown(expected)}"
                    )
        # One item may be repeated several times, on screens of their own.
        numbers = screens[id(table)] if control == "repeat" else None
        again = numbers[origins[row][1]] if numbers else None
        key = (rater, output, again)
        earlier = last.get(key)
        if earlier is not None and not (timed and origins[earlier][0] is table):
            raise InputError(
                f"{where(row)}: rater {rater!r} answers as in {where(earlier)}, on item {item!r} "
                f"of {listed(sum(outputs, ()))}: expected one answer, or a column 'time' in "
                "one file, of which the last answer counts"
            )
        last[key] = row
    return sorted(last.values())
