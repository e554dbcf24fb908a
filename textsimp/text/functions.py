"""Functions of texts: names and checks of users' tokenizers and aligners; remembered results."""

import contextlib
import operator
import re
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, TypeVar

from textsimp.support.errors import InputError, check_choice

Argument = TypeVar("Argument", bound=Hashable)
Result = TypeVar("Result")

Function = Callable[[str], list[str]]
"""From a text to the list of its tokens or sentences."""


@dataclass(frozen=True)
class Named:
    """A function with the name that signatures give it. Made by `name_function`."""

    function: Callable[..., Any]
    name: str

    def __call__(self, *texts: Any) -> Any:
        return self.function(*texts)


def name_function(function: Callable[..., Any], name: str) -> Named:
    """Name a function for signatures: a tokenizer, sentence splitter or aligner of your own.

    A function is one as it is, and signatures call it ``custom-`` and its ``__name__``. A lambda, a
    ``functools.partial`` or a library's function had better be named, with the library's version.

    Args:
        function: From a text to the list of its tokens or sentences, or what an aligner is.
        name: What signatures write after ``custom-``: without blanks and ``|``.

    Example:
        >>> import textsimp
        >>> halves = textsimp.name_function(lambda text: text.split("·"), name="middots-1.0")
        >>> textsimp.Sari(tokenizer=halves).signature().split("|")[2]
        'tok:custom-middots-1.0'
    """
    if not isinstance(name, str) or not _legal(name):
        raise InputError(f"name: expected one without blanks and |, got {name!r}")
    if not callable(function):
        raise InputError(f"function: expected one from a text to a list of strings: {function!r}")
    return Named(function, name)


def custom_name(function: Callable[..., Any]) -> str:
    """Return the name of a function in signatures: ``custom-`` and its name."""
    name = getattr(function, "name" if isinstance(function, Named) else "__name__", None)
    if not isinstance(name, str):
        name = type(function).__name__
    if not _legal(name):
        raise InputError(
            f"custom-{name}: expected a function whose name has neither blanks nor |: "
            "textsimp.name_function(function, name=...) gives it another"
        )
    return f"custom-{name}"


def _legal(name: str) -> bool:
    """Whether a name has neither blanks nor |, which separate parts of signatures."""
    return name.isprintable() and re.fullmatch(r"[^\s|]+", name) is not None


def check_strings(result: Any, what: str) -> list[str]:
    """Check that a user's function returned a list of strings."""
    if isinstance(result, list) and {*map(type, result)} <= {str}:
        return result  # at once, as for every text of a corpus
    if not isinstance(result, list) or not all(isinstance(text, str) for text in result):
        raise InputError(f"{what}: expected a list of strings, got {ascii(result)[:60]}")
    return result


def call_aligner(
    function: Callable[..., Any], source: Sequence[str], target: Sequence[str], of: str
) -> list[tuple[int, int]]:
    """Return the sorted pairs of indices that a user's aligner makes, of words or sentences."""
    pairs = function([*source], [*target]) if source and target else ()
    sizes = len(source), len(target)
    return sorted({*check_pairs(pairs, sizes, f"aligner {custom_name(function)}", of)})


def check_pairs(result: Any, sizes: tuple[int, int], what: str, of: str) -> list[tuple[int, int]]:
    """Check that a user's aligner returned pairs of indices below the sizes of the two sides."""
    try:
        pairs = [(operator.index(i), operator.index(j)) for i, j in result]
    except (TypeError, ValueError):
        raise InputError(f"{what}: expected pairs of indices, got {ascii(result)[:60]}") from None
    for i, j in pairs:
        if not (0 <= i < sizes[0] and 0 <= j < sizes[1]):
            raise InputError(
                f"{what}: expected indices of {sizes[0]} and {sizes[1]} {of}, got {(i, j)}"
            )
    return pairs


def check_function(name: str, value: Any, choices: Sequence[Any]) -> None:
    """Check an option that takes one of few names, or a function that a signature can name."""
    if callable(value):
        custom_name(value)
    else:
        check_choice(
            name, value, choices, " (in Python also a function from a text to a list of strings)"
        )


# Remembered results -------------------------------------------------------------------------------

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
