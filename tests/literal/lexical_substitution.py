"""Scores of lexical substitution as the shared tasks define them, an example at a time."""

from fractions import Fraction


def lexical_substitution(target, gold, substitutes, k, variant):
    """The scores of an example at K, without rounding."""
    annotations = [item for item in gold if item != target or variant == "mlsp2024"]
    distinct = set(annotations)
    commonest = {
        item
        for item in distinct
        if all(annotations.count(item) >= annotations.count(other) for other in distinct)
    }
    first = []
    for item in substitutes:
        if item != target and item not in first:
            first.append(item)
    first = first[:k]
    right = [item for item in first if item in distinct]

    precisions = Fraction(0)
    for i, item in enumerate(first, 1):
        if item in distinct:
            precisions += Fraction(len(distinct.intersection(first[:i])), i)
    return {
        f"potential_{k}": Fraction(len(right) > 0),
        f"acc_{k}_top1": Fraction(any(item in commonest for item in first)),
        f"map_{k}": precisions / k,
        f"precision_{k}": Fraction(len(right), len(first)) if first else Fraction(0),
        f"recall_{k}": Fraction(len(right), len(distinct)) if distinct else Fraction(0),
    }
