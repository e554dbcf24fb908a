"""Scores of references: each compared with the others."""

from typing import Any

import numpy as np

from textsimp.core.declarations import PREDICTIONS
from textsimp.core.examples import Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Sample
from textsimp.core.scores import Value


def leave_out(metric: Metric, examples: Examples) -> Sample | None:
    """Return the sample of references: the mean score of each against the others.

    Each example must have as many as two.
    """
    lists = examples.references or [[]]
    rounds, parts = min(map(len, lists)), list[Floats]()
    if rounds < 2:
        return None
    for i in range(rounds):
        others = {"references": [row[:i] + row[i + 1 :] for row in lists]}
        texts = {"references": {PREDICTIONS.name: [row[i] for row in lists]}}
        one = Examples({**examples.shared, **others}, texts)
        parts += metric.compute_statistics(one).values()

    def reduce(totals: Floats) -> dict[str, Floats]:
        each = [metric.reduce(own) for own in np.split(totals, rounds, axis=-1)]
        return {name: np.mean([one[name] for one in each], axis=0) for name in each[0]}

    return Sample(np.hstack(parts), reduce)


def score_references(metric: Metric, examples: Examples, **sampling: Any) -> dict[str, Value]:
    """Return score → mean of the references, with its interval; nothing of single references."""
    sample = leave_out(metric, examples)
    if sample is None:
        return {}
    bounds = sample.interval(**sampling)
    values = {n: float(metric.fill(x)) for n, x in sample.value().items() if not x.ndim}
    return {name: Value(value, bounds[name] or [value] * 2) for name, value in values.items()}
