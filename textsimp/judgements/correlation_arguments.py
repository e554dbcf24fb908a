"""Arguments of `textsimp.judgements`, checked: tables, columns of names and scores, metrics."""

import warnings
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import compress
from typing import Any, Literal, get_args

import numpy as np

from textsimp.core import columns, examples, significance
from textsimp.core.declarations import REFERENCES, SOURCES, Column
from textsimp.core.examples import UNNAMED_SYSTEM, Examples
from textsimp.core.metric import COLUMNS, Floats, Metric
from textsimp.judgements import resampling
from textsimp.judgements.correlation_results import count_noun
from textsimp.judgements.judgements import Judgements
from textsimp.metrics import catalogue
from textsimp.support.errors import InputError, check_choice, check_switch, listed

References = Literal["without_output", "as_given"]
ChosenScores = Literal["main", "all"] | Sequence[str] | Mapping[str, str]


def check_options(
    over: Any, standardise: Any, confidence: float | None, resamples: int, seed: int
) -> dict[str, Any]:
    """Check the options that `correlate` and `evaluate` share; return those of `Agreement`.

    A system's score is the mean of its outputs' unless `evaluate` says otherwise.
    """
    check_choice("over", over, get_args(resampling.Over))
    check_switch("standardise", standardise)
    significance.check(confidence, resamples, seed)
    confidence = None if confidence is None else float(confidence)
    sampling = {"confidence": confidence, "resamples": int(resamples), "seed": int(seed)}
    return {"system_score": "mean", "over": over, **sampling}


def check_names(
    baseline: str | None, names: Collection[str], over: str, systems: Sequence[Any] | None
) -> None:
    """Check that the baseline is one of the metrics, and that systems are there where needed."""
    if baseline is not None:
        check_choice("baseline", baseline, list(names))
    if systems is not None and len({*systems}) > resampling.MAX_SYSTEMS:
        raise InputError(
            f"systems: expected at most {resampling.MAX_SYSTEMS:,}, as pairs of them are compared, "
            f"got {len({*systems}):,}"
        )
    if over != "items" and systems is None:
        raise InputError(f"over: expected systems, to resample {over}, got none")


def read_scores(values: Any, argument: str) -> dict[str, Any]:
    """Return name → checked scores (n,); `UNNAMED_SYSTEM` is the name of a list."""
    by_name = read_table(values) if _is_table(values) else {UNNAMED_SYSTEM: values}
    if not by_name:
        raise InputError(f"{argument}: expected a list of numbers or a mapping to these, got none")
    labels = {name: examples.column_label(argument, str(name)) for name in by_name}
    checked: dict[str, Any] = {
        str(name): np.array(columns.numbers(rows, labels[name])) for name, rows in by_name.items()
    }
    columns.check_lengths(**dict(zip(labels.values(), checked.values(), strict=True)))
    return checked


def read_ids(column: Any, name: str) -> list[Any]:
    """Check a column of names or numbers of items or systems."""
    rows = columns.plain_rows(column, name, "a list with a name or number per row")
    for i, row in enumerate(rows):
        legal = isinstance(row, (str, int, float, np.number)) and not isinstance(row, bool)
        if not legal or columns.is_missing(row):
            raise columns.bad_row(i, name, "a name or number", row)
    return rows


def read_table(rows: Any) -> dict[str, Any]:
    """Return name → column, of judgements, a mapping to columns, a table, or a list of dicts."""
    if isinstance(rows, Judgements):
        return dict(rows.by_output())
    if isinstance(rows, Mapping):
        return dict(rows)
    if _is_table(rows):
        return {name: rows[name] for name in getattr(rows, "column_names", None) or rows.columns}
    plain = columns.plain_rows(rows, "rows", "a list of dicts, a table, or columns by name")
    for i, row in enumerate(plain):
        if not isinstance(row, Mapping):
            raise columns.bad_row(i, "rows", "a dict", row)
        if {*row} != {*plain[0]}:
            expected = f"expected the columns of row 0, {listed(plain[0])}, got {listed(row)}"
            raise InputError(f"row {i} of rows (counted from 0): {expected}")
    return {name: [row[name] for row in plain] for name in plain[0]}


def _is_table(value: Any) -> bool:
    """Whether columns have names: a mapping, or a table of datasets, Arrow or pandas."""
    return isinstance(value, Mapping) or hasattr(value, "column_names") or hasattr(value, "columns")


def find_column(table: Mapping[str, Any], name: Any, argument: str) -> Any:
    """Return a column of a table."""
    check_choice(argument, name, list(table))
    return table[name]


def find_ids(table: Mapping[str, Any], name: str | None, argument: str) -> list[Any] | None:
    """Return a checked column of ids by its name, or the one called like the argument, if any."""
    if name is None and argument not in table:
        return None
    name = argument if name is None else name
    return read_ids(find_column(table, name, argument), name)


def find_scores(table: Mapping[str, Any], names: Any) -> dict[str, Floats]:
    """Return checked columns of scores by their names."""
    if not isinstance(names, (list, tuple)) or len({*map(str, names)}) < len(names):
        raise InputError(f"score_columns: expected a list of different names, got {names!r}")
    found = {name: find_column(table, name, "score_columns") for name in names}
    return {name: np.array(columns.numbers(column, name)) for name, column in found.items()}


def find_sources(table: Mapping[str, Any]) -> list[str] | None:
    """Return the checked column of sources, if there is one."""
    name = _find_name(SOURCES, table)
    return None if name is None else columns.texts(table[name], name)


def _find_name(column: Column | None, table: Mapping[str, Any]) -> str | None:
    """Return the name by which a table has a column."""
    names = column.usual_names if column is not None else ()
    return next((name for name in names if name in table), None)


def read_metrics(
    metrics: Any, scores: Any = "main", argument: str = "metrics"
) -> tuple[dict[str, Metric], Any]:
    """Return name → metric, and the argument ``scores`` with those that the metrics name.

    Metrics are what `textsimp.score` takes, also with a score as in ``sari(xu).keep``; or names
    with metrics.
    """
    named = dict(metrics) if isinstance(metrics, Mapping) else {}
    if named and all(isinstance(metric, Metric) for metric in named.values()):
        return named, scores
    choices = catalogue.read(metrics, argument)
    if not choices:
        raise InputError(f"{argument}: expected one of {', '.join(catalogue.names())}, got none")
    labels = [choice.label(argument) for choice in choices]
    for label in labels:
        if labels.count(label) > 1:
            raise InputError(f"{argument}: expected different metrics, got {label} twice")
    if any(choice.score for choice in choices):
        if scores != "main":
            raise InputError(f"{argument}: other scores are asked for: leave out .SCORE")
        scores = labels
    made = [choice.make(argument) for choice in choices]
    return {str(metric): metric for metric in made}, scores


def find_baseline(baseline: Any, names: Collection[str]) -> Any:
    """Return the name of the baseline, which may be written in another way."""
    if not isinstance(baseline, str) or baseline in names:
        return baseline
    choices = catalogue.read(baseline, "baseline")
    return choices[0].label("baseline") if len(choices) == 1 else baseline


def choose_scores(
    scorers: Mapping[str, Metric], shared: Collection[str], wanted: Any
) -> dict[str, tuple[str, str]]:
    """Choose the scores that are wanted: name → the metric's name, the score's."""
    main: dict[str, tuple[str, str]] = {}
    every: dict[str, tuple[str, str]] = {}
    for name, metric in scorers.items():
        for key in metric.score_names([column for column in COLUMNS if column in shared]):
            if metric.split_score_name(key)[0] == "predictions" and not metric.find_score(key).many:
                main.setdefault(name, (name, key))
                every[name if key == metric.name else f"{name}.{key}"] = (name, key)
    if not isinstance(wanted, (list, tuple, Mapping)) or not wanted:
        check_choice("scores", wanted, ("main", "all"))
        return main if wanted == "main" else every
    named = dict(wanted) if isinstance(wanted, Mapping) else {name: name for name in wanted}
    for name in named.values():
        check_choice("scores", name, list(every | main))
    return {label: (every | main)[name] for label, name in named.items()}


def drop_unreferenced(
    scorers: Mapping[str, Metric], table: dict[str, Any], what: str
) -> tuple[dict[str, Any], list[str]]:
    """Leave out rows without a reference, if metrics read any, with a note on them."""
    name = _find_name(examples.columns_of(scorers.values()).get(REFERENCES.name), table)
    if name is None or not columns.is_sequence(table[name]):
        return table, []
    rows = columns.plain_list(table[name])
    texts = [columns.plain_list(row) if columns.is_sequence(row) else [row] for row in rows]
    kept = [i for i, row in enumerate(texts) if not all(map(columns.is_missing, row))]
    if len(kept) in (0, len(rows)) or {*map(len, table.values())} != {len(rows)}:
        return table, []  # or other checks tell what is wrong
    plain = {name: columns.plain_list(column) for name, column in table.items()}
    some = {name: [column[i] for i in kept] for name, column in plain.items()}
    return some, note_left_out(len(rows) - len(kept), what, "a reference")


def read_examples(
    scorers: Mapping[str, Metric],
    table: Mapping[str, Any],
    outputs: Mapping[str, str] | None = None,
) -> Examples:
    """Return the texts that metrics read; ``outputs``: system → its column."""
    shared: dict[str, Any] = {}
    own: dict[str, Any] = {}
    for column in examples.columns_of(scorers.values()).values():
        name = _find_name(column, table)
        if name is not None:
            (own if column.own else shared)[column.name] = table[name]
    systems: dict[str, Any] = {UNNAMED_SYSTEM: own}
    if outputs is not None:
        systems = {system: find_column(table, name, system) for system, name in outputs.items()}
    return examples.check(scorers.values(), systems, shared)


def drop_outputs(
    examples: Examples,
    rows: Sequence[int],
    systems: Sequence[Any] | None,
    how: References,
    what: str,
) -> tuple[Examples, Sequence[int], list[str]]:
    """Leave out references that equal the output, then rows without; return notes, and warn."""
    if examples.references is None:
        return examples, rows, []
    outputs = zip(*(examples.predictions(system) for system in examples.systems), strict=True)
    pairs = zip(outputs, examples.references, strict=True)
    others = [[text for text in row if text not in own] for own, row in pairs]
    equal = [len(o) < len(r) for o, r in zip(others, examples.references, strict=True)]
    verb = "kept" if how == "as_given" else "left out"
    note = f"{count_noun(sum(equal), what)} equal to a reference, which was {verb}"
    notes = [note] if any(equal) else []
    outputs_of, equal_of = Counter(systems), Counter(compress(systems or (), equal))
    for system, n in outputs_of.items():
        if 2 * equal_of[system] > n:
            part = f"{equal_of[system]:,} of {n:,} outputs of {system}"
            notes.append(f"{part} are among the references: it may be who wrote them")
            warnings.warn(notes[-1], stacklevel=3)
    if how == "as_given":
        return examples, rows, notes
    complete = [i for i in rows if others[i]]
    if not complete:
        raise InputError("references: expected one that isn't the output, got none in any row")
    notes += note_left_out(len(rows) - len(complete), what, "another reference")
    shared = {**examples.shared, REFERENCES.name: others}
    return Examples(shared, examples.systems), complete, notes


def note_left_out(n: int, what: str, lack: str) -> list[str]:
    """Return a note on rows that were left out, if there are any."""
    return [f"left out: {count_noun(n, what)} without {lack}"] if n else []
