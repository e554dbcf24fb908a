"""Krippendorff's alpha, written as its formula is printed."""

import itertools
from collections import Counter


def literal_alpha(units, level):
    """Krippendorff's formula as it is printed: by the matrix of coincidences."""
    rows = [[value for value in unit if value is not None] for unit in units]
    rows = [row for row in rows if len(row) > 1]
    coincidences = Counter()
    for row in rows:
        for a, b in itertools.permutations(range(len(row)), 2):
            coincidences[row[a], row[b]] += 1 / (len(row) - 1)
    values = sorted({value for row in rows for value in row})
    n_of = {c: sum(coincidences[c, k] for k in values) for c in values}
    n = sum(n_of.values())

    def difference(c, k):
        if level == "nominal":
            return float(c != k)
        if level == "ordinal":
            between = [n_of[g] for g in values if min(c, k) <= g <= max(c, k)]
            return (sum(between) - (n_of[c] + n_of[k]) / 2) ** 2
        return (c - k) ** 2

    pairs = list(itertools.product(values, values))
    observed = sum(coincidences[pair] * difference(*pair) for pair in pairs)
    expected = sum(n_of[c] * n_of[k] * difference(c, k) for c, k in pairs)
    return None if expected == 0 else 1 - (n - 1) * observed / expected
