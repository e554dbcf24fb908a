"""Public names of a package that are imported when they are first used."""

import importlib
import importlib.util
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
        if importlib.util.find_spec(f"{package}.{name}"):  # a module of the package
            return importlib.import_module(f"{package}.{name}")
        return getattr(importlib.import_module(f"{package}.api"), name)

    return get
