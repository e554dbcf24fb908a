"""The error of bad input, and how messages quote values."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any


class InputError(ValueError):
    """Input that can't be scored. The message names the column, the row and what was expected.

    It is one line, whatever it quotes.
    """

    def __init__(self, message: str) -> None:
        super().__init__(one_line(message))


def one_line(text: str) -> str:
    """The text with line breaks, terminal codes and the like as escapes, as ``repr`` has them."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def nearest(value: Any, known: Iterable[Any]) -> str:
    """What a message adds where a name may be mistyped: " (did you mean 'sources'?)", or nothing.

    >>> nearest("source", ["sources", "predictions"])
    " (did you mean 'sources'?)"
    >>> nearest("refs", ["orders", "references"])
    " (did you mean 'references'?)"
    """
    names = {name.lower(): name for name in known if isinstance(name, str)}
    asked = value.lower().replace("-", "_") if isinstance(value, str) else ""
    stem = asked.rstrip("s")
    longer = [name for name in names if len(stem) > 2 and name.startswith(stem)]
    found = sorted(longer, key=len) or difflib.get_close_matches(asked, names, n=1)
    return f" (did you mean {names[found[0]]!r}?)" if found else ""


def shown(value: Any) -> str:
    """A value as messages quote it: its type, and what there is of it, cut short."""
    if value is None:
        return "None"
    text = ascii(value[:60] if isinstance(value, str) else value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def listed(values: Any) -> str:
    """Values as messages list them."""
    return ", ".join(repr(value) for value in values)
