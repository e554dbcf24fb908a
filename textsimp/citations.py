"""BibTeX of the papers that metrics name, and of textsimp itself."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from importlib import resources

from textsimp.version import __version__

TEXTSIMP = f"""@software{{textsimp,
  title   = {{textsimp: Measure text simplification}},
  author  = {{{{The textsimp authors}}}},
  version = {{{__version__}}}
}}"""


def bibtex(keys: Iterable[str]) -> list[str]:
    """The entries of some papers, each once, in the order of the keys.

    >>> bibtex(["post-2018-call"])[0].splitlines()[0]
    '@inproceedings{post-2018-call,'
    """
    entries = _entries()
    return [entries[key] for key in dict.fromkeys(keys)]


@functools.cache
def _entries() -> dict[str, str]:
    """Key → entry."""
    text = resources.files("textsimp").joinpath("citations.bib").read_text(encoding="utf-8")
    return {entry.split("{", 1)[1].split(",", 1)[0]: entry for entry in text.strip().split("\n\n")}
