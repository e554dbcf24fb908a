"""JSON, YAML and numbers in texts of users. All that is wrong is a `ValueError`."""

from __future__ import annotations

import json
from typing import Any

_DEEP = "too many brackets inside each other"


def parse_number(text: str) -> float:
    """Return a number in a text. Python's ``float`` would take the underscore in ``1_0``, too.

    >>> parse_number(" 1e3")
    1000.0
    """
    if "_" in text:
        raise ValueError(f"could not convert string to float: {text!r}")
    return float(text)


def parse_json(text: str | bytes) -> Any:
    """Parse JSON without repeated keys.

    >>> parse_json('{"a": 1, "a": 2}')
    Traceback (most recent call last):
    ...
    ValueError: an object has the key 'a' twice
    """
    text = text if isinstance(text, str) else text.decode(json.detect_encoding(text))
    try:
        return JSON.decode(text)
    except RecursionError:
        raise ValueError(_DEEP) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    parsed = dict(pairs)
    if len(parsed) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = next(key for key in keys if keys.count(key) > 1)
        raise ValueError(f"an object has the key {twice!r} twice")
    return parsed


JSON = json.JSONDecoder(object_pairs_hook=_object)


def parse_yaml(text: str | bytes) -> Any:
    """Parse YAML 1.2, and so JSON, without repeated keys and infinite numbers.

    >>> parse_yaml("{a: 010, b: 1:30, c: yes}")
    {'a': 10, 'b': '1:30', 'c': 'yes'}
    """
    import yaml  # type: ignore[import-untyped, unused-ignore]

    from textsimp.support.yaml_loader import Loader

    try:
        return yaml.load(text if isinstance(text, str) else text.decode(), Loader)
    except RecursionError:
        raise ValueError(_DEEP) from None
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from None
