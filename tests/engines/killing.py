"""Runs an example with an engine whose first worker is killed: killing.py EXAMPLE MARKER FILE...

Prints the example's scores as JSON in the last line.
"""

from __future__ import annotations

import json
import os
import runpy
import signal
import sys
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class KillOnce:
    """A function that kills the first process that calls it."""

    function: Any
    marker: str  # a file that says that one was killed

    def __call__(self, *arguments: Any) -> Any:
        try:
            os.close(os.open(self.marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return self.function(*arguments)
        os.kill(os.getpid(), signal.SIGKILL)


def main(example: str, marker: str, *files: str) -> None:
    import textsimp
    from tests.engines.killing import KillOnce  # which workers can import, unlike __main__

    make = textsimp.map_statistics
    textsimp.map_statistics = lambda *args, **kwargs: KillOnce(make(*args, **kwargs), marker)
    sys.argv = [example, *files]
    scores = runpy.run_path(example, run_name="__main__")["scores"]
    print(json.dumps(scores.to_dict()))


if __name__ == "__main__":
    main(*sys.argv[1:])
