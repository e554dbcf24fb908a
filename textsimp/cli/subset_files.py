"""The files that ``textsimp split`` writes: rows of the subsets that it read, as they were.

Lines of text, of JSON and of CSV and elements of a JSON array stay as they stand; parquet keeps all
columns. Datasets become parquet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from textsimp.cli.subset_arguments import Subset, check_alike, file_endings
from textsimp.corpora.files import note
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Rows = NDArray[np.int64]

_USUAL = ("train", "validation", "valid", "val", "dev", "test")  # names of subsets


@dataclass(frozen=True)
class Output:
    """The files of a new split: new subsets, and lists of rows with further columns."""

    corpus: Mapping[str, Subset]
    folder: str
    names: Iterable[str]
    lists: Sequence[str]
    force: bool

    def check(self) -> None:
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
        """Write rows, numbered over all subsets that were read; return the names of the files."""
        import pyarrow as pa

        first = next(iter(self.corpus.values()))
        names, schema = first.rows.column_names, first.rows.schema
        parts = [subset.rows.select(names) for subset in self.corpus.values()]
        table = pa.concat_tables([part.replace_schema_metadata(schema.metadata) for part in parts])
        paths = self._paths()
        contents: dict[Path, Callable[[BinaryIO], object]] = {}
        for name, rows in subsets.items():
            if first.format == "parquet":
                contents[paths[name][0]] = partial(_write_parquet, table, rows, {})
                continue
            for path, column in zip(paths[name], names, strict=True):
                contents[path] = partial(_write_lines, table.select([column]), rows, first.frame)
        table = table.replace_schema_metadata(None)
        for name, (rows, columns) in lists.items():
            if first.format == "parquet" or first.delimiter:
                _check_free(first.names, columns)
            write = _write_parquet if first.format == "parquet" else partial(_write_list, first)
            contents[paths[name][0]] = partial(write, table, rows, columns)
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


def _write_parquet(table: Any, rows: Rows, columns: Mapping[str, Any], file: BinaryIO) -> None:
    """Write rows of an Arrow table, with further columns."""
    import pyarrow.parquet as pq

    part = table.take(rows)
    for name, values in columns.items():
        part = part.append_column(name, values)
    pq.write_table(part, file)


def _write_lines(table: Any, rows: Rows, frame: tuple[str, str, str], file: BinaryIO) -> None:
    """Write rows of an Arrow table with one column, lines."""
    before, between, after = frame
    texts = table.column(0).take(rows).to_pylist()
    file.write((before + between.join(texts) + after).encode())


def _write_list(
    subset: Subset, table: Any, rows: Rows, columns: Mapping[str, Any], file: BinaryIO
) -> None:
    """Write rows with further columns, as lines of the subset's format."""
    part = table.take(rows)
    cells = list(zip(*(values.to_pylist() for values in columns.values()), strict=True))
    before, between, after = subset.frame
    if delimiter := subset.delimiter:
        before = delimiter.join([before.removesuffix(between), *columns]) + between
        lines = zip(part["line"].to_pylist(), cells, strict=True)
        written = [delimiter.join([line, *map(str, row)]) for line, row in lines]
    else:
        objects = part.to_pylist()
        if subset.format != "text":
            objects = [json.loads(row["line"]) for row in objects]
        for row, values in zip(objects, cells, strict=True):
            _check_free(row, columns)
            row |= zip(columns, values, strict=True)
        written = [json.dumps(row, ensure_ascii=False) for row in objects]
    file.write((before + between.join(written) + after).encode())


def _check_free(names: Iterable[str], columns: Iterable[str]) -> None:
    both = {*names} & {*columns}
    if both:
        raise InputError(f"there is a column {min(both)!r} already: rename it")
