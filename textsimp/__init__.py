"""textsimp: measure text simplification, in numbers that can be compared."""

from textsimp.columns import InputError
from textsimp.version import __version__

__all__ = ["InputError", "__version__"]
