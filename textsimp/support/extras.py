"""Imports of optional libraries."""

import importlib
from typing import Any

__all__ = ["require"]


def require(module: str, extra: str) -> Any:
    """Import an optional module, which an extra of this package installs."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"This needs {module.split('.')[0]}, which is not installed: "
            f"pip install 'textsimp[{extra}]'"
        ) from error
