"""How often tests of mean ratings err and intervals cover: the table in docs/ratings.md.

    python tools/rating_simulation.py [--tries 1000]

Two equal systems write outputs for 50 items, which all raters rate. A rating is a sum of normal
effects, of the standard deviations below. In half of the rows raters favour systems.
"""

from __future__ import annotations

import argparse
from typing import Any

import numpy as np

from textsimp.judgements import Judgements, analysis

ITEMS, SYSTEMS = 50, ("a", "b")
ITEM, RATER, OUTPUT, NOISE = 1.0, 0.5, 0.5, 1.0
FAVOUR = 0.3
SAMPLING = {"confidence": 0.95, "resamples": 400}
HEAD = (
    "| Raters | Raters favour systems | False positives, p alone | Both | Means covered | "
    "Differences covered |\n| ---: | --- | ---: | ---: | ---: | ---: |"
)


def make_ratings(rng: Any, raters: int, favour: float) -> Judgements:
    """Return the ratings of both systems; all true means are 0."""
    item = ITEM * rng.normal(size=(ITEMS, 1, 1))
    rater = RATER * rng.normal(size=(1, 1, raters))
    output = OUTPUT * rng.normal(size=(ITEMS, 2, 1))
    favours = favour * rng.normal(size=(1, 2, raters))
    numbers = item + rater + output + favours + NOISE * rng.normal(size=(ITEMS, 2, raters))
    columns: dict[str, list[Any]] = {
        "item": [str(i) for i in range(ITEMS) for _ in SYSTEMS],
        "system": [system for _ in range(ITEMS) for system in SYSTEMS],
        "rating": numbers.reshape(-1, raters).tolist(),
    }
    return Judgements.of(columns, ["rating"])


def simulate(raters: int, favour: float, tries: int) -> list[float]:
    """Return the shares of false positives by p and by both, and of intervals that cover."""
    rng, results = np.random.default_rng(raters), []
    for seed in range(tries):
        ratings = make_ratings(rng, raters, favour)
        found, differences = analysis.compare_means(ratings, SYSTEMS, {**SAMPLING, "seed": seed})
        test = differences[SYSTEMS]["rating"]
        assert test.permutation_p is not None
        low, high = found["a"]["rating"].interval or (0, 0)
        results.append(
            [
                test.permutation_p < 0.05,
                test.is_significant(0.95),
                low <= 0 <= high,
                test.interval[0] <= 0 <= test.interval[1],
            ]
        )
    return np.mean(results, axis=0).tolist()


def row(raters: int, favour: float, tries: int) -> str:
    """Return a row of the table."""
    shares = [f"{share:.2f}".removeprefix("0") for share in simulate(raters, favour, tries)]
    return f"| {raters} | {'yes' if favour else 'no'} | {' | '.join(shares)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tries", type=int, default=1000)
    tries = parser.parse_args().tries
    print(HEAD)
    for favour in (0, FAVOUR):
        for raters in (3, 5, 10):
            print(row(raters, favour, tries), flush=True)


if __name__ == "__main__":
    main()
