"""Files and datasets as columns of texts, and files written whole or not at all.

In a text file only a line feed ends a line: other line breaks of Unicode occur inside texts. The
last line may lack it. If every line ends with carriage return and line feed, as on Windows, both
are taken off; a file with both kinds of endings is an error. A byte order mark is taken off.
"""

from __future__ import annotations

import contextlib
import csv
import io
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from textsimp.columns import InputError

STDIN = "-"
JSONL = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet",)
TABLES = (*JSONL, *DELIMITED, *PARQUET)
FILES = (".txt", *TABLES)


@dataclass(frozen=True)
class Column:
    """Texts, or lists of texts, and where they come from.

    Attributes:
        rows: One per example.
        where: What the user calls it, for messages.
        unit: What its rows are: lines, rows or sources.
    """

    rows: list[Any]
    where: str
    unit: str = "lines"


@dataclass(frozen=True)
class Table:
    """Columns of a file or dataset, read when they are asked for.

    Attributes:
        where: What the user calls it, for messages.
        names: The columns' names.
        read: Column name → its rows.
    """

    where: str
    names: list[str]
    read: Callable[[str], list[Any]]

    def column(self, name: str) -> list[Any]:
        """The rows of a column.

        Raises:
            InputError: There is none of this name; the message lists those there are.
        """
        if name not in self.names:
            raise InputError(
                f"{self.where} has no column {name!r}; its columns are "
                f"{', '.join(map(repr, self.names))}"
            )
        return self.read(name)


def shown(path: str | Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) == STDIN else str(path)


def read_lines(path: str | Path) -> list[str]:
    """The lines of a text file; ``"-"`` is standard input.

    Raises:
        InputError: No such file, a folder, not UTF-8, empty, or mixed line endings; the message
            names the file and, where there is one, the line (counted from 1).
    """
    text = _decode(_read_bytes(path), path)
    if not text:
        raise InputError(f"{shown(path)} is empty")
    lines = text.removesuffix("\n").split("\n")
    ended = lines if text.endswith("\n") else lines[:-1]
    windows = [line.endswith("\r") for line in ended]
    if any(windows):
        if not all(windows):
            raise InputError(
                f"{shown(path)}, line {windows.index(True) + 1} ends with a carriage return and a "
                f"line feed, line {windows.index(False) + 1} with a line feed only: expected one "
                "kind of line ending"
            )
        lines = [line.removesuffix("\r") for line in lines]
    return lines


def is_table(path: str | Path) -> bool:
    """Whether a file's name says that it holds columns rather than lines."""
    return Path(path).suffix.lower() in TABLES


def read_table(path: str | Path) -> Table:
    """A JSONL, CSV, TSV or parquet file; ``"-"`` is JSONL from standard input.

    Raises:
        InputError: No such file, a folder, another kind of file, or contents that can't be read;
            the message names the file and the line (counted from 1).
    """
    suffix = Path(path).suffix.lower()
    if str(path) == STDIN or suffix in JSONL:
        return _json_table(path)
    if suffix in DELIMITED:
        return _delimited_table(path, DELIMITED[suffix])
    if suffix in PARQUET:
        return _parquet_table(path)
    raise InputError(f"{path}: expected a file whose name ends with {', '.join(TABLES)}")


def read_json_lines(path: str | Path) -> tuple[list[str], list[dict[str, Any]]]:
    """The lines of a JSONL file, as they are and parsed.

    Raises:
        InputError: See `read_lines`; also a line that isn't a JSON object.
    """
    lines = read_lines(path)
    rows = []
    for i, line in enumerate(lines, 1):
        where = f"{shown(path)}, line {i}"
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            got = "an empty line" if not line.strip() else f"bad JSON: {error}"
            raise InputError(f"{where}: expected a JSON object, got {got}") from None
        if not isinstance(row, dict):
            raise InputError(f"{where}: expected a JSON object, got {type(row).__name__}")
        rows.append(row)
    return lines, rows


def json_column(path: str | Path, rows: Sequence[Mapping[str, Any]], name: str) -> list[Any]:
    """One value of every row.

    Raises:
        InputError: A row that lacks it.
    """
    for i, row in enumerate(rows, 1):
        if name not in row:
            raise InputError(
                f"{shown(path)}, line {i} has no {name!r}; it has {', '.join(map(repr, row))}"
            )
    return [row[name] for row in rows]


def load_dataset(
    name: str, config: str | None = None, split: str = "test", *, cached_first: bool = False
) -> Table:
    """A split of a dataset: a name on the Hub, or a folder that ``datasets`` can load.

    Args:
        name: The dataset.
        config: Its configuration.
        split: The split.
        cached_first: Take what was loaded from the Hub before without asking for a newer version.
            Otherwise it is taken where the Hub can't be reached.

    Raises:
        InputError: It can't be loaded; the message is the first line of that of ``datasets``.
    """
    import datasets

    local = Path(name).is_dir()

    def load() -> Any:
        if not any((Path(name) / mark).is_file() for mark in ("state.json", "dataset_dict.json")):
            return datasets.load_dataset(name, config, split=split)
        loaded = datasets.load_from_disk(name)
        if not isinstance(loaded, datasets.DatasetDict):
            return loaded
        if split not in loaded:
            raise ValueError(f"no split {split!r}, only {', '.join(map(repr, loaded))}")
        return loaded[split]

    quiet_datasets()
    try:
        loaded = _offline(load) if cached_first and not local else None
        if loaded is None:
            if not local and sys.stderr.isatty():
                print(f"Loading {name} from the Hugging Face Hub …", file=sys.stderr)
            loaded = load()
    except Exception as error:  # of any kind: network, files, names, formats
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputError(f"dataset {name}: {reason}") from error
    where = f"{name}, split {split}"
    return Table(where, list(loaded.column_names), lambda column: list(loaded[column][:]))


def quiet_datasets() -> None:
    """Let ``datasets`` show its progress on a terminal only, and log nothing but errors."""
    import datasets

    for logger in ("datasets", "huggingface_hub"):
        logging.getLogger(logger).setLevel(logging.ERROR)
    if not sys.stderr.isatty():
        datasets.disable_progress_bars()


def _offline(load: Callable[[], Any]) -> Any:
    """What is in the cache, or None. Asking the Hub in vain takes half a minute."""
    from datasets import config

    before = config.HF_HUB_OFFLINE
    config.HF_HUB_OFFLINE = True
    try:
        return load()
    except Exception:  # not in the cache, told in many ways
        return None
    finally:
        config.HF_HUB_OFFLINE = before


def text_files(folder: str | Path) -> list[Path]:
    """The ``.txt`` files of a folder, in the order of the numbers in their names.

    Raises:
        InputError: There are none.
    """
    files = [path for path in Path(folder).glob("*.txt") if path.is_file()]
    if not files:
        raise InputError(f"{folder}: a folder without .txt files")
    return sorted(files, key=_natural)


def check_lengths(columns: Sequence[Column]) -> None:
    """Check that all columns have as many rows as the first.

    Raises:
        InputError: They don't; the message names the columns that differ.
    """
    first, *others = columns
    wrong = [
        f"{column.where} has {_count(column)}"
        for column in others
        if len(column.rows) != len(first.rows)
    ]
    if wrong:
        raise InputError(f"{first.where} has {_count(first)}, but {', '.join(wrong)}")


def _count(column: Column) -> str:
    n = len(column.rows)
    return f"{n:,} {column.unit if n != 1 else column.unit.removesuffix('s')}"


def write_files(
    files: Mapping[Path, Callable[[BinaryIO], object]], *, overwrite: bool = False
) -> None:
    """Write files, all of them whole or none at all.

    Args:
        files: Path → a function that writes its contents.
        overwrite: Whether a file may be there already.

    Raises:
        InputError: A file is there already, or can't be written.
    """
    check_new(files, overwrite=overwrite)
    temporary = {path: path.with_name(f".{path.name}.{os.getpid()}.part") for path in files}
    path = Path()
    try:
        for path, write in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(temporary[path], "xb") as file:
                write(file)
        for path in files:
            os.replace(temporary[path], path)
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror or error}") from error
    finally:
        for part in temporary.values():
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)


def check_new(paths: Mapping[Path, Any] | Sequence[Path], *, overwrite: bool) -> None:
    """Check that files may be written.

    Raises:
        InputError: One is there and may not be overwritten, or it is a folder.
    """
    for path in paths:
        if path.is_dir():
            raise InputError(f"{path} is a folder: expected a file to write")
        if not overwrite and path.exists():
            raise InputError(f"{path} is there already: --force overwrites it")


def _read_bytes(path: str | Path) -> bytes:
    if str(path) == STDIN:
        return sys.stdin.buffer.read()
    try:
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: expected a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{path} can't be read: {reason}") from None


def _decode(data: bytes, path: str | Path) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(path)}, line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}"
        ) from None


def _json_table(path: str | Path) -> Table:
    _, rows = read_json_lines(path)
    return Table(shown(path), list(rows[0]), lambda name: json_column(path, rows, name))


def _delimited_table(path: str | Path, delimiter: str) -> Table:
    text = _decode(_read_bytes(path), path)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    header: list[str] = []
    with _long_fields():
        try:
            header = next(reader, header)
            for row in reader:
                if len(row) != len(header):
                    raise InputError(
                        f"{path}, line {reader.line_num}: expected {len(header)} fields as in the "
                        f"first line, got {len(row)}"
                    )
                rows.append(row)
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None
    if not rows:
        raise InputError(f"{path}: expected a line of column names and at least one more")
    if len(set(header)) < len(header):
        raise InputError(f"{path}: a column name stands twice in {', '.join(map(repr, header))}")
    return Table(str(path), header, lambda name: [row[header.index(name)] for row in rows])


def _parquet_table(path: str | Path) -> Table:
    table = read_parquet(path)
    return Table(str(path), list(table.column_names), lambda name: list(table[name].to_pylist()))


def read_parquet(path: str | Path) -> Any:
    """A parquet file as an Arrow table.

    Raises:
        InputError: No such file, a folder, or no parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = _read_bytes(path)
    try:
        return pq.ParquetFile(pa.BufferReader(data)).read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None


@contextlib.contextmanager
def _long_fields() -> Iterator[None]:
    """Documents are longer than what csv takes for a field by default."""
    limit = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(limit)


def _natural(path: Path) -> list[str | int]:
    parts = re.split(r"([0-9]+)", path.name)
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]
