"""The files of a corpus's subsets: read in pieces, and written again row by row.

Rows are written as they were read: lines of text, of JSON or of CSV and elements of a JSON array as
they stand, parquet with all columns. Datasets become parquet.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from textsimp.corpora.files import STDIN, File, Rows, check_lengths, lines_of, shown
from textsimp.corpora.tables import (
    DELIMITED,
    PARQUET,
    ROWS,
    SIZE,
    Table,
    check_utf8,
    is_table,
    parquet_pieces,
    pieces,
)
from textsimp.support.errors import InputError

if TYPE_CHECKING:
    from datasets import Dataset

Writers = dict[Path, Callable[[BinaryIO], object]]
Windows = Callable[[list[str]], Iterator[Any]]
"""Names of columns → those of the rows to be written, in Arrow tables of some of them."""

DELIMITERS = {suffix[1:]: delimiter for suffix, delimiter in DELIMITED.items()}

_SIDES = (".source.txt", ".target.txt")
_LINES = ("", "\n", "\n")  # before, between and after the rows of a file


class Piece(NamedTuple):
    """Some rows of a subset.

    Attributes:
        rows: As they are to be written, an Arrow table.
        column: The name of a column → its rows.
        done: How much of the subset was read by now, of its `size`.
        table: The table that they are in, unless it is of Arrow.
    """

    rows: Any
    column: Callable[[str], Any]
    done: int
    table: Table | None = None


@dataclass(frozen=True)
class Subset:
    """A subset that can be read.

    Attributes:
        where: What the user calls its files.
        format: ``"text"`` (two parallel files), ``"jsonl"``, ``"json"`` (an array), ``"csv"``,
            ``"tsv"`` or ``"parquet"``.
        names: Its columns.
        schema: The Arrow schema of what is to be written: the columns ``source`` and ``target``;
            ``line``, the rows as they stand in the file; or all columns.
        endings: What follows the subset's name in the names of its files.
        frame: What stands before, between and after the rows of a file of text.
        size: Its bytes, or rows of a dataset.
        pieces: Its rows in order, anew with every call.
    """

    where: str
    format: str
    names: list[str]
    schema: Any
    endings: tuple[str, ...]
    frame: tuple[str, str, str]
    size: int
    pieces: Callable[[], Iterator[Piece]]


def read_subset(files: Sequence[str]) -> Subset:
    """Open one file with columns, or two parallel text files, and look at the first rows.

    Raises:
        InputError: Other files, or files that can't be read.
    """
    suffixes = [Path(file).suffix.lower() for file in files]
    if len(files) == 1 and suffixes[0] in PARQUET:
        parquet = File(files[0])
        whole = _Again(lambda: _of_parquet(parquet))
        schema = whole.head.rows.schema
        return Subset(
            files[0], "parquet", schema.names, schema, (".parquet",), _LINES, parquet.size, whole
        )
    if len(files) == 1 and (files[0] == STDIN or is_table(files[0])):
        file = File(files[0])
        of_file = _Again(lambda: _of_table(file))
        rows, _, _, table = of_file.head
        assert table is not None
        format = suffixes[0][1:]
        if format not in DELIMITERS:
            format = "json" if table.frame[0] else "jsonl"
        schema = rows.schema
        return Subset(
            table.where,
            format,
            table.names,
            schema,
            (f".{format}",),
            table.frame,
            file.size,
            of_file,
        )
    if len(files) != 2 or any(map(is_table, files)):
        raise InputError(
            f"{', '.join(files)}: expected one file that ends with .jsonl, .json, .csv, .tsv or "
            ".parquet, a folder of a dataset, or two text files as SOURCE,TARGET"
        )
    source, target = map(File, files)
    both = _Again(lambda: _of_texts(source, target))
    return Subset(
        f"{shown(files[0])} and {shown(files[1])}",
        "text",
        ["source", "target"],
        both.head.rows.schema,
        _endings(*files),
        _LINES,
        source.size,
        both,
    )


def subset_of(dataset: Dataset, where: str) -> Subset:
    """A split of a dataset.

    Raises:
        InputError: It has texts that aren't UTF-8.
    """
    features = dataset.features.arrow_schema
    step = max(1, min(ROWS, SIZE // max(1, dataset.data.nbytes // max(1, dataset.data.num_rows))))

    def slices() -> Iterator[Piece]:
        arrow = dataset.with_format("arrow")
        for start in range(0, len(dataset), step):
            table = arrow[start : start + step].replace_schema_metadata(features.metadata)
            yield Piece(table, _reader(table), start + len(table))

    first = 0
    for piece in slices():
        for name in piece.rows.column_names:
            check_utf8(piece.rows[name], f"column {name!r} of {where}", first)
        first = piece.done
    names = list(dataset.column_names)
    return Subset(where, "parquet", names, features, (".parquet",), _LINES, len(dataset), slices)


class _Again:
    """Pieces that can be read again; the first one is read at once, and not twice."""

    def __init__(self, read: Callable[[], Iterator[Piece]]) -> None:
        self._read = read
        self._rest: Iterator[Piece] | None = read()
        self.head = next(self._rest)

    def __call__(self) -> Iterator[Piece]:
        rest, self._rest = self._rest, None
        return self._read() if rest is None else chain([self.head], rest)


def _of_parquet(file: File) -> Iterator[Piece]:
    for table in parquet_pieces(file, ROWS):
        yield Piece(table, _reader(table), file.done)


def _reader(table: Any) -> Callable[[str], Any]:
    return lambda name: table[name]


def _of_table(file: File) -> Iterator[Piece]:
    for table in pieces(file, ROWS):
        yield Piece(_strings({"line": table.lines}), table.column, file.done, table)


def _of_texts(source: File, target: File) -> Iterator[Piece]:
    """The lines of two files side by side."""
    names = ("source", "target")
    theirs = chain.from_iterable(lines_of(target, ROWS))
    counts = [0, 0]
    for lines in lines_of(source, ROWS):
        other = list(islice(theirs, len(lines)))
        counts = [counts[0] + len(lines), counts[1] + len(other)]
        if len(lines) == len(other):
            texts = dict(zip(names, (lines, other), strict=True))
            yield Piece(_strings(texts), texts.__getitem__, source.done)
    counts[1] += sum(1 for _ in theirs)
    lengths = [cast("list[str]", range(count)) for count in counts]
    files = (shown(source.path), shown(target.path))
    check_lengths([Rows(rows, where) for rows, where in zip(lengths, files, strict=True)])


def check_alike(subsets: Sequence[Subset]) -> None:
    """Check that all rows can stand in one file.

    Raises:
        InputError: Files of several formats, or with different columns.
    """
    first, *others = subsets
    for subset in others:
        if subset.format != first.format:
            raise InputError(
                f"expected one format: {first.where} is {first.format}, "
                f"{subset.where} is {subset.format}"
            )
        if first.format in DELIMITERS and first.names != subset.names:
            raise InputError(
                f"expected the same columns in the same order: {first.where} has "
                f"{', '.join(map(repr, first.names))}, {subset.where} has "
                f"{', '.join(map(repr, subset.names))}"
            )
        types, of_other = ({f.name: f.type for f in s.schema} for s in (first, subset))
        for name in {**types, **of_other}:
            if types.get(name) != of_other.get(name):
                raise InputError(
                    f"column {name!r} is {types.get(name, 'missing')} in {first.where} and "
                    f"{of_other.get(name, 'missing')} in {subset.where}"
                )


def paths(stem: Path, corpus: Sequence[Subset], listed: bool = False) -> list[Path]:
    """The files of a subset that is made of these, in the order in which `writers` makes them.

    A list of rows with further columns is one file: of two text files it is JSONL.
    """
    if listed and corpus[0].format == "text":
        return [Path(f"{stem}.jsonl")]
    alike = len({subset.endings for subset in corpus}) == 1
    return [Path(f"{stem}{ending}") for ending in (corpus[0].endings if alike else _SIDES)]


def writers(stem: Path, corpus: Sequence[Subset], windows: Windows) -> Writers:
    """What writes the files of a subset."""
    first = corpus[0]
    if first.format == "parquet":
        names = first.schema.names
        return {paths(stem, corpus)[0]: lambda file: _write_parquet(windows(names), file)}
    files = zip(paths(stem, corpus), first.schema.names, strict=True)

    def column(name: str) -> Callable[[], Iterator[list[str]]]:
        return lambda: (_texts(table[name]) for table in windows([name]))

    return {path: _writer(column(name), first.frame) for path, name in files}


def list_writers(
    stem: Path, corpus: Sequence[Subset], windows: Windows, further: Mapping[str, Any]
) -> Writers:
    """What writes rows with further columns, Arrow arrays of one value for each.

    Raises:
        InputError: One of these columns is there already.
    """
    (path,) = paths(stem, corpus, listed=True)
    first = corpus[0]
    before, between, after = first.frame

    def parts() -> Iterator[tuple[Any, list[Any]]]:
        start = 0
        for window in windows(first.schema.names):
            for at in range(
                0, max(1, len(window)), ROWS
            ):  # as objects rows are many times as large
                table = window.slice(at, ROWS)
                yield table, [values[start : start + len(table)] for values in further.values()]
                start += len(table)

    if first.format == "parquet":
        _check_free(first.names, further)
        return {path: lambda file: _write_parquet(_with_columns(parts(), further), file)}
    if first.format in DELIMITERS:
        _check_free(first.names, further)
        join = DELIMITERS[first.format].join
        before = join([before.removesuffix(between), *further]) + between

    def lines() -> Iterator[list[str]]:
        for table, values in parts():
            added = zip(*(part.to_pylist() for part in values), strict=True)
            if first.format in DELIMITERS:
                rows = zip(_texts(table["line"]), added, strict=True)
                yield [join([row, *map(str, cells)]) for row, cells in rows]
            else:
                yield [
                    json.dumps(
                        _joined(row, dict(zip(further, cells, strict=True))), ensure_ascii=False
                    )
                    for row, cells in zip(_records(table, first), added, strict=True)
                ]

    return {path: _writer(lines, (before, between, after))}


def _records(table: Any, subset: Subset) -> Iterable[dict[str, Any]]:
    if subset.format == "text":
        rows: list[dict[str, Any]] = table.to_pylist()
        return rows
    return map(json.loads, _texts(table["line"]))


def _joined(row: Mapping[str, Any], further: Mapping[str, Any]) -> dict[str, Any]:
    _check_free(row, further)
    return {**row, **further}


def _with_columns(
    parts: Iterable[tuple[Any, list[Any]]], further: Mapping[str, Any]
) -> Iterator[Any]:
    for table, values in parts:
        table = table.replace_schema_metadata(None)
        for name, part in zip(further, values, strict=True):
            table = table.append_column(name, part)
        yield table


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


def _strings(texts: Mapping[str, Sequence[str]]) -> Any:
    """An Arrow table of texts, of any size."""
    import pyarrow as pa

    return pa.table({name: pa.array(rows, pa.large_string()) for name, rows in texts.items()})


def _texts(column: Any) -> list[str]:
    texts: list[str] = column.to_numpy().tolist()  # faster than to_pylist
    return texts


def _writer(
    rows: Callable[[], Iterator[list[str]]], frame: tuple[str, str, str]
) -> Callable[[BinaryIO], object]:
    before, between, after = frame

    def write(file: BinaryIO) -> None:
        file.write(before.encode())
        begun = False
        for part in rows():
            if begun and part:
                file.write(between.encode())
            file.write(between.join(part).encode())
            begun = begun or bool(part)
        file.write(after.encode())

    return write


def _write_parquet(tables: Iterator[Any], file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    first = next(tables)
    with pq.ParquetWriter(file, first.schema) as writer:
        for table in chain([first], tables):
            writer.write_table(table)
