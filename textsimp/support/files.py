"""Files written whole or not at all, and several of them as one set."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import BinaryIO

from textsimp.support.errors import InputError

_STAGING = ".textsimp-"  # begins the name of a folder for what isn't finished
_STREAMS = (stat.S_ISCHR, stat.S_ISFIFO)
_STANDARD = {Path("/dev/stdout"): 1, Path("/dev/stderr"): 2}

Contents = bytes | Callable[[BinaryIO], object]
"""Of a file: themselves, or a function that writes them."""


def write_files(files: Mapping[Path, Contents], *, overwrite: bool = False) -> None:
    """Write files, all of them whole or none at all.

    Contents are written to a folder ``.textsimp-…`` beside the files, forced to the disk, and
    renamed. Of a set of several files all old ones are set aside before the first new one gets its
    name. So old and new never stand beside each other, whatever stops the process. After an error
    or Ctrl-C the old files are back. After SIGKILL or a power cut some files of the set may be
    missing: they lie in that folder, until the next call for the same place removes it. Processes
    that write to the same folder wait for each other.

    A symlink is followed. What is replaced leaves its mode, and its owner where possible, to the
    new file. Devices, FIFOs, ``/dev/stdout`` and ``/dev/stderr`` are written to.

    Args:
        files: Path → contents, or a function that writes them.
        overwrite: Whether a file may be there already.

    Raises:
        InputError: A file is there already, or can't be written.
        BrokenPipeError: Nobody reads a FIFO any more.
    """
    check_new(files, overwrite=overwrite)
    streams = [path for path in files if _is_stream(path)]
    targets = {path: Path(os.path.realpath(path)) for path in files if path not in streams}
    with contextlib.ExitStack() as stack:
        staging = {}
        for path, target in sorted(targets.items(), key=lambda item: item[1].parent):
            if target.parent not in staging:
                with told(path):
                    staging[target.parent] = stack.enter_context(_staging(target.parent))
        check_new(files, overwrite=overwrite)  # another process may have been first
        parts = {}
        for path, target in targets.items():
            part = staging[target.parent] / "new" / target.name
            with told(path):
                _stage(part, target, files[path])
            parts[part] = target
        for path in streams:
            # what a standard stream was redirected to keeps its place, for what follows
            end = os.dup(_STANDARD[path]) if path in _STANDARD else path
            with told(path), open(end, "wb") as stream:
                _fill(stream, files[path])
        _rename(parts)


@contextlib.contextmanager
def unnamed(path: Path) -> Iterator[BinaryIO]:
    """A file without a name where another is to be written, for contents that take long.

    Others that write to the same folder wait for `write_files`, but not for this.
    """
    target = Path(os.path.realpath(path))
    folder = next(parent for parent in target.parents if parent.exists())
    with contextlib.ExitStack() as stack:
        with told(path):
            where = None if _is_stream(path) else folder
            file = stack.enter_context(tempfile.TemporaryFile(dir=where))
        yield file


def write_folder(path: Path, write: Callable[[Path], object]) -> None:
    """Write a new folder, whole or not at all.

    It is filled in a folder ``.textsimp-…`` beside it, forced to the disk, and renamed.

    Args:
        path: The folder.
        write: Called with an empty folder, writes the contents.

    Raises:
        InputError: Something is there already, or can't be written.
    """
    check_no_folder(path)
    with told(path), _staging(path.parent) as staging:
        check_no_folder(path)  # another process may have been first
        part = staging / "new" / path.name
        part.mkdir()
        write(part)
        _sync(part.rglob("*"))
        os.rename(part, path)
        _sync([path.parent])


def check_no_folder(path: Path) -> None:
    """Check that a new folder may be written.

    Raises:
        InputError: Something is there already, or there is no permission.
    """
    if _mode(path) is not None or path.is_symlink():
        raise AlreadyThere(f"{path} is there already: expected a new folder")
    parent = next(parent for parent in path.absolute().parents if parent.exists())
    if not os.access(parent, os.W_OK | os.X_OK) or not parent.is_dir():
        raise InputError(f"{path} can't be written: no permission to write to {parent}")


class AlreadyThere(InputError):
    """A file is there that may not be overwritten."""


def check_new(paths: Iterable[Path], *, overwrite: bool) -> None:
    """Check that files may be written.

    Raises:
        InputError: One is there and may not be overwritten, is a folder or something else that
            can't be written, or is given twice.
    """
    seen: dict[Path, Path] = {}
    for path in paths:
        if _is_stream(path):
            continue
        mode = _mode(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise InputError(f"{path} is a folder: expected a file to write")
        if mode is not None and not stat.S_ISREG(mode):
            raise InputError(f"{path} is a block device or socket: expected a file to write")
        if mode is not None and not overwrite:
            raise AlreadyThere(f"{path} is there already: overwrite=True overwrites it")
        target = Path(os.path.realpath(path))
        if target in seen:
            raise InputError(f"{seen[target]} and {path} are the same file: expected two")
        seen[target] = path
        folder = next(parent for parent in target.parents if parent.exists())
        if not os.access(folder, os.W_OK | os.X_OK):
            raise InputError(f"{path} can't be written: no permission to write to {folder}")


def _mode(path: Path) -> int | None:
    """The kind of what is there, a symlink followed; None if nothing is."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _failed(path, error) from error


def _is_stream(path: Path) -> bool:
    mode = _mode(path)
    return path in _STANDARD or (mode is not None and any(holds(mode) for holds in _STREAMS))


def _failed(path: Path, error: Exception) -> InputError:
    return InputError(f"{path} can't be written: {getattr(error, 'strerror', None) or error}")


@contextlib.contextmanager
def told(path: Path) -> Iterator[None]:
    """Errors in writing a file as `InputError`."""
    try:
        yield
    except BrokenPipeError:
        raise  # whoever read it has enough
    except OSError as error:
        raise _failed(path, error) from error


@contextlib.contextmanager
def _staging(folder: Path) -> Iterator[Path]:
    """A folder with two empty ones, `new` and `old`; what dead processes left behind is removed."""
    folder.mkdir(parents=True, exist_ok=True)
    with _locked(folder) as alone:
        if alone:
            for left in folder.glob(f"{_STAGING}*"):
                shutil.rmtree(left, ignore_errors=True)
        staging = Path(tempfile.mkdtemp(prefix=_STAGING, dir=folder))
        try:
            (staging / "new").mkdir()
            (staging / "old").mkdir()
            yield staging
        finally:
            shutil.rmtree(staging, ignore_errors=True)


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[bool]:
    """Whether no other process is in this block: not known on systems without such locks."""
    with contextlib.ExitStack() as stack:
        try:
            import fcntl

            handle = os.open(folder, os.O_RDONLY)
            stack.callback(os.close, handle)  # which unlocks, as the end of the process does
            fcntl.flock(handle, fcntl.LOCK_EX)
        except (ImportError, OSError):
            alone = False
        else:
            alone = True
        yield alone


def _stage(part: Path, target: Path, contents: Contents) -> None:
    with open(part, "xb") as file:
        if target.exists():
            before = target.stat()
            for owner, group in ((before.st_uid, -1), (-1, before.st_gid)):
                with contextlib.suppress(OSError):
                    os.chown(part, owner, group)
            os.chmod(part, stat.S_IMODE(before.st_mode))
        _fill(file, contents)
        file.flush()
        os.fsync(file.fileno())


def _fill(file: BinaryIO, contents: Contents) -> None:
    if callable(contents):
        contents(file)
    else:
        file.write(contents)


def _rename(parts: Mapping[Path, Path]) -> None:
    """Give staged files their names: part → target. A single one is replaced in one step."""
    folders = {target.parent for target in parts.values()}
    asides = {target: part.parents[1] / "old" / target.name for part, target in parts.items()}
    if len(parts) == 1:
        asides = {}
    target = Path()
    try:
        for target, aside in asides.items():
            with contextlib.suppress(FileNotFoundError):
                os.rename(target, aside)
        _sync(folders)
        for part, target in parts.items():
            os.replace(part, target)
    except BaseException as error:
        placed = [t for part, t in parts.items() if asides and not part.exists()]
        for new in placed:
            new.unlink()
        for before, aside in asides.items():
            with contextlib.suppress(FileNotFoundError):
                os.rename(aside, before)
        if isinstance(error, OSError):
            raise _failed(target, error) from error
        raise
    _sync(folders)


def _sync(paths: Iterable[Path]) -> None:
    """Force the names in folders, or the contents of files, to the disk, where the system can."""
    for path in paths:
        with contextlib.suppress(OSError):
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
