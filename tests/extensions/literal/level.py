"""Levels and their distance to targets as defined, slowly, from what classifiers say."""

import math


def softmax(logits):
    highest = max(logits)
    powers = [math.exp(logit - highest) for logit in logits]
    return [power / sum(powers) for power in powers]


def level(said):
    """The level of one text by several classifiers' logits, and how probable it is."""
    best, surest = "", 0.0
    for logits in said:
        shares = dict(zip(logits, softmax([*logits.values()]), strict=True))
        name = max(shares, key=lambda key: shares[key])  # of equals the first
        if shares[name] > surest:
            best, surest = name, shares[name]
    return best, surest


def describe(names, rows):
    """Mean level and shares; a row has the levels of an example's references, or one."""
    shares = []
    for name in names:
        per_row = [sum(found == name for found in row) / len(row) for row in rows]
        shares.append(sum(per_row) / len(rows))
    mean = sum(number * share for number, share in enumerate(shares, 1))
    named = {f"level_{name.lower()}": share for name, share in zip(names, shares, strict=True)}
    return {"mean_level": mean, "shares": shares, **named}


def compared(names, found, targets):
    """Of the outputs that have a target."""
    pairs = [
        (names.index(target), names.index(level))
        for level, target in zip(found, targets, strict=True)
        if target is not None
    ]
    n = len(pairs)
    weighted = 0.0
    for name in range(len(names)):
        hits = sum(target == level == name for target, level in pairs)
        wanted = sum(target == name for target, _ in pairs)
        given = sum(level == name for _, level in pairs)
        if hits:
            precision, recall = hits / given, hits / wanted
            weighted += wanted / n * 2 * precision * recall / (precision + recall)
    return {
        "at_or_under": sum(level <= target for target, level in pairs) / n,
        "accuracy": sum(level == target for target, level in pairs) / n,
        "adjacent_accuracy": sum(abs(level - target) <= 1 for target, level in pairs) / n,
        "weighted_f1": weighted,
        "rmse": math.sqrt(sum((level - target) ** 2 for target, level in pairs) / n),
        "with_target": n,
    }
