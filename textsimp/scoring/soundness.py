"""What unsound outputs, such as a prompt or an answer, change in the ranking of systems."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, combinations

import numpy as np
from numpy.typing import NDArray

from textsimp.core import statistics
from textsimp.core.examples import Examples
from textsimp.core.statistics import Statistics
from textsimp.corpora.checks import SOUND, Finding
from textsimp.metrics.sari import Sari

MIN_SHARE, MIN_EXAMPLES = 1 / 4, 30  # of the examples, that must be sound to rank systems
_MAX_MOVED = 3  # systems in a sentence


@dataclass(frozen=True)
class SoundRanking:
    """Scores with and without unsound outputs, and ranks where systems can be compared."""

    title: str  # of the score
    scores: Mapping[str, tuple[float, float]]  # of all outputs, and of the system's sound ones
    examples: int  # that are sound in all ranked systems
    ranks: Mapping[str, tuple[int, int]]  # of the ranked systems, by all examples and by the sound
    swapped: int  # pairs of ranked systems in another order

    def __str__(self) -> str:
        n = len(self.ranks)
        if n < 2:
            return f"too few examples are sound in several systems to rank them by {self.title}"
        where = f"on the {self.examples:,} examples that are sound in {n} systems"
        if not self.swapped:
            return f"the ranking by {self.title} stays {where}"
        moved = sorted(self.ranks, key=lambda name: -abs(np.subtract(*self.ranks[name])))
        steps = [f"{name} {' → '.join(map(str, self.ranks[name]))}" for name in moved[:_MAX_MOVED]]
        pairs = f"{self.swapped:,} of {n * (n - 1) // 2:,} pairs of systems swap"
        return f"the ranking by {self.title} changes {where}: {pairs} (ranks: {', '.join(steps)})"


def find_unsound(findings: Iterable[Finding], data: Examples) -> dict[str, dict[str, set[int]]]:
    """Return system → kind → the examples, counted from 1, whose output is unsound."""
    unsound: dict[str, dict[str, set[int]]] = {name: {} for name in data.systems}
    for finding in findings:
        for name, examples in finding.rows.items() if finding.kind not in SOUND else ():
            unsound[name].setdefault(finding.kind, set()).update(examples)
    return unsound


def rank_sound(
    findings: Iterable[Finding], data: Examples, measured: Statistics | None = None
) -> SoundRanking | None:
    """Rank as many systems as have enough examples that are sound in all, by SARI if unmeasured.

    Return None if all outputs are sound, or if scores can't rank systems.
    """
    metric = Sari() if measured is None else measured.metric
    rows = {name: {*chain(*own.values())} for name, own in find_unsound(findings, data).items()}
    if not any(rows.values()) or not data.references or not metric.ranks() or metric.scores[0].many:
        return None
    if measured is None:
        texts = {column: data.shared[column] for column in ("sources", "references")}
        measured = statistics.measure({"": metric}, Examples(texts, data.systems))[""]
    main, every = metric.scores[0], np.ones(len(data), bool)
    own = {name: ~np.isin(np.arange(len(data)) + 1, [*rows[name]]) for name in rows}
    sound, ranked = every, []
    for name in sorted(own, key=lambda name: -own[name].sum()):
        if (sound & own[name]).sum() >= max(MIN_EXAMPLES, MIN_SHARE * len(data)):
            sound = sound & own[name]
            ranked.append(name)

    def score(name: str, rows: NDArray[np.bool_]) -> float:
        return float(metric.reduce(measured.systems[name][rows].sum(0))[main.key])

    sign = 1 if main.better == "lower" else -1
    orders = [sorted(ranked, key=lambda name: sign * score(name, rows)) for rows in (every, sound)]
    ranks = {name: (orders[0].index(name) + 1, orders[1].index(name) + 1) for name in ranked}
    swapped = sum((a[0] < b[0]) != (a[1] < b[1]) for a, b in combinations(ranks.values(), 2))
    scores = {name: (score(name, every), score(name, own[name])) for name in own}
    return SoundRanking(main.title, scores, int(sound.sum()), ranks, swapped)
