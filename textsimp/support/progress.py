"""Progress on a terminal."""

import sys
from typing import Any


def progress(**options: Any) -> Any:
    """Return a progress bar, shown on a terminal only if the work takes more than a second.

    It is that of `datasets` where this library is in use, whose users can disable it.
    """
    from tqdm import tqdm  # type: ignore[import-untyped]

    module: Any = sys.modules.get("datasets")
    return (module.utils.tqdm if module else tqdm)(disable=None, leave=False, delay=1, **options)
