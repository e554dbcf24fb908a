"""The files that ``textsimp split`` writes: rows of the subsets that it read, as they were.

Lines of text, of JSON and of CSV and elements of a JSON array stay as they stand; parquet keeps all
columns. Datasets become parquet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from textsimp.cli.subset_arguments import Subset, check_alike, file_endings
from textsimp.corpora.files import note
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

_USUAL = ("train", "validation", "valid", "val", "dev", "test")  # names of subsets
_BLOCK = (2**13, 2**24)  # rows, and about their bytes, that are taken at a time


@dataclass(frozen=True)
class Output:
    """The files of a new split.

    Attributes:
        corpus: The subsets whose rows they have.
        folder: Where they are written.
        names: The new subsets.
        lists: Lists of rows with further columns.
        force: Whether to overwrite files.
    """

    corpus: Mapping[str, Subset]
    folder: str
    names: Iterable[str]
    lists: Sequence[str]
    force: bool

    def check(self) -> None:
        """Check what can be checked before the work.

        Raises:
            InputError: Subsets of several formats, a file that is there already, or a subset that
                is called like a list.
        """
        for name in self.lists:
            if name in self.corpus:
                raise InputError(
                    f"{name!r} is the name of a list that is written: call this subset otherwise"
                )
        check_alike(self.corpus)
        check_new(chain.from_iterable(self._paths().values()), overwrite=self.force)

    def write(
        self, subsets: Mapping[str, Rows], lists: Mapping[str, tuple[Rows, Mapping[str, Any]]]
    ) -> dict[str, list[str]]:
        """Write rows, all files or none.

        Args:
            subsets: The rows of each new subset, numbered over all subsets that were read.
            lists: The rows of each list, and its further columns as Arrow arrays.

        Returns:
            The names of the files.

        Raises:
            InputError: One of the further columns is there already, or a file can't be written.
        """
        import pyarrow as pa

        first = next(iter(self.corpus.values()))
        names, schema = first.rows.column_names, first.rows.schema
        parts = [subset.rows.select(names) for subset in self.corpus.values()]
        table = pa.concat_tables([part.replace_schema_metadata(schema.metadata) for part in parts])
        paths = self._paths()
        contents: dict[Path, Callable[[BinaryIO], object]] = {}
        for name, rows in subsets.items():
            if first.format == "parquet":
                contents[paths[name][0]] = partial(_write_parquet, _blocks(table, rows))
                continue
            for path, column in zip(paths[name], names, strict=True):
                lines = _line_blocks(table.select([column]), rows)
                contents[path] = partial(_write_lines, lines, first.frame)
        for name, (rows, columns) in lists.items():
            if first.format == "parquet" or first.delimiter:
                _check_free(first.names, columns)
            plain = table.replace_schema_metadata(None)
            blocks = _list_blocks(first, plain, rows, columns)
            if first.format == "parquet":
                contents[paths[name][0]] = partial(_write_parquet, blocks)
                continue
            before, between, after = first.frame
            if first.delimiter:
                header = first.delimiter.join([before.removesuffix(between), *columns])
                before = header + between
            contents[paths[name][0]] = partial(_write_lines, blocks, (before, between, after))
        write_files(contents, overwrite=self.force)
        usual = chain(*map(self._subset_paths, _USUAL))
        old = [path.name for path in usual if path not in contents and path.exists()]
        if old:
            note(f"{self.folder}: left from before, not part of this split: {', '.join(old)}")
        return {name: list(map(str, files)) for name, files in paths.items()}

    def _subset_paths(self, name: str) -> list[Path]:
        return [Path(self.folder, f"{name}{ending}") for ending in file_endings(self.corpus)]

    def _paths(self) -> dict[str, list[Path]]:
        """Return the files of each subset and list; a list of pairs of text files is JSONL."""
        paths = {name: self._subset_paths(name) for name in (*self.names, *self.lists)}
        if next(iter(self.corpus.values())).format == "text":
            paths |= {name: [Path(self.folder, f"{name}.jsonl")] for name in self.lists}
        return paths


def _blocks(table: Any, rows: Rows) -> Iterator[Any]:
    """Take rows of an Arrow table, some at a time; at least one block."""
    row_bytes = table.nbytes // max(1, len(table))
    step = max(1, min(_BLOCK[0], _BLOCK[1] // max(1, row_bytes)))
    for start in range(0, max(1, len(rows)), step):
        yield _take(table, rows[start : start + step])


def _line_blocks(table: Any, rows: Rows) -> Iterator[list[str]]:
    for block in _blocks(table, rows):
        yield _texts(block.column(0))


def _take(table: Any, rows: Rows) -> Any:
    """Take rows of an Arrow table. Its own method copies columns of several chunks as a whole."""
    import pyarrow as pa

    order = np.argsort(rows, kind="stable")
    parts = [table.slice(0, 0)]
    start = taken = 0
    for batch in table.to_batches():
        stop = taken + int(np.searchsorted(rows[order[taken:]], start + len(batch)))
        if stop > taken:
            parts.append(pa.table(batch.take(pa.array(rows[order[taken:stop]] - start))))
        start, taken = start + len(batch), stop
    return pa.concat_tables(parts).combine_chunks().take(np.argsort(order, kind="stable"))


def _texts(column: Any) -> list[str]:
    texts: list[str] = column.to_numpy().tolist()  # faster than to_pylist
    return texts


def _write_lines(
    blocks: Iterable[Sequence[str]], frame: tuple[str, str, str], file: BinaryIO
) -> None:
    before, between, after = frame
    file.write(before.encode())
    for i, lines in enumerate(blocks):
        if i and lines:
            file.write(between.encode())
        file.write(between.join(lines).encode())
    file.write(after.encode())


def _write_parquet(tables: Iterator[Any], file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    first = next(tables)
    with pq.ParquetWriter(file, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)


def _list_blocks(
    subset: Subset, table: Any, rows: Rows, columns: Mapping[str, Any]
) -> Iterator[Any]:
    """Take rows with further columns: tables for parquet, otherwise lines."""
    start = 0
    for block in _blocks(table, rows):
        added = {name: values.slice(start, len(block)) for name, values in columns.items()}
        start += len(block)
        cells = list(zip(*(values.to_pylist() for values in added.values()), strict=True))
        if subset.format == "parquet":
            for name, values in added.items():
                block = block.append_column(name, values)
            yield block
        elif subset.delimiter:
            lines = zip(_texts(block["line"]), cells, strict=True)
            yield [subset.delimiter.join([line, *map(str, row)]) for line, row in lines]
        else:
            objects = block.to_pylist()
            if subset.format != "text":
                objects = [json.loads(row["line"]) for row in objects]
            for row, values in zip(objects, cells, strict=True):
                _check_free(row, columns)
                row |= zip(columns, values, strict=True)
            yield [json.dumps(row, ensure_ascii=False) for row in objects]


def _check_free(names: Iterable[str], columns: Iterable[str]) -> None:
    taken = {*names} & {*columns}
    if taken:
        raise InputError(f"there is a column {min(taken)!r} already: rename it")
