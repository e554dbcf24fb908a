"""Files of gold and runs."""

import csv
import json


def write(path, content):
    """Write text, bytes, lines, rows of JSON lines, a JSON value, or columns of a CSV file."""
    if path.suffix == ".csv" and isinstance(content, dict):
        with path.open("w", newline="", encoding="utf-8") as file:
            rows = csv.writer(file)
            rows.writerow(content)
            rows.writerows(zip(*content.values(), strict=True))
        return path
    if path.suffix == ".json":
        content = json.dumps(content)
    elif not isinstance(content, (str, bytes)):
        lines = [line if isinstance(line, str) else json.dumps(line) for line in content]
        content = "".join(f"{line}\n" for line in lines)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path
