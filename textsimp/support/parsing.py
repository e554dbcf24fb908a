"""Numbers and JSON in texts of users. All that is wrong is a `ValueError`."""

import json
from typing import Any

__all__ = ["parse_json", "parse_number"]

MINUS = "\N{MINUS SIGN}"  # as papers print it

DEEP = "too many brackets inside each other"


def parse_number(value: Any) -> float:
    """Return a number, or that in a text; Python's ``float`` would take ``1_0`` for 10."""
    if isinstance(value, str) and "_" in value:
        raise ValueError(f"could not convert string to float: {value!r}")
    return float(value)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        keys = [key for key, _ in pairs]
        raise ValueError(f"an object has the key {max(keys, key=keys.count)!r} twice")
    return parsed


JSON = json.JSONDecoder(object_pairs_hook=_object)
"""A decoder that refuses keys that stand twice."""


def parse_json(text: str | bytes) -> Any:
    """Return the value of a JSON text; a key twice is wrong, too."""
    try:
        return JSON.decode(text if isinstance(text, str) else text.decode("utf-8-sig"))
    except RecursionError:
        raise ValueError(DEEP) from None
