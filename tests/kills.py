"""Processes that are killed at a chosen step of what they do with files."""

import os
import signal
import sys

_STEPS = {"open", "os.rename", "os.remove", "os.mkdir", "os.rmdir"}
FINISHED, RAISED = 0, 1


def killed(folder, step, function):
    """Call a function in a process that SIGKILL ends before step number ``step``, from 0.

    Steps are whatever opens or changes files in the folder.

    Returns:
        ``FINISHED`` or ``RAISED`` if the function came to its end before, else −9.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = RAISED
    try:
        left = step

        def count(event, arguments):
            nonlocal left
            here = any(str(folder) in str(argument) for argument in arguments)
            inside = event in ("os.remove", "os.rmdir") and arguments[-1] >= 0  # of an open folder
            if event in _STEPS and (here or inside):
                left -= 1
                if left == -1:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(count)  # can't be taken away again, so only in the child
        function()
        code = FINISHED
    finally:
        os._exit(code)
