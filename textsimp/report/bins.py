"""Shares that plots and figures draw: histograms, and parts of bars."""

import math
from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from textsimp.core.draws import Ints
from textsimp.core.metric import Floats

BINS = 24  # of a distribution


def share_rows(counts: Mapping[str, float]) -> list[dict[str, Any]]:
    """Return a row per operation: its share of all, and where its part of a bar begins and ends."""
    rows, start, total = list[dict[str, Any]](), 0.0, sum(counts.values())
    for name, number in counts.items() if total else ():
        share = number / total
        rows.append({"operation": name, "share": share, "start": start, "end": start + share})
        start += share
    return rows


def bin_rows(systems: Mapping[str, Floats]) -> dict[str, list[dict[str, Any]]]:
    """Return name → a row per bin: the share of values in it, and the median of all."""
    edges = bin_edges(*span(systems.values()))
    bounds, rows = [*pairwise(edges.tolist())], {}
    for name, values in systems.items():
        shares = (count(values, edges) / len(values)).tolist()
        median = float(np.median(values))
        rows[name] = [
            {"low": low, "high": high, "share": share, "median": median}
            for (low, high), share in zip(bounds, shares, strict=True)
        ]
    return rows


def count(values: Floats, edges: Floats) -> Ints:
    """Return the number of values in each bin; the outer ones also hold what is beyond."""
    return np.histogram(np.clip(values, edges[0], edges[-1]), edges)[0]


def span(systems: Iterable[Floats]) -> tuple[float, float]:
    """Return where most values of all systems are: at most thrice as wide as that of the median."""
    defined = [own for own in systems if len(own)] or [np.array([0.0, 1.0])]
    bounds = np.array([np.quantile(own, [0.05, 0.95]) for own in defined])
    (least, most), (low, high) = (bounds.min(), bounds.max()), np.median(bounds, axis=0)
    room = high - low or most - least
    return max(least, low - room), min(most, high + room)


def bin_edges(low: float, high: float) -> Floats:
    """Return the edges of about `BINS` bins of a round width.

    >>> bin_edges(0.01, 0.99)[:3].tolist()
    [0.0, 0.05, 0.1]
    """
    step = round_step((high - low) / BINS or 1.0)
    first, last = np.floor(low / step + 1e-9), np.ceil(high / step - 1e-9)
    edges: Floats = np.round(np.arange(first, max(last, first + 1) + 1) * step, 12)
    return edges


def round_step(least: float) -> float:
    """Return the least of 1, 2, 5, 10, 20 … that isn't below a number.

    >>> round_step(0.3), round_step(0.5), round_step(12)
    (0.5, 0.5, 20.0)
    """
    power: float = 10.0 ** math.floor(math.log10(least))
    return power * next(factor for factor in (1, 2, 5, 10) if factor * power >= least)
