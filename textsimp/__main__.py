"""The script ``textsimp``, and ``python -m textsimp``."""

import contextlib
import io
import os
import signal
import sys


def main() -> None:
    """Run the command line; Ctrl-C, a full disk and a closed output end it without a traceback."""
    # In small products NumPy's threads mostly wait for each other. PyTorch has its own.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if sys.stderr is None:  # closed
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        sys.stderr.write("Error: standard output is closed\n")
        sys.exit(2)
    try:
        if isinstance(sys.stdout, io.TextIOWrapper):
            # On Windows the encoding of files and pipes lacks most scripts.
            encoding = None if sys.stdout.isatty() else "utf-8"
            if isinstance(sys.stdout.buffer, io.RawIOBase):  # which drops what a disk can't take
                whole = io.BufferedWriter(sys.stdout.buffer)
                sys.stdout = io.TextIOWrapper(whole, sys.stdout.encoding, line_buffering=True)
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
