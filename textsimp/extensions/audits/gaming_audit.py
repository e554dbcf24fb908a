"""How far changes that make no text simpler move scores.

The experiment of Tanprasert & Kauchak (2021), "Flesch-Kincaid is Not a Text Simplification
Evaluation Metric", GEM workshop, Figures 1-3. The statistics of each version of a line are computed
once; the scores of all repeats and shares are reductions of their sums.
"""

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from textsimp.core.declarations import Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric
from textsimp.core.sample import Ints, percentiles
from textsimp.extensions.audits.effects import (
    LEAST_OUTPUTS,
    Audit,
    Effect,
    Verdict,
    begin,
    check_names,
    judge,
    single_scores,
)
from textsimp.extensions.audits.modifications import MODIFICATIONS, Modification, draw, sampled
from textsimp.metrics import readability_formulas
from textsimp.metrics.catalogue import Metrics
from textsimp.support.errors import check_integer, check_sampling, take_either

SHARES = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
LEAST_CHANGE = 0.1
"""By how much a score must change to count; one from 0 to 1 by a hundredth of it."""
LEAST_DEVIATIONS = 3
"""By how many standard deviations over the repeats it must change."""

_EASE = ("flesch_reading_ease", "szigriszt_pazos", "gulpease")
_EASIER = dict.fromkeys(
    ["fkgl", *(key for formulas in readability_formulas.FORMULAS.values() for key in formulas)],
    "lower",
) | dict.fromkeys(_EASE, "higher")
"""Readability formula → the values that easier texts have."""


@take_either("metrics", "metric")
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

    A score *gets better* with a modification under two conditions. It improves by at least
    `LEAST_CHANGE` in the mean over the repeats, and by more than `LEAST_DEVIATIONS` times its
    standard deviation over the repeats. The verdict holds for these texts only, as repeats draw
    where they change, not other texts. For readability formulas easier texts count as better.
    There is no verdict if fewer than `LEAST_OUTPUTS` outputs are changed.

    Args:
        metrics: See `textsimp.score`.
        predictions: The system's outputs.
        sources: The original texts, if a metric reads them.
        references: One or more references per source, if a metric reads them.
        modifications: How outputs are changed: random-period, random-the, replace-longest,
            replace-rand-period, replace-rand-the, random-period+replace-longest. Default: all.
        shares: Shares of the outputs to change: ascending, each above 0 and at most 1.
        repeats: How often each modification is made. Repeat i has the seed ``seed + i``.
        confidence: Share of the repeats that an interval covers.
        seed: Seed of the first repeat.
        **options: Options of the one metric that is given by its name.

    Example:
        >>> from textsimp.extensions import audits
        >>> texts = ["The old cat sat on the mat."] * 20
        >>> result = audits.audit_gaming(
        ...     "fkgl_components", texts, modifications=["random-period", "random-the"], repeats=10
        ... )
        >>> print(result)
        On these texts FKGL (textsimp's count) gets worse: random-the; gets better: random-period.
        >>> round(result.of("fkgl_components")[0].before, 2)
        -1.06
    """
    names = check_names("modifications", modifications, MODIFICATIONS)
    check_sampling(confidence, 1, seed, optional=False)
    repeats = check_integer("repeats", repeats, 2)
    columns = {"predictions": predictions, "sources": sources, "references": references}
    sampling = {"confidence": confidence, "repeats": repeats, "seed": seed}
    audit, checked = begin("gaming", metrics, columns, options, shares, **sampling)
    texts = checked.predictions()
    position, since = _draw(len(texts), audit.shares, repeats, audit.seed)
    audited = [_AuditedMetric(name, metric, checked) for name, metric in audit.metrics.items()]
    for name in names:
        numbers, versions = _versions(MODIFICATIONS[name], texts, position)
        change = {
            "change": name,
            "category": "gaming",
            "level": None,
            "outputs": len(texts),
            "changed": sampled(audit.shares[-1], len(texts)),
        }
        for metric in audited:
            totals = metric.totals(numbers, versions, since, len(audit.shares))
            audit.effects.extend(metric.effects(totals, audit.confidence, change))
    return audit


def _draw(n: int, shares: Sequence[float], repeats: int, seed: int) -> tuple[Floats, Ints]:
    """Draw (repeats, n) positions of changes, 0 to 1, and the first share that changes a line."""
    position, since = np.empty((repeats, n)), np.empty((repeats, n), np.int64)
    counts = [sampled(share, n) for share in shares]
    for i in range(repeats):
        order, position[i] = draw(n, seed + i)
        since[i, order] = np.searchsorted(counts, np.arange(n), side="right")
    return position, since


def _versions(
    modification: Modification, lines: list[str], position: Floats
) -> tuple[Ints, list[list[str]]]:
    """Return (repeats, n) numbers of versions, 0 for unchanged, and lists of lines by version."""
    numbers = np.zeros(position.shape, np.int64)
    versions = []
    for i, line in enumerate(lines):
        codes = {line: 0}
        changed = [modification.line(line, where) for where in position[:, i].tolist()]
        numbers[:, i] = [codes.setdefault(text, len(codes)) for text in changed]
        versions.append(list(codes))
    return numbers, [list(row) for row in itertools.zip_longest(*versions, fillvalue="")]


class _AuditedMetric:
    """A metric, with what it prepared and the statistics of the unchanged outputs."""

    def __init__(self, name: str, metric: Metric, checked: Examples) -> None:
        self.name, self.metric, self.shared = name, metric, checked.shared
        self.parts = list(metric.prepare_slices(checked))
        self.before = self.statistics(checked.predictions())

    def statistics(self, texts: list[str]) -> Floats:
        """Return (lines, k) statistics of outputs."""
        examples = Examples(self.shared, {UNNAMED_SYSTEM: {"predictions": texts}})
        return self.metric.compute_statistics(examples, prepared=self.parts)[UNNAMED_SYSTEM]

    def totals(self, numbers: Ints, versions: list[list[str]], since: Ints, shares: int) -> Floats:
        """Return (repeats, shares, k) sums of the statistics of changed outputs."""
        totals = np.zeros((len(numbers), shares, self.before.shape[1]))
        if self.metric.independent_rows:
            for number, texts in enumerate(versions[1:], 1):
                change = self.statistics(texts) - self.before
                repeat, line = np.nonzero((numbers == number) & (since < shares))
                np.add.at(totals, (repeat, since[repeat, line]), change[line])
            changed: Floats = self.before.sum(axis=0) + np.cumsum(totals, axis=1)
            return changed
        for repeat, share in np.ndindex(totals.shape[:2]):
            line_numbers = np.where(since[repeat] <= share, numbers[repeat], 0).tolist()
            texts = [versions[number][i] for i, number in enumerate(line_numbers)]
            totals[repeat, share] = self.statistics(texts).sum(axis=0)
        return totals

    def effects(
        self, totals: Floats, confidence: float, change: Mapping[str, Any]
    ) -> Iterator[Effect]:
        """Yield the effects of a modification on each score."""
        shared = [*self.shared]
        unchanged = single_scores(self.metric, shared, self.before.sum(axis=0))
        for score, values in single_scores(self.metric, shared, totals).items():
            before = float(unchanged[score])
            yield Effect(
                **change,
                metric=self.name,
                score=score,
                before=before,
                differences=(values.mean(axis=0) - before).tolist(),
                intervals=percentiles(values - before, confidence),
                verdict=verdict(score, values[:, -1] - before, change["changed"]),
            )


def verdict(score: Score, differences: Floats, changed: int) -> Verdict:
    """Return the verdict on a score, from the repeats' differences with the largest share."""
    if changed < LEAST_OUTPUTS:
        return "too few outputs"
    mean, noise = differences.mean(), differences.std(ddof=1)
    least = LEAST_CHANGE / 100 if score.most == 1 else LEAST_CHANGE
    if abs(mean) < least or abs(mean) <= LEAST_DEVIATIONS * noise:
        return "doesn't notice"
    return judge(mean, score.better or _EASIER.get(score.key, ""))
