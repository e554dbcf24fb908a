"""Edit operations as defined, word by word: Wagner & Fischer's table and a way back through it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable


def words(text: str) -> list[str]:
    return text.strip().lower().split(" ")


def table(source: list[str], target: list[str]) -> list[list[int]]:
    """Distances of all pairs of prefixes."""
    rows = [list(range(len(target) + 1))]
    for i, word in enumerate(source, 1):
        row = [i]
        for j, other in enumerate(target, 1):
            row.append(min(rows[-1][j - 1] + (word != other), row[-1] + 1, rows[-1][j] + 1))
        rows.append(row)
    return rows


def published_path(source: list[str], target: list[str]) -> list[tuple[str, str]]:
    """(operation, word) from the end: equal words are kept, else replace before insert, delete."""
    distance = table(source, target)
    i, j = len(source), len(target)
    path = []
    while i or j:
        if i and j and source[i - 1] == target[j - 1]:
            path.append(("keep", source[i - 1]))
            i, j = i - 1, j - 1
        elif i and j and distance[i][j] == distance[i - 1][j - 1] + 1:
            path.append(("replace", source[i - 1]))
            i, j = i - 1, j - 1
        elif j and distance[i][j] == distance[i][j - 1] + 1:
            path.append(("insert", target[j - 1]))
            j -= 1
        else:
            path.append(("delete", source[i - 1]))
            i -= 1
    return path


def edit_ops(
    source: str, target: str, split: Callable[[str], list[str]] = words
) -> dict[str, float]:
    path = published_path(split(source), split(target))
    counts = Counter(operation for operation, _ in path)
    inserted = Counter(word for operation, word in path if operation == "insert")
    deleted = Counter(word for operation, word in path if operation == "delete")
    return {
        **{name: counts[name] for name in ("insert", "delete", "replace", "keep")},
        "move": sum((inserted & deleted).values()),
        "change_percentage": 100 * (len(path) - counts["keep"]) / len(path),
    }
