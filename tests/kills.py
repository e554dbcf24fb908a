"""Processes that are killed, or fail, at a chosen step of what they do with files."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

_STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir", "os.chmod", "os.chown"}
_FSYNC = os.fsync
FINISHED, RAISED = 0, 1


def killed(folder: Path, step: int, function: Callable[[], object]) -> int:
    """Call a function in a process that SIGKILL ends before step number ``step``, from 0.

    Steps are whatever changes files in the folder, or opens or syncs them.

    Returns:
        ``FINISHED`` or ``RAISED`` if the function came to its end before, else −9.
    """
    return _forked(folder, step, function, lambda: os.kill(os.getpid(), signal.SIGKILL))


def interrupted(folder: Path, step: int, function: Callable[[], object], error: Any) -> int:
    """Call a function in a process in which step number ``step`` raises an error instead."""

    def fail() -> None:
        raise error

    return _forked(folder, step, function, fail)


def _forked(
    folder: Path, step: int, function: Callable[[], object], happens: Callable[[], object]
) -> int:
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = RAISED
    try:
        left = step

        def count(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            here = any(str(folder) in str(argument) for argument in arguments)
            inside = event in ("os.remove", "os.rmdir") and arguments[-1] >= 0  # of an open folder
            if (event in _STEPS and (here or inside)) or event == "fsync":
                left -= 1
                if left == -1:
                    happens()

        def fsync(handle: int) -> None:
            sys.audit("fsync", handle)
            _FSYNC(handle)

        os.fsync = fsync  # the only step that Python doesn't tell by itself
        sys.addaudithook(count)  # can't be taken away again, so only in the child
        function()
        code = FINISHED
    finally:
        os._exit(code)
