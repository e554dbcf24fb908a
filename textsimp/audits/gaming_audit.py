"""How far changes that make no text simpler move scores.

The experiment of Tanprasert & Kauchak (2021), "Flesch-Kincaid is Not a Text Simplification
Evaluation Metric", GEM workshop, Figures 1-3. A growing share of the lines of a system's output is
changed by each of `textsimp.audits.modifications.MODIFICATIONS`. This is repeated many times with
other lines and positions.

A line has no more versions than tokens, however often the experiment is repeated. The statistics of
each version are computed once. The scores of all repeats and shares are reductions of their sums.
Only metrics that count all outputs as one text are computed anew for each repeat and share.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from textsimp.audits.effects import (
    Audit,
    Effect,
    Verdict,
    check_names,
    check_shares,
    single_scores,
)
from textsimp.audits.modifications import MODIFICATIONS, Modification, draw, sampled
from textsimp.core import examples, significance
from textsimp.core.declarations import Score
from textsimp.core.examples import ONE, Examples
from textsimp.core.metric import Floats, Metric, check_columns
from textsimp.metrics import readability
from textsimp.metrics.catalogue import Metrics
from textsimp.scoring import comparison
from textsimp.support.errors import check_integer

Ints = NDArray[np.int64]

SHARES = tuple(tenths / 10 for tenths in range(1, 11))
LEAST_CHANGE = 0.1
"""By how much a score must change to count: what shows at one decimal.

A score from 0 to 1 must change by a hundredth of it.
"""
LEAST_DEVIATIONS = 3
"""By how many standard deviations over the repeats it must change."""

_EASE = ("flesch_reading_ease", "szigriszt_pazos", "gulpease")
_EASIER = dict.fromkeys(
    ["fkgl", *(f for language in readability.LANGUAGES.values() for f in language.formulas)],
    "lower",
) | dict.fromkeys(_EASE, "higher")
"""Readability formula → the values that easier texts have."""


def audit_gaming(
    metrics: Metrics,
    predictions: Any,
    *,
    sources: Any = None,
    references: Any = None,
    modifications: Sequence[str] | None = None,
    shares: Sequence[float] = SHARES,
    repeats: int = 100,
    confidence: float = 0.95,
    seed: int = 0,
    **options: Any,
) -> Audit:
    """Measure how modifications move the scores of a system.

    A score *gets better* by a modification, and is fooled by it, if it improves by at least
    `LEAST_CHANGE` in the mean over the repeats, and by more than `LEAST_DEVIATIONS` times its
    standard deviation over the repeats. Easier texts count as better for readability formulas. Of a
    single repeat there is no verdict.

    Args:
        metrics: See `textsimp.score`.
        predictions: The system's outputs.
        sources: The original texts, if a metric reads them.
        references: One or more references per source, if a metric reads them.
        modifications: Names of `textsimp.audits.modifications.MODIFICATIONS`; None for all.
        shares: Shares of the outputs to change: ascending, each above 0 and at most 1.
        repeats: How often each modification is made. Repeat i is what the functions of
            `textsimp.audits.modifications` do with the seed ``seed + i``.
        confidence: Share of the repeats that an interval covers.
        seed: Seed of the first repeat.
        **options: Options of the one metric that is given by its name.

    Raises:
        InputError: Bad columns, metrics, options, modifications or shares.

    Example:
        >>> from textsimp import audits
        >>> texts = ["The old cat sat on the mat."] * 20
        >>> result = audits.audit_gaming(
        ...     "fkgl_components", texts, modifications=["random-period", "random-the"], repeats=10
        ... )
        >>> print(result)
        FKGL (default) gets worse: random-the; gets better: random-period.
        >>> round(result.of("fkgl_components")[0].before, 2)
        -1.06
    """
    names = check_names("modifications", modifications, MODIFICATIONS)
    significance.check(confidence, 1, seed, optional=False)
    repeats = check_integer("repeats", repeats, 1)
    shares = check_shares(shares)
    scorers, more = comparison.choose_metrics(metrics, options)
    check_columns(scorers.values(), "an audit")
    shared = {"sources": sources, "references": references, **more}
    checked = examples.check(scorers.values(), {ONE: predictions}, shared)
    seed = int(seed)
    texts = checked.predictions()
    sample = _Sample.drawn(len(texts), shares, repeats, seed)
    audited = [_Audited.prepared(name, metric, checked) for name, metric in scorers.items()]
    effects: list[Effect] = []
    for name in names:
        versions = sample.versions(MODIFICATIONS[name], texts)
        changed = sampled(shares[-1], len(texts))
        for one in audited:
            effects += one.effects(name, changed, sample, versions, float(confidence))
    return Audit(
        kind="gaming",
        metrics=scorers,
        effects=effects,
        impossible=[],
        outputs=len(texts),
        shares=shares,
        confidence=float(confidence),
        sampling={"repeats": repeats},
        seed=seed,
        signatures={name: m.signature(checked.references) for name, m in scorers.items()},
    )


@dataclass(frozen=True)
class _Versions:
    """What a modification makes of each line."""

    of: Ints  # (repeats, lines) the number of the version; 0 is the unchanged line
    texts: list[list[str]]  # version → lines; empty strings where a line has fewer versions


@dataclass(frozen=True)
class _Sample:
    """Which lines are changed in which repeat, at which position, and from which share on."""

    position: Floats  # (repeats, lines) 0 to 1
    since: Ints  # (repeats, lines) index of the share; their number where a line is never changed
    shares: int

    @classmethod
    def drawn(cls, n: int, shares: Sequence[float], repeats: int, seed: int) -> _Sample:
        """Draw the lines and positions of each repeat."""
        position, since = np.empty((repeats, n)), np.empty((repeats, n), np.int64)
        counts = [sampled(share, n) for share in shares]
        for i in range(repeats):
            order, position[i] = draw(n, seed + i)
            since[i, order] = np.searchsorted(counts, np.arange(n), side="right")
        return cls(position, since, len(shares))

    def versions(self, modification: Modification, lines: list[str]) -> _Versions:
        """The versions of each line that occur."""
        of = np.zeros(self.position.shape, np.int64)
        texts = []
        for i, line in enumerate(lines):
            numbers = {line: 0}
            changed = [modification.line(line, where) for where in self.position[:, i].tolist()]
            of[:, i] = [numbers.setdefault(text, len(numbers)) for text in changed]
            texts.append(list(numbers))
        return _Versions(of, [list(row) for row in itertools.zip_longest(*texts, fillvalue="")])

    def sums(self, versions: Ints, changes: Iterable[Floats], k: int) -> Floats:
        """(repeats, shares, k) by how much the statistics' totals change.

        Args:
            versions: (repeats, lines) as of `_Versions`.
            changes: For version 1, 2, … what it adds to the statistics of each line, (lines, k).
            k: Number of statistics.
        """
        sums = np.zeros((len(versions), self.shares, k))
        for number, change in enumerate(changes, 1):
            repeat, line = np.nonzero((versions == number) & (self.since < self.shares))
            np.add.at(sums, (repeat, self.since[repeat, line]), change[line])
        return np.cumsum(sums, axis=1)


@dataclass(frozen=True)
class _Audited:
    """A metric, with what it prepared and the statistics of the unchanged outputs."""

    name: str
    metric: Metric
    examples: Examples
    parts: list[tuple[slice, Any]]
    before: Floats  # (lines, k)

    @classmethod
    def prepared(cls, name: str, metric: Metric, checked: Examples) -> _Audited:
        """Prepare a metric."""
        parts = list(metric.prepared(checked))
        return cls(name, metric, checked, parts, _statistics(metric, parts, checked.predictions()))

    def totals(self, sample: _Sample, versions: _Versions) -> Floats:
        """(repeats, shares, k) sums of the statistics of changed outputs."""
        if self.metric.independent_rows:
            changes = (
                _statistics(self.metric, self.parts, texts) - self.before
                for texts in versions.texts[1:]
            )
            sums = sample.sums(versions.of, changes, self.before.shape[1])
            added: Floats = self.before.sum(axis=0) + sums
            return added
        totals = np.zeros((len(versions.of), sample.shares, self.before.shape[1]))
        for repeat, share in np.ndindex(totals.shape[:2]):
            numbers = np.where(sample.since[repeat] <= share, versions.of[repeat], 0)
            texts = [versions.texts[number][i] for i, number in enumerate(numbers.tolist())]
            totals[repeat, share] = _statistics(self.metric, self.parts, texts).sum(axis=0)
        return totals

    def effects(
        self,
        modification: str,
        changed: int,
        sample: _Sample,
        versions: _Versions,
        confidence: float,
    ) -> list[Effect]:
        """The effects of a modification on each score."""
        shared = list(self.examples.shared)
        unchanged = single_scores(self.metric, shared, self.before.sum(axis=0))
        totals = self.totals(sample, versions)
        tails = [(1 - confidence) / 2, (1 + confidence) / 2]
        effects = []
        for score, values in single_scores(self.metric, shared, totals).items():
            before = float(unchanged[score])
            bounds = np.quantile(values, tails, axis=0) - before
            effects.append(
                Effect(
                    metric=self.name,
                    score=score,
                    change=modification,
                    category="gaming",
                    level=None,
                    outputs=len(self.examples),
                    changed=changed,
                    before=before,
                    differences=(values.mean(axis=0) - before).tolist(),
                    intervals=bounds.T.tolist(),
                    verdict=verdict(score, values[:, -1] - before),
                )
            )
        return effects


def _statistics(metric: Metric, parts: Sequence[tuple[slice, Any]], texts: list[str]) -> Floats:
    """(lines, k) statistics of outputs."""
    own = {"predictions": texts}
    return np.concatenate([metric.statistics_in(rows, prepared, own) for rows, prepared in parts])


def verdict(score: Score, differences: Floats) -> Verdict:
    """How a score takes a modification.

    Args:
        score: The score.
        differences: (repeats,) with the largest share of changed outputs.
    """
    if len(differences) < 2:
        return "too few repeats"
    mean, noise = differences.mean(), differences.std(ddof=1)
    least = LEAST_CHANGE / 100 if score.most == 1 else LEAST_CHANGE
    if abs(mean) < least or abs(mean) <= LEAST_DEVIATIONS * noise:
        return "doesn't notice"
    better = score.better or _EASIER.get(score.key)
    if not better:
        return "moves"
    return "gets better" if (mean > 0) == (better == "higher") else "gets worse"
