"""What to use instead of names that EASSE has and textsimp lacks."""

import importlib
from collections.abc import Callable
from typing import Any


def replace_missing(module: str, substitute: str) -> Callable[[str], Any]:
    """Return a module's ``__getattr__``, whose error says what to use instead of a name."""

    def get_missing(name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        place = f"{module}.{name}"
        try:
            return importlib.import_module(place)  # a submodule that nothing has imported yet
        except ModuleNotFoundError as error:
            if error.name != place:
                raise
        # `from module import name` would hide the message of an AttributeError.
        raise ImportError(f"textsimp has no {place.partition('.')[2]}: use {substitute}")

    return get_missing
