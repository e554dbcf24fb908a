"""The scores and the ranking of TSAR 2025, in plain loops."""

import math

from tests.extensions.literal.level import compared

LEVELS = ["A1", "A2", "B1", "B2", "C1", "C2"]


def surest(votes):
    """The label of the highest probability, of equal ones the first."""
    best = votes[0]
    for vote in votes[1:]:
        if vote[1] > best[1]:
            best = vote
    return best[0].strip().upper()


def level_scores(targets, labels):
    """Weighted F1, adjacent accuracy and RMSE of some texts."""
    scores = compared(LEVELS, labels, targets)
    return {
        "weighted_f1": scores["weighted_f1"],
        "adj_accuracy": scores["adjacent_accuracy"],
        "rmse": scores["rmse"],
    }


def percentile(values, share):
    """Between the two nearest values, linearly."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (place - below) * (ordered[above] - ordered[below])


def average_scores(rows):
    """AvgScore of rows of RMSE, MeaningBERT with the original, and with the reference."""
    scores = [0.0] * len(rows)
    for column, (sign, weight) in enumerate([(-1, 0.5), (1, 0.167), (1, 0.333)]):
        values = [row[column] for row in rows]
        width = percentile(values, 0.9) - percentile(values, 0.1)
        for i, value in enumerate(values):
            scores[i] += weight * sign * (value - percentile(values, 0.5)) / (width or 1)
    return scores


def ranks(average):
    """AUTORANK from AvgScore: 1 for the highest, the number of runs for the lowest."""
    n, least, most = len(average), min(average), max(average)
    rescaled = [1 + (a - least) * (n - 1) / (most - least) if most > least else 1 for a in average]
    top, bottom = max(rescaled), min(rescaled)
    return [1 + (top - r) * (n - 1) / (top - bottom) if top > bottom else 1 for r in rescaled]
