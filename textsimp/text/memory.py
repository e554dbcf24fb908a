"""What was made of texts, remembered where the same texts come again and again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

T = TypeVar("T")

_KNOWN: ContextVar[dict[Hashable, dict[str, Any]] | None] = ContextVar("known", default=None)


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """In this block each way to tokenise or split texts sees a text once."""
    before = _KNOWN.set({})
    try:
        yield
    finally:
        _KNOWN.reset(before)


def remembered(key: Hashable, function: Callable[[str], T]) -> Callable[[str], T]:
    """The function; in a block of `remembering`, one that knows what it made of a text.

    Args:
        key: What all who mean the same function call it.
        function: From a text to what isn't changed afterwards.
    """
    tables = _KNOWN.get()
    if tables is None:
        return function
    known = tables.setdefault(key, {})

    def look_up(text: str) -> T:
        if text not in known:
            known[text] = function(text)
        found: T = known[text]
        return found

    return look_up
