"""Token F1 as defined, for one text, its references, and words between white space."""

from collections import Counter


def f1_of_counts(common, own, other):
    """Harmonic mean of precision and recall."""
    if not common:
        return 0.0
    precision, recall = common / own, common / other
    return 2 * precision * recall / (precision + recall)


def f1(prediction, reference):
    common = sum((Counter(prediction) & Counter(reference)).values())
    return f1_of_counts(common, len(prediction), len(reference))


def f1_token(prediction, references):
    words = prediction.split()
    return 100 * max(f1(words, reference.split()) for reference in references)
