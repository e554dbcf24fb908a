"""The script ``textsimp``, and ``python -m textsimp``."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys


def main() -> None:
    """Run the command line: no traceback for what the user or the system does to it.

    Everything else is imported in here, since Ctrl-C may come meanwhile.
    """
    try:
        _prepare_streams()
        from textsimp import cli

        cli.main(prog_name="textsimp")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)  # what shells call the end by Ctrl-C
    except OSError:  # not even the error can be written
        sys.exit(2)
    finally:
        _finish_output()


def _prepare_streams() -> None:
    if sys.stderr is None:  # closed, as by 2>&-
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115
    if sys.stdout is None:
        print("Error: standard output is closed", file=sys.stderr)
        sys.exit(2)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def _finish_output() -> None:
    """Forget what couldn't be written, and was told: Python would tell it again, at length."""
    for stream in (sys.stdout, sys.stderr):
        try:
            if stream is not None:
                stream.flush()
        except OSError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


if __name__ == "__main__":
    main()
