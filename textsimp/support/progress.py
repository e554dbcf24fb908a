"""Progress on a terminal."""

from typing import Any

__all__ = ["progress"]


def progress(**options: Any) -> Any:
    """Return a progress bar, shown on a terminal only if the work takes more than a second."""
    from tqdm import tqdm  # type: ignore[import-untyped]

    return tqdm(disable=None, leave=False, delay=1, **options)
