"""Files of answers: JSONL, to which several threads and processes append.

Rows are only appended, and forced to the disk. A row that a killed process left half-written is
removed.
"""

import contextlib
import math
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from itertools import islice
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

from filelock import FileLock

from textsimp.core import tables
from textsimp.core.columns import as_number, is_missing
from textsimp.corpora.tables import parse_lines
from textsimp.corpora.text_files import raw_lines, read_bytes
from textsimp.support.errors import InputError, shown
from textsimp.support.parsing import parse_json
from textsimp.support.progress import note

TIME = "a time such as 2024-05-01T10:00:00Z, or seconds since 1970"
_BEGIN = b'{"scheme": '


class AnswerFile:
    """A file of answers, a JSON object a line that begins with the scheme.

    The first `append` makes it, and its folder. `rows` refuses a file with other lines.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    def append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows to the end of the file in one piece, and to the disk."""
        data = tables.json_lines(rows).encode(errors="backslashreplace")  # lone surrogates
        with self._alone():
            self._mend()
            _append(self.path, data)

    def rows(self) -> list[dict[str, Any]]:
        """Return all rows, of whoever wrote them. What is half-written is removed."""
        if not self.path.exists():
            return []
        with self._alone():
            *lines, end = self.path.read_bytes().split(b"\n")
            if end and not is_torn(end):
                lines.append(end)
            rows = [self._read_row(line, i) for i, line in enumerate(lines, 1)]
            self._mend()
        return rows

    def set_aside(self) -> None:
        """Move the file into a folder beside it, called 1 at first, then 2, …"""
        with self._alone():
            earlier = [*self.path.parent.glob(f"*/{self.path.name}")]
            folder = self.path.parent / str(len(earlier) + 1)
            folder.mkdir(exist_ok=True)
            self.path.rename(folder / self.path.name)

    @contextlib.contextmanager
    def _alone(self) -> Iterator[None]:
        """Lock out all other threads and processes."""
        lock = FileLock(self.path.with_name(f".{self.path.name}.lock"))
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with lock.acquire(poll_interval=0.005):
                yield
        except OSError as error:
            raise InputError(f"{self.path} can't be used: {error.strerror or error}") from error

    def _mend(self) -> None:
        """Remove a half-written end of the file, or add the end of its last line."""
        if not self.path.exists() or not self.path.stat().st_size:
            return
        with open(self.path, "rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            begin = data.rfind(b"\n", 0, len(data) - 1) + 1
            line = data[begin:]
        if is_torn(line):
            os.truncate(self.path, begin)
        elif not line.endswith(b"\n"):
            _append(self.path, b"\n")

    def _read_row(self, line: bytes, number: int) -> dict[str, Any]:
        if line.startswith(_BEGIN):
            with contextlib.suppress(ValueError):
                return dict(parse_json(line))
        raise InputError(
            f"{self.path}, line {number}: expected an answer, a JSON object that begins with "
            f"'scheme', got {shown(line[:80].decode(errors='replace'))}"
        )


def is_torn(line: bytes, begin: bytes = _BEGIN) -> bool:
    """Whether a line is the beginning of an answer, or of another object that begins so."""
    try:
        parse_json(line)
    except ValueError:
        begins = line.startswith(begin) or begin.startswith(line)
        return begins and line[-1:] not in (b"", b"\n")
    return False


def parse_answers(path: str | Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of JSONL; a half-written last line is left out, with a note."""
    data = read_bytes(path)
    torn = is_torn(data[data.rfind(b"\n") + 1 :], b"{")
    yield from parse_lines(path, islice(raw_lines(path), data.count(b"\n") if torn else None))
    if torn:
        note(f"{path}: the last line is half-written, and left out")


def answered_at(time: Any, where: str) -> datetime:
    """Return when an answer was given, in UTC without a time zone; the earliest time if empty."""
    seconds = as_number(time)
    try:
        if is_missing(time, or_nan=True):
            read = datetime.min
        elif math.isfinite(seconds):
            read = datetime.fromtimestamp(seconds, timezone.utc)
        else:
            read = datetime.fromisoformat(str(time).replace("Z", "+00:00"))
    except (ValueError, OverflowError, OSError):
        raise InputError(f"{where}: expected {TIME}, got {shown(time)}") from None
    return read if read.tzinfo else read.replace(tzinfo=timezone.utc)


def _append(path: Path, data: bytes) -> None:
    """Write to the end of a file, and to the disk."""
    with open(path, "ab", buffering=0) as file:
        while data:
            data = data[file.write(data) :]
        os.fsync(file.fileno())
