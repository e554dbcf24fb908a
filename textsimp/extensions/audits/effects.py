"""What changes of outputs do to scores: the result of both audits, as tables."""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from textsimp.core import examples, tables
from textsimp.core.declarations import Score
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import Floats, Metric, check_columns
from textsimp.core.tables import Cell, Grid, Tabular
from textsimp.metrics.catalogue import Metrics
from textsimp.metrics.readability import Readability
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, check_choice

Kind = Literal["gaming", "errors"]
Verdict = Literal[
    "gets worse", "gets better", "moves", "doesn't notice", "can't tell", "too few outputs"
]
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
LEAST_OUTPUTS = 10
"""So many outputs must be changed before there is a verdict."""

_RECORD_KEYS = ("metric", "score", "change", "category", "level", "outputs", "before")


@dataclass(frozen=True)
class Effect:
    """The effect of a change of outputs on a score.

    Attributes:
        metric: The metric's name.
        score: Which of its scores.
        change: The name of the modification or error.
        category: ``"gaming"``, or the category of the error.
        level: The level of the error; None for a modification.
        outputs: How many outputs the scores are of. For an error, those that can have it.
        changed: How many of them are changed with the largest share.
        before: The score of the unchanged outputs.
        differences: The score minus ``before``, for each share of changed outputs.
        intervals: [low, high] of each difference.
        verdict: How the score reacts to the largest share of changed outputs.
    """

    metric: str
    score: Score
    change: str
    category: str
    level: int | None
    outputs: int
    changed: int
    before: float
    differences: list[float]
    intervals: list[list[float]]
    verdict: Verdict

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {**vars(self), "score": self.score.key}


@dataclass(frozen=True, eq=False, repr=False)
class Audit(Tabular):
    """The effects of changes on scores. It prints as verdicts.

    Attributes:
        kind: ``"gaming"`` or ``"errors"``.
        metrics: Name → metric.
        effects: The effects of every change on every score that is one number.
        impossible: Errors that no output can have.
        outputs: How many outputs there are.
        shares: The shares of the outputs that are changed.
        confidence: Coverage of the intervals.
        sampling: ``repeats`` of a gaming audit, or ``resamples`` of an error audit.
        seed: Seed of the changes and of the sampling.
        signatures: Metric → its signature.
    """

    kind: Kind
    metrics: Mapping[str, Metric]
    effects: list[Effect]
    impossible: list[str]
    outputs: int
    shares: list[float]
    confidence: float
    sampling: Mapping[str, int]
    seed: int
    signatures: Mapping[str, str]

    def of(self, metric: str, score: str | None = None) -> list[Effect]:
        """Return the effects on a metric's main score, or on another of its scores."""
        key = self.metrics[metric].scores[0].key if score is None else score
        return [e for e in self.effects if e.metric == metric and e.score.key == key]

    def main_effects(self) -> dict[str, list[Effect]]:
        """Return the effects on each metric's main score, by metric.

        All formulas of `textsimp.Readability` count as main scores. Those after the first are named
        as in ``readability.smog``.
        """
        effects = {}
        for name, metric in self.metrics.items():
            formulas = metric.formulas() if isinstance(metric, Readability) else ()
            for i, key in enumerate(formulas or [metric.scores[0].key]):
                effects[f"{name}.{key}" if i else name] = self.of(name, key)
        return effects

    def verdicts(self) -> dict[str, str]:
        """Return a sentence for each main score: how it reacts to each change."""
        return {name: self._verdict(effects) for name, effects in self.main_effects().items()}

    def _verdict(self, effects: Sequence[Effect]) -> str:
        parts = []
        for verdict in VERDICTS:
            changes = [effect.change for effect in effects if effect.verdict == verdict]
            if changes:
                parts.append(f"{verdict}: {', '.join(changes)}")
        start = "On these texts " if self.kind == "gaming" else ""
        return f"{start}{self.title(effects[0])} {'; '.join(parts)}."

    def title(self, effect: Effect) -> str:
        """Return the title of an effect's score, with the metric's variant if it has several."""
        return self.metrics[effect.metric].heading(effect.score.title)

    def __str__(self) -> str:
        """Return a line per main score."""
        return "\n".join(self.verdicts().values())

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {
            "kind": self.kind,
            "effects": [effect.to_dict() for effect in self.effects],
            "verdicts": self.verdicts(),
            "impossible": self.impossible,
            "outputs": self.outputs,
            "shares": self.shares,
            "confidence": self.confidence,
            **self.sampling,
            "seed": self.seed,
            "signatures": dict(self.signatures),
        }

    def grid(self) -> Grid:
        """Return a row per change: differences of main scores with the largest share changed."""
        grids = self.curves()
        rows = [[*row[:2]] for row in grids[0].rows]
        for row, *cells in zip(rows, *(grid.rows for grid in grids), strict=True):
            row += [cell[-1] for cell in cells]
        header = ["change", "outputs", *(grid.header[0] for grid in grids)]
        return Grid(header, rows, list(self.signatures.values()))

    def curves(self) -> list[Grid]:
        """Return a table for each main score, with its verdict: differences by share of outputs."""
        header = ["outputs", "before", *(f"{share:.0%}" for share in self.shares)]
        grids = []
        for effects in self.main_effects().values():
            decimals = tables.count_decimals([e.before for e in effects], effects[0].score)
            rows = []
            for effect in effects:
                before = tables.number(effect.before, decimals)
                first = [tables.number(d, decimals, sign=True) for d in effect.differences[:-1]]
                last = Cell.of(effect.differences[-1], effect.intervals[-1], decimals, sign=True)
                rows.append([effect.change, f"{effect.outputs:,}", before, *first, last])
            grids.append(Grid([self.title(effects[0]), *header], rows, [self._verdict(effects)]))
        return grids

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per score, change and share."""
        records = []
        for effect in self.effects:
            plain = effect.to_dict()
            named = {name: plain[name] for name in _RECORD_KEYS}
            points = zip(self.shares, effect.differences, effect.intervals, strict=True)
            for share, difference, (low, high) in points:
                point = {"share": share, "difference": difference, "low": low, "high": high}
                records.append(named | point)
        return records


def begin(
    kind: Kind,
    metrics: Metrics,
    columns: Mapping[str, Any],
    options: Mapping[str, Any],
    shares: Any,
    **sampling: Any,
) -> tuple[Audit, Examples]:
    """Return an audit that has no effects yet, and the checked columns of the outputs."""
    shares = check_shares(shares)
    chosen, more = comparison.choose_metrics(metrics, options)
    check_columns(chosen.values(), "an audit")
    shared = {**columns, **more}
    outputs = {UNNAMED_SYSTEM: shared.pop("predictions")}
    checked = examples.check(chosen.values(), outputs, shared)
    scorers = {name: metric.with_main(checked.shared) for name, metric in chosen.items()}
    signatures = {name: metric.signature(checked.references) for name, metric in scorers.items()}
    confidence, seed = float(sampling.pop("confidence")), int(sampling.pop("seed"))
    facts = len(checked), shares, confidence, sampling, seed, signatures
    return Audit(kind, scorers, [], [], *facts), checked


def judge(change: float, better: str) -> Verdict:
    """Return the verdict on a score that changes, and is ``better`` if higher or lower."""
    if not better:
        return "moves"
    return "gets better" if (change > 0) == (better == "higher") else "gets worse"


def single_scores(metric: Metric, names: Sequence[str], totals: Floats) -> dict[Score, Floats]:
    """Return the scores of predictions that are one number, from (..., k) totals."""
    reduced = metric.reduce(totals)
    values: dict[Score, Floats] = {}
    for key in metric.score_names(names):
        score = metric.find_score(key)
        is_output = metric.split_score_name(key)[0] == "predictions"
        if is_output and reduced[key].ndim < totals.ndim:
            values[score] = reduced[key]
    return values


def check_names(argument: str, names: Any, choices: Collection[str]) -> list[str]:
    """Check a list of names; None stands for all choices. Each name is returned once."""
    if names is None:
        return list(choices)
    if not isinstance(names, (list, tuple)) or not names:
        raise InputError(f"{argument}: expected some of {', '.join(choices)}, got {names!r}")
    for name in names:
        check_choice(argument, name, [*choices])
    return list(dict.fromkeys(names))


def check_shares(shares: Any) -> list[float]:
    """Check shares of outputs, and return them as plain numbers."""
    try:
        values = [1.0 * share for share in shares]  # a text is no number
    except (TypeError, ValueError):
        values = []
    ascending = all(low < high <= 1 for low, high in itertools.pairwise([0.0, *values]))
    if not values or not ascending:
        raise InputError(f"shares: expected ascending numbers, above 0 to 1, got {shares!r}")
    return [float(share) for share in values]
