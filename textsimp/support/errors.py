"""The error of bad input, and how messages quote values."""

from __future__ import annotations

import contextlib
import difflib
import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from numbers import Integral, Real
from typing import Any, TypeVar

__all__ = [
    "InputError",
    "RowError",
    "advise",
    "check_choice",
    "check_fields",
    "check_integer",
    "check_number",
    "check_sampling",
    "check_switch",
    "listed",
    "nearest",
    "one_line",
    "read_text",
    "shown",
    "take_either",
]

Function = TypeVar("Function", bound=Callable[..., Any])

MOST_RESAMPLES = 1_000_000
"""Their totals take about 300 MB."""


class InputError(ValueError):
    """Wrong input. The message is one line that says what is wrong, where, and what is expected.

    The ``code`` says what is wrong for `advise`, which adds what to type instead.
    """

    def __init__(self, message: str, code: str = "") -> None:
        super().__init__(one_line(message))
        self.code = code


class RowError(InputError):
    """Wrong input in a row. The message counts rows from ``first``.

    Attributes:
        row: The number of the row, counted from 0.
    """

    def __init__(self, row: int, where: str, problem: str, first: int = 0) -> None:
        super().__init__(f"row {row + first} of {where} (counted from {first}): {problem}")
        self.row, self.where, self.problem, self.first = row, where, problem, first

    def renumber(self, row: int) -> RowError:
        """Return the error with the number that the row has elsewhere."""
        return RowError(row, self.where, self.problem, self.first)


@contextlib.contextmanager
def rows_after(number: int) -> Iterator[None]:
    """Count the row of an error after a ``number`` of rows that are elsewhere."""
    try:
        yield
    except RowError as error:
        raise error.renumber(number + error.row) from None


@contextlib.contextmanager
def advise(advice: Mapping[str, str]) -> Iterator[None]:
    """Append the advice for an error's code to its message."""
    try:
        yield
    except InputError as error:
        if error.code not in advice:
            raise
        raise InputError(f"{error}{advice[error.code]}") from None


def one_line(text: str) -> str:
    """Return the text with line breaks and terminal codes as escapes."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def nearest(value: Any, legal: Iterable[Any]) -> str:
    """Return " (did you mean 'sources'?)" for a mistyped name, or "".

    >>> nearest("source", ["sources", "predictions"])
    " (did you mean 'sources'?)"
    >>> nearest("refs", ["orders", "references"])
    " (did you mean 'references'?)"
    """
    names = {name.lower(): name for name in legal if isinstance(name, str)}
    asked = value.lower().replace("-", "_") if isinstance(value, str) else ""
    stem = asked.rstrip("s")
    longer = [name for name in names if len(stem) > 2 and name.startswith(stem)]
    matches = sorted(longer, key=len) or difflib.get_close_matches(asked, names, n=1)
    return f" (did you mean {names[matches[0]]!r}?)" if matches else ""


def shown(value: Any) -> str:
    """Return a value as messages quote it: its type and a short representation."""
    if value is None:
        return "None"
    text = ascii(value[:60] if isinstance(value, str) else value)
    return f"{type(value).__name__} {text if len(text) <= 60 else text[:57] + '...'}"


def listed(values: Any) -> str:
    return ", ".join(repr(value) for value in values)


def check_fields(fields: Any, legal: Iterable[str], where: str, required: Iterable[str]) -> None:
    """Check that a mapping of a user has ``legal`` fields, and the ``required`` ones."""
    if not isinstance(fields, Mapping):
        raise InputError(f"{where}: expected a mapping of fields, got {shown(fields)}")
    for name in fields:
        check_choice(f"{where}: field", name, [*legal])
    for name in required:
        if name not in fields:
            raise InputError(f"{where}: expected the field {name!r}; it has {listed(fields)}")


def read_text(text: Any, where: str, least: int = 1) -> str:
    """Return a text of a user without spaces around it."""
    if not isinstance(text, str) or len(text.strip()) < least:
        raise InputError(f"{where}: expected a text, got {shown(text)}")
    return text.strip()


class NoColumn(InputError):
    """A column that a table lacks; the message lists the columns that there are."""

    def __init__(
        self, where: str, name: Any, names: Sequence[str], advice: str = "", code: str = ""
    ) -> None:
        there = f"its columns are {listed(names)}"
        message = f"{where} has no column {name!r}{nearest(name, names)}; {there}{advice}"
        super().__init__(message, code or f"no column {name}")


def check_integer(name: str, value: Any, least: int, most: float | None = None) -> int:
    """Return a whole number of Python's or NumPy's as a plain ``int``.

    >>> check_integer("seed", 7, 0)
    7
    """
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and least <= value and (most is None or value <= most):
        return int(value)
    limits = f"of at least {least:,}" if most is None else f"from {least:,} to {most:,}"
    raise InputError(f"{name}: expected an integer {limits}, got {value!r}")


def check_number(
    name: str, value: Any, least: float, most: float | None = None, *, inside: bool = False
) -> float:
    """Return a number of Python's or NumPy's as a ``float``; ``inside`` excludes the limits."""
    upper = float("inf") if most is None else most
    real = isinstance(value, Real) and not isinstance(value, bool)
    if real and abs(value) <= sys.float_info.max:
        number = float(value)
        legal = least < number < upper if inside else least <= number <= upper
        if legal:
            return number
    limits = f"above {least:g}" if inside else f"of at least {least:g}".replace(" -inf", "")
    if most is not None:
        limits = f"between {least:g} and {most:g}" if inside else f"from {least:g} to {most:g}"
    raise InputError(f"{name}: expected a number {limits}, got {value!r}")


def check_sampling(
    confidence: float | None, resamples: int, seed: int, *, optional: bool = True
) -> dict[str, Any]:
    """Return the options of all intervals and tests, checked, as plain numbers.

    None may be an ``optional`` confidence.
    """
    if confidence is not None or not optional:
        confidence = check_number("confidence", confidence, 0, 1, inside=True)
    resamples = check_integer("resamples", resamples, 1, MOST_RESAMPLES)
    seed = check_integer("seed", seed, 0)
    return {"confidence": confidence, "resamples": resamples, "seed": seed}


def take_either(name: str, other: str) -> Callable[[Function], Function]:
    """Return a decorator: the function takes the argument ``name`` also as ``other``."""

    def decorate(function: Function) -> Function:
        @functools.wraps(function)
        def call(*args: Any, **arguments: Any) -> Any:
            if other in arguments:
                if name in arguments:
                    raise InputError(f"{other}: expected none beside {name}, which means the same")
                arguments[name] = arguments.pop(other)
            return function(*args, **arguments)

        return call  # type: ignore[return-value]

    return decorate


def check_switch(name: str, value: Any) -> None:
    """Check an option that is on or off."""
    if type(value).__name__ not in ("bool", "bool_"):  # NumPy's has either name
        raise InputError(f"{name}: expected True or False, got {value!r}")


def check_choice(name: str, value: Any, choices: Sequence[Any], hint: str = "") -> None:
    """Check that a value is one of the choices; the message ends with ``hint``."""
    # True and 1 differ, since signatures would.
    if not any(type(value) is type(choice) and value == choice for choice in choices):
        expected = f"expected one of {listed(choices)}, got {value!r}{nearest(value, choices)}"
        raise InputError(f"{name}: {expected}{hint}")
