"""Bradley–Terry strengths of systems from preferences.

Bradley & Terry (1952), "Rank Analysis of Incomplete Block Designs", Biometrika. A tie is half a win
for both.
"""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import Ints, WeightedSample, percentiles
from textsimp.core.scores import Value
from textsimp.core.significance import Difference
from textsimp.extensions.people.judgements.judgements import Judgements
from textsimp.extensions.people.judgements.resampling import encode
from textsimp.support.errors import InputError

PENALTY = 0.01
"""Of the sum of squared strengths; so a system that was always preferred has one, too."""


def compare(
    judgements: Judgements, systems: Sequence[str], sampling: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Value]], dict[tuple[str, str], dict[str, Difference]], list[str]]:
    """Return system → criterion → its strength; no differences or notes, as `compare_means` has."""
    strengths: dict[str, dict[str, Value]] = {system: {} for system in systems}
    options = {"resamples": sampling["resamples"], "seed": sampling["seed"]}
    for name in judgements.criteria:
        sample = _make_sample(judgements, name, systems)
        observed = sample.value()["strength"]
        intervals = percentiles(sample.resample(**options)["strength"], sampling["confidence"])
        for system, value, interval in zip(systems, observed.tolist(), intervals, strict=True):
            strengths[system][name] = Value(value, interval)
    return strengths, {}, []


def _make_sample(judgements: Judgements, criterion: str, systems: Sequence[str]) -> WeightedSample:
    """Return the strengths as a sample of items and raters."""
    items, raters = (encode(judgements.frame[kind]) for kind in ("item", "rater"))
    rows, pairs, numbers = _list_wins(judgements, criterion, systems)
    n = len(systems)
    start: Floats | None = None

    def reduce(weights: Mapping[str, Floats]) -> dict[str, Floats]:
        strengths = []
        for of_items, of_raters in zip(weights["item"], weights["rater"], strict=True):
            times = of_items[items[rows]] * of_raters[raters[rows]]
            wins: Floats = np.bincount(pairs, numbers * times, n**2).astype(np.float64)
            strengths.append(fit(wins.reshape(n, n), start))
        return {"strength": np.array(strengths)}

    sample = WeightedSample({"item": items.max() + 1, "rater": raters.max() + 1}, reduce)
    start = sample.value()["strength"]
    return sample


def _list_wins(
    judgements: Judgements, criterion: str, systems: Sequence[str]
) -> tuple[Ints, Ints, Floats]:
    """Return (m,) rows, pairs of systems, as places in a (systems, systems) table, and wins."""
    codes = {name: i for i, name in enumerate(systems)}
    writers = judgements.frame["system"].tolist()
    rows, pairs, wins = [], [], []
    preferences = (part.tolist() for part in list_preferences(judgements, criterion))
    for win, loss, weight in zip(*preferences, strict=True):
        for winner, loser in itertools.product(writers[win], writers[loss]):
            rows.append(win)
            pairs.append(codes[winner] * len(systems) + codes[loser])
            wins.append(weight)
    if not rows:
        raise InputError(f"{criterion}: expected comparisons, got none")
    return np.array(rows), np.array(pairs), np.array(wins)


def list_preferences(judgements: Judgements, criterion: str) -> tuple[Ints, Ints, Floats]:
    """Return (m,) rows of winners, rows of losers, and weights; a tie comes twice, as halves."""
    rows, values = judgements.rows(criterion), judgements.values(criterion)
    ties = (values == 0.5).all(axis=1)
    parts = []
    for win, loss in ((0, 1), (1, 0)):
        for these, weight in ((values[:, win] > values[:, loss], 1.0), (ties, 0.5)):
            parts.append([rows[these, win], rows[these, loss], np.full(these.sum(), weight)])
    winners, losers, weights = map(np.concatenate, zip(*parts, strict=True))
    return winners, losers, weights


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
    derivatives = {"jac": gradient, "hess": hessian, "options": {"gtol": 1e-8}}
    optimum = optimize.minimize(loss, first, method="trust-exact", **derivatives)
    strengths: Floats = optimum.x - optimum.x.mean()
    return strengths
