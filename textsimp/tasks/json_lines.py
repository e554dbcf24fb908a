"""Runs and gold as JSON lines, read as organisers' scripts read them."""

from __future__ import annotations

import io
import json
from collections.abc import Collection
from typing import Any

from textsimp.corpora.files import read_bytes
from textsimp.support.errors import InputError, shown


def read_records(path: str, names: Collection[str]) -> list[dict[str, Any]]:
    """Read a JSON object per line; each needs texts under ``names``, and others are ignored."""
    try:
        text = read_bytes(path).decode()
    except UnicodeDecodeError as error:
        raise InputError(
            f"{path}: expected UTF-8, got the byte 0x{error.object[error.start]:02x}"
        ) from None
    if text.startswith("\ufeff"):
        raise InputError(
            f"{path}, line 1: expected JSON, got a byte order mark, which the official script "
            "refuses: save the file as UTF-8 without it"
        )
    records = []
    for i, line in enumerate(io.StringIO(text, newline=None), 1):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            got = f"bad JSON: {error}" if line.strip() else "an empty line"
            raise InputError(f"{path}, line {i}: expected a JSON object, got {got}") from None
        if not isinstance(record, dict):
            raise InputError(f"{path}, line {i}: expected a JSON object, got {shown(record)}")
        for name in names:
            if name not in record:
                got = ", ".join(map(repr, record)) or "none"
                raise InputError(f"{path}, line {i}: expected the key {name!r}, got {got}")
            if not isinstance(record[name], str):
                got = shown(record[name])
                raise InputError(f"{path}, line {i}: expected a text as {name!r}, got {got}")
        records.append(record)
    return records
