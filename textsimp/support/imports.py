"""Imports at the time of use: optional libraries, public names of a package, places."""

import importlib
import importlib.util
from typing import Any

__all__ = ["lazy_name", "require"]


def require(module: str, extra: str) -> Any:
    """Import an optional module, which an extra of this package installs."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"This needs {module.split('.')[0]}, which is not installed: "
            f"pip install 'textsimp[{extra}]'"
        ) from error


def lazy_name(package: str, name: str) -> Any:
    """Return a public name of a package, which is that of its module ``api``, or a module.

    With ``__getattr__ = partial(lazy_name, __name__)`` importing the package, as its command does,
    imports nothing heavy.
    """
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module {package!r} has no attribute {name!r}")
    if importlib.util.find_spec(f"{package}.{name}"):
        return importlib.import_module(f"{package}.{name}")
    return getattr(importlib.import_module(f"{package}.api"), name)


def import_place(place: str, package: str) -> Any:
    """Import ``MODULE:ATTRIBUTE``; the error names the package, whatever is wrong with it."""
    module, _, attribute = place.partition(":")
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:
        reason = f"{type(error).__name__}: {error}"
        raise ImportError(
            f"{place} of the package {package} can't be imported: {reason}"
        ) from error
