"""Shapes of JSON that textsimp wrote, and reads again."""

from typing import Any

from textsimp.support.errors import shown

_NAMES = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    dict: "an object",
    list: "a list",
}


def misfit(value: Any, shape: Any, where: str) -> str:
    """Return how a JSON value differs from a shape, or "".

    A shape is a type, a list of one shape, or an object: key → shape. A key ``str`` stands for any,
    and one that ends with "?" may be missing or null.

    >>> shape = {"version": str, "runs?": {str: [str]}}
    >>> misfit({"version": "1"}, shape, "file"), misfit({"version": 1}, shape, "file")
    ('', 'file: version: expected a text, got int 1')
    >>> misfit({"version": "1", "runs": {"ours": "x"}}, shape, "file")
    "file: runs: ours: expected a list, got str 'x'"
    """
    kind = type(shape) if isinstance(shape, (dict, list)) else shape
    kinds: Any = (int, float) if kind is float else kind
    if isinstance(value, bool) or not isinstance(value, kinds):
        return f"{where}: expected {_NAMES[kind]}, got {shown(value)}"
    parts: list[tuple[Any, Any, Any]] = []
    if isinstance(shape, list):
        parts = [(i, one, shape[0]) for i, one in enumerate(value)]
    elif isinstance(shape, dict) and str in shape:
        parts = [(name, one, shape[str]) for name, one in value.items()]
    elif isinstance(shape, dict):
        for key, inner in shape.items():
            name = key.removesuffix("?")
            if name == key and name not in value:
                return f"{where}: expected the key {name!r}"
            if name == key or value.get(name) is not None:
                parts.append((name, value[name], inner))
    found = (misfit(one, inner, f"{where}: {name}") for name, one, inner in parts)
    return next(filter(None, found), "")
