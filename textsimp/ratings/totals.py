"""Sums of what raters said: by item, and of bootstrap resamples of items and raters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from textsimp.core.metric import Floats
from textsimp.core.sample import percentiles
from textsimp.meta.resampling import Ints, draw, encode
from textsimp.ratings.answers import Ratings

_AT_ONCE = 64  # resamples


@dataclass(frozen=True, eq=False)
class Cells:
    """Numbers to be summed: (n,) rows of ratings, their places in a table, and numbers."""

    rows: Ints
    places: Ints
    numbers: Floats


@dataclass(frozen=True, eq=False)
class Totals:
    """Sums in a table: (items, *shape) of each item, and (m, *shape) of m resamples."""

    by_item: Floats
    resampled: Floats


def add_up(
    ratings: Ratings, parts: Sequence[Cells], shape: tuple[int, ...], sampling: Mapping[str, Any]
) -> Totals:
    """Sum numbers at places of a table, flat; in resamples as often as item and rater are drawn."""
    from scipy import sparse

    rows = np.concatenate([part.rows for part in parts])
    places = np.concatenate([part.places for part in parts])
    numbers = np.concatenate([part.numbers for part in parts])
    item_of, rater_of = encode(ratings.items)[rows], encode(ratings.raters)[rows]
    items, raters = len(set(ratings.items)), len(set(ratings.raters))
    size = math.prod(shape)
    by_item = np.bincount(item_of * size + places, numbers, items * size).astype(np.float64)
    # A row for each rater and place, a column for each item
    matrix = sparse.csr_array(
        (numbers, (rater_of * size + places, item_of)), shape=(raters * size, items)
    )
    resampled = []
    drawn = draw((items, raters), "both", sampling["resamples"], sampling["seed"])
    for of_items, of_raters in drawn:
        for start in range(0, len(of_items), _AT_ONCE):
            block = slice(start, start + _AT_ONCE)
            weights = np.ascontiguousarray(of_items[block].T, np.float64)
            by_rater = (matrix @ weights).reshape(raters, size, -1)
            resampled.append(np.einsum("rkm,mr->mk", by_rater, of_raters[block]))
    return Totals(by_item.reshape(items, *shape), np.concatenate(resampled).reshape(-1, *shape))


def intervals(resampled: Floats, sampling: Mapping[str, Any]) -> list[list[float] | None]:
    """Return the interval of each column of (m, k) resampled values; None where all are missing."""
    return [percentiles(values, sampling["confidence"]) for values in resampled.T]
