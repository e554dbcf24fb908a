"""The subsets of a corpus that a command takes as arguments, read into memory."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textsimp.core import columns
from textsimp.corpora.datasets import load_splits, quiet_datasets
from textsimp.corpora.files import STDIN, Rows, check_lengths, read_lines, shown
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
from textsimp.support.errors import InputError, listed
from textsimp.support.parsing import parse_number

if TYPE_CHECKING:
    from datasets import Dataset

_SIDES = (".source.txt", ".target.txt")
_LINES = ("", "\n", "\n")


@dataclass(frozen=True)
class Subset:
    """A subset in memory."""

    where: str  # what the user calls its files
    format: str  # text (two parallel files), jsonl, json (an array), csv, tsv or parquet
    names: list[str]
    rows: Any  # Arrow table of what is written: source and target; line; or all columns
    endings: tuple[str, ...]  # of its files, after the name
    read: Callable[[str], Any]  # name of a column → a list or an Arrow array
    frame: tuple[str, str, str] = _LINES  # before, between and after the rows of a file of text
    delimiter: str = ""  # between the values of a line of CSV

    def column(self, name: str, *, numbers: bool = False) -> Any:
        """Return a column as an Arrow array.

        In CSV, cells become numbers if ``numbers`` and all are; lists if all are JSON lists.
        """
        where = f"column {name!r} of {self.where}"
        if name not in self.names:
            raise Table(self.where, self.names, self.read).without(name)
        values = self.read(name)
        if self.format == "parquet":
            return values
        if numbers:
            values = _numbers(values, where) if self.delimiter else values
        elif json_lists(columns.plain_list(values[:1])):
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

    texts = isinstance(values[0], str)
    try:
        return pa.chunked_array([values], pa.large_string() if texts else None)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        if texts:
            columns.texts(values, where)  # which names the row
        elif isinstance(values[0], list) and not numbers:
            columns.references(values, where)
        kinds = ", ".join(sorted({type(value).__name__ for value in values}))
        raise InputError(f"{where}: expected one kind of values, got {kinds}") from None


def read_subsets(
    arguments: Sequence[str], data: str | None, config: str | None, named: bool = True
) -> dict[str, Subset]:
    """Read subsets, which must have names if ``named``, or ``data``: one of them or a dataset."""
    quiet_datasets()
    if bool(arguments) == (data is not None):
        raise InputError("expected subsets, or one file or dataset after -d")
    if config is not None and data is None:
        raise InputError("--config is of a dataset: give -d DATASET")
    if data is not None:
        arguments = [data]
    if sum(_parse(argument)[1].count(STDIN) for argument in arguments) > 1:
        raise InputError("standard input can be read only once: give '-' once")
    subsets: dict[str, Subset] = {}
    for argument in arguments:
        for name, subset in _read(argument, config, hub=data is not None).items():
            if named and (name == STDIN or not re.fullmatch(r"[\w-]+", name)):
                raise InputError(f"{argument}: expected a name for the subset, as in NAME=FILE")
            if name in subsets:
                raise InputError(f"two subsets are called {name!r}: name them, as in NAME=FILE")
            if not len(subset.rows):
                raise InputError(f"{subset.where} has no rows")
            subsets[name] = subset
    return subsets


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
        return {name or path.name: _read_dataset(splits, files[0])}
    if name and len(splits) > 1:
        raise InputError(f"{argument}: leave out the name, it has {', '.join(splits)}")
    return {
        name or part: _read_dataset(dataset, f"{files[0]}, split {part}")
        for part, dataset in splits.items()
    }


def _read_files(files: Sequence[str]) -> Subset:
    """Read one file with columns, or two parallel text files."""
    import pyarrow as pa

    suffix = Path(files[0]).suffix.lower()
    if len(files) == 1 and suffix in PARQUET:
        rows = read_parquet(files[0])
        return _arrow_subset(files[0], rows)
    if len(files) == 1 and (files[0] == STDIN or (is_table(files[0]) and suffix not in EXCEL)):
        table = read_table(files[0])
        format = suffix[1:] if table.delimiter else "json" if table.frame[0] else "jsonl"
        rows = pa.table({"line": pa.array(table.lines, pa.large_string())})
        return Subset(
            *(table.where, format, table.names, rows, (f".{format}",), table.column, table.frame),
            table.delimiter,
        )
    if len(files) != 2 or any(map(is_table, files)):
        raise InputError(
            f"{', '.join(files)}: expected one file that ends with .jsonl, .json, .csv, .tsv or "
            ".parquet, a folder of a dataset, or two text files as SOURCE,TARGET"
        )
    lines = [pa.array(read_lines(file), pa.large_string()) for file in files]
    check_lengths([Rows(side, shown(file)) for side, file in zip(lines, files, strict=True)])
    rows = pa.table(lines, ["source", "target"])
    where = f"{shown(files[0])} and {shown(files[1])}"
    endings = _endings(*files)
    return Subset(where, "text", ["source", "target"], rows, endings, rows.__getitem__)


def _read_dataset(dataset: Dataset, where: str) -> Subset:
    rows = dataset.with_format("arrow")[:]
    check_utf8(rows, where)
    return _arrow_subset(where, rows.cast(dataset.features.arrow_schema))


def _arrow_subset(where: str, rows: Any) -> Subset:
    return Subset(where, "parquet", rows.column_names, rows, (".parquet",), rows.__getitem__)


def _endings(source: str, target: str) -> tuple[str, str]:
    """Return the endings of two files' names that differ, such as .en and .simple."""
    parts = [Path(file).name.split(".") for file in (source, target)]
    alike = [one == other for one, other in zip(*parts, strict=False)]
    first = [*alike, False].index(False)
    one, other = ("".join(f".{part}" for part in name[first:]) for name in parts)
    return (one, other) if first and one != other else _SIDES


def check_alike(subsets: Mapping[str, Subset]) -> None:
    """Check that all rows can stand in one file."""
    first, *others = subsets.values()
    for subset in others:
        pair = first, subset
        expected = {
            "one format": [f"is {s.format}" for s in pair],
            "the same delimiter": [f"has {s.delimiter!r}" for s in pair],
            "the same columns in the same order": [
                f"has {listed(s.names) if s.delimiter else 'any'}" for s in pair
            ],
        }
        for what, (one, other) in expected.items():
            if one != other:
                raise InputError(f"expected {what}: {first.where} {one}, {subset.where} {other}")
        types, other_types = ({f.name: f.type for f in s.rows.schema} for s in pair)
        for name in {**types, **other_types}:
            if types.get(name) != other_types.get(name):
                raise InputError(
                    f"column {name!r} is {types.get(name, 'missing')} in {first.where} and "
                    f"{other_types.get(name, 'missing')} in {subset.where}"
                )


def file_endings(subsets: Mapping[str, Subset]) -> tuple[str, ...]:
    """Return the endings of the files of a subset that is made of these."""
    endings = {subset.endings for subset in subsets.values()}
    return endings.pop() if len(endings) == 1 else _SIDES
