"""What was made of texts, remembered where the same texts come again and again."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

Given = TypeVar("Given", bound=Hashable)
Made = TypeVar("Made")

_MADE: ContextVar[dict[Hashable, Any] | None] = ContextVar("made", default=None)


@contextlib.contextmanager
def remembering() -> Iterator[None]:
    """In this block each way to tokenise or split texts sees the same texts once."""
    before = _MADE.set({})
    try:
        yield
    finally:
        _MADE.reset(before)


def recalled(key: Hashable, make: Callable[[], Made]) -> Made:
    """What is made new; in a block of `remembering`, what was made first under that key."""
    made = _MADE.get()
    if made is None:
        return make()
    if key not in made:
        made[key] = make()
    value: Made = made[key]
    return value


def remembered(key: Any, function: Callable[[Given], Made]) -> Callable[[Given], Made]:
    """The function; in a block of `remembering`, one that knows what it returned before.

    Functions with equal keys share results, which must not be changed.
    """
    if _MADE.get() is None or not _is_hashable(key):
        return function
    results: dict[Given, Made] = recalled(key, dict)

    def look_up(argument: Given) -> Made:
        if argument not in results:
            results[argument] = function(argument)
        return results[argument]

    return look_up


def _is_hashable(key: Any) -> bool:
    try:
        hash(key)
    except TypeError:  # a user's object in a tuple, say
        return False
    return True
