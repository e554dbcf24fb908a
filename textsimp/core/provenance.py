"""What a saved result was computed with: versions, settings, and digests of the data."""

import hashlib
import json
import platform
import re
import sys
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from textsimp.core.examples import Examples
from textsimp.support.version import __version__


def describe(
    examples: Examples | None, files: Mapping[str, Any], sampling: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the key ``provenance`` of saved results.

    Args:
        examples: The data; None of statistics that were read from files.
        files: Role, such as ``sources`` → the file or files that were given; empty ones are left
            out.
        sampling: Confidence, resamples and seed.
    """
    parts: list[tuple[str | None, Mapping[str, list[Any]]]] = []
    if examples is not None:
        parts = [(None, examples.shared), *examples.systems.items()]
    return {
        "textsimp": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": _loaded_packages(),
        **sampling,
        "files": {name: value for name, value in files.items() if value},
        "data": [
            {"column": name, "system": system, "rows": len(rows), "sha256": digest(rows)}
            for system, columns in parts
            for name, rows in columns.items()
        ],
    }


def digest(rows: Sequence[Any]) -> str:
    """Return the SHA-256 of a column, a text a line, as ``sha256sum`` computes it of a text file.

    Of lists, such as references, all first ones come first, as if the files were put together.
    """
    lists = [row if isinstance(row, list) else [row] for row in rows]
    hashed = hashlib.sha256()
    gap = object()
    for items in zip_longest(*lists, fillvalue=gap):
        for item in items:
            if item is not gap:
                line = item if isinstance(item, str) else json.dumps(item, default=str)
                hashed.update(f"{line}\n".encode())
    return hashed.hexdigest()


def _loaded_packages() -> dict[str, str]:
    """Return package → version, of those that textsimp requires and that were imported."""
    from importlib import metadata  # which takes longer than checking a hundred outputs

    names = {re.split(r"[^\w-]", line)[0] for line in metadata.requires("textsimp") or ()}
    loaded = [name for name in sorted(names) if name.replace("-", "_") in sys.modules]
    return {name: metadata.version(name) for name in loaded}
