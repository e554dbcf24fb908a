"""The files of a corpus's subsets: read as datasets, and written again row by row.

Rows are written as they were read: lines of text, of JSON or of CSV and elements of a JSON array as
they stand, parquet with all columns. Datasets become parquet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from textsimp import columns
from textsimp.columns import InputError
from textsimp.corpora.files import STDIN, Rows, check_lengths, read_lines, shown
from textsimp.corpora.tables import (
    DELIMITED,
    PARQUET,
    Table,
    check_utf8,
    is_table,
    parsed_lists,
    read_parquet,
    read_table,
)

if TYPE_CHECKING:
    from datasets import Dataset

Writers = dict[Path, Callable[[BinaryIO], object]]

DELIMITERS = {suffix[1:]: delimiter for suffix, delimiter in DELIMITED.items()}

_SIDES = (".source.txt", ".target.txt")
_LINES = ("", "\n", "\n")  # before, between and after the rows of a file


@dataclass(frozen=True)
class Subset:
    """The rows of a subset.

    Attributes:
        where: What the user calls its files.
        format: ``"text"`` (two parallel files), ``"jsonl"``, ``"json"`` (an array), ``"csv"``,
            ``"tsv"`` or ``"parquet"``.
        table: What is to be written, an Arrow table: the columns ``source`` and ``target``; the
            rows as they stand in the file; or all columns.
        endings: What follows the subset's name in the names of its files.
        file: The columns of a table whose rows stand in a file of text.
    """

    where: str
    format: str
    table: Any
    endings: tuple[str, ...]
    file: Table | None = None

    def __len__(self) -> int:
        return int(self.table.num_rows)

    def dataset(self, texts: Iterable[str], values: Iterable[str] = ()) -> Dataset:
        """Some columns.

        Args:
            texts: Columns of texts, or of lists of texts.
            values: Columns of anything; in CSV they are numbers if all of their cells are.

        Raises:
            InputError: One is missing, or has values of several kinds.
        """
        import pyarrow as pa
        from datasets import Dataset

        texts = list(texts)
        names = [*texts, *values]
        there = self.file.names if self.file else self.table.column_names
        for name in names:
            if name not in there:
                raise InputError(
                    f"{self.where} has no column {name!r}{columns.nearest(name, there)}; its "
                    "columns are "
                    f"{', '.join(map(repr, there))}"
                )
        if not self.file:
            return Dataset(self.table.select(names))
        read = {}
        for name in names:
            where = f"column {name!r} of {self.where}"
            rows: Any = self.file.column(name)
            if name in texts:
                rows = parsed_lists(rows, where)
            elif self.format in DELIMITERS:
                rows = _numbers(rows, where)
            if isinstance(rows[0], str):
                rows = columns.texts(rows, where)
            elif isinstance(rows[0], list) and rows[0] and isinstance(rows[0][0], str):
                rows = columns.references(rows, where)
            try:
                read[name] = pa.array(rows)
            except (pa.ArrowException, TypeError, ValueError, OverflowError):
                kinds = ", ".join(sorted({type(value).__name__ for value in rows}))
                raise InputError(f"{where}: expected one kind of values, got {kinds}") from None
        return Dataset(pa.table(read))


def read_subset(files: Sequence[str]) -> Subset:
    """Read one file with columns, or two parallel text files.

    Raises:
        InputError: Other files, or files that can't be read.
    """
    suffixes = [Path(file).suffix.lower() for file in files]
    if len(files) == 1 and suffixes[0] in PARQUET:
        return Subset(files[0], "parquet", read_parquet(files[0]), (".parquet",))
    if len(files) == 1 and (files[0] == STDIN or is_table(files[0])):
        table = read_table(files[0])
        format = suffixes[0][1:]
        if format not in DELIMITERS:
            format = "json" if table.frame[0] else "jsonl"
        lines = _strings({"line": table.lines})
        return Subset(table.where, format, lines, (f".{format}",), table)
    if len(files) != 2 or any(map(is_table, files)):
        raise InputError(
            f"{', '.join(files)}: expected one file that ends with .jsonl, .json, .csv, .tsv or "
            ".parquet, a folder of a dataset, or two text files as SOURCE,TARGET"
        )
    source, target = (Rows(read_lines(file), shown(file)) for file in files)
    check_lengths([source, target])
    pairs = _strings({"source": source.rows, "target": target.rows})
    return Subset(f"{source.where} and {target.where}", "text", pairs, _endings(*files))


def subset_of(dataset: Dataset, where: str) -> Subset:
    """A split of a dataset.

    Raises:
        InputError: It has texts that aren't UTF-8.
    """
    table = dataset.with_format("arrow")[:]
    for name in table.column_names:
        check_utf8(table[name], f"column {name!r} of {where}")
    metadata = dataset.features.arrow_schema.metadata
    return Subset(where, "parquet", table.replace_schema_metadata(metadata), (".parquet",))


def merge(subsets: Sequence[Subset]) -> Any:
    """All rows in one table.

    Raises:
        InputError: Files of several formats, or with different columns.
    """
    import pyarrow as pa

    first, *others = subsets
    for subset in others:
        if subset.format != first.format:
            raise InputError(
                f"expected one format: {first.where} is {first.format}, "
                f"{subset.where} is {subset.format}"
            )
        if first.file and subset.file and first.format in DELIMITERS:
            ours, theirs = first.file.names, subset.file.names
            if ours != theirs:
                raise InputError(
                    f"expected the same columns in the same order: {first.where} has "
                    f"{', '.join(map(repr, ours))}, {subset.where} has "
                    f"{', '.join(map(repr, theirs))}"
                )
        types, of_other = ({f.name: f.type for f in s.table.schema} for s in (first, subset))
        for name in {**types, **of_other}:
            if types.get(name) != of_other.get(name):
                raise InputError(
                    f"column {name!r} is {types.get(name, 'missing')} in {first.where} and "
                    f"{of_other.get(name, 'missing')} in {subset.where}"
                )
    names, metadata = first.table.column_names, first.table.schema.metadata
    tables = [s.table.select(names).replace_schema_metadata(metadata) for s in subsets]
    return pa.concat_tables(tables)


def paths(stem: Path, corpus: Sequence[Subset], listed: bool = False) -> list[Path]:
    """The files of a subset that is made of these, in the order in which `writers` makes them.

    A list of rows with further columns is one file: of two text files it is JSONL.
    """
    if listed and corpus[0].format == "text":
        return [Path(f"{stem}.jsonl")]
    alike = len({subset.endings for subset in corpus}) == 1
    return [Path(f"{stem}{ending}") for ending in (corpus[0].endings if alike else _SIDES)]


def writers(stem: Path, corpus: Sequence[Subset], table: Any) -> Writers:
    """What writes the files of a subset."""
    if corpus[0].format == "parquet":
        return {paths(stem, corpus)[0]: lambda file: _write_parquet(table, file)}
    frame = corpus[0].file.frame if corpus[0].file else _LINES
    texts = [column.to_pylist() for column in table.columns]
    files = zip(paths(stem, corpus), texts, strict=True)
    return {path: _writer(rows, frame) for path, rows in files}


def list_writers(
    stem: Path, corpus: Sequence[Subset], table: Any, further: Mapping[str, Sequence[Any]]
) -> Writers:
    """What writes rows with further columns.

    Raises:
        InputError: One of these columns is there already.
    """
    (path,) = paths(stem, corpus, listed=True)
    format, file = corpus[0].format, corpus[0].file
    if format == "parquet":
        _check_free(table.column_names, further)
        table = table.replace_schema_metadata(None)
        for name, values in further.items():
            table = table.append_column(name, [values])
        return writers(stem, corpus, table)
    before, between, after = file.frame if file else _LINES
    added = zip(*further.values(), strict=True)
    if file and format in DELIMITERS:
        _check_free(file.names, further)
        join = DELIMITERS[format].join
        before = join([before.removesuffix(between), *further]) + between
        rows = table["line"].to_pylist()
        lines = [join([row, *map(str, cells)]) for row, cells in zip(rows, added, strict=True)]
        return {path: _writer(lines, (before, between, after))}
    rows = map(json.loads, table["line"].to_pylist()) if file else table.to_pylist()
    lines = []
    for row, values in zip(rows, added, strict=True):
        _check_free(row, further)
        whole = {**row, **dict(zip(further, values, strict=True))}
        lines.append(json.dumps(whole, ensure_ascii=False))
    return {path: _writer(lines, (before, between, after))}


def _check_free(names: Iterable[str], further: Iterable[str]) -> None:
    taken = {*names} & {*further}
    if taken:
        raise InputError(f"there is a column {min(taken)!r} already: rename it")


def _endings(source: str, target: str) -> tuple[str, str]:
    """What tells the names of two files apart, such as .en and .simple."""
    parts = [Path(file).name.split(".") for file in (source, target)]
    alike = [ours == theirs for ours, theirs in zip(*parts, strict=False)]
    first = [*alike, False].index(False)
    one, other = ("".join(f".{part}" for part in name[first:]) for name in parts)
    return (one, other) if first and one != other else _SIDES


def _numbers(cells: Sequence[str], where: str) -> Sequence[Any]:
    """Cells of CSV as numbers, if all are."""
    try:
        numbers = [float(cell) if cell else None for cell in cells]
    except ValueError:
        return cells
    if None in numbers:
        row = numbers.index(None)
        raise InputError(f"row {row} of {where} (counted from 0): expected a number, got none")
    return numbers


def _strings(texts: Mapping[str, Sequence[str]]) -> Any:
    """An Arrow table of texts, of any size."""
    import pyarrow as pa

    return pa.table({name: pa.array(rows, pa.large_string()) for name, rows in texts.items()})


def _writer(rows: Sequence[str], frame: tuple[str, str, str]) -> Callable[[BinaryIO], object]:
    before, between, after = frame

    def write(file: BinaryIO) -> None:
        file.write(before.encode())
        file.writelines(f"{between if i else ''}{row}".encode() for i, row in enumerate(rows))
        file.write(after.encode())

    return write


def _write_parquet(table: Any, file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    pq.write_table(table, file)
