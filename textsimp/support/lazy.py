"""Public names of a package that are imported when they are first used."""

import importlib
from collections.abc import Callable
from typing import Any

__all__ = ["lazy_names"]


def lazy_names(package: str) -> Callable[[str], Any]:
    """Return a ``__getattr__`` of a package, whose public names are those of its module ``api``.

    So importing the package, as its command does, imports nothing heavy.
    """

    def get(name: str) -> Any:
        if name.startswith("__") and name != "__all__":
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"{package}.api"), name)

    return get
