"""Results of work on texts, remembered where the same texts come again and again."""

import contextlib
from collections.abc import Callable, Hashable, Iterable, Iterator
from contextvars import ContextVar
from typing import Any, TypeVar

Argument = TypeVar("Argument", bound=Hashable)
Result = TypeVar("Result")

_RESULTS: ContextVar[dict[Hashable, Any] | None] = ContextVar("results", default=None)


@contextlib.contextmanager
def cache_scope() -> Iterator[None]:
    """In this block each way to tokenise or split texts sees the same texts once."""
    before = _RESULTS.set({})
    try:
        yield
    finally:
        _RESULTS.reset(before)


def cached(key: Hashable, make: Callable[[], Result]) -> Result:
    """The result of ``make``; in a block of `cache_scope`, the first one under that key."""
    results = _RESULTS.get()
    if results is None:
        return make()
    if key not in results:
        results[key] = make()
    result: Result = results[key]
    return result


def cache_last(key: tuple[object, ...], items: Callable[[], Iterator[Result]]) -> Iterable[Result]:
    """The items; in a block of `cache_scope`, the last ones if their key had the same objects.

    Others are forgotten, as they may be large.
    """
    results = _RESULTS.get()
    if results is None:
        return items()
    before, items_before = results.get("last", ((), []))
    if [*map(id, before)] != [*map(id, key)]:
        items_before = [*items()]
        results["last"] = key, items_before
    return items_before  # type: ignore[no-any-return]


def remembered(key: Any, function: Callable[[Argument], Result]) -> Callable[[Argument], Result]:
    """The function; in a block of `cache_scope`, one that knows what it returned before.

    Functions with equal keys share results, which must not be changed.
    """
    if _RESULTS.get() is None:
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
