"""Results: scores and tables of scores, with fields and as plain dicts."""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from types import MappingProxyType
from typing import Any

from textsimp.core import tables
from textsimp.core.cells import MARKS
from textsimp.core.declarations import SIDES, Declarations, Score
from textsimp.core.significance import FEWEST
from textsimp.core.tables import Cell, Grid, Tabular

__all__ = ["Scores", "Value", "rank"]

_RECORD = ("metric", "score", "example", "value", "low", "high", "n")


@dataclass(frozen=True)
class Value:
    """A score.

    Attributes:
        value: A number, or a list of numbers.
        interval: [low, high], or a list of these; None without confidence.
        per_example: The score of each example; None unless requested.
        runs: The scores of a system's runs, of which the value is the mean; None of one run.
        spread: Half the width of the t interval of this mean, as papers print it after ±.
    """

    value: Any
    interval: list[Any] | None = None
    per_example: list[Any] | None = None
    runs: list[Any] | None = None
    spread: Any = None

    @property
    def many(self) -> bool:
        """Whether the value is a list of numbers."""
        return isinstance(self.value, list)


# Results are dicts, which ``json.dumps`` and trackers of experiments take as they are. They are no
# dataclasses: Pydantic, and so Weights & Biases, would write their fields instead of their items.


class Scores(Tabular, dict[str, Any]):
    """A metric's scores of one system.

    The scores are fields. The object is also a dict with the keys of `to_dict`, whose values are
    plain numbers and lists.

    Attributes:
        metric: The metric.
        predictions: Name → score of the outputs, the main one first.
        sources: The same scores of the sources, if the metric has them.
        references: The same scores of the references, if the metric has them.
        details: Name → other results of each example.
        signature: The metric's signature.
        examples: Number of examples.
        reference_counts: The fewest and the most references of an example, if there are any.
        main: The main score, which is the first of the predictions.

    Example:
        >>> from textsimp import Sari
        >>> scores = Sari().score(
        ...     sources=["A feline sat on it.", "It rained."],
        ...     predictions=["A cat sat on it.", "It rained."],
        ...     references=["A cat sat.", "Rain fell."],
        ...     confidence=0.95,
        ... )
        >>> scores.main.value == scores["sari"]
        True
        >>> print(scores)  # doctest: +ELLIPSIS
        SARI 35.73 [..., ...] (sari|variant:easse|tok:13a|case:lc|refs:1|v:...)
    """

    metric: Declarations
    predictions: Mapping[str, Value]
    sources: Mapping[str, Value]
    references: Mapping[str, Value]
    details: Mapping[str, list[Any]]
    signature: str
    examples: int
    reference_counts: tuple[int, int] | None = None
    main: Value

    def __init__(self, **fields: Any) -> None:
        vars(self).update(fields)
        self.main = next(iter(self.predictions.values()))
        self._by_name: dict[str, Value] = {
            prefix + name: value
            for side, prefix in SIDES.items()
            for name, value in getattr(self, side).items()
        }
        super().__init__(self.to_dict())

    def sides(self) -> dict[str, Mapping[str, Value]]:
        """Return the scores of predictions, and of sources and references if there are any."""
        return {side: getattr(self, side) for side in SIDES if getattr(self, side)}

    def to_dict(self, *, signature: bool = True, lists: bool = True) -> dict[str, Any]:
        """Return plain data that ``evaluate`` and JSON can hold.

        Args:
            signature: Include ``signature``.
            lists: Include lists: scores of several numbers, intervals, scores per example. Without
                lists and signature ``mlflow.log_metrics`` takes it.

        Returns:
            ``<score>``, ``source_<score>`` and ``reference_<score>``; if requested
            ``<score>_per_example`` and ``<score>_interval``; of several runs ``<score>_runs`` and
            ``<score>_spread``; and ``signature``.
        """
        plain: dict[str, Any] = {name: value.value for name, value in self._by_name.items()}
        for part in ("per_example", "interval", "runs", "spread"):
            for name, value in self._by_name.items():
                if getattr(value, part) is not None:
                    plain[f"{name}_{part}"] = getattr(value, part)
            if part == "per_example":
                plain |= {f"{name}_{part}": rows for name, rows in self.details.items()}
        if not lists:
            plain = {name: value for name, value in plain.items() if not isinstance(value, list)}
        return plain | ({"signature": self.signature} if signature else {})

    def __str__(self) -> str:
        """Main score, interval and signature in one line."""
        score = self.metric.scores[0]
        (cell,) = format_values([self.main], score)
        return f"{score.title} {cell} ({self.signature})"

    def grid(self) -> Grid:
        """A row per score, a column for predictions, sources and references."""
        return score_grid({"predictions": self})

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per number: those of `Results.records` without ``system``."""
        records = []
        for name, score in self._by_name.items():
            rows: list[tuple[int | None, Any, Any, int]] = []
            rows += [(None, score.value, score.interval, self.examples)]
            rows += [(i, value, None, 1) for i, value in enumerate(score.per_example or [])]
            for example, value, bounds, n in rows:
                ends = bounds if score.many else [bounds]
                for j, number in enumerate(value if score.many else [value]):
                    key = f"{name}[{j}]" if score.many else name
                    low, high = (ends and ends[j]) or (None, None)
                    record = (self.metric.name, key, example, number, low, high, n)
                    records.append(dict(zip(_RECORD, record, strict=True)))
        return records


class Results(Tabular, dict[str, Mapping[str, Scores]]):
    """Scores of several systems and metrics: a dict, system → metric → `Scores`.

    Attributes:
        best: Metric → the system with the best main score, and all systems that do not differ
            significantly from it by the paired permutation test. Tables of at least ten examples
            print them in bold. Empty for scores without a direction, for one system or example,
            and without intervals.
        confidence: Coverage of the intervals, and 1 − the level of the test; None without them.
        baselines: Systems that are the sources; LaTeX has them behind a rule.
    """

    def __init__(
        self,
        systems: Mapping[str, Mapping[str, Scores]],
        best: Mapping[str, Sequence[str]] = MappingProxyType({}),
        confidence: float | None = None,
        baselines: Collection[str] = (),
    ) -> None:
        self.baselines = baselines
        self.best = dict(best)
        self.confidence = confidence
        super().__init__({name: dict(scores) for name, scores in systems.items()})

    def to_dict(self) -> dict[str, dict[str, dict[str, Any]]]:
        """Return plain data: system → metric → result of `Scores.to_dict`."""
        return {
            system: {metric: scores.to_dict() for metric, scores in metrics.items()}
            for system, metrics in self.items()
        }

    def grid(self) -> Grid:
        """A row per system, a column per metric with its main score."""
        first = next(iter(self.values()))
        columns = {metric: {n: scores[metric] for n, scores in self.items()} for metric in first}
        cells = [main_cells(column, self.best.get(name, ())) for name, column in columns.items()]
        rows = [list(row) for row in zip(self, *cells, strict=True)]
        runs = count_runs(next(iter(columns.values())))
        notes = explain_runs(runs, self.confidence)
        notes += [scores.signature for scores in first.values()]
        grid = make_grid([*first.values()], rows, notes, self.confidence)
        return replace(grid, baselines=self.baselines)

    def records(self) -> list[dict[str, Any]]:
        """Return a dict per number, which `to_pandas` makes a row of a table.

        Its keys are:

        ``system``, ``metric``, ``score``: as in `to_dict`; ``score[0]`` and so on of a score that
        is a list. ``example``: whose score it is, counted from 0; None (NaN in pandas) for that of
        all examples. ``value``: in the score's own units, so a share is from 0 to 1; NaN where it
        is undefined. ``low``, ``high``: ends of the interval, if there is one. ``n``: the number of
        examples that it is of.
        """
        return [
            {"system": system, **record, "metric": metric}
            for system, metrics in self.items()
            for metric, scores in metrics.items()
            for record in scores.records()
        ]


def headings(columns: Sequence[Scores]) -> list[str]:
    """Return headings of main scores, with what differs between metrics of the same name.

    An arrow points in the direction of better scores, if there is one.
    """
    names = [scores.metric.heading(scores.metric.scores[0].title) for scores in columns]
    parts = [scores.signature.split("|") for scores in columns]
    heads = []
    for scores, name, signature in zip(columns, names, parts, strict=True):
        alike = [other for head, other in zip(names, parts, strict=True) if head == name]
        differs = [part for part in signature if not all(part in other for other in alike)]
        arrow = {"higher": ["↑"], "lower": ["↓"], "": []}[scores.metric.scores[0].better]
        heads.append(" ".join([name, *differs, *arrow]))
    return heads


def make_grid(
    firsts: Sequence[Scores],
    rows: list[list[Any]],
    notes: list[str],
    confidence: float | None,
    header: Sequence[Any] = (),
    joined: Collection[int] = (),
) -> Grid:
    """Return a table of scores, with what bold numbers and marks mean.

    ``firsts`` are the first system's scores by each metric, which are the columns without a header.
    """
    words = {
        "best": "significantly the best system",
        "undecided": "the best score, and those not significantly different from it",
    }
    marks = {cell.mark for row in rows for cell in row if isinstance(cell, Cell)}
    legend = "; ".join(f"{MARKS[mark][0]} {words[mark]}" for mark in words if mark in marks)
    each = ", each metric by itself" if len(firsts) > 1 else ""
    if legend and confidence is not None:
        legend += f" (paired permutation test at p < {1 - confidence:.2g}, Holm-adjusted{each})"
    about = f"Scores on {describe_examples(firsts[0])}"
    brackets = ""
    if confidence is not None:
        if joined:
            about += f"; p-values are adjusted for the number of tests{each}"
        brackets = f"In brackets: {100 * confidence:g} % bootstrap intervals."
    header = header or ["", *headings(firsts)]
    explained = explain_bold(confidence, each)
    return Grid(
        *(header, rows, notes, explained, legend),
        joined=joined,
        about=f"{about}.",
        brackets=brackets,
    )


def describe_examples(scores: Scores) -> str:
    """Say how many examples and references there are."""
    text = f"{scores.examples:,} example{'s' * (scores.examples > 1)}"
    if scores.reference_counts is not None:
        many = "-".join(str(n) for n in dict.fromkeys(scores.reference_counts))
        text += f", {many} reference{'s' * (scores.reference_counts[1] > 1)} each"
    return text


def count_runs(systems: Mapping[str, Scores]) -> dict[str, int]:
    """Return the number of runs of each system that has several."""
    return {name: len(x.main.runs) for name, x in systems.items() if x.main.runs}


def explain_runs(counts: Mapping[str, int], confidence: float | None) -> list[str]:
    """Return the note that explains scores of so many runs, if there are any."""
    several = ", ".join(f"{name}: {count}" for name, count in counts.items())
    if not several:
        return []
    if confidence is None:
        return [f"Scores are means over runs ({several})."]
    note = (
        f"Scores are means over runs ({several}) ± half their {100 * confidence:g} % t interval. "
        "Intervals are of examples and runs, p is of these runs: a difference is significant if p "
        "says so and its interval, adjusted likewise, has no 0."
    )
    if 2 in counts.values():
        note += " Two runs are few, so their intervals are wide."
    return [note]


def mark_best(systems: Mapping[str, Scores], best: Sequence[str]) -> dict[str, str]:
    """Return the marks of the best systems; none of few examples, or if all of them have 0."""
    few = next(iter(systems.values())).examples < FEWEST
    if few or not any(systems[name].main.value for name in best if name in systems):
        return {}
    return dict.fromkeys(best, "best" if len(best) == 1 else "undecided")


def rank(systems: Mapping[str, Scores]) -> list[str]:
    """Sort systems by their main score, best first; keep the order if it has no direction."""
    better = next(iter(systems.values())).metric.scores[0].better if systems else ""
    sign = {"higher": -1, "lower": 1}.get(better)
    if sign is None:
        return list(systems)
    values = {name: scores.main.value for name, scores in systems.items()}
    defined = [name for name in systems if is_number(values[name])]
    undefined = [name for name in systems if name not in defined]
    return sorted(defined, key=lambda name: sign * values[name]) + undefined


def is_number(value: Any) -> bool:
    """Whether a score is a single number, and defined."""
    return value is not None and not isinstance(value, list) and not math.isnan(value)


def explain_bold(confidence: float | None, each: str = "") -> str:
    """Return the note that explains bold in tables of systems."""
    if confidence is None:
        return ""
    return (
        "Bold: the best system, and all that do not differ significantly from it "
        f"(paired permutation test, p >= {1 - confidence:.2g}, Holm-adjusted{each})."
    )


def score_grid(systems: Mapping[str, Scores]) -> Grid:
    """Return a row per score; columns for each system's outputs, and for sources and references."""
    first = next(iter(systems.values()))
    columns = {name: scores.predictions for name, scores in systems.items()}
    if first.sources:
        columns["sources"] = first.sources
    if first.references:
        columns["references"] = first.references
    rows = []
    for name in dict.fromkeys(chain.from_iterable(columns.values())):
        score = first.metric.find_score(name)
        values = [scores.get(name) for scores in columns.values()]
        rows.append([score.title, *format_values(values, score)])
    return Grid(["", *columns], rows, [first.signature])


def main_cells(systems: Mapping[str, Scores], best: Sequence[str]) -> list[Any]:
    """Format the main scores of systems, with marks of the best."""
    score = next(iter(systems.values())).metric.scores[0]
    cells = format_values([scores.main for scores in systems.values()], score)
    marks = mark_best(systems, best)
    return [
        replace(cell, mark=marks[name]) if name in marks else cell
        for name, cell in zip(systems, cells, strict=True)
    ]


def format_values(values: Sequence[Value | None], score: Score) -> list[Any]:
    """Format a score's values with their intervals, or several numbers side by side."""
    present = [value for value in values if value is not None and value.value is not None]
    numbers = chain.from_iterable(x.value if x.many else [x.value] for x in present)
    decimals = tables.count_decimals(numbers, score)
    cells: list[Any] = []
    for value in values:
        if value is None or value.value is None:
            cells.append("")
        elif value.many:
            cells.append(Cell(" ".join(str(Cell.of(x, None, decimals)) for x in value.value)))
        else:
            cells.append(Cell.of(value.value, value.interval, decimals, spread=value.spread))
    return cells
