"""Links that restore what was typed and chosen on a page: all values, packed into the address."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

from textsimp.support.errors import InputError

LONGEST = 16_000  # characters, which mail and chat programs take
_MOST = 10**6  # bytes of what is unpacked


def write(values: Sequence[Any]) -> str:
    """Pack plain values; return "" if that is too long for an address.

    >>> read(write(["A cat.", 0.95, None]), 3)
    ['A cat.', 0.95, None]
    """
    packed = zlib.compress(json.dumps(values, ensure_ascii=False).encode(), 9)
    text = base64.urlsafe_b64encode(packed).decode().rstrip("=")
    return text if len(text) <= LONGEST else ""


def read(text: str, number: int) -> list[Any]:
    """Return that number of values that `write` packed."""
    try:
        packed = base64.urlsafe_b64decode(f"{text}===")
        values: Any = json.loads(zlib.decompressobj().decompress(packed, _MOST))
    except (ValueError, RecursionError, zlib.error):
        values = []
    if not isinstance(values, list) or len(values) != number:
        raise InputError("this link is cut off, or from another version of the page")
    return values
