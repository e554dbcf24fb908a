"""Text files as columns of texts.

Only a line feed ends a line: other line breaks of Unicode occur inside texts. The last line may
lack it. If every line ends with carriage return and line feed, as on Windows, both are taken off;
a file with both kinds of endings is an error. A byte order mark is taken off.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from textsimp.core import columns
from textsimp.support.errors import InputError, one_line

_PIPE = (0, 0)

STDIN = "-"
BLOCK = 2**22  # bytes that are read at once
COPIED = 2**25  # bytes of a pipe that are copied to memory


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
    """Say something on standard error, in a line of its own, also while a progress bar is shown."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    tqdm.write(one_line(message), file=sys.stderr)
    sys.stderr.flush()


class File:
    """A file, or standard input, that can be read again and again, in blocks.

    What can be read but once, as a pipe, is copied first: to memory, or to a temporary file.

    Attributes:
        path: As it was given.
        size: Its bytes.
        done: How many of them the latest block ended with.
    """

    def __init__(self, path: str | Path) -> None:
        """Look whether it can be read.

        Raises:
            InputError: No such file, a folder, or one that can't be read.
        """
        self.path = path
        self.done = 0
        self._copy: IO[bytes] | None = None
        self._passes = 0
        with _told(path), _opened(path) as file:
            self._state = _state(file)
            self.size = self._state[0]
            if self._state == _PIPE:
                self._copy = tempfile.SpooledTemporaryFile(COPIED)  # noqa: SIM115
                weakref.finalize(self, self._copy.close)
                shutil.copyfileobj(file, self._copy, BLOCK)
                self.size = self._copy.tell()

    def blocks(self) -> Iterator[bytes]:
        """What it holds, in order.

        Raises:
            InputError: It can't be read, or it isn't what it was.
        """
        self._passes += 1
        if self._copy is not None:
            at = 0
            while data := self._copied(at):
                self.done = at = at + len(data)
                yield data
            return
        with _told(self.path), open(self.path, "rb") as file:
            self._check(file)
            while data := file.read(BLOCK):
                self.done = file.tell()
                yield data
            if self._passes > 1:
                self._check(file)

    def seekable(self) -> Path | IO[bytes]:
        """The file, for who reads it in an order of its own; in memory if it is a copy.

        Raises:
            InputError: It isn't what it was.
        """
        if self._copy is not None:
            return io.BytesIO(b"".join(self.blocks()))
        with _told(self.path), open(self.path, "rb") as file:
            self._check(file)
        return Path(self.path)

    def _copied(self, at: int) -> bytes:
        assert self._copy is not None
        self._copy.seek(at)  # several may read it in turns
        return self._copy.read(BLOCK)

    def _check(self, file: IO[bytes]) -> None:
        if _state(file) != self._state:
            raise changed(self.path)


def changed(where: str | Path) -> InputError:
    """What is told of a file that isn't what it was when it was first read."""
    return InputError(f"{shown(where)} changed while it was read: read it when it is complete")


def as_file(path: str | Path | File) -> File:
    return path if isinstance(path, File) else File(path)


def _state(file: IO[bytes]) -> tuple[int, int]:
    """Size and time of a file's last change; `_PIPE` of what is no file on a disk."""
    try:
        found = os.fstat(file.fileno())
    except OSError:  # of tests' standard input
        return _PIPE
    regular = stat.S_ISREG(found.st_mode) and file is not getattr(sys.stdin, "buffer", None)
    return (found.st_size, found.st_mtime_ns) if regular else _PIPE


def _opened(path: str | Path) -> contextlib.AbstractContextManager[IO[bytes]]:
    if str(path) != STDIN:
        return open(path, "rb")
    if sys.stdin is None:
        raise InputError("standard input is closed")
    return contextlib.nullcontext(sys.stdin.buffer)


def decoded(file: File) -> Generator[str, None, None]:
    """The text of a file in blocks of whole lines; each but the last ends with a line feed.

    Raises:
        InputError: See `File.blocks` and `decode`.
    """
    line = 1
    rest: list[bytes] = []
    for data in file.blocks():
        end = data.rfind(b"\n") + 1
        if end:
            block = b"".join([*rest, data[:end]])
            yield decode(block, file.path, line)
            line += block.count(b"\n")
            rest = []
        rest.append(data[end:])
    if last := b"".join(rest):
        yield decode(last, file.path, line)


def lines_of(file: File, rows: int | None = None) -> Iterator[list[str]]:
    """The lines of a text file in pieces.

    Args:
        file: The text file.
        rows: At most so many lines at once, and few if they are long; all of the file if None.

    Raises:
        InputError: Not UTF-8, empty, or mixed line endings; the message names the file and, where
            there is one, the line (counted from 1).
    """
    piece: list[str] = []
    for block in _blocks_of_lines(file):
        piece += block
        if rows is not None:
            whole = len(piece) - len(piece) % rows
            for start in range(0, whole, rows):
                yield piece[start : start + rows]
            piece = piece[whole:]
            if piece and len(block) < rows:  # long lines
                yield piece
                piece = []
    if piece:
        yield piece


def _blocks_of_lines(file: File) -> Iterator[list[str]]:
    line = 1
    ending = ""
    for text in decoded(file):
        windows = text.count("\r\n") if "\r" in text else 0
        found = "\r\n" if windows else "\n"
        lines = text.removesuffix(found).split(found)
        if not text.endswith("\n"):  # the last line
            lines = [text.removesuffix("\r") if ending == "\r\n" else text]
        elif windows not in (0, text.count("\n")) or ending not in ("", found):
            raise _mixed(text, line, ending, file.path)
        else:
            ending = found
        if text:
            yield lines
            line += len(lines)
    if line == 1:
        raise InputError(f"{shown(file.path)} is empty")


def _mixed(text: str, line: int, ending: str, path: str | Path) -> InputError:
    """What is told of a block with other line endings than those before it, or with both."""
    first = {ending == "\r\n": 1} if ending else {}
    for i, one in enumerate(text.removesuffix("\n").split("\n"), line):
        first.setdefault(one.endswith("\r"), i)
    return InputError(
        f"{shown(path)}, line {first[True]} ends with a carriage return and a line feed, line "
        f"{first[False]} with a line feed only: expected one kind of line ending"
    )


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file; ``"-"`` is standard input.

    Raises:
        InputError: See `File` and `lines_of`.
    """
    return [line for lines in lines_of(as_file(path)) for line in lines]


def read_texts(path: str | Path) -> Rows:
    """A text file as a column.

    Raises:
        InputError: See `read_lines` and `textsimp.core.columns.texts`.
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
            `textsimp.core.columns.check_lengths` does by their names.
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
    with _told(path), _opened(path) as file:
        return file.read()


@contextlib.contextmanager
def _told(path: str | Path) -> Iterator[None]:
    """Say in a line why a file can't be read."""
    try:
        yield
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: expected a file") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{shown(path)} can't be read: {reason}") from None


def decode(data: bytes, path: str | Path, line: int = 1) -> str:
    """A file's bytes as text, without a byte order mark.

    Args:
        data: Whole lines.
        path: Where they are from.
        line: The number of the first.

    Raises:
        InputError: Not UTF-8; the message names the line (counted from 1).
    """
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line += data.count(b"\n", 0, error.start)
        raise InputError(
            f"{shown(path)}, line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}"
        ) from None
    return text.removeprefix("\ufeff") if line == 1 else text


def _natural(path: Path) -> list[str | int]:
    parts = re.split(r"([0-9]+)", path.name)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]
