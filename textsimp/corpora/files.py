"""Text files as columns of texts.

Only a line feed ends a line: other line breaks of Unicode occur inside texts. The last line may
lack it. If every line ends with carriage return and line feed, as on Windows, both are taken off;
a file with both kinds of endings is an error. A byte order mark is taken off.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp import columns
from textsimp.columns import InputError, one_line

STDIN = "-"


@dataclass(frozen=True)
class Rows:
    """A column that was read, and where it comes from.

    Attributes:
        rows: One per example.
        where: What the user calls it, for messages.
        unit: What its rows are: lines, rows or sources.
    """

    rows: list[Any]
    where: str
    unit: str = "lines"


def shown(path: str | Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) == STDIN else str(path)


def note(message: str) -> None:
    """Say something on standard error, in a line."""
    print(one_line(message), file=sys.stderr, flush=True)


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file; ``"-"`` is standard input.

    Raises:
        InputError: No such file, a folder, not UTF-8, empty, or mixed line endings; the message
            names the file and, where there is one, the line (counted from 1).
    """
    text = decode(read_bytes(path), path)
    if not text:
        raise InputError(f"{shown(path)} is empty")
    lines = text.removesuffix("\n").split("\n")
    ended = lines if text.endswith("\n") else lines[:-1]
    windows = [line.endswith("\r") for line in ended]
    if any(windows):
        if not all(windows):
            raise InputError(
                f"{shown(path)}, line {windows.index(True) + 1} ends with a carriage return and a "
                f"line feed, line {windows.index(False) + 1} with a line feed only: expected one "
                "kind of line ending"
            )
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def read_texts(path: str | Path) -> Rows:
    """A text file as a column.

    Raises:
        InputError: See `read_lines` and `textsimp.columns.texts`.
    """
    return Rows(columns.texts(read_lines(path), shown(path)), shown(path))


def read_references(paths: Sequence[str | Path], sources: Rows | None = None) -> Rows:
    """Text files side by side: each has a reference per source. A folder is its text files.

    Raises:
        InputError: See `read_texts`, `text_files` and `check_lengths`.
    """
    files = [f for path in paths for f in (text_files(path) if Path(path).is_dir() else [path])]
    parts = [read_texts(file) for file in files]
    check_lengths(parts if sources is None else [sources, *parts])
    rows = [list(row) for row in zip(*(part.rows for part in parts), strict=True)]
    return Rows(rows, parts[0].where)


def text_files(folder: str | Path, endings: Sequence[str] = (".txt",)) -> list[Path]:
    """The ``.txt`` files of a folder, or others, in the order of the numbers in their names.

    Hidden files don't count. If there are others, a note on standard error says what was taken.

    Raises:
        InputError: There are none, or the folder can't be read.
    """
    try:
        found = [path for path in Path(folder).iterdir() if not path.is_dir()]
    except FileNotFoundError:
        raise InputError(f"{folder}: no such folder") from None
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror or error}") from None
    seen = sorted((path for path in found if not path.name.startswith(".")), key=_natural)
    files = [path for path in seen if path.suffix in endings]
    others = _few([path.name for path in seen if path.suffix not in endings])
    kind = f"{' or '.join(endings)} files"
    if not files:
        raise InputError(f"{folder}: a folder without {kind}{others and f', only {others}'}")
    if others:
        note(f"{folder}: only {kind} are read, {_few([f.name for f in files])}; not {others}")
    return files


def _few(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are."""
    shown = 10 if len(names) > 11 else len(names)
    return ", ".join(names[:shown]) + (f" and {len(names) - shown} more" if names[shown:] else "")


def check_lengths(columns: Sequence[Rows]) -> None:
    """Check that all columns have as many rows as the first.

    Raises:
        InputError: They don't; the message names the columns that differ by their files, as
            `textsimp.columns.check_lengths` does by their names.
    """
    first, *others = columns
    wrong = [
        f"{column.where} has {_count(column)}"
        for column in others
        if len(column.rows) != len(first.rows)
    ]
    if wrong:
        raise InputError(f"{first.where} has {_count(first)}, but {', '.join(wrong)}")


def _count(column: Rows) -> str:
    n = len(column.rows)
    return f"{n:,} {column.unit if n != 1 else column.unit.removesuffix('s')}"


def read_bytes(path: str | Path) -> bytes:
    """What a file holds; ``"-"`` is standard input.

    Raises:
        InputError: No such file, a folder, or one that can't be read.
    """
    if str(path) == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        if str(path) == STDIN:
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: expected a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{shown(path)} can't be read: {reason}") from None


def decode(data: bytes, path: str | Path) -> str:
    """A file's bytes as text, without a byte order mark.

    Raises:
        InputError: Not UTF-8; the message names the line (counted from 1).
    """
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(path)}, line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}"
        ) from None


def _natural(path: Path) -> list[str | int]:
    parts = re.split(r"([0-9]+)", path.name)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]
