"""What users hand in: tables, columns of names and scores, metrics; checked."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, get_args

import numpy as np

from textsimp.core import columns, examples, significance
from textsimp.core.declarations import SOURCES
from textsimp.core.examples import ONE, Examples
from textsimp.core.metric import COLUMNS, Floats, Metric
from textsimp.meta import levels
from textsimp.meta import ratings as reading
from textsimp.metrics import catalogue
from textsimp.scoring import comparison
from textsimp.support.errors import InputError, check_choice, nearest, shown
from textsimp.support.extras import require


def check_options(
    over: Any, standardise: Any, confidence: float | None, resamples: int, seed: int
) -> None:
    """Check the options that `correlate` and `evaluate` share.

    Raises:
        InputError: A bad one.
    """
    check_choice("over", over, get_args(levels.Over))
    check_choice("standardise", standardise, (True, False))
    significance.check(confidence, resamples, seed)


def check_names(
    baseline: str | None, names: Collection[str], over: str, systems: Sequence[Any] | None
) -> None:
    """Check that the baseline is one of the metrics, and that systems are there where needed.

    Raises:
        InputError: It isn't, none are, or too many.
    """
    if baseline is not None:
        comparison.check_baseline(baseline, names)
        require("scipy.stats", extra="meta")
    if systems is not None and len({*systems}) > levels.MOST_SYSTEMS:
        raise InputError(
            f"systems: expected at most {levels.MOST_SYSTEMS:,}, as pairs of them are compared, "
            f"got {len({*systems}):,}"
        )
    if over != "items" and systems is None:
        raise InputError(f"over: expected systems, to resample {over}, got none")


def scores(given: Any, argument: str) -> dict[str, Floats]:
    """Name → checked scores; `ONE` is the name of a list.

    Raises:
        InputError: No scores, a name that isn't a text, or see `textsimp.meta.ratings.scores`.
    """
    return {
        name: reading.scores(rows, examples.called(argument, name))
        for name, rows in named(given, argument).items()
    }


def named(given: Any, argument: str) -> dict[str, Any]:
    """Name → scores as they were given; `ONE` is the name of a list.

    Raises:
        InputError: No scores, or a name that isn't a text.
    """
    found = table(given) if _is_table(given) else {ONE: given}
    if not found:
        raise InputError(f"{argument}: expected a list of numbers or a mapping to these, got none")
    check_texts(argument, found)
    return found


def lengths(argument: str, named: Mapping[str, Floats]) -> dict[str, Any]:
    """The columns of `scores` for `textsimp.core.columns.check_lengths`."""
    return {examples.called(argument, name): rows for name, rows in named.items()}


def check_texts(argument: str, names: Collection[Any]) -> None:
    """Check that names are texts.

    Raises:
        InputError: One isn't.
    """
    for name in names:
        if not isinstance(name, str):
            raise InputError(f"{argument}: expected texts as names, got {shown(name)}")


def ids(column: Any, name: str) -> list[Any]:
    """Check a column of names or numbers of items or systems.

    Raises:
        InputError: Not a sequence, no rows, or a row that is neither.
    """
    rows = columns.plain_rows(column, name, "a list with a name or number per row")
    for i, row in enumerate(rows):
        legal = isinstance(row, (str, int, float, np.number)) and not isinstance(row, bool)
        if not legal or columns.is_missing(row):
            raise InputError(
                f"row {i} of {name} (counted from 0): expected a name or number, got {shown(row)}"
            )
    return rows


def table(rows: Any) -> dict[str, Any]:
    """Name → column, of a mapping to columns, a table, or a list of dicts.

    Raises:
        InputError: None of them, or dicts with different keys.
    """
    if isinstance(rows, Mapping):
        return dict(rows)
    if _is_table(rows):
        return {name: rows[name] for name in getattr(rows, "column_names", None) or rows.columns}
    given = columns.plain_rows(rows, "rows", "a list of dicts, a table, or columns by name")
    for i, row in enumerate(given):
        where = f"row {i} of rows (counted from 0)"
        if not isinstance(row, Mapping):
            raise InputError(f"{where}: expected a dict, got {shown(row)}")
        for here, there in ((i, 0), (0, i)):
            for name in given[there]:
                if name not in given[here]:
                    raise InputError(
                        f"row {here} of rows (counted from 0): expected {name!r}, "
                        f"as row {there} has it"
                    )
    return {name: [row[name] for row in given] for name in given[0]}


def _is_table(value: Any) -> bool:
    """Whether columns have names: a mapping, or a table of datasets, Arrow or pandas."""
    return isinstance(value, Mapping) or any(
        hasattr(value, names) for names in ("column_names", "columns")
    )


def column(of: Mapping[str, Any], name: Any, argument: str) -> Any:
    """A column of a table.

    Raises:
        InputError: There is none of this name; the message lists those there are.
    """
    if not isinstance(name, str) or name not in of:
        there = ", ".join(map(str, of))
        raise InputError(
            f"{argument}: expected one of the columns {there}, got {name!r}{nearest(name, of)}"
        )
    return of[name]


def ids_of(of: Mapping[str, Any], name: str | None, argument: str) -> list[Any] | None:
    """A column of `ids`, by its name; or that which is called as the argument, if there is one."""
    if name is None and argument not in of:
        return None
    name = argument if name is None else name
    return ids(column(of, name, argument), name)


def score_columns(of: Mapping[str, Any], names: Any) -> dict[str, Floats]:
    """Columns of scores by their names.

    Raises:
        InputError: Not a list of names, one twice or unknown, or see
            `textsimp.meta.ratings.scores`.
    """
    if not isinstance(names, (list, tuple)) or len({*map(str, names)}) < len(names):
        raise InputError(f"score_columns: expected a list of different names, got {names!r}")
    return {name: reading.scores(column(of, name, "score_columns"), name) for name in names}


def metrics(given: Any) -> dict[str, Metric]:
    """Name → metric, of what `textsimp.score` takes, or of names with metrics.

    Raises:
        InputError: Neither, or see `textsimp.metrics.catalogue.configured`.
    """
    if isinstance(given, Mapping) and any(isinstance(m, Metric) for m in given.values()):
        for name, metric in given.items():
            if not isinstance(metric, Metric):
                raise InputError(f"metrics: expected a metric for {name!r}, got {metric!r}")
        check_texts("metrics", given)
        return dict(given)
    return catalogue.configured(given, "metrics")


def score_names(
    scorers: Mapping[str, Metric], shared: Collection[str], wanted: Any
) -> dict[str, tuple[str, str]]:
    """Which scores of metrics to judge: name → the metric's name, the score's.

    Args:
        scorers: The metrics by name.
        shared: The columns that are there beside the predictions.
        wanted: ``"main"``, ``"all"``, or a list of names: a metric's for its main score, or
            ``METRIC.SCORE``; or what to call it → such a name.

    Raises:
        InputError: None of them, or an unknown score.
    """
    main: dict[str, tuple[str, str]] = {}
    every: dict[str, tuple[str, str]] = {}
    for name, metric in scorers.items():
        for key in metric.reported([column for column in COLUMNS if column in shared]):
            if metric.side_of(key)[0] == "predictions" and not metric.score_named(key).many:
                main.setdefault(name, (name, key))
                every[name if key == metric.name else f"{name}.{key}"] = (name, key)
    if isinstance(wanted, str) or wanted is None:
        check_choice("scores", wanted, ("main", "all"))
        return main if wanted == "main" else every
    if not isinstance(wanted, (list, tuple, Mapping)) or not wanted:
        raise InputError(f"scores: expected 'main', 'all' or a list of names, got {wanted!r}")
    check_texts("scores", wanted)
    known = every | main
    named = wanted if isinstance(wanted, Mapping) else {name: name for name in wanted}
    for name in named.values():
        if not isinstance(name, str) or name not in known:
            there = ", ".join(known)
            raise InputError(f"scores: expected one of {there}, got {name!r}{nearest(name, known)}")
    return {label: known[name] for label, name in named.items()}


def texts(
    scorers: Mapping[str, Metric], of: Mapping[str, Any], outputs: Mapping[str, str] | None = None
) -> Examples:
    """All that metrics read, and sources if there are some, by which items are told apart.

    Args:
        scorers: The metrics.
        of: Name → column.
        outputs: System → its column of predictions; None for one system, whose columns are called
            as usual.

    Raises:
        InputError: See `textsimp.core.examples.check`.
    """
    declared = examples.columns_of(scorers.values())
    there = {}
    for one in declared.values():
        name = next((name for name in one.usual if name in of), None)
        if name is not None:
            there[one.name] = of[name]
    shared = {name: rows for name, rows in there.items() if not declared[name].own}
    systems: dict[str, Any] = {ONE: {n: rows for n, rows in there.items() if declared[n].own}}
    if outputs is not None:
        systems = {system: column(of, name, system) for system, name in outputs.items()}
    checked = examples.check(scorers.values(), systems, shared)
    if SOURCES.name not in declared:
        for name in SOURCES.usual:
            if name in of:
                sources = columns.texts(of[name], name)
                return Examples({**checked.shared, SOURCES.name: sources}, checked.systems)
    return checked


def other_references(given: Examples) -> list[list[str]]:
    """Each row's references, which were given, that equal no output; maybe none."""
    outputs = zip(*(given.predictions(system) for system in given.systems), strict=True)
    return [
        [text for text in row if text not in own]
        for own, row in zip(outputs, given.references or [], strict=True)
    ]
