"""Names of raters and systems, as people write them in tables."""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

__all__ = ["note_alike", "same_name", "trim"]

_UNSEEN = ("Cf", "Zs")  # kinds of characters: formats, spaces
_WHOLE = re.compile(r"\A(\d+)\.0\Z")  # tables with gaps have 1 as 1.0
_LOOKS = str.maketrans("авекмнорстухѕіјαβεικνορτυχ‐–—−", "abekmhopctyxsijabeiknoptyx----")
"""Small letters whose large or small form looks like a Latin one, Cyrillic and Greek; dashes."""


def trim(name: Any) -> str:
    """Return a name with single spaces, and none around it, no-break ones too.

    Example:
        >>> trim("Ann\\u00a0"), trim(2.0)
        ('Ann', '2')
    """
    return _WHOLE.sub(r"\1", " ".join(str(name).split()))


def same_name(name: str) -> str:
    """Return a name in a form that doesn't differ by case, as files don't on some systems."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).casefold())


def note_alike(what: str, names: Iterable[str]) -> Iterator[str]:
    r"""Yield a note on names that differ only in case, or in characters that look alike.

    Example:
        >>> [*note_alike("raters", ["Ann", "ann", "Ben"])]
        ["raters 'Ann', 'ann' differ in case or look only"]
    """
    groups: dict[str, list[str]] = {}
    for name in dict.fromkeys(names):
        seen = [char for char in same_name(name) if unicodedata.category(char) not in _UNSEEN]
        groups.setdefault("".join(seen).translate(_LOOKS), []).append(name)
    for alike in groups.values():
        if len(alike) > 1:
            yield f"{what} {', '.join(map(ascii, alike))} differ in case or look only"
