"""Rows of JSON files that are no arrays of objects, such as pandas writes."""

from collections.abc import Mapping
from typing import Any


def of_value(value: Any) -> Any:
    """Return the rows of a JSON value: an array, an object with ``data`` or columns, or one row.

    >>> of_value({"data": [{"text": "a"}], "version": 1})
    [{'text': 'a'}]
    >>> of_value({"text": {"0": "a", "1": "b"}})  # pandas
    [{'text': 'a'}, {'text': 'b'}]
    >>> of_value({"text": "a"})
    [{'text': 'a'}]
    """
    if not isinstance(value, Mapping):
        return value
    columns = [*value.values()]
    rows: Any = columns[0] if len(columns) == 1 else value.get("data")  # a split, such as test
    if _are(list, rows) and isinstance(value.get("columns"), list):
        return [dict(zip(value["columns"], row, strict=False)) for row in rows]
    if _are(dict, rows):
        return rows
    if _are(dict, columns) and all(map(str.isdigit, value)):
        return columns
    if _are(dict, columns) and all([*one] == [*columns[0]] for one in columns):
        columns = [[*one.values()] for one in columns]
    if _are(list, columns) and all(len(one) == len(columns[0]) for one in columns):
        return [dict(zip(value, cells, strict=True)) for cells in zip(*columns, strict=True)]
    return [value]


def _are(kind: type, values: Any) -> bool:
    """Return whether values are a list of at least one of a kind."""
    return isinstance(values, list) and values != [] and all(isinstance(x, kind) for x in values)
