"""Rows in a temporary file, to be taken in any order."""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from textsimp.support.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WINDOW = 2**25  # bytes of rows that are taken at a time
_MOST = 2**17  # rows of them


class Spool:
    """Arrow tables of the same columns, one after the other in a temporary file.

    Each is an Arrow stream by itself, so that it may have dictionaries of its own.
    """

    def __init__(self, schema: Any) -> None:
        self.schema = schema
        self._file = tempfile.TemporaryFile()  # noqa: SIM115  # closed with the last reference
        self._rows = [0]
        self._bytes = [0]
        self._map: mmap.mmap | None = None

    def __len__(self) -> int:
        return self._rows[-1]

    def add(self, table: Any) -> None:
        """Put rows behind all others.

        Raises:
            InputError: There is no room for them.
        """
        import pyarrow as pa

        table = table.select(self.schema.names).replace_schema_metadata(self.schema.metadata)
        try:
            with pa.ipc.new_stream(pa.PythonFile(self._file, "w"), table.schema) as stream:
                stream.write_table(table)
            self._file.flush()
        except OSError as error:
            raise InputError(
                f"{tempfile.gettempdir()}: the corpus can't be copied there, "
                f"{error.strerror or error}: TMPDIR names another folder"
            ) from error
        self._rows.append(self._rows[-1] + table.num_rows)
        self._bytes.append(self._file.tell())

    def forget(self, rows: int) -> None:
        """Take away what was added after the first rows."""
        kept = self._rows.index(rows) + 1
        del self._rows[kept:], self._bytes[kept:]
        self._file.seek(self._bytes[-1])
        self._file.truncate()

    def windows(self, rows: NDArray[np.int64], names: list[str]) -> Iterator[Any]:
        """Columns of some rows in their order, as tables of some of them; at least one."""
        of_row = self._bytes[-1] // max(1, len(self))
        step = max(1, min(_MOST, _WINDOW // max(1, of_row)))
        for start in range(0, max(1, len(rows)), step):
            yield self._take(rows[start : start + step], names)

    def _take(self, rows: NDArray[np.int64], names: list[str]) -> Any:
        import pyarrow as pa

        order = np.argsort(rows, kind="stable")
        ordered = rows[order]
        piece = np.searchsorted(self._rows, ordered, side="right") - 1
        parts = [self.schema.empty_table().select(names)]
        for at in np.split(np.arange(len(rows)), np.flatnonzero(np.diff(piece)) + 1):
            if len(at):
                i = int(piece[at[0]])
                parts.append(self._piece(i).select(names).take(ordered[at] - self._rows[i]))
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        return pa.concat_tables(parts).combine_chunks().take(back)

    def _piece(self, i: int) -> Any:
        import pyarrow as pa

        if self._map is None:
            self._map = mmap.mmap(self._file.fileno(), 0, access=mmap.ACCESS_READ)
        if hasattr(mmap, "MADV_DONTNEED"):  # or all that was ever read would count as memory
            self._map.madvise(mmap.MADV_DONTNEED)
        stream = memoryview(self._map)[self._bytes[i] : self._bytes[i + 1]]
        return pa.ipc.open_stream(pa.py_buffer(stream)).read_all()
