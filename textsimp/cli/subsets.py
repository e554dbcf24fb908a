"""The files of a corpus's subsets: read as datasets, and written again row by row.

Rows are written as they were read: lines of text or JSON as they stand, parquet with all columns.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from textsimp import columns
from textsimp.columns import InputError
from textsimp.inputs import (
    JSONL,
    PARQUET,
    STDIN,
    Column,
    check_lengths,
    json_column,
    read_json_lines,
    read_lines,
    read_parquet,
    shown,
)

if TYPE_CHECKING:
    from datasets import Dataset

Writers = dict[Path, Callable[[BinaryIO], object]]


@dataclass(frozen=True)
class Subset:
    """The rows of a subset.

    Attributes:
        where: What the user calls its files.
        format: ``"text"`` (two parallel files), ``"jsonl"`` or ``"parquet"``.
        table: What is to be written, an Arrow table: the columns ``source`` and ``target``; the
            lines of JSON; or all columns.
        objects: The lines of JSON, parsed.
    """

    where: str
    format: str
    table: Any
    objects: Sequence[Mapping[str, Any]] = ()

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def dataset(self, names: Iterable[str]) -> Dataset:
        """Some columns.

        Raises:
            InputError: One is missing, or has values of several kinds.
        """
        import pyarrow as pa
        from datasets import Dataset

        names = list(names)
        there = list(self.objects[0]) if self.objects else self.table.column_names
        for name in names:
            if name not in there:
                raise InputError(
                    f"{self.where} has no column {name!r}; its columns are "
                    f"{', '.join(map(repr, there))}"
                )
        if not self.objects:
            return Dataset(self.table.select(names))
        read = {}
        for name in names:
            where = f"column {name!r} of {self.where}"
            values = json_column(self.where, self.objects, name)
            if isinstance(values[0], str):
                values = columns.texts(values, where)
            elif isinstance(values[0], list) and values[0] and isinstance(values[0][0], str):
                values = columns.references(values, where)
            try:
                read[name] = pa.array(values)
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                kinds = ", ".join(sorted({type(value).__name__ for value in values}))
                raise InputError(f"{where}: expected one kind of values, got {kinds}") from None
        return Dataset(pa.table(read))


def read_subset(files: Sequence[str]) -> Subset:
    """Read one JSONL or parquet file, or two parallel text files.

    Raises:
        InputError: Other files, or files that can't be read.
    """
    suffixes = [Path(file).suffix.lower() for file in files]
    if len(files) == 1 and (files[0] == STDIN or suffixes[0] in JSONL):
        lines, objects = read_json_lines(files[0])
        return Subset(shown(files[0]), "jsonl", _strings({"line": lines}), objects)
    if len(files) == 1 and suffixes[0] in PARQUET:
        return Subset(files[0], "parquet", read_parquet(files[0]))
    if len(files) != 2 or any(suffix in JSONL + PARQUET for suffix in suffixes):
        raise InputError(
            f"{', '.join(files)}: expected one .jsonl or .parquet file, or two text files as "
            "SOURCE,TARGET"
        )
    source, target = (Column(read_lines(file), shown(file)) for file in files)
    check_lengths([source, target])
    table = _strings({"source": source.rows, "target": target.rows})
    return Subset(f"{source.where} and {target.where}", "text", table)


def merge(subsets: Sequence[Subset]) -> Any:
    """All rows in one table.

    Raises:
        InputError: Files of several formats, or parquet files with different columns.
    """
    import pyarrow as pa

    first, *others = subsets
    for subset in others:
        if subset.format != first.format:
            raise InputError(
                f"expected one format: {first.where} is {first.format}, "
                f"{subset.where} is {subset.format}"
            )
        ours, theirs = ({f.name: f.type for f in s.table.schema} for s in (first, subset))
        for name in {**ours, **theirs}:
            if ours.get(name) != theirs.get(name):
                raise InputError(
                    f"column {name!r} is {ours.get(name, 'missing')} in {first.where} and "
                    f"{theirs.get(name, 'missing')} in {subset.where}"
                )
    names, metadata = first.table.column_names, first.table.schema.metadata
    tables = [s.table.select(names).replace_schema_metadata(metadata) for s in subsets]
    return pa.concat_tables(tables)


def paths(stem: Path, format: str) -> list[Path]:
    """The files of a subset, in the order in which `writers` makes them."""
    endings = {"text": (".source.txt", ".target.txt"), "jsonl": (".jsonl",)}
    return [Path(f"{stem}{ending}") for ending in endings.get(format, (".parquet",))]


def writers(stem: Path, format: str, table: Any) -> Writers:
    """What writes the files of a subset."""
    if format == "parquet":
        return {paths(stem, format)[0]: lambda file: _write_parquet(table, file)}
    texts = [column.to_pylist() for column in table.columns]
    return {
        path: _lines_writer(lines) for path, lines in zip(paths(stem, format), texts, strict=True)
    }


def list_paths(stem: Path, format: str) -> list[Path]:
    """The file of rows with further columns: two text files become JSONL."""
    return paths(stem, "parquet" if format == "parquet" else "jsonl")


def list_writers(
    stem: Path, format: str, table: Any, further: Mapping[str, Sequence[Any]]
) -> Writers:
    """What writes rows with further columns.

    Raises:
        InputError: One of these columns is there already.
    """
    (path,) = list_paths(stem, format)
    if format == "parquet":
        _check_free(table.column_names, further)
        table = table.replace_schema_metadata(None)
        for name, values in further.items():
            table = table.append_column(name, [values])
        return writers(stem, format, table)
    rows = table.to_pylist() if format == "text" else map(json.loads, table["line"].to_pylist())
    lines = []
    for row, values in zip(rows, zip(*further.values(), strict=True), strict=True):
        _check_free(row, further)
        whole = {**row, **dict(zip(further, values, strict=True))}
        lines.append(json.dumps(whole, ensure_ascii=False))
    return {path: _lines_writer(lines)}


def _check_free(names: Iterable[str], further: Iterable[str]) -> None:
    taken = {*names} & {*further}
    if taken:
        raise InputError(f"there is a column {min(taken)!r} already: rename it")


def _strings(texts: Mapping[str, Sequence[str]]) -> Any:
    """An Arrow table of texts, of any size."""
    import pyarrow as pa

    return pa.table({name: pa.array(rows, pa.large_string()) for name, rows in texts.items()})


def _lines_writer(lines: Sequence[str]) -> Callable[[BinaryIO], object]:
    return lambda file: file.writelines(f"{line}\n".encode() for line in lines)


def _write_parquet(table: Any, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table, file)
