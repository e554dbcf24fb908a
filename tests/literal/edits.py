"""Edit operations as defined, word by word: Wagner & Fischer's table and a way back through it."""

from collections import Counter


def words(text):
    return text.strip().lower().split(" ")


def table(source, target):
    """Distances of all pairs of prefixes."""
    rows = [list(range(len(target) + 1))]
    for i, word in enumerate(source, 1):
        row = [i]
        for j, other in enumerate(target, 1):
            row.append(min(rows[-1][j - 1] + (word != other), rows[-1][j] + 1, row[-1] + 1))
        rows.append(row)
    return rows


def published_path(source, target):
    """Found from the end: equal words are kept, else replace before insert before delete."""
    distance = table(source, target)
    i, j = len(source), len(target)
    path = []
    while i or j:
        if i and j and source[i - 1] == target[j - 1]:
            i, j = i - 1, j - 1
            path.append(("keep", i, j))
        elif i and j and distance[i][j] == distance[i - 1][j - 1] + 1:
            i, j = i - 1, j - 1
            path.append(("replace", i, j))
        elif j and distance[i][j] == distance[i][j - 1] + 1:
            j -= 1
            path.append(("insert", None, j))
        else:
            i -= 1
            path.append(("delete", i, None))
    return path[::-1]


def edit_ops(source, target, split=words):
    a, b = split(source), split(target)
    path = published_path(a, b)
    counts = Counter(operation for operation, _, _ in path)
    inserted = Counter(b[j] for operation, _, j in path if operation == "insert")
    deleted = Counter(a[i] for operation, i, _ in path if operation == "delete")
    return {
        **{name: counts[name] for name in ("insert", "delete", "replace", "keep")},
        "move": sum((inserted & deleted).values()),
        "change_percentage": 100 * (len(path) - counts["keep"]) / len(path),
    }
