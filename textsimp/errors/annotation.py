"""Answers of annotators: a JSONL file for each annotator, and their merging.

A row has the annotator, the pair and its labels; the last row of a pair counts. Rows are only
appended and forced to the disk. A row that a killed process left half-written is removed.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import threading
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from filelock import FileLock

from textsimp.core import columns
from textsimp.core.declarations import PREDICTIONS, SOURCES
from textsimp.corpora.files import read_bytes
from textsimp.corpora.tables import Table, read_column, read_table
from textsimp.errors.labels import COLUMNS
from textsimp.metrics.information_errors import CATEGORIES, LABELS, majority
from textsimp.support.errors import InputError, check_integer, shown

Label = int
Labels = dict[str, Label | None]
"""Category → label, None where there is none yet."""

QUALIFIED = 0.75
"""The share of known labels that an annotator must give, according to Devaraj et al. (2022)."""

_NAME = re.compile(r"\w[\w .-]{0,39}")
_FIRST = b'{"annotator": '  # begins every row that is written here


@dataclass(frozen=True)
class Pair:
    """A source and an output; ``system`` is empty if the file doesn't say who wrote it."""

    id: int | str
    system: str
    source: str
    prediction: str

    @property
    def key(self) -> tuple[str, str]:
        """Its identity among the pairs of a file."""
        return str(self.id), self.system

    def __str__(self) -> str:
        of = f" of system {self.system!r}" if self.system else ""
        return f"id {self.id!r}{of}"


@dataclass(frozen=True)
class Answer:
    """The labels that an annotator gave a pair."""

    annotator: str
    pair: Pair
    labels: Labels

    @property
    def complete(self) -> bool:
        """Whether every category has a label."""
        return None not in self.labels.values()

    def to_dict(self) -> dict[str, Any]:
        """A row of a file of answers."""
        labels = {name: self.labels[name] for name in CATEGORIES}
        return {"annotator": self.annotator, **asdict(self.pair), **labels}


def read_pairs(path: str | Path) -> list[Pair]:
    """Read pairs from a table: ``source``, ``prediction`` and, if given, ``id`` and ``system``."""
    return _pairs(read_table(path))


def read_qualification(path: str | Path) -> tuple[list[Pair], list[Labels]]:
    """Read pairs with known labels; a label that isn't known is missing."""
    table = read_table(path)
    pairs = _pairs(table)
    key: list[Labels] = [{} for _ in pairs]
    for name in CATEGORIES:
        column = read_column(table, COLUMNS[name], [name])
        for i, row in enumerate(column.rows if column is not None else []):
            if len(row) > 1:
                raise InputError(
                    f"row {i} of column {name!r} of {table.where} (counted from 0): expected one "
                    f"label, got {row!r}"
                )
            key[i][name] = row[0] if row else None
    for i, labels in enumerate(key):
        if set(labels.values()) == {None}:
            raise InputError(
                f"row {i} of {table.where} (counted from 0): expected a known label, got none"
            )
    return pairs, key


def _pairs(table: Table) -> list[Pair]:
    texts = {}
    for name, column in (("source", SOURCES), ("prediction", PREDICTIONS)):
        rows = read_column(table, column)
        texts[name] = table.column(name) if rows is None else rows.rows
    n = len(texts["source"])
    ids = table.column("id") if "id" in table.names else list(range(1, n + 1))
    systems = table.column("system") if "system" in table.names else [""] * n
    systems = columns.texts([s or "" for s in systems], f"column 'system' of {table.where}")
    pairs: dict[tuple[str, str], Pair] = {}
    for i, id_ in enumerate(ids):
        where = f"row {i} of column 'id' of {table.where} (counted from 0)"
        if type(id_) not in (int, str) or id_ == "":
            raise InputError(f"{where}: expected a number or a text, got {shown(id_)}")
        pair = Pair(id_, systems[i], texts["source"][i], texts["prediction"][i])
        if pair.key in pairs:
            raise InputError(
                f"{where}: {pair} stands in a row before, too: expected ids that differ, or a "
                "column 'system' that does"
            )
        pairs[pair.key] = pair
    return list(pairs.values())


def annotator_name(name: Any) -> str:
    """Return a name trimmed, with single spaces."""
    trimmed = " ".join(name.split()) if isinstance(name, str) else ""
    if not _NAME.fullmatch(trimmed) or not _NAME.fullmatch(same_name(trimmed)):
        raise InputError(
            "name of the annotator: expected at most 40 letters, digits, spaces, '.', '-' and "
            f"'_', the first a letter or digit, got {shown(name).removeprefix('str ')}"
        )
    return trimmed


def same_name(name: str) -> str:
    """Return a name in a form that doesn't differ by case, as files don't on some systems."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


class Answers:
    """An annotator's answers to pairs, in a file that threads and processes may share."""

    def __init__(self, folder: str | Path, annotator: str, pairs: Sequence[Pair]) -> None:
        self.annotator = annotator_name(annotator)
        self.path = Path(folder) / f"{same_name(self.annotator)}.jsonl"
        self.pairs = pairs
        self._rows = {pair.key: i for i, pair in enumerate(pairs)}
        self._answers: dict[int, Answer] = {}
        self._last: int | None = None
        self._lock = threading.Lock()
        self.refresh()

    def refresh(self) -> None:
        """Read the file, to which others may have written."""
        with self._lock, _input_errors(self.path):
            if self.path.exists():
                with self._alone():
                    self._load()

    def give(self, row: int, labels: Mapping[str, Label | None]) -> None:
        """Write an answer to a row, counted from 0, to the disk; a label may be missing or None."""
        row = check_integer("row", row, 0, len(self.pairs) - 1)
        if not isinstance(labels, Mapping) or not set(labels) <= set(CATEGORIES):
            raise InputError(f"labels: expected {', '.join(CATEGORIES)}, got {shown(labels)}")
        checked = _check_labels(labels, f"answer to row {row}")
        answer = Answer(self.annotator, self.pairs[row], checked)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        line = json.dumps({**answer.to_dict(), "time": now}, ensure_ascii=False).encode() + b"\n"
        with self._lock, _input_errors(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self._alone():
                self._load()
                _append(self.path, line)
                self._answers[row] = answer
                self._last = row

    @property
    def labels(self) -> dict[int, Labels]:
        """Row → its labels, of all rows that have an answer."""
        return {row: dict(answer.labels) for row, answer in self._sorted()}

    @property
    def next(self) -> int | None:
        """The row to go on with: the last one, or the first after it that lacks labels."""
        n, first = len(self.pairs), self._last or 0
        complete = {row for row, answer in self._sorted() if answer.complete}
        order = (i % n for i in range(first, first + n))
        return next((row for row in order if row not in complete), None)

    def rows(self) -> list[dict[str, Any]]:
        """The answers in the order of the pairs: annotator, pair and labels, as `merge` reads."""
        return [answer.to_dict() for _, answer in self._sorted()]

    def _sorted(self) -> list[tuple[int, Answer]]:
        with self._lock:
            return sorted(self._answers.items())

    def _alone(self) -> contextlib.AbstractContextManager[Any]:
        """Lock out all other threads and processes that use the folder."""
        return FileLock(self.path.parent / ".lock").acquire(poll_interval=0.005)

    def _load(self) -> None:
        """Read all answers, and mend the end of the file; inside the lock."""
        data = self.path.read_bytes() if self.path.exists() else b""
        answers, torn = _parse(data, self.path)
        rows = [self._row(answer, line) for line, answer in enumerate(answers, 1)]
        if torn:
            os.truncate(self.path, len(data) - len(torn))
        elif data and not data.endswith(b"\n"):
            _append(self.path, b"\n")
        self._answers = dict(zip(rows, answers, strict=True))
        self._last = rows[-1] if rows else None

    def _row(self, answer: Answer, line: int) -> int:
        """The row of an answer in the file, which must be this annotator's to one of the pairs."""
        where = f"{self.path}, line {line}"
        if same_name(answer.annotator) != same_name(self.annotator):
            raise InputError(
                f"{where}: an answer of annotator {answer.annotator!r}, not of {self.annotator!r}"
            )
        row = self._rows.get(answer.pair.key)
        if row is None:
            raise InputError(f"{where}: an answer to {answer.pair}, which isn't among the pairs")
        _check_texts(answer.pair, self.pairs[row], where, "the pairs have")
        return row


def qualification(answers: Mapping[int, Labels], key: Sequence[Labels]) -> tuple[int, int]:
    """Count the known labels that an annotator gave, and all known labels.

    >>> key = [{"insertion": 0, "deletion": 1, "substitution": None}]
    >>> qualification({0: {"insertion": 0, "deletion": 2, "substitution": 0}}, key)
    (1, 2)
    """
    expected = [
        (i, name, label)
        for i, row in enumerate(key)
        for name, label in row.items()
        if label is not None
    ]
    return sum(answers.get(i, {}).get(name) == label for i, name, label in expected), len(expected)


def has_answers(path: str | Path) -> bool:
    """Return whether a file begins like those that this module writes."""
    return Path(path).is_file() and read_bytes(path).startswith(_FIRST)


def merge(paths: Iterable[str | Path]) -> list[dict[str, Any]]:
    """Merge the files of several annotators.

    Args:
        paths: JSONL files that `Answers` wrote, or that the page saved.

    Returns:
        A row for each pair that has a label, in the order of the files: ``id``, ``system``,
        ``source``, ``prediction`` and ``annotators``. ``insertion``, ``deletion`` and
        ``substitution`` are lists with a label per annotator or None. ``insertion_majority`` and so
        on are the label of more than half of those who gave one, or None.
    """
    pairs: dict[tuple[str, str], tuple[Pair, str, dict[str, Answer]]] = {}
    names: dict[str, str] = {}
    for path in paths:
        for answer, line in _last_answers(path):
            where, pair = f"{path}, line {line}", answer.pair
            first, place, answers = pairs.setdefault(pair.key, (pair, where, {}))
            _check_texts(pair, first, where, f"{place} has")
            annotator = same_name(answer.annotator)
            names.setdefault(annotator, answer.annotator)
            if annotator in answers:
                raise InputError(
                    f"{where}: annotator {answer.annotator!r} answers {pair} in another file, too: "
                    "expected one file of each"
                )
            answers[annotator] = answer
    if not pairs:
        raise InputError("expected files of answers, got none")
    rows: list[dict[str, Any]] = []
    for pair, _, answers in pairs.values():
        labels = {
            name: [answers[n].labels[name] if n in answers else None for n in names]
            for name in CATEGORIES
        }
        if not any(label is not None for column in labels.values() for label in column):
            continue
        rows.append({**asdict(pair), **labels, "annotators": list(names.values())})
    for name in CATEGORIES:
        labelled = [[label for label in row[name] if label is not None] for row in rows]
        for row, label in zip(rows, majority(labelled), strict=True):
            row[f"{name}_majority"] = label
    return rows


def disagreements(rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the merged rows in which annotators differ, with the categories to ``discuss``."""
    differing = []
    for row in rows:
        differ = [name for name in CATEGORIES if len(set(row[name]) - {None}) > 1]
        if differ:
            differing.append({**row, "discuss": differ})
    return differing


def _last_answers(path: str | Path) -> list[tuple[Answer, int]]:
    """The last answer to each pair, and its line."""
    answers, _ = _parse(read_bytes(path), path)
    if not answers:
        raise InputError(f"{path}: expected answers, got none")
    last: dict[tuple[str, str], tuple[Answer, int]] = {}
    for line, answer in enumerate(answers, 1):
        if answer.pair.key in last:
            earlier, place = last[answer.pair.key]
            _check_texts(answer.pair, earlier.pair, f"{path}, line {line}", f"line {place} has")
        if same_name(answer.annotator) != same_name(answers[0].annotator):
            raise InputError(
                f"{path}, line {line}: an answer of annotator {answer.annotator!r}, but line 1 is "
                f"of {answers[0].annotator!r}: expected one annotator's"
            )
        last[answer.pair.key] = answer, line
    return list(last.values())


def _check_texts(pair: Pair, other: Pair, where: str, who: str) -> None:
    for name in ("source", "prediction"):
        got, expected = getattr(pair, name), getattr(other, name)
        if got != expected:
            raise InputError(
                f"{where}: {pair} has the {name} {shown(got)}, but {who} {shown(expected)}"
            )


def _parse(data: bytes, path: str | Path) -> tuple[list[Answer], bytes]:
    """The answers in a file, and what is half-written at its end."""
    lines = data.split(b"\n")
    end = lines.pop()
    answers = [_answer(line, f"{path}, line {i}") for i, line in enumerate(lines, 1)]
    if not end or _is_torn(end):
        return answers, end
    return [*answers, _answer(end, f"{path}, line {len(lines) + 1}")], b""


def _is_torn(end: bytes) -> bool:
    """Whether a line without its end is the beginning of an answer."""
    try:
        json.loads(end)
    except ValueError:
        return end.startswith(_FIRST) or _FIRST.startswith(end)
    return False


def _answer(line: bytes, where: str) -> Answer:
    try:
        row = json.loads(line)
    except ValueError:
        row = None
    if not isinstance(row, dict):
        raise InputError(f"{where}: expected an answer, a JSON object, got {shown(line[:80])}")
    for name in ("annotator", "id", "system", "source", "prediction"):
        number = name == "id" and type(row.get(name)) is int
        if not number and not isinstance(row.get(name), str):
            raise InputError(f"{where}: {name}: expected a text, got {shown(row.get(name))}")
    pair = Pair(row["id"], row["system"], row["source"], row["prediction"])
    labels = _check_labels({name: row.get(name) for name in CATEGORIES}, where)
    return Answer(row["annotator"], pair, labels)


def _check_labels(labels: Mapping[str, Any], where: str) -> Labels:
    checked: Labels = {}
    for name in CATEGORIES:
        label = labels.get(name)
        if label is not None and (type(label) is not int or label not in LABELS):
            expected = ", ".join(map(str, LABELS))
            raise InputError(f"{where}: {name}: expected {expected} or null, got {shown(label)}")
        checked[name] = label
    return checked


def _append(path: Path, data: bytes) -> None:
    """Write to the end of a file, and to the disk."""
    with open(path, "ab", buffering=0) as file:
        while data:
            data = data[file.write(data) :]
        os.fsync(file.fileno())


@contextlib.contextmanager
def _input_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} can't be used: {error.strerror or error}") from error
