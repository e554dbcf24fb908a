"""Files of answers: JSONL, to which several threads and processes append.

Rows are only appended, and forced to the disk. A row that a killed process left half-written is
removed.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from filelock import FileLock

from textsimp.core import tables
from textsimp.support.errors import InputError, shown
from textsimp.support.parsing import parse_json

_BEGIN = b'{"scheme": '


class AnswerFile:
    """A file of answers, a JSON object a line that begins with the scheme.

    The first `append` makes it, and its folder. A file of anything else is refused.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._size = 0  # bytes after the last `append`

    def append(self, rows: Iterable[Mapping[str, Any]]) -> None:
        """Write rows to the end of the file in one piece, and to the disk."""
        data = tables.json_lines(rows).encode(errors="backslashreplace")  # lone surrogates
        with self._alone():
            if not self.path.exists() or self.path.stat().st_size != self._size:
                self._read()  # others have written to it
            _append(self.path, data)
            self._size = self.path.stat().st_size

    def rows(self) -> list[dict[str, Any]]:
        """Return all rows, of whoever wrote them. What is half-written is removed."""
        if not self.path.exists():
            return []
        with self._alone():
            return self._read()

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

    def _read(self) -> list[dict[str, Any]]:
        """Return the rows, and mend the end of the file."""
        data = self.path.read_bytes() if self.path.exists() else b""
        *lines, end = data.split(b"\n")
        torn = is_torn(end)
        if end and not torn:
            lines.append(end)
        rows = [self._row(line, i) for i, line in enumerate(lines, 1)]
        if torn:
            os.truncate(self.path, len(data) - len(end))
        elif end:
            _append(self.path, b"\n")
        return rows

    def _row(self, line: bytes, number: int) -> dict[str, Any]:
        try:
            row = parse_json(line) if line.startswith(_BEGIN) else None
        except ValueError:
            row = None
        if row is None:
            raise InputError(
                f"{self.path}, line {number}: expected an answer, a JSON object that begins with "
                f"'scheme', got {shown(line[:80].decode(errors='replace'))}"
            )
        return dict(row)


def is_torn(line: bytes) -> bool:
    """Whether a line is the beginning of an answer."""
    try:
        parse_json(line)
    except ValueError:
        begins = line.startswith(_BEGIN) or _BEGIN.startswith(line)
        return begins and line[-1:] not in (b"", b"\n")
    return False


def answered_at(time: Any) -> datetime:
    """Return when an answer was given, in UTC without a time zone; the earliest time if unknown."""
    try:
        read = datetime.fromisoformat(str(time).replace("Z", "+00:00"))
    except ValueError:
        read = datetime.min
    return read if read.tzinfo else read.replace(tzinfo=timezone.utc)


def _append(path: Path, data: bytes) -> None:
    """Write to the end of a file, and to the disk."""
    with open(path, "ab", buffering=0) as file:
        while data:
            data = data[file.write(data) :]
        os.fsync(file.fileno())
