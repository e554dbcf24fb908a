"""Columns as users hand them in: checked and made plain lists, once, at the border."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import chain
from numbers import Integral, Real
from typing import Any

from textsimp.core.declarations import Column
from textsimp.support.errors import InputError, shown

_SLICE = 10_000
_BRACKETS = {"[": "]", "(": ")"}
_NOTHING = ("", "[]", "()")
_MISSING = ("None", "nan", "null")
_OPENING = re.compile(r"(b|np\.str_\()?['\"]")  # of an item: of bytes, and of NumPy's strings too


def texts(column: Any, name: str) -> list[str]:
    """Check a column of strings.

    Args:
        column: Any sequence of strings: list, tuple, ``datasets`` Column, NumPy array, pandas
            Series or Arrow array. Empty strings are legal.
        name: What the user calls it, for messages.

    Returns:
        The same strings, as a list.
    """
    rows = plain_rows(column, name, "a list of strings")
    if set(map(type, rows)) != {str}:
        rows = [_text(row, f"row {i} of {name} (counted from 0)") for i, row in enumerate(rows)]
    _check_unicode(rows, name)
    _check_not_lists(rows, name)
    return rows


def references(column: Any, name: str = "references") -> list[list[str]]:
    """Check a column of references: one string, or one or more strings, per row.

    Args:
        column: Any sequence whose rows are all strings, or all sequences of strings.
        name: What the user calls it, for messages.

    Returns:
        One list of strings per row, each with at least one.
    """
    rows = plain_rows(column, name, "a list with one string or list of strings per row")
    if set(map(type, rows)) <= {list, tuple} and all(rows):
        flat = list(chain.from_iterable(rows))  # as a rule; all checked at once
        if set(map(type, flat)) == {str} and _is_unicode(flat):
            _check_no_row_lists(rows, name)
            return [list(row) for row in rows]
    single = isinstance(rows[0], str)
    for i, row in enumerate(rows):
        if not (isinstance(row, str) if single else is_sequence(row)):
            usual = f"{'a string' if single else 'a list of strings'} as in row 0"
            expected = usual if i else "a string or a list of strings"
            raise InputError(
                f"row {i} of {name} (counted from 0): expected {expected}, got {shown(row)}"
            )
    if single:
        return [[text] for text in texts(rows, name)]
    checked: list[list[str]] = []
    for i, row in enumerate(rows):
        where = f"row {i} of {name} (counted from 0)"
        row = plain_list(row)
        if not row:
            raise InputError(f"{where}: expected at least one reference, got an empty list")
        if set(map(type, row)) != {str}:
            row = [_text(text, f"reference {j} in {where}") for j, text in enumerate(row)]
        checked.append(row)
    _check_unicode(list(chain.from_iterable(checked)), name, [len(row) for row in checked])
    _check_no_row_lists(checked, name)
    return checked


def labels(column: Any, name: str, legal: Sequence[int | str]) -> list[list[int | str]]:
    """Check a column of labels: one, or one of each annotator, per row.

    Args:
        column: Any sequence whose rows are labels or sequences of labels. None, and NaN as tables
            have it, is no label. Tables of text have labels as text.
        name: What the user calls it, for messages.
        legal: The labels there are; of none, any text or whole number, which is made a text.

    Returns:
        One list of labels per row, which may be empty.
    """
    known = {label: label for label in legal} | {str(label): label for label in legal}
    rows = plain_rows(column, name, "a list with one label or list of labels per row")
    lists = [row if type(row) is list else [row] for row in rows]
    if set(map(type, chain.from_iterable(lists))) <= {int, float, str, type(None)}:
        with contextlib.suppress(KeyError):  # as a rule; all checked at once
            return [[known[x] for x in row if x is not None and x == x] for row in lists]  # NaN
    checked = []
    for i, row in enumerate(rows):
        given = plain_list(row) if is_sequence(row) else [row]
        found = [_label(label, known) for label in given if not is_missing(label)]
        if None in found:
            wrong = next(x for x in given if not is_missing(x) and _label(x, known) is None)
            expected = (
                f"one of {', '.join(map(repr, legal))}" if legal else "a text, a whole number"
            )
            raise InputError(
                f"row {i} of {name} (counted from 0): expected {expected} or None, "
                f"got {shown(wrong)}"
            )
        checked.append([label for label in found if label is not None])
    return checked


def _label(label: Any, known: Mapping[int | str, int | str]) -> int | str | None:
    """A label as it is known; None if it isn't. Where none is known, a text, or a whole number."""
    if _is_bool(label) or not isinstance(label, Hashable):
        return None
    if known:
        found: int | str | None = known.get(label)  # type: ignore[call-overload]
        return found
    if isinstance(label, Integral) or (isinstance(label, Real) and float(label).is_integer()):
        return str(int(label))  # 1.0 is how tables have 1 where a row lacks it
    return str(label) if isinstance(label, str) else None


def numbers(column: Any, name: str) -> list[float]:
    """Check a column of finite numbers, which tables of text have as text.

    Args:
        column: Any sequence of them.
        name: What the user calls it, for messages.
    """
    rows = plain_rows(column, name, "a list of numbers")
    checked = []
    for i, row in enumerate(rows):
        number = as_number(row)
        if not math.isfinite(number):
            raise InputError(
                f"row {i} of {name} (counted from 0): expected a finite number, got {shown(row)}"
            )
        checked.append(number)
    return checked


def as_number(value: Any) -> float:
    """A number, or a text with one, as a float; NaN for anything else, True and False included."""
    try:
        return math.nan if _is_bool(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def structured(column: Any, name: str) -> list[Any]:
    """Check a column whose rows are anything that JSON can hold.

    Args:
        column: Any sequence of them.
        name: What the user calls it, for messages.

    Returns:
        The rows as JSON gives them back: tuples are lists, and keys strings.
    """
    rows = plain_rows(column, name, "a list")
    checked = []
    for i, row in enumerate(rows):
        try:
            checked.append(json.loads(json.dumps(row, allow_nan=False)))
        except (TypeError, ValueError, RecursionError) as error:
            raise InputError(
                f"row {i} of {name} (counted from 0): expected what JSON can hold, got {error}"
            ) from None
    return checked


def check_column(column: Column, rows: Any, name: str = "") -> list[Any]:
    """The rows of a declared column, by its kind.

    Args:
        column: What is expected.
        rows: What was given.
        name: What the user calls it, unless that is the column's name.
    """
    name = name or column.name
    if column.kind == "text":
        return texts(rows, name)
    if column.kind == "texts":
        return references(rows, name)
    if column.kind == "labels":
        return labels(rows, name, column.labels)
    if column.kind == "number":
        return numbers(rows, name)
    if column.read is None:
        return structured(rows, name)
    rows = [
        os.fspath(row) if isinstance(row, os.PathLike) else row
        for row in plain_rows(rows, name, "a list")
    ]
    return [
        column.read(row, f"row {i} of {name} (counted from 0)")
        for i, row in enumerate(structured(rows, name))
    ]


def check_lengths(**columns: Sequence[Any] | None) -> None:
    """Check that all columns that are given have the same number of rows.

    Raises:
        InputError: They differ; the message gives every column's number of rows, and says so if
            ``references`` are a list per reference instead of per row.
    """
    lengths = {name: len(column) for name, column in columns.items() if column is not None}
    if len(set(lengths.values())) > 1:
        others = {length for name, length in lengths.items() if name != "references"}
        if len(others) == 1:
            check_not_transposed(columns.get("references") or (), others.pop())
        counts = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise InputError(f"expected the same number of rows in every column: {counts}")


def check_not_transposed(references: Sequence[Sequence[str]], n: int) -> None:
    """Check that references of n examples, if there are not n rows, aren't n in each row."""
    if len(references) != n and {len(row) for row in references} == {n}:
        raise InputError(
            f"references: expected {n:,} rows, each with all references of one source, got "
            f"{len(references):,} rows of {n:,}: they look transposed, a list per "
            "reference as sacrebleu and EASSE take them; list(zip(*references)) turns them"
        )


def plain_rows(column: Any, name: str, expected: str) -> list[Any]:
    """The rows of a column of any kind that `texts` takes, as a list.

    Args:
        column: What was given.
        name: What the user calls it, for messages.
        expected: What it should be, for messages.
    """
    kind = type(column).__name__
    if isinstance(column, Iterator) or kind == "IterableColumn":  # that of a streamed dataset
        raise InputError(
            f"{name}: expected {expected}, got {kind}, which is read row by row: pass list(...)"
        )
    if not is_sequence(column):
        raise InputError(f"{name}: expected {expected}, got {shown(column)}")
    rows = plain_list(column)
    if not rows:
        raise InputError(f"{name}: expected at least one row, got none")
    return rows


def is_missing(value: Any) -> bool:
    """Whether it is None, an empty text, or NaN or NA, as tables have them."""
    if isinstance(value, Real):
        return bool(value != value)  # NaN, NumPy's too
    if isinstance(value, str):
        return not value
    return value is None or type(value).__name__ == "NAType"  # pandas'


def _is_bool(value: Any) -> bool:
    return type(value).__name__ in ("bool", "bool_")  # NumPy's has either name


def is_sequence(value: Any) -> bool:
    """Whether it has rows by number, and is no text, mapping, set or table."""
    if isinstance(value, (str, bytes, bytearray, dict, set, frozenset)):
        return False
    if getattr(value, "shape", None) == ():  # a NumPy scalar or 0-d array
        return False
    if hasattr(value, "columns"):  # a table, which pandas takes for the list of its columns' names
        return False
    return hasattr(value, "__len__") and hasattr(value, "__getitem__")


def plain_list(column: Any) -> list[Any]:
    """A sequence as a list, of plain values where it is an array."""
    if type(column).__module__.startswith("datasets."):
        column = column[:]  # rows one by one would take longer than scoring them
    kind: Any = getattr(column, "type", None)
    if hasattr(kind, "index_type"):  # an Arrow dictionary, which is slow to look up row by row
        column = column.cast(kind.value_type)
    for convert in ("to_pylist", "tolist"):  # Arrow; NumPy and pandas
        if hasattr(column, convert):
            return list(getattr(column, convert)())
    return list(column)


def _text(value: Any, where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{where}: expected a string, got {shown(value)}")
    return str(value)  # a subclass, such as numpy.str_, becomes a plain string


def _is_unicode(texts: Sequence[str]) -> bool:
    """Lone surrogates can be neither stored by Arrow nor written to a file."""
    try:
        for start in range(0, len(texts), _SLICE):
            "".join(texts[start : start + _SLICE]).encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_unicode(flat: Sequence[str], name: str, sizes: Sequence[int] | None = None) -> None:
    if _is_unicode(flat):
        return
    i = next(i for i, text in enumerate(flat) if not _is_unicode([text]))
    raise InputError(
        f"row {_row(i, sizes)} of {name} (counted from 0): expected valid Unicode, "
        f"got a lone surrogate in {shown(flat[i])}"
    )


def _check_not_lists(texts: Sequence[str], name: str) -> None:
    """Refuse lists that became texts, as pandas writes them to CSV: each would be scored as one.

    A real text may look like a list. So most rows must, of those that aren't empty.
    """
    listed = [i for i, text in enumerate(texts) if text.lstrip()[:1] in _BRACKETS and _listed(text)]
    if listed and 2 * len(listed) > sum(text.strip() not in _NOTHING for text in texts):
        raise InputError(
            f"{name}: expected texts, got lists written as text, such as {shown(texts[listed[0]])} "
            f"in row {listed[0]} (counted from 0): several references of a row are a list of "
            "strings, as in JSONL; in CSV each has a column of its own, or a cell holds a JSON "
            "list, which the command line reads"
        )


def _check_no_row_lists(rows: Sequence[Sequence[str]], name: str) -> None:
    """`_check_not_lists` of all first references, all second ones, and so on: each was a column."""
    heads = {text[:1] for text in chain.from_iterable(rows)}
    if not any(head in _BRACKETS or head.isspace() for head in heads):
        return
    for i in range(max(map(len, rows))):
        _check_not_lists([row[i] if i < len(row) else "" for row in rows], name)


def _listed(text: str) -> bool:
    """Whether a text is written like a list of strings, or a tuple, by Python, NumPy or JSON.

    Some of its items may be missing values, which pad lists to equal lengths.
    """
    text = text.strip()
    if _BRACKETS.get(text[:1]) != text[-1:]:
        return False
    # By words, for linear time: a regex for all of it takes minutes.
    words = text.strip("[]() ").replace(",", " ").split()
    items = [word for word in words if word not in _MISSING]
    if len("".join(items)) < 2 or not _OPENING.match(items[0]) or items[-1][-1] not in "'\"":
        return False
    return text[0] == "[" or re.search(r"['\"]\)?\s*,", text) is not None


def _row(flat_index: int, sizes: Sequence[int] | None) -> int:
    if sizes is None:
        return flat_index
    row = 0
    while flat_index >= sizes[row]:
        flat_index -= sizes[row]
        row += 1
    return row
