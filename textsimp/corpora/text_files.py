"""Text files as columns of texts.

Only a line feed ends a line: other line breaks of Unicode occur inside texts. The last line may
lack it. If every line ends with carriage return and line feed, as on Windows, both are removed;
a file with both kinds of endings is an error. A byte order mark is removed.
"""

import codecs
import contextlib
import glob
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import IO, Any

from textsimp.core import columns
from textsimp.support.errors import InputError
from textsimp.support.parsing import parse_json
from textsimp.support.progress import note

__all__ = ["Rows", "check_lengths", "decode", "raw_lines", "read_bytes", "read_texts", "shown"]

STDIN = "-"
JSONL = (".jsonl", ".ndjson", ".json")
DELIMITED = {".csv": ",", ".tsv": "\t"}
PARQUET = (".parquet",)
EXCEL = (".xlsx",)
LOG = ".eval"  # of inspect-ai
TABLES = (*JSONL, *DELIMITED, *PARQUET, *EXCEL)
FILES = (".txt", *TABLES)
_BLOCK = 2**22  # bytes that are read at once
_NOT_TEXTS = {
    (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE): "UTF-32: convert it (iconv -f UTF-32 -t UTF-8)",
    (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE): "UTF-16: convert it (iconv -f UTF-16 -t UTF-8)",
    (b"\x1f\x8b",): "gzip: unpack it (gunzip)",
}
"""The first bytes of other files → what they are, and what to do; longer ones first."""
_NOT_TEXT = re.compile(
    r"(README|LICEN[CS]E|COPYING)(\..*)?|.*\.(md|pdf|py|sh|log|html|zip|gz|xml|mrp|ya?ml|jsonl?|"
    r"ndjson|csv|tsv|parquet|xlsx)",
    re.IGNORECASE,
)  # files that a folder of texts may have beside them


@dataclass(frozen=True)
class Rows:
    rows: list[Any]
    where: str  # the name of the file or column in messages
    unit: str = "lines"  # the name of its rows: lines, rows or sources
    first: int = 0  # the number of its first row, of a batch

    def cut(self, start: int, stop: int) -> "Rows":
        """Return consecutive rows."""
        return replace(self, rows=self.rows[start:stop], first=self.first + start)


def shown(path: str | Path) -> str:
    """Return the name of a file in messages."""
    return "standard input" if str(path) == STDIN else str(path)


@contextlib.contextmanager
def opened(path: str | Path) -> Iterator[IO[bytes]]:
    """Open a file, or what ``fsspec`` opens, for reading; ``"-"`` is standard input."""
    if str(path) == STDIN and sys.stdin is None:
        raise InputError("standard input is closed")
    try:
        if str(path) == STDIN:
            yield sys.stdin.buffer
        elif "://" in str(path):
            with _open_url(str(path)) as file:
                yield file
        else:
            with open(path, "rb") as file:
                yield file
    except FileNotFoundError:
        raise InputError(f"{path}: no such file") from None
    except IsADirectoryError:
        raise InputError(f"{path} is a folder: expected a file") from None
    except InputError:
        raise
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise InputError(f"{shown(path)} can't be read: {reason}") from None


def is_url(path: str | Path) -> bool:
    """Return whether a path is a URL that ``fsspec`` opens, such as ``s3://bucket/a.parquet``."""
    return "://" in str(path)


def _open_url(url: str) -> Any:
    try:
        import fsspec  # type: ignore[import-untyped, unused-ignore]

        return fsspec.open(url, "rb").open()
    except FileNotFoundError:
        raise
    except Exception as error:  # of any kind: a missing library, the network, permissions
        raise InputError(f"{url} can't be read: {error}") from None


def read_bytes(path: str | Path) -> bytes:
    """Read a file; ``"-"`` is standard input."""
    with opened(path) as file:
        return file.read()


def check_encoding(path: str | Path) -> None:
    """Check that a file is neither packed nor in another encoding that its first bytes tell."""
    with opened(path) as file:
        _check_begin(file.read(4), path)


def ends_within_line(path: str | Path) -> bool:
    """Return whether a file with texts ends without a line feed."""
    with opened(path) as file:
        if file.seek(0, os.SEEK_END) == 0:
            return False
        file.seek(-1, os.SEEK_END)
        return file.read() != b"\n"


def _check_begin(data: bytes, path: str | Path) -> None:
    """Check the first bytes of a text file."""
    for begin, what in _NOT_TEXTS.items():
        if data.startswith(begin):
            raise InputError(f"{shown(path)}, line 1: expected UTF-8, got {what}")


def decode(data: bytes, path: str | Path, line: int = 1) -> str:
    """Decode UTF-8 that begins in a line of a file."""
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if line == 1:
            _check_begin(data, path)
        line, byte = line + data.count(b"\n", 0, error.start), data[error.start]
        message = f"{shown(path)}, line {line}: expected UTF-8, got the byte 0x{byte:02x}"
        raise InputError(message) from None


def raw_lines(path: str | Path, *, may_be_empty: bool = False) -> Iterator[str]:
    """Iterate over the lines of a text file with their endings, without a byte order mark."""
    is_empty = True
    with opened(path) as file:
        for number, line in enumerate(file, 1):
            data = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
            if data:
                is_empty = False
                yield decode(data, path, number)
    if is_empty and not may_be_empty:
        raise InputError(f"{shown(path)} is empty")


def read_lines(path: str | Path) -> list[str]:
    """Read the lines of a text file, without their endings; ``"-"`` is standard input."""
    return [*stream_lines(path)]


def stream_lines(path: str | Path, *, may_be_empty: bool = False) -> Iterator[str]:
    """Iterate over the lines of a text file, without their endings."""
    number, windows = 0, None
    with opened(path) as file:
        while block := file.read(_BLOCK) + file.readline():
            text = decode(block, path, number + 1)
            lines = (text if number else text.removeprefix("\ufeff")).split("\n")
            ended = lines[:-1]
            lines = lines if lines[-1] else ended
            if windows is None and ended:
                windows = ended[0].endswith("\r")
            if windows or "\r" in text:
                for i, line in enumerate(ended, number + 1):
                    if line.endswith("\r") is not windows:
                        with_return, without = (1, i) if windows else (i, 1)
                        raise InputError(
                            f"{shown(path)}, line {with_return} ends with a carriage return and a "
                            f"line feed, line {without} with a line feed only: expected one kind "
                            "of line ending"
                        )
            yield from [line.removesuffix("\r") for line in lines] if windows else lines
            number += len(lines)
    if not number and not may_be_empty:
        raise InputError(f"{shown(path)} is empty")


def read_texts(path: str | Path) -> Rows:
    """Read a text file as a column."""
    lines = read_lines(path)
    check_no_objects(lines, path)
    return Rows(columns.texts(lines, shown(path), first=1), shown(path))


def check_no_objects(lines: Sequence[str], path: str | Path) -> None:
    """Check that the lines of a text file aren't all JSON objects, as those of a log are."""
    if lines and all(map(_is_object, lines)):
        raise InputError(
            f"{shown(path)}: expected a text in each line, got a JSON object in each, as in logs "
            f"and tables: put them into a file whose name ends with {JSONL[0]}"
        )


def _is_object(line: str) -> bool:
    try:
        return line.startswith("{") and isinstance(parse_json(line), dict)
    except ValueError:
        return False


def text_files(folder: str | Path, otherwise: Sequence[str] = ()) -> list[Path]:
    """Return the ``.txt`` files of a folder, in the order of the numbers in their names.

    Without any, its text files with a number as their ending, such as ``asset.test.simp.0``, are
    returned, or those with one other ending; without text files those with endings ``otherwise``.
    """
    try:
        paths = [path for path in Path(folder).iterdir() if not path.is_dir()]
    except FileNotFoundError:
        raise InputError(f"{folder}: no such folder") from None
    paths = [path for path in paths if not path.name.startswith(".")]
    paths.sort(key=lambda path: natural_key(path.name))
    texts = [path for path in paths if not _NOT_TEXT.fullmatch(path.name)]
    files = [path for path in texts if path.suffix == ".txt"]
    files = files or [path for path in texts if path.suffix[1:].isdigit()] or texts
    if len({path.suffix for path in files if not path.suffix[1:].isdigit()}) > 1:
        raise InputError(
            f"{folder}: expected .txt files, or files with one other ending, got "
            f"{_head([path.name for path in files])}; name those meant, as in {folder}/*.out"
        )
    files = files or [path for path in paths if path.suffix in otherwise]
    others = _head([path.name for path in paths if path not in files])
    if not files:
        kind = " or ".join([".txt", *otherwise])
        raise InputError(f"{folder}: a folder without {kind} files{others and f', only {others}'}")
    if others or (files[0] in texts and files[0].suffix != ".txt"):
        names = _head([path.name for path in files])
        note(f"{folder}: {names} are read{others and f'; not {others}'}")
    return files


def _head(names: Sequence[str]) -> str:
    more = len(names) - 10
    return ", ".join(names[:10]) + (f" and {more} more" if more > 0 else "")


def check_lengths(columns: Sequence[Rows]) -> None:
    """Check that all columns have as many rows as the first; messages name their files."""
    first, *others = columns
    wrong = [column for column in others if len(column.rows) != len(first.rows)]
    if wrong:
        counts = ", ".join(f"{column.where} has {_count(column)}" for column in wrong)
        lost = all(x.unit == "lines" and len(x.rows) < len(first.rows) for x in wrong)
        code = "lost lines" if lost else ""
        raise InputError(f"{first.where} has {_count(first)}, but {counts}", code)


def _count(column: Rows) -> str:
    n = len(column.rows)
    return f"{n:,} {column.unit if n != 1 else column.unit.removesuffix('s')}"


def text_name(path: str | Path) -> str:
    """Return the name of a system in a file: without its ending, unless that is a number."""
    path = Path(path)
    return path.name if path.suffix[1:].isdigit() else path.stem


def natural_key(path: str | Path) -> list[str | int]:
    """Return the key by which names with numbers are sorted: 2.txt before 10.txt."""
    parts = re.split(r"([0-9]+)", str(path))
    return [int(part) if i % 2 else part for i, part in enumerate(parts)]


def without_empty(references: Rows, say: Callable[[str], None] = note) -> Rows:
    """Leave out empty references beside others, and say so; of empty ones alone, one is kept."""
    if all(map(str.strip, chain.from_iterable(references.rows))):
        return references
    rows = [[text for text in row if text.strip()] or row[:1] for row in references.rows]
    shorter = [i for i, row in enumerate(references.rows) if len(rows[i]) < len(row)]
    if shorter:
        say(
            f"{references.where}: empty references beside others are left out, in {len(shorter):,} "
            f"of {len(rows):,} {references.unit}, first in row {references.first + shorter[0]} "
            "(counted from 0)"
        )
    return replace(references, rows=rows)


def without_null(rows: Sequence[Any]) -> list[Any]:
    """Return rows in whose lists null is an empty text, as in lists that were padded."""
    return [
        ["" if text is None else text for text in row] if isinstance(row, list) else row
        for row in rows
    ]


# Names of files ----------------------------------------------------------------------------------


def is_table(path: str | Path) -> bool:
    """Return whether a file is a table or log, by its name."""
    return Path(path).suffix.lower() in (*TABLES, LOG)


def is_pattern(data: str | Path) -> bool:
    """Return whether a name is a pattern, such as ``out.*``, and not that of a file."""
    name = str(data)
    return glob.has_magic(name) and not os.path.exists(name)


def shards(data: str | Path) -> list[str]:
    """Return the files of a pattern or folder, or a file alone, in the order of their numbers.

    Patterns and folders may be URLs that ``fsspec`` opens, such as ``s3://bucket/shards/*.parquet``
    or ``hf://datasets/name``. In patterns ``**`` stands for any folders. Files that begin with a
    dot or an underscore are left out.
    """
    name = str(data)
    if is_url(name):
        paths = _remote(name)
    elif os.path.isdir(name):
        paths = [str(path) for path in Path(name).iterdir() if path.is_file()]
    else:
        found = [name] if os.path.exists(name) else glob.glob(name, recursive=True)
        paths = [path for path in dict.fromkeys(found) if path == name or os.path.isfile(path)]
    kept = [path for path in paths if path == name or os.path.basename(path)[0] not in "._"]
    if not kept:
        raise InputError(f"{name}: no file has such a name")
    endings = {Path(path).suffix.lower() for path in kept}
    if len(endings) > 1 and endings & {*FILES}:  # such as a text file beside its pieces
        raise InputError(
            f"{name}: expected shards of one kind, got {', '.join(sorted(endings))}; name those "
            "meant, as in 'shards/*.parquet'"
        )
    return sorted(kept, key=natural_key)


def _remote(url: str) -> list[str]:
    """Return the files of a URL: a file, a folder or a pattern."""
    try:
        import fsspec  # type: ignore[import-untyped, unused-ignore]

        system, path = fsspec.url_to_fs(url)
        if not glob.has_magic(path) and system.isdir(path):
            path = f"{path.rstrip('/')}/*"
        found = system.glob(path, detail=True)
        files = [name for name, about in found.items() if about["type"] != "directory"]
        return [system.unstrip_protocol(name) for name in files]
    except Exception as error:  # of any kind: a missing library, the network, permissions
        raise InputError(f"{url} can't be read: {error}") from None


def only_file(data: str | Path) -> str:
    """Return the file of a name for shards if it is one alone, which can be read whole."""
    files = shards(data)
    if len(files) > 1:
        raise InputError(
            f"{data} is {len(files):,} files, and all texts are needed at once: put their rows "
            "into one file"
        )
    return files[0]


def default_name(data: str) -> str:
    """Return the name of a system in shards: that of their folder; or of a file alone.

    >>> default_name("ours/x*"), default_name("out.*"), default_name("out.txt")
    ('ours', 'out', 'out')
    """
    if not is_pattern(data) and not os.path.isdir(data):
        return text_name(data)
    beginning = re.split(r"[*?[]", Path(data).name)[0]
    if is_pattern(data) and beginning.endswith("."):  # as in 'ours.txt.*'
        return text_name(beginning.rstrip("."))
    folder = Path(data).parent if glob.has_magic(data) else Path(data)
    while glob.has_magic(folder.name):
        folder = folder.parent
    return folder.name or text_name(beginning) or "predictions"
