"""Files and datasets as columns of texts.

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
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from textsimp.columns import InputError, nearest, one_line

STDIN = "-"
JSONL = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet",)
TABLES = (*JSONL, *DELIMITED, *PARQUET)
FILES = (".txt", *TABLES)

_JSON_SPACE = re.compile(r"[ \t\n\r]*")


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
        lines: The rows as they stand in a file of text; they may contain line breaks.
        frame: What stands before, between and after them.
    """

    where: str
    names: list[str]
    read: Callable[[str], list[Any]]
    lines: Sequence[str] = ()
    frame: tuple[str, str, str] = ("", "\n", "\n")

    def column(self, name: str) -> list[Any]:
        """The rows of a column.

        Raises:
            InputError: There is none of this name; the message lists those there are.
        """
        if name not in self.names:
            raise InputError(
                f"{self.where} has no column {name!r}{nearest(name, self.names)}; its columns are "
                f"{', '.join(map(repr, self.names))}"
            )
        return self.read(name)


def shown(path: str | Path) -> str:
    """What messages call a file."""
    return "standard input" if str(path) == STDIN else str(path)


def note(message: str) -> None:
    """Say something on standard error, in a line."""
    print(one_line(message), file=sys.stderr)


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

    A ``.json`` file holds JSONL or one array of objects.

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


def json_column(
    path: str | Path, rows: Sequence[Mapping[str, Any]], name: str, unit: str = "line"
) -> list[Any]:
    """One value of every row.

    Raises:
        InputError: A row that lacks it.
    """
    for i, row in enumerate(rows, 1):
        if name not in row:
            raise InputError(
                f"{shown(path)}, {unit} {i} has no {name!r}; it has {', '.join(map(repr, row))}"
            )
    return [row[name] for row in rows]


def parsed_lists(rows: Sequence[Any], where: str) -> Sequence[Any]:
    """A column of references; if all its texts are JSON lists of strings, parsed, with a note."""
    lists: list[list[str]] = []
    for row in rows:
        try:
            parsed = json.loads(row) if isinstance(row, str) else None
        except (ValueError, RecursionError):
            return rows
        if not isinstance(parsed, list) or not all(isinstance(text, str) for text in parsed):
            return rows
        lists.append(parsed)
    if lists:
        least, most = min(map(len, lists)), max(map(len, lists))
        count = f"{least}" if least == most else f"{least} to {most}"
        note(f"{where}: read as JSON lists of {count} text{'s' * (most != 1)}")
    return lists


def load_dataset(
    name: str, config: str | None = None, split: str | None = None, *, cached_first: bool = False
) -> Table:
    """A split of a dataset: a name on the Hub, or a folder.

    Args:
        name: The dataset. A folder is one that ``save_to_disk`` wrote, or that
            ``datasets.load_dataset`` can load.
        config: Its configuration.
        split: The split; ``None`` is ``"test"``, and all of a saved ``Dataset``, which has none.
        cached_first: Take what was loaded from the Hub before without asking for a newer version.
            Otherwise it is taken where the Hub can't be reached.

    Raises:
        InputError: It can't be loaded; the message is the first line of that of ``datasets``. Or a
            split or configuration of a saved dataset that has none.
    """
    wanted = split or "test"
    if is_saved_whole(name) and split is not None:
        raise InputError(f"{name} is a saved Dataset, which has no splits: leave out the split")
    if _is_saved(name):
        loaded = _load_saved(name, config)
        if not isinstance(loaded, dict):
            return _dataset_table(loaded, name)
        if wanted not in loaded:
            raise InputError(
                f"dataset {name}: no split {wanted!r}, only {', '.join(map(repr, loaded))}"
            )
        return _dataset_table(loaded[wanted], f"{name}, split {wanted}")
    loaded = _load(name, config, wanted, cached_first)
    return _dataset_table(loaded, f"{name}, split {wanted}")


def load_splits(name: str, config: str | None = None) -> Any:
    """All splits of a dataset: a ``DatasetDict``, or the ``Dataset`` that was saved as one.

    Args:
        name: As for `load_dataset`.
        config: Its configuration.

    Raises:
        InputError: As `load_dataset`.
    """
    return _load_saved(name, config) if _is_saved(name) else _load(name, config, None, False)


def is_saved_whole(folder: str | Path) -> bool:
    """Whether ``Dataset.save_to_disk`` wrote it, and not that of a ``DatasetDict``."""
    return (Path(folder) / "state.json").is_file()


def _is_saved(name: str) -> bool:
    return is_saved_whole(name) or (Path(name) / "dataset_dict.json").is_file()


def _load_saved(name: str, config: str | None) -> Any:
    import datasets

    if config is not None:
        raise InputError(f"{name} is a saved dataset, which has no configurations: leave it out")
    quiet_datasets()
    return _told(name, lambda: datasets.load_from_disk(name))


def _load(name: str, config: str | None, split: str | None, cached_first: bool) -> Any:
    import datasets

    def load() -> Any:
        return datasets.load_dataset(name, config, split=split)

    quiet_datasets()
    local = Path(name).is_dir()
    loaded = _offline(load) if cached_first and not local else None
    if loaded is not None:
        return loaded
    if not local and sys.stderr.isatty():
        note(f"Loading {name} from the Hugging Face Hub …")
    return _told(name, load)


def _told(name: str, load: Callable[[], Any]) -> Any:
    try:
        return load()
    except Exception as error:  # of any kind: network, files, names, formats
        reason = str(error).strip().split("\n")[0] or type(error).__name__
        raise InputError(f"dataset {name}: {reason}") from error


def _dataset_table(dataset: Any, where: str) -> Table:
    def read(column: str) -> list[Any]:
        try:
            return list(dataset.with_format(None)[column][:])
        except UnicodeDecodeError as error:
            got = f"the byte 0x{error.object[error.start]:02x}"
            raise InputError(f"column {column!r} of {where}: expected UTF-8, got {got}") from None

    return Table(where, list(dataset.column_names), read)


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

    Hidden files don't count. If there are others, a note on standard error says what was taken.

    Raises:
        InputError: There are none, or the folder can't be read.
    """
    try:
        found = [path for path in Path(folder).iterdir() if not path.is_dir()]
    except FileNotFoundError:
        raise InputError(f"{folder}: no such folder") from None
    except OSError as error:
        raise InputError(f"{folder} can't be read: {error.strerror or error}") from None
    seen = sorted((path for path in found if not path.name.startswith(".")), key=_natural)
    files = [path for path in seen if path.suffix == ".txt"]
    others = _few([path.name for path in seen if path.suffix != ".txt"])
    if not files:
        raise InputError(f"{folder}: a folder without .txt files{others and f', only {others}'}")
    if others:
        note(f"{folder}: only .txt files are read, {_few([f.name for f in files])}; not {others}")
    return files


def _few(names: Sequence[str]) -> str:
    """The first names of a list, and how many more there are."""
    shown = 10 if len(names) > 11 else len(names)
    return ", ".join(names[:shown]) + (f" and {len(names) - shown} more" if names[shown:] else "")


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


def _read_bytes(path: str | Path) -> bytes:
    if str(path) == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        if str(path) == STDIN:
            return sys.stdin.buffer.read()
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: expected a file") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{shown(path)} can't be read: {reason}") from None


def _decode(data: bytes, path: str | Path) -> str:
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise InputError(
            f"{shown(path)}, line {line}: expected UTF-8, got the byte 0x{data[error.start]:02x}"
        ) from None


def _json_table(path: str | Path) -> Table:
    if Path(path).suffix.lower() == ".json":
        text = _decode(_read_bytes(path), path)
        if text.startswith("[", _skip(text, 0)):
            return _json_array(text, path)
    lines, rows = read_json_lines(path)
    return Table(shown(path), list(rows[0]), lambda name: json_column(path, rows, name), lines)


def _json_array(text: str, path: str | Path) -> Table:
    """The elements of an array, each also as it stands there."""
    decode = json.JSONDecoder().raw_decode
    elements: list[str] = []
    rows: list[dict[str, Any]] = []
    at = _skip(text, text.index("[") + 1)
    after = text[at : at + 1]
    if after == "]":
        raise InputError(f"{path}: expected a JSON array of at least one object, got an empty one")
    while after != "]":
        try:
            row, end = decode(text, at)
        except (ValueError, RecursionError) as error:
            message = error.msg if isinstance(error, json.JSONDecodeError) else error
            at = error.pos if isinstance(error, json.JSONDecodeError) else at
            raise InputError(f"{path}, line {_line(text, at)}: bad JSON: {message}") from None
        if not isinstance(row, dict):
            raise InputError(
                f"{path}, line {_line(text, at)}: expected a JSON object, got {type(row).__name__}"
            )
        elements.append(text[at:end])
        rows.append(row)
        at = _skip(text, end)
        after = text[at : at + 1]
        if after not in (",", "]"):
            raise InputError(f"{path}, line {_line(text, at)}: bad JSON: expected ',' or ']'")
        at = _skip(text, at + 1)
    if at < len(text):
        raise InputError(f"{path}, line {_line(text, at)}: expected nothing after the JSON array")
    return Table(
        str(path),
        list(rows[0]),
        lambda name: json_column(path, rows, name, "element"),
        elements,
        ("[\n", ",\n", "\n]\n"),
    )


def _skip(text: str, at: int) -> int:
    """Where the next character is that isn't white space."""
    found = _JSON_SPACE.match(text, at)
    return found.end() if found else at


def _line(text: str, at: int) -> int:
    return text.count("\n", 0, at) + 1


def _delimited_table(path: str | Path, delimiter: str) -> Table:
    read = io.StringIO(_decode(_read_bytes(path), path), newline="")
    taken: list[str] = []  # the lines of a row, which may have several

    def kept() -> Iterator[str]:
        for line in read:
            taken.append(line)
            yield line

    def text() -> str:
        """What the reader has taken since the last call, without its line break."""
        row = "".join(taken)
        taken.clear()
        return row.removesuffix("\n").removesuffix("\r")

    reader = csv.reader(kept(), delimiter=delimiter, strict=True)
    rows: list[list[str]] = []
    lines: list[str] = []
    header: list[str] = []
    ending = "\n"
    with _long_fields():
        try:
            header = next(reader, header)
            if taken and taken[-1].endswith("\r\n"):
                ending = "\r\n"
            first = text()
            for row in reader:
                if len(row) != len(header):
                    raise InputError(
                        f"{path}, line {reader.line_num}: expected {len(header)} fields as in the "
                        f"first line, got {len(row)}"
                    )
                rows.append(row)
                lines.append(text())
        except csv.Error as error:
            raise InputError(f"{path}, line {reader.line_num}: bad CSV: {error}") from None
    if not rows:
        raise InputError(f"{path}: expected a line of column names and at least one more")
    _check_distinct(header, path)
    return Table(
        str(path),
        header,
        lambda name: [row[header.index(name)] for row in rows],
        lines,
        (first + ending, ending, ending),
    )


def _check_distinct(names: Sequence[str], path: str | Path) -> None:
    if len(set(names)) < len(names):
        raise InputError(f"{path}: a column name stands twice in {', '.join(map(repr, names))}")


def _parquet_table(path: str | Path) -> Table:
    table = read_parquet(path)
    return Table(str(path), list(table.column_names), lambda name: list(table[name].to_pylist()))


def read_parquet(path: str | Path) -> Any:
    """A parquet file as an Arrow table.

    Raises:
        InputError: No such file, a folder, no parquet, a column name that stands twice, or texts
            that aren't UTF-8.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    data = _read_bytes(path)
    try:
        table = pq.ParquetFile(pa.BufferReader(data)).read()
    except (pa.ArrowException, OSError) as error:
        raise InputError(f"{path}: not a parquet file: {str(error).splitlines()[0]}") from None
    _check_distinct(table.column_names, path)
    for name in table.column_names:
        check_utf8(table[name], f"column {name!r} of {path}")
    return table


def check_utf8(column: Any, where: str) -> None:
    """Parquet doesn't check that texts are UTF-8, and would write on what it read."""
    import pyarrow as pa

    try:
        column.validate(full=True)
    except pa.ArrowInvalid as error:
        for i, value in enumerate(column):
            try:
                value.as_py()
            except UnicodeDecodeError as bad:
                got = f"the byte 0x{bad.object[bad.start]:02x}"
                raise InputError(
                    f"row {i} of {where} (counted from 0): expected UTF-8, got {got}"
                ) from None
        raise InputError(f"{where} can't be read: {str(error).splitlines()[0]}") from None


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
