"""The subsets of a corpus: read from files or a dataset, and written anew in the same form.

>>> read_subsets(["train.jsonl", "test=unseen.jsonl"])          # doctest: +SKIP
{'train': Subset(where='train.jsonl', ...), 'test': ...}
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from textsimp.core import columns
from textsimp.corpora.dataset_columns import check_types
from textsimp.corpora.datasets import load_splits
from textsimp.corpora.files import STDIN, Rows, check_lengths, note, read_lines, shown
from textsimp.corpora.tables import (
    EXCEL,
    FILES,
    PARQUET,
    Table,
    check_utf8,
    is_table,
    json_lists,
    note_lists,
    read_parquet,
    read_table,
)
from textsimp.support.errors import InputError
from textsimp.support.files import check_new, write_files
from textsimp.support.parsing import parse_number

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Numbers = NDArray[np.int64]

_SIDES = (".source.txt", ".target.txt")
_USUAL = ("train", "validation", "valid", "val", "dev", "test")  # names of subsets


@dataclass(frozen=True)
class Subset:
    """A subset in memory."""

    where: str  # what the user calls its files
    format: str  # text (two parallel files), jsonl, json (an array), csv, tsv or parquet
    names: list[str]
    rows: Any  # Arrow table of what is written: all columns, or "json", an object of each row
    endings: tuple[str, ...]  # of its files, after the name
    read: Any  # function: name of a column → a list or an Arrow array
    delimiter: str = ""  # between the values of a line of CSV

    def column(self, name: str, *, numbers: bool = False) -> Any:
        """Return a column as an Arrow array.

        In CSV, cells become numbers if ``numbers`` and all are; lists if all are JSON lists.
        """
        where = f"column {name!r} of {self.where}"
        values = Table(self.where, self.names, self.read).values(name)
        if self.format == "parquet":
            return values
        if numbers and self.delimiter:
            values = _numbers(values, where)
        elif not numbers and json_lists(columns.plain_list(values[:1])):
            lists = json_lists(columns.plain_list(values))
            if lists:
                note_lists([*map(len, lists)], where)
            values = lists or values
        return _array(values, where, numbers) if isinstance(values, list) else values


def _numbers(cells: list[str], where: str) -> list[Any]:
    """Return cells as numbers if all of them are, otherwise as they are."""
    try:
        numbers = [parse_number(cell) if cell else None for cell in cells]
    except ValueError:
        return cells
    if None in numbers:
        raise InputError(
            f"row {numbers.index(None)} of {where} (counted from 0): expected a number, got none"
        )
    return numbers


def _array(values: list[Any], where: str, numbers: bool) -> Any:
    import pyarrow as pa

    text = pa.large_string()
    is_text = isinstance(values[0], str)
    for kind in [text] if is_text else [pa.large_list(text), None]:
        try:
            return pa.chunked_array([values], kind)
        except (pa.ArrowException, TypeError, ValueError, OverflowError):
            continue
    if is_text:
        columns.texts(values, where)  # which names the row
    elif isinstance(values[0], list) and not numbers:
        columns.references(values, where)
    kinds = ", ".join(sorted({type(value).__name__ for value in values}))
    raise InputError(f"{where}: expected one kind of values, got {kinds}")


def read_subsets(
    subsets: Sequence[str] | str, config: str | None = None, *, named: bool = True
) -> dict[str, Subset]:
    """Read the subsets of a corpus.

    Args:
        subsets: Each ``FILE`` (JSONL, JSON, CSV, TSV or parquet), ``SOURCE,TARGET`` (two text
            files) or folder of a dataset, after ``NAME=`` if it isn't called as its file. Or one of
            them as a string, which may also be a dataset's name on the Hugging Face Hub.
        config: Configuration of the dataset.
        named: Whether subsets need names, which become those of files.

    Returns:
        The subsets by name.

    Raises:
        InputError: A file that is missing or wrong, a subset without rows, or two of one name.
    """
    hub = isinstance(subsets, str)
    arguments = [subsets] if isinstance(subsets, str) else [*subsets]
    if config is not None and not hub:
        raise InputError("--config is of a dataset: give -d DATASET")
    if sum(_parse(argument)[1].count(STDIN) for argument in arguments) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    read: dict[str, Subset] = {}
    for argument in arguments:
        for name, subset in _read(argument, config, hub).items():
            if named and (name == STDIN or not re.fullmatch(r"[\w-]+", name)):
                raise InputError(f"{argument}: expected a name for the subset, as in NAME=FILE")
            if name in read:
                raise InputError(f"two subsets are called {name!r}: name them, as in NAME=FILE")
            if not len(subset.rows):
                raise InputError(f"{subset.where} has no rows")
            read[name] = subset
    return read


def _parse(argument: str) -> tuple[str, list[str]]:
    """NAME=FILE, NAME=SOURCE,TARGET, or these without a name."""
    name, equals, rest = argument.partition("=")
    # os.path: what is too long for one name may be two
    if not equals or not name or os.path.exists(argument):
        name, rest = "", argument
    return name, [rest] if rest == STDIN or os.path.exists(rest) else rest.split(",")


def _read(argument: str, config: str | None, hub: bool) -> dict[str, Subset]:
    """Read one subset, or all splits of a dataset; of one on the Hub if ``hub`` and no file is."""
    name, files = _parse(argument)
    path = Path(files[0])
    is_file = files[0] == STDIN or path.exists() or path.suffix.lower() in FILES
    if len(files) > 1 or not (path.is_dir() or (hub and not is_file)):
        if config is not None:
            raise InputError(f"{argument} is a file: --config is of a dataset")
        usual = re.sub(r"-\d+-of-\d+$", "", path.name.split(".")[0])
        return {name or usual: _read_files(files)}
    splits = load_splits(files[0], config)
    if not isinstance(splits, dict):
        splits = {path.name: splits}
    elif name and len(splits) > 1:
        raise InputError(f"{argument}: leave out the name, it has {', '.join(splits)}")
    read = {}
    for part, dataset in splits.items():
        where = f"{files[0]}, split {part}" if len(splits) > 1 else files[0]
        rows = dataset.with_format("arrow")[:]
        check_utf8(rows, where)
        read[name or part] = _parquet(where, rows.cast(dataset.features.arrow_schema))
    return read


def _read_files(files: Sequence[str]) -> Subset:
    """Read one file with columns, or two parallel text files."""
    import pyarrow as pa

    suffix = Path(files[0]).suffix.lower()
    if len(files) == 1 and suffix in PARQUET:
        return _parquet(files[0], read_parquet(files[0]))
    if len(files) == 1 and (files[0] == STDIN or (is_table(files[0]) and suffix not in EXCEL)):
        table = read_table(files[0], keep=True)
        format = suffix[1:] if table.delimiter else "json" if table.is_array else "jsonl"
        rows = pa.table({name: _array_of_texts(cells) for name, cells in table.written.items()})
        ending = (f".{format}",)
        return Subset(table.where, format, table.names, rows, ending, table.read, table.delimiter)
    if len(files) != 2 or any(map(is_table, files)):
        raise InputError(
            f"{', '.join(files)}: expected one file that ends with .jsonl, .json, .csv, .tsv or "
            ".parquet, a folder of a dataset, or two text files as SOURCE,TARGET"
        )
    lines = [_array_of_texts(read_lines(file)) for file in files]
    check_lengths([Rows(side, shown(file)) for side, file in zip(lines, files, strict=True)])
    rows = pa.table(lines, ["source", "target"])
    where = f"{shown(files[0])} and {shown(files[1])}"
    return Subset(where, "text", rows.column_names, rows, _endings(*files), rows.__getitem__)


def _array_of_texts(values: Any) -> Any:
    import pyarrow as pa

    return pa.array(values, pa.large_string()) if isinstance(values, list) else values


def _parquet(where: str, rows: Any) -> Subset:
    return Subset(where, "parquet", rows.column_names, rows, (".parquet",), rows.__getitem__)


def _endings(source: str, target: str) -> tuple[str, str]:
    """Return the endings of two files' names that differ, such as .en and .simple."""
    parts = [Path(file).name.split(".") for file in (source, target)]
    alike = [one == other for one, other in zip(*parts, strict=False)]
    first = [*alike, False].index(False)
    one, other = ("".join(f".{part}" for part in name[first:]) for name in parts)
    return (one, other) if first and one != other else _SIDES


# Writing ------------------------------------------------------------------------------------------


class Output:
    """The files of a corpus that is cut anew: subsets, and lists of rows with further columns."""

    def __init__(
        self,
        corpus: Mapping[str, Subset],
        folder: str,
        names: Iterable[str],
        lists: Sequence[str] = (),
        *,
        overwrite: bool = False,
    ) -> None:
        """Check that the rows can stand in one file, and that the files can be written.

        Args:
            corpus: The corpus as it was read, which has the form of what is written.
            folder: Folder for the files.
            names: Of the subsets.
            lists: Names of the lists.
            overwrite: Whether files are overwritten.
        """
        import pyarrow as pa

        for name in lists:
            if name in corpus:
                raise InputError(
                    f"{name!r} is the name of a list that is written: call this subset otherwise"
                )
        first = next(iter(corpus.values()))
        for subset in corpus.values():
            if subset.format != first.format:
                raise InputError(
                    f"expected one format: {first.where} is {first.format}, {subset.where} is "
                    f"{subset.format}"
                )
        check_types({s.where: {f.name: f.type for f in s.rows.schema} for s in corpus.values()})
        self._form = replace(first, rows=None, read=None)  # texts that were read may be freed
        endings = {subset.endings for subset in corpus.values()}
        self._endings = endings.pop() if len(endings) == 1 else _SIDES
        self._folder, self._overwrite = folder, overwrite
        self._paths = {name: self._subset_paths(name) for name in names}
        for name in lists:  # of pairs of text files as JSONL
            path = Path(folder, f"{name}.jsonl")
            self._paths[name] = [path] if first.format == "text" else self._subset_paths(name)
        check_new(chain.from_iterable(self._paths.values()), overwrite=overwrite)
        schema = first.rows.schema
        parts = [subset.rows.select(schema.names) for subset in corpus.values()]
        parts = [part.replace_schema_metadata(schema.metadata) for part in parts]
        self._table = pa.concat_tables(parts)

    def write(
        self,
        subsets: Mapping[str, Numbers],
        lists: Mapping[str, tuple[Numbers, Mapping[str, Any]]],
    ) -> dict[str, list[str]]:
        """Write rows, numbered over all subsets that were read; return the names of the files."""
        table = self._table
        contents: dict[Path, Callable[[BinaryIO], object]] = {}
        for name, rows in subsets.items():
            is_text = self._form.format == "text"
            sides = [table.select([side]) for side in table.column_names] if is_text else [table]
            for path, side in zip(self._paths[name], sides, strict=True):
                contents[path] = partial(_write, self._form, side, rows, {})
        table = table.replace_schema_metadata(None)
        for name, (rows, added) in lists.items():
            contents[self._paths[name][0]] = partial(_write, self._form, table, rows, added)
        write_files(contents, overwrite=self._overwrite)
        usual = chain(*map(self._subset_paths, _USUAL))
        old = [path.name for path in usual if path not in contents and path.exists()]
        if old:
            note(f"{self._folder}: left from before, not part of this split: {', '.join(old)}")
        return {name: list(map(str, files)) for name, files in self._paths.items()}

    def _subset_paths(self, name: str) -> list[Path]:
        return [Path(self._folder, f"{name}{ending}") for ending in self._endings]


def _write(
    form: Subset, table: Any, rows: Numbers, added: Mapping[str, Any], file: BinaryIO
) -> None:
    """Write rows of an Arrow table with further columns."""
    if form.format == "parquet":
        import pyarrow.parquet as pq

        part = table.take(rows)
        for name, values in added.items():
            _check_free(part.column_names, name)
            part = part.append_column(name, values)
        pq.write_table(part, file)
        return
    before, between, after = b"", b"\n", b"\n"
    if form.format == "json":
        before, between, after = b"[\n", b",\n", b"\n]\n"
    elif form.delimiter:
        for name in added:
            _check_free(form.names, name)
        before = _csv_line([*form.names, *added], form.delimiter) + b"\n"
    for i, line in enumerate(_lines(form, table, rows, added)):
        file.write(between if i else before)
        file.write(line)
    file.write(after)


def _lines(
    form: Subset, table: Any, rows: Numbers, added: Mapping[str, Any]
) -> Iterator[bytes | memoryview]:
    """Iterate over rows as they stand in a file of text."""
    cells = [_texts(column, rows) for column in table.columns]
    if not (added or form.delimiter):
        yield from cells[0]
        return
    more = [values.to_pylist() for values in added.values()]
    for row in zip(*cells, *more, strict=True):
        texts = [str(cell, "utf-8") for cell in row[: len(cells)]]
        if form.delimiter:
            yield _csv_line([*texts, *row[len(cells) :]], form.delimiter)
            continue
        is_text = form.format == "text"
        record = dict(zip(form.names, texts, strict=True)) if is_text else json.loads(texts[0])
        for name, value in zip(added, row[len(cells) :], strict=True):
            _check_free(record, name)
            record[name] = value
        yield json.dumps(record, ensure_ascii=False).encode()


def _texts(column: Any, rows: Numbers) -> Iterator[memoryview]:
    """Iterate over rows of an Arrow column of texts, of which nothing is copied."""
    starts = np.cumsum([0, *map(len, column.chunks)])
    chunks = []
    for chunk in column.chunks:
        _, ends, data = chunk.buffers()
        chunks.append((memoryview(ends).cast("q")[chunk.offset :], memoryview(data or b"")))
    numbers = np.searchsorted(starts, rows, side="right") - 1
    for number, i in zip(numbers.tolist(), (rows - starts[numbers]).tolist(), strict=True):
        ends, data = chunks[number]
        yield data[ends[i] : ends[i + 1]]


def _csv_line(cells: Iterable[Any], delimiter: str) -> bytes:
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter).writerow(cells)  # whose line ending is "\r\n"
    return line.getvalue().removesuffix("\r\n").encode()


def _check_free(names: Iterable[str], added: str) -> None:
    if added in names:
        raise InputError(f"there is a column {added!r} already: rename it")
