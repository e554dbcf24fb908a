"""Progress and notes on a terminal."""

import sys
from typing import Any

from textsimp.support.errors import one_line

__all__ = ["note", "progress"]


def progress(**options: Any) -> Any:
    """Return a progress bar, shown on a terminal only if the work takes more than a second."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    return tqdm(disable=None, leave=False, delay=1, **options)


def note(message: str) -> None:
    """Print a line on standard error, also while a progress bar is shown."""
    if "tqdm" in sys.modules:
        sys.modules["tqdm"].tqdm.write(one_line(message), file=sys.stderr)
    else:
        print(one_line(message), file=sys.stderr)
    sys.stderr.flush()
