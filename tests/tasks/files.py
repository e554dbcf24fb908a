"""Files of gold and runs."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any


def write(path: Path, content: Any) -> Path:
    """Write a text, lines, rows of JSON lines, a JSON value, or the columns of a CSV file."""
    if path.suffix == ".csv" and isinstance(content, dict):
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(content)
            rows.writerows(zip(*content.values(), strict=True))
        return path
    if path.suffix == ".json":
        content = json.dumps(content)
    elif not isinstance(content, str):
        lines = [line if isinstance(line, str) else json.dumps(line) for line in content]
        content = "".join(f"{line}\n" for line in lines)
    path.write_bytes(content.encode())
    return path
