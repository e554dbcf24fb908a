"""The subsets of a corpus: read from files or a dataset, and written anew in the same form.

>>> read_subsets(["train.jsonl", "test=unseen.jsonl"])          # doctest: +SKIP
{'train': Table(where='train.jsonl', ...), 'test': ...}
"""

from __future__ import annotations

import csv
import glob
import json
import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from textsimp.core import columns
from textsimp.corpora.datasets import as_table, check_types, load_splits
from textsimp.corpora.tables import ABSENT, Table, arrow_table, check_utf8, json_lists, read_table
from textsimp.corpora.text_files import (
    FILES,
    STDIN,
    TABLES,
    Rows,
    check_lengths,
    natural_key,
    read_lines,
    shown,
)
from textsimp.support.errors import InputError
from textsimp.support.files import Contents, check_new, write_files
from textsimp.support.parsing import parse_number

Numbers = NDArray[np.int64]

_SIDES = (".source.txt", ".target.txt")


def arrow_column(table: Table, name: str, *, numbers: bool = False) -> Any:
    """Return a column as an Arrow array.

    In CSV, cells become numbers if ``numbers`` and all are; lists if all are JSON lists.
    """
    if table.arrow is not None and name in table.names:
        return table.read(name)
    where, values = f"column {name!r} of {table.where}", table.column(name)
    if numbers and table.delimiter:
        values = _numbers(values, where)
    elif not numbers and json_lists(values[:1]):
        values = json_lists(values) or values
    return _array(values, where, numbers)


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
) -> dict[str, Table]:
    """Read the subsets of a corpus.

    Args:
        subsets: Each ``FILE`` (JSONL, JSON, CSV, TSV, parquet or Excel), ``FILE,FILE`` (several
            such files, one after the other), ``SOURCE,TARGET`` (two text files) or folder of a
            dataset, after ``NAME=`` if it isn't called as its file. Or one of them as a string,
            which may also be a dataset's name on the Hugging Face Hub.
        config: Configuration of the dataset.
        named: Whether subsets need names, which become those of files.

    Returns:
        The subsets by name.

    Raises:
        InputError: A file that is missing or wrong, a subset without rows, or two of one name.
    """
    may_be_on_hub = isinstance(subsets, str)
    arguments = [subsets] if isinstance(subsets, str) else [*subsets]
    if config is not None and not may_be_on_hub:
        raise InputError("--config is of a dataset: give -d DATASET")
    read: dict[str, Table] = {}
    standard_inputs = 0
    for argument in arguments:
        name, files = _parse(argument)
        standard_inputs += files.count(STDIN)
        if standard_inputs > 1:
            raise InputError("standard input can be read only once: give '-' once")
        path = Path(files[0])
        is_file = files[0] == STDIN or path.exists() or path.suffix.lower() in FILES
        if len(files) == 1 and (path.is_dir() or (may_be_on_hub and not is_file)):
            parts = _read_dataset(name, files[0], config)
        elif config is not None:
            raise InputError(f"{argument} is a file: --config is of a dataset")
        else:
            usual = re.sub(r"-\d+-of-\d+$", "", path.name.split(".")[0])
            parts = {name or usual: _read_files(files)}
        for part, subset in parts.items():
            if named and (part == STDIN or not re.fullmatch(r"[\w-]+", part)):
                raise InputError(f"{argument}: expected a name for the subset, as in NAME=FILE")
            if part in read:
                raise InputError(f"two subsets are called {part!r}: name them, as in NAME=FILE")
            if not len(subset):
                raise InputError(f"{subset.where} has no rows")
            read[part] = subset
    return read


def _parse(argument: str) -> tuple[str, list[str]]:
    """NAME=FILE, NAME=FILE,FILE, or these without a name; a FILE may be a pattern."""
    name, equals, rest = argument.partition("=")
    # os.path: what is too long for one name may be two
    if not equals or not name or os.path.exists(argument):
        name, rest = "", argument
    if rest == STDIN or os.path.exists(rest):
        return name, [rest]
    files: list[str] = []
    for part in rest.split(","):
        paths = [] if os.path.exists(part) else sorted(glob.glob(part), key=natural_key)
        files += paths or [part]
    return name, files


def _read_dataset(name: str, place: str, config: str | None) -> dict[str, Table]:
    """Read all splits of a dataset, of which a single one may have a name."""
    splits = load_splits(place, config)
    if not isinstance(splits, dict):
        splits = {Path(place).name: splits}
    elif name and len(splits) > 1:
        raise InputError(f"{name}={place}: leave out the name, it has {', '.join(splits)}")
    read = {}
    for part, dataset in splits.items():
        where = f"{place}, split {part}" if len(splits) > 1 else place
        read[name or part] = table = arrow_table(where, as_table(dataset))
        check_utf8(table.arrow, where)
    return read


def _read_files(files: Sequence[str]) -> Table:
    """Read tables, one after the other, or two parallel text files."""
    are_tables = [file == STDIN or Path(file).suffix.lower() in TABLES for file in files]
    if all(are_tables):
        parts = [read_table(file, whole=True) for file in files]
        return parts[0] if len(parts) == 1 else join_tables(parts)
    if len(files) != 2 or any(are_tables):
        raise InputError(
            f"{', '.join(files)}: expected files that end with {', '.join(TABLES)}, a folder of a "
            "dataset, or two text files as SOURCE,TARGET"
        )
    lines = [read_lines(file) for file in files]
    check_lengths([Rows(side, shown(file)) for side, file in zip(lines, files, strict=True)])
    cells = dict(zip(("source", "target"), lines, strict=True))
    where = f"{shown(files[0])} and {shown(files[1])}"
    return Table(where, [*cells], cells.__getitem__, "text", cells, endings=_endings(*files))


def join_tables(parts: Sequence[Table]) -> Table:
    """Return subsets of one form as one, with the columns of the first."""
    first = parts[0]
    for part in parts[1:]:
        if part.form != first.form:
            raise InputError(
                f"expected one format: {first.where} is {first.form}, {part.where} is {part.form}"
            )
    where = " and ".join(part.where for part in parts)
    if first.arrow is not None:
        import pyarrow as pa

        check_types({p.where: {f.name: f.type for f in p.arrow.schema} for p in parts})
        schema = first.arrow.schema
        rows = [p.arrow.select(schema.names) for p in parts]
        rows = [part.replace_schema_metadata(schema.metadata) for part in rows]
        return arrow_table(where, pa.concat_tables(rows))
    if first.delimiter:
        check_types({part.where: dict.fromkeys(part.names, "text") for part in parts})
    names = dict.fromkeys(chain.from_iterable(part.cells for part in parts))
    lacking = {
        name: [part.cells.get(name, [ABSENT] * len(part)) for part in parts] for name in names
    }
    cells = {name: [*chain.from_iterable(column)] for name, column in lacking.items()}

    def read(name: str) -> list[Any]:
        return [*chain.from_iterable(part.column(name) for part in parts)]

    endings = {part.endings for part in parts}
    ending = endings.pop() if len(endings) == 1 else _SIDES
    return Table(where, first.names, read, first.form, cells, first.delimiter, endings=ending)


def _endings(source: str, target: str) -> tuple[str, str]:
    """Return the endings of two files' names that differ, such as .en and .simple."""
    parts = [Path(file).name.split(".") for file in (source, target)]
    alike = [first == second for first, second in zip(*parts, strict=False)]
    shared = [*alike, False].index(False)
    first, second = ("".join(f".{part}" for part in name[shared:]) for name in parts)
    return (first, second) if shared and first != second else _SIDES


# Writing ------------------------------------------------------------------------------------------


def new_files(
    table: Table,
    folder: str,
    names: Collection[str],
    lists: Sequence[str] = (),
    *,
    overwrite: bool = False,
) -> dict[str, list[Path]]:
    """Return the files of subsets and lists to be written, after a check that they can be."""
    for name in lists:
        if name in names:
            raise InputError(
                f"{name!r} is the name of a list that is written: call this subset otherwise"
            )
    ending = f".{table.form}"
    endings = dict.fromkeys(names, table.endings or (ending,))
    endings |= dict.fromkeys(lists, (".jsonl" if table.form == "text" else ending,))
    files = {name: [Path(folder, f"{name}{end}") for end in endings[name]] for name in endings}
    check_new(chain(*files.values()), overwrite=overwrite)
    return files


def write_subsets(
    table: Table,
    files: Mapping[str, Sequence[Path]],
    subsets: Mapping[str, Numbers],
    lists: Mapping[str, tuple[Numbers, Mapping[str, Any]]],
    *,
    overwrite: bool = False,
) -> None:
    """Write rows of a table as subsets, and as lists with further columns, in their files."""
    parts: dict[str, tuple[Numbers, Mapping[str, Any]]]
    parts = {**{name: (rows, {}) for name, rows in subsets.items()}, **lists}
    contents: dict[Path, Contents] = {}
    for name, (rows, added) in parts.items():
        for column in added:
            if column in table.names or column in table.cells:
                raise InputError(f"there is a column {column!r} already: rename it")
        for side, path in enumerate(files[name]):
            contents[path] = partial(_write, table, rows, added, side)
    write_files(contents, overwrite=overwrite)


def _write(
    table: Table, rows: Numbers, added: Mapping[str, Any], side: int, file: BinaryIO
) -> None:
    """Write rows of a table with further columns; of a pair of text files that of one side."""
    if table.arrow is not None:
        _write_parquet(table.arrow, rows, added, file)
        return
    numbers = rows.tolist()
    names = [*table.cells, *added]
    cells: list[Iterable[Any]]
    cells = [map(column.__getitem__, numbers) for column in table.cells.values()]
    cells += [values.to_pylist() for values in added.values()]
    if table.form == "text" and not added:
        lines: Iterable[str] = (str(text) for text in cells[side])
    elif table.delimiter:
        lines = _format_csv(names, zip(*cells, strict=True), table.delimiter)
    else:  # without the keys that a row lacks
        encode = json.JSONEncoder(ensure_ascii=False).encode
        records = (zip(names, record, strict=True) for record in zip(*cells, strict=True))
        lines = (
            encode({name: cell for name, cell in record if cell is not ABSENT})
            for record in records
        )
    if table.form == "json":
        lines = ["[", ",\n".join(lines), "]"]
    # In JSON a lone surrogate is legal.
    file.writelines(f"{line}\n".encode(errors="backslashreplace") for line in lines)


def _write_parquet(table: Any, rows: Numbers, added: Mapping[str, Any], file: BinaryIO) -> None:
    import pyarrow.parquet as pq

    part = table.take(rows)
    if added:  # which features of a dataset don't have
        part = part.replace_schema_metadata(None)
    for name, values in added.items():
        part = part.append_column(name, values)
    pq.write_table(part, file)


def _format_csv(
    names: Sequence[str], records: Iterable[Sequence[Any]], delimiter: str
) -> Iterator[str]:
    """Format rows as lines of CSV."""
    written: Any = SimpleNamespace(write=str)  # what it returns, a row's writer returns
    writer: Any = csv.writer(written, delimiter=delimiter)
    for record in chain([names], records):
        # With the end "\r\n" cells with either of these are quoted.
        yield writer.writerow(record)[:-2]
