"""Bradley–Terry strengths of systems, from who was preferred to whom, and their consistency.

Bradley & Terry (1952), "Rank Analysis of Incomplete Block Designs", Biometrika. A tie is half a win
for both. Of four outputs, the best is preferred to the three others, and these to the worst.
"""

from __future__ import annotations

import numpy as np

from textsimp.core.metric import Floats
from textsimp.meta.resampling import Ints
from textsimp.ratings.answers import Ratings

PENALTY = 0.01
"""Of the sum of squared strengths; so a system that was always preferred has one, too."""


def list_preferences(ratings: Ratings, criterion: str) -> tuple[Ints, Ints, Ints, Floats]:
    """Return (m,) rows, and the winner, loser and weight of each; outputs by their numbers."""
    rows, wins, losses, weights = [], [], [], []
    for row, (best, worst) in enumerate(ratings.values[criterion].tolist()):
        size = len(ratings.outputs[row])
        if best != best:
            continue
        pairs = [(0, 1, 0.5), (1, 0, 0.5)]
        if best >= 0:
            others = [i for i in range(size) if i not in (best, worst)]
            pairs = [(int(best), i, 1.0) for i in [*others, int(worst)]]
            pairs += [(i, int(worst), 1.0) for i in others]
        for win, loss, weight in pairs:
            rows.append(row)
            wins.append(win)
            losses.append(loss)
            weights.append(weight)
    return np.array(rows, int), np.array(wins, int), np.array(losses, int), np.array(weights, float)


def fit(wins: Floats, start: Floats | None = None) -> Floats:
    """Return (systems,) strengths from (systems, systems) wins of the row over the column.

    They are log-odds: a system is preferred to another with probability 1 / (1 + exp(−difference)).
    Their mean is 0.
    """
    from scipy import optimize, special

    def gradient(strengths: Floats) -> Floats:
        lost = wins * special.expit(strengths - strengths[:, None])
        slope: Floats = 2 * PENALTY * strengths - lost.sum(axis=1) + lost.sum(axis=0)
        return slope

    def hessian(strengths: Floats) -> Floats:
        odds = special.expit(strengths - strengths[:, None])
        curve = (wins + wins.T) * odds * (1 - odds)
        whole: Floats = np.diag(curve.sum(axis=1) + 2 * PENALTY) - curve
        return whole

    def loss(strengths: Floats) -> float:
        gaps = strengths - strengths[:, None]
        return float(PENALTY * strengths @ strengths + (wins * np.logaddexp(0, gaps)).sum())

    first = np.zeros(len(wins)) if start is None else start
    options = {"gtol": 1e-8}
    found = optimize.minimize(
        loss, first, jac=gradient, hess=hessian, method="trust-exact", options=options
    )
    strengths: Floats = found.x - found.x.mean()
    return strengths


def share_in_order(decided: Floats, strengths: Floats) -> float | None:
    """Return the share of preferences, without ties, that the order of strengths has right."""
    above = strengths[:, None] > strengths
    return float((decided * above).sum() / decided.sum()) if decided.any() else None


def count_circles(wins: Floats) -> int:
    """Return in how many triples most prefer a to b, b to c and c to a."""
    beats = (wins > wins.T).astype(np.float64)
    return round(float(np.trace(beats @ beats @ beats)) / 3)
