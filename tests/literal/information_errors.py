"""Information errors as defined, label by label."""

from collections import Counter
from fractions import Fraction


def majority(labels):
    """The label of more than half of the annotators who gave one."""
    for label, times in Counter(labels).items():
        if times > len(labels) / 2:
            return label
    return None


def information_errors(rows):
    """Category → labels of each output → scores."""
    found = {category: [majority(row) for row in given] for category, given in rows.items()}
    scores = {}
    complete = [row for row in zip(*found.values(), strict=True) if None not in row]
    wrong = [row for row in complete if any(label != 0 for label in row)]
    scores["information_errors"] = float(Fraction(len(wrong), len(complete) or 1))
    scores["labelled"] = len(complete)
    for category, labels in found.items():
        given = [label for label in labels if label is not None]
        for label, name in ((0, "0"), (1, "1"), (2, "2"), (-1, "gibberish")):
            share = Fraction(given.count(label), len(given) or 1)
            scores[f"{category}_{name}"] = float(100 * share)
        scores[f"{category}_labelled"] = len(given)
        bad = [label for label in given if label in (1, 2)]
        scores[f"{category}_rate"] = float(Fraction(len(bad), len(given) or 1))
        levels = [label for label in given if label != -1]
        scores[f"{category}_severity"] = float(Fraction(sum(levels), len(levels) or 1))
    return scores
