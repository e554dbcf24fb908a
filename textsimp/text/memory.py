"""Results of work on texts, remembered where the same texts come again and again."""

import contextlib
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

Argument = TypeVar("Argument", bound=Hashable)
Result = TypeVar("Result")

RESULTS: ContextVar[dict[Hashable, Any] | None] = ContextVar("results", default=None)
"""What a block of `cache_scope` remembers; None outside."""


@contextlib.contextmanager
def cache_scope() -> Iterator[None]:
    """In this block each way to tokenise or split texts sees the same texts once."""
    before = RESULTS.set({})
    try:
        yield
    finally:
        RESULTS.reset(before)


def cached(key: Hashable, make: Callable[[], Result]) -> Result:
    """Return the result of ``make``; in a block of `cache_scope`, the first one under that key."""
    results = RESULTS.get()
    if results is None:
        return make()
    if key not in results:
        results[key] = make()
    result: Result = results[key]
    return result


def remembered(key: Any, function: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """Return the function; in a block of `cache_scope`, one that remembers its results.

    Functions with equal keys share results, which must not be changed.
    """
    if RESULTS.get() is None:
        return function
    try:
        results: dict[Argument, Result] = cached(key, dict)
    except TypeError:  # a key that can't be hashed, such as a user's object in a tuple
        return function

    def look_up(argument: Argument) -> Result:
        if argument not in results:
            results[argument] = function(argument)
        return results[argument]

    return look_up
