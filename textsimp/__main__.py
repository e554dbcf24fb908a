"""The script ``textsimp``, and ``python -m textsimp``."""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys


def main() -> None:
    """Run the command line; Ctrl-C and a full disk end it without a traceback."""
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # On Windows the encoding of files and pipes lacks most scripts.
            encoding = None if sys.stdout.isatty() else "utf-8"
            sys.stdout.reconfigure(encoding=encoding, errors="replace")
        from textsimp import cli  # here, since Ctrl-C may come while modules are imported

        cli.main(prog_name="textsimp")
    except KeyboardInterrupt:
        sys.exit(128 + signal.SIGINT)  # the exit code that shells use
    finally:
        # Python would report at exit what can't be written, although a message has said it.
        try:
            sys.stdout.flush()
        except OSError:
            with contextlib.suppress(OSError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    main()
