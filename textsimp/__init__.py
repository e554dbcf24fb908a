"""textsimp: measure text simplification, in numbers that can be compared.

>>> import textsimp
>>> sari = textsimp.load("sari")
>>> result = sari.compute(
...     sources=["The feline reclined."], predictions=["The cat lay."], references=["The cat lay."]
... )
>>> result["signature"].startswith("sari|variant:easse")
True
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from textsimp.columns import InputError
from textsimp.comparison import compare
from textsimp.hub import load, register
from textsimp.version import __version__

_LAZY = ("documents", "gaming", "report", "splits", "trainer")

if TYPE_CHECKING:
    from textsimp import documents as documents
    from textsimp import gaming as gaming
    from textsimp import report as report
    from textsimp import splits as splits
    from textsimp import trainer as trainer
else:  # imported when they are first asked for

    def __getattr__(name: str) -> Any:
        if name in _LAZY:
            return importlib.import_module(f"textsimp.{name}")
        raise AttributeError(f"module 'textsimp' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})


__all__ = ["InputError", "__version__", "compare", "load", "register"]
