"""Files written whole or not at all."""

import contextlib
import os
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from textsimp.support.errors import InputError

__all__ = ["check_new", "write_files"]

Contents = bytes | Callable[[BinaryIO], object]
"""The contents of a file, or a function that writes them."""


def write_files(files: Mapping[Path, Contents], *, overwrite: bool = False) -> None:
    """Write files, each whole or not at all, from their contents or functions that write them.

    Contents are first written to files beside, whose names begin with ``.textsimp-``. These then
    replace the old files. An error or Ctrl-C while contents are written changes no file.
    """
    check_new(files, overwrite=overwrite)
    parts: dict[Path, BinaryIO] = {}
    with contextlib.ExitStack() as temporary:
        for path, contents in files.items():
            with as_input_error(path):
                path.parent.mkdir(parents=True, exist_ok=True)
                parts[path] = part = temporary.enter_context(_temporary(path))
                if callable(contents):
                    contents(part)
                else:
                    part.write(contents)
                part.flush()
        for path, part in parts.items():
            with as_input_error(path):
                part.close()  # Windows renames no open file
                os.replace(part.name, path)


class AlreadyThere(InputError):
    """A file exists that may not be overwritten."""


def check_new(paths: Iterable[Path], *, overwrite: bool) -> None:
    """Check that files can be written: none exists, is special or given twice."""
    first: dict[Path, Path] = {}
    for path in paths:
        with as_input_error(path), contextlib.suppress(FileNotFoundError):
            if not stat.S_ISREG(os.lstat(path).st_mode):
                raise InputError(f"{path} is a folder, link, device or pipe: expected a file")
            if not overwrite:
                raise AlreadyThere(f"{path} is there already: overwrite=True overwrites it")
        target = Path(os.path.realpath(path))
        if target in first:
            raise InputError(f"{first[target]} and {path} are the same file: expected two")
        first[target] = path
        folder = next(parent for parent in path.absolute().parents if parent.exists())
        if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"{path} can't be written: no permission to write to {folder}")


@contextlib.contextmanager
def as_input_error(path: Path) -> Iterator[None]:
    """Turn errors in writing a file into `InputError`."""
    try:
        yield
    except OSError as error:
        raise InputError(f"{path} can't be written: {error.strerror or error}") from error


@contextlib.contextmanager
def _temporary(path: Path) -> Iterator[BinaryIO]:
    """Open a hidden file beside a file; it is removed after this block if it is still there."""
    part = path.with_name(f".textsimp-{os.urandom(8).hex()}")
    with open(part, "xb") as file:
        try:
            yield file
        finally:
            with contextlib.suppress(OSError):  # which writing has raised before
                file.close()
            part.unlink(missing_ok=True)
