"""Rows of JSON files that are no arrays of objects, such as pandas writes."""

from collections.abc import Mapping
from typing import Any

from textsimp.support.errors import InputError


def of_value(value: Any, where: str) -> Any:
    """Return the rows of a JSON value: an array, an object with ``data`` or columns, or one row.

    >>> of_value({"data": [{"text": "a"}], "version": 1}, "")
    [{'text': 'a'}]
    >>> of_value({"text": {"0": "a", "1": "b"}}, "")  # pandas
    [{'text': 'a'}, {'text': 'b'}]
    >>> of_value({"text": "a"}, "")
    [{'text': 'a'}]
    """
    if not isinstance(value, Mapping):
        return value
    data = value.get("data")
    if isinstance(data, list) and "columns" in value:
        return _split_rows(value["columns"], data, where)
    if len(value) == 1:  # a split, such as test
        (data,) = value.values()
    if data and isinstance(data, list) and all(isinstance(row, dict) for row in data):
        return data
    columns = [*value.values()]
    keys = _indices(columns)
    if not keys:
        return [value]
    if all(isinstance(column, list) for column in columns) or all(map(str.isdigit, keys)):
        return [{name: own[key] for name, own in value.items()} for key in keys]
    if all(map(str.isdigit, value)):
        return columns
    raise InputError(
        f"{where}: expected an array of objects, got an object of objects with the keys "
        f"{', '.join(keys[:3])}, …: in pandas write it by to_json(path, orient='records')"
    )


def _indices(columns: list[Any]) -> list[Any]:
    """Return the indices of columns, all lists or all objects, that have the same ones."""
    for kind, indices in ((list, lambda one: [*range(len(one))]), (dict, list)):
        if columns and all(isinstance(one, kind) for one in columns):
            first = indices(columns[0])
            return first if all(indices(one) == first for one in columns) else []
    return []


def _split_rows(names: Any, data: list[Any], where: str) -> list[dict[str, Any]]:
    for i, row in enumerate(data):
        if not isinstance(names, list) or not isinstance(row, list) or len(row) != len(names):
            raise InputError(
                f"{where}: row {i} of data (counted from 0) isn't a list of as many values as "
                "there are columns"
            )
    return [dict(zip(names, row, strict=True)) for row in data]
