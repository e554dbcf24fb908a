"""textsimp: measure text simplification, in numbers that can be compared.

>>> import textsimp
>>> sari = textsimp.load("sari")
>>> result = sari.compute(
...     sources=["The feline reclined."], predictions=["The cat lay."], references=["The cat lay."]
... )
>>> result["signature"].startswith("sari|variant:easse")
True
"""

from textsimp.columns import InputError
from textsimp.comparison import compare
from textsimp.hub import load, register
from textsimp.version import __version__

__all__ = ["InputError", "__version__", "compare", "load", "register"]
