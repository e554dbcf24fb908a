"""Columns of users, checked and converted to plain lists."""

import json
import math
import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from numbers import Integral, Real
from typing import Any

from textsimp.core.declarations import Column
from textsimp.support.errors import InputError, RowError, listed, shown
from textsimp.support.parsing import parse_number

__all__ = [
    "LARGEST",
    "as_number",
    "bad_row",
    "check_lengths",
    "is_missing",
    "is_sequence",
    "numbers",
    "plain_list",
    "plain_rows",
    "references",
    "texts",
]

_LIST = re.compile(
    r"\s*\[\s*(['\"]).*['\"]\s*\]\s*", re.DOTALL
)  # as Python, NumPy and JSON write it
_DECIMAL_COMMA = re.compile(r"\s*[+-]?\d+,\d+\s*")
_MISSING = ("nan", "na", "n/a")
_AT_ONCE = 2**14  # texts
LARGEST = 1e100  # of numbers, so that their squares can be summed


def texts(column: Any, name: str, first: int = 0) -> list[str]:
    """Return any sequence of strings as a list. Empty strings are legal.

    Messages count rows from ``first``.
    """
    rows = plain_rows(column, name, "a list of strings")
    for start in range(0, len(rows), _AT_ONCE):
        if not _are_texts(rows[start : start + _AT_ONCE]):
            i = next(i for i in range(start, len(rows)) if not _are_texts((rows[i],)))
            raise bad_row(i, name, "a string of valid Unicode", rows[i], first)
    _check_not_lists(rows, name, first)
    return [*map(str, rows)]  # subclasses, such as numpy.str_, become plain strings


def parallel_texts(**columns: Any) -> list[list[str]]:
    """Return columns of as many texts each; messages call them by the arguments' names."""
    checked = {name: texts(column, name) for name, column in columns.items()}
    check_lengths(**checked)
    return list(checked.values())


def references(
    column: Any, name: str = "references", *, may_be_empty: bool = False
) -> list[list[str]]:
    """Return one or more references per row, from rows that are all strings or all sequences."""
    rows = plain_rows(column, name, "a list with one string or list of strings per row")
    if isinstance(rows[0], str):
        return [[text] for text in texts(rows, name)]
    checked: list[list[str]] = []
    for i, row in enumerate(rows):
        if type(row) is not list:
            if not is_sequence(row):
                expected = "a list of strings as in row 0" if i else "a string or a list of strings"
                raise bad_row(i, name, expected, row)
            row = plain_list(row)
        if not row and not may_be_empty:
            raise bad_row(i, name, "at least one reference", row)
        if not _are_texts(row):
            raise bad_row(i, name, "strings of valid Unicode", row)
        checked.append([*map(str, row)])
    _check_not_lists([row[0] if row else "" for row in checked], name)
    return checked


def labels(column: Any, name: str, legal: Sequence[int | str]) -> list[list[int | str]]:
    """Return the labels of each row: of the legal ones, or of any texts and whole numbers."""
    by_text = {label: label for label in legal} | {str(label): label for label in legal}
    rows = plain_rows(column, name, "a list with one label or list of labels per row")
    checked: list[list[int | str]] = []
    for i, row in enumerate(rows):
        checked.append([])
        for value in plain_list(row) if is_sequence(row) else [row]:
            if is_missing(value, or_nan=bool(legal)):
                continue
            label = _label(value, by_text)
            if label is None:
                choices = f"one of {listed(legal)}" if legal else "a text, a whole number"
                raise bad_row(i, name, f"{choices} or None", value)
            checked[-1].append(label)
    return checked


def ratings(column: Any, name: str) -> list[list[float]]:
    """Return the numbers of each row, one of each rater. Missing ones are left out."""
    rows = plain_rows(column, name, "a list with one rating or list of ratings per row")
    lists = [plain_list(row) if is_sequence(row) else [row] for row in rows]
    checked = [[as_number(x) for x in own if not is_missing(x, or_nan=True)] for own in lists]
    expected = f"a rating, a list of ratings or None, of at most {LARGEST} in size"
    for i, numbers in enumerate(checked):
        if not all(abs(number) <= LARGEST for number in numbers):
            raise bad_row(i, name, expected, rows[i])
    return checked


def _label(value: Any, by_text: Mapping[int | str, int | str]) -> int | str | None:
    """Return the legal label for a value, or None. Without legal labels, return a text."""
    if _is_bool(value) or not isinstance(value, Hashable):
        return None
    if by_text:
        # Tables have 1.0 for 1 where other rows are missing.
        return by_text.get(value, by_text.get(as_number(value)))  # type: ignore[call-overload,no-any-return]
    if isinstance(value, Integral) or (isinstance(value, Real) and float(value).is_integer()):
        return str(int(value))
    return str(value) if isinstance(value, str) else None


def numbers(column: Any, name: str) -> list[float]:
    """Check a column of numbers of at most 1e100 in size, which may be written as text."""
    rows = plain_rows(column, name, "a list of numbers")
    checked = [*map(as_number, rows)]
    for i, number in enumerate(checked):
        if not abs(number) <= LARGEST:
            raise bad_row(i, name, f"a finite number of at most {LARGEST} in size", rows[i])
    return checked


def bad_row(i: int, name: str, expected: str, got: Any, first: int = 0) -> RowError:
    """Return the error of a row of a column, or of a table; the message counts from ``first``."""
    problem = f"expected {expected}, got {shown(got)}"
    if isinstance(got, str) and _DECIMAL_COMMA.fullmatch(got):
        problem += f": it has a decimal comma, write {got.strip().replace(',', '.')}"
    return RowError(i, name, problem, first)


def as_number(value: Any) -> float:
    """Return a number, or a text with a number, as a float; NaN for anything else."""
    try:
        return math.nan if _is_bool(value) else parse_number(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def structured(column: Any, name: str) -> list[Any]:
    """Return the rows as JSON gives them back: tuples become lists, and keys strings."""
    rows = plain_rows(column, name, "a list")
    checked = []
    for i, row in enumerate(rows):
        try:
            checked.append(json.loads(json.dumps(row, allow_nan=False)))
        except (TypeError, ValueError, RecursionError) as error:
            raise RowError(i, name, f"expected what JSON can hold, got {error}") from None
    return checked


def check_column(column: Column, rows: Any, name: str = "") -> list[Any]:
    """Check the rows of a declared column by its kind; ``name`` is its name in messages."""
    name = name or column.name
    if column.kind == "texts":
        return references(rows, name, may_be_empty=column.items)
    if column.kind == "labels":
        return labels(rows, name, column.labels)
    checks: Mapping[str, Callable[[Any, str], list[Any]]]
    checks = {"text": texts, "ratings": ratings, "number": numbers, "structured": structured}
    checked = checks[column.kind](rows, name)
    if column.read is None:
        return checked
    values = []
    for i, row in enumerate(checked):
        try:
            values.append(column.read(row))
        except InputError as error:
            raise RowError(i, name, str(error)) from None
    return values


def check_lengths(**columns: Sequence[Any] | None) -> None:
    """Check that all columns have the same number of rows."""
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        others = {length for name, length in lengths.items() if name != "references"}
        if len(others) == 1:
            check_not_transposed(columns.get("references") or (), others.pop())
        counts = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InputError(f"expected the same number of rows in every column: {counts}")


def check_not_transposed(references: Sequence[Sequence[str]], n: int) -> None:
    """Refuse references of n examples in lists of n: a list per reference, not per row."""
    if len(references) != n and {len(row) for row in references} == {n}:
        raise InputError(
            f"references: expected {n:,} rows, each with all references of one source, got "
            f"{len(references):,} rows of {n:,}: they look transposed, a list per "
            "reference as sacrebleu and EASSE take them; list(zip(*references)) turns them"
        )


def plain_rows(column: Any, name: str, expected: str) -> list[Any]:
    """Return the rows of any sequence as a list; messages say what was ``expected``."""
    if type(column) is not list:
        if not is_sequence(column):
            got = as_stream(column) or shown(column)
            raise InputError(f"{name}: expected {expected}, got {got}")
        column = plain_list(column)
    if not column:
        raise InputError(f"{name}: expected at least one row, got none")
    rows: list[Any] = column
    return rows


def is_missing(value: Any, *, or_nan: bool = False) -> bool:
    """Return whether a value is None, an empty text, NaN, or NA of pandas.

    With ``or_nan`` the texts NaN and NA are missing, too, as pandas and R write them.
    """
    if isinstance(value, Real):
        return bool(value != value)  # NaN, NumPy's too
    if isinstance(value, str):
        return not value or (or_nan and value.strip().lower() in _MISSING)
    return value is None or type(value).__name__ == "NAType"  # pandas'


def _is_bool(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # NumPy's has either name


def is_sequence(value: Any) -> bool:
    """Return whether a value is a sequence, but no text, mapping, set or table."""
    if isinstance(value, (str, bytes, bytearray, dict, set, frozenset)):
        return False
    # A NumPy scalar or 0-d array; a table, whose items are the names of its columns.
    if getattr(value, "shape", None) == () or hasattr(value, "columns"):
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def as_stream(value: Any) -> str:
    """Return what messages say of a stream of `datasets`, or "" of anything else."""
    name = type(value).__name__
    if name not in ("IterableDataset", "IterableColumn"):
        return ""
    return (
        f"{name}, a stream: pass each batch of stream.batch(1000) to add_batch of "
        "textsimp.load(…), then call compute; or pass list(stream['column'])"
    )


def plain_list(column: Any) -> list[Any]:
    """Return a sequence as a list; items of arrays become plain values."""
    if type(column).__module__.startswith("datasets."):
        column = column[:]  # which is much faster than row by row
    for convert in ("to_pylist", "tolist"):  # Arrow; NumPy and pandas
        if hasattr(column, convert):
            return list(getattr(column, convert)())
    return list(column)


def _are_texts(values: Sequence[Any]) -> bool:
    """Whether all are strings without lone surrogates, which neither Arrow nor files can hold."""
    try:
        "".join(values).encode()
    except (TypeError, UnicodeEncodeError):
        return False
    return True


def _check_not_lists(texts: Sequence[str], name: str, first: int = 0) -> None:
    """Refuse lists that were written as text: most texts that aren't empty look like one."""
    lists = [i for i, text in enumerate(texts) if "[" in text and _LIST.fullmatch(text)]
    if lists and 2 * len(lists) > sum(text.strip() not in ("", "[]") for text in texts):
        advice = (
            "several references of a row are a list of strings, as in JSONL; in CSV each has a "
            "column of its own, or a cell holds a JSON list, which the command line reads"
        )
        got = f"a list written as text, {shown(texts[lists[0]])}"
        raise RowError(lists[0], name, f"expected a text, got {got}: {advice}", first)
